package probabilistic

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"quotient/automaton"
	"quotient/word"
)

// AALpy (https://github.com/DES-Lab/AALpy) has two kinds of automata that a probabilistic
// automaton can be. A Markov chain ('mc') shows symbols by its states: there is one for each
// state of ours and each symbol that leads to it, one for the start, whose symbol is never
// read, and one in which words end. A stochastic Mealy machine ('smm') shows them by its
// transitions, so it has our states and one in which words end; but it wants an input for
// each transition, which is always the same.
//
// AALpy reads its files line by line with regular expressions, without any escapes. Names
// that it would read as others are errors.
const (
	aalpyStart = "start"
	aalpyEnd   = "end"
	aalpyInput = "next"
)

// endMarks are what people call the end of a word.
var endMarks = map[string]bool{aalpyEnd: true, "$": true, "#": true, "</s>": true, "<eos>": true, "<end>": true, "EOS": true}

// isEndMark reports whether a symbol of AALpy's stands for the end, also behind the
// underscores with which it is told from one of ours.
func isEndMark(name string) bool { return endMarks[strings.TrimLeft(name, "_")] }

// mark returns a name that no symbol has: with as many underscores as that takes.
func mark(a *word.Alphabet, name string) string {
	for {
		if _, taken := a.Symbol(name); !taken {
			return name
		}
		name = "_" + name
	}
}

// checkAALpy refuses names that AALpy would read as others. Those that stand before a
// probability must not have a colon.
func checkAALpy(a *Automaton, colon bool) error {
	if err := a.Check(); err != nil {
		return err
	}
	for _, name := range a.Alphabet.Names() {
		reason := ""
		switch {
		case strings.ContainsAny(name, "\"\r\n\\"):
			reason = "it contains a quote, a backslash or a line break"
		case strings.Contains(name, "->"), strings.Contains(name, dotStart):
			reason = "it contains -> or " + dotStart
		case strings.TrimSpace(name) != name:
			reason = "it begins or ends with white space"
		case name[0] == '{' && name[len(name)-1] == '}':
			reason = "braces around a name are removed"
		case colon && strings.Contains(name, ":"):
			reason = "it contains a colon"
		case isEndMark(name):
			reason = "there it means the end of a word"
		default:
			continue
		}
		return fmt.Errorf("symbol %q cannot be written for AALpy: %s", name, reason)
	}
	return nil
}

// writeAALpy writes a Markov chain.
func writeAALpy(w io.Writer, a *Automaton) error {
	if err := checkAALpy(a, false); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	node := func(q automaton.State, on word.Symbol) string { return fmt.Sprintf("s%d_%d", q, on) }
	type entered struct {
		q  automaton.State
		on word.Symbol
	}
	var nodes []entered
	met := map[entered]bool{}
	a.each(func(_ automaton.State, s word.Symbol, to automaton.State, _ float64) {
		if x := (entered{to, s}); !met[x] {
			met[x] = true
			nodes = append(nodes, x)
		}
	})
	b.WriteString("digraph automaton {\n")
	fmt.Fprintf(b, "start [label=\"%s\"];\n", mark(a.Alphabet, aalpyStart))
	for _, n := range nodes {
		fmt.Fprintf(b, "%s [label=\"%s\"];\n", node(n.q, n.on), a.Alphabet.Name(n.on))
	}
	fmt.Fprintf(b, "end [label=\"%s\"];\n", mark(a.Alphabet, aalpyEnd))
	edges := func(from string, q automaton.State) {
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if row[s] > 0 {
				fmt.Fprintf(b, "%s -> %s [label=%s];\n", from, node(to, word.Symbol(s)), number(row[s]))
			}
		}
		if a.End[q] > 0 {
			fmt.Fprintf(b, "%s -> end [label=%s];\n", from, number(a.End[q]))
		}
	}
	edges("start", a.Start)
	for _, n := range nodes {
		edges(node(n.q, n.on), n.q)
	}
	fmt.Fprintf(b, "%s [shape=none, label=\"\"];\n%s -> start [label=\"\"];\n}\n", dotStart, dotStart)
	return b.Flush()
}

