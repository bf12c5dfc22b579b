package sample_test

import (
	"math/rand/v2"
	"testing"

	"quotient/language"
	"quotient/sample"
)

func TestNear(t *testing.T) {
	const length = 40
	for _, name := range []string{"anbn", "dyck1", "tomita2", "regex:ab", "regex:a&b"} {
		d, err := language.LoadUpTo(language.Options{}, length, name)
		if err != nil {
			t.Fatal(err)
		}
		near, err := sample.NewNear(d, length)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		valid, invalid := 0, 0
		for i := range 400 {
			if w := near.Draw(i, r); len(w) != length {
				t.Fatalf("%s: a word of length %d", name, len(w))
			}
			if w := near.Part(false, r); !d.Accepts(w) && len(w) > 0 || len(w) > length {
				t.Fatalf("%s: %v is not valid", name, w)
			}
			if d.Accepts(near.Part(true, r)) {
				valid++
			} else {
				invalid++
			}
		}
		if name == "anbn" && (valid == 0 || invalid < 200) {
			t.Errorf("%s: of the changed words, %d are valid and %d are not", name, valid, invalid)
		}
	}
	// Parentheses are nested deeply in some words, and hardly in others.
	d, _ := language.LoadUpTo(language.Options{}, length, "dyck1")
	near, _ := sample.NewNear(d, length)
	r := rand.New(rand.NewPCG(1, 2))
	c, _ := language.FindCounting("dyck1")
	deep, flat := 0, 0
	for range 200 {
		w := near.Part(false, r)
		if len(w) < length/2 {
			continue
		}
		depth := 0
		at := c.Automaton.StartConfig()
		for _, s := range w {
			at = c.Automaton.Next(at, s)
			depth = max(depth, at.Counter)
		}
		if depth > len(w)/3 {
			deep++
		}
		if depth < len(w)/6 {
			flat++
		}
	}
	if deep < 10 || flat < 10 {
		t.Errorf("%d words are deep and %d flat", deep, flat)
	}
	if _, err := sample.NewNear(language.Builtin()[0].DFA(), 1<<30); err == nil {
		t.Error("a table of many gigabytes was made")
	}
}
