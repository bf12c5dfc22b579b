package codec

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"strings"

	"quotient/automaton"
	"quotient/word"
)

// DOT is the language of Graphviz. What we write looks as it should there:
// accepting states have a double circle, an arrow out of nowhere leads to the
// start states, the edges between two states are drawn as one. An edge label is
// a list of symbols separated by commas; a name that would be misread is quoted
// as in Go, and ε reads nothing. The attribute "alphabet" of the graph lists the
// symbols in the same way. It is also what our own files are recognized by.
//
// With a layout there are positions of states, edges and labels too: neato -n2 draws them as
// they are.
//
// Kept: everything but the order and repetition of edges.
//
// Other DOT files can be read too. There a label is one symbol to the letter
// (only \" is a quote), or ε, and start states are those that an edge leads to
// from a node that is called __start…, or is a point, invisible or without a
// shape. Files with a node __start0 follow AALpy, where ε is a name as any
// other. The alphabet is what the labels show, sorted.
var dotFormat = Format{
	Name:       "dot",
	Extensions: []string{".dot", ".gv"},
	Doc:        "Graphviz DOT, also as AALpy writes it; keeps everything but the order of edges",
	read:       readDOT,
	write:      func(w *bufio.Writer, n *automaton.NFA) error { return writeDOT(w, n, nil) },
	writeAt:    writeDOT,
}

const dotStart = "__start0"

func readDOT(text string) (*automaton.NFA, error) {
	g, err := parseDOT(text)
	if err != nil {
		return nil, err
	}
	b := newBuilder(len(text))
	states := make([]automaton.State, len(g.nodes)) // Dead for a node that only marks the start
	for i, node := range g.nodes {
		if !node.marksStart() {
			states[i] = b.nfa.AddState(node.double || node.periphery)
		}
	}
	if err := g.declareAlphabet(b); err != nil {
		return nil, err
	}
	for _, e := range g.edges {
		from, to := states[e.from], states[e.to]
		switch {
		case to == automaton.Dead:
			return nil, errorAt(int(e.line), "an edge leads to a node whose name or shape says that it only marks the start")
		case from == automaton.Dead:
			b.nfa.Start = append(b.nfa.Start, to)
		default:
			if err := g.addEdges(b, from, to, g.labelText[e.label]); err != nil {
				return nil, errorAt(int(e.line), "%v", err)
			}
		}
		// A label can be shared by many edges, through a default or a chain. Where
		// every edge has its own, each symbol in it takes two bytes with its comma.
		if len(b.nfa.Edges) > len(text)/2 {
			return nil, errorAt(int(e.line), "the edges would take far more memory than the file: too many share a long label")
		}
	}
	if g.alphabet == nil && len(b.nfa.Start) == 0 {
		return nil, errorAt(g.tok.line, "no start state; mark it with an edge: %s -> state", dotStart)
	}
	return b.finish()
}

// marksStart reports whether a node is no state, but where the arrow to the
// start begins.
func (n dotNode) marksStart() bool {
	return n.marker || n.hidden || n.invisible
}

// declareAlphabet reads the alphabet of one of our own files.
func (g *dotGraph) declareAlphabet(b *builder) error {
	if g.alphabet == nil {
		return nil
	}
	err := eachName(unquoteDOT(*g.alphabet), func(name string, quoted bool) error {
		if name == word.Empty && !quoted {
			return errors.New("ε is not a symbol")
		}
		return b.declare(name)
	})
	if err != nil {
		return errorAt(g.alphabetLine, "in the alphabet: %v", err)
	}
	b.declared = true
	return nil
}

// addEdges adds the edges that a label stands for.
func (g *dotGraph) addEdges(b *builder, from, to automaton.State, label string) error {
	if label == "" {
		return fmt.Errorf("an edge has no label; one that reads nothing is labeled %s", word.Empty)
	}
	add := func(name string, epsilon bool) error {
		on := automaton.Epsilon
		if !epsilon {
			var err error
			if on, err = b.symbol(name); err != nil {
				return err
			}
		}
		b.nfa.AddEdge(from, on, to)
		return nil
	}
	if g.alphabet != nil {
		return eachName(unquoteDOT(label), func(name string, quoted bool) error {
			return add(name, name == word.Empty && !quoted)
		})
	}
	_, aalpy := g.index[dotStart]
	return add(label, label == word.Empty && !aalpy)
}

