package probabilistic

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// dotStart is the node from which an arrow leads to the start.
const dotStart = "__start0"

// A dotGraph is a DOT file with one statement a line, as we and AALpy write them: AALpy
// itself reads no others.
type dotGraph struct {
	alphabet     *string // the graph's attribute of this name
	nodes, edges []dotLine
}

// A dotLine is a node, or an edge to another.
type dotLine struct {
	line       int
	from, to   string
	attributes map[string]string
}

func (l dotLine) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", l.line, fmt.Errorf(format, args...))
}

func parseDOT(data []byte) (*dotGraph, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("this is not UTF-8")
	}
	if !strings.HasPrefix(strings.TrimSpace(string(data)), "digraph") {
		return nil, errors.New("expected a DOT file that begins with digraph")
	}
	g, number := &dotGraph{}, 0
	for text := range strings.Lines(string(data)) {
		number++
		text = strings.TrimSuffix(strings.TrimSpace(text), ";")
		if text == "" || text == "}" || strings.HasPrefix(text, "digraph") {
			continue
		}
		if err := g.statement(dotLine{line: number}, text); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *dotGraph) statement(l dotLine, text string) error {
	var rest string
	if l.from, rest = dotID(text); l.from == "" {
		return l.errorf("expected a node, an edge or an attribute, found %.40q", text)
	}
	switch {
	case strings.HasPrefix(rest, "="):
		if l.from == "alphabet" {
			value, _ := dotID(strings.TrimSpace(rest[1:]))
			g.alphabet = &value
		}
		return nil
	case l.from == "node" || l.from == "edge" || l.from == "graph":
		return nil
	case strings.HasPrefix(rest, "->"):
		if l.to, rest = dotID(strings.TrimSpace(rest[2:])); l.to == "" {
			return l.errorf("the edge leads nowhere")
		}
	}
	if err := l.read(rest); err != nil {
		return err
	}
	if l.to != "" {
		g.edges = append(g.edges, l)
	} else {
		g.nodes = append(g.nodes, l)
	}
	return nil
}

// read reads a list of attributes.
func (l *dotLine) read(text string) error {
	l.attributes = map[string]string{}
	if text == "" {
		return nil
	}
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return l.errorf("expected attributes in brackets, found %.40q", text)
	}
	for text = text[1 : len(text)-1]; ; {
		text = strings.TrimLeft(text, " \t,;")
		if text == "" {
			return nil
		}
		name, rest := dotID(text)
		if name == "" || !strings.HasPrefix(rest, "=") {
			return l.errorf("expected an attribute, as in label=\"a\", found %.40q", text)
		}
		l.attributes[name], text = dotID(strings.TrimSpace(rest[1:]))
	}
}

// dotID returns the name, number or quoted text that stands first, and what follows it.
func dotID(text string) (id, rest string) {
	if strings.HasPrefix(text, `"`) {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return unquoteDOT(text[1:i]), strings.TrimSpace(text[i+1:])
			}
		}
		return "", text
	}
	end := strings.IndexAny(text, " \t=[],;")
	if arrow := strings.Index(text, "->"); arrow >= 0 && (end < 0 || arrow < end) {
		end = arrow
	}
	if end < 0 {
		end = len(text)
	}
	return text[:end], strings.TrimSpace(text[end:])
}

var toDOT = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`, "\n", `\n`)

var fromDOT = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `&amp;`, `&`, `\n`, "\n")

// quoteDOT quotes a text that Graphviz shows.
func quoteDOT(s string) string { return `"` + toDOT.Replace(s) + `"` }

// unquoteDOT undoes it.
func unquoteDOT(s string) string { return fromDOT.Replace(s) }
