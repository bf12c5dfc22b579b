package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"quotient/rnn"
)

// This file holds the operators that move axes about, for constants and for the
// flow, and those that compute shapes.

// operators lists what is understood.
var operators map[string]func(r *reader, n *node, in []value) ([]value, error)

func init() { // not above: the functions use the reader, which uses the table
	operators = map[string]func(r *reader, n *node, in []value) ([]value, error){
		"Constant": (*reader).constantNode, "ConstantOfShape": (*reader).constantOfShape, "Expand": (*reader).expand,
		"Identity": (*reader).identity, "Dropout": (*reader).dropout, "Cast": (*reader).identity, "CastLike": (*reader).identity,
		"Shape": (*reader).shape, "Transpose": (*reader).transposeNode, "Reshape": (*reader).reshape, "Flatten": (*reader).flatten,
		"Squeeze": (*reader).squeeze, "Unsqueeze": (*reader).unsqueeze, "Slice": (*reader).slice,
		"Gather": (*reader).gather, "If": (*reader).branch, "Where": (*reader).where, "Concat": (*reader).concatNode, "OneHot": (*reader).oneHot, "Equal": (*reader).equal,
		"Add": (*reader).arithmeticNode, "Sub": (*reader).arithmeticNode, "Mul": (*reader).arithmeticNode, "Div": (*reader).arithmeticNode,
		"MatMul": (*reader).matMul, "Gemm": (*reader).gemm,
		"Softmax": (*reader).activation, "LogSoftmax": (*reader).activation, "Erf": (*reader).erf,
		"LayerNormalization": (*reader).layerNorm, "RMSNormalization": (*reader).layerNorm, "BatchNormalization": (*reader).batchNorm,
		"ReduceMean": (*reader).reduceMean, "Pow": (*reader).pow, "Sqrt": (*reader).sqrt,
	}
	for op := range activations {
		operators[op] = (*reader).activation
	}
	for _, c := range rnn.Cells {
		operators[c.Op] = (*reader).recurrent
	}
}

// attribute returns a node's attribute; one that is not there is empty.
func (n *node) attribute(name string) (a attribute, found bool) {
	for _, a := range n.attributes {
		if a.name == name {
			return a, true
		}
	}
	return a, false
}

// int returns an attribute, or what holds without it.
func (n *node) int(name string, without int64) int64 {
	if a, found := n.attribute(name); found {
		return a.int
	}
	return without
}

// needs returns an error unless the first inputs are there.
func needs(in []value, count int) error {
	for i := range count {
		if i >= len(in) || in[i].constant == nil && !in[i].isFlow() {
			return fmt.Errorf("it lacks its input %d", i+1)
		}
	}
	return nil
}

// integers returns a list that is given by an input or, in older versions of ONNX, by
// an attribute. It is nil if there is none.
func (n *node) integers(in []value, i int, name string) ([]int64, error) {
	if a, found := n.attribute(name); found {
		return a.ints, nil
	}
	if i >= len(in) || in[i].constant == nil && !in[i].isFlow() {
		return nil, nil
	}
	t := in[i].constant
	if t == nil || t.floats != nil {
		return nil, fmt.Errorf("its %s are no constant integers", name)
	}
	size, err := volume(t.dims)
	switch {
	case err != nil || size > 1<<16:
		return nil, fmt.Errorf("its %s are too many", name)
	case t.uniform():
		return slices.Repeat(t.ints, size), nil
	}
	return t.ints, nil
}

// axisOf counts an axis from the front.
func axisOf(a int64, rank int) (int, error) {
	if a < 0 {
		a += int64(rank)
	}
	if a < 0 || a >= int64(rank) {
		return 0, fmt.Errorf("axis %d of %d", a, rank)
	}
	return int(a), nil
}

func constantValue(t tensor, err error) ([]value, error) { return []value{{constant: &t}}, err }

func flowValue(v value, err error) ([]value, error) { return []value{v}, err }

func (r *reader) constantNode(n *node, _ []value) ([]value, error) {
	for _, a := range n.attributes {
		switch a.name {
		case "value":
			if a.tensor != nil {
				return constantValue(*a.tensor, nil)
			}
		case "value_float":
			return constantValue(tensor{floats: []float32{a.number}}, nil)
		case "value_floats":
			return constantValue(tensor{dims: []int{len(a.floats)}, floats: a.floats}, nil)
		case "value_int":
			return constantValue(tensor{ints: []int64{a.int}}, nil)
		case "value_ints":
			return constantValue(tensor{dims: []int{len(a.ints)}, ints: a.ints}, nil)
		}
	}
	return nil, errors.New("its value is neither numbers nor integers")
}

// dimsOf reads a shape from a list.
func dimsOf(list []int64) ([]int, error) {
	dims := make([]int, len(list))
	for i, d := range list {
		dims[i] = int(d)
	}
	_, err := volume(dims)
	return dims, err
}

