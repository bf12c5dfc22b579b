package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/draw"
	"quotient/draw/paint"
	"quotient/internal/text"
	"quotient/learn/spectral"
	"quotient/model"
	"quotient/oracle"
	"quotient/weighted"
	"quotient/word"
)

func newWeights() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "weights MODEL|FILE.json [WORD...]",
		Short: "Learn a weighted automaton from a network, and compute values of words",
		Long:  weightsHelp,
		Example: `  quotient weights zoo:tomita3
  quotient weights zoo:tomita3 -o tomita3.svg
  quotient weights zoo:tomita5 -o weights.json
  quotient weights weights.json abab aab ε`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("missing MODEL or FILE.json")
			}
			return nil
		},
	}
	f := weightsFlags{FlagSet: cmd.Flags(), networks: networkFlags(cmd), to: destination{limit: automaton.DefaultLimit}}
	elsewhereFlags(cmd, f.networks)
	f.IntVar(&f.o.Rank, "rank", 0, "states of the weighted automaton (default: chosen on fresh words)")
	f.IntVar(&f.o.Size, "basis", 300, "most prefixes, and most suffixes, that words are made of")
	f.IntVar(&f.o.Queries, "queries", 1<<17, "most words that the network is asked for, to fill the matrix")
	f.Uint64Var(&f.o.Seed, "seed", 1, "seed of the words that are drawn")
	f.IntVar(&f.o.Limit, "limit", 1000, "most states of the deterministic automaton")
	f.BoolVar(&f.smallest, "minimize", false, "of a file: remove states that are not needed")
	f.Float64Var(&f.cutoff, "cutoff", 0, "weights nearer to zero are not shown (default: a fiftieth of the largest)")
	f.StringVarP(&f.path, "output", "o", "", "file to write: .json for the weights, .svg, .pdf or .png for a picture")
	f.StringVar(&f.to.path, "automaton", "", "file to write the deterministic automaton to, in the format of its extension")
	f.asJSON = jsonFlag(cmd)
	cmd.RunE = f.run
	return cmd
}

// weightsFlags are the flags of weights.
type weightsFlags struct {
	*pflag.FlagSet
	networks *model.Options
	o        spectral.Options
	smallest bool
	cutoff   float64
	path     string      // for the weights
	to       destination // for the deterministic automaton
	asJSON   *bool
}

// run learns or reads, computes values, writes and prints.
func (f *weightsFlags) run(cmd *cobra.Command, args []string) error {
	encode, err := weightsEncoder(f.path, f.cutoff)
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	x := weights{close: func() {}}
	defer func() { x.close() }()
	words := args
	if f.networks.Exec == "" && f.networks.HTTP == "" {
		x.Name, words = args[0], args[1:]
	}
	if err := f.get(cmd, &x, args[:len(args)-len(words)], words); err != nil {
		return err
	}
	if err := x.evaluate(words); err != nil {
		return err
	}
	if f.path != "" {
		if err := writeFile(f.path, cmd.OutOrStdout(), func(w io.Writer) error { return encode(w, x.Weights) }); err != nil {
			return err
		}
	}
	if f.Changed("automaton") {
		d, err := x.dfa(f.o.Limit)
		if err != nil {
			return err
		}
		if err := f.to.write(cmd.OutOrStdout(), d.NFA()); err != nil {
			return err
		}
	}
	switch {
	case *f.asJSON:
		return printJSON(cmd.OutOrStdout(), x)
	case len(wantStdout(cmd, args)) > 0:
	case len(words) > 0:
		x.tellValues(cmd.OutOrStdout())
	default:
		x.tell(cmd.OutOrStdout(), f.cutoff)
	}
	return nil
}

// check refuses values that make no sense.
func (f *weightsFlags) check() error {
	if f.Changed("automaton") {
		if _, err := f.to.encoder(); err != nil {
			return err
		}
	}
	for _, name := range []string{"rank", "basis", "queries", "limit"} {
		if n, _ := f.GetInt(name); f.Changed(name) && n < 1 {
			return usagef("--%s %d: it must be at least 1", name, n)
		}
	}
	if !(f.cutoff >= 0) {
		return usagef("--cutoff %g: it must not be negative", f.cutoff)
	}
	return nil
}

