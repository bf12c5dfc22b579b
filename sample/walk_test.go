package sample

import (
	"math/rand/v2"
	"testing"

	"quotient/automaton"
	"quotient/language"
	"quotient/word"
)

// Walks are words of the language, of all lengths up to the greatest, and some end early.
func TestWalk(t *testing.T) {
	for _, expression := range []string{"(aa|b)*", "a(ab)*b", "a*", "ab|ba", "ε"} {
		list, err := language.Load(language.Options{Symbols: []string{"a", "b"}}, "regex:"+expression)
		if err != nil {
			t.Fatal(err)
		}
		d := list[0]
		s, err := NewWalk(d, 9)
		if err != nil {
			t.Fatal(err)
		}
		r, longest, short := rand.New(rand.NewPCG(1, 1)), 0, 0
		for range 500 {
			w := s.Draw(r)
			if !d.Accepts(w) || len(w) > 9 {
				t.Fatalf("%s: %v", expression, w)
			}
			longest = max(longest, len(w))
			if len(w) < 4 {
				short++
			}
		}
		if !d.IsFinite() && longest < 8 || short == 0 {
			t.Errorf("%s: %d symbols at most, %d short words", expression, longest, short)
		}
	}
	if _, err := NewWalk(automaton.NewDFA(word.Letters("ab"), 0), 9); err == nil {
		t.Error("words of the empty language are drawn")
	}
}
