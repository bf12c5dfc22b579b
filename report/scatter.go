package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"quotient/automaton"
	"quotient/extract"
	"quotient/internal/plane"
	"quotient/internal/text"
	"quotient/prefix"
)

// colors tell states apart: twelve that people with the common kinds of color
// blindness can tell from their neighbors, after Tol's muted and bright schemes.
var colors = []string{
	"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377",
	"#882255", "#44aa99", "#999933", "#cc6677", "#332288", "#88ccee",
}

const (
	scatterWidth  = 560.0
	scatterHeight = 400.0
	scatterMargin = 16.0
	scatterPoints = 1500
)

// scatter draws the network's states over the tree on their first two principal
// components, colored by the state of the automaton, rings for rejected prefixes,
// and says in words how much of the variance that shows.
func scatter(res *extract.Result) (template.HTML, string) {
	nodes := plane.Spread(res.Tree.Len(), scatterPoints)
	at, share := plane.Project(res.Tree.State.Gather(nodes))
	var low, high [2]float64
	for k := range 2 {
		low[k], high[k] = math.Inf(1), math.Inf(-1)
		for i := range nodes {
			low[k], high[k] = min(low[k], float64(at.Row(i)[k])), max(high[k], float64(at.Row(i)[k]))
		}
	}
	place := func(x float32, k int, size float64) float64 {
		span := max(high[k]-low[k], 1e-9)
		return scatterMargin + (float64(x)-low[k])/span*(size-2*scatterMargin)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%g" height="%g" viewBox="0 0 %[1]g %[2]g">`, scatterWidth, scatterHeight)
	fmt.Fprintf(&b, "<title>%d states of the network in the plane</title>\n", len(nodes))
	fmt.Fprintf(&b, `<rect width="%g" height="%g" rx="6" fill="#fff" stroke="#ddd"/>`+"\n", scatterWidth, scatterHeight)
	for i, n := range nodes {
		w := res.Tree.Word(prefix.Node(n))
		q := res.Automaton.Run(w)
		color, name := "#999999", "∅"
		if q != automaton.Dead {
			color, name = colors[int(q-1)%len(colors)], fmt.Sprintf("q%d", q-1)
		}
		paint := fmt.Sprintf(`fill="%s" fill-opacity=".55"`, color)
		if !res.Tree.Accept[n] {
			paint = fmt.Sprintf(`fill="none" stroke="%s"`, color)
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3.5" %s><title>%s: %s</title></circle>`+"\n",
			place(at.Row(i)[0], 0, scatterWidth), scatterHeight-place(at.Row(i)[1], 1, scatterHeight), paint,
			name, template.HTMLEscapeString(text.Shorten(res.Tree.Alphabet.Format(w), 80)))
	}
	b.WriteString("</svg>\n")
	return template.HTML(b.String()), fmt.Sprintf("%.0f%% and %.0f%%", 100*share[0], 100*share[1])
}

// legend names the colors of the first states.
func legend(d *automaton.DFA) template.HTML {
	var b strings.Builder
	for q := 0; q <= min(d.Len(), len(colors)); q++ {
		color, name := "#999999", "∅"
		if q > 0 {
			color, name = colors[q-1], fmt.Sprintf("q%d", q-1)
		}
		fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5" fill="%s"/></svg> %s&ensp;`, color, name)
	}
	return template.HTML(b.String())
}
