package regex

import (
	"cmp"
	"encoding/binary"
	"slices"

	"quotient/word"
)

// An algebra builds expressions that are simplified as they are built, by laws
// that hold for all languages. Its classes are sets of blocks, a block being
// symbols that the automaton does not tell apart. It builds classes,
// concatenations, alternations and the repetitions ?, * and +, nothing else.
type algebra struct {
	alphabet *word.Alphabet
	blocks   [][]word.Symbol // the symbols of each block
	classes  map[string]*Expr
	none     *Expr // ∅
	epsilon  *Expr // ε
}

func newAlgebra(a *word.Alphabet, blocks [][]word.Symbol) *algebra {
	g := &algebra{alphabet: a, blocks: blocks, classes: make(map[string]*Expr), epsilon: newNode(concat)}
	g.none = g.class(nil)
	return g
}

// class returns the class of some blocks, given in ascending order: as a list of
// its symbols or, where it has most and that is shorter, of those it lacks.
func (g *algebra) class(blocks []int) *Expr {
	var key []byte
	for _, b := range blocks {
		key = binary.AppendUvarint(key, uint64(b))
	}
	if e, ok := g.classes[string(key)]; ok {
		return e
	}
	e := newClass(g.names(blocks), false)
	if 2*len(e.names) > g.alphabet.Len() {
		if others := newClass(g.names(without(len(g.blocks), blocks)), true); others.cost < e.cost {
			e = others
		}
	}
	e.blocks = blocks
	g.classes[string(key)] = e
	return e
}

// names returns the names of all symbols of some blocks.
func (g *algebra) names(blocks []int) []string {
	var names []string
	for _, b := range blocks {
		for _, s := range g.blocks[b] {
			names = append(names, g.alphabet.Name(s))
		}
	}
	return names
}

// without returns the numbers below n that are not in list, which ascends.
func without(n int, list []int) []int {
	var rest []int
	for b := range n {
		if len(list) > 0 && list[0] == b {
			list = list[1:]
		} else {
			rest = append(rest, b)
		}
	}
	return rest
}

// any returns the class of all symbols.
func (g *algebra) any() *Expr {
	return g.class(without(len(g.blocks), nil))
}

// alt returns an expression for the union of xs.
func (g *algebra) alt(xs ...*Expr) *Expr {
	list, epsilon := g.alternatives(xs)
	list = absorb(list)
	list = g.factor(list, false)
	list = g.factor(list, true)
	slices.SortStableFunc(list, compare)
	switch {
	case len(list) == 0 && epsilon:
		return g.epsilon
	case len(list) == 0:
		return g.none
	}
	if epsilon && !slices.ContainsFunc(list, func(x *Expr) bool { return x.nullable }) {
		for i, x := range list {
			if x.op == repeat { // x+, since the others are nullable
				list[i] = g.star(x.subs[0])
				return join(alternate, list)
			}
		}
		return g.opt(join(alternate, list))
	}
	return join(alternate, list)
}

// alternatives returns what xs are unions of, with all single symbols in one
// class and without the empty word, and reports whether that was among them.
func (g *algebra) alternatives(xs []*Expr) (list []*Expr, epsilon bool) {
	var blocks []int
	var add func(x *Expr)
	add = func(x *Expr) {
		switch {
		case x.op == class:
			blocks = append(blocks, x.blocks...)
		case x.op == alternate:
			for _, y := range x.subs {
				add(y)
			}
		case isRepeat(x, 0, 1):
			epsilon = true
			add(x.subs[0])
		case x.op == concat && len(x.subs) == 0:
			epsilon = true
		default:
			list = append(list, x)
		}
	}
	for _, x := range xs {
		add(x)
	}
	if len(blocks) > 0 {
		slices.Sort(blocks)
		list = append(list, g.class(slices.Compact(blocks)))
	}
	return list, epsilon
}

func isRepeat(x *Expr, lo, hi int) bool { return x.op == repeat && x.min == lo && x.max == hi }

// manyAlternatives are too many to compare each with each.
const manyAlternatives = 64

// absorb leaves out alternatives that another one covers. Of many, it leaves it
// to factor to find those that are equal.
func absorb(list []*Expr) []*Expr {
	if len(list) > manyAlternatives {
		return list
	}
	var kept []*Expr
	for _, x := range list {
		if slices.ContainsFunc(kept, func(y *Expr) bool { return covers(y, x) }) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(y *Expr) bool { return covers(x, y) })
		kept = append(kept, x)
	}
	return kept
}

