package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quotient/counter"
	"quotient/draw"
	"quotient/extract"
	"quotient/internal/text"
	"quotient/learn/predictive"
	"quotient/model"
	"quotient/report"
	"quotient/study"
)

func newExtract() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "extract MODEL",
		Short: "Extract an automaton from a network",
		Long:  extractHelp(),
		Example: `  quotient extract zoo:tomita5
  quotient extract zoo:tomita4 --method union --kappa 0.01 --words-from tomita4 --target tomita4
  quotient extract runs/tomita3-elman-1 -o tomita3.svg
  quotient extract net.safetensors --symbols a,b --bos 2 --json
  quotient extract zoo:tomita2 --kappa-sweep
  quotient extract zoo:anbn-lstm --method counter --target anbn
  quotient extract net.pt --vocab vocab.json --data words.csv`,
		Args: exactly("MODEL"),
	}
	x := extraction{networks: networkFlags(cmd), settings: methodFlags(cmd)}
	elsewhereFlags(cmd, x.networks)
	weightsFlag(cmd, x.networks)
	f := cmd.Flags()
	f.StringVar(&x.target, "target", "", "language to compare the answer with; it never feeds the sample")
	f.StringVar(&x.plot, "plot", "", "file for a plot of error against states, as SVG, PDF or PNG (explore)")
	x.report.flags(cmd, "file for a report as one HTML page: the automaton, the certificate, the states, the settings")
	f.StringVar(&x.steps, "steps", "", "folder for the merging as numbered pictures, and as one that moves (methods that merge)")
	f.BoolVar(&x.sweep, "kappa-sweep", false, "show states and agreement over kappa, and where the plateau lies")
	x.to, x.asJSON = outputFlags(cmd), jsonFlag(cmd)
	cmd.RunE = x.run
	return cmd
}

// An extraction is what the flags of extract ask for.
type extraction struct {
	networks            *model.Options
	settings            func() (extract.Options, error)
	to                  *destination
	asJSON              *bool
	sweep               bool
	target, plot, steps string
	report              page
	taken               bool // standard output is, by what was asked for
}

// check refuses flags that make no sense together, and returns the options.
func (x *extraction) check(cmd *cobra.Command) (o study.Options, err error) {
	f := cmd.Flags()
	for _, name := range []string{"kappa", "target", "output", "to", "report", "steps"} {
		if x.sweep && f.Changed(name) {
			return o, usagef("--kappa-sweep shows many automata and ends in none: leave --%s out", name)
		}
	}
	if err := errors.Join(checkPicture(x.plot), x.report.check()); err != nil {
		return o, err
	}
	o.Target = x.target
	if o.Options, err = x.settings(); err != nil {
		return o, err
	}
	if forecasts(o.Method) {
		return o, nil // the rest is checked when the network is open
	}
	if x.sweep && o.Method == extract.Best {
		o.Method = extract.Fold
	}
	method, err := extract.Find(o.Method)
	if err != nil {
		return o, err
	}
	for _, flag := range []struct {
		name string
		is   func(m *extract.Method) bool
	}{
		{"kappa-sweep", func(m *extract.Method) bool { return m.Kind == extract.Merges && m.Reads("kappa") }},
		{"plot", func(m *extract.Method) bool { return m.Kind == extract.Follows || m.Kind == extract.Chooses }},
		{"steps", func(m *extract.Method) bool { return m.Kind == extract.Merges || m.Kind == extract.Chooses }},
		{"report", func(m *extract.Method) bool { return m.Kind != extract.Counts }},
	} {
		if f.Changed(flag.name) && !flag.is(method) {
			return o, unusedFlag(flag.name, o.Method, slices.DeleteFunc(extract.Names(), func(name string) bool {
				m, _ := extract.Find(name)
				return !flag.is(m)
			}))
		}
	}
	switch {
	case !x.to.asked():
	case method.Kind == extract.Counts:
		_, err = counterEncoder(x.to)
	case x.to.format == "weights" || x.to.format == "aalpy": // of language models
	default:
		_, err = x.to.encoder()
	}
	return o, err
}

