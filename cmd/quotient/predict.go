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
	"quotient/report"
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
func (x *extraction) predict(cmd *cobra.Command, args []string, m *model.Model, o study.Options) error {
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
	if failed := x.writePredicted(cmd, args, p); failed != nil {
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
func (x *extraction) writePredicted(cmd *cobra.Command, args []string, p *study.Spoken) error {
	out := cmd.OutOrStdout()
	if x.to.asked() {
		if err := x.to.writeProbabilistic(out, p.Automaton, -1); err != nil {
			return err
		}
	}
	if x.plot != "" {
		if err := writePicture(x.plot, out, func(w io.Writer) error { return draw.Plots(w, report.Divergences(p)) }); err != nil {
			return err
		}
	}
	if x.report.path != "" {
		page := report.Spoken{Spoken: p, Version: buildVersion().String(), Command: x.report.command(commandLine(cmd, args))}
		if err := writeFile(x.report.path, out, page.Write); err != nil {
			return err
		}
	}
	switch {
	case *x.asJSON:
		return printJSON(out, p)
	case !x.taken:
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
	if f.Changed("kappa-sweep") {
		return usagef("--kappa-sweep is for recognizers, and this is a language model")
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

// predictors runs all methods for language models, and prints a table where the line was that told
// how far it is.
func (x *contest) predictors(cmd *cobra.Command, args []string, m *model.Model, clear func()) error {
	if x.asCSV {
		return usagef("--csv is for recognizers, and %s is a language model: --json has all", m.Name)
	}
	stop, release := interruptible(cmd.Context())
	defer release()
	x.Options.Stop = stop
	rows, err := x.Rivals(cmd.Context(), m)
	clear()
	if errors.Is(err, study.ErrInterrupted) {
		err = interrupted{err}
	}
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if x.report.path != "" {
		page := report.Spoken{Spoken: rows[0].Study, Version: buildVersion().String(), Methods: rows, Command: x.report.command(commandLine(cmd, args))}
		if err := writeFile(x.report.path, out, page.Write); err != nil {
			return err
		}
	}
	if *x.asJSON || len(wantStdout(cmd, args)) > 0 {
		if *x.asJSON {
			err = printJSON(out, rows)
		}
		return err
	}
	t := text.Table("method", "states", "divergence", "at most", "times", "same likeliest", "seconds")
	for _, r := range rows {
		row := text.Row{}
		for _, cell := range r.Cells() {
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	text.Print(out, t)
	_, err = fmt.Fprintf(out, "about %.4f is what %d states would leave if they could be chosen anew after every prefix: no automaton of that size has much less\n\n%s: %s\nread as: %s\n",
		rows[0].Floor, rows[0].States, m.Name, m, m.Reading())
	return err
}
