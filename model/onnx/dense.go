package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"quotient/f32"
	"quotient/rnn"
)

// embed looks up the tokens in a table.
func (r *reader) embed(table, tokens value, at int) ([]value, error) {
	m, err := table.matrix()
	switch {
	case !tokens.isTokens() || table.constant == nil:
		return nil, errors.New("it looks up entries that depend on the tokens, and is no embedding")
	case err != nil:
		return nil, err
	case at != 0 || m.Cols == 0:
		return nil, errors.New("its table does not have a row for each token")
	}
	return flowValue(tokens.into(&link{tokens: m.Rows, table: m}, slices.Clone(tokens.axes), m.Cols))
}

// isTokens reports whether a value is the input itself.
func (v value) isTokens() bool { return len(v.parts) == 1 && v.parts[0].made == nil }

// into returns what a link makes of a value: features in a last axis.
func (v value) into(made *link, axes []axis, features int) (value, error) {
	p := v.parts[0]
	p.made = made
	return value{axes: append(axes, axis{{feature, features}}), parts: []part{p}}, nil
}

// oneHot takes tokens to vectors, by an operator of its own.
func (r *reader) oneHot(n *node, in []value) ([]value, error) {
	if err := needs(in, 3); err != nil {
		return nil, err
	}
	depth, err := n.integers(in, 1, "depth")
	if err != nil || len(depth) != 1 || depth[0] < 1 || depth[0] > math.MaxInt32 {
		return nil, errors.New("its depth is no constant")
	}
	t := in[2].constant
	onOff := t != nil && (slices.Equal(t.ints, []int64{0, 1}) || slices.Equal(t.floats, []float32{0, 1}))
	if !in[0].isTokens() || !onOff {
		return nil, errors.New("it does not take tokens to ones and zeros")
	}
	rank := in[0].rank()
	if at, err := axisOf(n.int("axis", -1), rank+1); err != nil || at != rank {
		return nil, errors.New("its new axis is not the last")
	}
	return flowValue(in[0].into(&link{tokens: int(depth[0])}, slices.Clone(in[0].axes), int(depth[0])))
}

// equal takes tokens to vectors by comparing them with 0, 1, 2 and so on. It also
// compares sizes.
func (r *reader) equal(_ *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	if in[0].constant != nil && in[1].constant != nil {
		return constantValue(r.arithmetic("Equal", *in[0].constant, *in[1].constant))
	}
	tokens, all := in[0], in[1].constant
	if all == nil {
		tokens, all = in[1], in[0].constant
	}
	if all == nil || !tokens.isTokens() || len(all.dims) == 0 || len(tokens.axes) == 0 || tokens.axes[len(tokens.axes)-1] != nil {
		return nil, errors.New("it does not compare tokens with 0, 1, 2 and so on")
	}
	n := all.dims[len(all.dims)-1]
	for i, x := range all.ints {
		if len(all.ints) != n || int64(i) != x {
			return nil, errors.New("it does not compare tokens with 0, 1, 2 and so on")
		}
	}
	return flowValue(tokens.into(&link{tokens: n}, slices.Clone(tokens.axes[:len(tokens.axes)-1]), n))
}

func (r *reader) matMul(_ *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	m, err := r.weight(in[1], false)
	if err != nil {
		return nil, err
	}
	return r.dense(in[0], m, nil)
}

// weight returns a matrix of outputs × inputs.
func (r *reader) weight(v value, transposed bool) (f32.Matrix, error) {
	m, err := v.matrix()
	if err != nil || transposed {
		return m, err
	}
	if err := r.take(m.Rows * m.Cols); err != nil {
		return m, err
	}
	t := f32.New(m.Cols, m.Rows)
	f32.Transpose(t, m)
	return t, nil
}

func (r *reader) gemm(n *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	if n.int("transA", 0) != 0 {
		return nil, errors.New("it transposes its input")
	}
	m, err := r.weight(in[1], n.int("transB", 0) != 0)
	if err != nil {
		return nil, err
	}
	var bias []float32
	if len(in) > 2 && in[2].constant != nil {
		if bias, err = r.vector(*in[2].constant, m.Rows); err != nil {
			return nil, err
		}
		if beta, found := n.attribute("beta"); found {
			scale(bias, beta.number)
		}
	}
	if alpha, found := n.attribute("alpha"); found && alpha.number != 1 {
		if err := r.take(len(m.Data)); err != nil {
			return nil, err
		}
		m.Data = slices.Clone(m.Data)
		scale(m.Data, alpha.number)
	}
	return r.dense(in[0], m, bias)
}

