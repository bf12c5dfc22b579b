package queue

import (
	"fmt"
	"strings"
	"testing"

	"quotient/sweep/plan"
)

const talking = `
train: {as: lm, language: tomita1, hidden: 4, embedding: 2, epochs: 2, patience: 0, strings: 40, length: 6,
  dev-strings: 5, dev-length: 6, long-strings: 5, long-length: 6}
extract: {method: %s, at-most: %s}
`

// Language models are trained and extracted from, by their own methods, and results say how far
// the two are apart.
func TestLanguageModels(t *testing.T) {
	s := embedded(t)
	file := read(t, fmt.Sprintf(talking, "[refine, ngrams]", "[2, 3]"))
	if p := runHere(t, s, file, Options{}, &Worker{Slots: 2}); p.Extract.Done != 4 || p.Train.Done != 1 {
		t.Fatalf("%+v", p)
	}
	seen := 0
	for r, err := range s.Results(t.Context(), file) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Task.Extract == nil {
			continue
		}
		seen++
		o := r.Outcome
		if o.Divergence == nil || *o.Divergence < 0 || *o.Bound < *o.Divergence || o.States < 1 || o.States > r.Task.Extract.AtMost || o.Spoken == nil {
			t.Errorf("%s: %+v", r.Task, o)
		}
	}
	if seen != 4 {
		t.Errorf("%d results", seen)
	}
	if again := runHere(t, s, file, Options{}, &Worker{Slots: 2}); again.Extract.Reused != 4 {
		t.Errorf("%+v", again.Extract)
	}
}

// A method that is not for the network is told before anything is computed.
func TestMethodsSuit(t *testing.T) {
	for text, want := range map[string]string{
		fmt.Sprintf(talking, "fold", "2"):               "no method for language models is called \"fold\"",
		"model: zoo:tomita1\nextract: {method: refine}": "method refine is for language models",
		"model: zoo:tomita1\nextract: {at-most: 3}":     "at-most is for language models",
	} {
		found := false
		for n, err := range read(t, text).Networks(nil) {
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range n.Extractions(t.Context()) {
				found = found || err != nil && strings.Contains(err.Error(), want)
			}
		}
		if !found {
			t.Errorf("%s: nobody says %q", text, want)
		}
	}
	if _, err := plan.Read("x.yaml", []byte("model: zoo:tomita1\nextract: {method: nothing}")); err == nil {
		t.Error("a method that there is not")
	}
}
