package language

import (
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
