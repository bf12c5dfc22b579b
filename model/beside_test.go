package model

import (
	"strings"
	"testing"

	"quotient/rnn"
)

// Where a file makes no network, what was left out of it by name is said: it may be what is
// missing.
func TestRefusalNamesWhatWasLeftOut(t *testing.T) {
	zero := func(name string, dims ...int) rnn.Tensor {
		n := 1
		for _, d := range dims {
			n *= d
		}
		return rnn.Tensor{Name: name, Dims: dims, Data: make([]float32, n)}
	}
	s := &source{tensors: []rnn.Tensor{
		zero("emb.weight", 3, 4),
		zero("rnn.weight_ih_l0", 6, 4), zero("rnn.weight_hh_l0", 6, 6),
		zero("criterion.weight", 2), zero("head.weight", 7, 5),
	}}
	_, err := s.network()
	if err == nil || !strings.Contains(err.Error(), "left out, because the names say that only training needs them, were criterion.weight") {
		t.Errorf("error %v", err)
	}
}
