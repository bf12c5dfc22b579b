package report

import (
	"bytes"
	"strings"
	"testing"

	"quotient/internal/oracletest"
	"quotient/model"
	"quotient/probabilistic"
	"quotient/study"
	"quotient/word"
)

// The report on a language model has its picture, its certificate, the curve and the methods, and
// escapes names; the same study gives the same bytes.
func TestSpoken(t *testing.T) {
	a := probabilistic.New(word.Letters("ab"), 2)
	a.SetNext(1, 0, 2, 0.5)
	a.SetNext(1, 1, 1, 0.25)
	a.SetNext(2, 0, 1, 0.75)
	a.SetNext(2, 1, 2, 0.25)
	a.End[1], a.End[2] = 0.25, 0
	m := &model.Model{Name: "a <network>", Format: "two states", Net: oracletest.Speaker{Automaton: a}}
	contest := study.Contest{Methods: []string{"refine", "spectral"}}
	contest.Options.Seed = 1
	rows, err := contest.Rivals(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[0].Method != "refine" || rows[2].Method != "weighted" || rows[2].Study != nil {
		t.Fatalf("%+v", rows)
	}
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := (Spoken{Spoken: rows[0].Study, Version: "test", Methods: rows, Command: "quotient methods x"}).Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same study gives another report")
	}
	text := first.String()
	for _, part := range []string{"a &lt;network&gt;: a probabilistic automaton of 2 states", "They part most", "Divergence against states", "<td>weighted</td>", "quotient methods x", "divergence 0.0000"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if strings.Contains(text, "<script") || strings.Count(text, "<svg") != 2 {
		t.Errorf("%d pictures", strings.Count(text, "<svg"))
	}
	contest.Methods = []string{"fold"}
	if _, err := contest.Rivals(t.Context(), m); err == nil {
		t.Error("a method that is not for language models")
	}
}
