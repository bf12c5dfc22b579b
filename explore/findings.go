package explore

import (
	"cmp"
	"slices"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

const (
	findings = 20 // at most as many are listed
	retries  = 30 // and as many are tried one by one
)

// findings returns, shortest first, words on which the network departs from the best automaton:
// those that raised doubts on the way, and walks far from the distribution.
func (s *search) findings(most int) []Finding {
	words := slices.Clone(s.doubts)
	var far pool
	far.add(s.r, s.far(s.best))
	words = append(words, far.disagreements(s.best)...)
	slices.SortFunc(words, func(x, y word.Word) int { return cmp.Or(len(x)-len(y), slices.Compare(x, y)) })
	words = slices.CompactFunc(words, slices.Equal[word.Word])
	var list []Finding
	for i, answer := range prefix.Accepts(s.r, words) {
		if accept := s.best.Accepts(words[i]); accept != answer && len(list) < most {
			list = append(list, Finding{words[i], answer, accept})
		}
	}
	return list
}

// far returns words unlike those of the distribution, on which networks often lose
// track: to a state of the automaton by a shortest word, and on from there by one to
// three symbols again and again, each up to five times in a row.
func (s *search) far(d *automaton.DFA) []word.Word {
	const n, longest = 400, 40
	var access []word.Word
	for _, w := range d.AccessWords(1) {
		access = append(access, w)
	}
	words := make([]word.Word, n)
	for i := range words {
		var period word.Word
		for range 1 + s.rng.IntN(3) {
			symbol := word.Symbol(s.rng.IntN(d.Alphabet.Len()))
			for range 1 + s.rng.IntN(5) {
				period = append(period, symbol)
			}
		}
		w := slices.Clone(access[s.rng.IntN(len(access))])
		for len(w) < longest {
			w = append(w, period...)
		}
		words[i] = w
	}
	return words
}
