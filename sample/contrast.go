package sample

import (
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// A Contrast is two automata a and b side by side, and how much of the stated
// distribution lies where they differ: a word's length is uniform from low to high;
// half of the words are uniform, a quarter are drawn among those that b accepts,
// and a quarter among those that b rejects, uniform words standing in where there
// are none of the length.
//
// The mass is computed, not sampled, by counting words backwards through the
// product. So differences far too rare to be met by chance can be weighed, and
// words drawn from within them.
type Contrast struct {
	k, low, high int
	next         []int32 // pairs × k
	// The share of all words of length n that lead from a pair to one where the
	// two differ, by the answer of b, and that are accepted by b at all.
	differ [2][][]float64 // (high + 1) × pairs
	accept [][]float64    // (high + 1) × pairs
	weight [2][]float64   // (high + 1): mass of the words of this length where they differ
	Mass   float64        // of all words on which they differ
}

// NewContrast returns nil if there are more than limit pairs of states.
func NewContrast(a, b *automaton.DFA, low, high, limit int) *Contrast {
	c := &Contrast{k: a.Alphabet.Len(), low: low, high: high}
	pairs := [][2]automaton.State{{a.Start, b.Start}}
	number := map[[2]automaton.State]int32{pairs[0]: 0}
	for i := 0; i < len(pairs); i++ {
		for s := range word.Symbol(c.k) {
			to := [2]automaton.State{a.Next(pairs[i][0], s), b.Next(pairs[i][1], s)}
			j, known := number[to]
			if !known {
				if len(pairs) == limit {
					return nil
				}
				j = int32(len(pairs))
				number[to] = j
				pairs = append(pairs, to)
			}
			c.next = append(c.next, j)
		}
	}
	n := len(pairs)
	yes, no, accept := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, p := range pairs {
		switch {
		case !b.Accept[p[1]]:
			if a.Accept[p[0]] {
				no[i] = 1
			}
		case !a.Accept[p[0]]:
			yes[i] = 1
			fallthrough
		default:
			accept[i] = 1
		}
	}
	c.differ = [2][][]float64{c.backward(no), c.backward(yes)}
	c.accept = c.backward(accept)
	c.weigh()
	return c
}

// Contrasts returns the contrast of a and b on the distribution of a, and on that of b, made side
// by side.
func Contrasts(a, b *automaton.DFA, low, high, limit int) (ofA, ofB *Contrast) {
	done := make(chan struct{})
	go func() {
		ofA = NewContrast(b, a, low, high, limit)
		close(done)
	}()
	ofB = NewContrast(a, b, low, high, limit)
	<-done
	return ofA, ofB
}

// backward returns, for every length and pair, the share of the words of this
// length that lead from the pair to one that is marked.
func (c *Contrast) backward(mark []float64) [][]float64 {
	levels := [][]float64{mark}
	for n := 1; n <= c.high; n++ {
		before, level := levels[n-1], make([]float64, len(mark))
		for i := range level {
			sum := 0.0
			for _, to := range c.next[i*c.k : (i+1)*c.k] {
				sum += before[to]
			}
			level[i] = sum / float64(c.k)
		}
		levels = append(levels, level)
	}
	return levels
}

func (c *Contrast) weigh() {
	for n := range c.high + 1 {
		yes, no := c.accept[n][0], 1-c.accept[n][0]
		for answer, all := range []float64{no, yes} {
			weight := 0.0
			if d := c.differ[answer][n][0]; n >= c.low && d > 0 {
				weight = d / 2
				if all > 0 {
					weight += d / all / 4
				}
				if other := 1 - all; other <= 0 {
					weight += d / 4
				}
				weight /= float64(c.high - c.low + 1)
			}
			c.weight[answer] = append(c.weight[answer], weight)
			c.Mass += weight
		}
	}
}

// Draw returns a word of the distribution on which the two differ. There must be
// one.
func (c *Contrast) Draw(rng *rand.Rand) word.Word {
	x := rng.Float64() * c.Mass
	answer, length := 0, 0
	for i := range 2 * (c.high + 1) {
		w := c.weight[i%2][i/2]
		if w > 0 {
			answer, length = i%2, i/2
			if x < w {
				break
			}
			x -= w
		}
	}
	w := make(word.Word, length)
	at := 0
	for i := range w {
		left := c.differ[answer][length-i-1]
		x := rng.Float64() * c.differ[answer][length-i][at] * float64(c.k)
		for s, to := range c.next[at*c.k : (at+1)*c.k] {
			if left[to] > 0 {
				w[i] = word.Symbol(s)
				if x < left[to] {
					break
				}
				x -= left[to]
			}
		}
		at = int(c.next[at*c.k+int(w[i])])
	}
	return w
}
