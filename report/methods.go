package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"quotient/study"
)

// methods lists what each method made of the network as rows of text, the heading
// first. An error stands in place of the states.
func methods(entries []study.Entry) [][]string {
	rows := [][]string{{"method", "states", "agreement", "target", "words asked for", "cache hits", "hypotheses", "seconds"}}
	data := slices.ContainsFunc(entries, func(e study.Entry) bool { return e.Data != nil })
	if data {
		rows[0] = append(rows[0], "held-out words")
	}
	for _, e := range entries {
		cells := e.Cells()
		if e.Error != nil {
			cells[1] = cells[8]
		}
		if cells = cells[:8]; data {
			cells = append(cells, held(e))
		}
		rows = append(rows, cells)
	}
	return rows
}

// held says on how many of the user's held-out words network and automaton agree.
func held(e study.Entry) string {
	if e.Words == nil {
		return "·"
	}
	a := e.Words.Agreement
	return fmt.Sprintf("%d of %d", a.Agree, a.Words)
}

// Sizes of the bar chart, in pixels.
const (
	barHeight = 20
	barLabel  = 80  // room for the names of the methods
	barPanel  = 270 // a panel, with room for the number behind the longest bar
	barLength = 190
)

// bars draws states, words and seconds of all methods that ended, with one panel for
// each. Lengths are logarithmic, because methods differ by orders of magnitude.
func bars(entries []study.Entry) template.HTML {
	panels := []struct {
		title, format string
		value         func(study.Entry) float64
	}{
		{"states", "%.0f", func(e study.Entry) float64 { return float64(e.States) }},
		{"words asked for", "%.0f", func(e study.Entry) float64 { return float64(e.Membership) }},
		{"seconds", "%.2g", func(e study.Entry) float64 { return e.Seconds }},
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="13">`,
		barLabel+len(panels)*barPanel, (len(entries)+1)*barHeight+8)
	fmt.Fprintf(&b, "\n<title>What each method needs, on logarithmic scales</title>\n")
	baseline := func(row int) int { return (row+2)*barHeight - 6 }
	for i, e := range entries {
		fmt.Fprintf(&b, `<text x="0" y="%d">%s</text>`+"\n", baseline(i), template.HTMLEscapeString(e.Method))
	}
	for p, panel := range panels {
		x := barLabel + p*barPanel
		fmt.Fprintf(&b, `<text x="%d" y="14" font-weight="bold">%s</text>`+"\n", x, panel.title)
		low, high := math.Inf(1), math.Inf(-1)
		for _, e := range entries {
			if v := panel.value(e); e.Error == nil && v > 0 {
				low, high = min(low, v), max(high, v)
			}
		}
		for i, e := range entries {
			v := panel.value(e)
			if e.Error != nil || v <= 0 {
				fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#5b6272">·</text>`+"\n", x, baseline(i))
				continue
			}
			length := barLength * (1 + math.Log(v/low)) / (1 + math.Log(high/low))
			color := "#4c78a8"
			if e.Equal != nil && !*e.Equal {
				color = "#c9cdd6"
			}
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/><text x="%.1f" y="%d">`+panel.format+"</text>\n",
				x, baseline(i)-12, length, barHeight-5, color, float64(x)+length+5, baseline(i), v)
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
