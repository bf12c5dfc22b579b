package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"quotient/draw"
	"quotient/explore"
	"quotient/word"
)

// explored is what the method explore has to say beside the automaton.
type explored struct {
	Representatives int             `json:"representatives"` // opened on the way
	Source          string          `json:"source"`          // what led to the automaton
	Lengths         [2]int          `json:"lengths"`         // of the words on which it must agree
	Stopped         string          `json:"stopped,omitempty"`
	Tradeoff        []explore.Point `json:"tradeoff"` // error against states
	Findings        []finding       `json:"findings"` // where the network departs, shortest first
}

type finding struct {
	Word      string `json:"word"`
	Network   bool   `json:"network"` // whether it accepts the word
	Automaton bool   `json:"automaton"`
}

func newExplored(res *explore.Result, a *word.Alphabet) *explored {
	e := &explored{
		Representatives: res.Representatives, Source: res.Source, Stopped: res.Stopped,
		Lengths:  [2]int{res.Options.Low, res.Options.High},
		Tradeoff: res.Tradeoff, Findings: []finding{},
	}
	for _, f := range res.Findings {
		e.Findings = append(e.Findings, finding{a.Format(f.Word), f.Network, f.Automaton})
	}
	return e
}

// tell prints how the automaton was found, and, if no automaton agrees on all
// words, how the error falls with the number of states.
func (e *explored) tell(w io.Writer) {
	fmt.Fprintf(w, "explored: %s opened; the automaton came of %s\n", plural(e.Representatives, "representative"), e.Source)
	if e.Stopped != "" {
		fmt.Fprintf(w, "the search ended because %s\n", e.Stopped)
	}
	last := e.Tradeoff[len(e.Tradeoff)-1]
	if last.Error == 0 {
		return
	}
	fmt.Fprintf(w, "no automaton that was found agrees with the network on all words of length %d to %d; the best of each size:\n",
		e.Lengths[0], e.Lengths[1])
	t := plainTable("states", "error")
	for _, p := range e.Tradeoff {
		t.AppendRow(table.Row{p.States, fmt.Sprintf("%.2f%%", 100*p.Error)})
	}
	fmt.Fprintln(w, t.Render())
}

// tellFindings lists the words where the network departs from the automaton.
func (e *explored) tellFindings(w io.Writer) {
	const most = 5
	if len(e.Findings) == 0 {
		return
	}
	fmt.Fprintln(w, "findings: the network departs from the automaton on words such as")
	for _, f := range e.Findings[:min(most, len(e.Findings))] {
		does := "rejects"
		if f.Network {
			does = "accepts"
		}
		fmt.Fprintf(w, "  %s, which the network %s\n", shorten(f.Word, 100), does)
	}
}

// plot draws error against states.
func (x *extraction) plot(path string, stdout io.Writer) error {
	if x.Explored == nil {
		return fmt.Errorf("--plot %s: the method is %s, and only explore compares automata of many sizes", path, x.Method)
	}
	line := draw.Series{Name: "explore"}
	for _, p := range x.Explored.Tradeoff {
		line.X = append(line.X, float64(p.States))
		line.Y = append(line.Y, 100*p.Error)
	}
	return writeFile(path, stdout, func(w io.Writer) error {
		return draw.Plots(w, draw.Figure{Title: "Error against states", Columns: 1, Plots: []draw.Plot{{
			Title: x.Model, X: draw.Axis{Label: "states", Log: true}, Y: draw.Axis{Label: "error (%)"}, Series: []draw.Series{line},
		}}})
	})
}

// parseLengths reads LOW-HIGH.
func parseLengths(text string) (low, high int, err error) {
	a, b, _ := strings.Cut(text, "-")
	low, err1 := strconv.Atoi(a)
	high, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || low < 0 || high < max(low, 1) {
		return 0, 0, fmt.Errorf("--lengths %s: it is two numbers, as in 0-30", text)
	}
	const longest = 1000
	if high > longest {
		return 0, 0, fmt.Errorf("--lengths %s: words of at most %d symbols are compared", text, longest)
	}
	return low, high, nil
}
