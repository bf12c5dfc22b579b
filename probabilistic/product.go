package probabilistic

import (
	"fmt"
	"math"

	"quotient/automaton"
	"quotient/word"
)

// MaxPairs is how many pairs of states a comparison keeps at most. Past it the error is an
// [*automaton.LimitError].
const MaxPairs = 1 << 20

// A pair of states, one of each automaton, that one word leads to.
type pair struct{ a, b automaton.State }

// A product is two automata that read the same words.
type product struct {
	a, b  *Automaton
	pairs []pair // breadth first; the second state may be Dead, the first is not
	how   []arrival
	chain
}

// newProduct follows both automata by all symbols that have a weight, given their
// probabilities in both. A pair without its first state is not entered.
func newProduct(a, b *Automaton, weight func(p, q float64) float64) (*product, error) {
	if !a.Alphabet.Equal(b.Alphabet) {
		return nil, fmt.Errorf("two alphabets, %s and %s: nothing can be compared", a.Alphabet, b.Alphabet)
	}
	x := &product{a: a, b: b}
	if a.Start == automaton.Dead {
		return x, nil
	}
	number := map[pair]int32{{a.Start, b.Start}: 0}
	x.pairs, x.how = []pair{{a.Start, b.Start}}, []arrival{{from: -1}}
	for i := 0; i < len(x.pairs); i++ {
		from := x.pairs[i]
		p, q := a.Row(from.a), b.Row(from.b)
		for s := range p {
			w := weight(p[s], q[s])
			if w <= 0 {
				continue
			}
			to := pair{a.Next(from.a, word.Symbol(s)), b.Next(from.b, word.Symbol(s))}
			if q[s] == 0 {
				to.b = automaton.Dead
			}
			j, met := number[to]
			if !met {
				j = int32(len(x.pairs))
				number[to] = j
				x.pairs, x.how = append(x.pairs, to), append(x.how, arrival{int32(i), word.Symbol(s)})
			}
			x.edges = append(x.edges, flow{int32(i), j, w})
		}
		if len(x.pairs) > MaxPairs {
			return nil, &automaton.LimitError{Op: "comparing probabilistic automata", What: "pairs of states", Limit: MaxPairs}
		}
	}
	x.n = len(x.pairs)
	return x, nil
}

// ofFirst weighs a symbol by its probability in the first automaton.
func ofFirst(p, _ float64) float64 { return p }

// ofBoth weighs it by how much of its probability the two have in common.
func ofBoth(p, q float64) float64 { return min(p, q) }

// apart returns the total variation of what follows in a pair: half the sum of the
// differences.
func (x *product) apart(i int) float64 {
	at := x.pairs[i]
	sum, q := math.Abs(x.a.End[at.a]-x.b.End[at.b]), x.b.Row(at.b)
	if at.b == automaton.Dead { // all that follows does so in one alone
		return 1
	}
	for s, p := range x.a.Row(at.a) {
		sum += math.Abs(p - q[s])
	}
	return min(1, sum/2)
}

// A Divergence says how far one automaton is from another on the words of the first.
type Divergence struct {
	// KL is the relative entropy of Kullback and Leibler, Σ P(w) log P(w)/Q(w) over all
	// words, in nats a word, +∞ if a word has a probability in P and none in Q; and PerSymbol
	// is that in nats a symbol, the ends of words counted.
	KL, PerSymbol float64

	// Variation is the mean total variation of what follows a prefix: half the difference of
	// the two distributions of the next symbol, averaged over all prefixes of words of P,
	// the words themselves included, by how often P comes by.
	Variation float64

	Symbols float64   // of a word of P on average, its end included
	Witness word.Word // a shortest word that only P has, where KL is infinite
}

// Diverge returns how far q is from p. It is exact, up to rounding: each pair of states
// contributes how far apart the two are there as often as a word of p passes it, and how
// often that is solves a linear system. The error is an [*EndlessError] if some words of p
// never end, and an [*automaton.LimitError] past [MaxPairs].
func Diverge(p, q *Automaton) (*Divergence, error) {
	if err := p.endless(p.reach(p.Start)); err != nil {
		return nil, err
	}
	x, err := newProduct(p, q, ofFirst)
	if err != nil {
		return nil, err
	}
	visits, err := x.visits()
	if err != nil {
		return nil, err
	}
	d := &Divergence{}
	for i, v := range visits {
		d.Symbols += v
		d.Variation += v * x.apart(i)
		d.KL += v * x.divergence(i)
	}
	if d.Symbols > 0 {
		d.Variation /= d.Symbols
		d.PerSymbol = d.KL / d.Symbols
	}
	if math.IsInf(d.KL, 1) {
		d.Witness = x.witness()
	}
	d.KL, d.PerSymbol = max(0, d.KL), max(0, d.PerSymbol) // what rounding makes of zero
	return d, nil
}

// divergence returns the relative entropy of what follows in a pair.
func (x *product) divergence(i int) float64 {
	at := x.pairs[i]
	sum := relative(x.a.End[at.a], x.b.End[at.b])
	q := x.b.Row(at.b)
	for s, p := range x.a.Row(at.a) {
		sum += relative(p, q[s])
	}
	return sum
}

// relative returns p log p/q.
func relative(p, q float64) float64 {
	switch {
	case p == 0:
		return 0
	case q == 0:
		return math.Inf(1)
	}
	return p * math.Log(p/q)
}

// witness returns a shortest word that the first automaton has and the second has not.
func (x *product) witness() word.Word {
	for i, at := range x.pairs {
		if x.a.End[at.a] > 0 && x.b.End[at.b] == 0 {
			return spell(x.how, i)
		}
	}
	return nil
}

// A Place is a prefix after which two automata predict differently.
type Place struct {
	Prefix    word.Word
	Variation float64 // of the distributions of what follows
	P, Q      float64 // the probabilities that a word begins with the prefix
}

// Part returns the shortest prefixes after which p and q predict very differently: those
// for which the total variation of the next symbol's distributions is at least half of what
// it is anywhere. Of the prefixes that lead to one pair of states the first counts, and of
// those that are left the first few in shortlex order are returned.
func Part(p, q *Automaton, few int) ([]Place, error) {
	x, err := newProduct(p, q, ofBoth)
	if err != nil {
		return nil, err
	}
	most := 0.0
	for i := range x.pairs {
		most = max(most, x.apart(i))
	}
	var list []Place
	for i := range x.pairs {
		if len(list) == few || most == 0 {
			break
		}
		if v := x.apart(i); v >= most/2 {
			w := spell(x.how, i)
			lp, _ := p.LogPrefix(w)
			lq, _ := q.LogPrefix(w)
			list = append(list, Place{Prefix: w, Variation: v, P: math.Exp(lp), Q: math.Exp(lq)})
		}
	}
	return list, nil
}
