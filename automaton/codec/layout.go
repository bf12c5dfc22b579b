package codec

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"quotient/automaton"
)

// A Layout says where a picture has the states and edges of an automaton. Package draw
// makes one, and the formats that know places write it, so that TikZ, JFLAP and Graphviz
// show what the picture shows.
type Layout struct {
	States []Point // centers, by state; the first is that of no state
	Edges  map[[2]automaton.State]Route
}

// A Point of a layout, in pixels; y grows downward.
type Point struct{ X, Y float64 }

// A Route is how the edge from one state to another runs.
type Route struct {
	Path  []Point // of cubics: a point, and then two control points and a point for each
	Label Point   // the middle of its label
	Short string  // the label as it is drawn, for those who cannot write it in full
}

// WriteAt is [Write] with the states at the places that a layout gives them, in the formats
// that can hold places: DOT, JFLAP and TikZ. Without a layout, which may be nil, TikZ
// and JFLAP put states on a circle.
func WriteAt(w io.Writer, n *automaton.NFA, f Format, l *Layout) error {
	if f.writeAt == nil || l == nil {
		return Write(w, n, f)
	}
	b := bufio.NewWriter(w)
	if err := f.writeAt(b, n, l); err != nil {
		return err
	}
	return b.Flush()
}

// HasPlaces reports whether the format says where states are.
func (f Format) HasPlaces() bool { return f.writeAt != nil }

// names returns what the states are called, whatever the format: q0, q1 and so on in
// breadth-first order from the start, by the order of the symbols, as pictures number
// them; states that cannot be reached come last.
func names(n *automaton.NFA) []string {
	next := make([][]automaton.Edge, len(n.Accept))
	for _, e := range n.Edges {
		next[e.From] = append(next[e.From], e)
	}
	name := make([]string, len(n.Accept))
	var order []automaton.State
	visit := func(q automaton.State) {
		if name[q] == "" {
			name[q] = fmt.Sprintf("q%d", len(order))
			order = append(order, q)
		}
	}
	explore := func(from int) {
		for i := from; i < len(order); i++ {
			edges := next[order[i]]
			slices.SortStableFunc(edges, func(a, b automaton.Edge) int { return cmp.Compare(a.On, b.On) })
			for _, e := range edges {
				visit(e.To)
			}
		}
	}
	for _, q := range n.Start {
		visit(q)
	}
	explore(0)
	for q := automaton.State(1); int(q) < len(n.Accept); q++ {
		from := len(order)
		visit(q)
		explore(from)
	}
	return name
}