func (r *reader) constantOfShape(n *node, in []value) ([]value, error) {
	list, err := n.integers(in, 0, "shape")
	if err != nil {
		return nil, err
	}
	t := tensor{floats: []float32{0}}
	if a, found := n.attribute("value"); found && a.tensor != nil && a.tensor.uniform() {
		t = *a.tensor
	}
	t.dims, err = dimsOf(list)
	return constantValue(t, err)
}

// expand repeats one number; nothing else is ever needed in more copies.
func (r *reader) expand(n *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	if in[0].constant == nil {
		return nil, errors.New("it repeats what depends on the tokens")
	}
	if err := r.take(in[0].constant.count()); err != nil { // a look at each
		return nil, err
	}
	t := in[0].constant.squashed()
	if !t.uniform() {
		return nil, errors.New("it repeats numbers that are not all the same")
	}
	list, err := n.integers(in, 1, "shape")
	if err != nil {
		return nil, err
	}
	t.dims, err = dimsOf(list)
	return constantValue(t, err)
}

func (r *reader) identity(_ *node, in []value) ([]value, error) {
	return in[:min(1, len(in))], needs(in, 1)
}

func (r *reader) dropout(n *node, in []value) ([]value, error) {
	if len(in) > 2 && in[2].constant != nil && !in[2].constant.zero() {
		return nil, errors.New("it is active: export the model after model.eval()")
	}
	return r.identity(n, in)
}

func (r *reader) shape(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	dims := in[0].dims()
	from, to := clampAxis(n.int("start", 0), len(dims)), clampAxis(n.int("end", math.MaxInt32), len(dims))
	t := tensor{ints: []int64{}}
	for _, d := range dims[from:max(from, to)] {
		t.ints = append(t.ints, int64(d))
	}
	t.dims = []int{len(t.ints)}
	return constantValue(t, nil)
}

// clampAxis counts a bound of a slice from the front and keeps it within size.
func clampAxis(a int64, size int) int {
	if a < 0 {
		a += int64(size)
	}
	return int(min(max(a, 0), int64(size)))
}

func (r *reader) transposeNode(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	rank := in[0].rank()
	perm := make([]int, rank)
	for i := range perm {
		perm[i] = rank - 1 - i
	}
	if a, found := n.attribute("perm"); found {
		if len(a.ints) != rank {
			return nil, fmt.Errorf("it permutes %d axes, but its input has %d", len(a.ints), rank)
		}
		for i, p := range a.ints {
			perm[i] = int(p)
		}
	}
	sorted := slices.Sorted(slices.Values(perm))
	for i, p := range sorted {
		if p != i {
			return nil, fmt.Errorf("%v is no permutation", perm)
		}
	}
	if in[0].constant != nil {
		return constantValue(r.transpose(*in[0].constant, perm))
	}
	v := in[0]
	v.axes = make([]axis, rank)
	for i, p := range perm {
		v.axes[i] = in[0].axes[p]
	}
	return flowValue(v, nil)
}

func (r *reader) reshape(n *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	list, err := n.integers(in, 1, "shape")
	if err != nil {
		return nil, err
	}
	return r.reshaped(in[0], list, n.int("allowzero", 0) == 0)
}

// reshaped gives a value another shape, in which -1 is what is left over, and 0 the
// size as it was.
func (r *reader) reshaped(v value, list []int64, zeroCopies bool) ([]value, error) {
	before := v.dims()
	total, err := volume(before)
	if err != nil || len(list) > maxRank {
		return nil, fmt.Errorf("a shape of %d dimensions", len(list))
	}
	if total == 0 && v.constant == nil {
		return nil, errors.New("there are no numbers in it")
	}
	dims, free := make([]int, len(list)), -1
	for i, d := range list {
		switch {
		case d == -1 && free < 0:
			free, d = i, 1
		case d == 0 && zeroCopies && i < len(before):
			d = int64(before[i])
		}
		dims[i] = int(d)
	}
	if rest, err := volume(dims); free >= 0 && err == nil && rest > 0 {
		dims[free] = total / rest
	}
	if n, err := volume(dims); err != nil || n != total {
		return nil, fmt.Errorf("it makes the shape %v of %v", list, before)
	}
	if v.constant != nil {
		t := *v.constant
		t.dims = dims
		return constantValue(t, nil)
	}
	return flowValue(v.regroup(dims))
}

