package automaton

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"quotient/internal/parallel"
	"quotient/word"
)

// A Sampler draws words of a given length uniformly at random among the
// accepted ones, by counting completions backwards through the automaton. It is
// exact: every accepted word of the length has the same probability, for any
// length. It may be used by several goroutines at once.
type Sampler struct {
	d      *DFA
	counts [][]*big.Int // counts[n][q]: completions of length n from q
	// cuts[n][q*k+s] is ⌊2⁶⁴·c/t⌋, where t is counts[n][q] and c is how many of
	// these completions begin with a symbol up to s. A random 64-bit number then
	// picks the symbol; only one equal to a cut, which hardly ever happens, asks
	// for the exact counts.
	cuts [][]uint64
}

// maxSampler bounds the memory of a sampler, in bytes.
const maxSampler = 1 << 30

// NewSampler prepares to draw words of length up to maxLen. It returns a
// [*LimitError] if that would take more than a gigabyte of memory.
func NewSampler(d *DFA, maxLen int) (*Sampler, error) {
	return NewSamplerUnder(context.Background(), d, maxLen)
}

// NewSamplerUnder is [NewSampler] under a context: over many states and symbols it takes a while.
func NewSamplerUnder(ctx context.Context, d *DFA, maxLen int) (*Sampler, error) {
	m := Minimize(d)
	k := m.Alphabet.Len()
	// A count is a pointer, a header and at least five words; a cut is a word.
	words := max(5, float64(maxLen)*math.Log2(float64(k)+1)/64)
	if float64(maxLen)*float64(m.Len()+1)*(8*float64(k)+32+8*words) > maxSampler {
		op := fmt.Sprintf("count the words of up to %d symbols from each of %d states", maxLen, m.Len())
		return nil, &LimitError{Op: op, What: "bytes of memory", Limit: maxSampler}
	}
	s := &Sampler{d: m, counts: [][]*big.Int{m.completions()}, cuts: make([][]uint64, maxLen+1)}
	for n := 1; n <= maxLen && ctx.Err() == nil; n++ {
		s.counts = append(s.counts, m.prolong(s.counts[n-1]))
	}
	parallel.Do(0, maxLen, func(i int) {
		if ctx.Err() == nil {
			s.cuts[i+1] = s.cutRow(i + 1)
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return s, nil
}

func (s *Sampler) cutRow(n int) []uint64 {
	k := s.d.Alphabet.Len()
	cuts := make([]uint64, len(s.d.Table))
	sum := new(big.Int)
	var whole divisor
	for q := 1; q < len(s.d.Accept); q++ {
		total := s.counts[n][q]
		if total.Sign() == 0 {
			continue
		}
		sum.SetInt64(0)
		whole.set(total)
		for i, to := range s.d.Row(State(q)) {
			sum.Add(sum, s.counts[n-1][to])
			if sum.Cmp(total) == 0 {
				cuts[q*k+i] = math.MaxUint64 // stands for 2⁶⁴
				continue
			}
			cuts[q*k+i] = whole.share(sum)
		}
	}
	return cuts
}

// Count returns how many words of length n there are. n must not be larger than
// the sampler was prepared for.
func (s *Sampler) Count(n int) *big.Int { return s.counts[n][s.d.Start] }

// Draw fills dst with a random accepted word of that length and reports whether
// there is any.
func (s *Sampler) Draw(dst word.Word, r *rand.Rand) bool {
	if s.Count(len(dst)).Sign() == 0 {
		return false
	}
	q, k := s.d.Start, s.d.Alphabet.Len()
	for i := range dst {
		rest := len(dst) - i
		on := s.pick(rest, q, s.cuts[rest][int(q)*k:(int(q)+1)*k], r)
		dst[i] = on
		q = s.d.Next(q, on)
	}
	return true
}

// pick draws the next symbol from state q with rest symbols to go.
func (s *Sampler) pick(rest int, q State, cuts []uint64, r *rand.Rand) word.Symbol {
	u := r.Uint64()
	i, onCut := slices.BinarySearch(cuts, u)
	if onCut {
		return s.pickExactly(rest, q, u, r)
	}
	return word.Symbol(i)
}

// pickExactly compares the real number (u+f)/2⁶⁴ with the exact shares, where f
// is x/total for a random x below total.
func (s *Sampler) pickExactly(rest int, q State, u uint64, r *rand.Rand) word.Symbol {
	total := s.counts[rest][q]
	point := new(big.Int).SetUint64(u)
	point.Mul(point, total).Add(point, below(total, r)) // scaled by 2⁶⁴·total
	sum := new(big.Int)
	for i, to := range s.d.Row(q) {
		sum.Add(sum, s.counts[rest-1][to])
		if point.Cmp(new(big.Int).Lsh(sum, 64)) < 0 {
			return word.Symbol(i)
		}
	}
	panic("automaton: counts do not add up")
}

// below returns a uniformly random integer in [0, n).
func below(n *big.Int, r *rand.Rand) *big.Int {
	x := new(big.Int)
	for {
		x.SetInt64(0)
		for range (n.BitLen() + 63) / 64 {
			x.Lsh(x, 64)
			x.Or(x, new(big.Int).SetUint64(r.Uint64()))
		}
		x.Rsh(x, uint((64-n.BitLen()%64)%64))
		if x.Cmp(n) < 0 {
			return x
		}
	}
}
