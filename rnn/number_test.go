package rnn

import (
	"encoding/binary"
	"math"
	"testing"
)

func TestNumberTypes(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes []byte // big-endian
		want  float32
	}{
		{"F64", []byte{0x3f, 0xf8, 0, 0, 0, 0, 0, 0}, 1.5},
		{"F32", []byte{0xbf, 0xc0, 0, 0}, -1.5},
		{"F16", []byte{0x3c, 0x01}, 1 + 1.0/1024},
		{"F16", []byte{0x00, 0x01}, 1.0 / (1 << 24)},
		{"F16", []byte{0x80, 0x00}, float32(math.Copysign(0, -1))},
		{"F16", []byte{0x83, 0xff}, -1023.0 / (1 << 24)},
		{"F16", []byte{0x04, 0x00}, 1.0 / (1 << 14)},
		{"F16", []byte{0x7b, 0xff}, 65504},
		{"F16", []byte{0xfc, 0x00}, float32(math.Inf(-1))},
		{"BF16", []byte{0xc0, 0x49}, -3.140625},
		{"I64", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe}, -2},
		{"I32", []byte{0, 0, 1, 0}, 256},
		{"I16", []byte{0xff, 0xff}, -1},
		{"I8", []byte{0x80}, -128},
		{"U8", []byte{0x80}, 128},
		{"BOOL", []byte{1}, 1},
	} {
		number, ok := NumberTypeOf(c.name)
		if !ok || number.Bytes != len(c.bytes) {
			t.Fatalf("%s: %+v, %v", c.name, number, ok)
		}
		got := number.At(append(make([]byte, number.Bytes), c.bytes...), 1, binary.BigEndian)
		if math.Float32bits(got) != math.Float32bits(c.want) {
			t.Errorf("%s %x is %v, not %v", c.name, c.bytes, got, c.want)
		}
	}
	if got := half(0x7e00); got == got {
		t.Errorf("NaN is %v", got)
	}
	if _, ok := NumberTypeOf("F8_E5M2"); ok {
		t.Error("8 bits of float are read")
	}
}
