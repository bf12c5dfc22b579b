// Package rnn holds recurrent networks that read a word symbol by symbol and say
// after each whether the word so far is in a language: an embedding, one or more
// Elman (tanh), GRU or LSTM layers, and one linear unit on the last of them. It
// trains them, runs them, and reads and writes their files. It knows nothing of
// automata.
//
// Equations, parameter names and shapes are PyTorch's, so that torch.nn.RNN, GRU
// and LSTM load the weights as they are.
//
// Words are read behind a <bos> token, so that the state of the empty word is the
// state after <bos> and never the zero vector.
//
// Results depend on the parameters, the data and the seed, never on the number
// of threads.
package rnn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"quotient/f32"
	"quotient/word"
)

// A Cell is a kind of recurrent layer.
type Cell int

const (
	Elman Cell = iota // h' = tanh(Wx + b + Uh + c)
	GRU               // reset gate applied after the recurrent product
	LSTM              // without peepholes
)

// Cells lists all kinds.
var Cells = []Cell{Elman, GRU, LSTM}

func (c Cell) String() string { return [...]string{"elman", "gru", "lstm"}[c] }

// ParseCell returns the cell of the given name. It reads "rnn" as "elman", as
// PyTorch calls it.
func ParseCell(name string) (Cell, error) {
	name = strings.ToLower(name)
	if name == "rnn" {
		return Elman, nil
	}
	for _, c := range Cells {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, fmt.Errorf("unknown cell %q: have elman, gru and lstm", name)
}

// Gates returns how many stretches of rows the cell's weights have.
func (c Cell) Gates() int { return [...]int{1, 3, 4}[c] }

// A Shape says how large a network is.
type Shape struct {
	Cell      Cell
	Layers    int
	Tokens    int // rows of the embedding: the symbols and <bos>
	Embedding int
	Hidden    int
}

// MaxParams is the largest number of parameters of a network.
const MaxParams = 1 << 28

// check reports what is wrong with a shape.
func (s Shape) check() error {
	switch {
	case s.Cell < Elman || s.Cell > LSTM:
		return fmt.Errorf("unknown cell %d", int(s.Cell))
	case s.Layers < 1 || s.Layers > 64:
		return fmt.Errorf("%d layers: must be 1 to 64", s.Layers)
	case s.Tokens < 1 || s.Tokens > word.MaxSymbols+1:
		return fmt.Errorf("%d tokens: must be 1 to %d", s.Tokens, word.MaxSymbols+1)
	case s.Embedding < 1 || s.Embedding > 1<<14:
		return fmt.Errorf("embedding of %d: must be 1 to %d", s.Embedding, 1<<14)
	case s.Hidden < 1 || s.Hidden > 1<<14:
		return fmt.Errorf("%d hidden units: must be 1 to %d", s.Hidden, 1<<14)
	}
	if n := s.params(); n > MaxParams {
		return fmt.Errorf("%d parameters: at most %d are possible", n, MaxParams)
	}
	return nil
}

// params returns the number of parameters.
func (s Shape) params() int {
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
	for l := range s.Layers {
		add(fmt.Sprintf("rnn.weight_ih_l%d", l), rows, s.input(l))
		add(fmt.Sprintf("rnn.weight_hh_l%d", l), rows, s.Hidden)
		add(fmt.Sprintf("rnn.bias_ih_l%d", l), rows)
		add(fmt.Sprintf("rnn.bias_hh_l%d", l), rows)
	}
	add("classifier.weight", 1, s.Hidden)
	add("classifier.bias", 1)
	return list
}

// input returns how many numbers layer l reads.
func (s Shape) input(l int) int {
	if l == 0 {
		return s.Embedding
	}
	return s.Hidden
}

// A Network is a recognizer's parameters and the tokens that it reads.
type Network struct {
	Shape
	Alphabet *word.Alphabet
	Token    []int32 // the token of each symbol of the alphabet
	Bos      int32   // the token read before every word

	Params  []float32 // all parameters; Tensors gives them names
	tensors []Tensor
}

// New returns a network of zeros over the alphabet. Symbol i is token i and
// <bos> the token after the last symbol; s.Tokens need not be set.
func New(s Shape, a *word.Alphabet) (*Network, error) {
	s.Tokens = a.Len() + 1
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("rnn: %w", err)
	}
	n := empty(s)
	token := make([]int32, a.Len())
	for i := range token {
		token[i] = int32(i)
	}
	return n, n.Speak(a, token, int32(a.Len()))
}

// empty returns a network of zeros that has no alphabet yet.
func empty(s Shape) *Network {
	n := &Network{Shape: s, Params: f32.Slice(s.params())}
	n.tensors = s.tensors(n.Params)
	return n
}

// Speak says which token each symbol of an alphabet is, and which <bos> is: all
// of them different ones.
func (n *Network) Speak(a *word.Alphabet, token []int32, bos int32) error {
	if a.Len() != len(token) {
		return fmt.Errorf("rnn: %d tokens for %d symbols", len(token), a.Len())
	}
	if bos < 0 || int(bos) >= n.Tokens {
		return fmt.Errorf("rnn: <bos> is token %d, but the embedding has %d rows", bos, n.Tokens)
	}
	owner := map[int32]string{bos: "<bos>"}
	for s, t := range token {
		name := a.Name(word.Symbol(s))
		if t < 0 || int(t) >= n.Tokens {
			return fmt.Errorf("rnn: symbol %q is token %d, but the embedding has %d rows", name, t, n.Tokens)
		}
		if other, taken := owner[t]; taken {
			return fmt.Errorf("rnn: token %d is both %q and %q", t, other, name)
		}
		owner[t] = name
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

// Clone returns a copy that shares nothing but the alphabet.
func (n *Network) Clone() *Network {
	c := empty(n.Shape)
	copy(c.Params, n.Params)
	c.Alphabet, c.Token, c.Bos = n.Alphabet, n.Token, n.Bos
	return c
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
	for i, x := range t.Data {
		if x-x != 0 {
			return fmt.Errorf("tensor %q holds %v at position %d", t.Name, x, i)
		}
	}
	return nil
}

// The tensors of layer l, and of the head.

func (n *Network) embedding() Tensor          { return n.tensors[0] }
func (n *Network) layer(l int) []Tensor       { return n.tensors[1+4*l : 5+4*l] } // W_ih, W_hh, b_ih, b_hh
func (n *Network) head() (w, b Tensor)        { k := len(n.tensors); return n.tensors[k-2], n.tensors[k-1] }
func (t Tensor) matrix() f32.Matrix           { return f32.Of(t.Dims[0], t.Dims[1], t.Data) }
func (t Tensor) gate(i, hidden int) []float32 { return t.Data[i*hidden : (i+1)*hidden] }
