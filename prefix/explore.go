package prefix

import (
	"quotient/automaton"
	"quotient/f32"
	"quotient/word"
)

// Explore follows the network from the state of the empty word, steps every state
// it keeps by every symbol, and identifies each successor with the most similar
// state that it keeps and that has the same answer, if their cosine is over
// 1 - kappa; otherwise the successor is kept as well. Once limit states are kept,
// successors are identified whatever the cosine; where none that is kept has the
// answer, they lead nowhere.
//
// The result is a rough automaton of the network, good for finding words that the
// network accepts. It is not an extraction: nothing checks it.
func Explore(r Recognizer, kappa float64, limit int) *automaton.DFA {
	e := explorer{
		r:      r,
		raw:    f32.New(limit, r.Dim()),
		unit:   f32.New(limit, r.Dim()),
		cosine: make([]float32, limit),
	}
	start := f32.New(1, r.Dim())
	r.Start(start.Row(0))
	e.keep(start, 0, Answers(r, start)[0])

	k := r.Alphabet().Len()
	const rows = 4096               // that are stepped together, to bound the memory
	batch := max(1, rows/max(1, k)) // kept states that take so many
	var targets []int32             // of kept state i on symbol s: targets[i*k+s]
	for done := 0; done < e.kept; {
		from := done
		done = min(done+batch, e.kept)
		next := e.successors(from, done)
		accept := Answers(r, next)
		unit := f32.Unit(next)
		for i := range next.Rows {
			best := e.mostSimilar(unit.Row(i), accept[i])
			if e.kept < limit && (best < 0 || e.cosine[best] <= 1-float32(kappa)) {
				best = e.keep(next, i, accept[i])
			}
			targets = append(targets, int32(best))
		}
	}

	d := automaton.NewDFA(r.Alphabet(), e.kept)
	copy(d.Accept[1:], e.accept)
	for i, to := range targets {
		d.SetNext(automaton.State(i/k+1), word.Symbol(i%k), automaton.State(to+1))
	}
	return d
}

// An explorer holds the states that were kept.
type explorer struct {
	r         Recognizer
	kept      int
	raw, unit f32.Matrix // limit × dim, the second scaled to length 1
	accept    []bool
	cosine    []float32 // with each kept state, after mostSimilar
}

// keep adds row i of m to the kept states and returns its index.
func (e *explorer) keep(m f32.Matrix, i int, accept bool) int {
	copy(e.raw.Row(e.kept), m.Row(i))
	copy(e.unit.Row(e.kept), m.Row(i))
	f32.Normalize(e.unit.View(e.kept, e.kept+1))
	e.accept = append(e.accept, accept)
	e.kept++
	return e.kept - 1
}

// successors steps the kept states from i up to j by every symbol.
func (e *explorer) successors(i, j int) f32.Matrix {
	k := e.r.Alphabet().Len()
	next := f32.New((j-i)*k, e.r.Dim())
	on := make([]word.Symbol, next.Rows)
	for row := range next.Rows {
		copy(next.Row(row), e.raw.Row(i+row/k))
		on[row] = word.Symbol(row % k)
	}
	e.r.Step(next, next, on)
	return next
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
