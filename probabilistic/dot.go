package probabilistic

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"quotient/automaton"
	"quotient/word"
)

// dotHeader begins our own DOT files. They are recognized by it.
const dotHeader = "digraph probabilistic {"

// writeDOT writes a graph that Graphviz draws: probabilities to three digits in the labels,
// and as widths of the edges; a double circle is a state in which words may end. The
// attributes "alphabet", "end" and "exact" hold everything as it is, for readDOT.
func writeDOT(w io.Writer, a *Automaton) error {
	if err := a.Check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	names := make([]string, a.Alphabet.Len())
	for i, name := range a.Alphabet.Names() {
		names[i] = strconv.Quote(name)
	}
	fmt.Fprintf(b, "%s\n\trankdir=LR;\n\talphabet=%s;\n", dotHeader, quoteDOT(strings.Join(names, "\n")))
	fmt.Fprintf(b, "\tnode [shape=circle];\n\t%s [shape=point, style=invis, label=\"\"];\n", dotStart)
	for q := 1; q <= a.Len(); q++ {
		label, shape := fmt.Sprintf("q%d", q-1), ""
		if a.End[q] > 0 {
			label, shape = label+"\n"+brief(a.End[q]), ", shape=doublecircle"
		}
		fmt.Fprintf(b, "\t%d [label=%s%s, end=%s];\n", q, quoteDOT(label), shape, quoteDOT(number(a.End[q])))
	}
	if a.Start != automaton.Dead {
		fmt.Fprintf(b, "\t%s -> %d;\n", dotStart, a.Start)
	}
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		for _, x := range a.Bundles(q) {
			var label, exact []string
			for i, s := range x.On {
				label = append(label, word.QuoteName(a.Alphabet.Name(s))+" "+brief(x.Prob[i]))
				exact = append(exact, strconv.Quote(a.Alphabet.Name(s))+":"+number(x.Prob[i]))
			}
			fmt.Fprintf(b, "\t%d -> %d [label=%s, penwidth=%.2f, exact=%s];\n", q, x.To,
				quoteDOT(strings.Join(label, "\n")), 0.5+3.5*x.Total, quoteDOT(strings.Join(exact, "\n")))
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

// brief writes a probability to three digits.
func brief(p float64) string { return strconv.FormatFloat(p, 'g', 3, 64) }

// A Bundle is all transitions from one state to another, which pictures show as one.
type Bundle struct {
	To    automaton.State
	On    []word.Symbol // ascending
	Prob  []float64     // of each
	Total float64       // of all
}

// Bundles returns the transitions from a state whose probability is not zero, in the order
// of the first symbol that leads to each other state.
func (a *Automaton) Bundles(q automaton.State) []Bundle {
	var list []Bundle
	index := map[automaton.State]int{}
	row := a.Row(q)
	for s, to := range a.Targets(q) {
		if row[s] == 0 {
			continue
		}
		i, met := index[to]
		if !met {
			i = len(list)
			index[to] = i
			list = append(list, Bundle{To: to})
		}
		x := &list[i]
		x.On, x.Prob, x.Total = append(x.On, word.Symbol(s)), append(x.Prob, row[s]), x.Total+row[s]
	}
	return list
}

// readDOT reads what writeDOT writes.
func readDOT(data []byte) (*Automaton, string, error) {
	g, err := parseDOT(data)
	if err != nil {
		return nil, "", err
	}
	if g.alphabet == nil {
		return nil, "", errors.New("the graph has no attribute alphabet: it is no probabilistic automaton of ours; AALpy's files are read in the format aalpy")
	}
	names := []string{}
	for _, item := range items(*g.alphabet) {
		name, _, err := quoted(item)
		if err != nil {
			return nil, "", err
		}
		names = append(names, name)
	}
	b, err := newBuilder(names)
	if err != nil {
		return nil, "", err
	}
	for _, n := range g.nodes {
		if strings.HasPrefix(n.from, dotStart) {
			continue
		}
		if b.ends[b.state(n.from)], err = probability(n.attributes["end"]); err != nil {
			return nil, "", n.errorf("%v", err)
		}
	}
	for _, e := range g.edges {
		if strings.HasPrefix(e.from, dotStart) {
			b.start = b.state(e.to)
			continue
		}
		for _, item := range items(e.attributes["exact"]) {
			name, rest, err := quoted(item)
			var p float64
			if err == nil {
				p, err = probability(strings.TrimPrefix(rest, ":"))
			}
			if err == nil {
				err = b.add(b.state(e.from), name, b.state(e.to), p)
			}
			if err != nil {
				return nil, "", e.errorf("%v", err)
			}
		}
	}
	return b.finish()
}

// items splits a list at its line breaks.
func items(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// quoted returns the name in quotes that a text begins with, and the rest.
func quoted(text string) (name, rest string, err error) {
	prefix, err := strconv.QuotedPrefix(text)
	if err == nil {
		name, err = strconv.Unquote(prefix)
	}
	if err != nil {
		return "", "", fmt.Errorf("expected a name in quotes, found %.40q", text)
	}
	return name, text[len(prefix):], nil
}

func probability(text string) (float64, error) {
	p, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(p) {
		return 0, fmt.Errorf("%.40q is no probability", text)
	}
	return p, nil
}
