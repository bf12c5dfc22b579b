package rnn

import (
	"fmt"
	"slices"

	"quotient/f32"
	"quotient/word"
)

// A Stack is a network for running only, as general as other people's are:
// tokens, an embedding or one-hot inputs, recurrent layers that may differ in kind
// and size, and dense layers on top of the last.
type Stack struct {
	Alphabet      *word.Alphabet
	Token         []int32    // the token of each symbol
	Bos, Eos      int32      // tokens read before every word, and behind it for the decision alone; None if there is none
	Tokens        int        // how many there are
	Embedding     f32.Matrix // Tokens × size; no rows: inputs are one-hot
	EmbeddingNorm *Norm      // of what each token becomes
	Layers        []Layer
	Head          []Dense // the last has one row, or two: no and yes; that of a language model more
	Next          []int32 // of a language model: which of the head's outputs is each next symbol and, last, the end, or None if that never comes; nil: the head decides
	Own           bool    // a language model's probabilities are its own: they sum to less than one where outputs have no meaning; otherwise the rest is renormalized
	Summary       Summary // what the head reads of the last layer
	Pool          Pool    // of the outputs at all tokens, what the head reads
	Pad           Pad     // what words are filled up with
	Reverse       bool    // words are read from their end
}

// A Pool says what becomes of the outputs at all tokens of a word.
type Pool int

const (
	PoolLast Pool = iota // the last ones count
	PoolMean
	PoolMax
)

// A Pad fills words up before they are read, <bos> and <eos> included, as the batches were
// that a network was trained on.
type Pad struct {
	Token int32
	To    int  // tokens; longer words stay as they are; 0: nothing is filled up
	Left  bool // the padding comes first
}

// None stands for a token that a network does not read.
const None = -1

// A Layer is a recurrent one. Weights are in PyTorch's order of gates.
type Layer struct {
	Cell            *Cell
	ReLU            bool       // an Elman layer with max(0, x) in place of tanh
	Linear          int        // how many of an Elman layer's last units have no function
	ResetBefore     bool       // a GRU that applies its reset gate before the recurrent product
	In              f32.Matrix // gates*hidden × inputs
	Rec             f32.Matrix // gates*hidden × hidden
	BiasIn, BiasRec []float32  // gates*hidden; nil: zeros
	Norms           *CellNorms // inside it; nil: none
	Norm            *Norm      // of what it passes on, of both directions together; nil: none
	Reverse         *Layer     // reads the word from its end; nil unless the layer is bidirectional
}

// A Dense layer is Weight·x + Bias, perhaps normalized, and followed by activations.
type Dense struct {
	Weight f32.Matrix // outputs × inputs
	Bias   []float32  // outputs; nil: zeros
	Norm   *Norm      // nil: none
	Then   []Activation
}

// A Summary says which numbers of the last layer stand for a word: the last, or where the
// layer is bidirectional a choice.
type Summary int

const (
	LastOutput  Summary = iota // those at the last token, where the reverse layer has read only that
	FinalStates                // the final state of either direction
	FinalCells                 // of an LSTM, the final c of either direction in place of h
)

// Hidden returns the number of units in one direction.
func (y *Layer) Hidden() int { return y.Rec.Cols }

// Outputs returns how many numbers the layer passes on.
func (y *Layer) Outputs() int {
	if y.Reverse != nil {
		return y.Hidden() + y.Reverse.Hidden()
	}
	return y.Hidden()
}

// width returns how many numbers the layer's own state has.
func (y *Layer) width() int {
	if y.Cell.Memory {
		return 2 * y.Hidden()
	}
	return y.Hidden()
}

// ways returns the layer's directions, forward first.
func (y *Layer) ways() []*Layer {
	if y.Reverse != nil {
		return []*Layer{y, y.Reverse}
	}
	return []*Layer{y}
}

// Bidirectional reports whether a layer reads words from their end, too. Then no
// state of the network is determined by a prefix.
func (s *Stack) Bidirectional() bool {
	return slices.ContainsFunc(s.Layers, func(y Layer) bool { return y.Reverse != nil })
}

