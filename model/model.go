// Package model opens networks under one scheme of names:
//
//	zoo:tomita5        a network that comes with the program
//	runs/tomita5       a training run's folder: its best epoch
//	runs/tomita5@3     the network after an epoch of it; zoo:tomita5@3 likewise
//	file.safetensors   weights under PyTorch's names
//	file.onnx          a graph, as torch.onnx.export writes it
//	file.pt            what torch.save writes: a state_dict or a whole module
//	file.keras         what Keras writes; file.h5 likewise
//	file.npz           weights, as NumPy writes them; file.msgpack, as Flax does
//	file.pt.gz         any of these files, packed with gzip
//	models/net         a folder that MLflow wrote: the module in it
//
// The cell, the layers and the sizes of other people's networks are recognized from the
// names and shapes of their tensors. What had to be guessed is noted in the model.
package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quotient/model/remote"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/train"
)

// Options say what a file does not.
type Options struct {
	Vocab    string   // a JSON file that maps symbols to tokens
	Symbols  []string // in place of Vocab: of the tokens 0, 1, ..., those of <bos> and <eos> left out
	Key      string   // of one of several networks in a file: the keys that lead to it, with dots between, or what the names of its tensors begin with
	Bos, Eos string   // the numbers of tokens, or their names in Vocab, or "none"; empty: as Vocab says, or for Bos the one after the symbols

	Activation   string // between dense layers, or "none"; empty: as the file says, or a guess
	Nonlinearity string // of Elman layers, tanh, relu or none; empty: as the file says, or tanh
	Gates        string // of hand-written cells: the order of their gates, as ifgo, and more words; see docs/models.md
	Pool         string // of the outputs at all tokens, what the decision reads: the last, the mean or the max; empty: the last
	Summary      string // what the decision reads of the last layer: the final states (final), the outputs at the last token (last), or an LSTM's c (cell)
	Order        string // of recurrent modules, from the first that reads to the last, with commas between; empty: as the file has them
	Layer        int    // whose state the decision reads, counted from 1; 0: the last
	Scale        string // what embeddings are multiplied by: a number, or sqrt, the root of their size
	Reverse      bool   // words are read from their end
	Head         string // which of several heads decides: its module's name or how that begins, or an output of a graph; empty: a guess, or an error
	Norm         string // where norms stand, as layer1 or norm2=dense1, with commas between; empty: as the file says, or a guess

	Pad     string // the number of a token that is padding, or its name in Vocab
	PadTo   int    // how many tokens words are filled up to with it; 0: they are not
	PadSide string // left or right; empty: right

	As        string // recognizer or lm, a language model; empty: as the number of outputs shows
	Yes       string // the class that accepts, 0 or 1; empty: 1
	Threshold string // above which output the network accepts, as 0.5 or 30%; empty: a probability of one half
	Strict    bool   // guesses are errors

	Threads int // that the network may use; 0: one for every core

	// A model that runs elsewhere, in place of a name: see package remote. Names never
	// lead there, because a name may come from a stranger.
	Exec    string        // a command that is asked over standard input and output
	HTTP    string        // the address of a server that is asked
	Timeout time.Duration // for an answer; 0: the default
	Answers string        // file that remembers what it answered; empty: none. Networks in files need none
	Weights string        // file with its weights, which the options above are about then; empty: it is asked throughout
}

// A Model is a network, opened.
type Model struct {
	Name      string
	Format    string        // what it was read from, in words
	Net       oracle.Oracle // also an oracle.Stepper unless Stateless says why not
	Stateless string
	Network   *rnn.Network  // if it is of the kind that this program trains; nil for others
	Stack     *rnn.Stack    // the network as it runs; nil if it runs elsewhere
	Tensors   []rnn.Tensor  // as the file names them; nil if it does not
	Notes     []string      // guesses about what the file does not say
	Language  string        // its name; empty if it is not known
	Run       *train.Run    // that it comes from; nil if it comes from none
	Record    *train.Record // of the epoch after which it is; nil if it is not known

	options  Options         // with which it was opened
	probable bool            // its outputs are probabilities, as its file says
	offset   float32         // what its threshold adds to logits, so that 0 is where it accepts
	hand     []*handmade     // its cells that are not PyTorch's own
	classes  int             // how many outputs its file has: 1, or 2 for no and yes
	apart    bool            // those two have a sigmoid each
	heads    []string        // that its file has, if there are several
	head     string          // which of them was taken, in words
	order    string          // of its recurrent modules, if others fit, too
	orders   []string        // those others
	beside   []string        // the keys of other weights in its file
	norms    []*norm         // that its file leaves open
	skipped  []int32         // tokens that are padding, which the network skips, as its file says
	codeless bool            // what is done with its weights is not read
	size     int             // of its file, in bytes
	remote   *remote.Client  // if it runs elsewhere; nil for others
	witness  *oracle.Witness // the same beside Net, if that computes with its weights; nil for others
	far      *Model          // the same without its weights
}

