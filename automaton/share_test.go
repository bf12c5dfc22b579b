package automaton

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Shares are those of the plain division, also where their last bit hangs on the last digits.
func TestShare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one := big.NewInt(1)
	var d divisor
	check := func(c, whole *big.Int) {
		t.Helper()
		if c.Sign() < 0 || c.Cmp(whole) >= 0 {
			return
		}
		d.set(whole)
		if got, want := d.share(c), d.plain(c); got != want {
			t.Fatalf("%v of %v: %d, not %d", c, whole, got, want)
		}
	}
	number := func(bits int) *big.Int { // with long runs of equal bits, which digits carry over
		x := new(big.Int).SetBit(new(big.Int), bits-1, 1)
		for i, bit := bits-2, uint(0); i >= 0; i-- {
			if r.IntN(20) == 0 {
				bit = 1 - bit
			}
			x.SetBit(x, i, bit)
		}
		return x
	}
	for range 20_000 {
		whole := number(1 + r.IntN(300))
		check(new(big.Int).Sub(whole, one), whole)
		check(below(whole, r), whole)
		check(number(1+r.IntN(whole.BitLen())), whole)
		edge := new(big.Int).SetUint64(r.Uint64()) // a number about where the share becomes another one
		edge.Mul(edge, whole).Rsh(edge, 64)
		for range 3 {
			check(edge, whole)
			edge = new(big.Int).Add(edge, one)
		}
	}
}
