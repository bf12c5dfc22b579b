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
	symbols int
	tree    discrimination.Tree
	states  []state
	next    []discrimination.Node // states × symbols
	open    []int                 // the transitions whose targets are not known
	into    [][]int               // of each node: transitions that came there, and may have gone on
	keep    bool                  // suffixes as they are: then it is the learner of Kearns and Vazirani
}

type state struct {
	word   word.Word // its access word, which takes a transition of another state
	node   int32     // of that word, in the memory
	way    int       // that transition, numbered as in next; -1 at the start
	accept bool
}

func newTTT(m *memory, symbols int, keep bool) *ttt {
	return &ttt{m: m, symbols: symbols, tree: discrimination.New(), keep: keep}
}

func (t *ttt) size() int { return len(t.states) }

func (t *ttt) access(q int) word.Word { return t.states[q].word }

func (t *ttt) accepts(q int) bool { return t.states[q].accept }

func (t *ttt) target(q int, s word.Symbol) int {
	return int(t.tree.State(t.next[q*t.symbols+int(s)]))
}

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
		t.add(state{way: -1, accept: answer[0]})
	}
	for {
		if err := t.m.o.spent(t.m.stats, t.size()); err != nil {
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
func (t *ttt) add(x state) {
	t.states = append(t.states, x)
	for range t.symbols {
		t.open = append(t.open, len(t.next))
		t.next = append(t.next, discrimination.Root)
	}
}

// move lets a transition point to a node.
func (t *ttt) move(way int, to discrimination.Node) {
	for len(t.into) <= int(to) {
		t.into = append(t.into, nil)
	}
	t.next[way], t.into[to] = to, append(t.into[to], way)
}

// end returns the node of the word that takes a transition.
func (t *ttt) end(way int) int32 {
	return t.m.extend(t.states[way/t.symbols].node, word.Word{word.Symbol(way % t.symbols)})
}

// behind returns a state whose access word takes a transition.
func (t *ttt) behind(way int, accept bool) state {
	return state{t.access(way / t.symbols).With(word.Symbol(way % t.symbols)), t.end(way), way, accept}
}

// sift lets all open transitions fall, each by one node a batch: to the leaves, or if
// temporary nodes are not to be asked, no further than to those. It reports whether any
// has moved. Where the tree has no child yet, there is a new state.
func (t *ttt) sift(through bool) (moved bool, err error) {
	slices.Sort(t.open)
	for {
		var ways, rest []int
		var nodes []int32
		for _, way := range t.open {
			switch n := t.next[way]; {
			case t.tree.State(n) >= 0: // it has arrived
			case through || !t.tree.Temporary(n):
				ways, nodes = append(ways, way), append(nodes, t.m.extend(t.end(way), t.tree.Suffix(n)))
				rest = append(rest, way)
			default:
				rest = append(rest, way)
			}
		}
		if t.open = rest; len(ways) == 0 {
			return moved, nil
		}
		answers, err := t.m.askNodes(nodes)
		if err != nil {
			return moved, err
		}
		for i, way := range ways {
			to := t.tree.Child(t.next[way], answers[i])
			if to == discrimination.Root { // there is none
				to = t.tree.Add(answers[i])
				t.add(t.behind(way, answers[i]))
			}
			t.move(way, to)
		}
		moved = true
	}
}

// split makes a new state of the extension of q by s, which the suffix tells from the
// state r that it has led to. The other ways to r, but for its own, are open again: what
// was the leaf of r is an inner node.
func (t *ttt) split(q int, s word.Symbol, suffix word.Word) error {
	r, made, way := t.target(q, s), t.size(), q*t.symbols+int(s)
	answer, err := t.m.ask(t.access(r).With(suffix...))
	if err != nil {
		return err
	}
	n := t.tree.Split(int32(r), suffix, answer[0])
	if !t.keep {
		t.tree.SetTemporary(n)
	}
	t.add(t.behind(way, t.accepts(r)))
	own := t.states[r].way
	if own >= 0 {
		t.move(own, t.tree.Leaf(int32(r)))
	}
	t.move(way, t.tree.Leaf(int32(made)))
	for _, w := range t.into[n] {
		if t.next[w] == n {
			t.open = append(t.open, w)
		}
	}
	t.into[n] = nil
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
	t.tree.Replace(block, suffix, func(q int32) bool {
		return t.tree.Meet(t.next[int(q)*t.symbols+on], yes) == yes
	})
	for _, way := range t.open {
		if n := t.next[way]; t.tree.State(n) < 0 && t.tree.Meet(n, block) == block {
			t.next[way] = block
		}
	}
	return true
}

// meet returns the lowest node above all targets of some states by s.
func (t *ttt) meet(states []int32, s int) discrimination.Node {
	n := t.next[int(states[0])*t.symbols+s]
	for _, q := range states[1:] {
		n = t.tree.Meet(n, t.next[int(q)*t.symbols+s])
	}
	return n
}
