package draw

import (
	"cmp"
	"errors"
	"slices"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/word"
)

// Layout returns where the picture of an automaton has its states and edges, for the
// formats that can say so. It is the picture that [Automaton] makes, and nil where there is
// none: for an automaton that is too large to be drawn, or has not one start state. States
// may be wanted at places, as in [Options].
func Layout(n *automaton.NFA, wanted Places) (*codec.Layout, error) {
	if len(n.Start) != 1 {
		return nil, nil
	}
	g, err := fromNFA(n)
	var limit *automaton.LimitError
	if errors.As(err, &limit) {
		return nil, nil
	}
	ready, err := newGraph(g)
	if err != nil {
		return nil, err
	}
	p, _ := arranged(ready, wanted)
	l := &codec.Layout{States: make([]codec.Point, len(n.Accept)), Edges: map[[2]automaton.State]codec.Route{}}
	state := func(i int) automaton.State { return automaton.State(p.Nodes[i].ID) }
	for i, at := range p.at {
		l.States[state(i)] = codec.Point{X: at.x, Y: at.y}
	}
	for i, e := range p.Edges {
		b := p.text[i]
		r := codec.Route{Label: codec.Point{X: (b.x0 + b.x1) / 2, Y: (b.y0 + b.y1) / 2}, Short: e.Short}
		for k, c := range p.curve[i].path {
			for j, q := range c {
				if j > 0 || k == 0 {
					r.Path = append(r.Path, codec.Point{X: q.x, Y: q.y})
				}
			}
		}
		l.Edges[[2]automaton.State{state(e.From), state(e.To)}] = r
	}
	return l, nil
}

// fromNFA returns the graph of an automaton with one start. For a deterministic one it is
// that of [FromDFA].
func fromNFA(n *automaton.NFA) (*Graph, error) {
	if err := checkSize(n.Len(), 0); err != nil {
		return nil, err
	}
	g := &Graph{}
	on := map[[2]int][]word.Symbol{}
	next := make([][]automaton.Edge, len(n.Accept))
	for _, e := range n.Edges {
		next[e.From] = append(next[e.From], e)
	}
	for q := 1; q <= n.Len(); q++ {
		g.Nodes = append(g.Nodes, Node{ID: q, Accept: n.Accept[q]})
		edges := next[q]
		sortBySymbol(edges)
		for _, e := range edges {
			pair := [2]int{q - 1, int(e.To) - 1}
			if on[pair] == nil {
				g.Edges = append(g.Edges, Edge{From: pair[0], To: pair[1]})
			}
			on[pair] = append(on[pair], e.On)
		}
		if err := checkSize(n.Len(), len(g.Edges)); err != nil {
			return nil, err
		}
	}
	for i, e := range g.Edges {
		symbols := on[[2]int{e.From, e.To}]
		if k := len(symbols) - 1; symbols[k] == automaton.Epsilon { // the last symbol there is
			g.Edges[i].Label, _ = newLabel(n.Alphabet, symbols[:k])
			g.Edges[i].Label += " " + word.Empty
			continue
		}
		g.Edges[i].Label, g.Edges[i].Short = newLabel(n.Alphabet, symbols)
	}
	g.BreadthFirst(int(n.Start[0]) - 1)
	return g, nil
}

// sortBySymbol sorts the edges of a state: the order of symbols is the order in which pictures number states.
func sortBySymbol(edges []automaton.Edge) {
	slices.SortStableFunc(edges, func(a, b automaton.Edge) int { return cmp.Or(cmp.Compare(a.On, b.On), cmp.Compare(a.To, b.To)) })
}
