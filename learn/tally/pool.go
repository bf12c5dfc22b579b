package tally

import (
	"math"
	"slices"

	"quotient/oracle"
	"quotient/prefix"
	"quotient/word"
)

// A life says what is known of the words that a prefix begins.
type life int8

const (
	unknown life = iota // none is accepted, but few were tried
	dead                // none is accepted, and many were tried
	live                // one is accepted
)

// A pool is words that a network has been run on, as a prefix tree, and what became
// of them.
type pool struct {
	words []word.Word
	bases int // the first words: all up to some length
	tree  *prefix.Tree
	life  []life // of each node
}

const (
	bases  = 150 // about as many short words
	run    = 24  // a counter that a short word leaves is counted down
	before = 3   // and a few symbols may stand in between
	grid   = 2 * 40 * 40
)

// mostNumbers bounds the states of a pool's tree: half a gigabyte of them.
const mostNumbers = 1 << 27

// Prefixes returns about how many prefixes the words have on which a counter is looked for over so
// many symbols. It grows with their cube.
func Prefixes(symbols int) int {
	if symbols > 1000 {
		return math.MaxInt
	}
	return max(bases, 1+symbols) * symbols * (run + before*max(0, symbols-1)*run/2)
}

// newPool gathers words that show a counter at work: all short ones, each prolonged
// by runs of one symbol and of two, and long words of two runs.
func newPool(symbols int) *pool {
	p := &pool{words: word.UpTo(symbols, max(bases, 1+symbols))}
	p.bases = len(p.words)
	for _, w := range p.words[:p.bases] {
		for s := range symbols {
			p.words = append(p.words, with(w, word.Symbol(s), run))
			for t := range symbols {
				for n := 1; n <= before && t != s; n++ {
					p.words = append(p.words, with(with(w, word.Symbol(s), n), word.Symbol(t), run/2))
				}
			}
		}
	}
	high := int(math.Sqrt(grid / float64(max(1, symbols*(symbols-1)))))
	for s := range symbols {
		for t := range symbols {
			for n := 1; n <= high && t != s; n++ {
				p.words = append(p.words, with(with(nil, word.Symbol(s), n), word.Symbol(t), high))
			}
		}
	}
	return p
}

// with returns a word with n times a symbol behind it.
func with(w word.Word, s word.Symbol, n int) word.Word {
	longer := append(make(word.Word, 0, len(w)+n), w...)
	for range n {
		longer = append(longer, s)
	}
	return longer
}

// run asks the network.
func (p *pool) run(q *oracle.Inquiry) (err error) {
	if p.tree, err = prefix.Build(q, p.words); err != nil {
		return err
	}
	p.settle(math.MaxInt)
	return nil
}

// upTo returns the pool of the prefixes up to a length. Nodes come level by level, so
// they are the first ones of the tree.
func (p *pool) upTo(length int) *pool {
	t := *p.tree
	end := 1
	for depth := 0; depth < length && end < t.Len(); depth++ {
		end = int(t.First[end])
	}
	t.Parent, t.On, t.Accept, t.State = t.Parent[:end], t.On[:end], t.Accept[:end], t.State.View(0, end)
	t.First = slices.Clone(t.First[:end+1])
	for i, n := range t.First {
		t.First[i] = min(n, prefix.Node(end))
	}
	q := &pool{words: p.words, bases: p.bases, tree: &t}
	q.settle(length)
	return q
}

// settle says which prefixes are alive and which are dead, in a pool of words up to a
// length. Of a prefix longer than half of that too little is known to call it dead:
// what it counted up could not be counted down.
func (p *pool) settle(length int) {
	t := p.tree
	p.life = make([]life, t.Len())
	for n := t.Len() - 1; n >= 0; n-- {
		if t.Accept[n] {
			p.life[n] = live
		}
		if n > 0 && p.life[n] == live {
			p.life[t.Parent[n]] = live
		}
	}
	for _, w := range p.words[:p.bases] {
		if len(w) > length/2 {
			break // the others are no shorter
		}
		n := prefix.Node(0)
		for _, s := range w {
			n = t.Child(n, s)
		}
		if p.life[n] == unknown {
			p.life[n] = dead
		}
	}
	for n := 1; n < t.Len(); n++ {
		if p.life[t.Parent[n]] == dead {
			p.life[n] = dead
		}
	}
}

// alive returns the nodes that are.
func (p *pool) alive() []prefix.Node {
	var list []prefix.Node
	for n, l := range p.life {
		if l == live {
			list = append(list, prefix.Node(n))
		}
	}
	return list
}
