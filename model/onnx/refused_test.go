package onnx

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// float is an attribute that is a number.
func float(name string, x float32) builder {
	b := builder(nil).text(1, name)
	return binary.LittleEndian.AppendUint32(protowire.AppendTag(b, 2, protowire.Fixed32Type), math.Float32bits(x))
}

// embedded begins a graph with two numbers for each of three tokens, "x"; "m" is their mean.
func embedded() builder {
	b := builder(nil).floats("table", ramp(6), 3, 2).node("Gather", "table tokens", "x")
	return b.node("ReduceMean", "x", "m", attr("axes", -1))
}

// recurrent is a graph with the last state of a network of two units, "h".
func recurrent() builder {
	b := embedded().floats("w", ramp(4), 1, 2, 2).floats("r", ramp(4), 1, 2, 2).ints("zero", 0)
	b = b.node("Transpose", "x", "t", attr("perm", 1, 0, 2)).node("RNN", "t w r", "y last", attr("hidden_size", 2))
	return b.node("Squeeze", "last zero", "h")
}

// What is nearly something that is known is refused, and never read as that.
func TestRefused(t *testing.T) {
	const branches = "it combines two branches of the network"
	for _, c := range []struct {
		name  string
		graph builder
		want  string
	}{
		{"a norm of constants", builder(nil).floats("c", ramp(2), 1, 2).node("LayerNormalization", "c", "y"), "its axis is not that of the features"},
		{"one-hot of other numbers", builder(nil).ints("d", 3).ints("v", 0, 2).node("OneHot", "tokens d v", "y"), "ones and zeros"},
		{"one-hot of a constant", builder(nil).ints("d", 3).ints("v", 0, 1).node("OneHot", "d d v", "y"), "ones and zeros"},
		{"an activation as usual", embedded().node("LeakyRelu", "x", "y", float("alpha", 0.01)), "no node RNN"},
		{"an activation with another slope", embedded().node("LeakyRelu", "x", "y", float("alpha", 0.2)), "alpha 0.2 is not supported"},
		{"an activation that turns", embedded().node("LeakyRelu", "x", "y", float("alpha", -0.01)), "alpha -0.01 is not supported"},
		{"a difference that is no norm's", recurrent().node("Tanh", "h", "z").node("Sub", "h z", "y"), branches},
		{"a mean that is added", embedded().node("Add", "x m", "y"), branches},
		{"parts of which one is centered", embedded().node("Unsqueeze", "x", "u", attr("axes", 0)).node("Concat", "u u", "two", attr("axis", 0)).node("Sub", "two m", "y"), branches},
		{"a condition that is missing", builder(nil).node("If", "", "y"), "it lacks its input 1"},
		{"an axis of two, squeezed", embedded().ints("axes", 2).node("Squeeze", "x axes", "y"), "it squeezes axis 2 of"},
		{"an axis that is not there, squeezed", embedded().ints("axes", 3).node("Squeeze", "x axes", "y"), "it squeezes axis 3 of"},
		{"a square that is no norm's", embedded().ints("two", 2).node("Pow", "x two", "y"), "other than as part of a layer norm"},
		{"a cube of what is centered", embedded().ints("three", 3).node("Sub", "x m", "c").node("Pow", "c three", "y"), "other than as part of a layer norm"},
		{"a GELU of a half", recurrent().floats("half", []float32{0.5}).node("Mul", "h half", "z").node("Erf", "z", "y"), "other than as part of GELU"},
		{"a state without a decision", recurrent().node("Identity", "h", "y"), "no dense layer makes it"},
		{"a shape that is computed", builder(nil).floats("c", ramp(6), 6).ints("minus", -1).ints("more", 3, 4).node("Add", "minus more", "s").node("Reshape", "c s", "y"), "it does not depend on the tokens"},
		{"a shape of nothing", builder(nil).floats("c", ramp(6), 6).ints("s", -1, 0).node("Reshape", "c s", "y"), "it makes the shape [-1 0] of [6]"},
		{"axes that differ", embedded().node("Transpose", "x", "z", attr("perm", 1, 0, 2)).node("Concat", "x z", "y", attr("axis", 2)), "it joins what has different axes"},
	} {
		_, _, err := Read(c.graph.model("y"), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// Of several outputs the first is taken with which words can be decided, wherever it stands.
func TestOutputThatDecides(t *testing.T) {
	for _, first := range []string{"two", "three"} {
		b := recurrent().floats("a", ramp(6), 2, 3).floats("b", ramp(4), 2, 2).node("MatMul", "h a", "three").node("MatMul", "h b", "two")
		other := map[string]string{"two": "three", "three": "two"}[first]
		s, _, err := Read(b.bytes(12, builder(nil).text(1, first)).model(other), nil)
		if err != nil || s.Outputs() != 2 {
			t.Errorf("%s first: %+v, %v", first, s, err)
		}
	}
}
