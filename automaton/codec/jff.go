package codec

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"

	"quotient/automaton"
	"quotient/word"
)

// The XML of JFLAP (https://www.jflap.org) for finite automata. A state has an
// id, a place and perhaps the marks initial and final; a transition has from, to
// and read, where an empty read reads nothing. What is read is one symbol, also
// if it has several characters. On writing, the states are put on a circle.
// Characters that XML cannot hold, or does not keep, are written as <U+000A>.
//
// Kept: the states and their order, the edges, the symbols that are used (in
// alphabetical order). JFLAP knows one initial state; an automaton with no or
// several start states gets one more state.
var jffFormat = Format{
	Name:       "jff",
	Extensions: []string{".jff"},
	Doc:        "JFLAP's XML for finite automata; keeps states, edges and the symbols that occur on them",
	read:       readJFF,
	write:      func(w *bufio.Writer, n *automaton.NFA) error { return writeJFF(w, n, nil) },
	writeAt:    writeJFF,
}

const (
	jffDepth = 100     // how deep elements may be nested
	jffTag   = 1 << 16 // how long a tag may be, in bytes
)

// A jffReader follows the elements of a document. Only the innermost state,
// transition and text are of interest, so there is no tree.
type jffReader struct {
	*builder
	line       int             // of the element being read
	mention    []int           // (1 + states): the line where a state was first mentioned
	isDeclared []bool          // (1 + states): it has an element
	open       automaton.State // the state whose element is open, or Dead
	from, to   string          // of the transition
	read       string          // by the transition
	content    strings.Builder // of the innermost element
	fa         bool            // the type was seen
}

func readJFF(text string) (*automaton.NFA, error) {
	if err := checkTags(text); err != nil {
		return nil, err
	}
	r := &jffReader{builder: newBuilder(len(text)), mention: make([]int, 1), isDeclared: make([]bool, 1)}
	dec := xml.NewDecoder(strings.NewReader(text))
	depth := 0
	for {
		t, err := dec.Token()
		r.line, _ = dec.InputPos()
		if err == io.EOF {
			break
		}
		if err == nil {
			switch t := t.(type) {
			case xml.StartElement:
				if depth++; depth > jffDepth {
					err = fmt.Errorf("elements are nested more than %d deep", jffDepth)
				} else {
					err = r.begin(t)
				}
			case xml.CharData:
				r.content.Write(t)
			case xml.EndElement:
				depth--
				err = r.end(t.Name.Local)
			}
		}
		if syntax, ok := err.(*xml.SyntaxError); ok {
			err = fmt.Errorf("invalid XML: %s", syntax.Msg)
		}
		if err != nil {
			return nil, errorAt(r.line, "%v", err)
		}
	}
	if !r.fa {
		return nil, errorAt(1, "not a JFLAP file: there is no <type>fa</type>")
	}
	for q := 1; q < len(r.nfa.Accept); q++ {
		if !r.isDeclared[q] {
			return nil, errorAt(r.mention[q], "a transition leads from or to a state that does not exist")
		}
	}
	r.orderStates("")
	return r.finish()
}

// checkTags limits the length of tags, because the decoder holds all attributes
// of one in memory, at many times their size.
func checkTags(text string) error {
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			return nil
		}
		at += next + 1
		if strings.HasPrefix(text[at:], "!") { // comments may be long
			continue
		}
		end := min(len(text), at+jffTag)
		if end < len(text) && strings.IndexByte(text[at:end], '>') < 0 {
			return errorAt(1+strings.Count(text[:at], "\n"), "a tag is longer than %d bytes", jffTag)
		}
	}
}

