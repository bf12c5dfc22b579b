package active

import (
	"cmp"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// An abstraction is a finite view of a network: a partition of its states into cells,
// by a decision tree whose nodes cut one dimension. It is refined as it is compared with
// hypotheses and kept from one to the next, as Weiss, Goldberg and Yahav (2018) do.
type abstraction struct {
	q     *oracle.Inquiry
	cuts  []cut            // cut 0 is the root
	rough []*automaton.DFA // what exploring by similarity gives; see [tester.guides]
}

// A cut of a decision tree; a leaf, which is a cell, has no children.
type cut struct {
	dim       int
	at        float32
	low, high int32 // children; 0: a leaf
}

func newAbstraction(q *oracle.Inquiry) *abstraction {
	return &abstraction{q: q, cuts: make([]cut, 1)}
}

// cell returns the leaf that a state belongs to.
func (a *abstraction) cell(x []float32) int32 {
	n := int32(0)
	for a.cuts[n].low > 0 {
		c := &a.cuts[n]
		if x[c.dim] < c.at {
			n = c.low
		} else {
			n = c.high
		}
	}
	return n
}

// aggressive is how many dimensions the first refinement cuts at once: one cut would
// have to be followed by many more before the abstraction says anything.
const aggressive = 10

// refine cuts the cell of x and y, so that they come apart. The first time it cuts every
// cell in the dimensions in which the two differ most, later in one.
func (a *abstraction) refine(x, y []float32) {
	dims := make([]int, len(x))
	for i := range dims {
		dims[i] = i
	}
	gap := func(i int) float64 { return math.Abs(float64(x[i]) - float64(y[i])) }
	slices.SortStableFunc(dims, func(i, j int) int { return cmp.Compare(gap(j), gap(i)) })
	if len(a.cuts) == 1 {
		dims = dims[:min(aggressive, len(dims))]
	} else {
		dims = dims[:1]
	}
	a.cut(a.cell(x), dims, x, y)
}

// cut cuts a leaf in the first dimension, halfway between x and y, and what results in
// the others.
func (a *abstraction) cut(leaf int32, dims []int, x, y []float32) {
	if len(dims) == 0 {
		return
	}
	n := int32(len(a.cuts))
	a.cuts = append(a.cuts, cut{}, cut{})
	i := dims[0]
	at := x[i]/2 + y[i]/2
	if at <= min(x[i], y[i]) { // there is no number between the two
		at = max(x[i], y[i])
	}
	a.cuts[leaf] = cut{dim: i, at: at, low: n, high: n + 1}
	a.cut(n, dims[1:], x, y)
	a.cut(n+1, dims[1:], x, y)
}

// A visit is the first word that led to a cell.
type visit struct {
	at    automaton.State // where it leads the hypothesis
	word  word.Word
	state []float32 // where it leads the network
}

// abstraction compares the hypothesis with the abstraction of the network, side by side
// and breadth first. A word on which hypothesis and network differ ends the search. If
// two words lead the network to one cell and the hypothesis to different states, one of
// the two is wrong: a suffix that tells the states apart shows which. Either that gives
// a counterexample, or the network tells the words apart too, and the cell is cut.
func (t *tester) abstraction(h *automaton.DFA, _ learner) (word.Word, bool, error) {
	for steps := 0; steps < t.o.Steps; {
		w, found, refined, err := t.explore(h, &steps)
		if found || err != nil || !refined {
			return w, found, err
		}
	}
	return nil, false, nil
}

// explore is one pass over the cells. It counts the network's steps.
func (t *tester) explore(h *automaton.DFA, steps *int) (w word.Word, found, refined bool, err error) {
	a := t.states
	visits := map[int32]*visit{}
	level := []visit{{at: h.Start, state: a.q.Start().Row(0)}}
	for length := 0; len(level) > 0; length++ {
		if err := t.q.Err(); err != nil {
			return nil, false, false, err
		}
		var expand []*visit
		for i := range level {
			v := &level[i]
			cell := a.cell(v.state)
			u := visits[cell]
			if u != nil && u.at == v.at {
				continue
			}
			if u != nil {
				w, found, err := t.conflict(h, u, v)
				if found || err != nil {
					return w, found, false, err
				}
				a.refine(u.state, v.state)
				refined = true
				delete(visits, cell)
				visits[a.cell(u.state)] = u
				cell = a.cell(v.state)
			}
			visits[cell] = v
			expand = append(expand, v)
		}
		if length == t.o.Length || *steps >= t.o.Steps {
			break
		}
		if level, w, found = t.successors(h, expand); found {
			return w, true, false, nil
		}
		*steps += len(level)
	}
	return nil, false, refined, nil
}

// successors prolongs words by every symbol. It returns a word on which hypothesis and
// network differ, if there is one.
func (t *tester) successors(h *automaton.DFA, from []*visit) (next []visit, w word.Word, found bool) {
	k := h.Alphabet.Len()
	before := f32.New(len(from), t.q.Dim())
	for i, v := range from {
		copy(before.Row(i), v.state)
	}
	states := t.q.Successors(before)
	t.stats.Symbols += states.Rows
	t.stats.TestWords += states.Rows
	for i, accept := range t.q.Read(states) {
		u, s := from[i/k], word.Symbol(i%k)
		v := visit{at: h.Next(u.at, s), word: u.word.With(s), state: states.Row(i)}
		if h.Accept[v.at] != accept {
			return nil, v.word, true
		}
		next = append(next, v)
	}
	return next, nil, false
}

// conflict asks the network about two words that lead it to one cell and the hypothesis
// to two states. It returns the counterexample, if there is one.
func (t *tester) conflict(h *automaton.DFA, u, v *visit) (word.Word, bool, error) {
	x, y := *h, *h
	x.Start, y.Start = u.at, v.at
	suffix, _ := automaton.Distinguish(&x, &y) // the states of a minimal automaton differ
	return t.compare(h, []word.Word{u.word.With(suffix...), v.word.With(suffix...)})
}

// guides compares the hypothesis with rough automata that exploring the network by
// similarity gives. They need not be right: words on which they differ from the
// hypothesis are good words to ask the network about.
func (t *tester) guides(h *automaton.DFA, _ learner) (word.Word, bool, error) {
	a := t.states
	for i, kappa := range sample.RoughKappas {
		if err := t.q.Err(); err != nil {
			return nil, false, err
		}
		if i == len(a.rough) {
			d := sample.Rough(a.q, kappa, 512)
			t.stats.Symbols += d.Len() * d.Alphabet.Len()
			t.stats.TestWords += d.Len() * d.Alphabet.Len()
			a.rough = append(a.rough, automaton.Minimize(d))
		}
		w, differ := automaton.Distinguish(h, a.rough[i])
		if !differ {
			return nil, false, nil
		}
		words := []word.Word{w}
		for _, pair := range [][2]*automaton.DFA{{h, a.rough[i]}, {a.rough[i], h}} {
			d, err := automaton.Difference(pair[0], pair[1], automaton.DefaultLimit)
			if err != nil {
				continue // too large to be of use
			}
			more, err := sample.Changed(t.q.Context(), automaton.Minimize(d), 64, t.o.Length, t.rng)
			if err != nil {
				return nil, false, err
			}
			words = append(words, more...)
		}
		if w, found, err := t.compare(h, words); found || err != nil {
			return w, found, err
		}
	}
	return nil, false, nil
}
