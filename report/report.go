// Package report writes what an extraction gave as one HTML file that needs nothing
// beside it: no script, no style sheet, no address. The automaton and how far it
// agrees with the network come first; how it came about and with which settings,
// so that it can be made again, comes after.
//
// The same extraction gives the same bytes, but for the seconds where methods are
// compared.
package report

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/draw"
	"quotient/extract"
	"quotient/faith"
	"quotient/word"
)

// A Report is what there is to tell.
type Report struct {
	Model     string // its name
	Network   string // what it is, in words
	Command   string // that gives the same result; empty if there is none
	Version   string // of the program
	Target    string // how the automaton compares with a language, in words; empty if it was not compared
	Result    *extract.Result
	Trials    []extract.Trial // over kappa; none: those of the result
	Agreement *faith.Report
	Methods   []extract.Entry // all that were tried, the one of Result among them; none: no comparison
}

//go:embed report.html
var page string

var layout = template.Must(template.New("report").Parse(page))

// Write writes the report.
func Write(w io.Writer, r Report) error {
	d := r.Result.Automaton
	v := struct {
		Report
		Alphabet   string
		States     int
		Automaton  template.HTML // drawn by package draw, which escapes all names
		Expression string
		Table      [][]string
		Agreement  []string
		Shortest   string
		Found      bool
		Kappa      template.HTML
		Scatter    template.HTML
		Share      string
		Legend     template.HTML // a dot and a name for each color
		Settings   [][2]string
		Methods    [][]string
		Bars       template.HTML
	}{Report: r, Alphabet: d.Alphabet.String(), States: d.Len(), Settings: settings(r)}
	var err error
	if v.Automaton, err = svg(func(w io.Writer) error { return draw.Automaton(w, d, draw.Options{}) }); err != nil {
		var limit *automaton.LimitError
		if !errors.As(err, &limit) {
			return err
		}
		// What is too large to be drawn goes without a picture; the page says so.
	}
	if e, err := regex.FromDFA(d, 400); err == nil {
		v.Expression = e.String()
	}
	v.Table = table(d)
	v.Agreement = agreement(r.Agreement)
	if a := r.Agreement; a != nil && a.Found {
		v.Shortest, v.Found = shorten(d.Alphabet.Format(a.Shortest), 200), true
	}
	trials := r.Trials
	if len(trials) == 0 {
		trials = r.Result.Trials
	}
	if len(trials) > 0 {
		if v.Kappa, err = strip(trials, r.Result.Options.Kappa); err != nil {
			return err
		}
	}
	if v.Methods = methods(r.Methods); v.Methods != nil {
		v.Bars = bars(r.Methods)
	}
	if r.Result.Tree != nil {
		v.Scatter, v.Share = scatter(r.Result)
		v.Legend = legend(d)
	}
	return layout.Execute(w, v)
}

func svg(write func(io.Writer) error) (template.HTML, error) {
	var b strings.Builder
	err := write(&b)
	if err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}

// shown is how many states a table lists.
const shown = 200

// table lists the states as rows of text, the heading first.
func table(d *automaton.DFA) [][]string {
	if d.Alphabet.Len() > 40 {
		return nil
	}
	head := []string{"state", "accepts"}
	for _, name := range d.Alphabet.Names() {
		head = append(head, word.QuoteName(name))
	}
	rows := [][]string{head}
	name := func(q automaton.State) string {
		if q == automaton.Dead {
			return "·"
		}
		return fmt.Sprintf("q%d", q-1)
	}
	for q := automaton.State(1); int(q) <= min(d.Len(), shown); q++ {
		row := []string{name(q), ""}
		if d.Accept[q] {
			row[1] = "yes"
		}
		for _, to := range d.Row(q) {
			row = append(row, name(to))
		}
		rows = append(rows, row)
	}
	return rows
}

