package codec

import (
	"strings"
)

// A dotGraph is what a DOT file says, as far as automata are concerned.
type dotGraph struct {
	lexer  dotLexer
	tok    dotToken // the one to be looked at next
	broken error    // the first of the lexer

	index map[string]int32 // of the nodes
	nodes []dotNode
	edges []dotEdge

	labels    map[string]int32
	labelText []string // of the edges; number 0 is the empty one

	nodeDefault dotNode
	edgeDefault int32 // a label

	alphabet     *string // the graph's attribute of this name
	alphabetLine int
}

// A dotNode is what the look of a node says; there is one for every few bytes of
// a file, so it is kept small.
type dotNode struct {
	marker    bool // its name begins with __start
	double    bool // its shape has two lines
	periphery bool // it is drawn with two lines by "peripheries"
	hidden    bool // its shape is none or a point
	invisible bool
}

type dotEdge struct {
	from, to, label int32
	line            int32
}

func parseDOT(text string) (*dotGraph, error) {
	g := &dotGraph{
		lexer:     dotLexer{text: text, line: 1},
		index:     make(map[string]int32),
		labels:    map[string]int32{"": 0},
		labelText: []string{""},
	}
	g.advance()
	err := g.header()
	for err == nil && g.tok.kind != '}' {
		err = g.statement()
	}
	if err == nil {
		if g.advance(); g.tok.kind != dotEnd {
			err = errorAt(g.tok.line, "something follows the graph")
		}
	}
	if g.broken != nil {
		return nil, g.broken
	}
	return g, err
}

// advance moves to the next token. Where there is none because the text is
// broken, that is the end of the file for the parser, and the error for the user.
func (g *dotGraph) advance() {
	tok, err := g.lexer.next()
	if err != nil && g.broken == nil {
		g.broken = err
	}
	if g.broken != nil {
		tok = dotToken{kind: dotEnd, line: tok.line}
	}
	g.tok = tok
}

// take moves past a token of the given kind and returns its text.
func (g *dotGraph) take(kind dotKind) (string, error) {
	if g.tok.kind != kind {
		found := g.tok.kind.String()
		if g.tok.kind == dotID {
			found = shorten(g.tok.text)
		}
		return "", errorAt(g.tok.line, "expected %v, found %s", kind, found)
	}
	text := g.tok.text
	g.advance()
	return text, nil
}

// keyword returns the keyword that comes next, or nothing.
func (g *dotGraph) keyword() string {
	if g.tok.kind != dotID || g.tok.quoted || len(g.tok.text) > len("subgraph") {
		return ""
	}
	switch k := strings.ToLower(g.tok.text); k {
	case "strict", "graph", "digraph", "node", "edge", "subgraph":
		return k
	}
	return ""
}

// header reads up to the opening brace.
func (g *dotGraph) header() error {
	if g.keyword() == "strict" {
		g.advance()
	}
	switch g.keyword() {
	case "digraph":
	case "graph":
		return errorAt(g.tok.line, "the graph is not directed; an automaton is a digraph")
	default:
		return errorAt(g.tok.line, "expected a DOT file that begins with digraph")
	}
	if g.advance(); g.tok.kind == dotID {
		if _, err := g.id(); err != nil {
			return err
		}
	}
	_, err := g.take('{')
	return err
}

// id reads a name, a number, or quoted strings joined by +.
func (g *dotGraph) id() (string, error) {
	quoted := g.tok.quoted
	text, err := g.take(dotID)
	if err != nil || !quoted || g.tok.kind != '+' {
		return text, err
	}
	var b strings.Builder
	b.WriteString(text)
	for g.tok.kind == '+' {
		if g.advance(); !g.tok.quoted {
			return "", errorAt(g.tok.line, "expected a quoted string after +")
		}
		b.WriteString(g.tok.text)
		g.advance()
	}
	return b.String(), nil
}

func (g *dotGraph) statement() error {
	line := g.tok.line
	if g.tok.kind == ';' {
		g.advance()
		return nil
	}
	if g.atSubgraph() {
		return errorAt(line, "subgraphs are not supported")
	}
	if keyword := g.keyword(); keyword != "" {
		return g.defaults(keyword)
	}
	name, err := g.id()
	if err != nil {
		return err
	}
	if g.tok.kind == '=' {
		g.advance()
		value, err := g.id()
		g.setGraph(line, name, value)
		return err
	}
	return g.nodeOrEdges(line, name)
}

