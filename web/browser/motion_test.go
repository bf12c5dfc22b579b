package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quotient/web"
)

// centers is where states are, by their names.
const centers = `Object.fromEntries([...document.querySelectorAll("#canvas-a .state")].map(g => [g.dataset.name, ["cx", "cy"].map(a => Number(g.querySelector("circle").getAttribute(a)))]))`

// kappa sets kappa, and waits for the drawing to come to rest.
func (p *tab) kappa(value string) {
	p.t.Helper()
	get[int](p, fmt.Sprintf(`(k => { k.value = %q; k.dispatchEvent(new Event("change")) })(document.getElementById("kappa")); 0`, value))
	p.wait(fmt.Sprintf(`document.getElementById("why").textContent.startsWith("κ %s,")`, value))
	p.wait(`!document.getElementById("canvas-a").dataset.moving`)
}

// States stay where they are while kappa moves, as far as they stand for the same words.
func TestStatesKeepTheirPlaces(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita4@2&method=fold&kappa=0.01")
	p.size(1440, 900)
	before := get[map[string][]float64](p, centers)
	get[int](p, `window.ghosts = window.moving = 0; window.watch = setInterval(() => {
		window.ghosts = Math.max(window.ghosts, document.querySelectorAll("#canvas-a .ghost").length);
		if (document.getElementById("canvas-a").dataset.moving) window.moving++;
	}, 5); 0`)
	p.shot("before")
	p.kappa("0.02")
	p.shot("after")
	after := get[map[string][]float64](p, centers)
	if len(after) >= len(before) {
		t.Fatalf("%d states after %d", len(after), len(before))
	}
	if n := get[int](p, `window.moving`); n == 0 {
		t.Error("nothing moved")
	}
	if n := get[int](p, `window.ghosts`); n == 0 {
		t.Error("no state went into another")
	}
	p.kappa("0.05") // one state more
	p.shot("kept")
	kept := get[map[string][]float64](p, centers)
	stayed := 0
	for _, at := range kept {
		for _, was := range after {
			if fmt.Sprint(at) == fmt.Sprint(was) {
				stayed++
			}
		}
	}
	if len(kept) != len(after)+1 || stayed != len(after) {
		t.Errorf("of %d states %d are where they were; there are %d now", len(after), stayed, len(kept))
	}
	if link := get[string](p, `location.search`); !strings.Contains(link, "&places=") {
		t.Errorf("the link %s does not say where states are", link)
	}
}

// A state that is dragged stays there: for the link, for every file, and for other kappas.
func TestDragAState(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&method=fold&kappa=0.5")
	p.size(1440, 900)
	before := get[map[string][]float64](p, centers)
	box := get[[]float64](p, `(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('#canvas-a .state[data-name="q3"] circle').getBoundingClientRect())`)
	p.do(chromedp.DragAndDropXY(box[0], box[1], box[0]+140, box[1]+60))
	p.wait(`location.search.includes("places=held_") && document.querySelector("#canvas-a svg").dataset.kept`)
	after := get[map[string][]float64](p, centers)
	if after["q3"][0] < before["q3"][0]+20 {
		t.Errorf("q3 was at %v and is at %v", before["q3"], after["q3"])
	}
	for _, q := range []string{"q0", "q1", "q2"} {
		if fmt.Sprint(after[q]) != fmt.Sprint(before[q]) {
			t.Errorf("%s was at %v and is at %v", q, before[q], after[q])
		}
	}
	p.shot("dragged")
	p.files(after["q3"])
	p.visit(get[string](p, `location.search`))
	if again := get[map[string][]float64](p, centers); fmt.Sprint(again) != fmt.Sprint(after) {
		t.Errorf("the link has states at %v, not at %v", again, after)
	}
	p.do(chromedp.Focus(chromedp.CSS(`#canvas-a .state[data-name="q3"]`)))
	p.do(chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(1))) // with Alt
	p.wait(fmt.Sprintf(`(%s).q3[1] === %v`, centers, after["q3"][1]+12))
	p.click("#tidy")
	p.wait(`!location.search.includes("places=") && document.getElementById("tidy").hidden`)
	p.wait(`!document.getElementById("canvas-a").dataset.moving`)
	if again := get[map[string][]float64](p, centers); fmt.Sprint(again) != fmt.Sprint(before) {
		t.Errorf("tidy has states at %v, not at %v", again, before)
	}
}

// Where states were put is forgotten with their network: the next one is shown as any other is.
func TestPickAnotherAfterDragging(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&method=fold&kappa=0.5")
	p.do(chromedp.Focus(chromedp.CSS(`#canvas-a .state[data-name="q3"]`)))
	p.do(chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(1))) // with Alt
	p.wait(`location.search.includes("places=held_") && document.querySelector("#canvas-a svg").dataset.kept`)
	p.choose("model", "zoo:tomita4")
	p.wait(`document.getElementById("verdict").textContent.includes("exactly tomita4")`)
	p.wait(`!location.search.includes("places=") && !document.getElementById("stage").classList.contains("waiting")`)
	if n := p.states(); n != 3 {
		t.Errorf("%d states of tomita4", n)
	}
}

// An automaton without states has no places.
func TestPlacesOfNothing(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&method=explore&states=1&places=held_0.0")
	p.wait(`document.getElementById("size").textContent === "0 states" && document.querySelectorAll("#rows tbody tr").length === 1`)
	if !get[bool](p, `document.getElementById("offline").hidden`) {
		t.Error("the page says that no server answers")
	}
}

// files looks into the files that can be taken, which have the last state at a place.
func (p *tab) files(at []float64) {
	p.t.Helper()
	p.click("#take")
	p.wait(`document.getElementById("take-dialog").open`)
	get[int](p, `(async () => { const all = {}; for (const a of document.querySelectorAll("#files a, #take-report")) all[a.id || a.textContent] = await (await fetch(a.href)).text(); window.taken = all })(); 0`)
	p.wait(`window.taken`)
	taken := get[map[string]string](p, `window.taken`)
	want := fmt.Sprintf(`cx="%v" cy="%v"`, at[0], at[1])
	for _, name := range []string{"SVG", "take-report"} {
		if !strings.Contains(taken[name], want) {
			p.t.Errorf("%s has no %s", name, want)
		}
	}
	for _, format := range []string{"tikz", "dot", "jff", "PDF", "PNG"} {
		if taken[format] == get[string](p, fmt.Sprintf(`(() => { const r = new XMLHttpRequest(); r.open("GET", [...document.querySelectorAll("#files a")].find(a => a.textContent === %q).href.replace(/&places=[^&]*/, ""), false); r.send(); return r.responseText })()`, format)) {
			p.t.Errorf("%s has the places of the program", format)
		}
	}
	p.click("#take-dialog .close")
}

// Who prefers less motion sees none.
func TestReducedMotion(t *testing.T) {
	p := open(t, web.Options{}, "")
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	}); err != nil {
		t.Fatal(err)
	}
	p.visit("?model=zoo:tomita4@2&method=fold&kappa=0.02")
	get[int](p, `window.moved = 0; new MutationObserver(() => window.moved++).observe(document.getElementById("canvas-a"), { attributes: true, attributeFilter: ["data-moving"] }); 0`)
	p.kappa("0.3")
	if n := get[int](p, `window.moved`); n != 0 {
		t.Errorf("it moved %d times", n)
	}
}
