package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"quotient/rnn"
)

// Limits of a file. What lies within them takes a small multiple of the file's
// size to read; PyTorch writes a few dozen nodes for every recurrent layer.
const (
	maxThings = 1 << 14 // nodes, attributes, initializers, inputs and outputs
	maxInputs = 1 << 12 // of a node
	maxRank   = 16
	maxDepth  = 4 // of graphs within graphs
)

// A graph is what a file computes. Nodes stand in an order in which each uses
// only what is there already.
type graph struct {
	nodes     []node
	constants map[string]tensor // initializers
	inputs    []input
	outputs   []string
	opset     int64
	depth     int  // within how many other graphs it is
	things    *int // of all graphs together
	external  *external
	metadata  map[string]string
}

// A node computes its outputs from its inputs; a name may be empty.
type node struct {
	name, op        string
	inputs, outputs []string
	attributes      []attribute
}

// An attribute is a constant in a node.
type attribute struct {
	name   string
	number float32
	int    int64
	text   string
	tensor *tensor
	floats []float32
	ints   []int64
	texts  []string
	graph  *graph
}

// An input is declared with its type; a dimension that is left open is 0.
type input struct {
	name string
	kind int64 // of the elements
	dims []int
}

// Kinds of elements, as ONNX counts them.
const (
	kindFloat    = 1
	kindUint8    = 2
	kindInt8     = 3
	kindInt32    = 6
	kindInt64    = 7
	kindBool     = 9
	kindHalf     = 10
	kindDouble   = 11
	kindBrain    = 16 // bfloat16
	externalData = 1  // a tensor's data_location
)

// A field is one field of a message: a number or bytes.
type field struct {
	id    protowire.Number
	kind  protowire.Type
	num   uint64
	bytes []byte // within the file
}

