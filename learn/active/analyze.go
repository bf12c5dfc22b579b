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
	ask := func(i int) (bool, error) { return askBehind(m, l, states[i], w[i:]) }
	before, err := ask(0)
	if err != nil {
		return 0, 0, nil, err
	}
	after, err := ask(len(w))
	if err != nil {
		return 0, 0, nil, err
	}
	if before == after {
		return 0, 0, nil, fmt.Errorf("network and hypothesis are said to differ on %s, but the network gives the same answer: "+
			"either it changes its mind, or who judges is wrong", m.q.Alphabet().Format(w))
	}
	low, high, first := 0, len(w), before
	// The narrowest pair of neighboring known answers that differ; of several, the one
	// with the shortest suffix.
	last, later := len(w), after
	for i := len(w) - 1; i >= 0; i-- {
		l.recall(states[i], w[i:])
		n, known := m.known(l.node(states[i]), w[i:])
		if !known {
			continue
		}
		answer := m.nodes[n].answer == yes
		if answer != later && last-i < high-low {
			low, high, first = i, last, answer
		}
		last, later = i, answer
	}
	for high-low > 1 {
		middle := (low + high) / 2
		answer, err := ask(middle)
		if err != nil {
			return 0, 0, nil, err
		}
		if answer == first {
			low = middle
		} else {
			high = middle
		}
	}
	return states[low], w[low], w[high:], nil
}

// askBehind asks for the word behind a state of a learner.
func askBehind(m *memory, l learner, q int, w word.Word) (bool, error) {
	l.recall(q, w)
	n := m.extend(l.node(q), w)
	m.watch(n)
	answers, err := m.askNodes([]int32{n})
	return err == nil && answers[0], err
}
