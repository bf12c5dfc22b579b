package codec

import (
	"bufio"
	"fmt"
	"math"
	"strings"

	"quotient/automaton"
)

// TikZ draws in LaTeX documents. The file is complete, so that it can be
// compiled as it is; the tikzpicture in it can be copied into a paper. States
// stand on a circle. Names are set in typewriter type, the one font in which
// every ASCII character has its own glyph; others need LuaLaTeX or XeLaTeX.
var tikzFormat = Format{
	Name:       "tikz",
	Extensions: []string{".tex"},
	Doc:        "a LaTeX document with a TikZ picture; write-only",
	write:      writeTikZ,
}

func writeTikZ(w *bufio.Writer, n *automaton.NFA) error {
	w.WriteString(`\documentclass[tikz, border=5pt]{standalone}
\usetikzlibrary{automata, arrows.meta}
\begin{document}
\begin{tikzpicture}[->, >=Stealth, auto, initial text=, every state/.style={minimum size=8mm}]
`)
	const spacing = 3 // centimeters
	initial := make([]bool, len(n.Accept))
	for _, q := range n.Start {
		initial[q] = true
	}
	for q := automaton.State(1); int(q) < len(n.Accept); q++ {
		style := "state"
		if initial[q] {
			style += ", initial"
		}
		if n.Accept[q] {
			style += ", accepting"
		}
		x, y := onCircle(q, n.Len())
		fmt.Fprintf(w, "  \\node[%s] (q%d) at (%.2f, %.2f) {$%d$};\n", style, q, positive(spacing*x), positive(spacing*y), q)
	}
	all := bundles(n)
	drawn := make(map[[2]automaton.State]bool, len(all))
	for _, b := range all {
		drawn[[2]automaton.State{b.from, b.to}] = true
	}
	for _, b := range all {
		bend := ""
		if b.from == b.to {
			bend = "[" + loop(b.from, n.Len()) + "] "
		} else if drawn[[2]automaton.State{b.to, b.from}] {
			bend = "[bend left=15] "
		}
		fmt.Fprintf(w, "  \\path (q%d) edge %snode {%s} (q%d);\n", b.from, bend, quoteTeX(label(n.Alphabet, b.on)), b.to)
	}
	_, err := w.WriteString("\\end{tikzpicture}\n\\end{document}\n")
	return err
}

// positive rounds to what is printed, so that there is no -0.00.
func positive(x float64) float64 { return math.Round(x*100)/100 + 0 }

// loop returns on which side of a state its loop is drawn: outside of the
// circle, but not at the left, where the arrow to the start may be.
func loop(q automaton.State, n int) string {
	x, y := onCircle(q, n)
	switch {
	case x > math.Abs(y):
		return "loop right"
	case y < -0.01:
		return "loop below"
	}
	return "loop above"
}

// quoteTeX writes ASCII characters that mean something to TeX or TikZ by their
// number.
func quoteTeX(s string) string {
	var b strings.Builder
	b.WriteString(`\texttt{`)
	for _, r := range s {
		if strings.ContainsRune("\\{}$&#%_^~\"`'<>|-!?[]", r) {
			fmt.Fprintf(&b, `\symbol{%d}`, r)
		} else if r == ' ' {
			b.WriteString(`\ `)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteString("}")
	return strings.ReplaceAll(b.String(), "ε", `\ensuremath{\varepsilon}`)
}
