package draw

import (
	"fmt"
	"io"

	"quotient/automaton"
	"quotient/probabilistic"
)

// Probabilistic writes a picture of a probabilistic automaton to w. An edge is labeled with
// its symbols and their probabilities, to two digits, and as wide as all of them together are
// probable. A double circle is a state in which words end, with the probability under its
// name. States that cannot be reached are drawn last.
//
// Past [MaxStates] or [MaxEdges] the error is an [automaton.LimitError].
func Probabilistic(w io.Writer, a *probabilistic.Automaton, o Options) error {
	g, err := FromProbabilistic(a, o)
	if err != nil {
		return err
	}
	return SVG(w, g, o)
}

// Widths of the edges of a probabilistic automaton, from probability zero to one.
const (
	thin  = 0.5
	thick = 3.5
)

// FromProbabilistic returns the graph that [Probabilistic] draws. The numbers of states are
// the IDs of its nodes.
func FromProbabilistic(a *probabilistic.Automaton, o Options) (*Graph, error) {
	if err := checkSize(a.Len(), 0); err != nil {
		return nil, err
	}
	g := &Graph{}
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		n := Node{ID: int(q)}
		if a.End[q] > 0 {
			n.Accept, n.Out = true, weight(a.End[q])
		}
		g.Nodes = append(g.Nodes, n)
		for _, b := range a.Bundles(q) {
			e := Edge{From: int(q - 1), To: int(b.To - 1), Width: thin + (thick-thin)*min(1, b.Total)}
			e.Label, e.Short = weightLabel(a.Alphabet, b.On, b.Prob)
			g.Edges = append(g.Edges, e)
		}
		if err := checkSize(a.Len(), len(g.Edges)); err != nil {
			return nil, err
		}
	}
	g.Title = fmt.Sprintf("A probabilistic automaton with %s", count(a.Len(), "state"))
	if a.Start == automaton.Dead {
		g.Nodes, g.Edges = nil, nil
		g.Description = fmt.Sprintf("A probabilistic automaton over %s without words.", a.Alphabet)
		return g, nil
	}
	lost := g.BreadthFirst(int(a.Start - 1))
	for i, n := range g.Nodes {
		g.Nodes[i].Name = o.name(automaton.State(n.ID), i)
	}
	g.Description = fmt.Sprintf("A probabilistic automaton with %s over %s. It starts in %s. Under the name of a state stands the probability that a word ends there.",
		count(a.Len(), "state"), a.Alphabet, g.Nodes[0].Name)
	if lost > 0 {
		g.Description += fmt.Sprintf(" From the start %s cannot be reached.", count(lost, "state"))
	}
	return g, nil
}
