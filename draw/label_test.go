package draw

import (
	"strings"
	"testing"

	"quotient/word"
)

func TestLabel(t *testing.T) {
	letters := word.Letters("abcdefghijklmnopqrstuvwxyz")
	names, err := word.NewAlphabet("<s>", "NP", "VP", ",", "</s>", "a b", "Σ")
	if err != nil {
		t.Fatal(err)
	}
	gaps := word.Letters("acegikmoq")
	long, err := word.NewAlphabet(strings.Repeat("long", 30), "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		alphabet *word.Alphabet
		symbols  string // indices as letters: a is 0
		want     string
	}{
		{letters, "a", "a"},
		{letters, "ab", "a, b"},
		{letters, "abc", "a–c"},
		{letters, "acdefxz", "a, c–f, x, z"},
		{letters, "abcdefghijklmnopqrstuvwxyz", "Σ"},
		{letters, "acdefghijklmnopqrstuvwxyz", "Σ∖{b}"},
		{letters, "acdefghijklmnoqrstuvwxyz", "Σ∖{b, p}"},
		{letters, "acegikmoqsuwy", "a, … (13 symbols)"},
		{word.Letters("ab"), "ab", "a, b"},
		{word.Letters("abc"), "abc", "Σ"},
		{gaps, "abc", "a, c, e"},
		{gaps, "abcdefhi", "Σ∖{m}"},
		{names, "ab", "<s>, NP"},
		{names, "d", `","`},
		{names, "fg", `"a b", "Σ"`},
		{long, "a", "longlonglonglongl…"},
	} {
		var symbols []word.Symbol
		for _, r := range c.symbols {
			symbols = append(symbols, word.Symbol(r-'a'))
		}
		_, got := newLabel(c.alphabet, symbols)
		if got != c.want {
			t.Errorf("%s of %v: %s, want %s", c.symbols, c.alphabet, got, c.want)
		}
		if textWidth(got) > maxLabel {
			t.Errorf("%s is %v wide", got, textWidth(got))
		}
	}
}
