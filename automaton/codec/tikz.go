package codec

import (
	"bufio"
	"fmt"
	"math"
	"strings"

	"quotient/automaton"
)

// TikZ draws in LaTeX documents. The file is complete, so that it can be
// compiled as it is; the tikzpicture in it can be copied into a paper. States and
// edges are where a layout has them, or else states stand on a circle. Names are set in typewriter type, the one font in which
// every ASCII character has its own glyph; others need LuaLaTeX or XeLaTeX.
var tikzFormat = Format{
	Name:       "tikz",
	Extensions: []string{".tex"},
	Doc:        "a LaTeX document with a TikZ picture; write-only",
	write:      func(w *bufio.Writer, n *automaton.NFA) error { return writeTikZ(w, n, nil) },
	writeAt:    writeTikZ,
}

func writeTikZ(w *bufio.Writer, n *automaton.NFA, l *Layout) error {
	if l == nil {
		l = circle(n.Len(), 113)
	}
	w.WriteString(`\documentclass[tikz, border=5pt]{standalone}
\usetikzlibrary{automata, arrows.meta}
\begin{document}
\begin{tikzpicture}[->, >=Stealth, auto, initial text=, every state/.style={minimum size=10.6mm, inner sep=0pt}]
`)
	initial := make([]bool, len(n.Accept))
	for _, q := range n.Start {
		initial[q] = true
	}
	name := names(n)
	for q := automaton.State(1); int(q) < len(n.Accept); q++ {
		style := "state"
		if initial[q] {
			style += ", initial"
		}
		if n.Accept[q] {
			style += ", accepting"
		}
		fmt.Fprintf(w, "  \\node[%s] (%s) at %s {$q_{%s}$};\n", style, name[q], tikzPoint(l.States[q]), name[q][1:])
	}
	all := bundles(n)
	drawn := make(map[[2]automaton.State]bool, len(all))
	for _, b := range all {
		drawn[[2]automaton.State{b.from, b.to}] = true
	}
	for _, b := range all {
		text := quoteTeX(label(n.Alphabet, b.on))
		if r, ok := l.Edges[[2]automaton.State{b.from, b.to}]; ok {
			if r.Short != "" && len(b.on) > 2 {
				text = quoteTeX(r.Short)
			}
			fmt.Fprintf(w, "  \\draw %s;\n  \\node at %s {%s};\n", tikzPath(r.Path), tikzPoint(r.Label), text)
			continue
		}
		bend := ""
		if b.from == b.to {
			bend = "[" + loop(l.States[b.from]) + "] "
		} else if drawn[[2]automaton.State{b.to, b.from}] {
			bend = "[bend left=15] "
		}
		fmt.Fprintf(w, "  \\path (%s) edge %snode {%s} (%s);\n", name[b.from], bend, text, name[b.to])
	}
	_, err := w.WriteString("\\end{tikzpicture}\n\\end{document}\n")
	return err
}

// tikzPoint writes a point in centimeters, of which 2.54 are an inch of 96 pixels, y upward.
func tikzPoint(p Point) string {
	const centimeters = 2.54 / 96
	return fmt.Sprintf("(%.2f, %.2f)", positive(p.X*centimeters), positive(-p.Y*centimeters))
}

// tikzPath writes a path of cubics.
func tikzPath(path []Point) string {
	var b strings.Builder
	b.WriteString(tikzPoint(path[0]))
	for i := 1; i+2 < len(path); i += 3 {
		fmt.Fprintf(&b, " .. controls %s and %s .. %s", tikzPoint(path[i]), tikzPoint(path[i+1]), tikzPoint(path[i+2]))
	}
	return b.String()
}

// positive rounds to what is printed, so that there is no -0.00.
func positive(x float64) float64 { return math.Round(x*100)/100 + 0 }

// loop returns on which side of a state on the circle its loop is drawn: outside of the
// circle, but not at the left, where the arrow to the start may be.
func loop(at Point) string {
	switch {
	case at.X > math.Abs(at.Y):
		return "loop right"
	case at.Y > 1:
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
	return inMath.Replace(b.String())
}

// inMath are the characters of labels that TeX has in its mathematics only.
var inMath = strings.NewReplacer(
	"ε", `\ensuremath{\varepsilon}`, "Σ", `\ensuremath{\Sigma}`, "∖", `\ensuremath{\setminus}`, "…", `\dots{}`, "–", `\symbol{45}`)
