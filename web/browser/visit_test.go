package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quotient/web"
)

// A first visit says what this is and what the network was trained on, and does so once.
func TestFirstVisit(t *testing.T) {
	p := open(t, web.Options{Version: "test"}, "")
	text := get[string](p, `document.getElementById("intro").innerText`)
	for _, want := range []string{"turns a neural network that reads words into a finite automaton", "tomita5: an even number of a's and an even number of b's"} {
		if !strings.Contains(text, want) {
			t.Errorf("the note does not say %q: %s", want, text)
		}
	}
	p.wait(`document.getElementById("verdict").textContent.includes("exactly tomita5 (an even number of a's and an even number of b's)")`)
	p.shot("first")
	p.click("#intro-close")
	p.visit("")
	if !get[bool](p, `document.getElementById("intro").hidden`) {
		t.Error("the note comes back")
	}
	p.click("#about")
	p.wait(`document.getElementById("about-dialog").open`)
	links := get[string](p, `[...document.querySelectorAll("#about-dialog a")].map(a => a.getAttribute("href")).join(" ")`)
	if !strings.Contains(links, "arxiv.org/abs/2201.12451") || !strings.Contains(links, "docs.html?extraction") {
		t.Errorf("the links are %s", links)
	}
	p.shot("about")
}

// There is a "?" at every control, and each has something to say that fits into the window.
func TestHelp(t *testing.T) {
	p := open(t, web.Options{}, "?word=abba")
	all := get[[]string](p, `[...document.querySelectorAll("[data-help]")].map(b => b.dataset.help)`)
	for _, want := range []string{"kappa", "size", "verdict", "method", "seed", "strings", "length", "auto", "strip", "word", "search", "states", "space", "merging", "training", "tools", "expression", "model"} {
		if !strings.Contains(" "+strings.Join(all, " ")+" ", " "+want+" ") {
			t.Errorf("nothing helps with %s", want)
		}
	}
	for _, name := range all {
		at := get[string](p, fmt.Sprintf(`document.querySelector('[data-help=%q]').closest("[role=tabpanel]")?.id ?? ""`, name))
		if at != "" {
			p.tab(at)
		}
		p.click(fmt.Sprintf(`[data-help=%q]`, name))
		p.wait(`document.getElementById("help").matches(":popover-open")`)
		const fine = `(b => b.textContent.length > 80 && (r => r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight)(b.getBoundingClientRect()))(document.getElementById("help"))`
		if !get[bool](p, fine) {
			t.Errorf("help with %s: %s", name, get[string](p, `document.getElementById("help").textContent`))
		}
		if name == "method" {
			p.shot("methods")
		}
		p.do(chromedp.KeyEvent(kb.Escape))
		p.wait(`!document.getElementById("help").matches(":popover-open")`)
	}
}

// The tour goes from part to part with the keyboard, never covers what it speaks of unless that is
// all of the window, and leaves the page as it was.
func TestTour(t *testing.T) {
	p := open(t, web.Options{}, "?tab=states")
	for _, s := range screens {
		p.on(s)
		get[int](p, `document.getElementById("about-tour").click(); 0`)
		for i := 1; ; i++ {
			p.wait(fmt.Sprintf(`document.getElementById("tour-count").textContent.startsWith("%d of")`, i))
			const inside = `(b => b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight)(document.getElementById("tour").getBoundingClientRect())`
			if !get[bool](p, inside) {
				t.Errorf("%s: stop %d is out of the window", s.name, i)
			}
			if i == 2 || i == 5 || i == 6 {
				p.shot(fmt.Sprintf("%s-%d", s.name, i))
			}
			if i == 5 {
				p.wait(`document.querySelectorAll("#canvas-a .edge.path").length > 0`)
			}
			p.do(chromedp.KeyEvent(kb.ArrowRight))
			if get[bool](p, `!document.getElementById("tour").open`) {
				if i < 6 {
					t.Errorf("the tour has %d stops", i)
				}
				break
			}
		}
		if at := get[string](p, `location.search`); at != "?tab=states" {
			t.Errorf("after the tour the page shows %q", at)
		}
	}
}

// The counterexample in the headline, and the findings beneath, can be tried with a click.
func TestCounterexamplesAreClicked(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7@2&method=union&kappa=0.9&tab=states")
	p.wait(`document.querySelector("#verdict .try")`)
	word := get[string](p, `document.querySelector("#verdict .try").textContent`)
	p.click("#verdict .try")
	p.wait(fmt.Sprintf(`!document.getElementById("word").hidden && document.getElementById("try").value === %q`, word))
	p.wait(fmt.Sprintf(`document.querySelectorAll("#rows tbody tr").length === %d`, len(word)+1))
	p.wait(`document.querySelector("#certificate .try")`)
	word = get[string](p, `document.querySelector("#certificate .try").textContent`)
	p.click("#certificate .try")
	p.wait(fmt.Sprintf(`document.getElementById("try").value === %q && document.querySelectorAll("#rows tr.wrong").length > 0`, word))
	p.shot("tried")
}

// The documents are at hand where the program runs, with links between them.
func TestDocuments(t *testing.T) {
	p := open(t, web.Options{}, "docs.html?extraction")
	if title := get[string](p, `document.querySelector("#document h2").textContent`); title != "Extracting an automaton" {
		t.Errorf("it begins with %q", title)
	}
	p.shot("extraction")
	names := get[[]string](p, `[...document.querySelectorAll("#contents a")].map(a => a.search.slice(1))`)
	for _, name := range names {
		p.visit("docs.html?" + name)
		const bad = `[...document.querySelectorAll("#document a[href^='docs.html']")].map(a => a.getAttribute("href")).filter(x => !x).join() + (document.querySelector("#document").textContent.length < 500 ? "short" : "")`
		if wrong := get[string](p, bad); wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
	}
}
