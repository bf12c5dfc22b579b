package probabilistic

import (
	"container/heap"
	"math"

	"quotient/automaton"
	"quotient/word"
)

// Bounds hold a number between them.
type Bounds struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// TotalVariation returns bounds of the total variation of two distributions of words,
// ½ Σ |P(w) - Q(w)| over all words: the most by which the probability of any set of words
// can differ.
//
// To compute it exactly is hard in general (Lyngsø and Pedersen, The consensus string
// problem and the complexity of comparing hidden Markov models, 2002). So words are followed
// symbol by symbol, always where most is open. Once a prefix has the probabilities α
// and β, all words that begin with it contribute at least |α-β|/2, and at most that and
// min(α, β)·U more, where U is the probability that two who draw what follows as much alike
// as they can ever part: for each pair of states that solves a linear system. It ends when
// the bounds are within the tolerance, or after so many prefixes as are allowed for. The
// error is an [*EndlessError] if some words never end.
func TotalVariation(p, q *Automaton, tolerance float64, prefixes int) (Bounds, error) {
	for _, a := range []*Automaton{p, q} {
		if err := a.endless(a.reach(a.Start)); err != nil {
			return Bounds{}, err
		}
	}
	x, err := newProduct(p, q, ofBoth)
	if err != nil {
		return Bounds{}, err
	}
	if p.Start == automaton.Dead || q.Start == automaton.Dead { // one without words
		differ := 0.0
		if p.Start != q.Start {
			differ = 1
		}
		return Bounds{differ, differ}, nil
	}
	part, number, err := x.part()
	if err != nil {
		return Bounds{}, err
	}
	f := &frontier{product: x, part: part, number: number}
	f.add(0, 1, 1)
	for f.open > tolerance && f.added < prefixes && len(f.heap) > 0 {
		f.expand(heap.Pop(f).(open))
	}
	gap := 0.0 // without what rounding left
	for _, o := range f.heap {
		gap += o.gap
	}
	return Bounds{max(0, f.low), min(1, f.low+gap)}, nil
}

// part returns for each pair the probability that two who draw what follows as much alike
// as they can ever part, and the numbers of the pairs.
func (x *product) part() ([]float64, map[pair]int32, error) {
	source, number := make([]float64, x.n), make(map[pair]int32, x.n)
	for i, at := range x.pairs {
		source[i], number[at] = x.apart(i), int32(i)
	}
	part, err := x.solve(source, false)
	for i := range part {
		part[i] = min(1, part[i])
	}
	return part, number, err
}

// A frontier is the prefixes whose continuations are open, those of most weight first.
type frontier struct {
	*product
	part   []float64
	number map[pair]int32
	heap   []open
	added  int
	low    float64 // Σ |α-β|/2 over all words and open prefixes
	open   float64 // Σ gap
}

// An open prefix has two probabilities, and more is open about its continuations than a
// gap.
type open struct {
	at          int32 // the pair that it leads to
	alpha, beta float64
	gap         float64
	order       int // of its entry, by which ties are broken
}

// add takes a prefix, unless nothing is open about it.
func (f *frontier) add(at int32, alpha, beta float64) {
	f.low += math.Abs(alpha-beta) / 2
	if gap := min(alpha, beta) * f.part[at]; gap > 0 {
		f.added++
		f.open += gap
		heap.Push(f, open{at, alpha, beta, gap, f.added})
	}
}

// expand replaces a prefix by the word itself and by its continuations.
func (f *frontier) expand(o open) {
	f.open -= o.gap
	f.low -= math.Abs(o.alpha-o.beta) / 2
	at := f.pairs[o.at]
	f.low += math.Abs(o.alpha*f.a.End[at.a]-o.beta*f.b.End[at.b]) / 2
	p, q := f.a.Row(at.a), f.b.Row(at.b)
	for s := range p {
		switch {
		case p[s] > 0 && q[s] > 0:
			to := pair{f.a.Next(at.a, word.Symbol(s)), f.b.Next(at.b, word.Symbol(s))}
			f.add(f.number[to], o.alpha*p[s], o.beta*q[s])
		default: // one of the two alone goes on
			f.low += math.Abs(o.alpha*p[s]-o.beta*q[s]) / 2
		}
	}
}

func (f *frontier) Len() int      { return len(f.heap) }
func (f *frontier) Swap(i, j int) { f.heap[i], f.heap[j] = f.heap[j], f.heap[i] }
func (f *frontier) Push(o any)    { f.heap = append(f.heap, o.(open)) }
func (f *frontier) Less(i, j int) bool {
	x, y := f.heap[i], f.heap[j]
	return x.gap > y.gap || x.gap == y.gap && x.order < y.order
}

func (f *frontier) Pop() any {
	last := len(f.heap) - 1
	o := f.heap[last]
	f.heap = f.heap[:last]
	return o
}
