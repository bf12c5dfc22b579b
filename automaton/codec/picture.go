package codec

import (
	"cmp"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A bundle is all edges from one state to another, drawn as one.
type bundle struct {
	from, to automaton.State
	on       []word.Symbol // ascending, ε last
}

// bundles returns the edges of n, sorted and without repetitions.
func bundles(n *automaton.NFA) []bundle {
	edges := slices.Clone(n.Edges)
	slices.SortFunc(edges, func(x, y automaton.Edge) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To), cmp.Compare(x.On, y.On))
	})
	var all []bundle
	for i, e := range slices.Compact(edges) {
		if i == 0 || all[len(all)-1].from != e.From || all[len(all)-1].to != e.To {
			all = append(all, bundle{from: e.From, to: e.To})
		}
		last := &all[len(all)-1]
		last.on = append(last.on, e.On)
	}
	return all
}

// circle puts n states clockwise on a circle, the first at the left, so far from each other:
// no straight edge then runs through a third state.
func circle(n int, apart float64) *Layout {
	l := &Layout{States: make([]Point, n+1)}
	if n < 2 {
		return l
	}
	radius := apart * 0.5 / math.Sin(math.Pi/float64(n))
	for q := 1; q <= n; q++ {
		angle := math.Pi - 2*math.Pi*float64(q-1)/float64(n)
		l.States[q] = Point{radius * math.Cos(angle), -radius * math.Sin(angle)}
	}
	return l
}

// withOneStart returns n if it has one start state, and otherwise a copy with
// one more state, the start, from which ε leads to the others: some formats know
// only automata with one start.
func withOneStart(n *automaton.NFA) *automaton.NFA {
	if len(n.Start) == 1 {
		return n
	}
	c := &automaton.NFA{Alphabet: n.Alphabet, Accept: slices.Clone(n.Accept), Edges: slices.Clone(n.Edges)}
	start := c.AddState(false)
	for _, q := range n.Start {
		c.AddEdge(start, automaton.Epsilon, q)
	}
	c.Start = []automaton.State{start}
	return c
}

// minimal returns the minimal automaton of the language of n, for the formats
// that need a deterministic one.
func minimal(n *automaton.NFA) (*automaton.DFA, error) {
	d, err := automaton.Determinize(n, automaton.DefaultLimit)
	if err != nil {
		return nil, err
	}
	return automaton.Minimize(d), nil
}