// get reads the weights from a file of them, or learns them from a network.
func (f *weightsFlags) get(cmd *cobra.Command, x *weights, model, words []string) error {
	if strings.EqualFold(filepath.Ext(x.Name), ".json") {
		for _, name := range []string{"rank", "basis", "queries", "seed"} {
			if f.Changed(name) {
				return usagef("--%s is for learning from a network, and %s has weights already", name, x.Name)
			}
		}
		return x.read(f.smallest)
	}
	if f.smallest {
		return usagef("--minimize is for files: what is learned is minimal")
	}
	m, err := openRecognizer(cmd, model, f.networks)
	if err != nil {
		return err
	}
	x.close = m.Close
	for _, spelled := range words { // mistakes show before learning takes its time
		if _, err := m.Net.Alphabet().Parse(spelled); err != nil {
			return err
		}
	}
	return x.learn(cmd, m, f.o)
}

// weightsEncoder returns what writes a file with the extension of path.
func weightsEncoder(path string, cutoff float64) (func(io.Writer, *weighted.Automaton) error, error) {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case path == "" || ext == ".json":
		return weighted.Write, nil
	case paint.FormatOf("", path) != "":
		return func(w io.Writer, a *weighted.Automaton) error {
			return paint.As(ext[1:], w, func(w io.Writer) error { return draw.Weights(w, a, draw.WeightOptions{Cutoff: cutoff}) })
		}, nil
	}
	return nil, usagef("%s: weights are written as .json or drawn as .svg, .pdf or .png; --automaton FILE writes the deterministic automaton", path)
}

// weights is what the command prints, as text or as JSON.
type weights struct {
	Name     string              `json:"name"`
	Network  string              `json:"network,omitempty"`
	Queries  int                 `json:"queries,omitempty"`
	Singular []float64           `json:"singular,omitempty"` // the largest ones
	Why      string              `json:"why,omitempty"`
	Trials   []spectral.Trial    `json:"trials,omitempty"`
	Rank     int                 `json:"rank,omitempty"`
	States   int                 `json:"states"`          // no more than the rank
	Words    []string            `json:"words,omitempty"` // that lead to the states
	Values   []wordValue         `json:"values,omitempty"`
	Note     string              `json:"note,omitempty"`
	DFA      *codec.JSON         `json:"automaton,omitempty"`
	Weights  *weighted.Automaton `json:"weights"`

	basis   spectral.Basis
	q       *oracle.Inquiry // into the network; nil for a file
	learned *automaton.DFA
	close   func() // ends a model that runs elsewhere
}

type wordValue struct {
	Word        string   `json:"word"`
	Value       float64  `json:"value"`
	Accepted    bool     `json:"accepted"`
	Probability *float32 `json:"probability,omitempty"` // the network's
}

// read reads a file.
func (x *weights) read(smallest bool) error {
	file, err := os.Open(x.Name)
	if err != nil {
		return err
	}
	defer file.Close()
	if x.Weights, err = weighted.Read(file, x.Name); err != nil {
		return err
	}
	if smallest {
		var words []word.Word
		x.Weights, words = x.Weights.Minimize()
		x.name(words)
	}
	x.States = x.Weights.Len()
	return nil
}

// learn learns from a network.
func (x *weights) learn(cmd *cobra.Command, m *model.Model, o spectral.Options) error {
	x.Name = m.Name
	res, err := spectral.Learn(oracle.Ask(cmd.Context(), m.Net), o)
	if err != nil {
		return err
	}
	x.q, x.Network = oracle.Ask(cmd.Context(), m.Net), m.String()
	x.Weights, x.States, x.learned = res.Automaton, res.Automaton.Len(), res.DFA
	x.Queries, x.Why, x.Trials, x.Note, x.basis = res.Queries, res.Why, res.Trials, res.Note, res.Basis
	x.Rank = res.Rank
	x.Singular = res.Singular[:min(len(res.Singular), res.Rank+4)]
	if res.DFA != nil {
		x.DFA = &codec.JSON{NFA: res.DFA.NFA()}
	}
	x.name(res.States)
	return nil
}

