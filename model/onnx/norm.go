package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"quotient/f32"
	"quotient/rnn"
)

// layerNorm normalizes over the features.
func (r *reader) layerNorm(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	v := in[0]
	at, err := axisOf(n.int("axis", -1), v.rank())
	if err != nil || v.constant != nil || at != v.rank()-1 || !v.axes[at].is(feature) {
		return nil, errors.New("its axis is not that of the features")
	}
	norm := rnn.Norm{Kind: rnn.LayerNorm, Eps: n.epsilon()}
	if n.op == "RMSNormalization" {
		norm.Kind = rnn.RMSNorm
	}
	for i, to := range []*[]float32{&norm.Scale, &norm.Shift} {
		if *to, err = r.normVector(in, i+1, v.axes[at].size()); err != nil {
			return nil, err
		}
	}
	return flowValue(r.normalize(v, &norm))
}

func (n *node) epsilon() float32 {
	if a, found := n.attribute("epsilon"); found {
		return a.number
	}
	return 1e-5
}

// normVector returns one of a norm's constants; nil if there is none.
func (r *reader) normVector(in []value, i, size int) ([]float32, error) {
	if i >= len(in) || in[i].constant == nil && !in[i].isFlow() {
		return nil, nil
	}
	if in[i].constant == nil {
		return nil, fmt.Errorf("its input %d is no constant", i+1)
	}
	return r.vector(*in[i].constant, size)
}

// batchNorm scales and shifts features by the statistics of training. They lie along the
// second axis, or the only one.
func (r *reader) batchNorm(n *node, in []value) ([]value, error) {
	if err := needs(in, 5); err != nil {
		return nil, err
	}
	v := in[0]
	if v.constant != nil || v.rank() < 2 || !v.axes[1].is(feature) {
		return nil, errors.New("its second axis is not that of the features")
	}
	if n.int("training_mode", 0) != 0 {
		return nil, errors.New("it is in training, and normalizes by what else is in a batch; export the model after model.eval()")
	}
	var c [4][]float32
	var err error
	for i := range c {
		if c[i], err = r.normVector(in, i+1, v.axes[1].size()); err != nil {
			return nil, err
		}
	}
	eps := n.epsilon()
	if slices.ContainsFunc(c[3], func(x float32) bool { return !(x+eps > 0) }) {
		return nil, errors.New("a variance that is not above zero")
	}
	return flowValue(r.normalize(v, rnn.Normalized(c[2], c[3], c[0], c[1], eps)))
}

// normalize puts a norm behind a value. Before the first recurrent layer it is computed once
// for each token.
func (r *reader) normalize(v value, n *rnn.Norm) (value, error) {
	if !(n.Eps >= 0) {
		return v, errors.New("what it adds to the variance is no constant, or below zero")
	}
	if len(v.parts) == 1 && v.parts[0].made != nil && v.parts[0].made.tokens > 0 {
		first := v.parts[0].made
		if first.table.Rows == 0 {
			return v, errors.New("on one-hot inputs it is not supported")
		}
		if err := r.take(len(first.table.Data)); err != nil {
			return v, err
		}
		table := f32.New(first.table.Rows, first.table.Cols)
		for i := range table.Rows {
			copy(table.Row(i), first.table.Row(i))
		}
		n.Apply(table)
		return v.onward(&link{tokens: first.tokens, table: table}), nil
	}
	d, err := r.asDense(v)
	if err != nil {
		return v, err
	}
	y, from := *d.dense, d.from
	plain := d.plain || v.parts[0].made.layer != nil
	if y.Norm != nil || len(y.Then) > 0 {
		one, err := r.identityMatrix(y.Weight.Rows)
		if err != nil {
			return v, err
		}
		y, from, plain = rnn.Dense{Weight: one}, d, false
	}
	y.Norm = n
	return v.onward(&link{from: from, dense: &y, summary: d.summary, plain: plain}), nil
}

// identityMatrix returns the matrix of a dense layer that changes nothing.
func (r *reader) identityMatrix(n int) (f32.Matrix, error) {
	if err := r.take(n * n); err != nil {
		return f32.Matrix{}, err
	}
	return f32.Identity(n), nil
}

// below returns the link that a recurrent layer reads. A norm behind a recurrent layer is
// part of that.
func (p part) below() (*link, error) {
	l := p.made
	switch {
	case l.dense == nil:
		return l, nil
	case !l.plain || l.dense.Norm == nil || len(l.dense.Then) > 0 || p.final:
		return nil, errors.New("a dense layer between recurrent ones is not supported")
	}
	y := *l.from.layer
	y.Norm = l.dense.Norm
	return &link{from: l.from.from, layer: &y}, nil
}

