package model

import (
	"fmt"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// normName says what kind of norm there is; empty if there is none.
func normName(n *rnn.Norm) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == rnn.BatchNorm:
		return string(n.Kind)
	}
	return fmt.Sprintf("%s, eps %g", n.Kind, n.Eps)
}

// cellNormNames lists what is normalized inside a layer.
func cellNormNames(c *rnn.CellNorms) (list []string) {
	if c == nil {
		return nil
	}
	for _, x := range []struct {
		of string
		n  *rnn.Norm
	}{{"input", c.In}, {"recurrent", c.Rec}, {"gates", c.Gates}, {"memory", c.Memory}, {"output", c.Output}, {"state", c.State}} {
		if x.n != nil {
			list = append(list, x.of+": "+normName(x.n))
		}
	}
	return list
}

// normalized says in a few words where norms stand; empty if there is none.
func normalized(s *rnn.Stack) string {
	var places []string
	add := func(n *rnn.Norm, format string, args ...any) {
		if n != nil {
			places = append(places, fmt.Sprintf(format, args...))
		}
	}
	add(s.EmbeddingNorm, "behind the embedding")
	for i := range s.Layers {
		if s.Layers[i].Norms != nil {
			places = append(places, fmt.Sprintf("inside layer %d", i+1))
		}
		add(s.Layers[i].Norm, "behind layer %d", i+1)
	}
	dense := 0
	for _, d := range s.Head {
		switch {
		case !isIdentity(d.Weight):
			dense++
			add(d.Norm, "behind dense layer %d", dense)
		case dense == 0:
			add(d.Norm, "before the first dense layer")
		default:
			add(d.Norm, "behind the function of dense layer %d", dense)
		}
	}
	return strings.Join(places, ", ")
}

// isIdentity reports whether a dense layer changes nothing, but for what follows it.
func isIdentity(m f32.Matrix) bool {
	if m.Rows != m.Cols {
		return false
	}
	for i := range m.Rows {
		for j, x := range m.Row(i) {
			if x != 0 && i != j || x != 1 && i == j {
				return false
			}
		}
	}
	return true
}
