package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quotient/model"
	"quotient/rnn"
)

func newExport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export MODEL OUT",
		Short: "Write a network's weights for other programs",
		Long: `Write a network's weights for other programs, in the format of the extension:

  .safetensors   PyTorch's parameter names, as torch.nn.RNN, GRU and LSTM have them
  .onnx          a graph from tokens to logits, <bos> first

` + modelHelp,
		Example: `  quotient export runs/tomita5-elman-1 tomita5.safetensors
  quotient export runs/tomita5-elman-1@3 third.onnx
  quotient export zoo:tomita5-gru tomita5.onnx`,
		Args: exactly("MODEL", "OUT"),
	}
	options := networkFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		encode, err := networkEncoder(args[1])
		if err != nil {
			return err
		}
		m, err := model.Open(cmd.Context(), args[0], *options)
		if err != nil {
			return err
		}
		if m.Network == nil {
			return fmt.Errorf("%s: only networks of the kind that this program trains can be written", args[0])
		}
		metadata := map[string]string{}
		if m.Language != "" {
			metadata["language"] = m.Language
		}
		if m.Record != nil {
			metadata["epoch"] = fmt.Sprint(m.Record.Epoch)
		}
		return writeFile(args[1], cmd.OutOrStdout(), func(w io.Writer) error { return encode(w, m.Network, metadata) })
	}
	return cmd
}

// networkEncoder settles the format by the extension of a path.
func networkEncoder(path string) (func(io.Writer, *rnn.Network, map[string]string) error, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".safetensors":
		return func(w io.Writer, n *rnn.Network, m map[string]string) error { return n.Encode(w, m) }, nil
	case ".onnx":
		return func(w io.Writer, n *rnn.Network, _ map[string]string) error { return n.EncodeONNX(w) }, nil
	}
	return nil, usagef("%s: networks are written as .safetensors or .onnx", path)
}

const modelHelp = `A MODEL is one of these:

  zoo:tomita5        a network that comes with the program ('quotient zoo' lists them)
  FOLDER             a training run: the network after its best epoch
  FOLDER@3           that after the third epoch; zoo:tomita5@3 likewise
  FILE.pt            a state_dict or a whole module, as torch.save writes them
  FILE.safetensors   weights with PyTorch's parameter names
  FILE.onnx          a graph, as torch.onnx.export writes it
  FILE.keras, .h5    a model, as Keras saves it
  FILE.npz, .msgpack weights, as NumPy and Flax write them

Any of these files may be packed with gzip. How a network is read is said before every
result, with a warning for what had to be guessed; 'quotient model MODEL --check FILE'
compares it with what your own code says.

Where a file does not say what its tokens mean, --vocab FILE does, or --symbols a,b
--bos 2; otherwise the symbols are the numbers of the tokens.`

// networkFlags are the flags of every command that reads networks.
func networkFlags(cmd *cobra.Command) *model.Options {
	o := &model.Options{}
	f := cmd.Flags()
	f.StringVar(&o.Key, "key", "", "one of several networks in a file: the keys that lead to it, as ema or models.student")
	f.StringVar(&o.Vocab, "vocab", "", "JSON file that maps symbols to tokens, <bos> and <eos> among them")
	f.StringSliceVar(&o.Symbols, "symbols", nil, "symbols of a file's tokens 0, 1, ..., <bos> and <eos> left out, as a,b,c")
	f.StringVar(&o.Bos, "bos", "", "token that is read before every word, by its number or its name in --vocab, or none (default: as --vocab says, or the one after the symbols)")
	f.StringVar(&o.Eos, "eos", "", "token that is read behind every word for the decision, or whose output is a language model's end, likewise, or none (default: as --vocab says)")
	f.StringVar(&o.Activation, "activation", "", "function between a file's dense layers: relu, tanh, ..., or none (default: as the file says, or relu)")
	f.StringVar(&o.Nonlinearity, "nonlinearity", "", "function of a file's Elman layers: tanh, relu or none (default: as the file says, or tanh)")
	f.StringVar(&o.Gates, "gates", "", "how a file's hand-written cells work: the order of their gates, as ifgo or rzn, and hx, before or new, as rzn,before (docs/models.md)")
	f.StringVar(&o.Order, "layer-order", "", "the order of a file's recurrent modules, as encoder,aggregator (default: as the file has them)")
	f.StringVar(&o.Summary, "summary", "", "what the decision reads of the last layer: the final states, the outputs at the last token, or c of an LSTM: final, last or cell (default final)")
	f.IntVar(&o.Layer, "layer", 0, "recurrent layer whose state the decision reads, counted from 1 (default: the last)")
	f.StringVar(&o.Scale, "embedding-scale", "", "what a file's embedding is multiplied by: a number, or sqrt, the root of its size")
	f.BoolVar(&o.Reverse, "reverse", false, "the network reads words from their end")
	f.StringVar(&o.Pool, "pool", "", "what the decision reads of the outputs at all tokens: last, mean or max (default last)")
	f.StringVar(&o.Norm, "norm", "", "where a file's norms stand: embedding, layer1, summary, dense1, activation1, ..., or NAME=PLACE for one of several (default: as the file says, or a guess)")
	f.StringVar(&o.Head, "head", "", "which of a file's heads decides, by its module's name, or which output of a graph")
	f.StringVar(&o.Pad, "pad", "", "token that is padding, by its number or its name in --vocab")
	f.IntVar(&o.PadTo, "pad-to", 0, "fill words up with --pad to so many tokens, as the network was trained")
	f.StringVar(&o.PadSide, "pad-side", "", "where padding stands: left or right (default right)")
	f.StringVar(&o.As, "as", "", "what a file's network is: recognizer or lm, a language model (default: as its number of outputs shows)")
	f.StringVar(&o.Yes, "yes", "", "class of a file's network that accepts: 0 or 1 (default 1)")
	f.StringVar(&o.Threshold, "threshold", "", "output of a file's network above which it accepts, as 0.5, or probability, as 30% (default: a probability of one half)")
	f.BoolVar(&o.Strict, "strict", false, "fail where something about a network had to be guessed")
	cmd.ValidArgsFunction = completeModels
	return o
}

// completeModels offers the names of networks to the shell, beside files.
func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	list, _ := model.Zoo.List(context.Background())
	for _, l := range list {
		names = append(names, l.Name)
	}
	return names, cobra.ShellCompDirectiveDefault
}
