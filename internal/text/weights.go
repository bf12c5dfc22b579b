package text

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"quotient/weighted"
	"quotient/word"
)

// Weights writes a table of a weighted automaton: for every state what each symbol makes of
// it, a combination of states. Words that lead to the states may be known. Weights nearer to
// zero than the cutoff are not shown.
func Weights(w io.Writer, a *weighted.Automaton, words []string, cutoff float64) {
	header := []string{"state", "begins", "ends"}
	if words != nil {
		header = append(header[:1], "word", "begins", "ends")
	}
	for _, name := range a.Alphabet.Names() {
		header = append(header, word.QuoteName(name))
	}
	t := Table(header...)
	one := func(weight float64) string {
		return combination([]float64{weight}, cutoff, func(int) string { return "" })
	}
	for q := range Shown(a.Len()) {
		row := Row{fmt.Sprintf("q%d", q)}
		if words != nil {
			row = append(row, words[q])
		}
		row = append(row, one(a.Initial[q]), one(a.Final[q]))
		for s := range a.Alphabet.Len() {
			row = append(row, combination(a.Row(word.Symbol(s), q), cutoff, func(to int) string { return fmt.Sprintf("q%d", to) }))
		}
		t.AppendRow(row)
	}
	Print(w, t)
	fmt.Fprint(w, More(a.Len(), "-o FILE.json"))
}

// combination writes weights as a sum, 0.5 q1 - q2, those under the cutoff left out.
func combination(weights []float64, cutoff float64, name func(i int) string) string {
	var b strings.Builder
	for i, x := range weights {
		if x == 0 || math.Abs(x) < cutoff {
			continue
		}
		switch {
		case b.Len() > 0 && x < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		case x < 0:
			b.WriteString("-")
		}
		size := strconv.FormatFloat(math.Abs(x), 'g', 3, 64)
		switch {
		case name(i) == "":
			b.WriteString(size)
		case size == "1":
			b.WriteString(name(i))
		default:
			b.WriteString(size + " " + name(i))
		}
	}
	if b.Len() == 0 {
		return "·"
	}
	return b.String()
}
