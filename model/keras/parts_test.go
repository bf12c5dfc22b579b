package keras

import (
	"fmt"
	"strings"
	"testing"

	"quotient/f32"
	"quotient/rnn"
)

// Only a GRU leaves something open without a bias, and that is said.
func TestNoteOfMissingBias(t *testing.T) {
	const inputs, units = 2, 3
	for _, c := range []struct {
		gates int
		bias  []int
		notes int
	}{{3, []int{2, 3 * units}, 0}, {3, nil, 1}, {4, []int{4 * units}, 0}, {4, nil, 0}, {1, nil, 0}} {
		tensor := func(name string, dims ...int) rnn.Tensor {
			size := 1
			for _, d := range dims {
				size *= d
			}
			return rnn.Tensor{Name: name, Dims: dims, Data: make([]float32, size)}
		}
		list := []rnn.Tensor{tensor("kernel", inputs, c.gates*units), tensor("recurrent_kernel", units, c.gates*units)}
		if c.bias != nil {
			list = append(list, tensor("bias", c.bias...))
		}
		m := &Model{}
		if err := m.addRecurrent("layer", "_l0", list); err != nil || len(m.Notes) != c.notes {
			t.Errorf("%d gates, bias %v: %q, %v", c.gates, c.bias, m.Notes, err)
		}
	}
}

// A model has layers, and not more of them than any has.
func TestNumberOfLayers(t *testing.T) {
	of := func(n int) error {
		layers := strings.TrimSuffix(strings.Repeat(`{"class_name": "InputLayer"},`, n), ",")
		_, err := parse(fmt.Appendf(nil, `{"class_name": "Sequential", "config": {"layers": [%s]}}`, layers))
		return err
	}
	for _, n := range []int{0, maxLayers + 1} {
		if err := of(n); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("with %d layers", n)) {
			t.Errorf("%d layers: %v", n, err)
		}
	}
	for _, n := range []int{1, maxLayers} {
		if err := of(n); err != nil {
			t.Errorf("%d layers: %v", n, err)
		}
	}
}

// A second norm does not replace the first.
func TestTwoNormsOfTheHead(t *testing.T) {
	s := &rnn.Stack{Layers: []rnn.Layer{{Rec: f32.New(2, 2)}}, Head: []rnn.Dense{{Weight: f32.New(3, 2)}}}
	b := &builder{model: &Model{Stack: s}}
	first, second := &rnn.Norm{}, &rnn.Norm{}
	for _, n := range []*rnn.Norm{first, second} {
		if err := b.headNorm(n); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.Head) != 2 || s.Head[0].Norm != first || s.Head[1].Norm != second || s.Head[1].Weight.Rows != 3 {
		t.Errorf("%+v", s.Head)
	}
}
