package codec

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"quotient/automaton"
	"quotient/word"
)

// AT&T text is what OpenFst's fstcompile reads and fstprint writes: a line
//
//	from  to  in  out  [weight]
//
// for a transition, a line with a state (and a weight) for a final state, and
// the first line begins with the initial state. The output symbol may be left
// out, and must be the input symbol where it is given: transducers are refused.
// A weight is checked and then dropped, except that Infinity says, as in
// OpenFst, that there is no such transition or that the state is not final. In
// four columns the last is a weight if it has a decimal point.
//
// <eps> (or @0@, as HFST writes it) reads nothing. White space and unprintable
// characters in names are written as <U+0020>.
//
// Kept: the states and their order, the edges, the symbols that are used (in
// alphabetical order). An automaton with no or several start states gets one
// more state.
var attFormat = Format{
	Name:       "att",
	Extensions: []string{".att"},
	Doc:        "AT&T text as used by OpenFst; keeps states, edges and the symbols that occur on them",
	read:       readATT,
	write:      writeATT,
}

const attEpsilon = "<eps>"

func isATTEpsilon(name string) bool { return name == attEpsilon || name == "@0@" }

func readATT(text string) (*automaton.NFA, error) {
	b := newBuilder(len(text))
	for line := 1; text != ""; line++ {
		var row string
		row, text, _ = strings.Cut(text, "\n")
		columns, n, err := attColumns(strings.TrimSuffix(row, "\r"))
		if err == nil && n > 0 {
			err = b.addATT(columns, n)
		}
		if err != nil {
			return nil, errorAt(line, "%v", err)
		}
	}
	b.orderStates("")
	return b.finish()
}

// attColumns splits a line at its spaces and tabs.
func attColumns(row string) (columns [5]string, n int, err error) {
	start := 0
	for i := 0; i <= len(row); i++ {
		if i < len(row) && row[i] != '\t' && row[i] != ' ' {
			continue
		}
		if start == i {
			if i > 0 && i < len(row) && row[i] == '\t' && row[i-1] == '\t' {
				return columns, 0, fmt.Errorf("a column is empty; a space in a name is written <U+0020>, no symbol at all %s", attEpsilon)
			}
		} else {
			if n == len(columns) {
				return columns, 0, fmt.Errorf("more than five columns; a transition is written: from, to, in, out, weight")
			}
			columns[n] = row[start:i]
			n++
		}
		start = i + 1
	}
	return columns, n, nil
}

// addATT adds what a line of one to five columns says.
func (b *builder) addATT(columns [5]string, n int) error {
	exists := true
	if n == 4 && columns[2] != columns[3] && strings.Contains(columns[3], ".") || n == 2 || n == 5 {
		w, err := strconv.ParseFloat(columns[n-1], 64)
		if err != nil {
			return fmt.Errorf("weight %s is not a number", shorten(columns[n-1]))
		}
		exists = !math.IsInf(w, 1)
		n--
	}
	from := b.state(columns[0])
	if len(b.nfa.Start) == 0 {
		b.nfa.Start = append(b.nfa.Start, from)
	}
	if n == 1 {
		b.nfa.Accept[from] = exists
		return nil
	}
	if n == 4 && columns[2] != columns[3] {
		return fmt.Errorf("in %s and out %s differ: transducers are not supported (a weight needs a decimal point, or a fifth column)",
			shorten(columns[2]), shorten(columns[3]))
	}
	on := automaton.Epsilon
	if !isATTEpsilon(columns[2]) {
		var err error
		if on, err = b.symbol(unescape(columns[2])); err != nil {
			return err
		}
	}
	if to := b.state(columns[1]); exists {
		b.nfa.AddEdge(from, on, to)
	}
	return nil
}

// writeATT numbers the states from 0, as OpenFst does.
func writeATT(w *bufio.Writer, n *automaton.NFA) error {
	n = withOneStart(n)
	start := n.Start[0]
	names := ATTNames(n.Alphabet)
	mentioned := make([]bool, len(n.Accept))
	edge := func(e automaton.Edge) {
		name := attEpsilon
		if e.On != automaton.Epsilon {
			name = names[e.On]
		}
		line := strconv.AppendInt(w.AvailableBuffer(), int64(e.From-1), 10)
		line = strconv.AppendInt(append(line, '\t'), int64(e.To-1), 10)
		line = append(append(append(line, '\t'), name...), '\t')
		w.Write(append(append(line, name...), '\n'))
		mentioned[e.From], mentioned[e.To] = true, true
	}
	state := func(q automaton.State) {
		if n.Accept[q] {
			fmt.Fprintf(w, "%d\n", q-1)
		} else if !mentioned[q] {
			fmt.Fprintf(w, "%d\tInfinity\n", q-1)
		}
		mentioned[q] = true
	}

	for _, e := range n.Edges { // the start has to come first
		if e.From == start {
			edge(e)
		}
	}
	alone := !mentioned[start]
	if alone {
		state(start)
	}
	for _, e := range n.Edges {
		if e.From != start {
			edge(e)
		}
	}
	for q := automaton.State(1); int(q) < len(n.Accept); q++ {
		if q != start || !alone {
			state(q)
		}
	}
	return nil
}

// ATTNames returns the names of symbols as they stand in a file of AT&T's format.
func ATTNames(a *word.Alphabet) []string {
	names := a.Names()
	for i, name := range names {
		if isATTEpsilon(name) {
			names[i] = escapeFirst(name)
		} else {
			names[i] = escape(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
		}
	}
	return names
}

// ParseATTName returns the symbol that a column of such a file names, and reports whether it
// is none at all: the transition reads nothing.
func ParseATTName(text string) (name string, epsilon bool) {
	return unescape(text), isATTEpsilon(text)
}
