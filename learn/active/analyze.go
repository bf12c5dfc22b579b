package active

import (
	"fmt"

	"quotient/word"
)

// analyze finds out where a learner goes wrong on a counterexample w. After i symbols
// of w the learner is in state q(i). Replace the first i symbols by the access word of
// q(i), and ask: for i = 0 the answer is the network's for w, for i = len(w) it is the
// learner's, and the two differ. So there is an i between at which the answer changes:
// the extension of q(i) by the next symbol, and the state q(i+1) that the learner took
// for it, are told apart by the suffix behind. That is the observation of Rivest and
// Schapire (1993), who find i by binary search. Answers that are known already narrow
// the search beforehand.
func analyze(m *memory, l learner, w word.Word) (q int, s word.Symbol, suffix word.Word, err error) {
	states := make([]int, len(w)+1) // q(i); the start is state 0
	for i, s := range w {
		states[i+1] = l.guess().target(states[i], s)
	}
	at := func(i int) word.Word { return l.access(states[i]).With(w[i:]...) }

	ends, err := m.ask(at(0), at(len(w)))
	if err != nil {
		return 0, 0, nil, err
	}
	if ends[0] == ends[1] {
		return 0, 0, nil, fmt.Errorf("network and hypothesis are said to differ on %s, but the network gives the same answer: "+
			"either it changes its mind, or who judges is wrong", m.q.Alphabet().Format(w))
	}
	low, high, first := 0, len(w), ends[0]
	// The narrowest pair of neighboring known answers that differ; of several, the one
	// with the shortest suffix.
	last, later := len(w), ends[1]
	for i := len(w) - 1; i >= 0; i-- {
		known := m.lookup(at(i))
		if known == unknown {
			continue
		}
		if (known == yes) != later && last-i < high-low {
			low, high, first = i, last, known == yes
		}
		last, later = i, known == yes
	}
	for high-low > 1 {
		middle := (low + high) / 2
		answer, err := m.ask(at(middle))
		if err != nil {
			return 0, 0, nil, err
		}
		if answer[0] == first {
			low = middle
		} else {
			high = middle
		}
	}
	return states[low], w[low], w[high:], nil
}