func scale(list []float32, by float32) {
	for i := range list {
		list[i] *= by
	}
}

// vector returns a constant as a list of n floats of its own.
func (r *reader) vector(t tensor, n int) ([]float32, error) {
	last := 1
	if len(t.dims) > 0 {
		last = t.dims[len(t.dims)-1]
	}
	size, err := volume(t.dims)
	if err != nil || t.floats == nil || size != last || last != 1 && last != n {
		return nil, fmt.Errorf("its constant of shape %v is no vector of %d floats", t.dims, n)
	}
	if err := r.take(n); err != nil {
		return nil, err
	}
	if t.uniform() {
		return slices.Repeat(t.floats, n), nil
	}
	return slices.Clone(t.floats), nil
}

// dense adds a dense layer. Before the first recurrent layer, a token's vector
// depends on nothing but the token, and the layer is computed once for each.
func (r *reader) dense(v value, weight f32.Matrix, bias []float32) ([]value, error) {
	inputs, err := v.features()
	if err != nil {
		return nil, err
	}
	if inputs != weight.Cols {
		return nil, fmt.Errorf("it reads %d numbers, but gets %d", weight.Cols, inputs)
	}
	p := v.parts[0]
	made := &link{from: p.made, dense: &rnn.Dense{Weight: weight, Bias: bias}}
	if p.final {
		made.summary = rnn.FinalStates
	}
	if p.made.tokens > 0 {
		if made, err = r.throughTable(p.made, weight, bias); err != nil {
			return nil, err
		}
	}
	return flowValue(v.into(made, slices.Clone(v.axes[:len(v.axes)-1]), weight.Rows))
}

// throughTable applies a dense layer to every token's vector.
func (r *reader) throughTable(first *link, weight f32.Matrix, bias []float32) (*link, error) {
	if first.tokens > math.MaxInt32/max(1, weight.Rows) {
		return nil, errBudget
	}
	if err := r.take(first.tokens*weight.Rows + len(weight.Data)); err != nil {
		return nil, err
	}
	table := f32.New(first.tokens, weight.Rows)
	for i := range table.Rows {
		copy(table.Row(i), bias)
	}
	transposed := f32.New(weight.Cols, weight.Rows)
	f32.Transpose(transposed, weight)
	if first.table.Rows > 0 {
		f32.MulAdd(table, first.table, transposed)
	} else {
		f32.Axpy(table.Data, 1, transposed.Data) // one-hot: the product is the matrix
	}
	return &link{tokens: first.tokens, table: table}, nil
}

// class takes one of two classes from a head.
func (r *reader) class(v value, i int) (value, error) {
	p := v.parts[0]
	if p.made == nil || p.made.dense == nil {
		return v, errors.New("it takes one of a vector's numbers")
	}
	d := *p.made.dense
	row := func(i int) (f32.Matrix, []float32) {
		if d.Bias == nil {
			return d.Weight.View(i, i+1), nil
		}
		return d.Weight.View(i, i+1), d.Bias[i : i+1]
	}
	normalized := len(d.Then) == 1 && (d.Then[0] == rnn.Softmax || d.Then[0] == rnn.LogSoftmax)
	switch {
	case len(d.Then) == 0 && d.Norm == nil:
		d.Weight, d.Bias = row(i)
	case !normalized || d.Weight.Rows != 2 || d.Norm != nil:
		return v, fmt.Errorf("it takes one of %d classes", d.Weight.Rows)
	case i == 0: // yes is what the classes call no
		yes, yesBias := row(0)
		no, noBias := row(1)
		d.Weight = f32.Of(2, d.Weight.Cols, slices.Concat(no.Data, yes.Data))
		d.Bias = slices.Concat(noBias, yesBias)
	}
	p.made = &link{from: p.made.from, dense: &d, summary: p.made.summary}
	v.parts = []part{p}
	return v, nil
}
