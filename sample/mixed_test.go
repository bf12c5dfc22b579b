package sample_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/automaton"
	"quotient/language"
	"quotient/sample"
	"quotient/word"
)

func load(t *testing.T, name string) *automaton.DFA {
	t.Helper()
	d, err := language.Load(language.Options{}, name)
	if err != nil {
		t.Fatal(err)
	}
	return d[0]
}

func TestSamplerLengthsAndMix(t *testing.T) {
	d := load(t, "tomita5")
	for _, mix := range sample.Mixes {
		s, err := sample.NewMixed(d, mix, 0, 20)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		lengths := make([]int, 21)
		for i := range 4200 {
			w := s.Draw(i, r)
			lengths[len(w)]++
			if wantValid := mix == sample.Valid || mix == sample.Half && i%2 == 0; wantValid && len(w)%2 == 0 && !d.Accepts(w) {
				t.Fatalf("%s: word %d, %s, is not in the language", mix, i, d.Alphabet.Format(w))
			}
		}
		for n, c := range lengths {
			if c < 130 || c > 270 {
				t.Errorf("%s: %d words of length %d, want about 200", mix, c, n)
			}
		}
		// Tomita 5 has words of even length only.
		missing := s.Missing()
		if mix == sample.Uniform && missing != nil || mix != sample.Uniform && !slices.Equal(missing, []int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}) {
			t.Errorf("%s: Missing() = %v", mix, missing)
		}
	}
}

func TestSamplerIsFixedByItsSeed(t *testing.T) {
	draw := func() (words []word.Word) {
		s, err := sample.NewMixed(load(t, "tomita3"), sample.Half, 100, 100)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(7, 0))
		for i := range 50 {
			words = append(words, s.Draw(i, r))
		}
		return words
	}
	if !slices.EqualFunc(draw(), draw(), slices.Equal[word.Word]) {
		t.Error("one seed, two samples")
	}
}

func TestSamplerErrors(t *testing.T) {
	d := load(t, "tomita1")
	for _, c := range []struct {
		mix      sample.Mix
		min, max int
	}{{sample.Half, -1, 3}, {sample.Half, 5, 3}, {"most", 1, 1}, {sample.Uniform, 0, 1 << 62}, {sample.Valid, 0, 1 << 20}} {
		if _, err := sample.NewMixed(d, c.mix, c.min, c.max); err == nil {
			t.Errorf("sample.NewMixed(%s, %d, %d) gave no error", c.mix, c.min, c.max)
		}
	}
	if _, err := sample.NewMixed(load(t, "regex:ε"), sample.Valid, 0, 3); err == nil {
		t.Error("words of length 3 over no symbols")
	}
}
