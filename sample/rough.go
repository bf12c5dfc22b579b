package sample

import (
	"quotient/automaton"
	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// RoughKappas are the thresholds at which a network is explored for words, in their order.
var RoughKappas = []float64{0.02, 0.1, 0.3}

// Rough follows a network from the state of the empty word, steps every state it keeps by
// every symbol, and identifies each successor with the most similar state that it keeps
// and that has the same answer, if their cosine is over 1 - kappa; otherwise the successor
// is kept as well. Once limit states are kept, successors are identified whatever the
// cosine; where none that is kept has the answer, they lead nowhere.
//
// The result is a rough automaton of the network, good for finding words that the
// network accepts. It is not an extraction: nothing checks it.
func Rough(q *oracle.Inquiry, kappa float64, limit int) *automaton.DFA {
	e := explorer{raw: f32.New(limit, q.Dim()), unit: f32.New(limit, q.Dim()), cosine: make([]float32, limit)}
	start := q.Start()
	e.keep(start.Row(0), q.Read(start)[0])
	k := q.Alphabet().Len()
	const rows = 4096               // that are stepped together, to bound the memory
	batch := max(1, rows/max(1, k)) // kept states that take so many
	var targets []int32             // of kept state i on symbol s: targets[i*k+s]
	for done := 0; done < e.kept && q.Err() == nil; {
		from := done
		done = min(done+batch, e.kept)
		next := q.Successors(e.raw.View(from, done))
		accept := q.Read(next)
		unit := f32.Unit(next)
		for i := range next.Rows {
			best := e.mostSimilar(unit.Row(i), accept[i])
			if e.kept < limit && (best < 0 || e.cosine[best] <= 1-float32(kappa)) {
				best = e.keep(next.Row(i), accept[i])
			}
			targets = append(targets, int32(best))
		}
	}
	d := automaton.NewDFA(q.Alphabet(), e.kept)
	copy(d.Accept[1:], e.accept)
	for i, to := range targets {
		d.SetNext(automaton.State(i/k+1), word.Symbol(i%k), automaton.State(to+1))
	}
	return d
}

// An explorer holds the states that were kept.
type explorer struct {
	kept      int
	raw, unit f32.Matrix // limit × dim, the second scaled to length 1
	accept    []bool
	cosine    []float32 // with each kept state, after mostSimilar
}

// keep adds a state and returns its index.
func (e *explorer) keep(state []float32, accept bool) int {
	copy(e.raw.Row(e.kept), state)
	copy(e.unit.Row(e.kept), state)
	f32.Normalize(e.unit.View(e.kept, e.kept+1))
	e.accept = append(e.accept, accept)
	e.kept++
	return e.kept - 1
}

// mostSimilar returns the kept state with the given answer that is most similar
// to x, or -1 if none has that answer.
func (e *explorer) mostSimilar(x []float32, accept bool) int {
	f32.Dots(e.cosine[:e.kept], e.unit.View(0, e.kept), x)
	best := -1
	for i, c := range e.cosine[:e.kept] {
		if e.accept[i] == accept && (best < 0 || c > e.cosine[best]) {
			best = i
		}
	}
	return best
}
