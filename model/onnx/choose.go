package onnx

import (
	"errors"
	"fmt"
	"slices"
)

// This file holds the operators that choose and join: entries of constants, tokens'
// embeddings, the last time, directions, layers and classes.

func (r *reader) slice(n *node, in []value) ([]value, error) {
	if err := needs(in, 1); err != nil {
		return nil, err
	}
	bounds := make([][]int64, 4)
	for i, name := range []string{"starts", "ends", "axes", "steps"} {
		var err error
		if bounds[i], err = n.integers(in, i+1, name); err != nil {
			return nil, err
		}
	}
	starts, ends, axes, steps := bounds[0], bounds[1], bounds[2], bounds[3]
	v := in[0]
	for i, start := range starts {
		if i >= len(ends) || axes != nil && i >= len(axes) || i >= maxRank {
			return nil, errors.New("its lists differ in length")
		}
		if i < len(steps) && steps[i] != 1 {
			return nil, fmt.Errorf("a step of %d is not supported", steps[i])
		}
		a := int64(i)
		if axes != nil {
			a = axes[i]
		}
		at, err := axisOf(a, v.rank())
		if err != nil {
			return nil, err
		}
		size := v.dims()[at]
		from, to := clampAxis(start, size), clampAxis(ends[i], size)
		if v, err = r.interval(v, at, from, max(from, to)); err != nil {
			return nil, err
		}
	}
	return flowValue(v, nil)
}

// interval returns the entries of an axis from one up to but not including another.
func (r *reader) interval(v value, at, from, to int) (value, error) {
	if from == 0 && to == v.dims()[at] {
		return v, nil
	}
	if v.constant != nil && v.constant.uniform() {
		t := *v.constant
		t.dims = slices.Clone(t.dims)
		t.dims[at] = to - from
		return value{constant: &t}, nil
	}
	if v.constant != nil && to-from > r.left {
		return v, errBudget
	}
	if v.constant == nil && to-from > maxRank {
		return v, errors.New("it keeps some of the times or features, and drops others")
	}
	indices := make([]int, to-from)
	for i := range indices {
		indices[i] = from + i
	}
	return r.choose(v, at, indices)
}

// choose returns the entries of an axis with the given indices.
func (r *reader) choose(v value, at int, indices []int) (value, error) {
	if v.constant != nil {
		t, err := r.along(*v.constant, at, indices)
		return value{constant: &t}, err
	}
	if len(indices) == 0 {
		return v, errors.New("it keeps nothing of what depends on the tokens")
	}
	a := v.axes[at]
	if len(a) == 0 && len(indices) == 1 {
		return v, nil
	}
	if len(a) != 1 {
		return v, fmt.Errorf("it takes entries %v of an axis of size %d", indices, a.size())
	}
	v.axes = slices.Clone(v.axes)
	v.axes[at] = nil
	switch {
	case a[0].id == outer && len(indices) == 1:
		each := len(v.parts) / a[0].size
		v.parts = v.parts[indices[0]*each:][:each]
		return v, nil
	case a[0].id == stacked && a[0].size == len(v.parts):
		var parts []part
		for _, i := range indices {
			parts = append(parts, v.parts[i])
		}
		v.parts = parts
		if len(parts) > 1 {
			v.axes[at] = axis{{stacked, len(parts)}}
		}
		return v, nil
	case a[0].id == r.time && len(indices) == 1 && indices[0] == a[0].size-1:
		return v, nil
	case a[0].id == r.time:
		return v, fmt.Errorf("it takes %s of the network's states, and only the last is supported", whichTime(indices, a[0].size))
	case a[0].id == feature && len(indices) == 1:
		return r.class(v, indices[0])
	}
	return v, fmt.Errorf("it takes entries %v of an axis of size %d", indices, a.size())
}

func (r *reader) gather(n *node, in []value) ([]value, error) {
	if err := needs(in, 2); err != nil {
		return nil, err
	}
	at, err := axisOf(n.int("axis", 0), in[0].rank())
	if err != nil {
		return nil, err
	}
	if in[1].isFlow() {
		return r.embed(in[0], in[1], at)
	}
	list, err := n.integers(in, 1, "indices")
	if err != nil {
		return nil, err
	}
	indices := make([]int, len(list))
	for i, x := range list {
		if indices[i], err = axisOf(x, in[0].dims()[at]); err != nil {
			return nil, fmt.Errorf("it takes entry %d of %d", x, in[0].dims()[at])
		}
	}
	if in[0].constant == nil && (len(indices) != 1 || in[1].rank() > 1) {
		return nil, errors.New("it takes several entries of what depends on the tokens")
	}
	v, err := r.choose(in[0], at, indices)
	if err != nil {
		return nil, err
	}
	// The axis becomes those of the indices: one entry chosen by a number is no axis.
	dims := in[1].dims()
	if v.constant != nil {
		t := *v.constant
		t.dims = slices.Concat(t.dims[:at], dims, t.dims[at+1:])
		return constantValue(t, nil)
	}
	v.axes = slices.Concat(v.axes[:at], make([]axis, len(dims)), v.axes[at+1:])
	return flowValue(v, nil)
}

func (r *reader) concatNode(n *node, in []value) ([]value, error) {
	if err := needs(in, max(1, len(in))); err != nil {
		return nil, err
	}
	at, err := axisOf(n.int("axis", 0), in[0].rank())
	if err != nil {
		return nil, err
	}
	if len(in) == 1 {
		return in, nil
	}
	var tensors []tensor
	joined := value{axes: slices.Clone(in[0].axes)}
	for _, v := range in {
		switch {
		case v.constant != nil:
			tensors = append(tensors, *v.constant)
		case v.rank() != in[0].rank() || len(v.parts) > maxRank:
			return nil, errors.New("it joins what has different axes")
		default:
			joined.parts = append(joined.parts, v.parts...)
		}
	}
	switch {
	case len(tensors) == len(in):
		return constantValue(r.concat(tensors, at))
	case len(tensors) > 0:
		return nil, errors.New("it joins constants and what depends on the tokens")
	}
	return flowValue(joined.join(in, at))
}

// join makes one axis of those that lie at a place in several values: a stack of
// parts, or features side by side.
func (v value) join(in []value, at int) (value, error) {
	features := true
	for _, x := range in {
		for i, a := range x.axes {
			if i != at && !slices.Equal(a, v.axes[i]) {
				return v, errors.New("it joins what has different axes")
			}
		}
		a := x.axes[at]
		features = features && a.is(feature) && slices.Equal(a, in[0].axes[at])
		if !a.is(feature) && len(a) > 0 && !a.is(stacked) {
			return v, errors.New("it joins times, or batches")
		}
	}
	if slices.ContainsFunc(v.parts, func(p part) bool { return p.made == nil }) {
		return v, errors.New("it joins tokens")
	}
	v.axes[at] = axis{{stacked, len(v.parts)}}
	if features {
		v.axes[at] = append(v.axes[at], in[0].axes[at]...)
	} else if slices.ContainsFunc(in, func(x value) bool { return x.axes[at].is(feature) }) {
		return v, errors.New("it joins layers of different size")
	}
	return v.settle()
}

// whichTime names the times that a node takes, counted from the nearer end.
func whichTime(times []int, size int) string {
	if len(times) != 1 {
		return fmt.Sprintf("%d", len(times))
	}
	if t := times[0]; t > size/2 {
		return fmt.Sprintf("number %d from the end", size-t)
	}
	return fmt.Sprintf("number %d", times[0]+1)
}