// Open opens a network; one that runs elsewhere has no name, but options.
func Open(ctx context.Context, name string, o Options) (*Model, error) {
	if o.elsewhere() {
		if name != "" {
			return nil, fmt.Errorf("there are two models: %s, and one that runs elsewhere", name)
		}
		if o.Weights != "" {
			return openWitnessed(ctx, o)
		}
		return openElsewhere(ctx, o)
	}
	if o.Weights != "" {
		return nil, errors.New("weights are told beside a model that runs elsewhere: the option exec or http says which")
	}
	if name == "" {
		return nil, errors.New("the name of the network is empty")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	o, err := o.numbers()
	if err != nil {
		return nil, err
	}
	opener, err := Find(openers, name)
	if err != nil {
		return nil, err
	}
	m, err := opener.Open(ctx, name, o)
	if err == nil && o.Strict && len(m.Notes) > 0 {
		return nil, fmt.Errorf("%s: strict allows no guess, and there is one: %s", name, strings.Join(m.Notes, "; "))
	}
	return m, err
}

// mlflow returns the file of the module in a folder that MLflow wrote, or "".
func mlflow(folder string) string {
	if _, err := os.Stat(filepath.Join(folder, "MLmodel")); err != nil {
		return ""
	}
	for _, name := range []string{filepath.Join("data", "model.pth"), "model.pth"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return filepath.Join(folder, name)
		}
	}
	return ""
}

// Trained returns a network of the kind that this program trains as a model.
func Trained(name string, n *rnn.Network, threads int) *Model {
	return &Model{
		Name: name, Format: "a network", Net: rnn.NewRunner(n, threads), Network: n, Stack: n.Stack(), Tensors: n.Tensors(),
	}
}

// trained describes a network that comes from a training run.
func trained(name, format string, o Options, run *train.Run, rec train.Record, n *rnn.Network) *Model {
	m := Trained(name, n, o.Threads)
	m.Format, m.Run, m.Language, m.Record = format, run, run.Settings.Language, &rec
	return m
}

// String describes the network in a line.
func (m *Model) String() string {
	if m.Stack == nil {
		return m.Format
	}
	var layers []string
	for i := range m.Stack.Layers {
		y := &m.Stack.Layers[i]
		text := fmt.Sprintf("%s %d", y.Cell, y.Hidden())
		if y.Reverse != nil {
			text += " both ways"
		}
		layers = append(layers, text)
	}
	plural := "s"
	if m.Net.Alphabet().Len() == 1 {
		plural = ""
	}
	return fmt.Sprintf("%s, %d symbol%s", strings.Join(layers, " + "), m.Net.Alphabet().Len(), plural)
}

// check reports values that options cannot have.
func (o Options) check() error {
	if o.Activation != "" && o.Activation != none {
		if _, err := rnn.ParseActivation(o.Activation); err != nil {
			return fmt.Errorf("activation: %w, or none", err)
		}
	}
	if !slices.Contains([]string{"", asRecognizer, asLanguage}, o.As) {
		return fmt.Errorf("as %s: it is recognizer or lm", o.As)
	}
	if !slices.Contains([]string{"", "tanh", "relu", none}, o.Nonlinearity) {
		return fmt.Errorf("nonlinearity %s: it is tanh, relu or none", o.Nonlinearity)
	}
	if !slices.Contains([]string{"", "final", "last", "cell"}, o.Summary) {
		return fmt.Errorf("summary %s: it is final, last or cell", o.Summary)
	}
	if !slices.Contains([]string{"", "last", "mean", "max"}, o.Pool) {
		return fmt.Errorf("pool %s: it is last, mean or max", o.Pool)
	}
	if _, err := parseGates(o.Gates); err != nil {
		return err
	}
	if o.Layer < 0 {
		return fmt.Errorf("layer %d: layers are counted from 1", o.Layer)
	}
	if _, err := o.scale(1); err != nil {
		return err
	}
	if err := cmp.Or(o.checkPad(), o.checkNorm()); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "0", "1"}, o.Yes) {
		return fmt.Errorf("yes %s: it is the class that accepts, 0 or 1", o.Yes)
	}
	_, _, err := o.threshold()
	return err
}

// unused reports options that a network which knows its symbols has no use for.
func (o Options) unused(name string) error {
	if o.told() {
		return fmt.Errorf("%s knows its symbols already; the options vocab, symbols, bos, eos and pad are for files", name)
	}
	if o.decides() || o.As != "" {
		return fmt.Errorf("%s knows what its answers mean; the options as, yes and threshold are for files", name)
	}
	return o.unguessed(name)
}

// unguessed reports options about what a file leaves open, where nothing is open.
func (o Options) unguessed(name string) error {
	if o.Activation != "" || o.Nonlinearity != "" || o.Summary != "" || o.Pool != "" || o.rereads() {
		return fmt.Errorf("%s says itself what its layers compute; the options activation, nonlinearity, gates, layer-order, summary, layer, pool, norm, head, embedding-scale, reverse and key are for files of weights", name)
	}
	return nil
}

// rereads reports whether the user says of weights what no network of this program does.
func (o Options) rereads() bool {
	return o.Key != "" || o.Head != "" || o.Norm != "" || o.Gates != "" || o.Order != "" || o.Layer != 0 || o.Scale != "" || o.Reverse || o.Summary == "cell" || o.Nonlinearity == "relu" || o.Nonlinearity == none
}
