package rnn

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"quotient/f32"
)

// EncodeONNX writes the network as an ONNX model (IR 9, opset 20) that maps
// "tokens", int64 of batch × time, <bos> first, to "logits", float of the same
// shape. What the tokens mean is in the model's metadata, under the names that
// .safetensors files use.
func (n *Network) EncodeONNX(w io.Writer) error {
	if err := n.Check(); err != nil {
		return err
	}
	var m message
	m.number(1, 9) // ir_version
	m.text(2, "quotient")
	m.message(7, n.graph())
	var opset message
	opset.number(2, 20)
	m.message(8, opset)
	meta := n.metadata(nil)
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		var entry message
		entry.text(1, key)
		entry.text(2, meta[key])
		m.message(14, entry)
	}
	_, err := w.Write(m)
	return err
}

// graph is the computation: embedding, layers, head.
func (n *Network) graph() message {
	var g message
	g.node("Gather", "embed", []string{"embedding.weight", "tokens"}, "embedded", nil)
	g.node("Transpose", "time_first", []string{"embedded"}, "layer0", func(m *message) { m.ints("perm", 1, 0, 2) })
	for l := range n.Layers {
		in := []string{fmt.Sprintf("layer%d", l), fmt.Sprintf("rnn.W_l%d", l), fmt.Sprintf("rnn.R_l%d", l), fmt.Sprintf("rnn.B_l%d", l)}
		wide := fmt.Sprintf("directions%d", l)
		g.node(n.Cell.Op, fmt.Sprintf("rnn%d", l), in, wide, func(m *message) {
			m.int("hidden_size", n.Hidden)
			if n.Cell == GRU {
				m.int("linear_before_reset", 1)
			}
		})
		g.node("Squeeze", fmt.Sprintf("states%d", l), []string{wide, "axis1"}, fmt.Sprintf("layer%d", l+1), nil)
	}
	g.node("Transpose", "batch_first", []string{fmt.Sprintf("layer%d", n.Layers)}, "states", func(m *message) { m.ints("perm", 1, 0, 2) })
	g.node("MatMul", "classify", []string{"states", "classifier.weight"}, "products", nil)
	if n.Outputs > 0 {
		g.node("Add", "bias", []string{"products", "classifier.bias"}, "logits", nil)
	} else {
		g.node("Add", "bias", []string{"products", "classifier.bias"}, "column", nil)
		g.node("Squeeze", "squeeze", []string{"column", "axis2"}, "logits", nil)
	}
	g.text(2, "network")

	s := n.Stack()
	g.floats("embedding.weight", s.Embedding.Data, n.Tokens, n.Embedding)
	for l, y := range s.Layers {
		g.floats(fmt.Sprintf("rnn.W_l%d", l), n.reordered(y.In.Data), 1, y.In.Rows, y.In.Cols)
		g.floats(fmt.Sprintf("rnn.R_l%d", l), n.reordered(y.Rec.Data), 1, y.Rec.Rows, n.Hidden)
		g.floats(fmt.Sprintf("rnn.B_l%d", l), append(n.reordered(y.BiasIn), n.reordered(y.BiasRec)...), 1, 2*y.In.Rows)
	}
	head := f32.New(n.Hidden, s.Outputs())
	f32.Transpose(head, s.Head[0].Weight)
	g.floats("classifier.weight", head.Data, head.Rows, head.Cols)
	g.floats("classifier.bias", s.Head[0].Bias, head.Cols)
	g.axis("axis1", 1)
	g.axis("axis2", 2)
	g.value(11, "tokens", 7, "batch", "time") // int64
	if n.Outputs > 0 {
		g.value(12, "logits", 1, "batch", "time", "next") // float
	} else {
		g.value(12, "logits", 1, "batch", "time")
	}
	return g
}

// reordered returns numbers with their gates in the order of ONNX.
func (n *Network) reordered(data []float32) []float32 {
	size := len(data) / n.Cell.Gates()
	var out []float32
	for _, gate := range n.Cell.Order {
		out = append(out, data[gate*size:(gate+1)*size]...)
	}
	return out
}

// A message is a protocol buffer in the making.
type message []byte

func (m *message) text(field protowire.Number, s string) { m.message(field, message(s)) }

func (m *message) number(field protowire.Number, v int) {
	*m = protowire.AppendTag(*m, field, protowire.VarintType)
	*m = protowire.AppendVarint(*m, uint64(v))
}

func (m *message) message(field protowire.Number, v message) {
	*m = protowire.AppendTag(*m, field, protowire.BytesType)
	*m = protowire.AppendBytes(*m, v)
}

// node adds a node with one output to a graph.
func (m *message) node(op, name string, inputs []string, output string, attributes func(*message)) {
	var v message
	for _, in := range inputs {
		v.text(1, in)
	}
	v.text(2, output)
	v.text(3, name)
	v.text(4, op)
	if attributes != nil {
		attributes(&v)
	}
	m.message(1, v)
}

// int adds an attribute to a node, ints one that is a list.
func (m *message) int(name string, v int)        { m.attribute(name, 3, 2, v) }
func (m *message) ints(name string, list ...int) { m.attribute(name, 8, 7, list...) }

// attribute adds numbers to a node, in the field of their type.
func (m *message) attribute(name string, field protowire.Number, kind int, list ...int) {
	var a message
	a.text(1, name)
	for _, v := range list {
		a.number(field, v)
	}
	a.number(20, kind)
	m.message(5, a)
}

// floats adds an initializer to a graph.
func (m *message) floats(name string, data []float32, dims ...int) {
	raw := make([]byte, 0, 4*len(data))
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	m.initializer(name, 1, raw, dims...)
}

// axis adds an initializer with one int64.
func (m *message) axis(name string, v int) {
	m.initializer(name, 7, binary.LittleEndian.AppendUint64(nil, uint64(v)), 1)
}

func (m *message) initializer(name string, kind int, raw []byte, dims ...int) {
	var t message
	for _, d := range dims {
		t.number(1, d)
	}
	t.number(2, kind)
	t.text(8, name)
	t.message(9, raw)
	m.message(5, t)
}

// value declares a graph's input or output, by the names of its axes.
func (m *message) value(field protowire.Number, name string, kind int, axes ...string) {
	var shape message
	for _, dim := range axes {
		var d message
		d.text(2, dim)
		shape.message(1, d)
	}
	var tensor, kindOf, v message
	tensor.number(1, kind)
	tensor.message(2, shape)
	kindOf.message(1, tensor)
	v.text(1, name)
	v.message(2, kindOf)
	m.message(field, v)
}
