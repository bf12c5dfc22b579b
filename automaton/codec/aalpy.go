package codec

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"quotient/automaton"
	"quotient/word"
)

// AALpy (https://github.com/DES-Lab/AALpy) keeps a DFA in a DOT file in which
// every edge has one symbol, and reads it line by line with regular expressions,
// without any escapes. Its automata step by looking a symbol up, so one that is
// not complete fails on the first missing transition: what we write is
// deterministic and complete, if need be with a state called sink.
//
// Kept: the language and the alphabet as a set; the numbers of the states if the
// automaton is deterministic. Names that AALpy would read as others are errors.
var aalpyFormat = Format{
	Name:          "aalpy",
	Doc:           "Graphviz DOT as AALpy reads and writes a DFA; keeps the language",
	read:          readDOT,
	Deterministic: true,
	write:         writeAALpy,
}

func writeAALpy(w *bufio.Writer, n *automaton.NFA) error {
	for _, name := range n.Alphabet.Names() {
		if err := checkAALpy(name); err != nil {
			return fmt.Errorf("symbol %q cannot be written for AALpy: %w", name, err)
		}
	}
	d, err := automaton.Determinize(n, automaton.DefaultLimit)
	if err != nil {
		return err
	}
	name := names(d.NFA())
	name[automaton.Dead] = "sink"
	w.WriteString("digraph automaton {\n")
	for q := 1; q < len(d.Accept); q++ {
		if d.Accept[q] {
			fmt.Fprintf(w, "%s [label=\"%s\", shape=doublecircle];\n", name[q], name[q])
		} else {
			fmt.Fprintf(w, "%s [label=\"%s\"];\n", name[q], name[q])
		}
	}
	first := automaton.State(1)
	if needsSink(d) {
		w.WriteString("sink [label=\"sink\"];\n")
		first = automaton.Dead
	}
	for q := first; int(q) < len(d.Accept); q++ {
		for s, to := range d.Row(q) {
			fmt.Fprintf(w, "%s -> %s [label=\"%s\"];\n", name[q], name[to], d.Alphabet.Name(word.Symbol(s)))
		}
	}
	fmt.Fprintf(w, "%s [shape=none, label=\"\"];\n", dotStart)
	_, err = fmt.Fprintf(w, "%s -> %s [label=\"\"];\n}\n", dotStart, name[d.Start])
	return err
}

// needsSink reports whether d ever enters the dead state.
func needsSink(d *automaton.DFA) bool {
	if d.Start == automaton.Dead {
		return true
	}
	for _, to := range d.Table[d.Alphabet.Len():] { // behind the row of Dead
		if to == automaton.Dead {
			return true
		}
	}
	return false
}

// checkAALpy says what would keep AALpy from reading a name as it is. It takes
// what stands between two quotes to the letter, removes braces around it, and
// makes a number of it if Python's isdigit says so.
func checkAALpy(name string) error {
	backslashes := len(name) - len(strings.TrimRight(name, `\`))
	_, canonical := parseNumber(name)
	digits := !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.Is(unicode.No, r) })
	switch {
	case strings.ContainsAny(name, "\"\r\n"):
		return errors.New("it contains a quote or a line break")
	case strings.Contains(name, dotStart):
		return fmt.Errorf("it contains %s, the mark of the start state", dotStart)
	case backslashes%2 == 1:
		return errors.New("it ends in a backslash")
	case name[0] == '{' && name[len(name)-1] == '}':
		return errors.New("braces around a name are removed")
	case digits && !canonical:
		return errors.New("it would become another number")
	}
	return nil
}
