package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/sample"
	"quotient/word"
)

const (
	listed  = 20 // at most as many are listed
	retries = 30 // and as many are tried one by one
)

// counterexamples returns, shortest first, words on which the network departs from the best automaton:
// those that raised doubts on the way, walks far from the distribution, and others that are known.
func (s *search) counterexamples(most int, known ...word.Word) []Counterexample {
	words := slices.Concat(s.doubts, known)
	if !s.hasty {
		words = append(words, s.q.LabelPaths(s.far(s.best)).Mistakes(s.best)...)
	}
	slices.SortFunc(words, word.Compare)
	words = slices.CompactFunc(words, slices.Equal[word.Word])
	var list []Counterexample
	answers := s.q.Accepts(words)
	if s.q.Err() != nil {
		return nil // nobody has answered
	}
	for i, answer := range answers {
		if accept := s.best.Accepts(words[i]); accept != answer && len(list) < most {
			list = append(list, Counterexample{words[i], answer, accept})
		}
	}
	return list
}

// known returns the shortest words on which the best automaton errs, of those that were asked about.
func (s *search) known() []word.Word {
	words := s.pool.Mistakes(s.best)
	slices.SortFunc(words, word.Compare)
	words = words[:min(len(words), listed)]
	if len(s.short.Accept) > 0 {
		short, _ := s.short.Mistakes(s.symbols.reducedDFA(s.best), listed)
		for _, w := range short {
			words = append(words, s.symbols.speak(w))
		}
	}
	return words
}

// far returns words unlike those of the distribution, on which networks often lose
// track: to a state of the automaton by a shortest word, and on from there by one to
// three symbols again and again, each up to five times in a row.
func (s *search) far(d *automaton.DFA) []word.Word {
	n, longest := s.q.AtMost(400, 0.002), min(40, s.q.Longest())
	var access []word.Word
	for _, w := range d.AccessWords(1) {
		access = append(access, w)
	}
	words := make([]word.Word, n)
	for i := range words {
		w := sample.Periodic(access, d.Alphabet.Len(), longest, s.rng)
		words[i] = w[:min(len(w), s.q.Longest())]
	}
	return words
}