func (r *jffReader) begin(e xml.StartElement) error {
	r.content.Reset()
	switch e.Name.Local {
	case "state":
		id := ""
		for _, a := range e.Attr {
			if a.Name.Local == "id" {
				id = a.Value
			}
		}
		if id == "" {
			return fmt.Errorf("a state has no id")
		}
		r.open = r.mentioned(strings.TrimSpace(id))
		if r.isDeclared[r.open] {
			return fmt.Errorf("two states have the id %s", shorten(id))
		}
		r.isDeclared[r.open] = true
	case "initial":
		if r.open != automaton.Dead {
			r.nfa.Start = append(r.nfa.Start, r.open)
		}
	case "final":
		r.nfa.Accept[r.open] = r.open != automaton.Dead
	case "transition":
		r.from, r.to, r.read = "", "", ""
	}
	return nil
}

func (r *jffReader) end(name string) error {
	content := r.content.String()
	r.content.Reset()
	switch name {
	case "type":
		if kind := strings.TrimSpace(content); kind != "fa" {
			return fmt.Errorf("the type is %s; only finite automata (fa) are supported", shorten(kind))
		}
		r.fa = true
	case "state":
		r.open = automaton.Dead
	case "from":
		r.from = strings.TrimSpace(content)
	case "to":
		r.to = strings.TrimSpace(content)
	case "read":
		r.read = content
	case "transition":
		return r.addTransition()
	}
	return nil
}

func (r *jffReader) addTransition() error {
	if r.from == "" || r.to == "" {
		return fmt.Errorf("a transition has no from or no to")
	}
	on := automaton.Epsilon
	if r.read != "" {
		var err error
		if on, err = r.symbol(unescape(r.read)); err != nil {
			return err
		}
	}
	r.nfa.AddEdge(r.mentioned(r.from), on, r.mentioned(r.to))
	return nil
}

// mentioned returns the state with the given id.
func (r *jffReader) mentioned(id string) automaton.State {
	q := r.state(id)
	if int(q) == len(r.mention) {
		r.mention = append(r.mention, r.line)
		r.isDeclared = append(r.isDeclared, false)
	}
	return q
}

// writeJFF numbers the states from 0, as JFLAP does.
func writeJFF(w *bufio.Writer, n *automaton.NFA, l *Layout) error {
	n = withOneStart(n)
	if l == nil || len(l.States) != len(n.Accept) {
		l = circle(n.Len(), 120)
	}
	w.WriteString(xml.Header + "<structure>\n\t<type>fa</type>\n\t<automaton>\n")
	const margin = 60
	least := l.States[min(1, n.Len())]
	for _, p := range l.States[1:] {
		least = Point{min(least.X, p.X), min(least.Y, p.Y)}
	}
	name := names(n)
	for q := automaton.State(1); int(q) < len(n.Accept); q++ {
		at := l.States[q]
		fmt.Fprintf(w, "\t\t<state id=\"%d\" name=\"%s\">\n", q-1, name[q])
		fmt.Fprintf(w, "\t\t\t<x>%.1f</x>\n\t\t\t<y>%.1f</y>\n", margin+at.X-least.X, margin+at.Y-least.Y)
		if q == n.Start[0] {
			w.WriteString("\t\t\t<initial/>\n")
		}
		if n.Accept[q] {
			w.WriteString("\t\t\t<final/>\n")
		}
		w.WriteString("\t\t</state>\n")
	}
	for _, e := range n.Edges {
		fmt.Fprintf(w, "\t\t<transition>\n\t\t\t<from>%d</from>\n\t\t\t<to>%d</to>\n", e.From-1, e.To-1)
		if e.On == automaton.Epsilon {
			w.WriteString("\t\t\t<read/>\n")
		} else {
			w.WriteString("\t\t\t<read>")
			xml.EscapeText(w, []byte(quoteJFF(n.Alphabet, e.On)))
			w.WriteString("</read>\n")
		}
		w.WriteString("\t\t</transition>\n")
	}
	_, err := w.WriteString("\t</automaton>\n</structure>\n")
	return err
}

func quoteJFF(a *word.Alphabet, s word.Symbol) string {
	return escape(a.Name(s), func(r rune) bool { return !unicode.IsPrint(r) })
}
