package onnx

import (
	"errors"
	"fmt"
	"slices"

	"quotient/f32"
)

// A value is what a name in the graph stands for: a constant, part of the flow, or
// neither, with the reason.
type value struct {
	bad      error
	constant *tensor
	axes     []axis // of the flow
	parts    []part // what it is made of: one, or as many as the atom stacked has
}

// An axis of the flow is a product of atoms, outermost first. One without atoms has
// size 1. Reshaping regroups atoms and never divides them.
type axis []atom

// An atom is an axis with a meaning.
type atom struct {
	id   int
	size int
}

// The meanings of atoms. Which of the input's own axes, 0 and 1, is time and which
// is the batch is not known before a recurrent layer reads them.
const (
	feature = 2 + iota
	stacked // parts side by side: directions, or layers
	outer   // layers, each of several parts side by side
	unknown
)

// A part is what one link made: all of it, or one direction of a layer.
type part struct {
	made  *link // nil: the tokens themselves
	way   int
	final bool // the state after the last token read, rather than one for each token
}

// Ways that a part comes from a bidirectional layer.
const (
	whole = iota
	forward
	backward
)

func (a axis) size() int {
	n := 1
	for _, x := range a {
		n *= x.size
	}
	return n
}

// is reports whether an axis is one atom of the given meaning.
func (a axis) is(id int) bool { return len(a) == 1 && a[0].id == id }

// open stands for the sizes that a file leaves open. They are prime and greater than
// any layer, so that no product of other sizes is taken for them.
var open = [2]int{1000003, 1000033}

// A reader follows values through a graph.
type reader struct {
	*graph
	values map[string]value
	budget
	time int // which axis of the input is time; unknown at first
}

// start declares constants and inputs. The first input that can be tokens is taken
// for them.
func (r *reader) start() error {
	for name, t := range r.constants {
		r.values[name] = value{constant: &t}
	}
	found := false
	for _, in := range r.inputs {
		if _, constant := r.constants[in.name]; constant {
			continue // older files list their initializers as inputs, too
		}
		v, err := in.flow()
		if err != nil || found {
			v = value{bad: fmt.Errorf("input %q is needed, which is not the tokens", in.name)}
		}
		found = found || err == nil
		r.values[in.name] = v
	}
	if !found {
		return errors.New("no input can be tokens: int64 of batch × time, or one-hot floats of batch × time × tokens")
	}
	return nil
}

// flow returns an input as the beginning of the flow.
func (in input) flow() (v value, err error) {
	rank := len(in.dims)
	p := part{}
	switch in.kind {
	case kindInt64, kindInt32:
	case kindFloat, kindDouble, kindHalf:
		rank--
		if rank < 1 || in.dims[rank] == 0 {
			return v, errors.New("its last dimension is not given")
		}
		p.made = &link{tokens: in.dims[rank]}
	default:
		return v, errors.New("elements that are neither integers nor floats")
	}
	if rank < 1 || rank > 2 {
		return v, errors.New("not one or two dimensions")
	}
	for i, size := range in.dims[:rank] {
		if size == 0 {
			size = open[i]
		}
		v.axes = append(v.axes, axis{{i, size}})
	}
	if p.made != nil {
		v.axes = append(v.axes, axis{{feature, in.dims[rank]}})
	}
	v.parts = []part{p}
	return v, nil
}

// evaluate computes a node's outputs. What cannot be understood is only an error if
// it is needed.
func (r *reader) evaluate(n *node) {
	out, err := r.outputs(n)
	var named nodeError
	if err != nil && !errors.As(err, &named) {
		err = nodeError{n, err}
	}
	for i, name := range n.outputs {
		switch {
		case name == "":
		case err != nil:
			r.values[name] = value{bad: err}
		case i >= len(out):
			r.values[name] = value{bad: nodeError{n, fmt.Errorf("its output %d is not supported", i+1)}}
		case out[i].rank() > maxRank || len(out[i].parts) > maxRank:
			r.values[name] = value{bad: nodeError{n, fmt.Errorf("more than %d dimensions or parts", maxRank)}}
		default:
			r.values[name] = out[i]
		}
	}
}

// A nodeError is what is wrong at the first node that could not be understood.
type nodeError struct {
	node *node
	err  error
}

func (e nodeError) Error() string { return fmt.Sprintf("node %s: %v", e.node, e.err) }
func (e nodeError) Unwrap() error { return e.err }

func (r *reader) outputs(n *node) ([]value, error) {
	op, known := operators[n.op]
	if !known {
		return nil, errors.New("this operator is not supported; the option exec runs any model as a black box")
	}
	in := make([]value, len(n.inputs))
	for i, name := range n.inputs {
		if name == "" {
			continue
		}
		v, ok := r.values[name]
		if !ok {
			return nil, fmt.Errorf("it reads %q, which no node before it makes", name)
		}
		if v.bad != nil && !(n.cell() != nil && i > 3) { // a layer says itself what it needs of lengths and states
			return nil, v.bad
		}
		in[i] = v
	}
	return op(r, n, in)
}

func (n *node) String() string {
	if n.name == "" {
		return n.op
	}
	return fmt.Sprintf("%s %q", n.op, n.name)
}

func (v value) rank() int {
	if v.constant != nil {
		return len(v.constant.dims)
	}
	return len(v.axes)
}

// isFlow reports whether a value depends on the tokens.
func (v value) isFlow() bool { return len(v.parts) > 0 }

// dims returns the sizes of a value's axes.
func (v value) dims() []int {
	if v.constant != nil {
		return v.constant.dims
	}
	dims := make([]int, len(v.axes))
	for i, a := range v.axes {
		dims[i] = a.size()
	}
	return dims
}

// settle makes one part of both directions of a layer, once they lie side by side
// in one axis of features.
func (v value) settle() (value, error) {
	for i, a := range v.axes {
		if len(a) < 2 || a[len(a)-1].id != feature || a[len(a)-2].id != stacked {
			continue
		}
		p := v.parts
		if len(p) != 2 || p[0].made != p[1].made || p[0].way != forward || p[1].way != backward || p[0].final != p[1].final {
			return v, errors.New("it joins the states of several layers")
		}
		v.axes = slices.Clone(v.axes)
		v.axes[i] = append(slices.Clone(a[:len(a)-2]), atom{feature, a.size()})
		v.parts = []part{{made: p[0].made, final: p[0].final}}
	}
	return v, nil
}

// features returns how many numbers a value of the flow has for each token, in its
// last axis.
func (v value) features() (int, error) {
	if len(v.axes) == 0 || !v.axes[len(v.axes)-1].is(feature) || len(v.parts) != 1 {
		return 0, errors.New("its input is not a vector for each token")
	}
	switch p := v.parts[0]; {
	case p.way != whole:
		return 0, errors.New("it reads one direction of a bidirectional layer alone")
	case p.made.partial():
		return 0, errors.New("its input is no known activation")
	}
	return v.axes[len(v.axes)-1][0].size, nil
}

// matrix returns a constant as a matrix.
func (v value) matrix() (m f32.Matrix, err error) {
	t := v.constant
	if t == nil || len(t.floats) == 0 || len(t.dims) != 2 {
		return m, errors.New("its weights are no constant matrix of floats")
	}
	if len(t.floats) != t.dims[0]*t.dims[1] {
		return m, errors.New("its weights are all the same number")
	}
	return f32.Of(t.dims[0], t.dims[1], t.floats), nil
}
