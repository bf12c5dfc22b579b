package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quotient/model/flax"
	"quotient/model/keras"
	"quotient/model/numpy"
	"quotient/rnn"
)

// openNumpy reads the arrays of an .npz file.
func openNumpy(data []byte, _ string, o Options) (*Model, error) {
	tensors, err := numpy.Read(data)
	if err != nil {
		return nil, err
	}
	return fromArrays("NumPy", tensors, o)
}

// openFlax reads a .msgpack file of Flax.
func openFlax(data []byte, _ string, o Options) (*Model, error) {
	tensors, err := flax.Read(data)
	if err != nil {
		return nil, err
	}
	return fromArrays("Flax", tensors, o)
}

// unnamed matches the names of arrays that were given none.
var unnamed = regexp.MustCompile(`^arr_\d+$`)

// fromArrays makes a model of arrays under the names of PyTorch, of Keras or of Flax, or
// under none, as Keras' get_weights and PyTorch's parameters list them.
func fromArrays(format string, tensors []rnn.Tensor, o Options) (*Model, error) {
	if len(tensors) > maxTensors {
		return nil, fmt.Errorf("%d arrays: a recurrent network has fewer than %d", len(tensors), maxTensors)
	}
	if !slices.ContainsFunc(tensors, func(t rnn.Tensor) bool { return !unnamed.MatchString(t.Name) }) {
		return fromList(format, tensors, o)
	}
	k := &keras.Model{Format: format + ", weights of Keras"}
	if found, err := byLayer(k, tensors); err != nil || found {
		if err != nil {
			return nil, err
		}
		return fromKeras(k, o)
	}
	renamed, cells, err := flax.Rename(tensors)
	if err != nil {
		return nil, err
	}
	if cells {
		format, tensors = format+", weights of Flax", renamed
	}
	return recognized(format, nil, source{tensors: tensors, options: o})
}

// byLayer groups arrays by the layers that their names begin with, if Keras has named them.
func byLayer(k *keras.Model, tensors []rnn.Tensor) (found bool, err error) {
	var names []string
	layers := make(map[string][]rnn.Tensor)
	for _, t := range tensors {
		name, base := "", strings.TrimSuffix(t.Name, ":0")
		if i := strings.LastIndexAny(base, "/."); i >= 0 {
			name, base = base[:i], base[i+1:]
		}
		found = found || base == "recurrent_kernel"
		if layers[name] == nil {
			names = append(names, name)
		}
		layers[name] = append(layers[name], t)
	}
	if !found {
		return false, nil
	}
	for _, name := range names {
		if err := k.Add(strings.ReplaceAll(name, "/", "."), layers[name]); err != nil {
			return false, fmt.Errorf("layer %q: %w", name, err)
		}
	}
	return true, nil
}

// fromList makes a model of arrays that have only their order. Recurrent layers have two
// biases in PyTorch, and one in Keras, whose matrices stand the other way.
func fromList(format string, tensors []rnn.Tensor, o Options) (*Model, error) {
	if list, found := listedByTorch(tensors); found {
		return recognized(format+", parameters of PyTorch", nil, source{tensors: list, ordered: true, options: o})
	}
	k := &keras.Model{Format: format + ", weights of Keras"}
	for i := 0; i < len(tensors); {
		n := keras.Layer(tensors[i:], i == 0)
		name := fmt.Sprintf("layer%d", i)
		if n == 1 && i == 0 {
			name = "embedding"
		} else if n == 1 {
			name = "dense" + name
		}
		if err := k.Add(name, tensors[i:i+n]); err != nil {
			return nil, fmt.Errorf("%s: %w", tensors[i].Name, err)
		}
		i += n
	}
	k.Notes = append(k.Notes, "the arrays have no names: what they are was found by their order and their sizes")
	return fromKeras(k, o)
}

// listedByTorch names arrays as PyTorch does, if there are recurrent layers among them as
// PyTorch lists them: two matrices with as many rows, and two biases.
func listedByTorch(tensors []rnn.Tensor) (list []rnn.Tensor, found bool) {
	list = slices.Clone(tensors)
	for i := range list {
		list[i].Name = fmt.Sprintf("list.%d.weight", i)
		if i > 0 && len(list[i].Dims) == 1 {
			list[i].Name = strings.Replace(list[i-1].Name, "weight", "bias", 1)
		}
	}
	for i := 0; i+4 <= len(list); i++ {
		w := list[i : i+4]
		if len(w[0].Dims) != 2 || len(w[1].Dims) != 2 || w[0].Dims[0] != w[1].Dims[0] || rnn.CellOf(w[1].Dims[0], w[1].Dims[1]) == nil ||
			!slices.Equal(w[2].Dims, w[0].Dims[:1]) || !slices.Equal(w[3].Dims, w[0].Dims[:1]) {
			continue
		}
		found = true
		for k, name := range []string{"weight_ih", "weight_hh", "bias_ih", "bias_hh"} {
			w[k].Name = fmt.Sprintf("list.%d.%s_l0", i, name)
		}
		i += 3
	}
	return list, found
}

// digital reports whether a name is a number, as the items of a list have.
func digital(name string) bool { return name != "" && digits(name) == len(name) }