// writeAALpySMM writes a stochastic Mealy machine.
func writeAALpySMM(w io.Writer, a *Automaton) error {
	if err := checkAALpy(a, true); err != nil {
		return err
	}
	if a.Start == automaton.Dead {
		return errors.New("an automaton without states cannot be written for AALpy")
	}
	b := bufio.NewWriter(w)
	b.WriteString("digraph automaton {\n")
	for q := 1; q <= a.Len(); q++ {
		fmt.Fprintf(b, "s%d [label=\"s%d\"];\n", q, q)
	}
	b.WriteString("end [label=\"end\"];\n")
	end := mark(a.Alphabet, aalpyEnd)
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if row[s] > 0 {
				fmt.Fprintf(b, "s%d -> s%d [label=\"%s/%s:%s\"];\n", q, to, aalpyInput, a.Alphabet.Name(word.Symbol(s)), number(row[s]))
			}
		}
		if a.End[q] > 0 {
			fmt.Fprintf(b, "s%d -> end [label=\"%s/%s:%s\"];\n", q, aalpyInput, end, number(a.End[q]))
		}
	}
	fmt.Fprintf(b, "%s [shape=none, label=\"\"];\n%s -> s%d [label=\"\"];\n}\n", dotStart, dotStart, a.Start)
	return b.Flush()
}

// readAALpy reads a Markov chain, or a stochastic Mealy machine of one input, as AALpy
// saves them. A word ends with a symbol that people use for the end, such as $ or end; a
// Markov chain also ends words in any state that has no way out.
func readAALpy(data []byte) (*Automaton, string, error) {
	g, err := parseDOT(data)
	if err != nil {
		return nil, "", err
	}
	b, _ := newBuilder(nil)
	symbol := map[string]string{} // what the nodes of a chain are labeled with
	for _, n := range g.nodes {
		symbol[n.from] = n.attributes["label"]
	}
	for _, e := range g.edges {
		label := e.attributes["label"]
		switch {
		case strings.HasPrefix(e.from, dotStart):
			b.start = b.state(e.to)
		case strings.Contains(label, "/"):
			err = b.addMealy(e)
		default:
			err = b.addChain(e, symbol[e.to])
		}
		if err != nil {
			return nil, "", e.errorf("%w", err)
		}
	}
	if b.start == automaton.Dead {
		return nil, "", fmt.Errorf("no start state; an edge from %s leads to it", dotStart)
	}
	a, note, err := b.sinks().finish()
	return a, note, err
}

// addMealy adds a transition of a stochastic Mealy machine: input/symbol:probability.
func (b *builder) addMealy(e dotLine) error {
	input, rest, _ := strings.Cut(e.attributes["label"], "/")
	colon := strings.LastIndexByte(rest, ':')
	if colon < 0 {
		return fmt.Errorf("expected input/symbol:probability, found %.40q", e.attributes["label"])
	}
	p, err := probability(rest[colon+1:])
	if err != nil {
		return err
	}
	if b.input == "" {
		b.input = input
	}
	if input != b.input {
		return fmt.Errorf("two inputs, %.40q and %.40q: what answers to inputs is no distribution of words", b.input, input)
	}
	return b.addOrEnd(e, rest[:colon], p)
}

// addChain adds a transition of a Markov chain, which is labeled with its probability.
func (b *builder) addChain(e dotLine, on string) error {
	p, err := probability(e.attributes["label"])
	if err != nil {
		return err
	}
	if on == "" {
		return fmt.Errorf("node %.40q has no label: it would be the symbol that leads there", e.to)
	}
	return b.addOrEnd(e, on, p)
}

// addOrEnd adds a transition, or the end of a word.
func (b *builder) addOrEnd(e dotLine, on string, p float64) error {
	from := b.state(e.from)
	if isEndMark(on) {
		if !(p >= 0 && p <= 1+tolerated) {
			return fmt.Errorf("the probability %g is not between 0 and 1", p)
		}
		b.ends[from] += p
		return nil
	}
	return b.add(from, on, b.state(e.to), p)
}

// sinks makes words end where nothing follows.
func (b *builder) sinks() *builder {
	out := make([]bool, len(b.ends))
	for _, e := range b.edges {
		out[e.from] = true
	}
	for q := 1; q < len(b.ends); q++ {
		if !out[q] && b.ends[q] == 0 {
			b.ends[q] = 1
		}
	}
	return b
}
