package automaton

import (
	"slices"

	"quotient/word"
)

// Distinguish returns a shortest word that exactly one of the two automata
// accepts, and reports whether there is one. It panics if the alphabets differ;
// see [DFA.WithAlphabet].
//
// It is the algorithm of Hopcroft and Karp (1971): suppose that the starts are
// equivalent, follow what that implies, and stop at a contradiction. Pairs that
// follow from earlier ones by transitivity are skipped, so at most as many pairs
// are visited as there are states in both. Breadth first, the first
// contradiction is a shortest one all the same: if a skipped pair differs on a
// word, so does one of the pairs that it follows from, and those were all found
// at least as early.
func Distinguish(a, b *DFA) (word.Word, bool) {
	if !a.Alphabet.Equal(b.Alphabet) {
		panic("automaton: Distinguish needs automata over one alphabet")
	}
	k := a.Alphabet.Len()
	same := newClasses(len(a.Accept) + len(b.Accept))
	queue := []suspect{{p: a.Start, q: b.Start, parent: -1}}
	same.join(int32(a.Start), int32(b.Start)+int32(len(a.Accept)))
	for i := 0; i < len(queue); i++ {
		p, q := queue[i].p, queue[i].q
		if a.Accept[p] != b.Accept[q] {
			return retrace(queue, i), true
		}
		for s := range k {
			to := suspect{
				p:      a.Table[int(p)*k+s],
				q:      b.Table[int(q)*k+s],
				parent: int32(i),
				on:     word.Symbol(s),
			}
			if same.join(int32(to.p), int32(to.q)+int32(len(a.Accept))) {
				queue = append(queue, to)
			}
		}
	}
	return nil, false
}

// A suspect is a pair of states that must be equivalent if the starts are.
type suspect struct {
	p, q   State
	parent int32 // index of the pair that led here, -1 at the start
	on     word.Symbol
}

// retrace returns the word that leads to queue[i].
func retrace(queue []suspect, i int) word.Word {
	var w word.Word
	for ; queue[i].parent >= 0; i = int(queue[i].parent) {
		w = append(w, queue[i].on)
	}
	slices.Reverse(w)
	return w
}

// classes is a union-find structure over the numbers 0 to n-1.
type classes []int32 // the parent of each number, or -size for a root

func newClasses(n int) classes {
	c := make(classes, n)
	for i := range c {
		c[i] = -1
	}
	return c
}

func (c classes) find(x int32) int32 {
	for c[x] >= 0 {
		if up := c[c[x]]; up >= 0 {
			c[x] = up // path halving
		}
		x = c[x]
	}
	return x
}

// join unites the classes of x and y and reports whether they were two.
func (c classes) join(x, y int32) bool {
	x, y = c.find(x), c.find(y)
	if x == y {
		return false
	}
	if c[x] > c[y] {
		x, y = y, x
	}
	c[x] += c[y]
	c[y] = x
	return true
}
