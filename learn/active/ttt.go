package active

import (
	"context"

	"quotient/word"
)

// A tree is the learner TTT: a spanning tree of access words and a discrimination
// tree. An inner node of the latter asks whether its suffix leads to acceptance, a leaf
// is a state. The root's suffix is empty.
//
// A transition points to a node. If that is a leaf, its target is known; if it is an
// inner node, the transition is open: all that is known is that its target lies below.
// A suffix found in a counterexample can be long. Its node is temporary until
// [tree.finalize] has replaced it by shorter ones.
type tree struct {
	m       *memory
	symbols int
	root    *node
	states  []leafState
}

type leafState struct {
	word   word.Word // its access word: that of the parent state, and one symbol
	parent int       // -1 at the start
	accept bool
	leaf   *node
	next   []*node // one a symbol
}

type node struct {
	parent *node
	child  [2]*node // where the suffix is rejected, and where it is accepted
	suffix word.Word
	temp   bool
	state  int // -1 of an inner node
}

func newTree(m *memory, symbols int) *tree {
	return &tree{m: m, symbols: symbols, root: &node{state: -1}}
}

func (t *tree) size() int { return len(t.states) }

func (t *tree) access(q int) word.Word { return t.states[q].word }

func (t *tree) accepts(q int) bool { return t.states[q].accept }

func (t *tree) target(q int, s word.Symbol) int { return t.states[q].next[s].state }

func (t *tree) discriminators() []word.Word { return suffixes(nil, t.root) }

func suffixes(all []word.Word, n *node) []word.Word {
	if n == nil || n.state >= 0 {
		return all
	}
	return suffixes(suffixes(append(all, n.suffix), n.child[0]), n.child[1])
}

// close finds the target of every transition. Transitions stop at temporary nodes as
// long as one of those can be made final, so that few words end in long suffixes.
func (t *tree) close(ctx context.Context) error {
	if len(t.states) == 0 {
		answer, err := t.m.ask(ctx, []word.Word{nil})
		if err != nil {
			return err
		}
		t.add(-1, nil, answer[0], t.root)
	}
	for {
		if err := t.m.o.spent(t.m.stats, t.size()); err != nil {
			return err
		}
		if _, err := t.sift(ctx, false); err != nil {
			return err
		}
		if t.finalize() {
			continue
		}
		if moved, err := t.sift(ctx, true); err != nil || !moved {
			return err
		}
	}
}

// add makes a state, whose leaf is a child of the given node: on the side of its
// answer.
func (t *tree) add(parent int, access word.Word, accept bool, above *node) *node {
	leaf := &node{parent: above, state: len(t.states)}
	next := make([]*node, t.symbols)
	for s := range next {
		next[s] = t.root
	}
	t.states = append(t.states, leafState{word: access, parent: parent, accept: accept, leaf: leaf, next: next})
	if above == t.root {
		above.child[side(accept)] = leaf
	}
	return leaf
}

func side(accept bool) int {
	if accept {
		return 1
	}
	return 0
}

// sift lets all open transitions fall, each by one node a batch: to the leaves, or if
// temporary nodes are not to be asked, no further than to those. It reports whether any
// has moved. Where the tree has no child yet, there is a new state.
func (t *tree) sift(ctx context.Context, through bool) (moved bool, err error) {
	type transition struct {
		from int
		on   word.Symbol
	}
	for {
		var open []transition
		var words []word.Word
		for q, x := range t.states {
			for s, n := range x.next {
				if n.state < 0 && (through || !n.temp) {
					open = append(open, transition{q, word.Symbol(s)})
					words = append(words, extend(extend(x.word, word.Symbol(s)), n.suffix...))
				}
			}
		}
		if len(open) == 0 {
			return moved, nil
		}
		answers, err := t.m.ask(ctx, words)
		if err != nil {
			return moved, err
		}
		for i, o := range open {
			at := &t.states[o.from].next[o.on]
			to := (*at).child[side(answers[i])]
			if to == nil { // only the root can lack a child
				to = t.add(o.from, extend(t.states[o.from].word, o.on), answers[i], t.root)
			}
			t.states[o.from].next[o.on] = to
		}
		moved = true
	}
}

