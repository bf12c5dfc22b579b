package keras

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quotient/f32"
	"quotient/model/hdf5"
	"quotient/rnn"
)

// weights finds the arrays of the layers of a model, one layer after the other.
type weights interface {
	of(y *configuration) ([]rnn.Tensor, error)
}

// archived are the weights of a .keras file, whose layers are called by their classes, and
// counted: dense, dense_1.
type archived struct {
	root  *hdf5.Object
	count map[string]int
}

// folders are the names of classes of layers that have weights.
var folders = map[string]string{
	"Embedding": "embedding", "SimpleRNN": "simple_rnn", "GRU": "gru", "LSTM": "lstm",
	"Bidirectional": "bidirectional", "TimeDistributed": "time_distributed", "Dense": "dense",
	"LayerNormalization": "layer_normalization", "RMSNormalization": "rms_normalization", "BatchNormalization": "batch_normalization",
}

// tops are the groups that layers are in: of Keras 3, and of late versions of Keras 2.
var tops = []string{"layers", "_layer_checkpoint_dependencies"}

func (a *archived) of(y *configuration) ([]rnn.Tensor, error) {
	name := folders[y.Class]
	n := a.count[name]
	a.count[name]++
	if n > 0 {
		name += "_" + strconv.Itoa(n)
	}
	for _, top := range tops {
		o, err := a.root.Find(top + "/" + name)
		if err != nil {
			return nil, err
		}
		if o == nil {
			continue
		}
		if err := called(o, y.name()); err != nil {
			return nil, err
		}
		return variables(o, maxNested+2)
	}
	return nil, fmt.Errorf("there are no weights %s/%s", tops[0], name)
}

// called checks the name of the layer that weights belong to, which late versions write.
func called(o *hdf5.Object, name string) error {
	vars, err := o.Find("vars")
	if err != nil || vars == nil {
		return err
	}
	if got, found, err := vars.Text("name"); err != nil || found && got != name {
		return fmt.Errorf("the weights %s are those of layer %q (%v)", o.Path, got, err)
	}
	return nil
}