// scaleNorm takes what follows a norm, a product or a sum, into the norm.
func scaleNorm(n rnn.Norm, op string, list []float32) *rnn.Norm {
	scale, shift := make([]float32, len(list)), make([]float32, len(list))
	for i, x := range list {
		scale[i] = 1
		if n.Scale != nil {
			scale[i] = n.Scale[i]
		}
		if n.Shift != nil {
			shift[i] = n.Shift[i]
		}
		plus, times := step(op, x)
		scale[i], shift[i] = scale[i]*times, shift[i]*times+plus
	}
	n.Scale, n.Shift = scale, shift
	return &n
}

// Before opset 17 layer norms are exported in pieces.
const (
	meanOf      = "mean(x)"
	centered    = "x - mean(x)"
	squared     = "(x - mean(x))²"
	variance    = "mean((x - mean(x))²)"
	varianceEps = "mean((x - mean(x))²) + eps"
	deviation   = "√(mean((x - mean(x))²) + eps)"
)

// reduceMean is a piece of a layer norm, and nothing else: pooling looks at whole words.
func (r *reader) reduceMean(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	axes, err := n.integers(in, 1, "axes")
	if err != nil || len(axes) != 1 || in[0].constant != nil || n.int("keepdims", 1) != 1 {
		return nil, errors.New("this operator is not supported other than as part of a layer norm; " + pooling)
	}
	v := in[0]
	at, err := axisOf(axes[0], v.rank())
	if err != nil || at != v.rank()-1 || !v.axes[at].is(feature) || len(v.parts) != 1 {
		return nil, errors.New("this operator is not supported other than as part of a layer norm; " + pooling)
	}
	if v.piece(squared) {
		return flowValue(v.onward(&link{of: v.parts[0].made.of, is: variance}), nil)
	}
	if v.parts[0].way != whole || v.parts[0].made == nil || v.parts[0].made.partial() {
		return nil, errors.New("this operator is not supported other than as part of a layer norm; " + pooling)
	}
	return flowValue(v.onward(&link{of: v.parts[0].made, is: meanOf}), nil)
}

const pooling = "of the weights of a network that pools, the option pool takes the mean"

// pieces puts together two pieces of a layer norm, and reports whether they are such.
func (r *reader) pieces(op string, x, y value) (out value, found bool, err error) {
	if len(x.parts) != 1 || len(y.parts) != 1 || x.parts[0].made == nil || y.parts[0].made == nil {
		return x, false, nil
	}
	a, b := x.parts[0].made, y.parts[0].made
	switch {
	case op == "Sub" && y.piece(meanOf) && b.of == a:
		return x.onward(&link{of: a, is: centered}), true, nil
	case op == "Mul" && x.piece(centered) && a == b:
		return x.onward(&link{of: a.of, is: squared}), true, nil
	case op == "Div" && x.piece(centered) && y.piece(deviation) && a.of == b.of:
		out, err = r.normalize(x.onward(a.of), &rnn.Norm{Kind: rnn.LayerNorm, Eps: b.eps})
		return out, true, err
	}
	return x, false, nil
}

// pow squares a piece.
func (r *reader) pow(_ *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	v, c := in[0], in[1].constant
	if c == nil || !c.uniform() || !v.piece(centered) || !(len(c.floats) == 1 && c.floats[0] == 2 || len(c.ints) == 1 && c.ints[0] == 2) {
		return nil, errors.New("this operator is not supported other than as part of a layer norm")
	}
	return flowValue(v.onward(&link{of: v.parts[0].made.of, is: squared}), nil)
}

// sqrt takes the root of a piece, or of a constant.
func (r *reader) sqrt(_ *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	v := in[0]
	if c := v.constant; c != nil && c.floats != nil {
		if err := r.take(len(c.floats)); err != nil {
			return nil, err
		}
		out := tensor{dims: c.dims, floats: make([]float32, len(c.floats))}
		for i, x := range c.floats {
			out.floats[i] = float32(math.Sqrt(float64(x)))
		}
		return constantValue(out, nil)
	}
	if !v.piece(varianceEps) {
		return nil, errors.New("this operator is not supported other than as part of a layer norm")
	}
	made := v.parts[0].made
	return flowValue(v.onward(&link{of: made.of, is: deviation, eps: made.eps}), nil)
}
