package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"quotient/f32"
	"quotient/rnn"
)

// activations are the operators that act on single numbers.
var activations = map[string]rnn.Activation{
	"Tanh": rnn.Tanh, "Relu": rnn.ReLU, "LeakyRelu": rnn.LeakyReLU, "Elu": rnn.ELU, "Gelu": rnn.GELU,
	"Softplus": rnn.Softplus, "Sigmoid": rnn.Sigmoid, "Swish": rnn.SiLU,
}

// activation adds to the dense layer that its input comes from.
func (r *reader) activation(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	v := in[0]
	a, elementwise := activations[n.op]
	usual := map[rnn.Activation]float64{rnn.LeakyReLU: 0.01, rnn.ELU: 1, rnn.SiLU: 1}[a]
	if alpha, found := n.attribute("alpha"); found && math.Abs(float64(alpha.number)-usual) > 1e-6 {
		return nil, fmt.Errorf("alpha %v is not supported, only %v", alpha.number, usual)
	}
	if way, _ := n.attribute("approximate"); way.text != "" && way.text != "none" {
		return nil, fmt.Errorf("the approximation %q is not supported", way.text)
	}
	if !elementwise {
		a = map[string]rnn.Activation{"Softmax": rnn.Softmax, "LogSoftmax": rnn.LogSoftmax}[n.op]
		without := int64(-1)
		if r.opset < 13 {
			without = 1
		}
		at, err := axisOf(n.int("axis", without), v.rank())
		if err != nil || at != v.rank()-1 || v.constant != nil || !v.axes[at].is(feature) {
			return nil, errors.New("its axis is not that of the classes")
		}
	}
	return flowValue(r.then(v, a))
}

// then puts an activation behind a value.
func (r *reader) then(v value, a rnn.Activation) (value, error) {
	d, err := r.asDense(v)
	if err != nil {
		return v, err
	}
	y := *d.dense
	y.Then = append(slices.Clone(y.Then), a)
	if len(y.Then) > maxRank {
		return v, errors.New("too many activations in a row")
	}
	return v.onward(&link{from: d.from, dense: &y, summary: d.summary, of: v.parts[0].made, is: string(a)}), nil
}

// onward returns the value with what came of it.
func (v value) onward(made *link) value {
	p := v.parts[0]
	p.made = made
	v.parts = []part{p}
	return v
}

// asDense returns the dense layer that made a value. If a recurrent layer did, it is
// one that changes nothing.
func (r *reader) asDense(v value) (*link, error) {
	if v.constant != nil || len(v.parts) != 1 || v.parts[0].way != whole {
		return nil, errors.New("it does not act on all outputs of one layer")
	}
	p := v.parts[0]
	switch {
	case p.made == nil || p.made.partial():
		return nil, errors.New("it does not act on a layer's outputs")
	case p.made.tokens > 0:
		return nil, errors.New("before the first recurrent layer it is not supported")
	case p.made.dense != nil:
		return p.made, nil
	}
	n := p.made.layer.Hidden()
	if p.made.layer.Reverse != nil {
		n *= 2
	}
	one, err := r.identityMatrix(n)
	if err != nil {
		return nil, err
	}
	d := &link{from: p.made, dense: &rnn.Dense{Weight: one}}
	if p.final {
		d.summary = rnn.FinalStates
	}
	return d, nil
}

// Some activations are exported in pieces: x times sigmoid of x, and GELU as half of
// x times one plus erf of x over the root of two. A link that is a piece has the link
// of x, and its own name.
const (
	overRoot   = "x/√2"
	erfOfThat  = "erf(x/√2)"
	onePlusErf = "1 + erf(x/√2)"
	twoGELU    = "x (1 + erf(x/√2))"
)

// partial reports whether a link is a piece of an activation and nothing by itself.
func (l *link) partial() bool { return l.tokens == 0 && l.layer == nil && l.dense == nil }

func (r *reader) erf(_ *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	if v := in[0]; v.piece(overRoot) {
		return flowValue(v.onward(&link{of: v.parts[0].made.of, is: erfOfThat}), nil)
	}
	return nil, errors.New("this operator is not supported other than as part of GELU")
}

// piece reports whether a value is a piece of the given name.
func (v value) piece(name string) bool {
	return len(v.parts) == 1 && v.parts[0].made != nil && v.parts[0].made.is == name
}

