package keras

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quotient/model/hdf5"
	"quotient/rnn"
)

// weightsAlone reads a file of save_weights: the layers follow from the sizes of their
// arrays, and get PyTorch's names and order of gates.
func weightsAlone(root *hdf5.Object) (*Model, error) {
	m := &Model{Format: "Keras (HDF5), weights alone"}
	names, old, err := root.Texts("layer_names")
	if err != nil {
		return nil, err
	}
	group, read := root, listed
	for _, top := range tops {
		if old {
			break
		}
		if group, err = root.Find(top); err != nil {
			return nil, err
		}
		if group != nil {
			read = func(o *hdf5.Object) ([]rnn.Tensor, error) { return variables(o, maxNested+2) }
			names, err = group.Names()
			break
		}
	}
	if group == nil || err != nil {
		return nil, errors.Join(err, errors.New("there is neither a model in it nor weights as save_weights writes them; model.save(\"net.keras\") writes both"))
	}
	for _, name := range names {
		o, err := group.Find(name)
		if err != nil {
			return nil, err
		}
		if o == nil {
			return nil, fmt.Errorf("there are no weights of layer %q", name)
		}
		list, err := read(o)
		if err == nil {
			err = m.Add(name, list)
		}
		if err != nil {
			return nil, fmt.Errorf("layer %q: %w", name, err)
		}
	}
	m.Notes = append(m.Notes, "weights alone do not say whether token 0 is padding, which the network skips (mask_zero): it is taken to be a token as others are")
	return m, nil
}

// Add adds the arrays of a layer under PyTorch's names: what the layer is follows from their
// sizes.
func (m *Model) Add(name string, list []rnn.Tensor) error {
	if m.addNorm(name, list) {
		return nil
	}
	if len(list) == 6 || len(list) == 4 { // both directions
		half := len(list) / 2
		if !isRecurrent(list[:half]) || !isRecurrent(list[half:]) {
			return fmt.Errorf("its weights %s are those of no layer that is supported; %s", shapes(list), instead)
		}
		if err := m.addRecurrent(name, "_l0", list[:half]); err != nil {
			return err
		}
		return m.addRecurrent(name, "_l0_reverse", list[half:])
	}
	switch {
	case isRecurrent(list):
		return m.addRecurrent(name, "_l0", list)
	case len(list) == 1 && !strings.Contains(list[0].Name, "kernel") && !strings.HasPrefix(name, "dense"):
		t := list[0]
		t.Name = name + ".embedding"
		m.Tensors = append(m.Tensors, t)
	case len(list) > 0:
		d, err := dense(list)
		if err != nil {
			return err
		}
		m.matrix(name+".weight", []int{d.Weight.Rows, d.Weight.Cols}, d.Weight.Data)
		m.matrix(name+".bias", []int{len(d.Bias)}, d.Bias)
	}
	return nil
}

// matrix adds a tensor, unless it is empty.
func (m *Model) matrix(name string, dims []int, data []float32) {
	if len(data) > 0 {
		m.Tensors = append(m.Tensors, rnn.Tensor{Name: name, Dims: dims, Data: data})
	}
}

// addRecurrent adds one direction of a recurrent layer.
func (m *Model) addRecurrent(name, suffix string, list []rnn.Tensor) error {
	y, err := recurrent(list)
	if err != nil {
		return err
	}
	m.matrix(name+".weight_ih"+suffix, []int{y.In.Rows, y.In.Cols}, y.In.Data)
	m.matrix(name+".weight_hh"+suffix, []int{y.Rec.Rows, y.Rec.Cols}, y.Rec.Data)
	m.matrix(name+".bias_ih"+suffix, []int{len(y.BiasIn)}, y.BiasIn)
	m.matrix(name+".bias_hh"+suffix, []int{len(y.BiasRec)}, y.BiasRec)
	if y.Cell == rnn.GRU && y.BiasIn == nil {
		m.Notes = append(m.Notes, fmt.Sprintf("%s has no bias, which would show whether the reset gate is applied before the recurrent product or behind it: it is taken to be behind", name))
	}
	if y.ResetBefore && !slices.Contains(m.Resets, name) {
		m.Resets = append(m.Resets, name)
	}
	return nil
}

// Layer returns how many of the arrays at the start of a list belong to one layer, by their
// sizes. The first of all is an embedding, unless it can only be something else.
func Layer(list []rnn.Tensor, first bool) int {
	vector := func(i, n int) bool { return len(list) > i && slices.Equal(list[i].Dims, []int{n}) }
	if len(list) > 1 && isRecurrent(list[:2]) {
		columns := list[0].Dims[1]
		both := len(list) > 2 && slices.Equal(list[2].Dims, []int{2, columns}) && columns == rnn.GRU.Gates()*list[1].Dims[0]
		if vector(2, columns) || both {
			return 3
		}
		if !first {
			return 2
		}
	}
	if len(list[0].Dims) == 2 && vector(1, list[0].Dims[1]) {
		return 2
	}
	return 1
}
