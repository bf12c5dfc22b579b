package model

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quotient/f32"
	"quotient/rnn"
	"quotient/word"
)

// matrix and turned return a matrix as a tensor, and the other way.
func matrix(name string, m f32.Matrix) rnn.Tensor {
	return rnn.Tensor{Name: name, Dims: []int{m.Rows, m.Cols}, Data: m.Data}
}

func turned(name string, m f32.Matrix) rnn.Tensor {
	t := f32.New(m.Cols, m.Rows)
	f32.Transpose(t, m)
	return matrix(name, t)
}

func vector(name string, x []float32) rnn.Tensor {
	return rnn.Tensor{Name: name, Dims: []int{len(x)}, Data: x}
}

// numberedArrays calls arrays as numpy does where they have no names.
func numberedArrays(list []rnn.Tensor) []rnn.Tensor {
	list = slices.Clone(list)
	for i := range list {
		list[i].Name = fmt.Sprintf("arr_%d", i)
	}
	return list
}

// Arrays are recognized under PyTorch's names and Keras', and without names in either order.
func TestArrays(t *testing.T) {
	m, err := Open(t.Context(), filepath.Join("testdata", "keras", "listed.npz"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := m.Stack
	y, d, zeros := s.Layers[0], s.Head[0], make([]float32, len(s.Layers[0].BiasIn))
	embedding := matrix("net/embedding", s.Embedding)
	byTorch := []rnn.Tensor{
		embedding, matrix("rnn.weight_ih_l0", y.In), matrix("rnn.weight_hh_l0", y.Rec), vector("rnn.bias_ih_l0", y.BiasIn), vector("rnn.bias_hh_l0", zeros),
		matrix("out.weight", d.Weight), vector("out.bias", d.Bias),
	}
	byKeras := []rnn.Tensor{
		matrix("net/embedding/embeddings:0", s.Embedding), turned("net/lstm/kernel:0", y.In), turned("net/lstm/recurrent_kernel:0", y.Rec), vector("net/lstm/bias:0", y.BiasIn),
		turned("net/dense/kernel:0", d.Weight), vector("net/dense/bias:0", d.Bias),
	}
	words := []word.Word{{0}, {1, 2, 0, 3}, {3, 3, 1, 0, 2}}
	want := m.Net.(logits).Logits(words)
	for name, list := range map[string][]rnn.Tensor{
		"PyTorch": byTorch, "parameters of PyTorch": numberedArrays(byTorch), "weights of Keras": byKeras, "NumPy, weights of Keras": numberedArrays(byKeras),
	} {
		m, err := fromArrays("NumPy", list, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := m.Net.(logits).Logits(words); !slices.Equal(got, want) {
			t.Errorf("%s: %s: %v, want %v", name, m.Format, got, want)
		}
	}
}

// An embedding of as many numbers as an Elman layer has units fits in several places.
func TestSquareArrays(t *testing.T) {
	square := func(x float32) f32.Matrix { return f32.Of(2, 2, []float32{x, 2, 3, 4}) }
	list := numberedArrays([]rnn.Tensor{
		matrix("", f32.Of(3, 2, []float32{1, 2, 3, 4, 5, 6})), matrix("", square(1)), matrix("", square(5)), vector("", []float32{7, 8}),
		matrix("", f32.Of(2, 1, []float32{1, 1})), vector("", []float32{1}),
	})
	m, err := fromArrays("NumPy", list, Options{})
	if err != nil || m.Stack.Tokens != 3 || m.Stack.Layers[0].Rec.Row(0)[0] != 5 || m.Stack.Layers[0].In.Row(0)[1] != 3 {
		t.Errorf("%v, %+v", err, m)
	}
	for _, c := range []struct {
		list []rnn.Tensor
		want string
	}{
		{list[:1], "no recurrent layer"},
		{slices.Concat([]rnn.Tensor{matrix("arr_0", f32.New(5, 2))}, list[1:4]), "no head"},
		{[]rnn.Tensor{{Name: "x/h/kernel", Dims: []int{2, 2}, Data: make([]float32, 4)}}, "the cell wants i"},
		{make([]rnn.Tensor, maxTensors+1), "1001 arrays"},
	} {
		if _, err := fromArrays("NumPy", c.list, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