// covers reports whether the form of y alone shows that it has all words of x.
func covers(y, x *Expr) bool {
	switch {
	case equal(x, y):
		return true
	case y.op == class:
		return x.op == class && subset(x.blocks, y.blocks)
	case y.op == alternate:
		return slices.ContainsFunc(y.subs, func(z *Expr) bool { return covers(z, x) })
	case y.op == repeat && y.max == unbounded:
		return (y.nullable || !x.nullable) && generates(y.subs[0], x)
	case y.op == repeat:
		return covers(y.subs[0], x)
	}
	return false
}

// generates reports whether the form of z alone shows that z* has all words of x.
func generates(z, x *Expr) bool {
	if covers(z, x) {
		return true
	}
	return x.op != class && !slices.ContainsFunc(x.subs, func(part *Expr) bool { return !generates(z, part) })
}

// subset reports whether y has all numbers of x; both ascend.
func subset(x, y []int) bool {
	for _, b := range x {
		if _, ok := slices.BinarySearch(y, b); !ok {
			return false
		}
	}
	return true
}

// factor unites alternatives that begin alike, or end alike: ab|ac is a(b|c).
func (g *algebra) factor(list []*Expr, atEnd bool) []*Expr {
	type group struct {
		common *Expr
		rests  []*Expr
	}
	var groups []group
	byHash := make(map[uint64][]int)
	for _, x := range list {
		common, rest := g.cut(x, atEnd)
		i := slices.IndexFunc(byHash[common.hash], func(i int) bool { return equal(groups[i].common, common) })
		if i >= 0 {
			i = byHash[common.hash][i]
			groups[i].rests = append(groups[i].rests, rest)
			continue
		}
		byHash[common.hash] = append(byHash[common.hash], len(groups))
		groups = append(groups, group{common, []*Expr{rest}})
	}
	if len(groups) == len(list) {
		return list
	}
	list = list[:0:0]
	for _, u := range groups {
		rest := g.alt(u.rests...)
		if atEnd {
			list = append(list, g.cat(rest, u.common))
		} else {
			list = append(list, g.cat(u.common, rest))
		}
	}
	return list
}

// cut separates the first or last factor of x from the rest.
func (g *algebra) cut(x *Expr, atEnd bool) (factor, rest *Expr) {
	n := len(x.subs)
	switch {
	case x.op != concat || n == 0:
		return x, g.epsilon
	case atEnd:
		return x.subs[n-1], join(concat, x.subs[:n-1])
	}
	return x.subs[0], join(concat, x.subs[1:])
}

// compare orders alternatives: short ones first.
func compare(x, y *Expr) int {
	if x == y {
		return 0
	}
	return cmp.Or(
		cmp.Compare(x.cost, y.cost),
		cmp.Compare(x.op, y.op),
		cmp.Compare(x.text, y.text),
		cmp.Compare(x.min, y.min),
		cmp.Compare(x.max, y.max),
		slices.CompareFunc(x.subs, y.subs, compare))
}

// cat returns an expression for the words of xs one after the other.
func (g *algebra) cat(xs ...*Expr) *Expr {
	var list []*Expr
	var add func(x *Expr) bool
	add = func(x *Expr) bool {
		if x.op == class && len(x.blocks) == 0 {
			return false
		}
		if x.op == concat {
			return !slices.ContainsFunc(x.subs, func(y *Expr) bool { return !add(y) })
		}
		list = g.push(list, x)
		return true
	}
	for _, x := range xs {
		if !add(x) {
			return g.none
		}
	}
	return join(concat, list)
}

// push appends the factor x to list, and unites it with what stands before it
// where one is a repetition of the other: xx* is x+, x*x? is x*.
func (g *algebra) push(list []*Expr, x *Expr) []*Expr {
	if len(list) > 0 {
		before := list[len(list)-1]
		y, lo, hi := power(before)
		z, lo2, hi2 := power(x)
		switch {
		case !equal(y, z):
		case hi == unbounded || hi2 == unbounded:
			list = list[:len(list)-1]
			for range lo + lo2 - 1 {
				list = append(list, y)
			}
			return append(list, newRepeat(y, min(lo+lo2, 1), unbounded))
		case lo < lo2: // x?x is xx?
			return append(list[:len(list)-1], x, before)
		}
	}
	if isRepeat(x, 0, unbounded) && x.subs[0].op == concat {
		if n := len(list) - len(x.subs[0].subs); n >= 0 && slices.EqualFunc(list[n:], x.subs[0].subs, equal) {
			return append(list[:n], newRepeat(x.subs[0], 1, unbounded))
		}
	}
	list = append(list, x)
	for k := 2; k < min(len(list), maxPeriod+1); k++ {
		n := len(list) - k
		if y := list[n-1]; isRepeat(y, 0, unbounded) && y.subs[0].op == concat && slices.EqualFunc(list[n:], y.subs[0].subs, equal) {
			return append(list[:n-1], newRepeat(y.subs[0], 1, unbounded))
		}
	}
	return list
}

