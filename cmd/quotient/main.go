// Quotient turns recurrent networks into finite automata that people can read,
// and works with the automata. This package is the command line alone: it
// parses, calls the library and prints.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/internal/text"
	"quotient/language"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses, those of diff(1).
const (
	exitOK     = 0
	exitDiffer = 1 // compare: the languages differ; model --check: the answers do
	exitError  = 2 // anything that went wrong

	exitInterrupted = 130 // extract, methods, learn: the user did not wait for the end, as shells say it
)

// An interrupted error makes the program exit with exitInterrupted.
type interrupted struct{ error }

func (e interrupted) Unwrap() error { return e.error }

// errDiffer makes the program exit with exitDiffer; all has been said already.
var errDiffer = errors.New("the languages differ")

// run is the whole program as a function, which is how it is tested.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	out := &watched{Writer: stdout}
	page, errs := text.NewScreen(stdout), text.NewScreen(stderr)
	page.Over(out)
	root.SetOut(page)
	root.SetErr(stderr)
	colorFlag(root, page, errs)
	cmd, err := root.ExecuteC()
	page.Flush()
	if out.err != nil {
		err = fmt.Errorf("standard output: %w", out.err) // whatever the command thinks
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errDiffer):
		return exitDiffer
	}
	fmt.Fprintf(errs, "%s %s\n", text.Verdict(errs, false, "quotient:"), text.Message(err))
	if e := (interrupted{}); errors.As(err, &e) {
		return exitInterrupted
	}
	if hint := hintFor(cmd, err); hint != "" {
		fmt.Fprintf(errs, "%s\n", hint)
	}
	return exitError
}

// A watched writer remembers the first error, so that output that is lost is never
// taken for success.
type watched struct {
	io.Writer
	err error
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// A usageError is one that the help of the command would have prevented.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// hintFor says what to do next about an error, where the error itself does not.
func hintFor(cmd *cobra.Command, err error) string {
	var usage usageError
	var limit *automaton.LimitError
	switch {
	case errors.As(err, &usage):
		return fmt.Sprintf("Run '%s --help' for what it takes.", cmd.CommandPath())
	case errors.As(err, &limit) && limit.What == "states" && limitFlag(cmd) == limit.Limit:
		return "If the machine has the memory, --limit allows for more."
	}
	return ""
}

// limitFlag returns the value of --limit, or -1 if the command has no such flag.
func limitFlag(cmd *cobra.Command) int {
	if n, err := cmd.Flags().GetInt("limit"); err == nil {
		return n
	}
	return -1
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "quotient",
		Short: "Finite automata from recurrent networks, and what one does with them",
		Long: `Quotient turns a recurrent network into a finite automaton that people can read, and
says how far the two agree. It trains networks, too, and works with automata: it
compares, minimizes, converts, draws and samples them.

Wherever an automaton or a language is asked for, these names are understood:

  tomita1 ... tomita7    the Tomita languages ('quotient languages' lists them)
  regex:EXPRESSION       a regular expression, as in 'regex:(ab)*'
  FILE                   an automaton file, in the format of its extension
  -                      an automaton on standard input (see --from)

Two languages are not regular, anbn and dyck1: 'train', 'sample', 'counter' and
'extract --target' take them.

Wherever a network is asked for, these:

  zoo:tomita5            a network that comes with the program ('quotient zoo')
  FOLDER                 a training run, as 'quotient train' makes it
  FILE                   a network of PyTorch's: .pt, .safetensors, .onnx

Exit status: 0 if all is well, 1 if 'compare' finds a difference, 2 on an error,
130 if 'extract', 'methods' or 'learn' was interrupted.`,
		Example: `  quotient extract zoo:tomita5
  quotient train 'regex:(a|bb)*' -o run
  quotient extract run -o automaton.svg
  quotient compare tomita4 'regex:~(.*aaa.*)'`,
		Version:           buildVersion().String(),
		PersistentPreRunE: checkFiles,
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usagef("there is no command %q%s", args[0], suggestions(cmd, args[0]))
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	group := func(id, title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: id, Title: title})
		for _, c := range commands {
			c.GroupID = id
		}
		root.AddCommand(commands...)
	}
	group("networks", "Networks:", newExtract(), newMethods(), newModel(), newWeights(), newServe(), newTrain(), newZoo(), newExport(), newReproduce())
	group("automata", "Automata:", newCompare(), newMinimize(), newConvert(), newDraw(), newCounter(), newLearn(), newSample(), newLanguages())
	group("sweeps", "Many runs:", newSweep(), newWorker())
	group("program", "The program:", newBench(), newVersion(), newMan())
	root.SetHelpCommandGroupID("program")
	root.SetCompletionCommandGroupID("program")
	return root
}

func suggestions(cmd *cobra.Command, name string) string {
	if similar := cmd.SuggestionsFor(name); len(similar) > 0 {
		return "; did you mean " + strings.Join(similar, " or ") + "?"
	}
	return ""
}

// exactly returns a check for the number of arguments, which it names in the
// error: exactly("A", "B").
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > len(names) {
			return usagef("unexpected argument %q", args[len(names)])
		}
		if len(args) < len(names) {
			return usagef("missing %s", strings.Join(names[len(args):], " and "))
		}
		return nil
	}
}

// loadFlags are the flags of every command that reads automata.
func loadFlags(cmd *cobra.Command) *language.Options {
	o := &language.Options{}
	cmd.Flags().StringVar(&o.From, "from", "", "format of the automaton files read (default: by extension; json for -)")
	cmd.Flags().StringSliceVar(&o.Symbols, "symbols", nil, "symbols of the alphabet beside those that occur, as a,b,c")
	cmd.Flags().IntVar(&o.Limit, "limit", automaton.DefaultLimit, "most states that an automaton may have")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		o.Stdin = cmd.InOrStdin()
		if o.Limit < 1 {
			return usagef("--limit %d: it must be at least 1", o.Limit)
		}
		return nil
	}
	cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(readableNames(), cobra.ShellCompDirectiveNoFileComp))
	cmd.ValidArgsFunction = completeLanguages
	return o
}

// completeLanguages offers the names of languages to the shell, beside files.
func completeLanguages(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, l := range language.Builtin() {
		names = append(names, l.Name+"\t"+l.Note)
	}
	return append(names, "regex:"), cobra.ShellCompDirectiveDefault
}

// jsonFlag adds --json.
func jsonFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, "print JSON")
}

// answer prints a value as JSON, or tells people about it.
func answer(cmd *cobra.Command, asJSON bool, v any, tell func(w io.Writer)) error {
	if asJSON {
		return printJSON(cmd.OutOrStdout(), v)
	}
	tell(cmd.OutOrStdout())
	return nil
}

func printJSON(w io.Writer, v any) error {
	enc := jsonEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// jsonEncoder writes records, one a line, with symbol names as they are.
func jsonEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(text.Raw(w))
	enc.SetEscapeHTML(false)
	return enc
}
