package keras

import (
	"encoding/json"
	"fmt"
	"slices"

	"quotient/f32"
	"quotient/rnn"
)

// norms are the classes of layers that normalize.
var norms = map[string]rnn.NormKind{
	"LayerNormalization": rnn.LayerNorm, "RMSNormalization": rnn.RMSNorm, "BatchNormalization": rnn.BatchNorm,
}

// usualEps is what Keras adds to variances if it is told nothing.
const usualEps = 1e-3

// An axis is a number, or a list of one.
type axis int

// UnmarshalJSON reads either.
func (a *axis) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*int)(a)); err == nil {
		return nil
	}
	var list []int
	if err := json.Unmarshal(data, &list); err != nil || len(list) != 1 {
		return fmt.Errorf("axis %s; only one axis is supported", data)
	}
	*a = axis(list[0])
	return nil
}

// norm adds a layer that normalizes, behind what there is.
func (b *builder) norm(y *configuration) error {
	s, last := b.model.Stack, axis(1)
	if b.last == nil || b.last.ReturnSequences {
		last = 2
	}
	if y.Axis != nil && *y.Axis != -1 && *y.Axis != last {
		return fmt.Errorf("a %s along axis %d; only the last is supported; %s", y.Class, *y.Axis, instead)
	}
	list, err := b.arrays(y)
	if err != nil {
		return err
	}
	if b.norms++; b.norms > maxNorms {
		return fmt.Errorf("more than %d layers that normalize", maxNorms)
	}
	n, err := y.norm(list)
	if err != nil {
		return err
	}
	switch top := len(s.Layers) - 1; {
	case top < 0 && (s.Embedding.Rows == 0 || s.EmbeddingNorm != nil):
		return fmt.Errorf("a %s of one-hot inputs, or a second one, is not supported; %s", y.Class, instead)
	case top < 0:
		s.EmbeddingNorm = n
	case len(s.Head) == 0 && b.last.ReturnSequences && s.Layers[top].Norm == nil:
		s.Layers[top].Norm = n
	default:
		return b.headNorm(n)
	}
	return nil
}

// maxNorms is more than a network has, and maxSpread bounds how much larger a matrix that
// changes nothing may be than one in the file.
const (
	maxNorms  = 64
	maxSpread = 16
)

// headNorm puts a norm behind the last dense layer, or behind one that changes nothing.
func (b *builder) headNorm(n *rnn.Norm) error {
	s := b.model.Stack
	size := s.Layers[len(s.Layers)-1].Outputs()
	if k := len(s.Head) - 1; k >= 0 {
		if d := &s.Head[k]; d.Norm == nil && len(d.Then) == 0 {
			d.Norm = n
			return nil
		} else if d.Weight.Rows > maxSpread*d.Weight.Cols {
			return fmt.Errorf("it follows a Dense layer with more than %d times as many outputs as inputs, which is not supported; %s", maxSpread, instead)
		}
		size = s.Head[k].Weight.Rows
	}
	s.Head = append(s.Head, rnn.Dense{Weight: f32.Identity(size), Norm: n})
	return nil
}

// norm makes a norm of its arrays: a scale and a shift, unless it has none, and behind them
// the statistics of a batch norm.
func (c *configuration) norm(list []rnn.Tensor) (*rnn.Norm, error) {
	has := func(setting *bool) bool { return setting == nil || *setting }
	eps := float32(usualEps)
	if c.Class == "RMSNormalization" {
		eps = 1e-6
	}
	if c.Epsilon != nil {
		eps = *c.Epsilon
	}
	want := []bool{has(c.Scale), c.Class != "RMSNormalization" && has(c.Center), c.Class == "BatchNormalization", c.Class == "BatchNormalization"}
	var arrays [4][]float32
	rest := list
	for i := range want {
		if !want[i] {
			continue
		}
		if len(rest) == 0 || len(rest[0].Dims) != 1 || len(rest[0].Data) != len(list[0].Data) {
			return nil, fmt.Errorf("its weights %s are not those of a %s", shapes(list), c.Class)
		}
		arrays[i], rest = rest[0].Data, rest[1:]
	}
	switch {
	case len(rest) > 0:
		return nil, fmt.Errorf("its weights %s are not those of a %s", shapes(list), c.Class)
	case c.RMSScaling:
		return nil, fmt.Errorf("a %s with rms_scaling is not supported; %s", c.Class, instead)
	case c.Class != "BatchNormalization":
		return &rnn.Norm{Kind: norms[c.Class], Scale: arrays[0], Shift: arrays[1], Eps: eps}, nil
	case slices.ContainsFunc(arrays[3], func(x float32) bool { return !(x+eps > 0) }):
		return nil, fmt.Errorf("a variance that is not above zero")
	}
	return rnn.Normalized(arrays[2], arrays[3], arrays[0], arrays[1], eps), nil
}

// addNorm adds the arrays of a norm under Keras' names, if that is what they are: a scale and
// a shift, and perhaps a mean and a variance.
func (m *Model) addNorm(name string, list []rnn.Tensor) bool {
	if len(list) != 2 && len(list) != 4 || slices.ContainsFunc(list, func(t rnn.Tensor) bool { return !slices.Equal(t.Dims, list[0].Dims) || len(t.Dims) != 1 }) {
		return false
	}
	for i, t := range list {
		t.Name = name + "." + []string{"gamma", "beta", "moving_mean", "moving_variance"}[i]
		m.Tensors = append(m.Tensors, t)
	}
	return true
}