// weights calls yield for the weights of each part, row after row, with what it is in words.
func (s *Stack) weights(yield func(what string, row []float32)) {
	matrix := func(what string, m f32.Matrix, biases ...[]float32) {
		for i := range m.Rows {
			yield(what, m.Row(i))
		}
		for _, b := range biases {
			yield(what, b)
		}
	}
	matrix("the embedding", s.Embedding)
	s.EmbeddingNorm.weights("the norm behind the embedding", yield)
	for i := range s.Layers {
		for _, y := range s.Layers[i].ways() {
			matrix(fmt.Sprintf("layer %d", i+1), y.In, y.BiasIn, y.BiasRec)
			matrix(fmt.Sprintf("layer %d", i+1), y.Rec)
			if y.Norms != nil {
				norms, _ := y.Norms.list(0)
				for _, n := range norms {
					n.weights(fmt.Sprintf("a norm in layer %d", i+1), yield)
				}
			}
		}
		s.Layers[i].Norm.weights(fmt.Sprintf("the norm behind layer %d", i+1), yield)
	}
	for i, d := range s.Head {
		matrix(fmt.Sprintf("dense layer %d", i+1), d.Weight, d.Bias)
		d.Norm.weights(fmt.Sprintf("the norm behind dense layer %d", i+1), yield)
	}
}

// Params returns the number of weights.
func (s *Stack) Params() int {
	n := 0
	s.weights(func(_ string, row []float32) { n += len(row) })
	return n
}

// finite returns an error for a weight that is a NaN or an infinity.
func (s *Stack) finite() (err error) {
	s.weights(func(what string, row []float32) {
		for _, x := range row {
			if x-x != 0 && err == nil {
				err = fmt.Errorf("%s holds a weight that is %v: the file is damaged, or training diverged", what, x)
			}
		}
	})
	return err
}

// Speak says which token each symbol of an alphabet is, and which tokens are read
// before and behind every word, or None: all of them different ones.
func (s *Stack) Speak(a *word.Alphabet, token []int32, bos, eos int32) error {
	if a.Len() != len(token) {
		return fmt.Errorf("rnn: %d tokens for %d symbols", len(token), a.Len())
	}
	owner := make(map[int32]string)
	claim := func(name string, t int32) error {
		if t < 0 || int(t) >= s.Tokens {
			return fmt.Errorf("%s is token %d, but the network has %d tokens, counted from 0", name, t, s.Tokens)
		}
		if other, taken := owner[t]; taken {
			return fmt.Errorf("token %d is both %s and %s", t, other, name)
		}
		owner[t] = name
		return nil
	}
	for i, t := range []int32{bos, eos} {
		if t != None {
			if err := claim([]string{"<bos>", "<eos>"}[i], t); err != nil {
				return err
			}
		}
	}
	for i, t := range token {
		if err := claim(fmt.Sprintf("symbol %q", a.Name(word.Symbol(i))), t); err != nil {
			return err
		}
	}
	s.Alphabet, s.Token, s.Bos, s.Eos = a, token, bos, eos
	return nil
}

// Check reports what does not fit together, before anything is computed.
func (s *Stack) Check() error {
	inputs := s.Embedding.Cols
	if s.Embedding.Rows == 0 {
		inputs = s.Tokens
	} else if s.Embedding.Rows != s.Tokens {
		return fmt.Errorf("an embedding of %d rows for %d tokens", s.Embedding.Rows, s.Tokens)
	}
	if err := s.EmbeddingNorm.check(inputs); err != nil {
		return fmt.Errorf("behind the embedding %w", err)
	}
	if s.EmbeddingNorm != nil && s.Embedding.Rows == 0 {
		return fmt.Errorf("a %s of one-hot inputs", s.EmbeddingNorm.Kind)
	}
	if len(s.Layers) == 0 {
		return fmt.Errorf("there is no recurrent layer")
	}
	if p := s.Pad; p.To > 0 && (p.Token < 0 || int(p.Token) >= s.Tokens) {
		return fmt.Errorf("padding is token %d, but the network has %d tokens, counted from 0", p.Token, s.Tokens)
	}
	if s.Summary == FinalCells && !s.Layers[len(s.Layers)-1].Cell.Memory {
		return fmt.Errorf("the decision should read the last layer's c, and only an LSTM has one")
	}
	for i := range s.Layers {
		for k, y := range s.Layers[i].ways() {
			if err := y.check(inputs); err != nil {
				return fmt.Errorf("layer %d%s: %w", i+1, []string{"", ", backward"}[k], err)
			}
		}
		inputs = s.Layers[i].Outputs()
		if err := s.Layers[i].Norm.check(inputs); err != nil {
			return fmt.Errorf("behind layer %d %w", i+1, err)
		}
	}
	if err := s.checkHead(inputs); err != nil {
		return err
	}
	return s.finite()
}

