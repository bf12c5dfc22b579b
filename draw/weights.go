package draw

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"quotient/automaton"
	"quotient/weighted"
	"quotient/word"
)

// WeightOptions say how a weighted automaton is drawn. The zero value is a good choice.
type WeightOptions struct {
	Title  string  // for screen readers and as a tooltip; one is made up if empty
	Cutoff float64 // weights nearer to zero are not shown; a fiftieth of the largest if 0
	Parts  bool    // as in [Options]
}

// Weights writes a picture of a to w. An edge is labeled with its symbols and their
// weights, to two digits; it is dashed and red if all of them are negative. A double
// circle is a state in which words can end, with the weight under its name. A state in
// which words begin has that weight above its name, unless it is the only one and the
// weight is 1. Weights nearer to zero than the cutoff are left out.
//
// Past [MaxStates] or [MaxEdges] the error is an [automaton.LimitError].
func Weights(w io.Writer, a *weighted.Automaton, o WeightOptions) error {
	if o.Cutoff == 0 {
		o.Cutoff = Cutoff(a)
	}
	g, hidden, err := fromWeights(a, o.Cutoff)
	var limit *automaton.LimitError
	if errors.As(err, &limit) {
		limit.Op = "drawing a weighted automaton"
		return fmt.Errorf("%w; choose a larger cutoff, or a smaller rank", limit)
	}
	g.Title = fmt.Sprintf("A weighted automaton with %s", count(a.Len(), "state"))
	g.Description = fmt.Sprintf("A weighted automaton with %s over %s. It accepts words whose value is over %s.",
		count(a.Len(), "state"), a.Alphabet, weight(a.Threshold))
	if hidden > 0 {
		g.Description += fmt.Sprintf(" Not shown: %s nearer to zero than %s.", count(hidden, "weight"), weight(o.Cutoff))
	}
	return SVG(w, g, Options{Title: o.Title, Parts: o.Parts})
}

// Cutoff returns the weight below which nothing is shown unless told otherwise: a
// fiftieth of the largest.
func Cutoff(a *weighted.Automaton) float64 {
	most := 0.0
	for _, list := range [][]float64{a.Initial, a.Weights, a.Final} {
		for _, x := range list {
			most = max(most, math.Abs(x))
		}
	}
	return most / 50
}

// fromWeights also returns how many weights are hidden that are not zero. Its only error is
// that of a limit.
func fromWeights(a *weighted.Automaton, cutoff float64) (g *Graph, hidden int, err error) {
	if err := checkSize(a.Len(), 0); err != nil {
		return nil, 0, err
	}
	shown := func(x float64) bool {
		if x != 0 && math.Abs(x) < cutoff {
			hidden++
		}
		return x != 0 && math.Abs(x) >= cutoff
	}
	g = &Graph{}
	begins, start := 0, 0
	for q, x := range a.Initial {
		n := Node{ID: q + 1, Name: fmt.Sprintf("q%d", q)}
		if shown(x) {
			n.In = weight(x)
			begins++
		}
		if shown(a.Final[q]) {
			n.Accept, n.Out = true, weight(a.Final[q])
		}
		if math.Abs(x) > math.Abs(a.Initial[start]) {
			start = q
		}
		g.Nodes = append(g.Nodes, n)
	}
	if a.Len() == 0 {
		return g, 0, nil
	}
	// The arrow points to the first node: where most words begin.
	g.Nodes[0], g.Nodes[start] = g.Nodes[start], g.Nodes[0]
	if begins == 1 && g.Nodes[0].In == "1" {
		g.Nodes[0].In = ""
	}
	for i, from := range g.Nodes {
		for j, to := range g.Nodes {
			var symbols []word.Symbol
			var weights []float64
			for s := range a.Alphabet.Len() {
				if x := a.Row(word.Symbol(s), from.ID-1)[to.ID-1]; shown(x) {
					symbols, weights = append(symbols, word.Symbol(s)), append(weights, x)
				}
			}
			if len(symbols) == 0 {
				continue
			}
			e := Edge{From: i, To: j, Negative: slices.Max(weights) < 0}
			e.Label, e.Short = weightLabel(a.Alphabet, symbols, weights)
			g.Edges = append(g.Edges, e)
			if err := checkSize(a.Len(), len(g.Edges)); err != nil {
				return nil, 0, err
			}
		}
	}
	return g, hidden, nil
}

// weightLabel writes symbols with their weights, a:0.5, those of equal weight joined.
func weightLabel(a *word.Alphabet, symbols []word.Symbol, weights []float64) (full, short string) {
	var order []string // weights as they are written, in the order of their first symbols
	with := map[string][]word.Symbol{}
	for i, s := range symbols {
		x := weight(weights[i])
		if with[x] == nil {
			order = append(order, x)
		}
		with[x] = append(with[x], s)
	}
	var items []string
	for _, x := range order {
		items = append(items, strings.Join(list(a, with[x]), ",")+":"+x)
	}
	full = strings.Join(items, " ")
	return full, shorten(full, items, len(symbols), maxLabel)
}

// weight writes a weight to two digits, or more for large whole numbers.
func weight(x float64) string {
	if x < 0 {
		return "−" + weight(-x)
	}
	if x >= 100 && x < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}
