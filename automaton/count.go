package automaton

import (
	"encoding/binary"
	"iter"
	"math/big"
	"slices"

	"quotient/internal/parallel"
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
	const sums = 1024 // that are worth another thread
	parallel.Stretches(len(row), max(1, sums/max(1, d.Alphabet.Len())), func(from, to int) {
		for q := from; q < to; q++ {
			next[q] = new(big.Int)
			for _, to := range d.Row(State(q)) {
				if row[to].Sign() > 0 {
					next[q].Add(next[q], row[to])
				}
			}
		}
	})
	return next
}

// Words returns the accepted words in shortlex order: shorter words first, and
// words of one length in the order of their symbols. The sequence ends if the
// language is finite. Each word is a slice of its own.
func (d *DFA) Words() iter.Seq[word.Word] {
	return func(yield func(word.Word) bool) {
		m := Minimize(d)
		if m.Len() == 0 {
			return
		}
		can := newOutlook(m)
		for n := 0; !can.over(n); n++ {
			if can.reach(n, m.Start) && !can.extend(make(word.Word, 0, n), m.Start, n, yield) {
				return
			}
		}
	}
}

// An outlook knows from which states some word of a given length leads to
// acceptance. The sets for one length follow from those for the length before, so
// they repeat from some length on, and only those up to there are kept.
type outlook struct {
	d      *DFA
	sets   [][]uint64 // for each length, a bit for every state
	length map[string]int
	first  int // the sets from first on repeat, once period > 0
	period int
}

func newOutlook(d *DFA) *outlook {
	o := &outlook{d: d, length: map[string]int{}}
	set := make([]uint64, len(d.Accept)/64+1)
	for q, accept := range d.Accept {
		if accept {
			set[q/64] |= 1 << (q % 64)
		}
	}
	o.add(set)
	return o
}

// add appends the set for the next length, or finds that the sets repeat.
func (o *outlook) add(set []uint64) {
	key := make([]byte, 0, 8*len(set))
	for _, x := range set {
		key = binary.LittleEndian.AppendUint64(key, x)
	}
	if n, seen := o.length[string(key)]; seen {
		o.first, o.period = n, len(o.sets)-n
		return
	}
	o.length[string(key)] = len(o.sets)
	o.sets = append(o.sets, set)
}

// at returns the set for length n.
func (o *outlook) at(n int) []uint64 {
	for o.period == 0 && n >= len(o.sets) {
		last, next := o.sets[len(o.sets)-1], make([]uint64, len(o.d.Accept)/64+1)
		for q := range o.d.Accept {
			if slices.ContainsFunc(o.d.Row(State(q)), func(to State) bool { return last[to/64]>>(to%64)&1 == 1 }) {
				next[q/64] |= 1 << (q % 64)
			}
		}
		o.add(next)
	}
	if n >= len(o.sets) {
		n = o.first + (n-o.first)%o.period
	}
	return o.sets[n]
}

// reach reports whether some word of length n leads from q to acceptance.
func (o *outlook) reach(n int, q State) bool { return o.at(n)[q/64]>>(q%64)&1 == 1 }

// over reports whether no word of length n or more is accepted: from there on all
// states of the minimal automaton, which all lead to acceptance, do so sooner.
func (o *outlook) over(n int) bool {
	return !slices.ContainsFunc(o.at(n), func(x uint64) bool { return x != 0 })
}

// extend yields every accepted word that prolongs prefix, which leads to q, by
// exactly rest symbols. It never enters a branch that yields nothing. It reports
// whether to go on.
func (o *outlook) extend(prefix word.Word, q State, rest int, yield func(word.Word) bool) bool {
	if rest == 0 {
		return yield(slices.Clone(prefix))
	}
	for s, to := range o.d.Row(q) {
		if o.reach(rest-1, to) && !o.extend(append(prefix, word.Symbol(s)), to, rest-1, yield) {
			return false
		}
	}
	return true
}
