// Package draw writes automata and plots as SVG.
//
// Automata have the look of the textbooks: an arrow into the start state, double
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
	"bufio"
	"fmt"
	"io"
	"strings"

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

	// Name and Label, where they are not nil, give the text of a state and of an
	// edge. A number at the end of a name is set as a subscript.
	Name  func(q automaton.State) string
	Label func(from, to automaton.State) string

	// Parts groups what belongs to a state or to an edge and marks the groups with
	// classes and attributes, so that a page can point at them: class "state" with
	// data-state, class "edge" with data-from and data-to, "start" and "paper".
	Parts bool
}

// Automaton writes a picture of d to w. States are called q0, q1 and so on in
// breadth-first order from the start, whatever their numbers are; states that
// cannot be reached come last. Only an automaton without states shows the dead
// state unasked, since there is nothing else to show.
//
// Past [MaxStates] or [MaxEdges] the error is an [automaton.LimitError].
func Automaton(w io.Writer, d *automaton.DFA, o Options) error {
	g, err := newGraph(d, o)
	if err != nil {
		return err
	}
	p := best(g)
	b := bufio.NewWriter(w)
	writeSVG(b, p, title(d, o), description(d, g))
	return b.Flush()
}

// A graph is what is to be drawn, before anything is placed.
type graph struct {
	nodes []node // in breadth-first order; node 0 is the start
	edges []edge // at most one for each ordered pair of nodes
	lost  int    // states that cannot be reached; they come last
	o     Options
}

type node struct {
	state   automaton.State
	index   int // the subscript of its name; the dead state has none
	accept  bool
	in, out string // weights, if it has any: with which words begin and end there
}

type edge struct {
	from, to int
	label    label
	back     int  // the edge in the opposite direction, or -1
	negative bool // all its weights are
}

func newGraph(d *automaton.DFA, o Options) (*graph, error) {
	dead := o.ShowDead || d.Start == automaton.Dead
	if d.Len() > MaxStates {
		return nil, tooLarge("states", MaxStates)
	}
	g := &graph{o: o}
	number := make([]int, d.Len()+1) // 1 + the node of each state, 0 for none
	named := 0
	visit := func(q automaton.State) {
		if number[q] == 0 && (q != automaton.Dead || dead) {
			g.nodes = append(g.nodes, node{state: q, index: named, accept: d.Accept[q]})
			number[q] = len(g.nodes)
			if q != automaton.Dead {
				named++
			}
		}
	}
	explore := func(root automaton.State) {
		i := len(g.nodes)
		for visit(root); i < len(g.nodes); i++ {
			for _, to := range d.Row(g.nodes[i].state) {
				visit(to)
			}
		}
	}
	explore(d.Start)
	g.lost = d.Len()
	for _, n := range g.nodes {
		if n.state != automaton.Dead {
			g.lost--
		}
	}
	for q := 1; q <= d.Len(); q++ {
		if number[q] == 0 {
			explore(automaton.State(q))
		}
	}
	for i, n := range g.nodes {
		on := make([][]word.Symbol, len(g.nodes))
		for s, to := range d.Row(n.state) {
			if j := number[to] - 1; j >= 0 {
				on[j] = append(on[j], word.Symbol(s))
			}
		}
		for j, symbols := range on {
			if len(symbols) == 0 {
				continue
			}
			if len(g.edges) == MaxEdges {
				return nil, tooLarge("edges", MaxEdges)
			}
			g.edges = append(g.edges, edge{from: i, to: j, label: g.label(d.Alphabet, i, j, symbols)})
		}
	}
	g.pair()
	return g, nil
}

// pair tells every edge which one leads back.
func (g *graph) pair() {
	edgeOf := map[[2]int]int{}
	for k, e := range g.edges {
		edgeOf[[2]int{e.from, e.to}] = k
	}
	for k, e := range g.edges {
		back, ok := edgeOf[[2]int{e.to, e.from}]
		if !ok || e.from == e.to {
			back = -1
		}
		g.edges[k].back = back
	}
}

func tooLarge(what string, limit int) error {
	return fmt.Errorf("%w; minimize the automaton, or write it as DOT for a layout program",
		&automaton.LimitError{Op: "drawing an automaton", What: what, Limit: limit})
}

// dead reports whether node i is the dead state.
func (g *graph) dead(i int) bool { return g.nodes[i].state == automaton.Dead }

// name returns the name of node i in running text.
func (g *graph) name(i int) string {
	switch {
	case g.dead(i):
		return "∅"
	case g.o.Name != nil:
		return g.o.Name(g.nodes[i].state)
	}
	return fmt.Sprintf("q%d", g.nodes[i].index)
}

// label returns the text at the edge from node i to node j.
func (g *graph) label(a *word.Alphabet, i, j int, symbols []word.Symbol) label {
	if g.o.Label == nil {
		return newLabel(a, symbols)
	}
	text := g.o.Label(g.nodes[i].state, g.nodes[j].state)
	l := label{text: text, full: text}
	if textWidth(text) > maxLabel {
		l.text = cut([]string{text}, 1)
	}
	return l
}

func title(d *automaton.DFA, o Options) string {
	if o.Title != "" {
		return o.Title
	}
	return fmt.Sprintf("A finite automaton with %s", count(d.Len(), "state"))
}

// description says in words what the picture shows and what it leaves out.
func description(d *automaton.DFA, g *graph) string {
	var b strings.Builder
	if d.Start == automaton.Dead {
		fmt.Fprintf(&b, "A finite automaton over %s that accepts nothing: the empty language, ∅.", d.Alphabet)
		return b.String()
	}
	fmt.Fprintf(&b, "A deterministic finite automaton with %s over %s. It starts in q0.", count(d.Len(), "state"), d.Alphabet)
	var accepting []string
	shown := false
	for i, n := range g.nodes {
		if n.accept {
			accepting = append(accepting, g.name(i))
		}
		shown = shown || g.dead(i)
	}
	if len(accepting) == 0 {
		b.WriteString(" No state accepts.")
	} else {
		fmt.Fprintf(&b, " Accepting: %s.", strings.Join(accepting, ", "))
	}
	if n := g.lost; n > 0 {
		fmt.Fprintf(&b, " From the start %s cannot be reached.", count(n, "state"))
	}
	if hidden := toDead(d); hidden > 0 && !shown {
		fmt.Fprintf(&b, " The dead state and %s to it are not shown.", count(hidden, "transition"))
	}
	return b.String()
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

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
