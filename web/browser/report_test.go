package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"quotient/extract"
	"quotient/model"
	"quotient/report"
	"quotient/study"
	"quotient/web"
)

// reportFile writes a report about a network of the zoo, as extract --report does.
func reportFile(t *testing.T, name string) string {
	t.Helper()
	m, err := model.Open(t.Context(), name, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, err := study.Run(t.Context(), m, study.Options{Options: extract.Options{Method: extract.Fold, Kappa: 0.05, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := (report.Report{Study: s, Version: "test"}).Write(f); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReportLives: in the file, without a server, words can be tried and the merging be
// watched; nothing is cut off on a phone, and nothing complains.
func TestReportLives(t *testing.T) {
	p := open(t, web.Options{}, "")
	p.do(chromedp.Navigate("file://" + reportFile(t, "zoo:tomita3")))
	p.wait(`!document.getElementById("words").hidden`)
	if title := get[string](p, `document.title`); title != "zoo:tomita3" {
		t.Errorf("title %q", title)
	}
	try := func(word string) string {
		t.Helper()
		return get[string](p, fmt.Sprintf(`(f => { f.value = %q; f.dispatchEvent(new Event("input")) })(document.querySelector("#words input")); document.querySelector("#words .verdict").textContent`, word))
	}
	if got := try("ab"); !strings.HasPrefix(got, "The automaton rejects ab. So does the network") {
		t.Errorf("ab: %q", got)
	}
	if got := get[string](p, `[...document.querySelectorAll("#words .path li")].map(e => e.textContent).join(", ")`); got != "q0, a → q1, b → q2" {
		t.Errorf("path %q", got)
	}
	if n := get[int](p, `document.querySelectorAll("#automaton .state.now").length`); n != 1 {
		t.Errorf("%d states are marked", n)
	}
	if got := try("abx"); !strings.HasPrefix(got, "x is no symbol") {
		t.Errorf("a foreign symbol: %q", got)
	}
	try("abba")
	p.click("#film .on")
	if got := get[string](p, `document.querySelector("#film .step").textContent`); !strings.HasPrefix(got, "After 1 merge") {
		t.Errorf("after a step: %q", got)
	}
	p.click("#film .play")
	p.wait(`document.querySelector("#film .step").textContent.startsWith("The automaton")`)
	if n := get[int](p, `[...document.querySelectorAll("#film .frame")].filter(f => !f.hidden).length`); n != 1 {
		t.Errorf("%d pictures at once", n)
	}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{390, 1440} {
			p.size(width, 2600)
			if get[bool](p, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("at %d the page is wider than the screen", width)
			}
			p.shot(fmt.Sprintf("%s-%d", scheme, width))
		}
		p.dark()
	}
}
