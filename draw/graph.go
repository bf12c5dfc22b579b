package draw

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"quotient/automaton"
)

// A Graph is what is drawn: circles, and labeled lines between them. It says nothing of
// places, which are found when it is drawn.
type Graph struct {
	Title       string // for screen readers and as a tooltip
	Description string // what the picture shows and what it leaves out, for screen readers
	Nodes       []Node // an arrow leads into the first; if there are none, ∅ is drawn
	Edges       []Edge // at most one for each ordered pair of nodes
}

// A Node is a state, or anything that is drawn like one.
type Node struct {
	ID      int    // by which a page knows it, see [Options]; edges go by the order of nodes
	Name    string // a number at its end is set as a subscript
	Accept  bool   // it has a double circle
	Dead    bool   // it is pale and dashed, and what leads there is pale
	In, Out string // weights with which words begin and end there, above and under the name
	Fill    string // color of its inside, as #rrggbb; empty: that of the paper
}

// An Edge leads from one node to another, or back to the same.
type Edge struct {
	From, To int    // indices of nodes
	Label    string // in full; that is the tooltip
	Short    string // the label as it is drawn; if empty, as much of it as there is room for
	Negative bool   // it is dashed and red

	Width float64 // of the line; 0: the usual one
}

// SVG lays out a graph and writes the picture to w. Nodes are placed by their order,
// for which that of [Graph.BreadthFirst] is a good one. Of the options, the title and
// the parts count.
//
// Past [MaxStates] or [MaxEdges] the error is an [automaton.LimitError].
func SVG(w io.Writer, g *Graph, o Options) error {
	ready, err := newGraph(g)
	if err != nil {
		return err
	}
	ready.Title = cmp.Or(o.Title, g.Title)
	b := bufio.NewWriter(w)
	writeSVG(b, best(ready), o.Parts)
	return b.Flush()
}

// BreadthFirst puts the nodes into the order in which a search from the given one meets
// them, those that it does not reach last, and the edges into the order of the nodes. It
// returns how many nodes, dead ones not counted, are not reached.
func (g *Graph) BreadthFirst(start int) (lost int) {
	order, rank := g.search(start)
	number := make([]int, len(order))
	nodes := make([]Node, len(order))
	roots := 0
	for i, v := range order {
		number[v], nodes[i] = i, g.Nodes[v]
		if rank[v] == 0 {
			roots++
		}
		if roots > 1 && !nodes[i].Dead {
			lost++
		}
	}
	g.Nodes = nodes
	for i, e := range g.Edges {
		g.Edges[i].From, g.Edges[i].To = number[e.From], number[e.To]
	}
	slices.SortFunc(g.Edges, func(a, b Edge) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return lost
}

// search visits all nodes breadth first, from the start and then from each that was not
// met before. It returns their order, and how far each is from where its search began.
func (g *Graph) search(start int) (order, rank []int) {
	out := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		out[e.From] = append(out[e.From], e.To)
	}
	rank = make([]int, len(g.Nodes))
	seen := make([]bool, len(g.Nodes))
	visit := func(v, distance int) {
		if !seen[v] {
			seen[v], rank[v] = true, distance
			order = append(order, v)
		}
	}
	explore := func(root int) {
		next := len(order)
		for visit(root, 0); next < len(order); next++ {
			for _, v := range out[order[next]] {
				visit(v, rank[order[next]]+1)
			}
		}
	}
	if len(g.Nodes) > 0 {
		explore(start)
	}
	for root := range g.Nodes {
		explore(root)
	}
	return order, rank
}

// describe sets the title and the description to those of a deterministic automaton over
// some symbols. Of its states some may be lost, as BreadthFirst counts them, and some of
// its transitions lead to a dead state and are hidden.
func (g *Graph) describe(over fmt.Stringer, lost, hidden int) {
	states := 0
	var accepting []string
	for _, n := range g.Nodes {
		if !n.Dead {
			states++
		}
		if n.Accept {
			accepting = append(accepting, n.Name)
		}
	}
	g.Title = fmt.Sprintf("A finite automaton with %s", count(states, "state"))
	if len(g.Nodes) == 0 || g.Nodes[0].Dead {
		g.Description = fmt.Sprintf("A finite automaton over %s that accepts nothing: the empty language, ∅.", over)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "A deterministic finite automaton with %s over %s. It starts in q0.", count(states, "state"), over)
	if len(accepting) == 0 {
		b.WriteString(" No state accepts.")
	} else {
		fmt.Fprintf(&b, " Accepting: %s.", strings.Join(accepting, ", "))
	}
	if lost > 0 {
		fmt.Fprintf(&b, " From the start %s cannot be reached.", count(lost, "state"))
	}
	if hidden > 0 {
		fmt.Fprintf(&b, " The dead state and %s to it are not shown.", count(hidden, "transition"))
	}
	g.Description = b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// checkSize returns an error if so many states or edges are more than is drawn.
func checkSize(states, edges int) error {
	limit := &automaton.LimitError{Op: "drawing an automaton"}
	switch {
	case states > MaxStates:
		limit.What, limit.Limit = "states", MaxStates
	case edges > MaxEdges:
		limit.What, limit.Limit = "edges", MaxEdges
	default:
		return nil
	}
	return fmt.Errorf("%w; minimize the automaton, or write it as DOT for a layout program", limit)
}

// A graph is a Graph that is ready to be laid out, whatever the format of the picture:
// it has a node, and every edge knows what is drawn of its label.
type graph struct {
	Graph
	pairs map[[2]int]bool // of nodes, from one to the other
}

func newGraph(from *Graph) (*graph, error) {
	g := &graph{Graph: *from, pairs: map[[2]int]bool{}}
	states := 0
	for _, n := range g.Nodes {
		if !n.Dead {
			states++
		}
	}
	if err := checkSize(states, len(g.Edges)); err != nil {
		return nil, err
	}
	if len(g.Nodes) == 0 {
		g.Nodes = []Node{{Name: "∅", Dead: true}}
	}
	g.Edges = slices.Clone(g.Edges)
	for i, e := range g.Edges {
		g.pairs[[2]int{e.From, e.To}] = true
		if e.Short == "" {
			g.Edges[i].Short = shorten(e.Label, []string{e.Label}, 1, maxLabel)
		}
	}
	return g, nil
}

// opposed reports whether another edge leads back.
func (g *graph) opposed(e Edge) bool { return e.From != e.To && g.pairs[[2]int{e.To, e.From}] }
