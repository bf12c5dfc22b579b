package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/extract"
	"quotient/learn/labeled"
	"quotient/learn/predictive"
	"quotient/model"
	"quotient/study"
)

// A said value is what a flag says, kept as it was written until all flags are known.
type said struct{ text, kind string }

func (s *said) String() string        { return s.text }
func (s *said) Set(text string) error { s.text = text; return nil }
func (s *said) Type() string          { return s.kind }

// A share is a part of something, as 0.2 or 20%.
type share float64

func (s *share) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }
func (s *share) Type() string   { return "share" }

func (s *share) Set(text string) error {
	x, err := extract.ParseShare(text)
	if *s = share(x); err != nil {
		return errors.New("it is a share such as 0.2 or 20%")
	}
	return nil
}

// methodFlags adds --method and a flag for every setting of an extraction. What it returns
// reads them, and refuses those that would change nothing.
func methodFlags(cmd *cobra.Command) func() (extract.Options, error) {
	f := cmd.Flags()
	values := map[string]*said{"method": {kind: "name"}}
	f.Var(values["method"], "method", strings.Join(extract.Names(), ", ")+" (default "+extract.Best+"); for language models "+strings.Join(predictive.Names(), ", "))
	cmd.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(extract.Names(), cobra.ShellCompDirectiveNoFileComp))
	for i := range extract.Settings {
		s := &extract.Settings[i]
		values[s.Name] = &said{kind: s.Type}
		flag := f.VarPF(values[s.Name], s.Name, "", s.Help())
		if s.Type == "" {
			flag.NoOptDefVal, values[s.Name].kind = "true", "bool"
		}
	}
	return func() (extract.Options, error) {
		o, err := readSettings(f, values)
		if err == nil {
			err = readData(cmd, &o)
		}
		return o, err
	}
}

func readSettings(f *pflag.FlagSet, values map[string]*said) (extract.Options, error) {
	texts := map[string]string{}
	for name, v := range values {
		if texts[name] = v.text; f.Changed(name) && v.text == "" {
			return extract.Options{}, usagef("--%s is empty", name)
		}
	}
	method := texts["method"]
	if forecasts(method) {
		texts["method"] = extract.Best // and when the network is open, its kind says what may be set
	}
	o, err := extract.Read(texts)
	if forecasts(method) {
		o.Method = method
		return o, err
	}
	if _, unknown := extract.Find(o.Method); unknown != nil {
		return o, usageError{unknown}
	}
	if name := extract.Unused(o.Method, texts); name != "" {
		return o, unusedFlag(name, o.Method, extract.Using(name))
	}
	if err != nil {
		return o, usagef("--%w", err)
	}
	return o, nil
}

// readData reads the file of the user's words, - for standard input, so that whoever has none
// learns it before any work is done.
func readData(cmd *cobra.Command, o *extract.Options) error {
	in := cmd.InOrStdin()
	switch o.Data {
	case "":
		return nil
	case "-":
	default:
		file, err := os.Open(o.Data)
		if err != nil {
			return fmt.Errorf("--data: %w", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, labeled.MaxSize+1))
	o.DataText = append([]byte{}, text...) // never nil, which would mean that nobody has read it
	return err
}

// unusedFlag says that a flag means nothing to a method.
func unusedFlag(name, method string, others []string) error {
	advice := ""
	if name == "words-from" {
		advice = "; with every method, --data FILE gives words that you have"
	}
	return usagef("--%s changes nothing with --method %s; it is for %s%s", name, method, strings.Join(others, ", "), advice)
}

const elsewhereHelp = `In place of MODEL, --exec COMMAND starts a program that answers for words over its
standard input and output, and --http URL asks a server; docs/protocol.md describes what
is said, and quotient.serve of the Python package makes such a program of any Python object.`

// elsewhereFlags are the flags of commands that ask models which run elsewhere. These
// stand in place of the first argument.
func elsewhereFlags(cmd *cobra.Command, o *model.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Exec, "exec", "", "command of a program to ask in place of MODEL, for the shell")
	f.StringVar(&o.HTTP, "http", "", "address of a server to ask in place of MODEL")
	f.DurationVar(&o.Timeout, "timeout", 0, "time for an answer to a batch of words from --exec or --http (default 30s)")
	f.StringVar(&o.Answers, "answers", "", "file that remembers what a model of --exec or --http has answered, so that it is not asked again")
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if (o.Exec != "" || o.HTTP != "") && len(args) == 0 {
			args = []string{"elsewhere"}
		}
		return check(cmd, args)
	}
}

// weightsFlag is the flag of commands that may compute with the weights of a model that runs elsewhere.
func weightsFlag(cmd *cobra.Command, o *model.Options) {
	cmd.Flags().StringVar(&o.Weights, "weights", "", "file with the weights of the model of --exec or --http: where they give what it says, the search computes with them, and it judges the answer")
}

// openModel opens the network that the first argument names, or the model that runs
// elsewhere.
func openModel(cmd *cobra.Command, args []string, o *model.Options) (*model.Model, error) {
	name := modelName(cmd, args, o)
	return model.Open(cmd.Context(), name, *o)
}

// openRecognizer does so for commands that ask whether words are accepted.
func openRecognizer(cmd *cobra.Command, args []string, o *model.Options) (*model.Model, error) {
	m, err := openModel(cmd, args, o)
	if err != nil {
		return nil, err
	}
	return deciding(m)
}

// deciding returns a model that decides words, and closes any other.
func deciding(m *model.Model) (*model.Model, error) {
	if err := m.Decides(); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// openUntil opens a network as openModel does, but a context that ends does so only until it is
// open: then the model is still to be asked how good the best automaton so far is.
func openUntil(stop context.Context, cmd *cobra.Command, args []string, o *model.Options) (*model.Model, error) {
	ctx, cancel := context.WithCancelCause(cmd.Context())
	undo := context.AfterFunc(stop, func() { cancel(study.ErrInterrupted) })
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	m, err := model.Open(ctx, name, *o)
	if !undo() && err != nil {
		err = interrupted{err}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// modelName returns the first argument; it is empty for a model that runs elsewhere, which
// an interrupt ends, too.
func modelName(cmd *cobra.Command, args []string, o *model.Options) string {
	if o.Exec != "" {
		ctx, _ := interruptible(cmd.Context())
		cmd.SetContext(ctx)
	}
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
