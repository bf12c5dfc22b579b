package flax

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// A cell is one of Flax's: the dense layers that make its gates, in PyTorch's order.
type cell struct{ in, rec []string }

// cells lists them, each with gates that the ones behind it do not have.
var cells = []cell{
	{[]string{"ii", "if", "ig", "io"}, []string{"hi", "hf", "hg", "ho"}}, // LSTMCell, OptimizedLSTMCell
	{[]string{"ir", "iz", "in"}, []string{"hr", "hz", "hn"}},             // GRUCell
	{[]string{"i"}, []string{"h"}},                                       // SimpleCell
}

// gate matches the weights of a cell: the path of the cell, the gate, and what it is.
var gate = regexp.MustCompile(`^(?:(.*)\.)?([ih][ifgorzn]?)\.(kernel|bias)$`)

// Rename gives Flax's tensors PyTorch's names and shapes, and reports whether there is a cell
// of Flax's among them. Kernels [inputs, outputs] are transposed, and the gates of a cell are
// put together.
func Rename(tensors []rnn.Tensor) (list []rnn.Tensor, found bool, err error) {
	byName := make(map[string]rnn.Tensor, len(tensors))
	var paths []string
	for _, t := range tensors {
		t.Name = strings.ReplaceAll(t.Name, "/", ".")
		byName[t.Name] = t
		m := gate.FindStringSubmatch(t.Name)
		if m != nil && !slices.Contains(paths, m[1]) && len(paths) <= maxCells {
			paths = append(paths, m[1])
		}
		if m != nil {
			continue
		}
		if base, ok := strings.CutSuffix(t.Name, ".kernel"); ok && len(t.Dims) == 2 && len(t.Data) > 0 {
			t = rnn.Tensor{Name: base + ".weight", Dims: []int{t.Dims[1], t.Dims[0]}, Data: transposed(t)}
		}
		list = append(list, t)
	}
	if len(paths) > maxCells {
		return nil, false, fmt.Errorf("flax: more than %d cells", maxCells)
	}
	for _, path := range paths {
		prefix := path + "."
		if path == "" {
			prefix = ""
		}
		i := slices.IndexFunc(cells, func(c cell) bool { return byName[prefix+c.rec[0]+".kernel"].Name != "" })
		if i < 0 {
			return nil, false, fmt.Errorf("flax: %s has some gates of a cell, but not all", path)
		}
		more, err := cells[i].join(prefix, byName)
		if err != nil {
			return nil, false, err
		}
		list = append(list, more...)
	}
	return list, len(paths) > 0, nil
}

// maxCells is more than a network has.
const maxCells = 100

// join puts the gates of a cell together.
func (c cell) join(prefix string, byName map[string]rnn.Tensor) (list []rnn.Tensor, err error) {
	for k, names := range [][]string{c.in, c.rec} {
		suffix := []string{"ih", "hh"}[k]
		weight := rnn.Tensor{Name: prefix + "weight_" + suffix}
		bias := rnn.Tensor{Name: prefix + "bias_" + suffix}
		biased := false
		for _, gate := range names {
			w := byName[prefix+gate+".kernel"]
			if len(w.Dims) != 2 || len(w.Data) == 0 || weight.Dims != nil && weight.Dims[1] != w.Dims[0] {
				return nil, fmt.Errorf("flax: %s%s.kernel has shape %v, or is missing; the cell wants %s", prefix, gate, w.Dims, strings.Join(names, ", "))
			}
			units := w.Dims[1]
			weight.Data = append(weight.Data, transposed(w)...)
			weight.Dims = []int{len(weight.Data) / w.Dims[0], w.Dims[0]}
			b := byName[prefix+gate+".bias"]
			if b.Name == "" {
				b.Data = make([]float32, units)
			} else {
				biased = true
			}
			if len(b.Data) != units {
				return nil, fmt.Errorf("flax: %s%s.bias has shape %v, not [%d]", prefix, gate, b.Dims, units)
			}
			bias.Data = append(bias.Data, b.Data...)
		}
		list = append(list, weight)
		if bias.Dims = []int{len(bias.Data)}; biased {
			list = append(list, bias)
		}
	}
	return list, nil
}

// transposed returns the numbers of a matrix, column by column.
func transposed(t rnn.Tensor) []float32 {
	m := f32.New(t.Dims[1], t.Dims[0])
	f32.Transpose(m, f32.Of(t.Dims[0], t.Dims[1], t.Data))
	return m.Data
}
