package rnn

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
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
		op := [...]string{"RNN", "GRU", "LSTM"}[n.Cell]
		in := []string{fmt.Sprintf("layer%d", l), fmt.Sprintf("rnn.W_l%d", l), fmt.Sprintf("rnn.R_l%d", l), fmt.Sprintf("rnn.B_l%d", l)}
		wide := fmt.Sprintf("directions%d", l)
		g.node(op, fmt.Sprintf("rnn%d", l), in, wide, func(m *message) {
			m.int("hidden_size", n.Hidden)
			if n.Cell == GRU {
				m.int("linear_before_reset", 1)
			}
		})
		g.node("Squeeze", fmt.Sprintf("states%d", l), []string{wide, "axis1"}, fmt.Sprintf("layer%d", l+1), nil)
	}
	g.node("Transpose", "batch_first", []string{fmt.Sprintf("layer%d", n.Layers)}, "states", func(m *message) { m.ints("perm", 1, 0, 2) })
	g.node("MatMul", "classify", []string{"states", "classifier.weight"}, "products", nil)
	g.node("Add", "bias", []string{"products", "classifier.bias"}, "column", nil)
	g.node("Squeeze", "squeeze", []string{"column", "axis2"}, "logits", nil)
	g.text(2, "network")

	g.floats("embedding.weight", n.embedding().Data, n.Tokens, n.Embedding)
	rows := n.Cell.Gates() * n.Hidden
	for l := range n.Layers {
		t := n.layer(l)
		g.floats(fmt.Sprintf("rnn.W_l%d", l), n.reordered(t[0]), 1, rows, n.input(l))
		g.floats(fmt.Sprintf("rnn.R_l%d", l), n.reordered(t[1]), 1, rows, n.Hidden)
		g.floats(fmt.Sprintf("rnn.B_l%d", l), append(n.reordered(t[2]), n.reordered(t[3])...), 1, 2*rows)
	}
	w, b := n.head()
	g.floats("classifier.weight", w.Data, n.Hidden, 1)
	g.floats("classifier.bias", b.Data, 1)
	g.axis("axis1", 1)
	g.axis("axis2", 2)
	g.value(11, "tokens", 7) // int64
	g.value(12, "logits", 1) // float
	return g
}

// reordered returns a tensor's gates in the order of ONNX: an LSTM's i, o, f, c
// where PyTorch has i, f, g, o; a GRU's z, r, h where PyTorch has r, z, n.
func (n *Network) reordered(t Tensor) []float32 {
	order := [...][]int{{0}, {1, 0, 2}, {0, 3, 1, 2}}[n.Cell]
	size := len(t.Data) / len(order)
	var out []float32
	for _, gate := range order {
		out = append(out, t.Data[gate*size:(gate+1)*size]...)
	}
	return out
}

// A message is a protocol buffer in the making.
type message []byte

func (m *message) number(field protowire.Number, v int) {
	*m = protowire.AppendTag(*m, field, protowire.VarintType)
	*m = protowire.AppendVarint(*m, uint64(v))
}

func (m *message) text(field protowire.Number, s string) {
	*m = protowire.AppendTag(*m, field, protowire.BytesType)
	*m = protowire.AppendString(*m, s)
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

// int adds an attribute to a node.
func (m *message) int(name string, v int) {
	var a message
	a.text(1, name)
	a.number(3, v)
	a.number(20, 2) // type INT
	m.message(5, a)
}

// ints adds an attribute to a node.
func (m *message) ints(name string, list ...int) {
	var a message
	a.text(1, name)
	for _, v := range list {
		a.number(8, v)
	}
	a.number(20, 7) // type INTS
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

// value declares a graph's input or output of shape batch × time.
func (m *message) value(field protowire.Number, name string, kind int) {
	var shape message
	for _, dim := range []string{"batch", "time"} {
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
