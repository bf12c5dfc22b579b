package report

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"

	"quotient/automaton"
	"quotient/draw"
	"quotient/internal/text"
	"quotient/probabilistic"
	"quotient/study"
	"quotient/word"
)

// Spoken is what there is to tell about a language model.
type Spoken struct {
	Spoken  *study.Spoken
	Version string        // of the program
	Methods []study.Rival // all that were tried; none: no comparison
	Command string        // that gives the same page; empty: none does
}

// A spokenView is what its page shows.
type spokenView struct {
	Model, Network, Alphabet, Reading, Why string
	Notes                                  []string
	States                                 int
	Automaton, Tradeoff                    template.HTML
	Certificate                            []string
	Parting                                []study.Parting
	Apart                                  []study.Apart
	Methods, Table                         [][]string
	Settings                               [][2]string
	Command                                string
}

// Write writes the report.
func (r Spoken) Write(w io.Writer) error {
	p := r.Spoken
	v := spokenView{
		Model: p.Model, Network: p.Network, Alphabet: p.Automaton.Alphabet.String(), Reading: p.Reading, Why: p.Why,
		Notes: slices.Concat(p.Notes, p.Warnings), States: p.States, Table: chances(p.Automaton), Settings: r.settings(), Command: r.Command,
	}
	if p.Interrupted {
		v.Notes = append(v.Notes, "it was interrupted: this is the best automaton until then")
	}
	if c := p.Certificate; c != nil {
		v.Certificate, v.Parting, v.Apart = slices.Concat(c.Lines(), p.Beside()), c.Parting, c.Apart
	}
	var err error
	var limit *automaton.LimitError
	if v.Automaton, err = svg(func(w io.Writer) error { return draw.Probabilistic(w, p.Automaton, draw.Options{}) }); err != nil && !errors.As(err, &limit) {
		return err
	}
	if v.Tradeoff, err = svg(func(w io.Writer) error { return draw.Plots(w, Divergences(p)) }); err != nil {
		return err
	}
	if len(r.Methods) > 0 {
		v.Methods = [][]string{{"method", "states", "divergence", "at most", "times", "same likeliest", "seconds"}}
		for _, m := range r.Methods {
			v.Methods = append(v.Methods, m.Cells())
		}
	}
	return layouts.ExecuteTemplate(w, "spoken.html", v)
}

func (r Spoken) settings() [][2]string {
	p := r.Spoken
	return [][2]string{
		{"network", p.Model},
		{"method", p.Method},
		{"words", fmt.Sprintf("%d that the network spoke, with %d prefixes; seed %d", p.Words, p.Prefixes, p.Seed)},
		{"program", r.Version},
	}
}

// chances lists the states as rows of text, the heading first: where symbols lead, and how likely.
func chances(a *probabilistic.Automaton) [][]string {
	if a.Alphabet.Len() > 40 {
		return nil
	}
	head := []string{"state", "ends"}
	for _, name := range a.Alphabet.Names() {
		head = append(head, word.QuoteName(name))
	}
	rows := [][]string{head}
	for q := automaton.State(1); int(q) <= min(a.Len(), shown); q++ {
		row := []string{text.State(q), text.Share(a.End[q])}
		for s, to := range a.Targets(q) {
			row = append(row, text.State(to)+" "+text.Share(a.Row(q)[s]))
		}
		rows = append(rows, row)
	}
	return rows
}

// Divergences plots divergence against states.
func Divergences(p *study.Spoken) draw.Figure {
	line := draw.Series{Name: p.Method}
	for _, point := range p.Tradeoff {
		line.X = append(line.X, float64(point.States))
		line.Y = append(line.Y, point.Divergence)
	}
	return draw.Figure{Title: "Divergence against states", Columns: 1, Plots: []draw.Plot{{
		Title: p.Model, X: draw.Axis{Label: "states", Log: true}, Y: draw.Axis{Label: "divergence (nats a symbol)"}, Series: []draw.Series{line},
	}}}
}
