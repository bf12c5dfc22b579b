package weighted

import (
	"math"

	"quotient/automaton"
	"quotient/word"
)

// DFA returns a deterministic automaton for the words that a accepts, if finitely
// many vectors are to be told apart. It follows the vectors from the initial one by
// every symbol, breadth first, and takes two for the same state if both are accepted
// or both are not, and no word that follows makes their values differ by more than the
// tolerance. Words from a set that spans all are tried: if a takes only the values 0
// and 1, two states that differ at all differ by 1 on one of these. So for values
// near 0 and 1 the natural tolerance is 1/2.
//
// Past limit states the error is an [automaton.LimitError]: the function is not one
// of finitely many states, or the tolerance is too small. Nothing here proves that the
// two agree; only where all weights were exact do they.
func (a *Automaton) DFA(tolerance float64, limit int) (*automaton.DFA, error) {
	endings := a.Reverse().span().vectors // of the words that are tried
	e := &explorer{a: a, endings: endings, tolerance: tolerance}
	e.state(a.Initial)
	var targets []int
	for i := 0; i < len(e.vectors); i++ {
		for s := range a.Alphabet.Len() {
			next := make([]float64, a.Len())
			a.Step(next, e.vectors[i], word.Symbol(s))
			targets = append(targets, e.state(next))
			if len(e.vectors) > limit {
				return nil, &automaton.LimitError{Op: "telling the vectors of a weighted automaton apart", What: "states", Limit: limit}
			}
		}
	}
	k := a.Alphabet.Len()
	d := automaton.NewDFA(a.Alphabet, len(e.vectors))
	copy(d.Accept[1:], e.accept)
	for i, to := range targets {
		d.SetNext(automaton.State(1+i/k), word.Symbol(i%k), automaton.State(1+to))
	}
	return d, nil
}

// An explorer holds the vectors that were found to differ.
type explorer struct {
	a         *Automaton
	endings   [][]float64
	tolerance float64
	vectors   [][]float64
	values    [][]float64 // of each vector with each ending
	accept    []bool
}

// state returns the state of a vector, a new one if none is near.
func (e *explorer) state(v []float64) int {
	accept := dot(v, e.a.Final) > e.a.Threshold
	values := make([]float64, len(e.endings))
	for i, ending := range e.endings {
		values[i] = dot(v, ending)
	}
	nearest, least := -1, math.Inf(1)
	for i, known := range e.values {
		if d := distance(values, known); e.accept[i] == accept && d <= e.tolerance && d < least {
			nearest, least = i, d
		}
	}
	if nearest < 0 {
		nearest = len(e.vectors)
		e.vectors, e.values, e.accept = append(e.vectors, v), append(e.values, values), append(e.accept, accept)
	}
	return nearest
}

// distance returns the largest difference.
func distance(x, y []float64) float64 {
	most := 0.0
	for i := range x {
		most = max(most, math.Abs(x[i]-y[i]))
	}
	return most
}
