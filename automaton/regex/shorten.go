package regex

import (
	"slices"

	"quotient/automaton"
)

// budget is the work that goes into shortening the expressions of one automaton,
// in steps of the judge: some 10 ms. It is not a time, so that the result is the
// same on every machine. Building an expression is worth several such steps.
const (
	budget     = 100_000
	rebuilding = 10
)

// manyBlocks is how many symbols of a class are tried in its place.
const manyBlocks = 4

// A shortener makes expressions shorter by changes that keep the language as a
// whole, though not that of the part that is changed: b*(a+(b+a*)?)? is b*a*b*a*.
type shortener struct {
	g *algebra
	*judge
}

func newShortener(g *algebra, d *automaton.DFA) *shortener {
	return &shortener{g: g, judge: newJudge(d, budget)}
}

// shorten descends from e as far as single changes lead, and goes on from there
// as long as two changes together help.
func (s *shortener) shorten(e *Expr) *Expr {
	for e = s.descend(e); ; {
		next := s.twoChanges(e)
		if next == nil {
			return e
		}
		e = s.descend(next)
	}
}

// descend makes the best single change until there is none.
func (s *shortener) descend(e *Expr) *Expr {
	for {
		next := s.oneChange(e)
		if next == nil {
			return e
		}
		e = next
	}
}

// oneChange returns the shortest of the expressions one change away that have
// the same language and are better than e, or nil.
func (s *shortener) oneChange(e *Expr) *Expr {
	if e.weight >= maxPositions {
		return nil
	}
	list := s.changed(e)
	slices.SortStableFunc(list, compare)
	for _, x := range list {
		if s.budget < 0 || x.cost > e.cost {
			return nil
		}
		if better(x, e) && s.same(x) {
			return x
		}
	}
	return nil
}

// twoChanges returns the first expression two changes away that has the same
// language and is shorter than e, or nil.
func (s *shortener) twoChanges(e *Expr) *Expr {
	if e.weight >= maxPositions {
		return nil
	}
	seen := make(map[uint64]bool)
	for _, x := range s.changed(e) {
		for _, y := range s.changed(x) {
			if s.budget < 0 {
				return nil
			}
			if y.cost >= e.cost || seen[y.hash] {
				continue
			}
			seen[y.hash] = true
			if s.same(y) {
				return y
			}
		}
	}
	return nil
}

// better reports whether x is shorter than y, or as long and plainer: with fewer
// +, which other changes may turn into something shorter, and with smaller
// classes, so that b*|ab* is a?b* rather than .?b*.
func better(x, y *Expr) bool {
	if x.cost != y.cost {
		return x.cost < y.cost
	}
	return excess(x) < excess(y)
}

func excess(e *Expr) (n int) {
	e.walk(func(x *Expr) {
		n += len(x.blocks)
		if isRepeat(x, 1, unbounded) {
			n++
		}
	})
	return n
}

// changed returns the expressions that are one change away from e.
func (s *shortener) changed(e *Expr) []*Expr {
	list := s.changedHere(e)
	for i, x := range e.subs {
		for _, y := range s.changed(x) {
			if s.budget -= rebuilding; s.budget < 0 {
				return list
			}
			subs := slices.Clone(e.subs)
			subs[i] = y
			list = append(list, s.g.rebuild(e, subs))
		}
	}
	return list
}

// changedHere returns what may stand in the place of e: with an operand less,
// with another repetition, or with a repetition moved inward.
func (s *shortener) changedHere(e *Expr) (list []*Expr) {
	g := s.g
	switch e.op {
	case class:
		list = append(list, g.any())
		if len(e.blocks) > 1 {
			for _, b := range e.blocks[:min(len(e.blocks), manyBlocks)] {
				list = append(list, g.class([]int{b}))
			}
		}
	case concat, alternate:
		for i := range e.subs {
			list = append(list, g.rebuild(e, slices.Delete(slices.Clone(e.subs), i, i+1)))
			if e.op == concat && i > 0 && (e.subs[i-1].op == repeat || e.subs[i].op == repeat) {
				list = append(list, s.unite(e, i))
			}
		}
	case repeat:
		x := e.subs[0]
		list = append(list, x, g.opt(x), g.star(x), g.plus(x))
		if x.op == concat {
			list = append(list, s.distribute(x, e)...)
		}
	}
	return list
}

// unite returns e with (x|y)* for its factors x*y or yx*, of which the second is
// at i.
func (s *shortener) unite(e *Expr, i int) *Expr {
	x, _, _ := power(e.subs[i-1])
	y, _, _ := power(e.subs[i])
	subs := slices.Delete(slices.Clone(e.subs), i, i+1)
	subs[i-1] = s.g.star(s.g.alt(x, y))
	return s.g.cat(subs...)
}

// distribute returns what (xy)? may be short for, x?y?; what (xy)* may be,
// (x|y)*; and what (xy)+ may be, (x|y)*y or x(x|y)*.
func (s *shortener) distribute(x, e *Expr) []*Expr {
	g := s.g
	if e.max == 1 {
		subs := make([]*Expr, len(x.subs))
		for i, y := range x.subs {
			subs[i] = g.opt(y)
		}
		return []*Expr{g.cat(subs...)}
	}
	star := g.star(g.alt(x.subs...))
	if e.min == 0 {
		return []*Expr{star}
	}
	n := len(x.subs)
	return []*Expr{g.cat(star, x.subs[n-1]), g.cat(x.subs[0], star)}
}
