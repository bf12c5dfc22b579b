package model

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"quotient/internal/text"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/word"
)

// A Description is what is known of a network.
type Description struct {
	Model      string       `json:"model"`
	Format     string       `json:"format"`
	Reading    string       `json:"reading"`            // how it is read
	Language   string       `json:"language,omitempty"` // that it was trained for
	Epoch      int          `json:"epoch,omitempty"`
	Outputs    string       `json:"outputs,omitempty"` // "next": it is a language model
	Symbols    []string     `json:"symbols"`
	Token      []int32      `json:"symbol_tokens,omitempty"`
	Next       []int32      `json:"symbol_outputs,omitempty"` // of a language model, the end's last; -1: it never comes
	Bos        *int32       `json:"bos"`                      // null if words begin with none
	Eos        *int32       `json:"eos"`                      // null if they end with none
	Tokens     int          `json:"tokens,omitempty"`         // how many the network knows
	Embedding  int          `json:"embedding,omitempty"`      // its size; 0: inputs are one-hot
	Norm       string       `json:"embedding_norm,omitempty"` // of what each token becomes
	Layers     []Layer      `json:"layers,omitempty"`
	Head       []Dense      `json:"head,omitempty"`
	Parameters int          `json:"parameters,omitempty"`
	StateSize  int          `json:"state_size"` // 0 if there are no states
	Stateless  string       `json:"why_no_states,omitempty"`
	Notes      []string     `json:"notes,omitempty"`
	Tensors    []Tensor     `json:"tensors,omitempty"`
	Prefixes   []Answer     `json:"prefixes,omitempty"`
	Predicted  []Prediction `json:"predictions,omitempty"`

	alphabet *word.Alphabet
}

// A Layer is recurrent.
type Layer struct {
	Cell          string   `json:"cell"`
	Inputs        int      `json:"inputs"`
	Hidden        int      `json:"hidden"`
	Bidirectional bool     `json:"bidirectional,omitempty"`
	ReLU          bool     `json:"relu,omitempty"`
	ResetBefore   bool     `json:"reset_before,omitempty"`
	Linear        int      `json:"linear,omitempty"` // units without a function
	Norms         []string `json:"norms,omitempty"`  // inside it
	Norm          string   `json:"norm,omitempty"`   // of what it passes on
}

// A Dense layer stands on top.
type Dense struct {
	Inputs  int              `json:"inputs"`
	Outputs int              `json:"outputs"`
	Norm    string           `json:"norm,omitempty"`
	Then    []rnn.Activation `json:"then,omitempty"`

	plain bool // it changes nothing, but for what follows
}

// A Tensor is one as the file names it.
type Tensor struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
}

// An Answer is what the network says of a word.
type Answer struct {
	Word        string  `json:"word"`
	Probability float32 `json:"probability"`
	Logit       float32 `json:"logit"`
	Accepts     bool    `json:"accepts"`
}

// Describe collects what is known of a network.
func (m *Model) Describe() *Description {
	d := &Description{
		Model: m.Name, Format: m.Format, Language: m.Language, Stateless: m.Stateless, Notes: m.Notes, Reading: m.Reading(),
		Symbols: m.Net.Alphabet().Names(), alphabet: m.Net.Alphabet(),
	}
	if m.Record != nil {
		d.Epoch = m.Record.Epoch
	}
	if m.Predicts() {
		d.Outputs = "next"
	}
	if q := oracle.Ask(context.Background(), m.Net); q.ShowsStates() {
		d.StateSize = q.Dim()
	}
	for _, t := range m.Tensors {
		d.Tensors = append(d.Tensors, Tensor{t.Name, t.Dims})
	}
	s := m.Stack
	if s == nil {
		return d
	}
	d.Next = s.Next
	d.Token, d.Tokens, d.Embedding, d.Parameters = s.Token, s.Tokens, s.Embedding.Cols, s.Params()
	d.Norm = normName(s.EmbeddingNorm)
	if s.Bos != rnn.None {
		d.Bos = &s.Bos
	}
	if s.Eos != rnn.None {
		d.Eos = &s.Eos
	}
	for i := range s.Layers {
		y := &s.Layers[i]
		d.Layers = append(d.Layers, Layer{y.Cell.String(), y.In.Cols, y.Hidden(), y.Reverse != nil, y.ReLU, y.ResetBefore, y.Linear, cellNormNames(y.Norms), normName(y.Norm)})
	}
	for _, h := range s.Head {
		d.Head = append(d.Head, Dense{h.Weight.Cols, h.Weight.Rows, normName(h.Norm), h.Then, isIdentity(h.Weight) && h.Bias == nil})
	}
	return d
}

