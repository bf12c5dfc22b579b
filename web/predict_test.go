package web

import (
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"quotient/internal/oracletest"
	"quotient/model"
	"quotient/probabilistic"
	"quotient/word"
)

// speaker is a language model: after an even number of a's words may end.
func speaker() *model.Model {
	a := probabilistic.New(word.Letters("ab"), 2)
	a.SetNext(1, 0, 2, 0.5)
	a.SetNext(1, 1, 1, 0.25)
	a.SetNext(2, 0, 1, 0.75)
	a.SetNext(2, 1, 2, 0.25)
	a.End[1], a.End[2] = 0.25, 0
	return &model.Model{Name: "speaker", Format: "two states", Net: oracletest.Speaker{Automaton: a}}
}

// A language model is known as one, extracted from, and says what it expects as a word is read.
func TestPredict(t *testing.T) {
	h := serve(t, Options{Live: speaker(), Version: "test"})
	if n := ask[network](t, h, "/api/network?model=live:", 200); !n.Predicts {
		t.Error("the page is not told that it is a language model")
	}
	p := ask[spoken](t, h, "/api/predict?model=live:", 200)
	if p.States != 2 || p.Certificate.Divergence > 1e-6 || !strings.Contains(p.SVG, "<svg") {
		t.Errorf("%d states, %+v", p.States, p.Certificate)
	}
	type reading struct {
		Network, Automaton float64
		Rows               []guess
	}
	r := ask[reading](t, h, "/api/next?model=live:&word=aba", 200)
	if want := 0.5 * 0.25 * 0.75 * 0.25; math.Abs(r.Network-want) > 1e-6 || math.Abs(r.Automaton-want) > 1e-6 {
		t.Errorf("the probability of aba is %v and %v, want %v", r.Network, r.Automaton, want)
	}
	for i, want := range []struct {
		symbol   string
		surprise float64
		next     []float64
	}{{"", 0, []float64{0.5, 0.25, 0.25}}, {"a", 1, []float64{0.75, 0.25, 0}}, {"b", 2, []float64{0.75, 0.25, 0}}, {"a", -math.Log2(0.75), []float64{0.5, 0.25, 0.25}}} {
		got := r.Rows[i]
		if got.Symbol != want.symbol || math.Abs(got.Surprise-want.surprise) > 1e-6 {
			t.Errorf("prefix %d: %+v, want %+v", i, got, want)
		}
		for j, p := range want.next {
			if math.Abs(got.Automaton[j]-p) > 1e-6 || math.Abs(float64(got.Network[j])-p) > 1e-6 {
				t.Errorf("prefix %d: %+v, want %+v", i, got, want)
			}
		}
	}
	response, err := http.Get(h.URL + "/api/report?model=live:")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); !strings.Contains(string(body), "a probabilistic automaton of 2 states") {
		t.Errorf("the report: %.200s", body)
	}
}

// What is for recognizers says so, and what makes no sense is refused.
func TestPredictRefuses(t *testing.T) {
	h := serve(t, Options{Live: speaker()})
	for _, path := range []string{"/api/extract?model=live:&method=spectral", "/api/extract?model=live:&method=refine", "/api/word?model=live:&word=a", "/api/study?model=live:"} {
		if p := ask[problem](t, h, path, 400); !p.Predicts || !strings.Contains(p.Error, "language model") {
			t.Errorf("%s: %+v", path, p)
		}
	}
	for path, want := range map[string]string{
		"/api/predict?model=zoo:tomita5":                          "recognizer",
		"/api/predict?model=live:&method=fold":                    "no method",
		"/api/predict?model=live:&states=61":                      "states",
		"/api/predict?model=live:&seed=x":                         "seed",
		"/api/next?model=live:&word=abc":                          "c",
		"/api/next?model=live:&word=" + strings.Repeat("a", 1001): "1000",
	} {
		if p := ask[problem](t, h, path, 400); !strings.Contains(p.Error, want) {
			t.Errorf("%s: %+v", path, p)
		}
	}
}
