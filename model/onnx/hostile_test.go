package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// A builder writes messages for tests.
type builder []byte

func (b builder) number(id protowire.Number, v int64) builder {
	return protowire.AppendVarint(protowire.AppendTag(b, id, protowire.VarintType), uint64(v))
}

func (b builder) bytes(id protowire.Number, v []byte) builder {
	return protowire.AppendBytes(protowire.AppendTag(b, id, protowire.BytesType), v)
}

func (b builder) text(id protowire.Number, v string) builder { return b.bytes(id, []byte(v)) }

// node adds a node to a graph, with its inputs and outputs divided by blanks.
func (b builder) node(op, inputs, outputs string, attributes ...builder) builder {
	var n builder
	for in := range strings.FieldsSeq(inputs) {
		n = n.text(1, in)
	}
	for out := range strings.FieldsSeq(outputs) {
		n = n.text(2, out)
	}
	n = n.text(4, op)
	for _, a := range attributes {
		n = n.bytes(5, a)
	}
	return b.bytes(1, n)
}

func attr(name string, list ...int64) builder {
	b := builder(nil).text(1, name)
	if len(list) == 1 {
		b = b.number(3, list[0])
	}
	for _, v := range list {
		b = b.number(8, v)
	}
	return b
}

// floats adds an initializer to a graph.
func (b builder) floats(name string, data []float32, dims ...int64) builder {
	var raw []byte
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return b.initializer(name, kindFloat, raw, dims...)
}

// ints adds a list of integers to a graph.
func (b builder) ints(name string, data ...int64) builder {
	var raw []byte
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return b.initializer(name, kindInt64, raw, int64(len(data)))
}

func (b builder) initializer(name string, kind int64, raw []byte, dims ...int64) builder {
	var t builder
	for _, d := range dims {
		t = t.number(1, d)
	}
	return b.bytes(5, t.number(2, kind).text(8, name).bytes(9, raw))
}

// model makes a file of a graph with tokens as its input.
func (b builder) model(output string) []byte {
	dim := builder(nil).text(2, "open")
	shape := builder(nil).bytes(1, dim).bytes(1, dim)
	kind := builder(nil).bytes(1, builder(nil).number(1, kindInt64).bytes(2, shape))
	b = b.bytes(11, builder(nil).text(1, "tokens").bytes(2, kind))
	b = b.bytes(12, builder(nil).text(1, output))
	return builder(nil).bytes(7, b)
}

func ramp(n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(i)
	}
	return list
}

