package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// cell returns the cell of a recurrent layer; other nodes have none.
func (n *node) cell() *rnn.Cell {
	return rnn.FindCell(func(c *rnn.Cell) bool { return c.Op == n.op })
}

// recurrent adds a recurrent layer. Its outputs are the states at all times and the
// final ones; a direction is an axis of its own.
func (r *reader) recurrent(n *node, in []value) ([]value, error) {
	if err := needs(in, 3); err != nil {
		return nil, err
	}
	l, err := r.layer(n, in)
	if err != nil {
		return nil, err
	}
	x := in[0]
	inputs, err := x.features()
	switch {
	case err != nil:
		return nil, err
	case x.rank() != 3:
		return nil, fmt.Errorf("its input has %d axes, not 3", x.rank())
	case inputs != l.In.Cols:
		return nil, fmt.Errorf("it reads %d numbers, but gets %d", l.In.Cols, inputs)
	}
	below, err := x.parts[0].below()
	if err != nil {
		return nil, err
	}
	time, batch := x.axes[0], x.axes[1]
	byBatch := n.int("layout", 0) == 1
	if byBatch {
		time, batch = batch, time
	}
	if len(time) != 1 || time[0].id > 1 || r.time != unknown && r.time != time[0].id {
		return nil, errors.New("it does not read the tokens one after the other")
	}
	r.time = time[0].id

	made := &link{from: below, layer: l}
	states := value{parts: []part{{made: made}}}
	final := value{parts: []part{{made: made, final: true}}}
	var ways axis
	if l.Reverse != nil {
		ways = axis{{stacked, 2}}
		states.parts = []part{{made, forward, false}, {made, backward, false}}
		final.parts = []part{{made, forward, true}, {made, backward, true}}
	}
	units := axis{{feature, l.Hidden()}}
	if byBatch {
		states.axes, final.axes = []axis{batch, time, ways, units}, []axis{batch, ways, units}
	} else {
		states.axes, final.axes = []axis{time, ways, batch, units}, []axis{ways, batch, units}
	}
	return []value{states, final}, nil
}

// layer reads a node's weights.
func (r *reader) layer(n *node, in []value) (*rnn.Layer, error) {
	l := rnn.Layer{Cell: n.cell()}
	l.ResetBefore = l.Cell == rnn.GRU && n.int("linear_before_reset", 0) == 0
	ways := 1
	switch a, _ := n.attribute("direction"); a.text {
	case "", "forward":
	case "bidirectional":
		ways = 2
	default:
		return nil, fmt.Errorf("the direction %q is not supported", a.text)
	}
	var err error
	if l.ReLU, err = n.relu(l.Cell, ways); err != nil {
		return nil, err
	}
	if err := r.startsFromZero(in); err != nil {
		return nil, err
	}
	w, rec := in[1].constant, in[2].constant
	gates := l.Cell.Gates()
	if w == nil || rec == nil || len(w.dims) != 3 || len(rec.dims) != 3 || w.dims[0] != ways || rec.dims[0] != ways ||
		w.dims[1] != rec.dims[1] || rec.dims[1] != gates*rec.dims[2] || rec.dims[2] == 0 ||
		len(w.floats) != ways*w.dims[1]*w.dims[2] || len(rec.floats) != ways*rec.dims[1]*rec.dims[2] {
		return nil, errors.New("its weights are no constants of the shapes that it needs")
	}
	var bias []float32
	if len(in) > 3 && (in[3].constant != nil || in[3].isFlow()) {
		b := in[3].constant
		if b == nil || len(b.floats) != ways*2*w.dims[1] {
			return nil, errors.New("its biases are no constants of the shape that it needs")
		}
		bias = b.floats
	}
	if err := r.take(len(w.floats) + len(rec.floats) + len(bias)); err != nil {
		return nil, err
	}
	direction := func(way int) rnn.Layer {
		y, rows := l, w.dims[1]
		y.In = f32.Of(rows, w.dims[2], reorder(l.Cell, w.floats, way, ways))
		y.Rec = f32.Of(rows, rec.dims[2], reorder(l.Cell, rec.floats, way, ways))
		if bias != nil {
			y.BiasIn = reorder(l.Cell, bias, 2*way, 2*ways)
			y.BiasRec = reorder(l.Cell, bias, 2*way+1, 2*ways)
		}
		return y
	}
	l = direction(0)
	if ways == 2 {
		back := direction(1)
		l.Reverse = &back
	}
	return &l, nil
}

// reorder returns stretch i of n of the numbers, with its gates in PyTorch's order.
func reorder(c *rnn.Cell, all []float32, i, n int) []float32 {
	stretch := all[i*len(all)/n : (i+1)*len(all)/n]
	out := make([]float32, len(stretch))
	size := len(stretch) / c.Gates()
	for k, gate := range c.Order {
		copy(out[gate*size:(gate+1)*size], stretch[k*size:])
	}
	return out
}

// relu checks that a node's equations are those of its cell, and reports whether an
// Elman layer has max(0, x) in place of tanh.
func (n *node) relu(c *rnn.Cell, ways int) (relu bool, err error) {
	for _, name := range []string{"clip", "input_forget"} {
		if a, found := n.attribute(name); found && (a.number != 0 || a.int != 0) {
			return false, fmt.Errorf("its %s is not supported", name)
		}
	}
	a, found := n.attribute("activations")
	if !found {
		return false, nil
	}
	are := func(want ...string) bool {
		return slices.EqualFunc(a.texts, slices.Repeat(want, ways), strings.EqualFold)
	}
	if c == rnn.Elman && are("Relu") {
		return true, nil
	}
	if !are(c.Activations...) {
		return false, fmt.Errorf("the activations %v are not supported", a.texts)
	}
	return false, nil
}

// startsFromZero checks the inputs of a recurrent layer behind its weights. Lengths
// do not matter, because words of different length are never run together.
func (r *reader) startsFromZero(in []value) error {
	for i := 5; i < len(in); i++ {
		v := in[i]
		switch {
		case v.bad != nil:
			return fmt.Errorf("the state that it starts from is not known to be zero: %v", v.bad)
		case v.isFlow():
			return errors.New("the state that it starts from depends on the tokens")
		case v.constant == nil:
			continue
		}
		if err := r.take(v.constant.count()); err != nil {
			return err
		}
		if !v.constant.zero() {
			return errors.New("it starts from a state that is not zero, or has peepholes")
		}
	}
	return nil
}
