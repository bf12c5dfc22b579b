package sample_test

import (
	"slices"
	"testing"

	"quotient/language"
	"quotient/sample"
	"quotient/word"
)

// Words are drawn uniformly among those that are accepted: of length 4, Tomita 4 has 13 of 16.
func TestShares(t *testing.T) {
	d, err := language.Load(language.Options{}, "tomita4")
	if err != nil {
		t.Fatal(err)
	}
	s, rng := sample.NewShares(d[0], 100), sample.Rand(1, sample.Words)
	count := map[string]int{}
	for range 13_000 {
		w := make(word.Word, 4)
		if !s.Draw(w, rng) || !d[0].Accepts(w) {
			t.Fatalf("%v", w)
		}
		count[w.Key()]++
	}
	for key, n := range count {
		if n < 850 || n > 1150 {
			t.Errorf("%q was drawn %d times, want about 1000", key, n)
		}
	}
	if len(count) != 13 {
		t.Errorf("%d words", len(count))
	}
	for _, w := range s.Words(50, 90, 100, rng) {
		if !d[0].Accepts(w) || len(w) < 90 || len(w) > 100 {
			t.Errorf("%v", w)
		}
	}
	none, _ := language.Load(language.Options{Symbols: []string{"a", "b"}}, "regex:aa")
	if s := sample.NewShares(none[0], 5); s.Draw(make(word.Word, 3), rng) {
		t.Error("there is no word of length 3")
	}
}

// Words that all cores lead are those that are drawn one by one.
func TestWordsOneByOne(t *testing.T) {
	d, err := language.Load(language.Options{Symbols: []string{"a", "b"}}, "regex:(a|bb)(aa|bbb)*")
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range sample.BothShares(d[0], 30) {
		rng, again := sample.Rand(1, sample.Words), sample.Rand(1, sample.Words)
		words := s.Words(500, 0, 30, rng)
		for range 500 {
			w := make(word.Word, again.IntN(31))
			if !s.Draw(w, again) {
				continue
			}
			if len(words) == 0 || !slices.Equal(words[0], w) || d[0].Accepts(w) != (k == 0) {
				t.Fatalf("%v is not among the words of kind %d", w, k)
			}
			words = words[1:]
		}
		if len(words) > 0 || rng.Uint64() != again.Uint64() {
			t.Errorf("%d words too many, or other random numbers follow", len(words))
		}
	}
}
