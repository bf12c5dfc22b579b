package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"quotient/model"
	"quotient/prefix"
	"quotient/rnn"
	"quotient/word"
)

func newModel() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model MODEL",
		Short: "Say what is inside a network",
		Long: `Say what is inside a network: its tokens, layers and head, whether state merging
applies to it, and what had to be guessed because the file does not say it.

` + modelHelp + `

` + elsewhereHelp + `

--word shows how sure the network is after each symbol of a word.`,
		Example: `  quotient model zoo:tomita5
  quotient model net.pt --vocab vocab.json --word abba
  quotient model net.pth --bos 16 --eos 17 --word '3 14 15'
  quotient model net.safetensors --tensors`,
		Args: exactly("MODEL"),
	}
	options := networkFlags(cmd)
	elsewhereFlags(cmd, options)
	text := cmd.Flags().String("word", "", "word to read; its symbols together, or apart where a name has several characters")
	tensors := cmd.Flags().Bool("tensors", false, "list the tensors of the file")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		m, err := openModel(cmd, args, options)
		if err != nil {
			return err
		}
		defer m.Close()
		d := inspect(m)
		if *tensors {
			d.addTensors(m)
		}
		if cmd.Flags().Changed("word") {
			if err := d.read(m, *text); err != nil {
				return err
			}
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), d)
		}
		d.tell(cmd.OutOrStdout())
		return nil
	}
	return cmd
}

// A modelInfo is what model prints, as text or as JSON.
type modelInfo struct {
	Model      string       `json:"model"`
	Format     string       `json:"format"`
	Language   string       `json:"language,omitempty"` // that it was trained for
	Epoch      int          `json:"epoch,omitempty"`
	Symbols    []string     `json:"symbols"`
	Token      []int32      `json:"symbol_tokens,omitempty"`
	Bos        *int32       `json:"bos"`                 // null if words begin with none
	Eos        *int32       `json:"eos"`                 // null if they end with none
	Tokens     int          `json:"tokens,omitempty"`    // how many the network knows
	Embedding  int          `json:"embedding,omitempty"` // its size; 0: inputs are one-hot
	Layers     []layerInfo  `json:"layers,omitempty"`
	Head       []denseInfo  `json:"head,omitempty"`
	Parameters int          `json:"parameters,omitempty"`
	StateSize  int          `json:"state_size"` // 0 if there are no states
	Stateless  string       `json:"why_no_states,omitempty"`
	Notes      []string     `json:"notes,omitempty"`
	Tensors    []tensorInfo `json:"tensors,omitempty"`
	Prefixes   []prefixInfo `json:"prefixes,omitempty"`

	alphabet *word.Alphabet
}

type layerInfo struct {
	Cell          string `json:"cell"`
	Inputs        int    `json:"inputs"`
	Hidden        int    `json:"hidden"`
	Bidirectional bool   `json:"bidirectional,omitempty"`
	ReLU          bool   `json:"relu,omitempty"`
	ResetBefore   bool   `json:"reset_before,omitempty"`
}

type denseInfo struct {
	Inputs  int              `json:"inputs"`
	Outputs int              `json:"outputs"`
	Then    []rnn.Activation `json:"then,omitempty"`
}

type tensorInfo struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
}

type prefixInfo struct {
	Word        string  `json:"word"`
	Probability float32 `json:"probability"`
	Logit       float32 `json:"logit"`
	Accepts     bool    `json:"accepts"`
}

// inspect collects what is known of a network.
func inspect(m *model.Model) *modelInfo {
	d := &modelInfo{
		Model: m.Name, Format: m.Format, Language: m.Language, Stateless: m.Stateless, Notes: m.Notes,
		Symbols: m.Net.Alphabet().Names(), alphabet: m.Net.Alphabet(),
	}
	if m.Record != nil {
		d.Epoch = m.Record.Epoch
	}
	if r, ok := m.Net.(prefix.Recognizer); ok {
		d.StateSize = r.Dim()
	}
	s := m.Stack
	if s == nil {
		return d
	}
	d.Token, d.Tokens, d.Embedding, d.Parameters = s.Token, s.Tokens, s.Embedding.Cols, s.Params()
	if s.Bos != rnn.None {
		d.Bos = &s.Bos
	}
	if s.Eos != rnn.None {
		d.Eos = &s.Eos
	}
	for i := range s.Layers {
		y := &s.Layers[i]
		d.Layers = append(d.Layers, layerInfo{y.Cell.String(), y.In.Cols, y.Hidden(), y.Reverse != nil, y.ReLU, y.ResetBefore})
	}
	for _, h := range s.Head {
		d.Head = append(d.Head, denseInfo{h.Weight.Cols, h.Weight.Rows, h.Then})
	}
	return d
}