func (x *weights) name(words []word.Word) {
	for _, w := range words {
		x.Words = append(x.Words, x.Weights.Alphabet.Format(w))
	}
}

// evaluate computes the values of words.
func (x *weights) evaluate(words []string) error {
	for _, spelled := range words {
		w, err := x.Weights.Alphabet.Parse(spelled)
		if err != nil {
			return err
		}
		v := wordValue{Word: spelled, Value: x.Weights.Value(w), Accepted: x.Weights.Accepts(w)}
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("the value of %s is too large for a number", text.Shorten(spelled, 100))
		}
		if x.q != nil {
			v.Probability = &x.q.Probabilities([]word.Word{w})[0]
		}
		x.Values = append(x.Values, v)
	}
	if x.q != nil {
		return x.q.Err()
	}
	return nil
}

// dfa returns the deterministic automaton for the words that are accepted.
func (x *weights) dfa(limit int) (*automaton.DFA, error) {
	if x.q == nil {
		d, err := x.Weights.DFA(oracle.Threshold, limit)
		if err != nil {
			return nil, err
		}
		return automaton.Minimize(d), nil
	}
	if x.learned == nil {
		return nil, fmt.Errorf("%s: %s", x.Name, x.Note)
	}
	return x.learned, nil
}

func (x *weights) tellValues(w io.Writer) {
	header := []string{"word", "value", "accepted"}
	if x.q != nil {
		header = append(header, "network")
	}
	t := text.Table(header...)
	for _, v := range x.Values {
		row := text.Row{text.Shorten(v.Word, 60), fmt.Sprintf("%.6g", v.Value), text.Yes(v.Accepted)}
		if v.Probability != nil {
			row = append(row, fmt.Sprintf("%.6g", *v.Probability))
		}
		t.AppendRow(row)
	}
	text.Print(w, t)
}

// tell prints the automaton for people.
func (x *weights) tell(w io.Writer, cutoff float64) {
	fmt.Fprintf(w, "%s over %s; a word is accepted if its value is over %g\n", text.Strong(w, text.Plural(x.States, "state")), x.Weights.Alphabet, x.Weights.Threshold)
	if x.Weights.Alphabet.Len() <= 20 {
		if cutoff == 0 {
			cutoff = draw.Cutoff(x.Weights)
		}
		text.Weights(w, x.Weights, x.Words, cutoff)
	}
	if x.Note != "" {
		fmt.Fprintln(w, x.Note)
	}
	if x.q != nil {
		fmt.Fprintf(w, "\n%s: %s\n", x.Name, x.Network)
		fmt.Fprintf(w, "matrix of %s by %s; %s asked for in all\n",
			text.Plural(len(x.basis.Prefixes), "prefix", "prefixes"), text.Plural(len(x.basis.Suffixes), "suffix", "suffixes"), text.Plural(x.Queries, "word"))
		var singular []string
		for _, s := range x.Singular {
			singular = append(singular, fmt.Sprintf("%.3g", s))
		}
		fmt.Fprintf(w, "singular values: %s ...\n", strings.Join(singular, " "))
		fmt.Fprintf(w, "rank %d %s\n", x.Rank, x.Why)
	}
}

const weightsHelp = `Learn a weighted automaton from a network, or read one from a file, and compute the
values of words. It has a number for every state to begin with, one to end with, and
for every symbol one from each state to each other. The value of a word sums over all
ways through the automaton what the weights along them multiply to.

Learning is spectral: the probabilities that the network gives to all words made of a
prefix and a suffix form a matrix. Its rank is the number of states that are needed,
and its singular vectors give the weights. The network's answers are all that goes into
it. Without --rank, the smallest rank is taken that agrees with the network on fresh
words as well as any other. A word is accepted if its value is over the threshold, 1/2.

` + modelHelp + `

` + elsewhereHelp + `

-o FILE.json writes the weights (docs/weights-json.md is the format), -o FILE.svg, .pdf or .png draws
them, and --automaton FILE writes the deterministic automaton for the words that are
accepted, if there is one.`
