package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quotient/web"
)

// axe returns the source of axe-core, a checker of accessibility, which is no part of this project:
// QUOTIENT_AXE names the folder that npm installed it under.
func axe(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("QUOTIENT_AXE")
	if folder == "" {
		t.Skip("NO VIEW IS CHECKED FOR ACCESSIBILITY: install axe-core with npm, and let QUOTIENT_AXE name the folder that has its node_modules")
	}
	source, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// axe-core finds nothing in any view, in light and dark, on a large and on a small screen.
func TestAxe(t *testing.T) {
	source := axe(t)
	views := []struct{ name, query, ready, click string }{
		{"first visit", "", "", ""},
		{"word", "?model=zoo:tomita7@2&method=union&kappa=0.9&word=abab", `document.querySelector("#rows tr.wrong") && document.querySelector("#certificate .try")`, ""},
		{"states", "?tab=states&select=q1", `document.querySelector("#state-table tr.selected")`, ""},
		{"space", "?tab=space", `document.getElementById("scatter-note").textContent`, ""},
		{"merging", "?tab=merging&strings=60&step=5", `document.querySelector("#merge-log [aria-current]")`, ""},
		{"training", "?tab=training&method=fold", `document.querySelectorAll("#charts .line").length > 4`, ""},
		{"no training", "?model=zoo:anbn-lstm&tab=training&method=counter", "", ""},
		{"part", "?model=zoo:tomita5&view=near&radius=1&method=fold&kappa=0.001&strings=30", `document.querySelector("#minimap circle")`, ""},
		{"trade-off", "?model=zoo:tomita7&method=explore", `document.querySelector("#strip-plot .choice")`, ""},
		{"compare", "?model=zoo:tomita3&b.model=zoo:tomita4", `document.querySelector("#canvas-b .state")`, ""},
		{"lecture", "?lecture=1&word=abba&at=2", `document.querySelector("#lecture-word .now")`, ""},
		{"lesson", "?hide=top,panel,settings", "", ""},
		{"a wrong kappa", "?kappa=7", "", ""},
		{"about", "", `document.getElementById("about-dialog").open`, "about"},
		{"tour", "", `document.getElementById("tour").open`, "intro-tour"},
		{"take", "", `document.getElementById("take-dialog").open`, "take"},
		{"file", "", `document.getElementById("file-dialog").open`, "open-file"},
		{"words", "", `document.getElementById("data-dialog").open`, "open-data"},
		{"help", "", `document.getElementById("help").matches(":popover-open")`, "kappa-help"},
		{"documents", "docs.html?extraction", "", ""},
	}
	p := open(t, web.Options{}, "")
	p.allowed = "status of 4" // of what is asked wrongly on purpose
	for i, v := range views {
		for j, theme := range []string{"light", "dark"} {
			p.prefer(theme, "reduce") // colors that fade in are none yet
			p.on(screens[[]int{3, 0}[(i+j)%2]])
			get[int](p, `try { localStorage.clear() } catch {}; 0`)
			p.visit(v.query)
			if v.click != "" {
				get[int](p, fmt.Sprintf(`(document.getElementById(%q) ?? document.querySelector("[data-help=kappa]")).click(); 0`, v.click))
			}
			if v.ready != "" {
				p.wait(v.ready)
			}
			p.violations(source, v.name+", "+theme)
		}
	}
}

// violations fails the test for whatever axe-core finds on the page as it is.
func (p *tab) violations(source, where string) {
	p.t.Helper()
	get[int](p, source+"; 0")
	get[int](p, `window.found = null; axe.run(document, { resultTypes: ["violations"] }).then(r => window.found = r.violations.map(v => v.id + " at " + v.nodes.map(n => n.target.join(" ")).slice(0, 3).join(", ")), e => window.found = [String(e)]); 0`)
	p.wait(`window.found`)
	if found := get[[]string](p, `window.found`); len(found) > 0 {
		p.t.Errorf("%s: %s", where, strings.Join(found, "; "))
	}
}
