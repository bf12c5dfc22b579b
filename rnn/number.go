package rnn

import (
	"encoding/binary"
	"math"

	"quotient/f32"
)

// A NumberType says how the numbers of a tensor lie in a file. Its names are those of
// .safetensors: F32, BF16, I64 and so on.
type NumberType struct {
	Name  string
	Bytes int // of one number
	read  func(b []byte, order binary.ByteOrder) float32
}

// NumberTypes lists the types that are read. All become float32, which is what the
// program computes with.
var NumberTypes = []NumberType{
	{"F64", 8, func(b []byte, o binary.ByteOrder) float32 { return float32(math.Float64frombits(o.Uint64(b))) }},
	{"F32", 4, func(b []byte, o binary.ByteOrder) float32 { return math.Float32frombits(o.Uint32(b)) }},
	{"F16", 2, func(b []byte, o binary.ByteOrder) float32 { return half(o.Uint16(b)) }},
	{"BF16", 2, func(b []byte, o binary.ByteOrder) float32 { return math.Float32frombits(uint32(o.Uint16(b)) << 16) }},
	{"I64", 8, func(b []byte, o binary.ByteOrder) float32 { return float32(int64(o.Uint64(b))) }},
	{"I32", 4, func(b []byte, o binary.ByteOrder) float32 { return float32(int32(o.Uint32(b))) }},
	{"I16", 2, func(b []byte, o binary.ByteOrder) float32 { return float32(int16(o.Uint16(b))) }},
	{"I8", 1, func(b []byte, _ binary.ByteOrder) float32 { return float32(int8(b[0])) }},
	{"U8", 1, func(b []byte, _ binary.ByteOrder) float32 { return float32(b[0]) }},
	{"BOOL", 1, func(b []byte, _ binary.ByteOrder) float32 { return float32(b[0]) }},
}

// NumberTypeOf returns the type of the given name and reports whether there is one.
func NumberTypeOf(name string) (NumberType, bool) {
	for _, t := range NumberTypes {
		if t.Name == name {
			return t, true
		}
	}
	return NumberType{}, false
}

// At returns the number that lies i numbers behind the start of data.
func (t NumberType) At(data []byte, i int, order binary.ByteOrder) float32 {
	return t.read(data[i*t.Bytes:(i+1)*t.Bytes], order)
}

// Numbers returns all numbers of data. Those of type F32 lie in memory as they do in a file: where they
// can, they stay there, and share the memory of data.
func (t NumberType) Numbers(data []byte, order binary.ByteOrder) []float32 {
	if t.Name == "F32" && order == binary.LittleEndian {
		if x, ok := f32.InPlace(data); ok {
			return x
		}
	}
	x := make([]float32, len(data)/t.Bytes)
	for i := range x {
		x[i] = t.At(data, i, order)
	}
	return x
}

// half widens an IEEE 754 number of 16 bits: 1 of sign, 5 of exponent, 10 of fraction.
func half(x uint16) float32 {
	sign, exponent, fraction := uint32(x>>15)<<31, uint32(x>>10)&31, uint32(x)&1023
	switch exponent {
	case 0: // zero and the subnormal numbers, multiples of 2^-24
		f := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 31: // infinity and NaN
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
