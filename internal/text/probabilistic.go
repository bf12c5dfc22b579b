package text

import (
	"fmt"
	"io"
	"strconv"

	"quotient/automaton"
	"quotient/probabilistic"
	"quotient/word"
)

// Probabilistic writes a probabilistic automaton: its size, a table with the probability of
// the end and of every symbol, and what its words are like.
func Probabilistic(w io.Writer, a *probabilistic.Automaton) {
	fmt.Fprintf(w, "%s over %s\n", Strong(w, Plural(a.Len(), "state")), a.Alphabet)
	if a.Len() > 0 && a.Alphabet.Len() <= shownSymbols {
		Print(w, shares(a))
		fmt.Fprint(w, More(a.Len(), "-o FILE"))
	}
	if s, err := a.Summarize(); err == nil {
		fmt.Fprintf(w, "a word has %.4g symbols on average, its end included; entropy %.4g nats a word, %.4g a symbol\n", s.Symbols, s.Entropy, s.PerSymbol)
	} else {
		fmt.Fprintln(w, err)
	}
}

func shares(a *probabilistic.Automaton) *Grid {
	header := []string{"", "state", "ends"}
	for _, name := range a.Alphabet.Names() {
		header = append(header, word.QuoteName(name))
	}
	t := Table(header...)
	for q := automaton.State(1); int(q) <= Shown(a.Len()); q++ {
		row := Row{start(q == a.Start), State(q), Share(a.End[q])}
		probabilities := a.Row(q)
		for s, to := range a.Targets(q) {
			cell := "·"
			if probabilities[s] > 0 {
				cell = State(to) + " " + Share(probabilities[s])
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	return t
}

// Share writes a probability to three digits; zero is a dot.
func Share(p float64) string {
	if p == 0 {
		return "·"
	}
	return strconv.FormatFloat(p, 'g', 3, 64)
}