func (g *dotGraph) atSubgraph() bool { return g.tok.kind == '{' || g.keyword() == "subgraph" }

// defaults reads the attributes of all nodes or edges to come, or of the graph.
func (g *dotGraph) defaults(keyword string) error {
	line := g.tok.line
	if g.advance(); g.tok.kind != '[' {
		return errorAt(line, "unexpected %s", keyword)
	}
	return g.attributes(func(name, value string) error {
		switch keyword {
		case "node":
			return g.nodeDefault.set(line, name, value)
		case "edge":
			g.setLabel(&g.edgeDefault, name, value)
		case "graph":
			g.setGraph(line, name, value)
		default:
			return errorAt(line, "unexpected %s", keyword)
		}
		return nil
	})
}

// nodeOrEdges reads what follows the first name of a statement: attributes of
// the node, or arrows to further nodes and attributes of the edges.
func (g *dotGraph) nodeOrEdges(line int, name string) error {
	if err := g.port(); err != nil {
		return err
	}
	node := g.node(name)
	first := len(g.edges)
	from := node
	for g.tok.kind == dotArrow {
		at := g.tok.line
		if g.advance(); g.atSubgraph() {
			return errorAt(g.tok.line, "subgraphs are not supported")
		}
		name, err := g.id()
		if err != nil {
			return err
		}
		if err := g.port(); err != nil {
			return err
		}
		to := g.node(name)
		g.edges = append(g.edges, dotEdge{from: from, to: to, line: int32(at)})
		from = to
	}
	if g.tok.kind == dotLine {
		return errorAt(g.tok.line, "-- has no direction; an edge of a digraph is written ->")
	}
	if len(g.edges) == first {
		return g.attributes(func(name, value string) error { return g.nodes[node].set(line, name, value) })
	}
	label := g.edgeDefault
	err := g.attributes(func(name, value string) error {
		g.setLabel(&label, name, value)
		return nil
	})
	for i := first; i < len(g.edges); i++ {
		g.edges[i].label = label
	}
	return err
}

// port passes over the place where an edge meets a node, as in q:n.
func (g *dotGraph) port() error {
	for g.tok.kind == ':' {
		g.advance()
		if _, err := g.id(); err != nil {
			return err
		}
	}
	return nil
}

// attributes reads any number of lists [name=value, …].
func (g *dotGraph) attributes(set func(name, value string) error) error {
	for g.tok.kind == '[' {
		g.advance()
		for g.tok.kind != ']' {
			if g.tok.kind == ',' || g.tok.kind == ';' {
				g.advance()
				continue
			}
			name, err := g.id()
			if err != nil {
				return err
			}
			if _, err := g.take('='); err != nil {
				return err
			}
			value, err := g.id()
			if err != nil {
				return err
			}
			if err := set(name, value); err != nil {
				return err
			}
		}
		g.advance()
	}
	return nil
}

// node returns the index of a node, a new one at its first mention.
func (g *dotGraph) node(name string) int32 {
	i, ok := g.index[name]
	if !ok {
		i = int32(len(g.nodes))
		g.index[name] = i
		node := g.nodeDefault
		node.marker = strings.HasPrefix(name, "__start")
		g.nodes = append(g.nodes, node)
	}
	return i
}

// set notes an attribute of a node.
func (n *dotNode) set(line int, name, value string) error {
	switch name {
	case "shape":
		if value == "record" || value == "Mrecord" {
			return errorAt(line, "a node is a record: this looks like a Moore machine, not an acceptor")
		}
		n.double = value == "doublecircle"
		n.hidden = value == "point" || value == "none" || value == "plaintext" || value == "plain"
	case "peripheries":
		n.periphery = value == "2"
	case "style":
		n.invisible = strings.Contains(value, "invis")
	}
	return nil
}

// setLabel notes an attribute of an edge.
func (g *dotGraph) setLabel(label *int32, name, value string) {
	if name != "label" {
		return
	}
	i, ok := g.labels[value]
	if !ok {
		i = int32(len(g.labelText))
		g.labels[value] = i
		g.labelText = append(g.labelText, value)
	}
	*label = i
}

// setGraph notes an attribute of the graph.
func (g *dotGraph) setGraph(line int, name, value string) {
	if name == "alphabet" {
		g.alphabet, g.alphabetLine = &value, line
	}
}