// run extracts and prints.
func (x *extraction) run(cmd *cobra.Command, args []string) error {
	o, err := x.check(cmd)
	if err != nil {
		return err
	}
	x.taken = len(wantStdout(cmd, args)) > 0
	stop, release := interruptible(cmd.Context())
	defer release()
	m, err := openUntil(stop, cmd, args, x.networks)
	if err != nil {
		return err
	}
	defer m.Close()
	if o.Stop = stop; m.Predicts() {
		return x.predict(cmd, args, m, o)
	}
	if forecasts(o.Method) {
		return usagef("--method %s is for language models, and %s is a recognizer; for these there are %s", o.Method, m.Name, strings.Join(extract.Names(), ", "))
	}
	if x.plot != "" && o.Method == extract.Best {
		o.Method = extract.Explore // which alone meets automata of many sizes
	}
	if x.sweep {
		trials, err := study.SweepKappa(stop, m, o.Options)
		if err != nil {
			return err
		}
		return tellSweep(cmd.OutOrStdout(), trials, *x.asJSON)
	}
	return x.study(cmd, m, o)
}

// study extracts and writes what was found, also if something went wrong then.
func (x *extraction) study(cmd *cobra.Command, m *model.Model, o study.Options) error {
	errs := cmd.ErrOrStderr()
	if err := study.Suits(m, o); err != nil {
		return err
	}
	if m.Elsewhere() {
		var each time.Duration
		var err error
		if o.Budget == 0 || o.Budget >= 200 { // otherwise measuring would cost too much of it
			each, err = m.Pace(o.Stop)
		}
		if o.Stop.Err() != nil {
			err = interrupted{study.ErrInterrupted}
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(errs, "plan: %s\n", study.Plan(m, o, each))
	}
	clear := func() {}
	if text.IsTerminal(errs) {
		var line func(format string, args ...any)
		line, clear = text.StatusLine(errs)
		o.Tell = func(states, words int) {
			line("%s, %s asked about", text.Plural(states, "state"), text.Plural(words, "word"))
		}
	}
	s, err := study.Run(cmd.Context(), m, o)
	clear()
	if s == nil {
		if errors.Is(err, study.ErrInterrupted) {
			err = interrupted{err}
		}
		return err
	}
	if failed := x.write(cmd, s); failed != nil {
		return errors.Join(failed, err)
	}
	if err == nil && s.Interrupted {
		return interrupted{errors.New("it was interrupted; what was found until then is written")}
	}
	return err
}

// write writes what was asked for.
func (x *extraction) write(cmd *cobra.Command, s *study.Study) error {
	out := cmd.OutOrStdout()
	if x.to.asked() {
		if err := x.writeAutomaton(out, s); err != nil {
			return err
		}
	}
	if x.plot != "" {
		if err := writePicture(x.plot, out, func(w io.Writer) error { return draw.Plots(w, report.Tradeoff(s)) }); err != nil {
			return err
		}
	}
	if x.steps != "" {
		if err := writeSteps(x.steps, s); err != nil {
			return fmt.Errorf("--steps %s: %w", x.steps, err)
		}
	}
	if x.report.path != "" {
		trials, err := s.SweepKappa(cmd.Context())
		if err != nil {
			return err
		}
		page := report.Report{Study: s, Version: buildVersion().String(), Trials: trials, Command: x.report.command(s.Command())}
		if err := writeFile(x.report.path, out, page.Write); err != nil {
			return err
		}
	}
	switch {
	case *x.asJSON:
		return printJSON(out, s)
	case !x.taken:
		s.Tell(out)
	}
	return nil
}

func (x *extraction) writeAutomaton(out io.Writer, s *study.Study) error {
	if a, ok := s.Automaton.(*counter.Automaton); ok {
		encode, err := counterEncoder(x.to)
		if err != nil {
			return err
		}
		return writeFile(x.to.path, out, func(w io.Writer) error { return encode(w, a) })
	}
	d, err := s.DFA()
	if err != nil {
		return err
	}
	return x.to.write(out, d.NFA())
}

// tellSweep prints what each kappa gives.
func tellSweep(w io.Writer, trials []extract.Trial, asJSON bool) error {
	first, last, found := extract.Plateau(trials)
	if !found {
		return fmt.Errorf("no kappa gives an automaton; the last said: %s", trials[len(trials)-1].Failed)
	}
	if asJSON {
		return printJSON(w, struct {
			Trials  []extract.Trial `json:"trials"`
			Plateau [2]float64      `json:"plateau"`
		}{trials, [2]float64{trials[first].Kappa, trials[last].Kappa}})
	}
	t := text.Table("kappa", "merged", "states", "agreement", "")
	for i, trial := range trials {
		mark := ""
		if i >= first && i <= last {
			mark = "│"
		}
		accuracy := fmt.Sprintf("%.2f%%", 100*trial.Accuracy())
		if trial.Failed != "" {
			accuracy = "more than the limit of states"
		}
		t.AppendRow(text.Row{
			fmt.Sprintf("%.3g", trial.Kappa), trial.Merged, trial.States, accuracy,
			mark + strings.Repeat("█", int(20*trial.Accuracy())),
		})
	}
	text.Print(w, t)
	_, err := fmt.Fprintf(w, "the longest plateau reaches from %.3g to %.3g: %s\n",
		trials[first].Kappa, trials[last].Kappa, text.Plural(trials[first].States, "state"))
	return err
}

// extractHelp explains the methods.
func extractHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, `Extract an automaton from a network, and say how far the two agree.

%s

%s

%s.
`, modelHelp, elsewhereHelp, text.Wrap("By default the method is "+extract.Auto.Doc, 88, 0))
	for _, group := range []struct {
		kind  extract.Kind
		about string
	}{
		{extract.Follows, "One follows the network wherever words lead:"},
		{extract.Merges, "Some merge the nodes of a prefix tree, that of the network's states over a sample of words, if they have the same answer and similar states:"},
		{extract.Asks, "Others look at the network's answers alone, so they serve networks that show no states:"},
		{extract.Counts, "One is for networks that count, as LSTMs can:"},
	} {
		fmt.Fprintf(&b, "\n%s\n\n", text.Wrap(group.about, 88, 0))
		for _, m := range extract.Methods {
			if m.Kind == group.kind {
				fmt.Fprintf(&b, "  --method %-10s %s\n", m.Name, text.Wrap(m.Doc, 88, 22))
			}
		}
	}
	b.WriteString(`
States count as similar if their cosine is over 1-kappa. With --kappa auto, several
are tried, and the one whose automaton agrees best with the network on fresh words
is taken; --kappa-sweep shows them all.

Half of the sample's words are uniform, half are words that the network accepts, found
by exploring it. --words-from LANGUAGE takes valid words from a language instead, as
the paper does. --target LANGUAGE only checks the answer.

--data FILE, or - for standard input, has words that you have: those that the network was
trained on, or is used on. They have labels or none, in any format that 'quotient learn'
reads. With every method, four fifths of them lead it: they join the sample, or are tried
first against every hypothesis. The others are held out. The output says on how many of these
network and automaton agree and, with labels, how often each of the two is right.

--budget WORDS bounds all that is asked, evaluation included; the output says how many
words were asked. --answers FILE remembers what a model that runs elsewhere has answered,
and a second run does not ask again. Ctrl-C ends the search: the best automaton until then
is evaluated for a few seconds and printed, marked as interrupted, with exit status 130; a
second Ctrl-C ends the program at once. If the evaluation fails, the automaton is printed
all the same, with the error, and the exit status is 2.

A language model gives a probabilistic automaton, with the divergence of the two in nats a
symbol. Its methods are ` + strings.Join(predictive.Names(), ", ") + `; --states and
--error choose along the curve of divergence against states, --target is a probabilistic
automaton, and --budget counts prefixes. docs/language-models.md tells more.

A setting that is named above is the flag of that name. --plot FILE.svg draws error against
states, of explore. -o writes automata with a counter as .json and pictures; 'quotient weights'
tells more about weighted ones.`)
	return b.String()
}