// hostile are files made to cost more than they weigh, of about n bytes.
var hostile = []struct {
	name string
	file func(n int) []byte
	want string // in the error
}{
	{"empty nodes", func(n int) []byte {
		return builder(strings.Repeat("\x0a\x00", n/2)).model("x")
	}, "more than"},
	{"attributes", func(n int) []byte {
		return builder(nil).bytes(1, []byte(strings.Repeat("\x2a\x00", n/2))).model("x")
	}, "more than"},
	{"inputs", func(n int) []byte {
		return builder(nil).bytes(1, []byte(strings.Repeat("\x0a\x00", n/2))).model("x")
	}, "inputs"},
	{"a tensor larger than the file", func(int) []byte {
		return builder(nil).floats("x", ramp(3), 1<<40, 1<<40).model("x")
	}, "cannot have the shape"},
	{"a negative dimension", func(int) []byte { return builder(nil).floats("x", ramp(3), -3).model("x") }, "cannot have the shape"},
	{"too few numbers", func(int) []byte { return builder(nil).floats("x", ramp(3), 4).model("x") }, "3 numbers for the shape [4]"},
	{"half a number", func(int) []byte {
		return builder(nil).initializer("x", kindFloat, make([]byte, 7), 2).model("x")
	}, "7 bytes for elements of 4"},
	{"data elsewhere", func(int) []byte {
		t := builder(nil).number(2, kindFloat).text(8, "big").number(14, externalData)
		return builder(nil).bytes(5, t).model("x")
	}, `initializer "big": its numbers lie in another file, ""; export with external_data=False`},
	{"a shape that overflows to nothing", func(int) []byte {
		shape := binary.LittleEndian.AppendUint64(nil, 1<<32)
		shape = binary.LittleEndian.AppendUint64(append(shape, shape...), math.MaxUint64) // -1
		return builder(nil).initializer("shape", kindInt64, shape, 3).node("Reshape", "tokens shape", "y").model("y")
	}, "it makes the shape"},
	{"a constant turned over and over", func(n int) []byte {
		b := builder(nil).floats("x0", ramp(n/8), int64(n/16), 2)
		for i := range 200 {
			b = b.node("Transpose", fmt.Sprintf("x%d", i), fmt.Sprintf("x%d", i+1))
		}
		return b.node("MatMul", "tokens x200", "y").model("y")
	}, errBudget.Error()},
	{"a constant doubled again and again", func(int) []byte {
		b := builder(nil).floats("x0", ramp(2), 2)
		for i := range 60 {
			b = b.node("Concat", fmt.Sprintf("x%d x%[1]d", i), fmt.Sprintf("x%d", i+1), attr("axis", 0))
		}
		return b.node("MatMul", "tokens x60", "y").model("y")
	}, errBudget.Error()},
	{"zeros without end, joined", func(int) []byte {
		b := builder(nil).ints("shape", 1<<30, 1<<30).node("ConstantOfShape", "shape", "z")
		return b.node("Concat", "z z", "w", attr("axis", 0)).node("MatMul", "tokens w", "y").model("y")
	}, errBudget.Error()},
	{"a shape that overflows", func(int) []byte {
		b := builder(nil).ints("shape", 1<<30, 1<<30, 1<<30).node("ConstantOfShape", "shape", "z")
		return b.node("MatMul", "tokens z", "y").model("y")
	}, "no shape"},
	{"a table of one column, widened", func(n int) []byte {
		b := builder(nil).floats("table", ramp(n/8), int64(n/8), 1).floats("wide", ramp(n/8), 1, int64(n/8))
		return b.node("Gather", "table tokens", "x").node("MatMul", "x wide", "y").model("y")
	}, errBudget.Error()},
	{"a table of one column, widened a little", func(n int) []byte {
		b := builder(nil).floats("table", ramp(n/64), int64(n/64), 1).floats("wide", ramp(n/64), 1, int64(n/64))
		return b.node("Gather", "table tokens", "x").node("MatMul", "x wide", "y").model("y")
	}, errBudget.Error()},
	{"a choice made again and again", func(n int) []byte {
		b := builder(nil).ints("x", make([]int64, n/16)...)
		for range 100 {
			b = b.node("Where", "x x x", "y")
		}
		return b.model("y")
	}, errBudget.Error()},
	{"a constant looked at again and again", func(n int) []byte {
		b := builder(nil).floats("x", make([]float32, n/8), int64(n/8)).ints("one", 1)
		for range 100 {
			b = b.node("Expand", "x one", "y")
		}
		return b.model("y")
	}, errBudget.Error()},
	{"one-hot inputs of any size", func(int) []byte {
		b := builder(nil).ints("depth", 1<<31-1).ints("onoff", 0, 1).floats("wide", ramp(3), 3, 1)
		return b.node("OneHot", "tokens depth onoff", "x").node("MatMul", "x wide", "y").model("y")
	}, "it reads 3 numbers, but gets 2147483647"},
	{"a biased layer, biased again and again", func(n int) []byte {
		b := builder(nil).floats("table", ramp(n/8), 1, int64(n/8)).floats("bias", ramp(n/8), int64(n/8))
		b = b.node("Gather", "table tokens", "x0")
		for i := range 200 {
			b = b.node("Add", fmt.Sprintf("x%d bias", i), fmt.Sprintf("x%d", i+1))
		}
		return b.model("x200")
	}, errBudget.Error()},
	{"a circle", func(int) []byte {
		return builder(nil).node("Relu", "b", "a").node("Relu", "a", "b").model("b")
	}, `it reads "b", which no node before it makes`},
	{"graphs within graphs", func(n int) []byte {
		var g builder
		for range 50 {
			g = builder(nil).node("If", "c", "d", builder(nil).text(1, "then_branch").bytes(6, g))
		}
		return g.model("d")
	}, "graphs within graphs"},
	{"axes without end", func(int) []byte {
		b := builder(nil).ints("axes", 0, 1, 2, 3, 4, 5, 6, 7).node("Unsqueeze", "tokens axes", "a")
		return b.node("Unsqueeze", "a axes", "b").model("b")
	}, "more than 16 dimensions"},
	{"a reshape by nothing", func(int) []byte {
		return builder(nil).ints("s", -1, 0, 0, -1).node("Reshape", "tokens s", "a").model("a")
	}, "it makes the shape"},
	{"dimensions that divide by zero", func(int) []byte {
		b := builder(nil).ints("zero", 0).ints("one", 1).node("Div", "one zero", "s")
		return b.node("Reshape", "tokens s", "a").model("a")
	}, "divides by zero"},
	{"text", func(n int) []byte { return []byte(strings.Repeat("a", n)) }, "no ONNX file"},
	{"nothing", func(int) []byte { return nil }, "no ONNX file"},
}

func TestHostile(t *testing.T) {
	for _, c := range hostile {
		data := c.file(1 << 20)
		used, err := measured(data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if most := allowed(data); used > most {
			t.Errorf("%s: %d bytes allocated for a file of %d", c.name, used, len(data))
		}
	}
}

// measured reads a file and returns how many bytes were allocated meanwhile.
func measured(data []byte) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := Read(data, nil)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// allowed is how much a file may take: a small multiple of its size, and room for as
// many nodes as there may be.
func allowed(data []byte) uint64 { return 32*uint64(len(data)) + 16<<20 }

func FuzzRead(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.onnx")
	if err != nil || len(paths) == 0 {
		f.Fatal("no networks in testdata")
	}
	normed, _ := filepath.Glob("../testdata/norms/*.onnx")
	predicting, _ := filepath.Glob("../testdata/lm/*.onnx")
	for _, path := range slices.Concat(paths, normed, predicting) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, c := range hostile {
		f.Add(c.file(1000))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _, err := Read(data, func(string) ([]byte, error) { return make([]byte, 1000), nil })
		if err != nil {
			return
		}
		if err := s.Check(); err != nil {
			t.Errorf("a network that does not fit together: %v", err)
		}
		if n := 4 * s.Params(); n > 32*len(data)+1<<20 {
			t.Errorf("%d bytes of weights from a file of %d", n, len(data))
		}
	})
}
