package browser

import (
	"strconv"
	"strings"
	"testing"

	"quotient/internal/oracletest"
	"quotient/model"
	"quotient/probabilistic"
	"quotient/web"
	"quotient/word"
)

// speaker is a language model of two states.
func speaker() *model.Model {
	a := probabilistic.New(word.Letters("ab"), 2)
	a.SetNext(1, 0, 2, 0.5)
	a.SetNext(1, 1, 1, 0.25)
	a.SetNext(2, 0, 1, 0.99)
	a.SetNext(2, 1, 2, 0.01)
	a.End[1], a.End[2] = 0.25, 0
	return &model.Model{Name: "speaker", Format: "two states", Net: oracletest.Speaker{Automaton: a}}
}

// A language model shows what it expects next, and colors symbols by surprise; a recognizer
// after it is shown as ever.
func TestLanguageModel(t *testing.T) {
	p := open(t, web.Options{Live: speaker()}, "?model=live:&word=ab")
	p.allowed = "400" // the page is told that it is no recognizer
	p.wait(`document.querySelectorAll("#expected tbody tr").length === 3`)
	p.wait(`document.querySelector("#canvas-a svg")`)
	if got := get[string](p, `document.getElementById("size").textContent`); got[:8] != "2 states" {
		t.Errorf("the page says %q", got)
	}
	red := func(i string) string {
		return get[string](p, `document.querySelectorAll("#spoken-word button")[`+i+`].style.background`)
	}
	if red("1") == red("2") {
		t.Errorf("a symbol of one bit and one of seven are both %q", red("1"))
	}
	if width := get[string](p, `document.querySelector("#expected .network i").style.width`); width != "99%" {
		t.Errorf("the bar of a is %s wide, want 99%%", width)
	}
	p.looks("bars")
	for _, id := range []string{"kappa", "auto", "strings", "length"} {
		if get[bool](p, `document.getElementById("`+id+`").checkVisibility()`) {
			t.Errorf("%s is shown, and means nothing to a language model", id)
		}
	}
	said := func(word, want string) {
		t.Helper()
		p.visit("?model=live:&word=" + word)
		p.wait(`document.querySelectorAll("#spoken-word button").length === ` + strconv.Itoa(len(word)+1))
		if got := get[string](p, `document.getElementById("probability").textContent`); !strings.HasPrefix(got, "probability "+want) {
			t.Errorf("the page says %q, want %q", got, want)
		}
	}
	said("b", "0.0625 by the network, 0.06")
	said("ab", "0 by the network, 0 by the automaton")                     // after it no word may end
	said("a"+strings.Repeat("b", 190)+"a", "1.24 · 10−381 by the network") // 0.5 · 0.01¹⁹⁰ · 0.99 · 0.25
	p.visit("?model=zoo:tomita5&word=ab")
	p.wait(`document.getElementById("kappa").checkVisibility() && document.getElementById("predictive").hidden && document.querySelectorAll("#rows tbody tr").length === 3`)
}
