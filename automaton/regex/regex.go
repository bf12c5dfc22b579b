// Package regex reads and writes regular expressions over an alphabet of named
// symbols, turns them into automata and automata back into readable expressions.
//
// # Syntax
//
// From what binds least to what binds most:
//
//	x|y              a word of x or a word of y
//	x&y              a word that is in both
//	xy               a word of x followed by a word of y
//	~x               every word over the alphabet that is not in x
//	x* x+ x?         any number of times, at least once, at most once
//	x{3} x{3,} x{3,5}  three times, at least three times, three to five times
//	(x)              grouping
//	a                the symbol a
//	"NP" "\t"        the symbol of that name, quoted as in Go
//	\* \ε \n \u00e9  the symbol *, ε, the line feed, é; also \t, \r, \xe9, \U0001f600
//	.                any symbol of the alphabet
//	[a-c"NP"]        one of these symbols; a range stands for all its characters
//	[^ab]            any symbol of the alphabet but these
//	ε or ()          the empty word
//	∅                no word at all
//
// So ~ab* is (~a)b*, ~a* is ~(a*), and a|b&c is a|(b&c). Spaces are ignored,
// also within brackets; a symbol called space is written " ". The characters
//
//	| & ~ * + ? { } ( ) [ ] ^ $ . " \ ε ∅
//
// stand for themselves only after a backslash or in quotes; within brackets, that
// is so for [ ] ^ - " \ ε ∅. There are no anchors: an expression always describes whole words. An
// empty alternative as in a| is an error, because it is more often a slip than
// the empty word.
//
// # Guarantees
//
// What [Expr.String] writes, [Parse] reads back as the same expression. Results
// depend on nothing but the arguments. Expressions of strangers are safe:
// nesting, counts and the sizes of results are limited, and a limit that is
// reached is an error that names it.
package regex

import (
	"slices"
	"unicode/utf8"
)

// An Expr is a regular expression. It is immutable.
type Expr struct {
	op   op
	subs []*Expr

	names  []string // of a class: sorted, each once
	except bool     // of a class: all symbols but names
	text   string   // of a class: as it is written
	blocks []int    // of a class that FromDFA made: see algebra

	min, max int // of a repetition; max may be unbounded

	nullable bool   // the empty word is in the language
	cost     int    // characters when written, but for spaces between quoted names
	depth    int    // of the tree
	weight   int    // classes when all repetitions are written out
	hash     uint64 // equal expressions have equal hashes
}

type op uint8

const (
	class      op = iota // one symbol of a set; of the empty set, ∅
	concat               // one after the other; of nothing, ε
	alternate            // at least two
	intersect            // at least two
	repeat               // subs[0], min to max times
	complement           // not subs[0]
)

const unbounded = -1

// newNode returns an expression over subs, which it keeps.
func newNode(o op, subs ...*Expr) *Expr {
	return (&Expr{op: o, subs: subs}).measure()
}

func newRepeat(x *Expr, lo, hi int) *Expr {
	return (&Expr{op: repeat, subs: []*Expr{x}, min: lo, max: hi}).measure()
}

// newClass returns the class of the given names, or of all others.
func newClass(names []string, except bool) *Expr {
	slices.Sort(names)
	e := &Expr{op: class, names: slices.Compact(names), except: except}
	e.text = classText(e.names, except)
	return e.measure()
}

// join returns the concatenation, alternation or intersection of subs, without
// an operator where there is one operand, and without nesting it in itself.
func join(o op, subs []*Expr) *Expr {
	flat := make([]*Expr, 0, len(subs))
	for _, x := range subs {
		if x.op == o {
			flat = append(flat, x.subs...)
		} else {
			flat = append(flat, x)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return newNode(o, flat...)
}

// measure fills in the fields that follow from the others.
func (e *Expr) measure() *Expr {
	e.depth, e.weight = 1, 0
	e.hash = mix(uint64(e.op)+1, uint64(e.min)<<32^uint64(e.max))
	for _, x := range e.subs {
		e.depth = max(e.depth, x.depth+1)
		e.weight += x.weight
		e.hash = mix(e.hash, x.hash)
		e.cost += width(x, e.op.operand())
	}
	switch e.op {
	case class:
		e.cost = utf8.RuneCountInString(e.text)
		for _, b := range []byte(e.text) {
			e.hash = mix(e.hash, uint64(b))
		}
	case concat:
		e.nullable = all(e.subs)
		if len(e.subs) == 0 {
			e.cost = 1
		}
	case alternate:
		e.nullable = slices.ContainsFunc(e.subs, func(x *Expr) bool { return x.nullable })
		e.cost += len(e.subs) - 1
	case intersect:
		e.nullable = all(e.subs)
		e.cost += len(e.subs) - 1
	case repeat:
		e.nullable = e.min == 0 || e.subs[0].nullable
		e.weight *= max(e.min, e.max, 1)
		e.cost += len(suffix(e.min, e.max))
	case complement:
		e.nullable = !e.subs[0].nullable
		e.cost++
	}
	e.weight = max(e.weight, 1)
	return e
}

// all reports whether every one of xs has the empty word.
func all(xs []*Expr) bool {
	return !slices.ContainsFunc(xs, func(x *Expr) bool { return !x.nullable })
}

// mix is one step of a multiplicative hash with the constant of splitmix64.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

// equal reports whether x and y are the same expression.
func equal(x, y *Expr) bool {
	if x == y {
		return true
	}
	return x.hash == y.hash && x.op == y.op && x.min == y.min && x.max == y.max &&
		x.text == y.text && slices.EqualFunc(x.subs, y.subs, equal)
}

// Symbols returns the names that the expression mentions, sorted. An alphabet of
// at least these is needed to compile it. A dot mentions nothing, a range all its
// characters, and [^ab] mentions a and b.
func (e *Expr) Symbols() []string {
	seen := make(map[string]bool)
	e.walk(func(x *Expr) {
		for _, name := range x.names {
			seen[name] = true
		}
	})
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// walk calls visit for e and everything in it.
func (e *Expr) walk(visit func(*Expr)) {
	visit(e)
	for _, x := range e.subs {
		x.walk(visit)
	}
}
