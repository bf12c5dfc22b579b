// Package rnn holds recurrent networks that read a word symbol by symbol and say
// after each whether the word so far is in a language: an embedding, one or more
// Elman (tanh), GRU or LSTM layers, and one linear unit on the last of them. It runs
// them, and reads and writes their files; package backprop trains them. It knows
// nothing of automata.
//
// Equations, parameter names and shapes are PyTorch's, so that torch.nn.RNN, GRU
// and LSTM load the weights as they are.
//
// Words are read behind a <bos> token, so that the state of the empty word is the
// state after <bos> and never the zero vector.
//
// Results depend on the parameters and the words, never on the number of threads.
package rnn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"quotient/f32"
	"quotient/word"
)

// A Shape says how large a network is.
type Shape struct {
	Cell      *Cell
	Layers    int
	Tokens    int // rows of the embedding: the symbols and <bos>
	Embedding int
	Hidden    int
	Outputs   int // of a language model, one for each symbol and the end; 0: one number, which decides
}

// MaxParams is the largest number of parameters of a network.
const MaxParams = 1 << 28

// Check reports what is wrong with a shape.
func (s Shape) Check() error {
	switch {
	case !slices.Contains(Cells, s.Cell):
		return errUnknownCell
	case s.Layers < 1 || s.Layers > 64:
		return fmt.Errorf("%d layers: must be 1 to 64", s.Layers)
	case s.Tokens < 1 || s.Tokens > word.MaxSymbols+1:
		return fmt.Errorf("%d tokens: must be 1 to %d", s.Tokens, word.MaxSymbols+1)
	case s.Embedding < 1 || s.Embedding > 1<<14:
		return fmt.Errorf("embedding of %d: must be 1 to %d", s.Embedding, 1<<14)
	case s.Hidden < 1 || s.Hidden > 1<<14:
		return fmt.Errorf("%d hidden units: must be 1 to %d", s.Hidden, 1<<14)
	case s.Outputs != 0 && (s.Outputs < 2 || s.Outputs > word.MaxSymbols+1):
		return fmt.Errorf("%d outputs of a language model: must be 2 to %d", s.Outputs, word.MaxSymbols+1)
	}
	if n := s.Params(); n > MaxParams {
		return fmt.Errorf("%d parameters: at most %d are possible", n, MaxParams)
	}
	return nil
}

// Params returns the number of parameters.
func (s Shape) Params() int {
	n := 0
	for _, t := range s.tensors(nil) {
		n += t.size()
	}
	return n
}

// A Tensor is a named view of parameters, row by row.
type Tensor struct {
	Name string
	Dims []int
	Data []float32
}

func (t Tensor) size() int {
	n := 1
	for _, d := range t.Dims {
		n *= d
	}
	return n
}

// tensors lists the tensors of a network of this shape, in PyTorch's order, as
// views of one slice of all parameters if there is one.
func (s Shape) tensors(params []float32) []Tensor {
	var list []Tensor
	add := func(name string, dims ...int) {
		t := Tensor{Name: name, Dims: dims}
		if params != nil {
			n := t.size()
			t.Data, params = params[:n:n], params[n:]
		}
		list = append(list, t)
	}
	rows := s.Cell.Gates() * s.Hidden
	add("embedding.weight", s.Tokens, s.Embedding)
	inputs := s.Embedding
	for l := range s.Layers {
		add(fmt.Sprintf("rnn.weight_ih_l%d", l), rows, inputs)
		add(fmt.Sprintf("rnn.weight_hh_l%d", l), rows, s.Hidden)
		add(fmt.Sprintf("rnn.bias_ih_l%d", l), rows)
		add(fmt.Sprintf("rnn.bias_hh_l%d", l), rows)
		inputs = s.Hidden
	}
	add("classifier.weight", max(1, s.Outputs), s.Hidden)
	add("classifier.bias", max(1, s.Outputs))
	return list
}

// A Network is a recognizer's or a language model's parameters and the tokens that it reads.
type Network struct {
	Shape
	Alphabet *word.Alphabet
	Token    []int32 // the token of each symbol of the alphabet
	Bos      int32   // the token read before every word

	Params  []float32 // all parameters; Tensors gives them names
	tensors []Tensor
}

// New returns a network of zeros over the alphabet. Symbol i is token i and
// <bos> the token after the last symbol; s.Tokens need not be set, and s.Outputs not
// exactly: if it is not 0, there is one for each symbol and the end.
func New(s Shape, a *word.Alphabet) (*Network, error) {
	s.Tokens = a.Len() + 1
	if s.Outputs != 0 {
		s.Outputs = a.Len() + 1
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("rnn: %w", err)
	}
	n := Zeros(s)
	token := make([]int32, a.Len())
	for i := range token {
		token[i] = int32(i)
	}
	return n, n.Speak(a, token, int32(a.Len()))
}

// Zeros returns a network of zeros that has no alphabet yet.
func Zeros(s Shape) *Network {
	n := &Network{Shape: s, Params: f32.Slice(s.Params())}
	n.tensors = s.tensors(n.Params)
	return n
}

// Speak says which token each symbol of an alphabet is, and which <bos> is: all
// of them different ones.
func (n *Network) Speak(a *word.Alphabet, token []int32, bos int32) error {
	s := Stack{Tokens: n.Tokens}
	if bos == None {
		return errors.New("there is no token <bos>, which the network reads before every word")
	}
	if err := s.Speak(a, token, bos, None); err != nil {
		return err
	}
	n.Alphabet, n.Token, n.Bos = a, token, bos
	return nil
}

// Tensors lists the parameters by name, in PyTorch's order, as views of Params.
func (n *Network) Tensors() []Tensor { return n.tensors }

// Init draws parameters as PyTorch does by default: the embedding from the
// standard normal distribution, all others uniformly from ±1/sqrt(Hidden).
func (n *Network) Init(r *rand.Rand) {
	bound := 1 / math.Sqrt(float64(n.Hidden))
	for i, t := range n.tensors {
		for j := range t.Data {
			if i == 0 {
				t.Data[j] = float32(r.NormFloat64())
			} else {
				t.Data[j] = float32((2*r.Float64() - 1) * bound)
			}
		}
	}
}

// Norm returns the Euclidean norm of all parameters.
func (n *Network) Norm() float64 {
	var sum float64
	for _, x := range n.Params {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// Check reports the first tensor that holds a NaN or an infinity, if any.
func (n *Network) Check() error {
	for _, t := range n.tensors {
		if err := t.check(); err != nil {
			return err
		}
	}
	return nil
}

func (t Tensor) check() error {
	if i := f32.Finite(t.Data); i < len(t.Data) {
		return fmt.Errorf("tensor %q holds %v at position %d", t.Name, t.Data[i], i)
	}
	return nil
}
