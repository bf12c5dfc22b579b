package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"quotient/web"
)

// A screen is a window that people have, and how many of its points make one of the page.
type screen struct {
	name          string
	width, height int64
	scale         float64
}

var screens = []screen{
	{"390x844", 390, 844, 1},
	{"820x1180", 820, 1180, 1},
	{"1280x720-150", 853, 480, 1.5},
	{"1440x900", 1440, 900, 1},
	{"3840x2160", 3840, 2160, 1},
}

// on shows the page on a screen, and waits until its plots know.
func (p *tab) on(s screen) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(s.width, s.height, chromedp.EmulateScale(s.scale)))
	p.wait(fmt.Sprintf(`innerWidth === %d && new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, s.width))
}

// prefer makes the system prefer light or dark pages, and pages on which nothing moves.
func (p *tab) prefer(theme, motion string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: motion}},
	}); err != nil {
		p.t.Fatal(err)
	}
}

// misplaced returns what is cut off, covered or out of reach on the page as it is: whatever can be
// used must lie within the window or within something that scrolls, and be wide enough for its text.
const misplaced = `(() => {
	const wrong = [];
	const root = document.documentElement;
	if (root.scrollWidth > innerWidth) wrong.push("the page is wider than the window");
	if (root.scrollHeight > innerHeight) wrong.push("the page is higher than the window");
	const what = (e) => e.id || e.dataset.help || e.className.baseVal || e.textContent.slice(0, 20);
	const scope = document.querySelector("dialog:modal") ?? document.body;
	for (const e of scope.querySelectorAll("button, select, input, textarea, a, [tabindex='0'], #size, #verdict")) {
		if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
		let box = e.getBoundingClientRect();
		if (box.width === 0) continue;
		let within = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
		let scrolls = false;
		for (let up = e.parentElement; up; up = up.parentElement) {
			const style = getComputedStyle(up);
			if (/auto|scroll/.test(style.overflowX + style.overflowY) && up !== root) scrolls = true;
		}
		const out = box.left < within.left - 1 || box.top < within.top - 1 || box.right > within.right + 1 || box.bottom > within.bottom + 1;
		if (out && !scrolls && !e.closest(".canvas")) wrong.push(what(e) + " is out of the window");
		const text = e.matches("button, #size") && !e.matches(".try, #open-data, .help");
		if (text && e.scrollWidth > e.clientWidth + 1) wrong.push(what(e) + " is cut off");
	}
	return wrong;
})()`

// On every screen, in light and dark, all that can be used is there: the automaton and κ together,
// lists that scroll inside, nothing cut off.
func TestScreens(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7-lstm&word=abab&method=fold")
	p.wait(`document.querySelector("#strip .agree") && document.getElementById("certificate").textContent.includes("With confidence")`)
	for i, theme := range []string{"light", "dark"} {
		p.prefer(theme, "no-preference")
		p.wait(fmt.Sprintf(`document.documentElement.dataset.theme === %q`, theme))
		for _, s := range screens {
			p.on(s)
			get[int](p, `document.getElementById("fit").click(); 0`)
			for j, tab := range []string{"merging", "training", "space", "states", "word"} {
				p.tab(tab)
				for _, wrong := range get[[]string](p, misplaced) {
					t.Errorf("%s, %s, %s: %s", s.name, theme, tab, wrong)
				}
				if (i+j)%2 == 0 || tab == "word" {
					p.shot(s.name + "-" + theme + "-" + tab)
				}
			}
			p.together(s)
		}
	}
}

// tab opens a panel by its tab.
func (p *tab) tab(name string) {
	p.t.Helper()
	get[int](p, fmt.Sprintf(`document.getElementById("tab-" + %q).click(); 0`, name))
	p.wait(map[string]string{
		"merging":  `document.getElementById("merge-state").textContent !== ""`,
		"training": `document.querySelectorAll("#charts svg").length > 0 || !document.getElementById("no-training").hidden`,
		"space":    `document.getElementById("scatter-note").textContent !== ""`,
		"states":   `document.querySelectorAll("#state-table tr").length > 1`,
		"word":     `document.querySelectorAll("#rows tbody tr").length > 1`,
	}[name])
}

// together fails unless the whole automaton and κ are seen at once, in the room that there is.
func (p *tab) together(s screen) {
	p.t.Helper()
	const seen = `(() => {
		const canvas = document.getElementById("canvas-a").getBoundingClientRect();
		const states = [...document.querySelectorAll("#canvas-a .state circle:first-child")].map(e => e.getBoundingClientRect());
		const strip = document.getElementById("strip-plot").getBoundingClientRect();
		const inside = states.every(b => b.left >= canvas.left - 1 && b.right <= canvas.right + 1 && b.top >= canvas.top - 1 && b.bottom <= canvas.bottom + 1);
		const [left, right] = [Math.min(...states.map(b => b.left)), Math.max(...states.map(b => b.right))];
		const [top, bottom] = [Math.min(...states.map(b => b.top)), Math.max(...states.map(b => b.bottom))];
		return { inside, together: strip.bottom <= innerHeight && strip.width > 100 && canvas.bottom <= strip.top, share: Math.max((right - left) / canvas.width, (bottom - top) / canvas.height), type: parseFloat(getComputedStyle(document.body).fontSize) };
	})()`
	type room struct {
		Inside, Together bool
		Share, Type      float64
	}
	r := get[room](p, seen)
	if !r.Inside || !r.Together {
		p.t.Errorf("%s: automaton and κ are not seen together: %+v", s.name, r)
	}
	if r.Share < 0.4 || s.width > 3000 && r.Type < 20 {
		p.t.Errorf("%s: the room is not used: %+v", s.name, r)
	}
}

// Dialogs, the menu and help fit on every screen too.
func TestDialogsOnScreens(t *testing.T) {
	p := open(t, web.Options{}, "")
	for i, s := range screens {
		p.prefer([]string{"light", "dark"}[i%2], "reduce")
		p.on(s)
		for _, d := range []string{"about", "take", "open-file", "open-data"} {
			if get[bool](p, `getComputedStyle(document.getElementById("more")).display !== "none"`) {
				p.click("#more")
				p.shot(s.name + "-menu")
			}
			p.click("#" + d)
			p.wait(`document.querySelector("dialog:modal")`)
			for _, wrong := range get[[]string](p, misplaced) {
				t.Errorf("%s, %s: %s", s.name, d, wrong)
			}
			p.shot(s.name + "-" + d)
			p.click("dialog:modal .close")
			p.wait(`!document.querySelector("dialog:modal")`)
		}
		p.click(`[data-help="kappa"]`)
		const inside = `(b => b.width > 100 && b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight)(document.getElementById("help").getBoundingClientRect())`
		if !get[bool](p, inside) {
			t.Errorf("%s: help is out of the window", s.name)
		}
		p.shot(s.name + "-help")
		get[int](p, `document.getElementById("help").hidePopover(); 0`)
	}
}

// Two fingers zoom the drawing about the point between them, one moves it.
func TestPinch(t *testing.T) {
	p := open(t, web.Options{}, "")
	p.on(screens[0])
	if _, err := chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 2}); err != nil {
		t.Fatal(err)
	}
	touch := func(kind input.DispatchTouchEventType, at ...[2]float64) {
		params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
		for i, xy := range at {
			id := float64(i)
			params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: xy[0], Y: xy[1], ID: &id})
		}
		if _, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, params); err != nil {
			t.Fatal(err)
		}
	}
	middle := get[[]float64](p, `(b => [b.x + b.width / 2, b.y + b.height / 2])(document.getElementById("canvas-a").getBoundingClientRect())`)
	x, y := middle[0], middle[1]
	const width = `document.querySelector("#canvas-a svg").viewBox.baseVal.width`
	before := get[float64](p, width)
	touch("touchStart", [2]float64{x - 30, y})
	touch("touchStart", [2]float64{x - 30, y}, [2]float64{x + 30, y})
	for d := 40.0; d <= 60; d += 10 {
		touch("touchMove", [2]float64{x - d, y}, [2]float64{x + d, y})
	}
	touch("touchEnd")
	after := get[float64](p, width)
	if ratio := before / after; ratio < 1.8 || ratio > 2.2 {
		t.Errorf("fingers twice as far apart zoom by %.2f", ratio)
	}
	if chosen := get[int](p, `document.querySelectorAll("#canvas-a .state.selected").length`); chosen != 0 {
		t.Error("two fingers have chosen a state")
	}
	p.shot("pinched")
	p.wait(`new URLSearchParams(location.search).get("zoom")`)
	left := get[float64](p, `document.querySelector("#canvas-a svg").viewBox.baseVal.x`)
	touch("touchStart", [2]float64{x, y})
	touch("touchMove", [2]float64{x - 20, y})
	touch("touchMove", [2]float64{x - 50, y})
	touch("touchEnd")
	if moved := get[float64](p, `document.querySelector("#canvas-a svg").viewBox.baseVal.x`); moved <= left {
		t.Errorf("one finger does not move the drawing: %v, then %v", left, moved)
	}
}
