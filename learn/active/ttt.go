package active

import (
	"slices"

	"quotient/internal/discrimination"
	"quotient/word"
)

// A ttt is the learner of that name: a spanning tree of access words and a discrimination
// tree. If it keeps the suffixes of counterexamples as they are, it is the learner of Kearns
// and Vazirani.
//
// A transition points to a node of the latter. If that is a leaf, its target is known; if
// it is an inner node, the transition is open: all that is known is that its target lies
// below. A suffix found in a counterexample can be long. Its node is temporary until
// [ttt.finalize] has replaced it by shorter ones.
type ttt struct {
	m       *memory
	h       *hypothesis
	symbols int
	tree    discrimination.Tree
	states  []state
	ways    []transition // states × symbols
	open    []int        // those whose targets are not known
	arrived []int32      // of each leaf, the first of a list of the transitions to it, counted from 1; 0: none
	doubted []bool       // of each node: see [ttt.doubt]
	repeats []bool       // of each node, whether one above it has its suffix
	plain   bool         // all words are in the memory
	keep    bool         // suffixes as they are: then it is the learner of Kearns and Vazirani

	falling []int   // transitions, for sift alone
	kept    []int   // those of them that fall by words that are put into the memory
	asked   []int32 // and these words
}

// A transition. All that is known of it lies in one piece of memory, as those to one state come from anywhere.
type transition struct {
	next    discrimination.Node
	end     int32 // the node of the word that takes it
	beside  int32 // the next one in the list of those that have arrived
	spelled bool  // see [ttt.spell]
}

type state struct {
	node int32 // of its access word, in the memory
	way  int   // the transition of another state that it takes; -1 at the start
}

func newTTT(m *memory, keep bool) *ttt {
	return &ttt{
		m: m, h: newHypothesis(m.q.Alphabet()), symbols: m.q.Alphabet().Len(), tree: discrimination.New(),
		keep: keep, plain: m.all,
	}
}

func (t *ttt) guess() *hypothesis { return t.h }

func (t *ttt) access(q int) word.Word { return t.m.word(t.node(q)) }

func (t *ttt) node(q int) int32 { return t.states[q].node }

func (t *ttt) discriminators() []word.Word { return t.tree.Suffixes() }

// close finds the target of every transition. Transitions stop at temporary nodes as
// long as one of those can be made final, so that few words end in long suffixes.
func (t *ttt) close() error {
	if len(t.states) == 0 {
		answer, err := t.m.ask(nil)
		if err != nil {
			return err
		}
		t.tree.Add(answer[0])
		t.add(state{way: -1}, answer[0])
	}
	for {
		if err := t.m.o.spent(t.m.stats, len(t.states)); err != nil {
			return err
		}
		if _, err := t.sift(false); err != nil {
			return err
		}
		if t.finalize() {
			continue
		}
		if moved, err := t.sift(true); err != nil || !moved {
			return err
		}
	}
}

// add makes a state of the last leaf. Its transitions are open.
func (t *ttt) add(x state, accept bool) {
	t.h.add(accept)
	t.states = append(t.states, x)
	for s := range t.symbols {
		t.open = append(t.open, len(t.ways))
		end := t.m.extend(x.node, word.Word{word.Symbol(s)})
		t.ways = append(t.ways, transition{next: discrimination.Root, end: end, spelled: t.plain})
	}
	more := t.tree.Nodes() - len(t.arrived)
	t.arrived = append(t.arrived, make([]int32, more)...)
	t.doubted, t.repeats = append(t.doubted, make([]bool, more)...), append(t.repeats, make([]bool, more)...)
}

// move lets a transition point to a node, and reports whether that is a leaf: then it has arrived.
func (t *ttt) move(way int, to discrimination.Node) bool {
	t.ways[way].next = to
	q := t.tree.State(to)
	if q >= 0 {
		t.h.lead(way, int(q))
		t.ways[way].beside, t.arrived[to] = t.arrived[to], int32(way+1)
	}
	return q >= 0
}