// arithmeticNode computes with shapes, adds biases and scales, and puts the pieces of
// activations together.
func (r *reader) arithmeticNode(n *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	x, y := in[0], in[1]
	if x.constant != nil && (n.op == "Add" || n.op == "Mul") {
		x, y = y, x
	}
	switch {
	case x.constant != nil && y.constant != nil:
		return constantValue(r.arithmetic(n.op, *in[0].constant, *in[1].constant))
	case x.constant != nil:
		return nil, errors.New("it subtracts from a constant, or divides one")
	case y.constant == nil:
		if out, found, err := r.pieces(n.op, in[0], in[1]); found {
			return flowValue(out, err)
		}
		if n.op == "Mul" {
			return flowValue(r.product(x, y))
		}
		return nil, errors.New("it combines two branches of the network, and only chains of layers are supported")
	}
	return flowValue(r.affine(n.op, x, *y.constant))
}

// product puts together x and a piece that was made from it.
func (r *reader) product(x, y value) (value, error) {
	if len(x.parts) == 1 && len(y.parts) == 1 {
		for range 2 {
			switch of := x.parts[0].made; {
			case of == nil || y.parts[0].made == nil || y.parts[0].made.of != of:
			case y.piece(onePlusErf):
				return x.onward(&link{of: of, is: twoGELU}), nil
			case y.piece(string(rnn.Sigmoid)):
				return r.then(x, rnn.SiLU)
			}
			x, y = y, x
		}
	}
	return x, errors.New("it multiplies two branches of the network, and only chains of layers are supported")
}

// affine adds a constant to a layer's outputs, or multiplies them.
func (r *reader) affine(op string, v value, c tensor) (value, error) {
	number := float32(math.NaN())
	if c.uniform() && c.floats != nil {
		number = c.floats[0]
	}
	switch {
	case op == "Add" && number == 1 && v.piece(erfOfThat):
		return v.onward(&link{of: v.parts[0].made.of, is: onePlusErf}), nil
	case op == "Mul" && number == 0.5 && v.piece(twoGELU):
		return r.then(v.onward(v.parts[0].made.of), rnn.GELU)
	case op == "Add" && v.piece(variance):
		return v.onward(&link{of: v.parts[0].made.of, is: varianceEps, eps: number}), nil
	}
	if len(v.parts) == 1 && v.parts[0].made != nil && v.parts[0].made.tokens > 0 {
		return r.affineTable(op, v, c)
	}
	d, err := r.asDense(v)
	if err != nil {
		return v, err
	}
	rows := d.dense.Weight.Rows
	if !c.uniform() && !v.axes[len(v.axes)-1].is(feature) {
		return v, errors.New("its constant does not lie along the features")
	}
	list, err := r.vector(c, rows)
	if err != nil {
		return v, err
	}
	y := *d.dense
	if len(y.Then) > 0 {
		return v, errors.New("behind an activation it is not supported")
	}
	if err := r.take(rows * (1 + y.Weight.Cols)); err != nil {
		return v, err
	}
	if y.Norm != nil {
		y.Norm = scaleNorm(*y.Norm, op, list)
	} else {
		y.Weight, y.Bias = scaleDense(y, op, list)
	}
	made := &link{from: d.from, dense: &y, summary: d.summary, plain: d.plain && y.Norm != nil}
	if _, times := step(op, number); math.Abs(float64(times)-math.Sqrt2/2) < 1e-6 {
		made.of, made.is = v.parts[0].made, overRoot
	}
	return v.onward(made), nil
}

// scaleDense takes a product or a sum into a dense layer's weights.
func scaleDense(y rnn.Dense, op string, list []float32) (f32.Matrix, []float32) {
	w, bias := f32.New(y.Weight.Rows, y.Weight.Cols), make([]float32, y.Weight.Rows)
	copy(bias, y.Bias)
	for i, x := range list {
		plus, times := step(op, x)
		bias[i] = bias[i]*times + plus
		f32.Axpy(w.Row(i), times, y.Weight.Row(i))
	}
	return w, bias
}

// step returns what an operator with a constant adds, after what it multiplies by.
func step(op string, x float32) (plus, times float32) {
	switch op {
	case "Add":
		return x, 1
	case "Sub":
		return -x, 1
	case "Mul":
		return 0, x
	}
	return 0, 1 / x
}

// affineTable does so for every token's vector.
func (r *reader) affineTable(op string, v value, c tensor) (value, error) {
	first := v.parts[0].made
	size, err := v.features()
	if err != nil {
		return v, err
	}
	list, err := r.vector(c, size)
	if err != nil {
		return v, err
	}
	if first.table.Rows == 0 {
		return v, errors.New("on one-hot inputs it is not supported")
	}
	if err := r.take(first.tokens * size); err != nil {
		return v, err
	}
	table := f32.New(first.tokens, size)
	for i := range table.Rows {
		for j, x := range first.table.Row(i) {
			plus, times := step(op, list[j])
			table.Row(i)[j] = x*times + plus
		}
	}
	return v.onward(&link{tokens: first.tokens, table: table}), nil
}
