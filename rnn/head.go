package rnn

import (
	"fmt"
	"math"

	"quotient/f32"
)

// An Activation is a function that follows a dense layer.
type Activation string

const (
	Tanh       Activation = "tanh"
	ReLU       Activation = "relu"
	LeakyReLU  Activation = "leaky_relu" // with slope 0.01
	ELU        Activation = "elu"
	GELU       Activation = "gelu"
	SiLU       Activation = "silu"
	Softplus   Activation = "softplus"
	Sigmoid    Activation = "sigmoid"
	Softmax    Activation = "softmax"
	LogSoftmax Activation = "log_softmax"
)

// activations says what becomes of a row.
var activations = map[Activation]func(row []float32){
	Tanh:       func(row []float32) { f32.Tanh(row, row) },
	ReLU:       elementwise(func(x float64) float64 { return max(x, 0) }),
	LeakyReLU:  elementwise(func(x float64) float64 { return max(x, 0.01*x) }),
	ELU:        elementwise(func(x float64) float64 { return max(x, 0) + math.Expm1(min(x, 0)) }),
	GELU:       elementwise(func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }),
	SiLU:       elementwise(func(x float64) float64 { return x / (1 + math.Exp(-x)) }),
	Softplus:   elementwise(func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }),
	Sigmoid:    func(row []float32) { f32.Sigmoid(row, row) },
	Softmax:    func(row []float32) { normalize(row, false) },
	LogSoftmax: func(row []float32) { normalize(row, true) },
}

// elementwise is for functions of single numbers that kernels do not have.
func elementwise(f func(x float64) float64) func(row []float32) {
	return func(row []float32) {
		for j, x := range row {
			row[j] = float32(f(float64(x)))
		}
	}
}

// ParseActivation returns the activation of the given name.
func ParseActivation(name string) (Activation, error) {
	if activations[Activation(name)] == nil {
		return "", fmt.Errorf("unknown activation %q: have tanh, relu, leaky_relu, elu, gelu, silu, softplus, sigmoid, softmax and log_softmax", name)
	}
	return Activation(name), nil
}

// Apply replaces every row of m by its value.
func (a Activation) Apply(m f32.Matrix) { a.apply(m) }

// apply replaces every row of m by its value.
func (a Activation) apply(m f32.Matrix) {
	f := activations[a]
	for i := range m.Rows {
		f(m.Row(i))
	}
}

// normalize turns logits into probabilities, or their logarithms.
func normalize(row []float32, logarithm bool) {
	top := row[0]
	for _, x := range row {
		top = max(top, x)
	}
	sum := 0.0
	for _, x := range row {
		sum += math.Exp(float64(x - top))
	}
	for j, x := range row {
		log := float64(x-top) - math.Log(sum)
		if !logarithm {
			log = math.Exp(log)
		}
		row[j] = float32(log)
	}
}

// A head makes decisions of the last layer's outputs.
type head struct {
	first  *Norm     // of what it reads; nil: none
	linear []float32 // if all the head does is one scalar product, its weights
	bias   float32
	layers []denseWeights
}

type denseWeights struct {
	t    f32.Matrix // inputs × outputs
	bias []float32
	norm *Norm
	then []Activation
}

func newHead(s *Stack) head {
	layers := s.Head
	if s.Next == nil && len(layers) == 1 && len(layers[0].Then) == 0 && layers[0].Norm == nil {
		return linearHead(layers[0])
	}
	var h head
	for _, d := range layers {
		w := denseWeights{t: f32.New(d.Weight.Cols, d.Weight.Rows), bias: d.Bias, norm: d.Norm, then: d.Then}
		f32.Transpose(w.t, d.Weight)
		h.layers = append(h.layers, w)
	}
	return h
}

// linearHead takes of two classes the difference, which is the logit of the second.
func linearHead(d Dense) head {
	h := head{linear: append([]float32(nil), d.Weight.Row(d.Weight.Rows-1)...)}
	if d.Bias != nil {
		h.bias = d.Bias[len(d.Bias)-1]
	}
	if d.Weight.Rows == 2 {
		f32.Axpy(h.linear, -1, d.Weight.Row(0))
		if d.Bias != nil {
			h.bias -= d.Bias[0]
		}
	}
	return h
}

// inputs returns how many numbers the head reads.
func (h *head) inputs() int {
	if h.linear != nil {
		return len(h.linear)
	}
	return h.layers[0].t.Rows
}

// logit writes for every row of x the logarithm of the odds of a yes.
func (h *head) logit(dst []float32, x f32.Matrix) {
	x = h.normed(x)
	if h.linear != nil {
		f32.Dots(dst, x, h.linear)
		for i := range dst {
			dst[i] += h.bias
		}
		return
	}
	x = h.outputs(x)
	then := h.layers[len(h.layers)-1].then
	for i := range dst {
		dst[i] = logOdds(x.Row(i), then)
	}
}

// next writes for every row of x a language model's distribution: see [Stack.Next].
func (h *head) next(dst, x f32.Matrix, s *Stack) {
	x = h.outputs(h.normed(x))
	then := h.layers[len(h.layers)-1].then
	probable := len(then) > 0 && then[len(then)-1] == Softmax
	for i := range dst.Rows {
		row := x.Row(i)
		if probable {
			for k, p := range row {
				row[k] = odds(p, 1)
			}
		}
		distribute(dst.Row(i), row, s)
	}
}

// distribute turns logits into the probabilities of those that have a meaning.
func distribute(dst, logit []float32, s *Stack) {
	top := float32(math.Inf(-1))
	all := func(yield func(x float32)) {
		if s.Own {
			for _, x := range logit {
				yield(x)
			}
			return
		}
		for _, k := range s.Next {
			if k != None {
				yield(logit[k])
			}
		}
	}
	all(func(x float32) { top = max(top, x) })
	sum := 0.0
	all(func(x float32) { sum += math.Exp(float64(x - top)) })
	for i, k := range s.Next {
		dst[i] = 0
		if k != None {
			dst[i] = float32(math.Exp(float64(logit[k]-top)) / sum)
		}
	}
}

// normed returns what the dense layers read.
func (h *head) normed(x f32.Matrix) f32.Matrix {
	if h.first == nil {
		return x
	}
	own := f32.New(x.Rows, x.Cols)
	copyRows(own, x)
	h.first.apply(own)
	return own
}

// outputs returns the last dense layer's numbers.
func (h *head) outputs(x f32.Matrix) f32.Matrix {
	for _, d := range h.layers {
		y := f32.New(x.Rows, d.t.Cols)
		for i := range y.Rows {
			copy(y.Row(i), d.bias)
		}
		f32.MulAdd(y, x, d.t)
		d.norm.apply(y)
		for _, a := range d.then {
			a.apply(y)
		}
		x = y
	}
	return x
}

// logOdds reads the head's outputs: one logit or probability, or two numbers for
// no and yes, which are probabilities after a softmax and logits otherwise.
func logOdds(row []float32, then []Activation) float32 {
	var last Activation
	if len(then) > 0 {
		last = then[len(then)-1]
	}
	switch {
	case len(row) == 1 && last == Sigmoid:
		return odds(row[0], 1-row[0])
	case len(row) == 1:
		return row[0]
	case last == Softmax:
		return odds(row[1], row[0])
	}
	return row[1] - row[0]
}

// odds returns the logarithm of yes to no, kept finite.
func odds(yes, no float32) float32 {
	const tiny = 1e-30
	return float32(math.Log(float64(max(yes, tiny))) - math.Log(float64(max(no, tiny))))
}