// maxPeriod is the longest concatenation that push looks for behind its star.
const maxPeriod = 16

// power returns x as a repetition of something: of itself, once, if of nothing else.
func power(x *Expr) (base *Expr, lo, hi int) {
	if x.op == repeat {
		return x.subs[0], x.min, x.max
	}
	return x, 1, 1
}

// opt returns an expression for x and the empty word.
func (g *algebra) opt(x *Expr) *Expr {
	switch {
	case x.nullable:
		return x
	case isRepeat(x, 1, unbounded):
		return newRepeat(x.subs[0], 0, unbounded)
	case x.op == class && len(x.blocks) == 0:
		return g.epsilon
	}
	// (xx?)? is x?x?, also where x is a concatenation.
	if m := slices.IndexFunc(x.subs, func(y *Expr) bool { return isRepeat(y, 0, 1) }); x.op == concat && m > 0 {
		once := g.opt(join(concat, x.subs[:m]))
		if !slices.ContainsFunc(x.subs[m:], func(y *Expr) bool { return !equal(y, once) }) {
			return g.cat(append([]*Expr{once}, x.subs[m:]...)...)
		}
	}
	return newRepeat(x, 0, 1)
}

// plus returns an expression for x at least once.
func (g *algebra) plus(x *Expr) *Expr {
	star := g.star(x)
	if x.nullable || star.op != repeat {
		return star
	}
	return newRepeat(star.subs[0], 1, unbounded)
}

// star returns an expression for x any number of times. Within a star, a
// repetition is worth no more than its operand, and a concatenation of parts
// that may all be left out no more than their alternation.
func (g *algebra) star(x *Expr) *Expr {
	var parts []*Expr
	var strip func(x *Expr)
	strip = func(x *Expr) {
		switch {
		case x.op == repeat, x.op == alternate, x.op == concat && x.nullable:
			for _, y := range x.subs {
				strip(y)
			}
		default:
			parts = append(parts, core(x))
		}
	}
	strip(x)
	parts = spanning(parts)
	body := g.alt(parts...)
	switch {
	case body == g.none:
		return g.epsilon
	case body.nullable || body.op == repeat:
		return g.star(body)
	}
	return newRepeat(body, 0, unbounded)
}

// core leaves out the factors at both ends of x that may be left out, if (x)* can
// do without them: (a*b[ab]?)* cannot, (a?[ab]b?)* can. Factors in the middle stay:
// (a(ab)?b)* has aabb, (ab)* does not.
func core(x *Expr) *Expr {
	if x.op != concat {
		return x
	}
	needed := func(y *Expr) bool { return !y.nullable }
	first := slices.IndexFunc(x.subs, needed)
	end := len(x.subs)
	for !needed(x.subs[end-1]) {
		end--
	}
	c := join(concat, x.subs[first:end])
	for _, y := range slices.Concat(x.subs[:first], x.subs[end:]) {
		if !generates(c, y) {
			return x
		}
	}
	return c
}

// spanning leaves out the parts whose words are made of words of the others.
func spanning(parts []*Expr) []*Expr {
	if len(parts) > manyAlternatives {
		return parts
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(x, y *Expr) int { return compare(y, x) })
	for i := 0; i < len(parts); {
		others := newNode(alternate, slices.Delete(slices.Clone(parts), i, i+1)...)
		if generates(others, parts[i]) {
			parts = others.subs
		} else {
			i++
		}
	}
	return parts
}

// reverse returns an expression for the reversed words of x.
func (g *algebra) reverse(x *Expr) *Expr {
	if x.op == class {
		return x
	}
	subs := make([]*Expr, len(x.subs))
	for i, y := range x.subs {
		subs[i] = g.reverse(y)
	}
	if x.op == concat {
		slices.Reverse(subs)
	}
	return g.rebuild(x, subs)
}

// rebuild returns x with other operands, simplified.
func (g *algebra) rebuild(x *Expr, subs []*Expr) *Expr {
	switch {
	case x.op == concat:
		return g.cat(subs...)
	case x.op == alternate:
		return g.alt(subs...)
	case x.max == 1:
		return g.opt(subs[0])
	case x.min == 1:
		return g.plus(subs[0])
	}
	return g.star(subs[0])
}
