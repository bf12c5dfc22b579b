package model

import (
	"strings"
	"testing"
)

// Recurrent modules that fit in several orders are warned of where names are sorted, unless
// they are numbered, and named in the reading where the file keeps an order.
func TestLayerOrder(t *testing.T) {
	pair := func(first, second string) []string {
		return []string{
			first + ".weight_ih_l0 12 4", first + ".weight_hh_l0 12 4", second + ".weight_ih_l0 12 4", second + ".weight_hh_l0 12 4", "fc.weight 1 4",
		}
	}
	for _, c := range []struct {
		first, second string
		ordered       bool
		order         string // in the option
		note, reading string
		err           string
	}{
		{first: "encoder", second: "aggregator", note: "taken to be aggregator, encoder", reading: "aggregator before encoder"},
		{first: "encoder", second: "aggregator", ordered: true, reading: "encoder before aggregator, as the file lists them"},
		{first: "encoder", second: "aggregator", order: "encoder,aggregator", reading: "encoder before aggregator"},
		{first: "lstm1", second: "lstm2"},
		{first: "lstm", second: "lstm_1"},
		{first: "layers.0.rnn", second: "layers.1.rnn"},
		{first: "lstm2", second: "lstm1", ordered: true, reading: "lstm2 before lstm1"},
		{first: "a", second: "b", order: "a", err: "names each recurrent module once: a, b"},
		{first: "a", second: "b", order: "a,a", err: "names each recurrent module once: a, b"},
	} {
		s := source{tensors: tensors(pair(c.first, c.second)...), ordered: c.ordered, options: Options{Order: c.order}}
		_, err := s.recognize()
		if err != nil || c.err != "" {
			if err == nil || c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		notes := strings.Join(s.notes, "; ")
		if !strings.Contains(notes, c.note) || (c.note == "") != (notes == "") || !strings.HasPrefix(s.order, c.reading) || (c.reading == "") != (s.order == "") || len(s.orders) != 1 {
			t.Errorf("%+v: notes %q, order %q, others %q", c, notes, s.order, s.orders)
		}
	}
}
