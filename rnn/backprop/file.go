package backprop

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"quotient/rnn"
)

// stepKey is where a trainer's file says how many steps were done.
const stepKey = "step"

// means lists AdamW's running means under the names of the network's tensors, each with
// a prefix.
func (t *Trainer) means() (list []rnn.Tensor) {
	for i, n := range []*rnn.Network{t.mean, t.square} {
		for _, x := range n.Tensors() {
			x.Name = []string{"adamw.mean.", "adamw.square."}[i] + x.Name
			list = append(list, x)
		}
	}
	return list
}

// Encode writes all that training needs to go on as if it had not stopped: the network's
// file, with AdamW's means behind its own tensors.
func (t *Trainer) Encode(w io.Writer, metadata map[string]string) error {
	m := map[string]string{stepKey: strconv.Itoa(t.step)}
	maps.Copy(m, metadata)
	return t.Network.Encode(w, m, t.means()...)
}

// Decode takes over the state that [Trainer.Encode] wrote, for a network of the
// same shape, and returns the file's metadata.
func (t *Trainer) Decode(data []byte) (map[string]string, error) {
	f, err := rnn.DecodeTensors(data)
	if err != nil {
		return nil, err
	}
	step, err := strconv.Atoi(f.Metadata[stepKey])
	if err != nil || step < 0 {
		return nil, fmt.Errorf("metadata %q: %q is not a number of steps", stepKey, f.Metadata[stepKey])
	}
	want := slices.Concat(t.Network.Tensors(), t.means())
	if len(f.Tensors) != len(want) {
		return nil, fmt.Errorf("%d tensors, not %d", len(f.Tensors), len(want))
	}
	for i, w := range want {
		if g := f.Tensors[i]; g.Name != w.Name || !slices.Equal(g.Dims, w.Dims) {
			return nil, fmt.Errorf("tensor %q of shape %v where %q of shape %v should be", g.Name, g.Dims, w.Name, w.Dims)
		}
	}
	for i, w := range want {
		copy(w.Data, f.Tensors[i].Data)
	}
	t.step = step
	return f.Metadata, nil
}