// variables collects the arrays of a layer, its own and those of the layers in it.
func variables(o *hdf5.Object, depth int) (list []rnn.Tensor, err error) {
	if depth == 0 {
		return nil, nil
	}
	for _, name := range []string{"vars", "cell", "forward_layer", "backward_layer", "layer"} {
		inner, err := o.Find(name)
		if err != nil {
			return nil, err
		}
		if inner == nil {
			continue
		}
		var more []rnn.Tensor
		if name == "vars" {
			more, err = arrays(inner)
		} else {
			more, err = variables(inner, depth-1)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// arrays reads the arrays of a group, which are called by numbers.
func arrays(group *hdf5.Object) (list []rnn.Tensor, err error) {
	for i := range maxArrays {
		o, err := group.Find(strconv.Itoa(i))
		if err != nil || o == nil {
			return list, err
		}
		t, err := tensor(o)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// maxArrays is more than a layer has.
const maxArrays = 16

// tensor reads an array.
func tensor(o *hdf5.Object) (rnn.Tensor, error) {
	dims, numbers, err := o.Numbers()
	return rnn.Tensor{Name: strings.TrimPrefix(o.Path, "/"), Dims: dims, Data: numbers}, err
}

// named are the weights of a .h5 file, under the names of the layers.
type named struct{ group *hdf5.Object }

func (n named) of(y *configuration) ([]rnn.Tensor, error) {
	o, err := n.group.Find(y.name())
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, fmt.Errorf("there are no weights %s/%s", n.group.Path, y.name())
	}
	return listed(o)
}

// listed reads the arrays that a group lists in its attribute weight_names.
func listed(o *hdf5.Object) (list []rnn.Tensor, err error) {
	names, _, err := o.Texts("weight_names")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.Contains(name, "seed_generator") {
			continue // the state of dropout
		}
		w, err := o.Find(name)
		if err == nil && w == nil {
			err = fmt.Errorf("weights %q are missing", name)
		}
		if err != nil {
			return nil, err
		}
		t, err := tensor(w)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// orders has for each cell the places of PyTorch's gates in Keras' order: i, f, c, o of LSTM
// are the same, and r, z, n of GRU are z, r, h.
var orders = map[*rnn.Cell][]int{rnn.Elman: {0}, rnn.GRU: {1, 0, 2}, rnn.LSTM: {0, 1, 2, 3}}

// isRecurrent reports whether arrays have the sizes of a recurrent layer's: a kernel
// [inputs, gates*units], a recurrent kernel [units, gates*units], and perhaps a bias.
func isRecurrent(list []rnn.Tensor) bool {
	return len(list) >= 2 && len(list) <= 3 && len(list[0].Dims) == 2 && len(list[1].Dims) == 2 &&
		list[0].Dims[1] == list[1].Dims[1] && rnn.CellOf(list[1].Dims[1], list[1].Dims[0]) != nil
}

// recurrent makes a layer of its arrays.
func recurrent(list []rnn.Tensor) (y rnn.Layer, err error) {
	if !isRecurrent(list) {
		return y, fmt.Errorf("its weights %s are not a kernel, a recurrent kernel and a bias", shapes(list))
	}
	units, columns := list[1].Dims[0], list[1].Dims[1]
	y.Cell = rnn.CellOf(columns, units)
	if y.In, err = gates(list[0], units, orders[y.Cell]); err != nil {
		return y, err
	}
	if y.Rec, err = gates(list[1], units, orders[y.Cell]); err != nil || len(list) < 3 {
		return y, err
	}
	b := list[2]
	both := len(b.Dims) == 2 && b.Dims[0] == 2 && b.Dims[1] == columns && y.Cell == rnn.GRU
	if !both && (len(b.Dims) != 1 || b.Dims[0] != columns) {
		return y, fmt.Errorf("its bias has shape %v, not [%d]", b.Dims, columns)
	}
	y.BiasIn = reorder(b.Data[:columns], units, orders[y.Cell])
	if both {
		y.BiasRec = reorder(b.Data[columns:], units, orders[y.Cell])
	}
	y.ResetBefore = y.Cell == rnn.GRU && !both
	return y, nil
}

// gates transposes a kernel, with its gates in another order.
func gates(t rnn.Tensor, units int, order []int) (f32.Matrix, error) {
	m, err := transposed(t)
	if err != nil {
		return m, err
	}
	return f32.Of(m.Rows, m.Cols, reorder(m.Data, units*m.Cols, order)), nil
}

// reorder puts blocks in another order.
func reorder(data []float32, size int, order []int) (out []float32) {
	for _, k := range order {
		out = append(out, data[k*size:(k+1)*size]...)
	}
	return out
}

// transposed returns a kernel [inputs, outputs] as outputs × inputs.
func transposed(t rnn.Tensor) (f32.Matrix, error) {
	if len(t.Dims) != 2 || len(t.Data) == 0 {
		return f32.Matrix{}, fmt.Errorf("%s has shape %v, which is no matrix", t.Name, t.Dims)
	}
	m := f32.New(t.Dims[1], t.Dims[0])
	f32.Transpose(m, f32.Of(t.Dims[0], t.Dims[1], t.Data))
	return m, nil
}

// dense makes a layer of a kernel and perhaps a bias.
func dense(list []rnn.Tensor) (d rnn.Dense, err error) {
	if len(list) < 1 || len(list) > 2 {
		return d, fmt.Errorf("its weights %s are not a kernel and a bias", shapes(list))
	}
	if d.Weight, err = transposed(list[0]); err != nil || len(list) < 2 {
		return d, err
	}
	if !slices.Equal(list[1].Dims, []int{d.Weight.Rows}) {
		return d, fmt.Errorf("its bias has shape %v, not [%d]", list[1].Dims, d.Weight.Rows)
	}
	d.Bias = list[1].Data
	return d, nil
}

// shapes lists the names and shapes of tensors.
func shapes(list []rnn.Tensor) string {
	var text []string
	for _, t := range list {
		text = append(text, fmt.Sprintf("%s %v", t.Name, t.Dims))
	}
	return "[" + strings.Join(text, ", ") + "]"
}
