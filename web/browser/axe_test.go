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

// views are all that there is to see, and when it is there.
var views = []struct{ name, query, ready string }{
	{"first visit", "", ""},
	{"word", "?model=zoo:tomita7@2&method=union&kappa=0.9&word=abab", `document.querySelector("#rows tr.wrong") && document.querySelector("#certificate .try")`},
	{"states", "?tab=states&select=q1", `document.querySelector("#state-table tr.selected")`},
	{"space", "?tab=space", `document.getElementById("scatter-note").textContent`},
	{"merging", "?tab=merging&strings=60&step=5", `document.querySelector("#merge-log [aria-current]")`},
	{"training", "?tab=training&method=fold", `document.querySelectorAll("#charts .line").length > 4`},
	{"counter", "?model=zoo:anbn-lstm&tab=training&method=counter", ""},
	{"weights", "?model=zoo:dyck1-lstm&method=spectral&as=weighted&word=()", `document.getElementById("size").textContent.includes("weights")`},
	{"language model", "?model=live:&word=ab", `document.querySelectorAll("#expected tbody tr").length === 3`},
	{"part", "?model=zoo:tomita5&view=near&radius=1&method=fold&kappa=0.001&strings=30", `document.querySelector("#minimap circle")`},
	{"trade-off", "?model=zoo:tomita7&method=explore", `document.querySelector("#strip-plot .choice")`},
	{"compare", "?model=zoo:tomita3&b.model=zoo:tomita4", `document.querySelector("#canvas-b .state")`},
	{"lecture", "?lecture=1&word=abba&at=2", `document.querySelector("#lecture-word .now")`},
	{"lesson", "?hide=top,panel,settings", ""},
	{"what is refused", "?kappa=7", ""},
	{"documents", "docs.html?extraction", ""},
}

// axe-core finds nothing in any view and dialog, in light and dark, on a large and on a small screen.
func TestAxe(t *testing.T) {
	source := axe(t)
	for j, theme := range []string{"light", "dark"} {
		t.Run(theme, func(t *testing.T) {
			p := open(t, web.Options{Dir: swept(t), Live: speaker()}, "?model=zoo:tomita5")
			p.allowed = "status of 4" // of what is asked wrongly on purpose
			p.prefer(theme, "reduce") // colors that fade in are none yet
			for i, v := range views {
				p.on(screens[[]int{3, 0}[(i+j)%2]])
				p.visit(v.query)
				if v.ready != "" {
					p.wait(v.ready)
				}
				p.violations(source, v.name)
			}
			p.visit("?model=zoo:tomita5")
			for _, dialog := range []string{"#about", "#take", "#open-file", "#open-data", "[data-help=kappa]", "#badge", "#sweeps", "#sweeps-list button", "#intro-tour"} {
				get[int](p, fmt.Sprintf(`document.querySelector(%q).click(); 0`, dialog))
				p.wait(`document.querySelector("dialog[open], :popover-open")`)
				p.violations(source, dialog)
				if dialog == "#sweeps" {
					p.wait(`document.querySelector("#sweeps-list button")`)
					continue // which the next is a part of
				}
				get[int](p, `for (const d of document.querySelectorAll("dialog[open]")) d.close(); document.querySelector(":popover-open")?.hidePopover(); 0`)
			}
		})
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
