package language

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quotient/word"
)

// anbnWord and dyckWord are the languages by their definitions.
func anbnWord(text string) bool {
	n := len(text) / 2
	return text == strings.Repeat("a", n)+strings.Repeat("b", n)
}

func dyckWord(text string) bool {
	for before := "-"; before != text; {
		before, text = text, strings.ReplaceAll(text, "()", "")
	}
	return text == ""
}

func TestCountingLanguages(t *testing.T) {
	for name, in := range map[string]func(string) bool{"anbn": anbnWord, "dyck1": dyckWord} {
		const length = 12
		d, err := LoadUpTo(Options{}, length, name)
		if err != nil {
			t.Fatal(err)
		}
		c, ok := FindCounting(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		level := []word.Word{nil}
		for range length + 1 {
			var longer []word.Word
			for _, w := range level {
				text := ""
				for _, s := range w {
					text += d.Alphabet.Name(s)
				}
				if d.Accepts(w) != in(text) || c.Automaton.Accepts(w) != in(text) {
					t.Errorf("%s, %q: %v and %v", name, text, d.Accepts(w), c.Automaton.Accepts(w))
				}
				for s := range word.Symbol(2) {
					longer = append(longer, append(slices.Clip(w), s))
				}
			}
			level = longer
		}
		if _, err := Load(Options{}, name); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "not regular") {
			t.Errorf("%s was loaded as a regular language: %v", name, err)
		}
	}
	if len(CountingLanguages()) != 2 {
		t.Errorf("%d counting languages", len(CountingLanguages()))
	}
}

func TestLoadUpTo(t *testing.T) {
	d, err := LoadUpTo(Options{Symbols: []string{"b", "c"}}, 4, "anbn")
	if err != nil || !slices.Equal(d.Alphabet.Names(), []string{"b", "c", "a"}) {
		t.Errorf("%v, %v", d, err)
	}
	if w, _ := d.Alphabet.Parse("aabb"); !d.Accepts(w) {
		t.Error("aabb is not accepted")
	}
	if _, err := LoadUpTo(Options{Limit: 50}, 1000, "dyck1"); err == nil || !strings.Contains(err.Error(), "dyck1, on words up to length 1000") {
		t.Errorf("past the limit: %v", err)
	}
	regular, err := LoadUpTo(Options{}, 4, "tomita5")
	if err != nil || regular.Len() != 4 {
		t.Errorf("tomita5: %v, %v", regular, err)
	}
}

func TestNear(t *testing.T) {
	const length = 40
	for _, name := range []string{"anbn", "dyck1", "tomita2", "regex:ab", "regex:a&b"} {
		d, err := LoadUpTo(Options{}, length, name)
		if err != nil {
			t.Fatal(err)
		}
		near, err := NewNear(d, length)
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
	d, _ := LoadUpTo(Options{}, length, "dyck1")
	near, _ := NewNear(d, length)
	r := rand.New(rand.NewPCG(1, 2))
	c, _ := FindCounting("dyck1")
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
	if _, err := NewNear(tomita[0].DFA(), 1<<30); err == nil {
		t.Error("a table of many gigabytes was made")
	}
}