func (d *modelInfo) addTensors(m *model.Model) {
	for _, t := range m.Tensors {
		d.Tensors = append(d.Tensors, tensorInfo{t.Name, t.Dims})
	}
}

// read asks for every prefix of a word.
func (d *modelInfo) read(m *model.Model, text string) error {
	w, err := d.alphabet.Parse(text)
	if err != nil {
		return err
	}
	var words []word.Word
	for i := range len(w) + 1 {
		words = append(words, w[:i])
	}
	p := m.Net.Probabilities(words)
	logits := func(words []word.Word) []float32 { // of one who tells only probabilities
		list := make([]float32, len(p))
		for i, x := range p {
			list[i] = float32(math.Log(float64(x)) - math.Log1p(-float64(x)))
		}
		return list
	}
	if exact, ok := m.Net.(interface {
		Logits(words []word.Word) []float32
	}); ok {
		logits = exact.Logits
	}
	for i, logit := range logits(words) {
		d.Prefixes = append(d.Prefixes, prefixInfo{d.alphabet.Format(words[i]), p[i], max(min(logit, math.MaxFloat32), -math.MaxFloat32), p[i] > 0.5})
	}
	return nil
}

// tell prints the description for people.
func (d *modelInfo) tell(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", d.Model, d.Format)
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", what, fmt.Sprintf(format, args...))
	}
	if d.Language != "" {
		line("language", "%s, after epoch %d", d.Language, d.Epoch)
	}
	line("symbols", "%s", d.alphabet)
	if d.Tokens > 0 {
		line("tokens", "%d; before a word %s, behind it %s", d.Tokens, tokenName(d.Bos), tokenName(d.Eos))
		input := "none: inputs are one-hot"
		if d.Embedding > 0 {
			input = fmt.Sprintf("%d numbers a token", d.Embedding)
		}
		line("embedding", "%s", input)
	}
	for i, y := range d.Layers {
		line(fmt.Sprintf("layer %d", i+1), "%s", y)
	}
	for i, h := range d.Head {
		line(fmt.Sprintf("dense %d", i+1), "%s", h)
	}
	if d.Parameters > 0 {
		line("parameters", "%d", d.Parameters)
	}
	if d.StateSize > 0 {
		line("state", "%d numbers; methods that merge states apply", d.StateSize)
	} else {
		line("state", "none to merge: %s; methods that only ask for answers apply", d.Stateless)
	}
	for _, note := range d.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	if len(d.Tensors) > 0 {
		t := plainTable("tensor", "shape")
		for _, x := range d.Tensors {
			t.AppendRow(table.Row{x.Name, fmt.Sprint(x.Shape)})
		}
		fmt.Fprintf(w, "\n%s\n", t.Render())
	}
	if len(d.Prefixes) > 0 {
		t := plainTable("prefix", "probability", "logit", "")
		for _, x := range d.Prefixes {
			answer := "no"
			if x.Accepts {
				answer = "yes"
			}
			t.AppendRow(table.Row{shorten(x.Word, 40), fmt.Sprintf("%.6f", x.Probability), fmt.Sprintf("%.5f", x.Logit), answer})
		}
		fmt.Fprintf(w, "\n%s\n", t.Render())
	}
}

func tokenName(t *int32) string {
	if t == nil {
		return "none"
	}
	return fmt.Sprintf("token %d", *t)
}

func (y layerInfo) String() string {
	text := fmt.Sprintf("%s, %d → %d", y.Cell, y.Inputs, y.Hidden)
	if y.Bidirectional {
		text += fmt.Sprintf(" forward and %d backward", y.Hidden)
	}
	if y.ReLU {
		text += ", relu"
	}
	if y.ResetBefore {
		text += ", reset before the product"
	}
	return text
}

func (h denseInfo) String() string {
	var then strings.Builder
	for _, a := range h.Then {
		fmt.Fprintf(&then, ", %s", a)
	}
	return fmt.Sprintf("%d → %d%s", h.Inputs, h.Outputs, then.String())
}
