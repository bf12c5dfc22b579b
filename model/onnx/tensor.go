package onnx

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A tensor is a constant: floats or integers, row by row. One number stands for all
// where the shape has more, so that zeros for any batch take no room.
type tensor struct {
	dims   []int
	floats []float32
	ints   []int64
}

// count returns how many numbers are stored.
func (t tensor) count() int { return len(t.floats) + len(t.ints) }

// uniform reports whether all numbers are the same one, and stored once.
func (t tensor) uniform() bool { return t.count() == 1 }

// zero reports whether all numbers are zero.
func (t tensor) zero() bool {
	return !slices.ContainsFunc(t.floats, func(x float32) bool { return x != 0 }) &&
		!slices.ContainsFunc(t.ints, func(x int64) bool { return x != 0 })
}

// finite reports the first number that is NaN or infinite. Weights are not; constants in nodes may be.
func (t tensor) finite() error {
	for i, x := range t.floats {
		if x-x != 0 {
			return fmt.Errorf("it holds %v at position %d: the file is damaged, or training diverged", x, i)
		}
	}
	return nil
}

// squashed stores a number once if all are the same.
func (t tensor) squashed() tensor {
	if len(t.floats) > 1 && len(slices.Compact(slices.Clone(t.floats))) == 1 {
		t.floats = t.floats[:1]
	}
	return t
}

// volume returns how many numbers a shape has.
func volume(dims []int) (int, error) {
	n := uint64(1)
	for _, d := range dims {
		hi, lo := bits.Mul64(n, uint64(d))
		if d < 0 || hi != 0 || lo > 1<<62 {
			return 0, fmt.Errorf("there is no shape %v", dims)
		}
		n = lo
	}
	return int(n), nil
}

// A budget bounds how many numbers are made of a file's constants, in all: those of
// a file that does so over and over would not fit into memory.
type budget struct{ left int }

var errBudget = errors.New("more is computed from its constants than any network of this size needs")

func (b *budget) take(n int) error {
	if n < 0 || n > b.left {
		return errBudget
	}
	b.left -= n
	return nil
}

// pick returns a tensor of the given shape whose number i is number from(i) of t.
func (b *budget) pick(t tensor, dims []int, from func(i int) int) (tensor, error) {
	n, err := volume(dims)
	if err != nil {
		return t, err
	}
	out := tensor{dims: dims}
	if t.uniform() {
		out.floats, out.ints = t.floats, t.ints
		return out, nil
	}
	if err := b.take(n); err != nil {
		return t, err
	}
	if t.floats != nil {
		out.floats = make([]float32, n)
		for i := range out.floats {
			out.floats[i] = t.floats[from(i)]
		}
		return out, nil
	}
	out.ints = make([]int64, n)
	for i := range out.ints {
		out.ints[i] = t.ints[from(i)]
	}
	return out, nil
}

// transpose returns a tensor with its dimensions in another order.
func (b *budget) transpose(t tensor, perm []int) (tensor, error) {
	dims := make([]int, len(perm))
	stride := make([]int, len(perm)) // in t, of each dimension of the result
	for i, p := range perm {
		dims[i], stride[i] = t.dims[p], 1
		for _, d := range t.dims[p+1:] {
			stride[i] *= d
		}
	}
	return b.pick(t, dims, func(i int) int {
		from := 0
		for k := len(dims) - 1; k >= 0; k-- {
			from += i % dims[k] * stride[k]
			i /= dims[k]
		}
		return from
	})
}

// along returns the entries with the given indices of one dimension.
func (b *budget) along(t tensor, axis int, indices []int) (tensor, error) {
	dims := slices.Clone(t.dims)
	dims[axis] = len(indices)
	inner, err := volume(t.dims[axis+1:])
	if err != nil {
		return t, err
	}
	return b.pick(t, dims, func(i int) int {
		outer, rest := i/(inner*len(indices)), i%(inner*len(indices))
		return (outer*t.dims[axis]+indices[rest/inner])*inner + rest%inner
	})
}

// concat joins tensors along one dimension.
func (b *budget) concat(list []tensor, axis int) (tensor, error) {
	out := tensor{dims: slices.Clone(list[0].dims)}
	out.dims[axis] = 0
	for _, t := range list {
		if len(t.dims) != len(out.dims) || (t.floats == nil) != (list[0].floats == nil) {
			return out, errors.New("it joins tensors of different kinds")
		}
		for k, d := range t.dims {
			if k != axis && d != out.dims[k] {
				return out, fmt.Errorf("it joins shapes %v and %v", list[0].dims, t.dims)
			}
		}
		out.dims[axis] += t.dims[axis]
	}
	n, err := volume(out.dims)
	if err != nil {
		return out, err
	}
	if err := b.take(n); err != nil {
		return out, err
	}
	outer, err := volume(out.dims[:axis])
	if err != nil {
		return out, err
	}
	for o := range outer {
		for _, t := range list {
			stretch, _ := volume(t.dims[axis:])
			for i := o * stretch; i < (o+1)*stretch; i++ {
				k := i
				if t.uniform() {
					k = 0
				}
				if t.floats != nil {
					out.floats = append(out.floats, t.floats[k])
				} else {
					out.ints = append(out.ints, t.ints[k])
				}
			}
		}
	}
	return out.squashed(), nil
}

// arithmetic combines integers number by number; shapes are computed so.
func (b *budget) arithmetic(op string, x, y tensor) (tensor, error) {
	if x.ints == nil || y.ints == nil {
		return x, errors.New("it computes with constants that are no integers")
	}
	larger := x
	if y.count() > x.count() || y.count() == x.count() && len(y.dims) > len(x.dims) {
		larger = y
	}
	n := larger.count()
	if x.count() != n && !x.uniform() || y.count() != n && !y.uniform() {
		return x, fmt.Errorf("it combines shapes %v and %v", x.dims, y.dims)
	}
	if err := b.take(n); err != nil {
		return x, err
	}
	out := tensor{dims: larger.dims, ints: make([]int64, n)}
	for i := range n {
		p, q := x.ints[i%x.count()], y.ints[i%y.count()]
		switch {
		case op == "Mul":
			p *= q
		case op == "Add":
			p += q
		case op == "Sub":
			p -= q
		case op == "Equal" && p == q:
			p = 1
		case op == "Equal":
			p = 0
		case q == 0 || q == -1:
			return x, errors.New("it divides by zero or minus one")
		default:
			p /= q
		}
		out.ints[i] = p
	}
	return out, nil
}
