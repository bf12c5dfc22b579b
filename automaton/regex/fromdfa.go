package regex

import (
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// DefaultLength is a limit for [FromDFA] that leaves out what nobody would read.
const DefaultLength = 10_000

// maxStates is the largest automaton that FromDFA looks at.
const maxStates = 1000

// FromDFA returns a short expression for the language of d, which compiles over
// d's alphabet to [automaton.Minimize](d). It returns an [*automaton.LimitError]
// if all expressions it finds are longer than limit characters; for automata
// without structure the length grows exponentially with the states.
//
// It eliminates the states in several orders (in all of them where there are
// few), simplifies on the way, and then shortens the best results by changes
// that keep the language, as far as a fixed budget of work goes. The complement
// is treated likewise, and the result is ~(...) where that is a third shorter:
// ~(ab), but a?a?(ba?a?)* rather than ~(.*aaa.*).
func FromDFA(d *automaton.DFA, limit int) (*Expr, error) {
	d = automaton.Minimize(d)
	if d.Len() > maxStates {
		return nil, &automaton.LimitError{Op: "regular expression of an automaton", What: "states", Limit: maxStates}
	}
	blocks := columns(d)
	g := newAlgebra(d.Alphabet, blocks)
	d = reduce(d, blocks)
	room := max(limit, DefaultLength) // what is long on the way may become short
	best := g.shortest(d, room, room)
	useful := room
	if best != nil {
		useful = best.cost
	}
	if x := g.shortest(automaton.Minimize(automaton.Complement(d)), room, useful); x != nil {
		if e := newNode(complement, x); best == nil || best.cost > limit || 3*e.cost <= 2*best.cost {
			best = e
		}
	}
	if best == nil || best.cost > limit || best.depth > maxDepth {
		return nil, &automaton.LimitError{Op: "regular expression of an automaton", What: "characters", Limit: limit}
	}
	return best, nil
}

// columns returns the symbols of d in blocks: those in one block lead from every
// state to the same one. Blocks are in the order of their first symbols.
func columns(d *automaton.DFA) [][]word.Symbol {
	type key struct {
		block int
		to    automaton.State
	}
	block := make([]int, d.Alphabet.Len())
	for q := range d.Accept {
		number := make(map[key]int)
		for s, to := range d.Row(automaton.State(q)) {
			k := key{block[s], to}
			if _, ok := number[k]; !ok {
				number[k] = len(number)
			}
			block[s] = number[k]
		}
	}
	var blocks [][]word.Symbol
	for s, b := range block {
		if b == len(blocks) {
			blocks = append(blocks, nil)
		}
		blocks[b] = append(blocks[b], word.Symbol(s))
	}
	return blocks
}

// reduce returns d over the first symbols of the blocks.
func reduce(d *automaton.DFA, blocks [][]word.Symbol) *automaton.DFA {
	names := make([]string, len(blocks))
	for b, symbols := range blocks {
		names[b] = d.Alphabet.Name(symbols[0])
	}
	a, _ := word.NewAlphabet(names...) // a subset of d's names
	small := automaton.NewDFA(a, d.Len())
	small.Start = d.Start
	copy(small.Accept, d.Accept)
	for q := range d.Accept {
		for b, symbols := range blocks {
			small.SetNext(automaton.State(q), word.Symbol(b), d.Next(automaton.State(q), symbols[0]))
		}
	}
	return small
}

// shortest returns the shortest expression that is found for d, a minimal
// automaton over blocks, or nil if all are longer than limit. It does not try
// hard, or at all, where the result is going to be longer than useful.
func (g *algebra) shortest(d *automaton.DFA, limit, useful int) *Expr {
	found := g.candidates(d, limit)
	slices.SortStableFunc(found, compare)
	found = slices.CompactFunc(found, equal)
	if len(found) == 0 || found[0].cost/2 > useful {
		return nil
	}
	var best, plain *Expr // with counts, and without
	keep := func(e *Expr) {
		if x := g.count(e); best == nil || compare(x, best) < 0 {
			best, plain = x, e
		}
	}
	s := newShortener(g, d)
	for _, e := range found[:min(len(found), shortened)] {
		keep(e) // a?a?a?a?a?a?a? is longer than a?a?(aaaa)?a?, but a{0,7} is not
		keep(s.descend(e))
	}
	if best.cost < useful {
		keep(s.shorten(plain))
	}
	return best
}

// shortened is how many of the results of elimination are worth shortening: the
// shortest before is not always the shortest after.
const shortened = 8

// candidates returns expressions for d from eliminating the states of d and, if
// there are not many, of the automaton that reads the words backwards, unless it
// is larger. With it, 10 of 400 random expressions came back longer than they had
// been; without it, 16.
func (g *algebra) candidates(d *automaton.DFA, limit int) []*Expr {
	found := g.eliminations(d, limit)
	if d.Len() > manyOrders {
		return found
	}
	back, err := automaton.Determinize(automaton.Reverse(d.NFA()), d.Len()+1)
	if err != nil {
		return found
	}
	for _, e := range g.eliminations(automaton.Minimize(back), limit) {
		found = append(found, g.reverse(e))
	}
	return found
}

// Up to allOrders states, all orders of elimination are tried; up to manyOrders
// states, one for every state that comes last; beyond, one.
const (
	allOrders  = 5
	manyOrders = 30
)

// eliminations returns the expressions of several orders of elimination.
func (g *algebra) eliminations(d *automaton.DFA, limit int) []*Expr {
	var found []*Expr
	keep := func(e *Expr) {
		if e != nil {
			found = append(found, e)
		}
	}
	u := newGraph(g, d, limit)
	switch {
	case d.Len() <= allOrders:
		u.everyOrder(keep)
	case d.Len() <= manyOrders:
		for _, q := range u.left {
			keep(u.clone().cheapest(q))
		}
	default:
		keep(u.cheapest(0))
	}
	return found
}
