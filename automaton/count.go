package automaton

import (
	"iter"
	"math/big"
	"slices"

	"quotient/word"
)

// Count returns how many words of length n are accepted.
func (d *DFA) Count(n int) *big.Int {
	from := d.completions()
	for range n {
		from = d.prolong(from)
	}
	return from[d.Start]
}

// completions returns, for every state, how many words of length 0 lead from it
// to acceptance: one or none.
func (d *DFA) completions() []*big.Int {
	row := make([]*big.Int, len(d.Accept))
	for q, accept := range d.Accept {
		row[q] = new(big.Int)
		if accept {
			row[q].SetInt64(1)
		}
	}
	return row
}

// prolong turns the numbers of completions of length n into those of n+1.
func (d *DFA) prolong(row []*big.Int) []*big.Int {
	next := make([]*big.Int, len(row))
	for q := range row {
		next[q] = new(big.Int)
		for _, to := range d.Row(State(q)) {
			if row[to].Sign() > 0 {
				next[q].Add(next[q], row[to])
			}
		}
	}
	return next
}

// Words returns the accepted words in shortlex order: shorter words first, and
// words of one length in the order of their symbols. The sequence ends if the
// language is finite. Each word is a slice of its own.
func (d *DFA) Words() iter.Seq[word.Word] {
	return func(yield func(word.Word) bool) {
		m := Minimize(d)
		last := -1 // no accepted word is longer, if the language is finite
		if m.IsFinite() {
			last = m.Len()
		}
		can := [][]bool{m.Accept} // can[n][q]: some word of length n leads from q to acceptance
		for n := 0; last < 0 || n <= last; n++ {
			if can[n][m.Start] && !m.extend(make(word.Word, 0, n), m.Start, can[:n+1], yield) {
				return
			}
			can = append(can, m.reaches(can[n]))
		}
	}
}

// reaches reports, for every state, whether one symbol leads into the set.
func (d *DFA) reaches(set []bool) []bool {
	before := make([]bool, len(set))
	for q := range before {
		before[q] = slices.ContainsFunc(d.Row(State(q)), func(to State) bool { return set[to] })
	}
	return before
}

// extend yields every accepted word that prolongs prefix, which leads to q, by
// exactly len(can)-1 symbols. It never enters a branch that yields nothing. It
// reports whether to go on.
func (d *DFA) extend(prefix word.Word, q State, can [][]bool, yield func(word.Word) bool) bool {
	rest := len(can) - 1
	if rest == 0 {
		return yield(slices.Clone(prefix))
	}
	for s, to := range d.Row(q) {
		if can[rest-1][to] && !d.extend(append(prefix, word.Symbol(s)), to, can[:rest], yield) {
			return false
		}
	}
	return true
}
