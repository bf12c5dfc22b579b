// Package draw writes automata and plots as SVG.
//
// Automata of every kind become a [Graph], which is laid out and written. They have the look of the textbooks: an arrow into the start state, double
// circles around accepting ones, one edge for each pair of states with its symbols
// joined. The layout is our own, so nothing has to be installed. It works in two ways. A
// small automaton is placed on a grid by search, and every candidate is judged
// by an explicit cost (see grid.go). A larger one is drawn in layers from left to
// right after Sugiyama (see layered.go). In both cases loops, bends and labels
// then go where there is room (see route.go).
//
// Plots are lines with shaded bands, several to a figure with one legend (see
// plot.go).
//
// Guarantees: the same automaton or data gives the same bytes; the output is well-formed
// XML that refers to nothing outside itself, whatever the symbols are called;
// time is bounded by limits on the size of what is drawn.
package draw

import (
	"fmt"
	"io"

	"quotient/automaton"
	"quotient/word"
)

// Limits on what [Automaton] draws. Nobody can read a picture this large; the
// second bounds the time for automata with few states and many edges.
const (
	MaxStates = 500
	MaxEdges  = 1500 // pairs of states
)

// Options say how an automaton is drawn. The zero value is a good choice.
type Options struct {
	Title    string // for screen readers and as a tooltip; one is made up if empty
	ShowDead bool   // draw the dead state, ∅, and the edges that lead there

	// Name, where it is not nil, gives the text of a state. A number at the end of a
	// name is set as a subscript.
	Name func(q automaton.State) string

	// Parts groups what belongs to a state or to an edge and marks the groups with
	// classes and attributes, so that a page can point at them: class "state" with
	// data-state, class "edge" with data-from and data-to, "start" and "paper". A picture
	// whose nodes are at the Places has data-kept.
	Parts bool

	// Places are where nodes are wanted, if anywhere.
	Places Places
}

// name returns the text of a state; i is its number in the picture.
func (o Options) name(q automaton.State, i int) string {
	if o.Name != nil {
		return o.Name(q)
	}
	return fmt.Sprintf("q%d", i)
}

// Automaton writes a picture of d to w. States are called q0, q1 and so on in
// breadth-first order from the start, whatever their numbers are; states that
// cannot be reached come last. Only an automaton without states shows the dead
// state unasked, since there is nothing else to show.
//
// Past [MaxStates] or [MaxEdges] the error is an [automaton.LimitError].
func Automaton(w io.Writer, d *automaton.DFA, o Options) error {
	g, err := FromDFA(d, o)
	if err != nil {
		return err
	}
	return SVG(w, g, o)
}

// FromDFA returns the graph that [Automaton] draws. The numbers of states are the IDs of
// its nodes.
func FromDFA(d *automaton.DFA, o Options) (*Graph, error) {
	n := d.Len()
	if err := checkSize(n, 0); err != nil {
		return nil, err
	}
	g, hidden := &Graph{}, toDead(d)
	for q := 1; q <= n; q++ {
		g.Nodes = append(g.Nodes, Node{ID: q, Accept: d.Accept[q]})
	}
	if d.Start == automaton.Dead || o.ShowDead && hidden > 0 {
		g.Nodes, hidden = append(g.Nodes, Node{Dead: true}), 0
	}
	index := func(q automaton.State) int { return (int(q) + n) % (n + 1) } // the dead state comes last
	for i, node := range g.Nodes {
		on := make([][]word.Symbol, n+1)
		var targets []int // in the order of their first symbols
		for s, to := range d.Row(automaton.State(node.ID)) {
			j := index(to)
			if on[j] == nil && j < len(g.Nodes) {
				targets = append(targets, j)
			}
			on[j] = append(on[j], word.Symbol(s))
		}
		for _, j := range targets {
			e := Edge{From: i, To: j}
			e.Label, e.Short = newLabel(d.Alphabet, on[j])
			g.Edges = append(g.Edges, e)
			if err := checkSize(n, len(g.Edges)); err != nil {
				return nil, err
			}
		}
	}
	lost, named := g.BreadthFirst(index(d.Start)), 0
	for i, node := range g.Nodes {
		if node.Dead {
			g.Nodes[i].Name = "∅"
			continue
		}
		g.Nodes[i].Name = o.name(automaton.State(node.ID), named)
		named++
	}
	g.describe(d.Alphabet, lost, hidden)
	return g, nil
}

// toDead returns how many transitions lead from a state to the dead one.
func toDead(d *automaton.DFA) int {
	n := -d.Alphabet.Len() // the dead state's own
	for _, to := range d.Table {
		if to == automaton.Dead {
			n++
		}
	}
	return n
}
