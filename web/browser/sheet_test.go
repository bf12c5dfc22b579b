package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quotient/web"
)

// sheet is the results of a sweep as quotient sweep run writes them, in short.
func sheet() string {
	const automaton = `{"format":"quotient-automaton","version":1,"alphabet":["a","b"],"start":[1],"states":[{"id":1,"accept":true},{"id":2,"accept":false}],"transitions":[{"from":1,"on":"a","to":2},{"from":2,"on":"a","to":1},{"from":1,"on":"b","to":1}]}`
	text := `{"name": "study", "columns": [{"name": "language", "type": "text", "sets": true}, {"name": "model", "type": "text", "sets": true}, {"name": "method", "type": "text", "sets": true}, {"name": "kappa", "type": "number", "sets": true}, {"name": "strings", "type": "number", "sets": true}, {"name": "seed", "type": "number", "sets": true}, {"name": "states", "type": "number", "sets": false}, {"name": "accuracy", "type": "number", "sets": false}], "varying": ["model", "method", "kappa", "strings", "seed"]}` + "\n"
	for _, model := range []string{"zoo:tomita3", "zoo:tomita5"} {
		for _, method := range []string{"fold", "union"} {
			for i, kappa := range []float64{0, 0.01, 0.05, 0.2, 1} {
				for seed := 1; seed <= 3; seed++ {
					text += fmt.Sprintf(`{"row": ["%s", %q, %q, %v, 300, %d, %d, %v], "automaton": %s}`+"\n", model[4:], model, method, kappa, seed, 4+(5-i)*seed+len(method), 1-0.01*float64(i), automaton)
				}
			}
		}
	}
	return text
}

// swept returns a folder with a sweep and its sheet.
func swept(t *testing.T) string {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "study"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"study.status.json": `{"name": "study", "state": "done", "extract": {"total": 60, "done": 60}}`, "study.sheet.jsonl": sheet()} {
		if err := os.WriteFile(filepath.Join(folder, "study", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// The results of a sweep are points in facets; a click leads to the automaton, and on to the page.
func TestFacets(t *testing.T) {
	p := open(t, web.Options{Dir: swept(t)}, "")
	p.size(1440, 900)
	p.wait(`!document.getElementById("sweeps").hidden`)
	p.click("#sweeps")
	p.wait(`document.querySelector("#sweeps-list button")`)
	p.click("#sweeps-list button")
	p.wait(`document.getElementById("facets")?.open && document.querySelectorAll("#facets-plots .point").length === 60`)
	if n := get[int](p, `document.querySelectorAll("#facets-plots svg").length`); n != 2 {
		t.Errorf("%d plots, not one for each network", n)
	}
	get[int](p, `document.querySelector('#facets-plots .point[data-row="5"]').dispatchEvent(new MouseEvent("click", {bubbles: true})); 0`)
	p.wait(`document.querySelectorAll("#facets-specimen svg .state").length === 2`)
	if text := get[string](p, `document.getElementById("facets-specimen").innerText`); !strings.Contains(text, "zoo:tomita3") || !strings.Contains(text, "fold") {
		t.Errorf("it says %q", text)
	}
	p.looks("facets")
	p.choose("facets-facet", "method")
	p.choose("facets-y", "accuracy")
	p.wait(`document.querySelector("#facets-plots .name").textContent === "method fold"`)
	p.click("#facets-specimen button")
	p.wait(`location.search.includes("model=zoo%3Atomita3") && location.search.includes("kappa=0.01") && !document.getElementById("facets").open`)
	p.wait(`document.getElementById("verdict").textContent.includes("tomita3")`)
}
