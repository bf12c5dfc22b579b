package automaton

import (
	"math"
	"math/big"
	"math/bits"
)

// A divisor is a large positive number, of which shares are wanted with 64 bits each. Its first 128 bits
// nearly always say what they are: a division of numbers with hundreds of digits is far slower.
type divisor struct {
	of        *big.Int
	high, low uint64 // the first 128 bits, the very first of which is a one
	exact     bool   // whether there are no others
	room      big.Int
}

func (d *divisor) set(t *big.Int) {
	d.of, d.exact = t, t.BitLen() <= 128
	d.high, d.low = d.first(t)
}

// first returns the bits of a number that stand where the first 128 of the divisor do.
func (d *divisor) first(c *big.Int) (high, low uint64) {
	if n := d.of.BitLen(); n >= 128 {
		d.room.Rsh(c, uint(n-128))
	} else {
		d.room.Lsh(c, uint(128-n))
	}
	low = d.room.Uint64()
	return d.room.Rsh(&d.room, 64).Uint64(), low
}

// share returns ⌊2⁶⁴·c/t⌋ for a number c from 0 to less than the divisor t.
//
// Let c' and t' be what is left of c and t when all but those bits are cut off, and 2⁶⁴·c' = q·t' + r. Then
// 2⁶⁴·c - q·t > r - q, since t < t' + 1, and (q+1)·t - 2⁶⁴·c > t' - r - 2⁶⁴, since c < c' + 1. So q is the share
// if 2⁶⁴ ≤ r ≤ t' - 2⁶⁴.
func (d *divisor) share(c *big.Int) uint64 {
	high, low := d.first(c)
	if high < d.high || low < d.low {
		if q, r := divide(high, low, d.high, d.low); d.exact || r > 0 && r < d.high-1 {
			return q
		}
	}
	return d.plain(c)
}

// plain does so by the definition.
func (d *divisor) plain(c *big.Int) uint64 {
	d.room.Lsh(c, 64)
	return d.room.Quo(&d.room, d.of).Uint64()
}

// divide returns the quotient of 2⁶⁴·c and t, and the first 64 of the 128 bits of the remainder, for a number c that is less than t, whose
// first bit is a one: a step of Knuth's algorithm D, The Art of Computer Programming 4.3.1.
func divide(c1, c0, t1, t0 uint64) (q, r uint64) {
	var rest, over uint64
	if c1 < t1 {
		q, rest = bits.Div64(c1, c0, t1)
	} else { // the first digits are the same, and the largest digit is tried
		q = math.MaxUint64
		rest, over = bits.Add64(c0, t1, 0)
	}
	// 2⁶⁴·c - q·t is 2⁶⁴·rest - q·t0, where rest has one more digit: over.
	high, low := bits.Mul64(q, t0)
	r0, borrow := bits.Sub64(0, low, 0)
	r1, borrow := bits.Sub64(rest, high, borrow)
	for over -= borrow; over != 0; { // less than zero: q was too large by one or two
		q--
		r0, borrow = bits.Add64(r0, t0, 0)
		r1, borrow = bits.Add64(r1, t1, borrow)
		over += borrow
	}
	return q, r1
}
