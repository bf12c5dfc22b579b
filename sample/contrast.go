package sample

import (
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/internal/parallel"
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
	*product
	// The share of all words of length n that lead from a pair to one where the
	// two differ, by the answer of b.
	differ [2][][]float64 // (high + 1) × pairs
	weight [2][]float64   // (high + 1): mass of the words of this length where they differ
	Mass   float64        // of all words on which they differ
}

// A product is pairs of states that words lead two automata to.
type product struct {
	k, low, high int
	a, b         *automaton.DFA
	pairs        [][2]automaton.State
	number       *numbering // of pairs
	begin        []int32    // pairs + 1: where the edges of each begin
	edges        []edge
}

// An edge is all symbols that lead from one pair, or state, to another. Over many symbols they are few.
type edge struct {
	to      int32
	symbols float64 // how many those are
}

// NewContrast returns nil if there are more than limit pairs of states.
func NewContrast(a, b *automaton.DFA, low, high, limit int) *Contrast {
	_, ofB := Contrasts(a, b, low, high, limit)
	return ofB
}

// Contrasts returns the contrast of a and b on the distribution of a, and on that of b; nil if there are more than limit pairs.
func Contrasts(a, b *automaton.DFA, low, high, limit int) (ofA, ofB *Contrast) {
	var p *product
	var yes [2][]float64 // what either accepts
	parallel.Do(0, 3, func(k int) {
		if k == 0 {
			p = newProduct(a, b, limit)
		} else {
			yes[k-1] = accepted([]*automaton.DFA{a, b}[k-1], high)
		}
	})
	if p == nil {
		return nil, nil
	}
	p.low, p.high = low, high
	var only [2][][]float64 // what a accepts and b does not, and the other way round
	parallel.Do(0, 2, func(k int) {
		mark := make([]float64, len(p.pairs))
		for i, q := range p.pairs {
			if inA := a.Accept[q[0]]; inA != b.Accept[q[1]] && inA == (k == 0) {
				mark[i] = 1
			}
		}
		only[k] = p.backward(mark)
	})
	ofA = &Contrast{product: p, differ: [2][][]float64{only[1], only[0]}}
	ofA.weigh(yes[0])
	ofB = &Contrast{product: p, differ: only}
	ofB.weigh(yes[1])
	return ofA, ofB
}

// newProduct returns nil if there are more than limit pairs.
func newProduct(a, b *automaton.DFA, limit int) *product {
	p := &product{k: a.Alphabet.Len(), a: a, b: b, pairs: [][2]automaton.State{{a.Start, b.Start}}, number: newNumbering(a, b)}
	p.number.set(p.pairs[0], 0)
	last := []int32{-1} // pairs: the last edge that leads there
	for i := 0; i < len(p.pairs); i++ {
		begin := int32(len(p.edges))
		p.begin = append(p.begin, begin)
		if cap(p.edges)-len(p.edges) < p.k { // twice as many: append would copy them all far more often
			p.edges = slices.Grow(p.edges, max(p.k, len(p.edges)))
		}
		ofA, ofB := a.Row(p.pairs[i][0]), b.Row(p.pairs[i][1])
		for s, x := range ofA {
			to := [2]automaton.State{x, ofB[s]}
			j := p.number.of(to)
			if j < 0 {
				if len(p.pairs) == limit {
					return nil
				}
				j = int32(len(p.pairs))
				p.number.set(to, j)
				p.pairs, last = append(p.pairs, to), append(last, -1)
			}
			if last[j] >= begin { // from this pair
				p.edges[last[j]].symbols++
				continue
			}
			last[j] = int32(len(p.edges))
			p.edges = append(p.edges, edge{j, 1})
		}
	}
	p.begin = append(p.begin, int32(len(p.edges)))
	return p
}

// after returns the pair to which a symbol leads.
func (p *product) after(pair int, s word.Symbol) int {
	q := p.pairs[pair]
	return int(p.number.of([2]automaton.State{p.a.Next(q[0], s), p.b.Next(q[1], s)}))
}

// A numbering has numbers of pairs of states, in a table unless that would be large.
type numbering struct {
	row   int     // states of the second automaton
	table []int32 // pairs; one more than the number, or 0
	large map[[2]automaton.State]int32
}

func newNumbering(a, b *automaton.DFA) *numbering {
	const largest = 1 << 22
	n := &numbering{row: b.Len() + 1}
	if size := (a.Len() + 1) * n.row; size <= largest {
		n.table = make([]int32, size)
	} else {
		n.large = map[[2]automaton.State]int32{}
	}
	return n
}

// of returns the number of a pair, or -1 if it has none.
func (n *numbering) of(pair [2]automaton.State) int32 {
	if n.table != nil {
		return n.table[int(pair[0])*n.row+int(pair[1])] - 1
	}
	return n.large[pair] - 1
}

func (n *numbering) set(pair [2]automaton.State, number int32) {
	if n.table != nil {
		n.table[int(pair[0])*n.row+int(pair[1])] = number + 1
	} else {
		n.large[pair] = number + 1
	}
}

// backward returns, for every length and pair, the share of the words of this
// length that lead from the pair to one that is marked.
func (p *product) backward(mark []float64) [][]float64 {
	levels := [][]float64{mark}
	for n := 1; n <= p.high; n++ {
		before, level := levels[n-1], make([]float64, len(mark))
		for i := range level {
			sum := 0.0
			for _, e := range p.edges[p.begin[i]:p.begin[i+1]] {
				sum += e.symbols * before[e.to]
			}
			level[i] = sum / float64(p.k)
		}
		levels = append(levels, level)
	}
	return levels
}

// accepted returns, for every length, the share of the words that an automaton accepts.
func accepted(d *automaton.DFA, high int) []float64 {
	begin, edges := edgesOf(d)
	p := &product{k: d.Alphabet.Len(), high: high, begin: begin, edges: edges} // of every state with itself
	mark := make([]float64, d.Len()+1)
	for q, accept := range d.Accept {
		if accept {
			mark[q] = 1
		}
	}
	yes := make([]float64, high+1)
	for n, share := range p.backward(mark) {
		yes[n] = share[d.Start]
	}
	return yes
}

// weigh finds the mass, given how many words of each length the automaton accepts whose distribution it is.
func (c *Contrast) weigh(accepted []float64) {
	for n, yes := range accepted {
		for answer, all := range []float64{1 - yes, yes} {
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
		next := at
		for s := range word.Symbol(c.k) {
			if to := c.after(at, s); left[to] > 0 {
				w[i], next = s, to
				if x < left[to] {
					break
				}
				x -= left[to]
			}
		}
		at = next
	}
	return w
}