// Read asks for every prefix of a word.
func (d *Description) Read(ctx context.Context, m *Model, spelled string) error {
	w, err := d.alphabet.Parse(spelled)
	if err != nil {
		return err
	}
	var words []word.Word
	for i := range len(w) + 1 {
		words = append(words, w[:i])
	}
	if m.Predicts() {
		return d.predict(ctx, m, words)
	}
	q := oracle.Ask(ctx, m.Net)
	p := slices.Clone(q.Probabilities(words))
	if err := q.Err(); err != nil {
		return err
	}
	logits, err := m.logits(ctx, words)
	if err != nil {
		return err
	}
	for i, logit := range logits {
		accepts := p[i] > oracle.Threshold
		if m.offset != 0 { // the network's own, of which the threshold is another
			logit -= m.offset
			p[i] = float32(1 / (1 + math.Exp(-float64(logit))))
		}
		d.Prefixes = append(d.Prefixes, Answer{d.alphabet.Format(words[i]), p[i], max(min(logit, math.MaxFloat32), -math.MaxFloat32), accepts})
	}
	return nil
}

// Tell writes the description for people.
func (d *Description) Tell(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", d.Model, d.Format)
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", what, fmt.Sprintf(format, args...))
	}
	if d.Language != "" {
		line("language", "%s, after epoch %d", d.Language, d.Epoch)
	}
	if d.Outputs != "" {
		line("kind", "a language model, which predicts the next symbol or the end")
	}
	line("symbols", "%s", d.alphabet)
	if d.Tokens > 0 {
		line("tokens", "%d; before a word %s, behind it %s", d.Tokens, tokenName(d.Bos), tokenName(d.Eos))
		input := "none: inputs are one-hot"
		if d.Embedding > 0 {
			input = behind(fmt.Sprintf("%d numbers a token", d.Embedding), d.Norm)
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
	line("read", "%s", d.Reading)
	for _, note := range d.Notes {
		fmt.Fprintf(w, "warning: %s\n", note)
	}
	if len(d.Tensors) > 0 {
		t := text.Table("tensor", "shape")
		for _, x := range d.Tensors {
			t.AppendRow(text.Row{x.Name, fmt.Sprint(x.Shape)})
		}
		fmt.Fprintln(w)
		text.Print(w, t)
	}
	if len(d.Predicted) > 0 {
		d.tellPredictions(w)
	}
	if len(d.Prefixes) > 0 {
		t := text.Table("prefix", "probability", "logit", "")
		for _, x := range d.Prefixes {
			answer := map[bool]string{true: "yes", false: "no"}[x.Accepts]
			t.AppendRow(text.Row{text.Shorten(x.Word, 40), fmt.Sprintf("%.6f", x.Probability), fmt.Sprintf("%.5f", x.Logit), answer})
		}
		fmt.Fprintln(w)
		text.Print(w, t)
	}
}

func tokenName(t *int32) string {
	if t == nil {
		return "none"
	}
	return fmt.Sprintf("token %d", *t)
}

func (y Layer) String() string {
	text := fmt.Sprintf("%s, %d → %d", y.Cell, y.Inputs, y.Hidden)
	if y.Bidirectional {
		text += fmt.Sprintf(" forward and %d backward", y.Hidden)
	}
	if y.ReLU {
		text += ", relu"
	}
	if y.Linear > 0 {
		text += fmt.Sprintf(", %d without a function", y.Linear)
	}
	if y.ResetBefore {
		text += ", reset before the product"
	}
	for _, n := range y.Norms {
		text += "; " + n
	}
	return behind(text, y.Norm)
}

func (h Dense) String() string {
	var then strings.Builder
	for _, a := range h.Then {
		fmt.Fprintf(&then, ", %s", a)
	}
	size := fmt.Sprintf("%d → %d", h.Inputs, h.Outputs)
	if h.plain {
		size = fmt.Sprintf("%d as they are", h.Inputs)
	}
	return behind(size, h.Norm) + then.String()
}

// behind adds a norm to a text, if there is one.
func behind(text, norm string) string {
	if norm == "" {
		return text
	}
	return text + ", then " + norm
}