// fields calls f for each field of a message.
func fields(m []byte, f func(field) error) error {
	for len(m) > 0 {
		id, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			return errDamaged
		}
		m = m[n:]
		v := field{id: id, kind: kind}
		switch kind {
		case protowire.VarintType:
			v.num, n = protowire.ConsumeVarint(m)
		case protowire.Fixed32Type:
			var x uint32
			x, n = protowire.ConsumeFixed32(m)
			v.num = uint64(x)
		case protowire.Fixed64Type:
			v.num, n = protowire.ConsumeFixed64(m)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(m)
		default:
			return errDamaged
		}
		if n < 0 {
			return errDamaged
		}
		m = m[n:]
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

var errDamaged = errors.New("it is no ONNX file, or a damaged one")

// list appends the varints of a field, which may stand alone or packed.
func (v field) list(dst []int64) ([]int64, error) {
	if v.kind != protowire.BytesType {
		return append(dst, int64(v.num)), nil
	}
	for m := v.bytes; len(m) > 0; {
		x, n := protowire.ConsumeVarint(m)
		if n < 0 {
			return nil, errDamaged
		}
		dst, m = append(dst, int64(x)), m[n:]
	}
	return dst, nil
}

// floats appends the floats of a field, which may stand alone or packed.
func (v field) floats(dst []float32) ([]float32, error) {
	if v.kind != protowire.BytesType {
		return append(dst, math.Float32frombits(uint32(v.num))), nil
	}
	if len(v.bytes)%4 != 0 {
		return nil, errDamaged
	}
	for m := v.bytes; len(m) > 0; m = m[4:] {
		dst = append(dst, math.Float32frombits(binary.LittleEndian.Uint32(m)))
	}
	return dst, nil
}

// parse reads a ModelProto.
func parse(data []byte, e *external) (*graph, error) {
	g := &graph{constants: make(map[string]tensor), metadata: make(map[string]string), things: new(int), external: e}
	found := false
	err := fields(data, func(v field) error {
		switch {
		case v.id == 7 && !found:
			found = true
			return g.parse(v.bytes)
		case v.id == 8: // opset_import
			p, err := parsePair(v.bytes)
			if p.text[1] == "" || p.text[1] == "ai.onnx" {
				g.opset = int64(p.number)
			}
			return err
		case v.id == 14: // metadata_props
			p, err := parsePair(v.bytes)
			if len(g.metadata) < maxThings {
				g.metadata[p.text[1]] = p.text[2]
			}
			return err
		}
		return nil
	})
	if err == nil && !found {
		err = errDamaged
	}
	return g, err
}

// A pair is a message of two fields: texts, or a text and a number.
type pair struct {
	text   [3]string // by the field's number
	number uint64
}

func parsePair(m []byte) (p pair, err error) {
	err = fields(m, func(v field) error {
		switch {
		case v.kind == protowire.VarintType:
			p.number = v.num
		case v.id <= 2:
			p.text[v.id] = string(v.bytes)
		}
		return nil
	})
	return p, err
}

// count bounds how many things a file holds.
func (g *graph) count() error {
	if *g.things++; *g.things > maxThings {
		return fmt.Errorf("more than %d nodes, attributes and initializers: that is no recurrent network", maxThings)
	}
	return nil
}

// parse reads a GraphProto.
func (g *graph) parse(m []byte) error {
	return fields(m, func(v field) error {
		if err := g.count(); err != nil {
			return err
		}
		switch v.id {
		case 1:
			n, err := g.parseNode(v.bytes)
			if err != nil {
				return err
			}
			g.nodes = append(g.nodes, n)
		case 5:
			name, t, err := g.parseTensor(v.bytes)
			if err == nil {
				err = t.finite()
			}
			if err != nil {
				return fmt.Errorf("initializer %q: %w", name, err)
			}
			g.constants[name] = t
		case 11:
			in, err := parseInput(v.bytes)
			if err != nil {
				return err
			}
			g.inputs = append(g.inputs, in)
		case 12:
			out, err := parseInput(v.bytes)
			if err != nil {
				return err
			}
			g.outputs = append(g.outputs, out.name)
		case 15:
			return errors.New("it has sparse initializers, which are not supported")
		}
		return nil
	})
}

// parseNode reads a NodeProto.
func (g *graph) parseNode(m []byte) (n node, err error) {
	domain := ""
	err = fields(m, func(v field) error {
		switch v.id {
		case 1:
			n.inputs = append(n.inputs, string(v.bytes))
		case 2:
			n.outputs = append(n.outputs, string(v.bytes))
		case 3:
			n.name = string(v.bytes)
		case 4:
			n.op = string(v.bytes)
		case 5:
			a, err := g.parseAttribute(v.bytes)
			if err := errors.Join(err, g.count()); err != nil {
				return err
			}
			n.attributes = append(n.attributes, a)
		case 7:
			domain = string(v.bytes)
		}
		if len(n.inputs) > maxInputs {
			return fmt.Errorf("a node with more than %d inputs", maxInputs)
		}
		return nil
	})
	if domain != "" && domain != "ai.onnx" {
		n.op = domain + "." + n.op
	}
	return n, err
}

// parseAttribute reads an AttributeProto.
func (g *graph) parseAttribute(m []byte) (a attribute, err error) {
	err = fields(m, func(v field) (err error) {
		switch v.id {
		case 1:
			a.name = string(v.bytes)
		case 2:
			a.number = math.Float32frombits(uint32(v.num))
		case 3:
			a.int = int64(v.num)
		case 4:
			a.text = string(v.bytes)
		case 5:
			var t tensor
			_, t, err = g.parseTensor(v.bytes)
			a.tensor = &t
		case 6:
			if g.depth == maxDepth {
				return fmt.Errorf("graphs within graphs, more than %d deep", maxDepth)
			}
			a.graph = &graph{constants: make(map[string]tensor), depth: g.depth + 1, things: g.things, external: g.external}
			err = a.graph.parse(v.bytes)
		case 7:
			a.floats, err = v.floats(a.floats)
		case 8:
			a.ints, err = v.list(a.ints)
		case 9:
			a.texts = append(a.texts, string(v.bytes))
		}
		return err
	})
	return a, err
}

// parseInput reads a ValueInfoProto.
func parseInput(m []byte) (in input, err error) {
	err = fields(m, func(v field) error {
		switch v.id {
		case 1:
			in.name = string(v.bytes)
		case 2: // TypeProto
			return fields(v.bytes, func(v field) error {
				if v.id != 1 { // tensor_type
					return nil
				}
				return fields(v.bytes, func(v field) error {
					switch v.id {
					case 1:
						in.kind = int64(v.num)
					case 2:
						return fields(v.bytes, in.dim)
					}
					return nil
				})
			})
		}
		return nil
	})
	return in, err
}

// dim reads a Dimension of a TensorShapeProto.
func (in *input) dim(v field) error {
	if v.id != 1 {
		return nil
	}
	if len(in.dims) == maxRank {
		return fmt.Errorf("input %q has more than %d dimensions", in.name, maxRank)
	}
	size := 0
	err := fields(v.bytes, func(v field) error {
		if v.id == 1 && v.num < 1<<20 {
			size = int(v.num)
		}
		return nil
	})
	in.dims = append(in.dims, size)
	return err
}

// parseTensor reads a TensorProto.
func (g *graph) parseTensor(m []byte) (name string, t tensor, err error) {
	var kind, location int64
	var dims []int64
	var raw []byte
	var floats []float32
	var ints []int64
	var doubles []byte
	elsewhere := make(map[string]string)
	err = fields(m, func(v field) (err error) {
		switch v.id {
		case 1:
			dims, err = v.list(dims)
		case 2:
			kind = int64(v.num)
		case 4:
			floats, err = v.floats(floats)
		case 5, 7: // int32_data, int64_data
			ints, err = v.list(ints)
		case 8:
			name = string(v.bytes)
		case 9:
			raw = v.bytes
		case 10:
			doubles = v.bytes
		case 13: // external_data
			p, err := parsePair(v.bytes)
			if elsewhere[p.text[1]] = p.text[2]; len(elsewhere) > maxRank {
				return errDamaged
			}
			return err
		case 14:
			location = int64(v.num)
		}
		return err
	})
	if err == nil && location == externalData {
		raw, err = g.external.read(elsewhere)
	}
	if err != nil {
		return name, t, err
	}
	switch {
	case raw != nil:
		t, err = fromRaw(kind, raw)
	case kind == kindDouble:
		t, err = fromRaw(kind, doubles)
	case kind == kindFloat:
		t.floats = floats
	case kind == kindHalf || kind == kindBrain:
		t, err = fromRaw(kind, pack16(ints))
	default:
		t.ints = ints
	}
	if err == nil {
		err = t.reshape(dims)
	}
	return name, t, err
}

// reshape gives the tensor its dimensions, which must fit its numbers.
func (t *tensor) reshape(dims []int64) error {
	if len(dims) > maxRank {
		return fmt.Errorf("more than %d dimensions", maxRank)
	}
	size := int64(1)
	for _, d := range dims {
		if d < 0 || d > 0 && size > math.MaxInt32/d {
			return fmt.Errorf("it cannot have the shape %v", dims)
		}
		size *= d
		t.dims = append(t.dims, int(d))
	}
	if have := len(t.floats) + len(t.ints); int64(have) != size {
		return fmt.Errorf("%d numbers for the shape %v", have, dims)
	}
	return nil
}

// pack16 gives the bytes of 16-bit floats that lie in 32-bit integers.
func pack16(ints []int64) []byte {
	var raw []byte
	for _, x := range ints {
		raw = binary.LittleEndian.AppendUint16(raw, uint16(x))
	}
	return raw
}

// numberTypes are the kinds of elements that are read, by their names in .safetensors.
var numberTypes = map[int64]string{
	kindFloat: "F32", kindHalf: "F16", kindDouble: "F64", kindBrain: "BF16",
	kindUint8: "U8", kindInt8: "I8", kindInt32: "I32", kindInt64: "I64", kindBool: "BOOL",
}

// fromRaw reads little-endian numbers.
func fromRaw(kind int64, raw []byte) (t tensor, err error) {
	number, ok := rnn.NumberTypeOf(numberTypes[kind])
	if !ok {
		return t, fmt.Errorf("elements of kind %d are not supported", kind)
	}
	if len(raw)%number.Bytes != 0 {
		return t, fmt.Errorf("%d bytes for elements of %d", len(raw), number.Bytes)
	}
	n := len(raw) / number.Bytes
	switch kind {
	case kindFloat, kindHalf, kindDouble, kindBrain:
		t.floats = make([]float32, n)
		for i := range n {
			t.floats[i] = number.At(raw, i, binary.LittleEndian)
		}
		return t, nil
	}
	t.ints = make([]int64, n)
	for i := range n {
		b := raw[i*number.Bytes:]
		switch kind {
		case kindInt8:
			t.ints[i] = int64(int8(b[0]))
		case kindUint8, kindBool:
			t.ints[i] = int64(b[0])
		case kindInt32:
			t.ints[i] = int64(int32(binary.LittleEndian.Uint32(b)))
		case kindInt64:
			t.ints[i] = int64(binary.LittleEndian.Uint64(b))
		}
	}
	return t, nil
}
