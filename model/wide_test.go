package model

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quotient/rnn"
)

// Files of strangers may have as many tokens or tensors as they have bytes. Opening them takes
// seconds even so, also on a machine that is busy: what is said of tokens or of tensors looks
// at each of them once.
func TestManyTokensAndTensors(t *testing.T) {
	square := func(name string, rows, columns int) rnn.Tensor {
		return rnn.Tensor{Name: name, Dims: []int{rows, columns}, Data: make([]float32, rows*columns)}
	}
	wide := []rnn.Tensor{square("emb.weight", 600_000, 1), square("rnn.weight_ih_l0", 4, 1), square("rnn.weight_hh_l0", 4, 4), square("fc.weight", 1, 4)}
	var names, norms, cells, tensors []rnn.Tensor
	for i := range 450 {
		names = append(names, square(fmt.Sprintf("part%d.W_x", i), 3, 3), square(fmt.Sprintf("part%d.W_h", i), 3, 3))
		norms = append(norms, rnn.Tensor{Name: fmt.Sprintf("norm%d.weight", i), Dims: []int{4}, Data: make([]float32, 4)}, rnn.Tensor{Name: fmt.Sprintf("norm%d.bias", i), Dims: []int{4}, Data: make([]float32, 4)})
		cells = append(cells, square(fmt.Sprintf("cell%d.weight_ih", i), 4, 4), square(fmt.Sprintf("cell%d.weight_hh", i), 4, 4))
	}
	for i := range 50_000 {
		tensors = append(tensors, square(fmt.Sprintf("x%d", i), 1, 1))
	}
	for name, list := range map[string][]rnn.Tensor{
		"wide": wide, "names": names, "norms": append(norms, wide[1:]...), "cells": cells, "tensors": tensors,
		"dense": append(norms, names...),
	} {
		for _, o := range []Options{{}, {Symbols: []string{"a"}, Bos: "1"}, {Key: "none"}} {
			var b bytes.Buffer
			if err := rnn.EncodeTensors(&b, rnn.TensorFile{Tensors: list}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), name+".safetensors")
			if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			before := time.Now()
			m, err := Open(t.Context(), path, o)
			if err == nil {
				m.Reading()
			}
			if took := time.Since(before); took > 20*time.Second {
				t.Errorf("%s: %v, %v", name, took, err)
			}
		}
	}
}
