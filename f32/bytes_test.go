package f32

import (
	"encoding/binary"
	"math"
	"testing"
)

func TestInPlace(t *testing.T) {
	want := []float32{1, -2.5, 3e9}
	data := make([]byte, 13)
	for skip := range 2 {
		for i, x := range want {
			binary.LittleEndian.PutUint32(data[skip+4*i:], math.Float32bits(x))
		}
		got, ok := InPlace(data[skip : skip+12])
		if ok != (skip == 0 && binary.NativeEndian.Uint16([]byte{1, 0}) == 1) {
			t.Errorf("from byte %d on: %v", skip, ok)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%v, want %v", got, want)
			}
		}
	}
}

func TestFinite(t *testing.T) {
	x := make([]float32, 5000)
	for i := range x {
		x[i] = float32(i) * 1e30
	}
	if n := Finite(x); n != len(x) {
		t.Errorf("%d of %d are finite", n, len(x))
	}
	for _, at := range []int{0, 1023, 1024, 3333, 4999} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			was := x[at]
			x[at] = float32(bad)
			if n := Finite(x); n != at {
				t.Errorf("%v at %d is found at %d", bad, at, n)
			}
			x[at] = was
		}
	}
}