// regroup distributes the atoms over axes of the given sizes.
func (v value) regroup(dims []int) (value, error) {
	atoms := slices.Concat(v.axes...)
	out := value{parts: v.parts, axes: make([]axis, len(dims))}
	for i, size := range dims {
		a := &out.axes[i]
		if size == 1 && len(atoms) > 0 && atoms[0].size == 1 {
			*a, atoms = append(*a, atoms[0]), atoms[1:]
		}
		for a.size() < size && len(atoms) > 0 {
			if rest := size / a.size(); rest > 1 && atoms[0].id == stacked && atoms[0].size > rest && atoms[0].size%rest == 0 {
				// Layers and directions: h.view(layers, directions, batch, hidden).
				atoms = slices.Concat([]atom{{outer, rest}, {stacked, atoms[0].size / rest}}, atoms[1:])
			}
			*a, atoms = append(*a, atoms[0]), atoms[1:]
		}
		if a.size() != size {
			return v, fmt.Errorf("the shape %s divides what belongs together in %s", shapeText(dims), shapeText(v.dims()))
		}
	}
	return out.settle()
}

func (r *reader) flatten(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	dims := in[0].dims()
	at := clampAxis(n.int("axis", 1), len(dims))
	first, err := volume(dims[:at])
	if err != nil {
		return nil, err
	}
	return r.reshaped(in[0], []int64{int64(first), -1}, false)
}

func (r *reader) squeeze(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	list, err := n.integers(in, 1, "axes")
	if err != nil {
		return nil, err
	}
	dims := in[0].dims()
	drop := make([]bool, len(dims))
	for _, a := range list {
		i, err := axisOf(a, len(dims))
		if err != nil || dims[i] != 1 {
			return nil, fmt.Errorf("it squeezes axis %d of %v", a, dims)
		}
		drop[i] = true
	}
	for i, d := range dims {
		drop[i] = drop[i] || list == nil && d == 1
	}
	if in[0].constant != nil {
		t := *in[0].constant
		t.dims = without(dims, drop)
		return constantValue(t, nil)
	}
	v := in[0]
	v.axes = without(v.axes, drop)
	return flowValue(v, nil)
}

// without returns the elements that are not dropped.
func without[E any](list []E, drop []bool) (kept []E) {
	for i, x := range list {
		if !drop[i] {
			kept = append(kept, x)
		}
	}
	return kept
}

func (r *reader) unsqueeze(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	list, err := n.integers(in, 1, "axes")
	if err != nil || len(list) > maxRank {
		return nil, errors.Join(err, errors.New("its axes are too many or none"))
	}
	rank := in[0].rank() + len(list)
	added := make([]bool, rank)
	for _, a := range list {
		i, err := axisOf(a, rank)
		if err != nil || added[i] {
			return nil, fmt.Errorf("it adds axis %d to %v", a, in[0].dims())
		}
		added[i] = true
	}
	if in[0].constant != nil {
		t := *in[0].constant
		t.dims = with(t.dims, added, 1)
		return constantValue(t, nil)
	}
	v := in[0]
	v.axes = with(v.axes, added, nil)
	return flowValue(v, nil)
}

// with returns a list with x at the places that are added.
func with[E any](list []E, added []bool, x E) []E {
	out := make([]E, len(added))
	for i, add := range added {
		if add {
			out[i] = x
		} else {
			out[i], list = list[0], list[1:]
		}
	}
	return out
}

// where chooses between integers, as shapes are computed.
func (r *reader) where(n *node, in []value) ([]value, error) {
	var list [3][]int64
	for i := range list {
		var err error
		if list[i], err = n.integers(in, i, "choices"); err != nil {
			return nil, err
		}
		if len(list[i]) != len(list[0]) {
			return nil, errors.New("it chooses between lists of different length")
		}
	}
	if err := r.take(len(list[0])); err != nil {
		return nil, err
	}
	t := tensor{dims: []int{len(list[0])}, ints: make([]int64, len(list[0]))}
	for i, yes := range list[0] {
		if t.ints[i] = list[2][i]; yes != 0 {
			t.ints[i] = list[1][i]
		}
	}
	return constantValue(t, nil)
}

// branch evaluates the branch that a constant condition chooses; PyTorch writes one
// where it squeezes an axis whose size it does not know.
func (r *reader) branch(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	if in[0].constant == nil || in[0].constant.count() != 1 {
		return nil, errors.New("its condition depends on the tokens")
	}
	name := "then_branch"
	if in[0].constant.zero() {
		name = "else_branch"
	}
	a, found := n.attribute(name)
	if !found || a.graph == nil {
		return nil, fmt.Errorf("it has no %s", name)
	}
	for name, t := range a.graph.constants {
		r.values[name] = value{constant: &t}
	}
	for i := range a.graph.nodes {
		r.evaluate(&a.graph.nodes[i])
	}
	var out []value
	for _, name := range a.graph.outputs {
		v, ok := r.values[name]
		if !ok || v.bad != nil {
			return nil, errors.Join(v.bad, fmt.Errorf("no node of its branch makes %q", name))
		}
		out = append(out, v)
	}
	return out, nil
}

// shapeText writes a shape with a question mark for sizes that the file leaves open.
func shapeText(dims []int) string {
	text := fmt.Sprint(dims)
	for _, n := range open {
		text = strings.ReplaceAll(text, fmt.Sprint(n), "?")
	}
	return text
}
