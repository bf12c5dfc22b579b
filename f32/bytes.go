package f32

import (
	"encoding/binary"
	"unsafe"
)

// InPlace returns the floats that lie in data, the least byte first, without copying them, and
// reports whether that can be done on this machine and from where data begins.
func InPlace(data []byte) ([]float32, bool) {
	if len(data) < 4 {
		return nil, len(data) == 0
	}
	p := unsafe.Pointer(unsafe.SliceData(data))
	if uintptr(p)%4 != 0 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, false
	}
	return unsafe.Slice((*float32)(p), len(data)/4), true
}

// Finite returns how many floats come before the first that is infinite or no number. What is
// finite has a difference of 0 from itself, and four sums of such do not wait for each other.
func Finite(x []float32) int {
	const stretch = 1024
	at := 0
	for ; at+stretch <= len(x); at += stretch {
		var a, b, c, d float32
		for s := x[at : at+stretch]; len(s) >= 4; s = s[4:] {
			a += s[0] - s[0]
			b += s[1] - s[1]
			c += s[2] - s[2]
			d += s[3] - s[3]
		}
		if a+b+c+d != 0 {
			break
		}
	}
	for at < len(x) && x[at]-x[at] == 0 {
		at++
	}
	return at
}
