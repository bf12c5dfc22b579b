package hdf5

import (
	"testing"

	"quotient/model/frugal"
)

// Numbers are known by their sizes and, of floating-point ones, by the bits of the exponent.
func TestForm(t *testing.T) {
	f := &file{data: make([]byte, 64), budget: frugal.New(64)}
	number := func(class, flags, size, exponent byte) []byte {
		return []byte{0x10 | class, flags, 0, 0, size, 0, 0, 0, 0, 0, 8 * size, 0, 0, exponent, 0, 0, 0, 0, 0, 0}
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{number(floats, 0, 8, 11), "F64"},
		{number(floats, 0, 4, 8), "F32"},
		{number(floats, 0, 2, 5), "F16"},
		{number(floats, 0, 2, 8), "BF16"},
		{number(floats, 0, 4, 5), ""},
		{number(floats, 0, 1, 8), ""},
		{number(integers, 8, 8, 0), "I64"},
		{number(integers, 8, 1, 0), "I8"},
		{number(integers, 0, 1, 0), "U8"},
		{number(integers, 0, 3, 0), ""},
	} {
		if got, err := f.form(c.data); err != nil || got.number != c.want {
			t.Errorf("%v: %q, %v, want %q", c.data, got.number, err, c.want)
		}
	}
}