// checkHead does so for the dense layers, given what the first one gets.
func (s *Stack) checkHead(inputs int) error {
	if len(s.Head) == 0 {
		return fmt.Errorf("there is no dense layer that makes the decision")
	}
	for i, d := range s.Head {
		if d.Weight.Cols != inputs || d.Weight.Rows < 1 {
			return fmt.Errorf("dense layer %d is %d×%d, but gets %d inputs", i+1, d.Weight.Rows, d.Weight.Cols, inputs)
		}
		if d.Bias != nil && len(d.Bias) != d.Weight.Rows {
			return fmt.Errorf("dense layer %d has %d outputs, but %d biases", i+1, d.Weight.Rows, len(d.Bias))
		}
		inputs = d.Weight.Rows
		if err := d.Norm.check(inputs); err != nil {
			return fmt.Errorf("behind dense layer %d %w", i+1, err)
		}
	}
	return nil
}

// Outputs returns how many the last dense layer has.
func (s *Stack) Outputs() int { return s.Head[len(s.Head)-1].Weight.Rows }

// ready reports what does not fit together once it is said what outputs mean.
func (s *Stack) ready() error {
	if err := s.Check(); err != nil {
		return err
	}
	if s.Next == nil && s.Outputs() > 2 {
		return fmt.Errorf("the last dense layer has %d outputs; a decision has one (how sure) or two (no and yes)", s.Outputs())
	}
	if s.Next != nil && len(s.Next) != len(s.Token)+1 {
		return fmt.Errorf("rnn: %d outputs for %d symbols and the end", len(s.Next), len(s.Token))
	}
	for i, k := range s.Next {
		if (k < 0 || int(k) >= s.Outputs()) && !(k == None && i == len(s.Token)) {
			return fmt.Errorf("rnn: output %d of %d", k, s.Outputs())
		}
	}
	return nil
}

func (y *Layer) check(inputs int) error {
	if !slices.Contains(Cells, y.Cell) {
		return errUnknownCell
	}
	hidden, rows := y.Hidden(), y.Cell.Gates()*y.Hidden()
	switch {
	case hidden < 1:
		return fmt.Errorf("it has no units")
	case y.In.Cols != inputs:
		return fmt.Errorf("it reads %d numbers, but gets %d", y.In.Cols, inputs)
	case y.In.Rows != rows || y.Rec.Rows != rows:
		return fmt.Errorf("%s weights of %d and %d rows for %d units: both should have %d", y.Cell, y.In.Rows, y.Rec.Rows, hidden, rows)
	case y.BiasIn != nil && len(y.BiasIn) != rows || y.BiasRec != nil && len(y.BiasRec) != rows:
		return fmt.Errorf("%d and %d biases, not %d", len(y.BiasIn), len(y.BiasRec), rows)
	case y.Linear < 0 || y.Linear > hidden || y.Linear > 0 && y.Cell != Elman:
		return fmt.Errorf("%d linear units of %d in a layer of kind %s", y.Linear, hidden, y.Cell)
	}
	return y.Norms.check(y)
}

// Stack returns the network for running; it shares the parameters.
func (n *Network) Stack() *Stack {
	matrix := func(t Tensor) f32.Matrix { return f32.Of(t.Dims[0], t.Dims[1], t.Data) }
	s := &Stack{
		Alphabet: n.Alphabet, Token: n.Token, Bos: n.Bos, Eos: None,
		Tokens: n.Tokens, Embedding: matrix(n.tensors[0]),
	}
	t := n.tensors[1:]
	for ; len(t) > 2; t = t[4:] {
		s.Layers = append(s.Layers, Layer{Cell: n.Cell, In: matrix(t[0]), Rec: matrix(t[1]), BiasIn: t[2].Data, BiasRec: t[3].Data})
	}
	s.Head = []Dense{{Weight: matrix(t[0]), Bias: t[1].Data}}
	for k := range int32(n.Outputs) {
		s.Next = append(s.Next, k)
	}
	return s
}