// sift lets all open transitions fall, each by one node a batch: to the leaves, or if
// temporary nodes are not to be asked, no further than to those. It reports whether any
// has moved. Where the tree has no child yet, there is a new state.
func (t *ttt) sift(through bool) (moved bool, err error) {
	slices.Sort(t.open)
	for {
		answers, err := t.fall(through)
		if err != nil {
			t.open = append(t.open, t.falling...)
		}
		if err != nil || len(answers) == 0 {
			return moved, err
		}
		for i, way := range t.falling {
			to := t.tree.Child(t.ways[way].next, answers[i])
			if to == discrimination.Root { // there is none
				to = t.tree.Add(answers[i])
				t.spell(way)
				t.add(state{t.ways[way].end, way}, answers[i])
				t.m.watch(t.ways[way].end)
			}
			if !t.move(way, to) {
				t.open = append(t.open, way)
			}
		}
		moved = true
	}
}

// fall asks by which words open transitions fall. Those are no longer among the open ones, but in t.falling in the order of
// the answers.
func (t *ttt) fall(through bool) ([]bool, error) {
	open := t.open
	t.open, t.falling, t.kept, t.asked = t.open[:0], t.falling[:0], t.kept[:0], t.asked[:0]
	for _, way := range open {
		x := &t.ways[way]
		if t.tree.Temporary(x.next) && !through {
			t.open = append(t.open, way)
			continue
		}
		suffix, watched := t.tree.Suffix(x.next), t.tree.Temporary(x.next) || t.doubted[x.next]
		if watched || t.repeats[x.next] {
			t.spell(way)
		}
		if !x.spelled && len(suffix) > 0 && t.m.nodes[x.end].first == 0 {
			t.m.pose(x.end, suffix)
			t.falling = append(t.falling, way)
			continue
		}
		word := t.m.extend(x.end, suffix)
		if watched {
			t.m.watch(word)
		}
		t.kept, t.asked = append(t.kept, way), append(t.asked, word)
	}
	t.falling = append(t.falling, t.kept...)
	return t.m.askNodes(t.asked)
}

// split makes a new state of the extension of q by s, which the suffix tells from the
// state r that it has led to. The other ways to r, but for its own, are open again: what
// was the leaf of r is an inner node.
func (t *ttt) split(q int, s word.Symbol, suffix word.Word) error {
	r, made, way := t.h.target(q, s), len(t.states), q*t.symbols+int(s)
	answer, err := askBehind(t.m, t, r, suffix)
	if err != nil {
		return err
	}
	t.spell(way)
	n := t.tree.Split(int32(r), suffix, answer)
	if !t.keep {
		t.tree.SetTemporary(n)
	}
	t.add(state{t.ways[way].end, way}, t.h.Accept[r+1])
	t.compare(n)
	first := t.arrived[n]
	t.arrived[n] = 0
	for first != 0 {
		w := int(first - 1)
		first = t.ways[w].beside
		switch w {
		case way:
			t.move(w, t.tree.Leaf(int32(made)))
		case t.states[r].way:
			t.move(w, t.tree.Leaf(int32(r)))
		default:
			t.open = append(t.open, w)
		}
	}
	t.vouch(made, discrimination.Root)
	return nil
}

// finalize looks for a block, a largest subtree of temporary nodes, and a symbol a by
// which its states lead to both sides of a node that is final, with suffix v. Then av
// tells states of the block apart, and no query is needed to know which. The block
// becomes a final node with suffix av above what is left of the block on both sides.
// It reports whether there was such a block; the shortest suffix is taken.
func (t *ttt) finalize() bool {
	var block, by discrimination.Node // the root is no block
	var on int
	for _, b := range t.tree.Blocks() {
		states := t.tree.States(b)
		for s := range t.symbols {
			n := t.meet(states, s)
			if t.tree.State(n) < 0 && !t.tree.Temporary(n) &&
				(block == discrimination.Root || len(t.tree.Suffix(n)) < len(t.tree.Suffix(by))) {
				block, on, by = b, s, n
			}
		}
	}
	if block == discrimination.Root {
		return false
	}
	suffix, yes := word.Word{word.Symbol(on)}.With(t.tree.Suffix(by)...), t.tree.Child(by, true)
	for _, q := range t.tree.States(block) {
		t.arrivals(q, t.spell)
	}
	t.tree.Replace(block, suffix, func(q int32) bool {
		return t.tree.Meet(t.ways[int(q)*t.symbols+on].next, yes) == yes
	})
	for _, way := range t.open {
		if t.tree.Meet(t.ways[way].next, block) == block {
			t.ways[way].next = block
		}
	}
	t.compare(block)
	for _, q := range t.tree.States(block) {
		t.vouch(int(q), block)
	}
	return true
}

