package draw

import (
	"bufio"
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
	g, hidden, err := newWeightGraph(a, o.Cutoff)
	if err != nil {
		return err
	}
	if o.Title == "" {
		o.Title = fmt.Sprintf("A weighted automaton with %s", count(a.Len(), "state"))
	}
	desc := fmt.Sprintf("A weighted automaton with %s over %s. It accepts words whose value is over %s.",
		count(a.Len(), "state"), a.Alphabet, weight(a.Threshold))
	if hidden > 0 {
		desc += fmt.Sprintf(" Not shown: %s nearer to zero than %s.", count(hidden, "weight"), weight(o.Cutoff))
	}
	b := bufio.NewWriter(w)
	writeSVG(b, best(g), o.Title, desc)
	return b.Flush()
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

// newWeightGraph also returns how many weights are hidden that are not zero.
func newWeightGraph(a *weighted.Automaton, cutoff float64) (g *graph, hidden int, err error) {
	if a.Len() > MaxStates {
		return nil, 0, weightsTooLarge("states", MaxStates)
	}
	shown := func(x float64) bool {
		if x != 0 && math.Abs(x) < cutoff {
			hidden++
		}
		return x != 0 && math.Abs(x) >= cutoff
	}
	g = &graph{}
	begins := 0
	for q, x := range a.Initial {
		n := node{state: automaton.State(q + 1), index: q}
		if shown(x) {
			n.in = weight(x)
			begins++
		}
		if shown(a.Final[q]) {
			n.accept, n.out = true, weight(a.Final[q])
		}
		g.nodes = append(g.nodes, n)
	}
	if a.Len() == 0 { // nothing else to show
		g.nodes = []node{{state: automaton.Dead}}
		return g, 0, nil
	}
	// The arrow points to the first node: where most words begin.
	start := 0
	for q, x := range a.Initial {
		if math.Abs(x) > math.Abs(a.Initial[start]) {
			start = q
		}
	}
	g.nodes[0], g.nodes[start] = g.nodes[start], g.nodes[0]
	if begins == 1 && g.nodes[0].in == "1" {
		g.nodes[0].in = ""
	}
	for i, from := range g.nodes {
		for j, to := range g.nodes {
			var symbols []word.Symbol
			var weights []float64
			for s := range a.Alphabet.Len() {
				if x := a.Row(word.Symbol(s), from.index)[to.index]; shown(x) {
					symbols, weights = append(symbols, word.Symbol(s)), append(weights, x)
				}
			}
			if len(symbols) == 0 {
				continue
			}
			if len(g.edges) == MaxEdges {
				return nil, 0, weightsTooLarge("edges", MaxEdges)
			}
			g.edges = append(g.edges, edge{
				from: i, to: j, label: weightLabel(a.Alphabet, symbols, weights), negative: slices.Max(weights) < 0,
			})
		}
	}
	g.pair()
	return g, hidden, nil
}

func weightsTooLarge(what string, limit int) error {
	return fmt.Errorf("%w; choose a larger cutoff, or a smaller rank",
		&automaton.LimitError{Op: "drawing a weighted automaton", What: what, Limit: limit})
}

// weightLabel writes symbols with their weights, a:0.5, those of equal weight joined.
func weightLabel(a *word.Alphabet, symbols []word.Symbol, weights []float64) label {
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
	text := strings.Join(items, " ")
	l := label{text: text, full: text}
	if textWidth(text) > maxLabel {
		l.text = cut(items, len(symbols))
	}
	return l
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