func writeDOT(w *bufio.Writer, n *automaton.NFA, l *Layout) error {
	all := make([]word.Symbol, n.Alphabet.Len())
	for i := range all {
		all[i] = word.Symbol(i)
	}
	fmt.Fprintf(w, "digraph {\n\trankdir=LR;\n\talphabet=%s;\n", quoteDOT(label(n.Alphabet, all)))
	fmt.Fprint(w, "\tnode [shape=circle];\n")
	if l != nil {
		fmt.Fprint(w, "\tedge [arrowsize=0.7];\n")
	}
	fmt.Fprintf(w, "\t%s [shape=point, style=invis, label=\"\"%s];\n", dotStart, l.dotStart(n))
	name := names(n)
	for q := 1; q < len(n.Accept); q++ {
		shape, pos := "", l.dotState(automaton.State(q))
		if n.Accept[q] {
			shape = "shape=doublecircle"
		}
		if both := strings.TrimPrefix(shape+pos, ", "); both != "" {
			fmt.Fprintf(w, "\t%s [%s];\n", name[q], both)
		} else {
			fmt.Fprintf(w, "\t%s;\n", name[q])
		}
	}
	for _, q := range n.Start {
		fmt.Fprintf(w, "\t%s -> %s;\n", dotStart, name[q])
	}
	for _, b := range bundles(n) {
		fmt.Fprintf(w, "\t%s -> %s [label=%s%s];\n", name[b.from], name[b.to], quoteDOT(label(n.Alphabet, b.on)), l.dotEdge(b))
	}
	_, err := w.WriteString("}\n")
	return err
}

// dotPoint writes a point as Graphviz has it: in points, of which 72 are an inch of 96
// pixels, y upward.
func dotPoint(p Point) string {
	return fmt.Sprintf("%.1f,%.1f", positive(p.X*0.75), positive(-p.Y*0.75))
}

// dotState returns the attributes for the place of a state, if there is one.
func (l *Layout) dotState(q automaton.State) string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf(", fixedsize=true, width=0.417, pos=\"%s!\"", dotPoint(l.States[q]))
}

// dotStart returns the place where the arrow into the start begins.
func (l *Layout) dotStart(n *automaton.NFA) string {
	if l == nil || len(n.Start) == 0 {
		return ""
	}
	at := l.States[n.Start[0]]
	return fmt.Sprintf(", pos=\"%s!\"", dotPoint(Point{at.X - 56, at.Y}))
}

// dotEdge returns the attributes for the way of an edge.
func (l *Layout) dotEdge(b bundle) string {
	if l == nil {
		return ""
	}
	r, ok := l.Edges[[2]automaton.State{b.from, b.to}]
	if !ok {
		return ""
	}
	// The line ends where the arrowhead begins, which Graphviz draws from there to the tip.
	last := len(r.Path) - 1
	tip, control := r.Path[last], r.Path[last-1]
	share := min(1, 9/max(math.Hypot(control.X-tip.X, control.Y-tip.Y), 1e-9))
	path := "e," + dotPoint(tip)
	for i, p := range r.Path {
		if i == last {
			p = Point{tip.X + share*(control.X-tip.X), tip.Y + share*(control.Y-tip.Y)}
		}
		path += " " + dotPoint(p)
	}
	return fmt.Sprintf(", pos=\"%s\", lp=\"%s\"", path, dotPoint(r.Label))
}

var (
	toDOT   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`)
	fromDOT = strings.NewReplacer(`\\`, `\`, `&amp;`, `&`)
)

// quoteDOT quotes a text that Graphviz shows: there a backslash is written
// twice, and &lt; would be a <.
func quoteDOT(s string) string { return `"` + toDOT.Replace(s) + `"` }

// unquoteDOT undoes what quoteDOT did, but for the quotes, which the lexer knows.
func unquoteDOT(s string) string { return fromDOT.Replace(s) }