// meet returns the lowest node above all targets of some states by s.
func (t *ttt) meet(states []int32, s int) discrimination.Node {
	n := t.ways[int(states[0])*t.symbols+s].next
	for _, q := range states[1:] {
		n = t.tree.Meet(n, t.ways[int(q)*t.symbols+s].next)
	}
	return n
}

// vouch lets the access word of a state stand for the words of all transitions to it, at every node above its leaf up to one.
func (t *ttt) vouch(q int, top discrimination.Node) {
	for n := t.tree.Leaf(int32(q)); n != top; {
		side := n
		n = t.tree.Parent(n)
		t.stand(q, n, t.tree.Child(n, true) == side)
	}
}

// stand watches the word by which a state passes a node, with an answer. Words that pass temporary nodes are watched
// all, as those are forgotten. At others every transition has passed as its target does: if the hypothesis is right
// about the target's word, it is right about the transition's.
func (t *ttt) stand(q int, n discrimination.Node, accept bool) {
	if t.tree.Temporary(n) {
		return
	}
	t.recall(q, t.tree.Suffix(n))
	if word, known := t.m.known(t.states[q].node, t.tree.Suffix(n)); known && (t.m.nodes[word].answer == yes) == accept {
		t.m.watch(word)
	} else {
		t.doubt(n)
	}
}

// doubt watches all words that pass a node, since one of the states below it was not asked, or has given another answer: it was
// finalize that put it there.
func (t *ttt) doubt(n discrimination.Node) {
	if t.doubted[n] {
		return
	}
	t.doubted[n] = true
	watch := func(way int) {
		t.recall(way/t.symbols, word.Word{word.Symbol(way % t.symbols)}.With(t.tree.Suffix(n)...))
		if word, known := t.m.known(t.ways[way].end, t.tree.Suffix(n)); known {
			t.m.watch(word)
		}
	}
	for _, q := range t.tree.States(n) {
		t.arrivals(q, watch)
	}
	for _, way := range t.open {
		watch(way)
	}
}

// compare looks for the suffix of a node above it. It can stand there where finalize has been mistaken about a state that was not asked.
func (t *ttt) compare(n discrimination.Node) {
	for x := n; x != discrimination.Root; {
		x = t.tree.Parent(x)
		t.repeats[n] = t.repeats[n] || slices.Equal(t.tree.Suffix(x), t.tree.Suffix(n))
	}
}

// arrivals visits the transitions to a state.
func (t *ttt) arrivals(q int32, visit func(way int)) {
	for w := t.arrived[t.tree.Leaf(q)]; w != 0; w = t.ways[w-1].beside {
		visit(int(w - 1))
	}
}

// Most words are asked once, by a transition at a node that it passes, and never met again: they
// were three quarters of the memory, and looking for them half of the time. Such a word is
// not put there. That it was asked, and the answer, is seen from where the transition is. Not so where finalize has put a
// node above it, and where the word may be met again: because it is to be watched, because a node repeats a suffix, because the transition leads to
// a new state, which asks about words behind it. There spell puts the words into the memory.

// spell puts all words by which a transition has passed nodes into the memory, and from now on those
// by which it does.
func (t *ttt) spell(way int) {
	if t.ways[way].spelled {
		return
	}
	for n := t.ways[way].next; n != discrimination.Root; n = t.tree.Parent(n) {
		t.note(way, n)
	}
	t.ways[way].spelled = true
}

// note puts the word by which a transition has come to a node from the one above into the memory. At temporary nodes
// words are kept anyway.
func (t *ttt) note(way int, n discrimination.Node) {
	above := t.tree.Parent(n)
	if !t.tree.Temporary(above) {
		t.m.tell(t.m.extend(t.ways[way].end, t.tree.Suffix(above)), t.tree.Child(above, true) == n)
	}
}

// recall puts a word behind a state into the memory if it was asked by a transition: by the first that is not the
// way to a new state.
func (t *ttt) recall(q int, w word.Word) {
	for i, s := range w {
		way, to := q*t.symbols+int(s), t.h.target(q, s)
		if to >= 0 && t.states[to].way == way {
			q = to
			continue
		}
		for n := t.ways[way].next; n != discrimination.Root && !t.ways[way].spelled; n = t.tree.Parent(n) {
			if slices.Equal(t.tree.Suffix(t.tree.Parent(n)), w[i+1:]) {
				t.note(way, n)
			}
		}
		return
	}
}