// split makes a new state of the extension of q by s, which the suffix tells from the
// state r that it has led to. All other ways to r are open again.
func (t *tree) split(ctx context.Context, q int, s word.Symbol, suffix word.Word) error {
	r := t.target(q, s)
	answer, err := t.m.ask(ctx, []word.Word{extend(t.states[r].word, suffix...)})
	if err != nil {
		return err
	}
	old := t.states[r].leaf
	inner := &node{parent: old.parent, suffix: suffix, temp: true, state: -1}
	old.parent.replace(old, inner)
	for p := range t.states {
		for x, n := range t.states[p].next {
			if n == old && !t.isTree(p, word.Symbol(x), r) {
				t.states[p].next[x] = inner
			}
		}
	}
	made := t.add(q, extend(t.states[q].word, s), t.states[r].accept, inner)
	t.states[q].next[s] = made
	old.parent = inner
	inner.child[side(answer[0])], inner.child[side(!answer[0])] = old, made
	return nil
}

// isTree reports whether the transition of p by s belongs to the spanning tree and
// leads to r.
func (t *tree) isTree(p int, s word.Symbol, r int) bool {
	x := &t.states[r]
	return x.parent == p && x.word[len(x.word)-1] == s
}

func (n *node) replace(old, by *node) {
	for i := range n.child {
		if n.child[i] == old {
			n.child[i] = by
		}
	}
}

// finalize looks for a block, a largest subtree of temporary nodes, and a symbol a by
// which its states lead to both sides of a node that is final, with suffix v. Then av
// tells states of the block apart, and no query is needed to know which. The block
// becomes a final node with suffix av above what is left of the block on both sides.
// It reports whether there was such a block; the shortest suffix is taken.
func (t *tree) finalize() bool {
	var block, by *node
	var on word.Symbol
	for _, b := range blocks(nil, t.root) {
		for s := range t.symbols {
			n := t.meet(b, s)
			if n.state < 0 && !n.temp && (by == nil || len(n.suffix) < len(by.suffix)) {
				block, on, by = b, word.Symbol(s), n
			}
		}
	}
	if block == nil {
		return false
	}
	accepts := make([]bool, len(t.states)) // the answer to av, of the states of the block
	for q := range t.states {
		accepts[q] = below(t.states[q].next[on], by.child[1])
	}
	final := &node{parent: block.parent, suffix: extend(word.Word{on}, by.suffix...), state: -1}
	block.parent.replace(block, final)
	gone := map[*node]bool{}
	final.child[0] = restrict(block, accepts, false, gone)
	final.child[1] = restrict(block, accepts, true, gone)
	final.child[0].parent, final.child[1].parent = final, final
	for q := range t.states {
		for s, n := range t.states[q].next {
			if gone[n] {
				t.states[q].next[s] = final
			}
		}
	}
	return true
}

// blocks appends the roots of all blocks below n.
func blocks(all []*node, n *node) []*node {
	switch {
	case n == nil || n.state >= 0:
		return all
	case n.temp:
		return append(all, n)
	}
	return blocks(blocks(all, n.child[0]), n.child[1])
}

// meet returns the lowest node above all targets of the states below n by s.
func (t *tree) meet(n *node, s int) *node {
	if n.state >= 0 {
		return t.states[n.state].next[s]
	}
	return common(t.meet(n.child[0], s), t.meet(n.child[1], s))
}

// common returns the lowest node above both, which may be one of them.
func common(x, y *node) *node {
	dx, dy := x.depth(), y.depth()
	for ; dx > dy; dx-- {
		x = x.parent
	}
	for ; dy > dx; dy-- {
		y = y.parent
	}
	for x != y {
		x, y = x.parent, y.parent
	}
	return x
}

func (n *node) depth() int {
	d := 0
	for ; n.parent != nil; n = n.parent {
		d++
	}
	return d
}

// restrict returns the subtree of n with those states only that have the given answer.
// Inner nodes are made anew, and the old ones are gone.
func restrict(n *node, accepts []bool, only bool, gone map[*node]bool) *node {
	if n.state >= 0 {
		if accepts[n.state] == only {
			return n
		}
		return nil
	}
	gone[n] = true
	x, y := restrict(n.child[0], accepts, only, gone), restrict(n.child[1], accepts, only, gone)
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	inner := &node{suffix: n.suffix, temp: true, state: -1, child: [2]*node{x, y}}
	x.parent, y.parent = inner, inner
	return inner
}

// below reports whether n lies in the subtree of top.
func below(n, top *node) bool {
	for n != nil && n != top {
		n = n.parent
	}
	return n != nil
}
