package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quotient/draw"
	"quotient/extract"
	"quotient/internal/text"
	"quotient/language"
	"quotient/learn/predictive"
	"quotient/model"
	"quotient/probabilistic"
	"quotient/study"
)

// forPredictions are the settings that mean something for language models.
var forPredictions = []string{"seed", "data", "states", "error", "budget"}

// forecasts reports whether a method is for language models alone.
func forecasts(method string) bool {
	_, none := extract.Find(method)
	_, err := predictive.Find(method)
	return method != "" && none != nil && err == nil
}

// predict extracts from a language model, and writes what was found.
func (x *extraction) predict(cmd *cobra.Command, m *model.Model, o study.Options) error {
	if err := x.checkPredict(cmd, o); err != nil {
		return err
	}
	target, err := aim(cmd, o.Target, "of a language model")
	if err != nil {
		return err
	}
	clear := func() {}
	if errs := cmd.ErrOrStderr(); text.IsTerminal(errs) {
		var line func(format string, args ...any)
		line, clear = text.StatusLine(errs)
		o.Tell = func(states, words int) { line("%s, %d prefixes", text.Plural(states, "state"), words) }
	}
	p, err := study.Predict(cmd.Context(), m, o, target)
	clear()
	if p == nil {
		if errors.Is(err, study.ErrInterrupted) {
			err = interrupted{err}
		}
		return err
	}
	if failed := x.writePredicted(cmd.OutOrStdout(), p); failed != nil {
		return errors.Join(failed, err)
	}
	if err == nil && p.Interrupted {
		return interrupted{errors.New("it was interrupted; what was found until then is written")}
	}
	return err
}

// aim loads the probabilistic automaton that something is compared with, nil if there is none.
func aim(cmd *cobra.Command, name, of string) (*probabilistic.Automaton, error) {
	if name == "" {
		return nil, nil
	}
	target, err := (&chance{options: &language.Options{Stdin: cmd.InOrStdin()}}).load(cmd, name)
	if err == nil && target == nil {
		err = usagef("--target %s: %s it is a probabilistic automaton, in JSON", name, of)
	}
	return target, err
}

// writePredicted writes what was asked for.
func (x *extraction) writePredicted(out io.Writer, p *study.Spoken) error {
	if x.to.asked() {
		if err := x.to.writeProbabilistic(out, p.Automaton, -1); err != nil {
			return err
		}
	}
	if x.plot != "" {
		if err := writePicture(x.plot, out, func(w io.Writer) error { return draw.Plots(w, divergences(p)) }); err != nil {
			return err
		}
	}
	switch {
	case *x.asJSON:
		return printJSON(out, p)
	case !(x.to.asked() && x.to.stdout()):
		p.Tell(out)
	}
	return nil
}

// checkPredict refuses flags that mean nothing for language models.
func (x *extraction) checkPredict(cmd *cobra.Command, o study.Options) error {
	f := cmd.Flags()
	for i := range extract.Settings {
		if name := extract.Settings[i].Name; f.Changed(name) && !slices.Contains(forPredictions, name) {
			return usagef("--%s changes nothing for a language model; these read --%s", name, strings.Join(forPredictions, ", --"))
		}
	}
	for _, name := range []string{"report", "kappa-sweep"} {
		if f.Changed(name) {
			return usagef("--%s is for recognizers, and this is a language model", name)
		}
	}
	if _, err := predictive.Find(o.Method); o.Method != extract.Best && err != nil {
		return usageError{err}
	}
	if x.to.asked() {
		_, err := x.to.probabilisticEncoder()
		return err
	}
	return nil
}

// divergences draws divergence against states.
func divergences(p *study.Spoken) draw.Figure {
	line := draw.Series{Name: p.Method}
	for _, point := range p.Tradeoff {
		line.X = append(line.X, float64(point.States))
		line.Y = append(line.Y, point.Divergence)
	}
	return draw.Figure{Title: "Divergence against states", Columns: 1, Plots: []draw.Plot{{
		Title: p.Model, X: draw.Axis{Label: "states", Log: true}, Y: draw.Axis{Label: "divergence (nats a symbol)"}, Series: []draw.Series{line},
	}}}
}

// A predictor is a row of the table of methods for language models.
type predictor struct {
	Method     string   `json:"method"`
	States     int      `json:"states"`
	Divergence float64  `json:"divergence"`
	Bound      float64  `json:"bound"`
	Ratio      *float64 `json:"ratio"` // of its divergence to that of the first; nil if that is zero
	Top        float64  `json:"top"`
	Seconds    float64  `json:"seconds"`
}

// predictors runs all methods for language models, the others with as many states as the first
// has found.
func (x *contest) predictors(cmd *cobra.Command, m *model.Model) error {
	var rows []predictor
	o := x.Options
	for _, method := range predictive.Methods {
		if len(x.Methods) > 0 && !slices.Contains(x.Methods, method.Name) {
			continue
		}
		o.Method = method.Name
		p, err := study.Predict(cmd.Context(), m, o, nil)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			o.States = p.States
		}
		c := p.Certificate
		if c == nil {
			return interrupted{study.ErrInterrupted}
		}
		row := predictor{Method: p.Method, States: p.States, Divergence: c.Divergence, Bound: c.Bound, Top: c.Top, Seconds: p.Seconds}
		rows = append(rows, row)
		if first := rows[0].Divergence; first > 0 {
			ratio := c.Divergence / first
			rows[len(rows)-1].Ratio = &ratio
		}
	}
	out := cmd.OutOrStdout()
	if *x.asJSON {
		return printJSON(out, rows)
	}
	t := text.Table("method", "states", "divergence", "at most", "times", "same likeliest", "seconds")
	for _, r := range rows {
		times := "·"
		if r.Ratio != nil {
			times = fmt.Sprintf("%.1f", *r.Ratio)
		}
		t.AppendRow(text.Row{r.Method, r.States, fmt.Sprintf("%.4f", r.Divergence), fmt.Sprintf("%.4f", r.Bound), times, fmt.Sprintf("%.2f%%", 100*r.Top), fmt.Sprintf("%.1f", r.Seconds)})
	}
	text.Print(out, t)
	_, err := fmt.Fprintf(out, "\n%s: %s\nread as: %s\n", m.Name, m, m.Reading())
	return err
}
