package study

import (
	"strings"
	"testing"

	"quotient/extract"
	"quotient/internal/oracletest"
	"quotient/model"
	"quotient/word"
)

// witnessed opens a network of the zoo as a model elsewhere whose weights are here. It says what change makes of that.
func witnessed(t *testing.T, change func(w word.Word, p float32) float32) (*model.Model, *oracletest.Server) {
	t.Helper()
	here, err := model.Open(t.Context(), "zoo:tomita5", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := oracletest.Serve(t, here.Net)
	m, err := model.Open(t.Context(), "", model.Options{HTTP: server.Address, Weights: "zoo:tomita5"})
	if err != nil || !m.Witnessed() {
		t.Fatal(err, m.Notes)
	}
	t.Cleanup(m.Close)
	server.Change = change
	return m, server
}

// Where the weights of a model elsewhere are here the search asks nothing, the certificate asks the model itself, and
// what is found is what the weights alone lead to.
func TestSearchWithWeights(t *testing.T) {
	for _, method := range []string{extract.Fold, extract.Explore, extract.TTT} {
		m, server := witnessed(t, nil)
		before := server.Seen()
		s, err := Run(t.Context(), m, Options{Options: extract.Options{Method: method, Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		asked := server.Seen() - before
		if r := s.Agreement; s.States != 4 || r.Accuracy != 1 || r.Long.Words != 100 || r.Searched < 5 || asked < 1000 || asked > 3000 || s.Asked < asked {
			t.Errorf("%s: %d states, %d words asked, %d said; %+v", method, s.States, asked, s.Asked, r)
		}
		if len(s.Notes) != 1 || len(s.Warnings) != 0 || !strings.Contains(s.Command(), "--weights zoo:tomita5") {
			t.Errorf("%s: %v, %v, %s", method, s.Notes, s.Warnings, s.Command())
		}
	}
}

// A model that says something else of long words than its weights is asked throughout; one that rarely does is not, and
// a warning says how often.
func TestModelsThatContradictTheirWeights(t *testing.T) {
	other := func(of func(w word.Word) bool) func(w word.Word, p float32) float32 {
		return func(w word.Word, p float32) float32 {
			if of(w) {
				return 1 - p
			}
			return p
		}
	}
	m, _ := witnessed(t, other(func(w word.Word) bool { return len(w) > 100 }))
	s, err := Run(t.Context(), m, Options{Options: extract.Options{Method: extract.TTT, Seed: 1}})
	if err != nil || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "asked throughout") || s.Agreement.Long.Agree != 0 {
		t.Errorf("long words: %v, %v", s, err)
	}
	m, _ = witnessed(t, other(func(w word.Word) bool { return len(w) == 8 && w[0] == 0 && w[2] == 1 && w[4] == 0 && w[5] == 0 }))
	s, err = Run(t.Context(), m, Options{Options: extract.Options{Method: extract.Fold, Seed: 1}})
	if err != nil || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "another answer than its weights") || s.Agreement.Shortest == nil || len(*s.Agreement.Shortest) != 8 {
		t.Errorf("some words: %v, %v, %v", s.Notes, s.Warnings, err)
	}
	if _, err := Run(t.Context(), m, Options{Options: extract.Options{Budget: 100}}); err == nil || !strings.Contains(err.Error(), "a budget bounds") {
		t.Errorf("with a budget: %v", err)
	}
}

// All methods are judged by the model itself.
func TestContestWithWeights(t *testing.T) {
	m, server := witnessed(t, func(w word.Word, p float32) float32 { return 1 - p })
	entries, err := Contest{Methods: []string{extract.Fold, extract.TTT}, Options: Options{Options: extract.Options{Seed: 1}}}.Run(t.Context(), m)
	if err != nil || server.Seen() < 500 {
		t.Fatalf("%d words: %v", server.Seen(), err)
	}
	for _, e := range entries {
		if e.States != 4 || e.Accuracy > 0.2 {
			t.Errorf("%+v", e)
		}
	}
}