func agreement(a *faith.Report) []string {
	if a == nil {
		return nil
	}
	return []string{
		fmt.Sprintf("%d of %d words drawn at random: %s", a.Agree, a.Words, a.Drawn),
		fmt.Sprintf("%d of all %d words up to length %d", a.Exhaustive.Agree, a.Exhaustive.Words, a.Exhaustive.High),
		fmt.Sprintf("%d of %d words of length %d", a.Long.Agree, a.Long.Words, a.Long.High),
	}
}

// Certificate says in words what the agreement proves.
func (r Report) Certificate() string {
	if r.Agreement == nil {
		return ""
	}
	return fmt.Sprintf("With confidence %g%%, network and automaton disagree on fewer than %.2g%% of all words drawn in this way.",
		100*r.Agreement.Confidence, 100*r.Agreement.Bound)
}

// shorten cuts long text in the middle.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s … %s (%d characters)", string(runes[:most/2]), string(runes[len(runes)-most/2:]), len(runes))
}

func settings(r Report) [][2]string {
	o := r.Result.Options
	list := [][2]string{{"network", r.Model}, {"", r.Network}, {"method", string(o.Method)}}
	add := func(name, format string, args ...any) {
		list = append(list, [2]string{name, fmt.Sprintf(format, args...)})
	}
	if r.Result.Chosen != "" {
		add("", "%s", r.Result.Chosen)
	}
	if len(r.Result.Log) > 0 {
		add("κ", "%.4g", o.Kappa)
	}
	if r.Result.Why != "" {
		add("", "it %s", r.Result.Why)
	}
	if t := r.Result.Tree; t != nil {
		add("sample", "%d words of length %d, seed %d, %d of them %s", o.Strings, o.Length, o.Seed, r.Result.Sample.Valid, r.Result.Sampler.Source)
		add("merging", "%d prefixes to %d states, minimized to %d", t.Len(), r.Result.MergedStates, r.Result.Automaton.Len())
		s := r.Result.Saturation
		add("saturation", "%.3f on average, %.3f at most, over %d dimensions", s.Mean, s.Max, s.Dim)
	}
	for _, w := range r.Result.Warnings {
		add("note", "%s", w)
	}
	return append(list, [2]string{"program", r.Version})
}

// strip draws states and agreement over kappa, with the kappa that was used as a
// dashed line.
func strip(trials []extract.Trial, used float64) (template.HTML, error) {
	var kappa, states, merged, agree []float64
	for _, t := range trials {
		kappa = append(kappa, t.Kappa)
		merged = append(merged, float64(t.Merged))
		s, a := float64(t.States), 100*t.Accuracy()
		if t.Failed != "" {
			s, a = math.NaN(), math.NaN()
		}
		states, agree = append(states, s), append(agree, a)
	}
	low, high := 1.0, 1.0
	least := 100.0
	for i := range states {
		high = max(high, merged[i])
		if !math.IsNaN(agree[i]) {
			least = min(least, agree[i])
		}
	}
	mark := func(from, to float64) draw.Series {
		return draw.Series{Name: "κ used", X: []float64{used, used * 1.0001}, Y: []float64{from, to}, Reference: true}
	}
	plots := []draw.Plot{
		{
			Title: "states", X: draw.Axis{Label: "κ", Log: true}, Y: draw.Axis{Label: "states", Log: true},
			Series: []draw.Series{{Name: "merged", X: kappa, Y: merged}, {Name: "minimized", X: kappa, Y: states}},
		},
		{
			Title: "agreement", X: draw.Axis{Label: "κ", Log: true}, Y: draw.Axis{Label: "% of prefixes", Min: math.Floor(least) - 1, Max: 100},
			Series: []draw.Series{{Name: "agreement", X: kappa, Y: agree}},
		},
	}
	if used > 0 {
		plots[0].Series = append(plots[0].Series, mark(low, high))
		plots[1].Series = append(plots[1].Series, mark(math.Floor(least)-1, 100))
	}
	return svg(func(w io.Writer) error {
		return draw.Plots(w, draw.Figure{Title: "States and agreement with the network over kappa", Columns: 2, Plots: plots})
	})
}
