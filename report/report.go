// Package report writes a study as one HTML file that needs nothing beside it: no server, no
// style sheet, no address. Its one script is in the page, and its policy allows no other: with it
// words can be tried and the merging be watched; without it all else can be read. The automaton and how far it agrees with the network come
// first; how it came about and with which settings, so that it can be made again, comes
// after.
//
// The same study gives the same bytes, but for the seconds where methods are compared.
package report

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/draw"
	"quotient/extract"
	"quotient/internal/text"
	"quotient/study"
	"quotient/word"
)

// A Report is what there is to tell.
type Report struct {
	Study   *study.Study    // certified, of a finite automaton
	Version string          // of the program
	Trials  []extract.Trial // over kappa; none: those of the study
	Methods []study.Entry   // all that were tried, the study's among them; none: no comparison
	Places  draw.Places     // where states are wanted; none: where the program puts them
	Command string          // that gives the same page; empty: none does
}

//go:embed *.html
var pages embed.FS

var layouts = template.Must(template.ParseFS(pages, "*.html"))

// A view is what the page shows.
type view struct {
	Model, Network, Alphabet string
	Reading                  string   // how the network was read
	Notes                    []string // guesses about the network
	Remarks                  []string // on the certificate
	Target                   string   // how the automaton compares with a language
	States                   int
	Automaton                template.HTML // drawn by package draw, which escapes all names
	Expression               string
	Table                    [][]string
	Live                     *liveData // nil: too large to be tried
	Known                    template.JS
	Script                   template.JS
	ScriptHash               template.HTMLAttr
	Examples                 []string // words to try
	Film                     []frame
	Tradeoff                 template.HTML
	Findings                 []study.Counterexample
	Certificate, Shortest    string
	Agreement                []string
	Data                     []string           // what the user's words show
	Differences              []study.Difference // and where the two part among them
	Kappa                    template.HTML
	Scatter                  template.HTML
	Share                    string
	Legend                   template.HTML // a dot and a name for each color
	Settings                 [][2]string
	Methods                  [][]string
	MethodLines              []string
	Bars                     template.HTML
	Command                  string
}

// Write writes the report.
func (r Report) Write(w io.Writer) error {
	s := r.Study
	d, err := s.DFA()
	if err != nil {
		return err
	}
	v := view{
		Model: s.Model, Network: s.Network, Reading: s.Reading, Alphabet: d.Alphabet.String(), Notes: s.Notes, Target: target(s.Target), States: d.Len(),
		Settings: r.settings(), Table: table(d), Data: s.Data.Lines(), Command: r.Command,
	}
	if s.Data != nil {
		v.Differences = s.Data.Differences
	}
	v.Live, v.Film, v.Findings = live(d, s.Result), frames(s.Result, s.Model), s.Examples
	v.Known, v.Script, v.ScriptHash, v.Examples = v.Live.encoded(), template.JS(script), scriptHash, examples(d, s)
	v.certify(s)
	var limit *automaton.LimitError // what is too large to be drawn goes without a picture; the page says so
	if v.Automaton, err = svg(func(w io.Writer) error { return draw.Automaton(w, d, draw.Options{Parts: true, Places: r.Places}) }); err != nil && !errors.As(err, &limit) {
		return err
	}
	if e, err := regex.FromDFA(d, 400); err == nil {
		v.Expression = e.String()
	}
	trials := r.Trials
	if len(trials) == 0 {
		trials = s.Result.Trials
	}
	if len(trials) > 0 {
		if v.Kappa, err = strip(trials, s.Kappa); err != nil {
			return err
		}
	}
	if s.Explored != nil {
		if v.Tradeoff, err = svg(func(w io.Writer) error { return draw.Plots(w, Tradeoff(s)) }); err != nil {
			return err
		}
	}
	if len(r.Methods) > 0 {
		v.Methods, v.MethodLines, v.Bars = methods(r.Methods), study.Lines(r.Methods), bars(r.Methods)
	}
	if s.Result.Tree != nil {
		v.Scatter, v.Share = scatter(s.Result)
		v.Legend = legend(d)
	}
	return layouts.ExecuteTemplate(w, "report.html", v)
}

// certify says how far network and automaton agree, as far as that is known.
func (v *view) certify(s *study.Study) {
	certificate := "how far the two agree is not known"
	if a := s.Agreement; a != nil {
		certificate, v.Agreement, v.Remarks = a.Certificate(), a.Lines(), slices.Clone(a.Remarks)
		if a.Shortest != nil {
			v.Shortest = text.Shorten(*a.Shortest, 200)
		}
	}
	v.Certificate = strings.ToUpper(certificate[:1]) + certificate[1:] + "."
	if s.Interrupted {
		v.Remarks = append(v.Remarks, "it was interrupted: this is the best automaton until then")
	}
	if s.Failure != "" {
		v.Remarks = append(v.Remarks, "error: "+s.Failure)
	}
}

func svg(write func(io.Writer) error) (template.HTML, error) {
	var b strings.Builder
	err := write(&b)
	if err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}

