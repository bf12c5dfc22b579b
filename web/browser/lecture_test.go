package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quotient/web"
)

// In the lecture hall picture, word and κ are large, and the arrow keys lead.
func TestLecture(t *testing.T) {
	p := open(t, web.Options{}, "?word=abba")
	for _, s := range screens {
		p.on(s)
		get[int](p, `document.getElementById("lecture-on").click(); 0`)
		p.wait(`document.documentElement.hasAttribute("data-lecture") && document.getElementById("lecture-kappa").textContent.startsWith("κ = ")`)
		if size := get[float64](p, `parseFloat(getComputedStyle(document.getElementById("lecture-word")).fontSize) / innerHeight`); size < 0.028 {
			t.Errorf("%s: the word is %.3f of the screen high", s.name, size)
		}
		for _, wrong := range get[[]string](p, misplaced) {
			t.Errorf("%s: %s", s.name, wrong)
		}
		p.together(s)
		p.do(chromedp.KeyEvent(kb.Home))
		p.wait(`new URLSearchParams(location.search).get("at") === "0" && document.querySelectorAll("#canvas-a .edge.path").length === 0`)
		for i, answer := range []string{"network no · automaton no in q1", "network no · automaton no in q3", "network no · automaton no in q1", "network yes · automaton yes in q0"} {
			p.do(chromedp.KeyEvent(kb.ArrowRight))
			p.wait(fmt.Sprintf(`document.querySelectorAll("#lecture-word .read").length === %d && document.getElementById("lecture-says").textContent === %q`, i, answer))
			if i == 1 {
				p.shot(s.name)
			}
		}
		kappa := get[string](p, `document.getElementById("lecture-kappa").textContent`)
		p.wait(`document.querySelector("#strip .agree")`)
		p.do(chromedp.KeyEvent(kb.ArrowUp))
		p.wait(fmt.Sprintf(`document.getElementById("lecture-kappa").textContent !== %q`, kappa))
		p.do(chromedp.KeyEvent(kb.Escape))
		p.wait(`!document.documentElement.hasAttribute("data-lecture")`)
	}
}

// A word runs by itself, and halts; where nothing may move, nothing travels, but the word runs.
func TestRun(t *testing.T) {
	p := open(t, web.Options{}, "?word=abbab")
	get[int](p, `window.dots = 0; new MutationObserver(list => { for (const m of list) for (const n of m.addedNodes) if (n.classList?.contains("token")) window.dots++ }).observe(document.getElementById("canvas-a"), {childList: true, subtree: true}); 0`)
	p.click("#run")
	p.wait(`new URLSearchParams(location.search).get("at") === "2"`)
	p.click("#run") // halts
	p.wait(`document.getElementById("run").textContent === "Run" && document.querySelectorAll("#rows tr[aria-current]").length === 1`)
	if get[int](p, `window.dots`) == 0 {
		t.Error("nothing goes along the edges")
	}
	p.prefer("light", "reduce")
	get[int](p, `window.dots = 0; 0`)
	p.click("#run")
	p.wait(`!new URLSearchParams(location.search).get("at") && document.getElementById("run").textContent === "Run"`)
	if dots := get[int](p, `window.dots`); dots > 0 {
		t.Errorf("%d dots move though nothing should", dots)
	}
	p.click("#step-back")
	p.wait(`new URLSearchParams(location.search).get("at") === "4"`)
	const moving = `document.getAnimations().filter(a => a.playState === "running").length`
	p.click("#tab-states")
	p.click(`#canvas-a .state[data-state="2"]`)
	if n := get[int](p, moving); n > 0 {
		t.Errorf("%d animations run", n)
	}
}

// A lesson is a link: zoom, selection, where the word stands, and hidden controls come with it.
func TestLesson(t *testing.T) {
	p := open(t, web.Options{}, "?word=abba")
	p.click("#zoom-in")
	p.click(`#canvas-a .state[data-name="q2"]`)
	p.click("#step-back")
	p.wait(`(q => q.get("zoom") && q.get("select") === "q2" && q.get("at") === "3")(new URLSearchParams(location.search))`)
	box := get[string](p, `document.querySelector("#canvas-a svg").getAttribute("viewBox")`)
	p.click("#take")
	p.click(`#lesson input[value="settings"]`)
	p.click(`#lesson input[value="panel"]`)
	link := get[string](p, `document.getElementById("take-link").value`)
	if !strings.Contains(link, "hide=settings%2Cpanel") {
		t.Fatalf("the link is %s", link)
	}
	p.shot("take")
	p.do(chromedp.Navigate(link))
	p.wait(`document.documentElement.dataset.ready === "true" && document.querySelector("#canvas-a .state.selected")`)
	shown := get[string](p, `["settings", "strip-plot", "canvas-a"].filter(id => document.getElementById(id).checkVisibility()).join() + (document.querySelector("aside").checkVisibility() ? " panel" : "")`)
	if shown != "strip-plot,canvas-a" {
		t.Errorf("shown are %s", shown)
	}
	if name := get[string](p, `document.querySelector("#canvas-a .state.selected").dataset.name`); name != "q2" {
		t.Errorf("%s is selected", name)
	}
	var was, is [4]float64
	fmt.Sscan(box, &was[0], &was[1], &was[2], &was[3])
	fmt.Sscan(get[string](p, `document.querySelector("#canvas-a svg").getAttribute("viewBox")`), &is[0], &is[1], &is[2], &is[3])
	for i := range was {
		if d := was[i] - is[i]; d < -1 || d > 1 {
			t.Errorf("the part seen is %v, and was %v", is, was)
			break
		}
	}
	p.wait(`document.querySelectorAll("#canvas-a .edge.path").length > 0`)
	p.shot("lesson")
	p.click("#unhide")
	p.wait(`document.getElementById("settings").checkVisibility() && !location.search.includes("hide=")`)
}