func target(t *study.Target) string {
	switch {
	case t == nil:
		return ""
	case t.Equal:
		return "exactly " + t.Name
	}
	verdict := fmt.Sprintf("another one than %s, which %s %s", t.Name, text.Accepts(t.Accepts), text.Shorten(*t.Witness, 60))
	switch {
	case t.Only:
		verdict += ", and differs on no other word"
	case t.Agree > 0:
		verdict += fmt.Sprintf("; they agree on all words of length up to %d", t.Agree)
	}
	return verdict
}

// examples returns words that are worth trying: those that lead to the first states, and the
// shortest on which the two part.
func examples(d *automaton.DFA, s *study.Study) []string {
	words := accessWords(d)[1:]
	if s.Agreement != nil && s.Agreement.Shortest != nil {
		words = append([]string{*s.Agreement.Shortest}, words...)
	}
	var list []string
	for _, w := range words {
		if w != word.Empty && w != "" && len(w) <= 40 && len(list) < 6 && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// shown is how many states a table lists.
const shown = 200

// table lists the states as rows of text, the heading first.
func table(d *automaton.DFA) [][]string {
	if d.Alphabet.Len() > 20 {
		return states(d)
	}
	head := []string{"state", "accepts"}
	for _, name := range d.Alphabet.Names() {
		head = append(head, word.QuoteName(name))
	}
	rows := [][]string{head}
	for q := automaton.State(1); int(q) <= min(d.Len(), shown); q++ {
		row := []string{text.State(q), text.Yes(d.Accept[q])}
		for _, to := range d.Row(q) {
			row = append(row, text.State(to))
		}
		rows = append(rows, row)
	}
	return rows
}

func (r Report) settings() [][2]string {
	s := r.Study
	list := [][2]string{{"network", s.Model}, {"", s.Network}}
	add := func(name, format string, args ...any) {
		list = append(list, [2]string{name, fmt.Sprintf(format, args...)})
	}
	add("method", "%s", s.Method)
	if s.Chosen != "" {
		add("", "%s", s.Chosen)
	}
	if s.Kappa > 0 {
		add("κ", "%.4g", s.Kappa)
	}
	if s.Why != "" {
		add("", "it %s", s.Why)
	}
	if s.TreeNodes > 0 {
		add("sample", "%d words of length %d, seed %d, %d of them %s", s.Strings, s.Length, s.Seed, s.Valid, s.WordsFrom)
		add("merging", "%d prefixes to %d states, minimized to %d", s.TreeNodes, s.MergedStates, s.States)
		add("saturation", "%.3f on average, %.3f at most, over %d dimensions", s.Saturation.Mean, s.Saturation.Max, s.Saturation.Dim)
	}
	for _, w := range s.Warnings {
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
	high, least := 1.0, 100.0
	for i := range states {
		high = max(high, merged[i])
		if !math.IsNaN(agree[i]) {
			least = min(least, agree[i])
		}
	}
	floor := math.Floor(least) - 1
	plots := []draw.Plot{
		{
			Title: "states", X: draw.Axis{Label: "κ", Log: true}, Y: draw.Axis{Label: "states", Log: true},
			Series: []draw.Series{{Name: "merged", X: kappa, Y: merged}, {Name: "minimized", X: kappa, Y: states}},
		},
		{
			Title: "agreement", X: draw.Axis{Label: "κ", Log: true}, Y: draw.Axis{Label: "% of prefixes", Min: floor, Max: 100},
			Series: []draw.Series{{Name: "agreement", X: kappa, Y: agree}},
		},
	}
	if used > 0 {
		for i, span := range [][]float64{{1, high}, {floor, 100}} {
			mark := draw.Series{Name: "κ used", X: []float64{used, used * 1.0001}, Y: span, Reference: true}
			plots[i].Series = append(plots[i].Series, mark)
		}
	}
	return svg(func(w io.Writer) error {
		return draw.Plots(w, draw.Figure{Title: "States and agreement with the network over kappa", Columns: 2, Plots: plots})
	})
}

// Tradeoff plots the errors of all automata that exploring met against their sizes, and marks the one that was chosen. The one without states is left
// out where there are others: it has no place on a logarithmic axis, and may err so often that all others look alike.
func Tradeoff(s *study.Study) draw.Figure {
	line, chosen := draw.Series{Name: "explore"}, draw.Series{Name: "chosen"}
	states, percent := 2.0, 1.0 // at least that much is shown
	for _, p := range s.Explored.Tradeoff {
		if p.States == 0 && len(s.Explored.Tradeoff) > 1 {
			continue
		}
		x, y := float64(p.States), 100*p.Error
		line.X, line.Y = append(line.X, x), append(line.Y, y)
		states, percent = max(states, x), max(percent, y)
		if p.Chosen {
			chosen.X, chosen.Y = []float64{x}, []float64{y}
		}
	}
	return draw.Figure{Title: "Error against states", Columns: 1, Plots: []draw.Plot{{
		Title: s.Model, X: draw.Axis{Label: "states", Log: true, Min: 1, Max: 1.1 * states}, Y: draw.Axis{Label: "error (%)", Max: 1.05 * percent},
		Series: []draw.Series{line, chosen},
	}}}
}
