package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/prefix"
	"quotient/word"
)

// A learner is a hypothesis about the network and the evidence for it.
//
// A state of the hypothesis is a group of the tree, and has a representative: a
// word, and the state in which it leaves the network. Where a symbol leads from
// there is decided by sifting the network's next state down the tree. So every
// transition answers as its target does at every node that it passed.
type learner struct {
	tree
	k      int         // symbols
	access []word.Word // of each representative; the first is the empty word
	accept []bool
	state  f32.Matrix // representatives × dim
	next   []int32    // representatives × k; the representative that a symbol leads to
	done   int        // representatives whose transitions are known
}

func newLearner(r prefix.Recognizer) *learner {
	l := &learner{
		tree:  tree{r: r, nodes: []node{{parent: -1, group: -1}}, asked: new(int)},
		k:     r.Alphabet().Len(),
		state: f32.Matrix{Cols: r.Dim(), Stride: r.Dim()},
	}
	start := f32.New(1, r.Dim())
	r.Start(start.Row(0))
	accept := prefix.Answers(r, start)[0]
	l.hang(l.open(nil, start.Row(0), accept), 0, accept)
	l.close()
	return l
}

// clone returns a learner of its own that knows the same.
func (l *learner) clone() *learner {
	c := *l
	c.access, c.accept = slices.Clone(l.access), slices.Clone(l.accept)
	c.state.Data = slices.Clone(l.state.Data)
	c.next, c.nodes, c.leaf = slices.Clone(l.next), slices.Clone(l.nodes), slices.Clone(l.leaf)
	return &c
}

// open makes a representative.
func (l *learner) open(access word.Word, state []float32, accept bool) int32 {
	l.access = append(l.access, access)
	l.accept = append(l.accept, accept)
	l.state.Append(state)
	l.next = append(l.next, make([]int32, l.k)...)
	l.leaf = append(l.leaf, 0)
	return int32(len(l.access) - 1)
}

// hang gives a representative its leaf below an inner node.
func (l *learner) hang(rep, below int32, answer bool) {
	l.leaf[rep] = int32(len(l.nodes))
	l.nodes[below].child[side(answer)] = l.leaf[rep]
	l.nodes = append(l.nodes, node{parent: below, group: rep})
}

func side(answer bool) int {
	if answer {
		return 1
	}
	return 0
}

// successors returns the network's states after the transitions, numbered as in
// next.
func (l *learner) successors(transitions []int32) f32.Matrix {
	rows := make([]int, len(transitions))
	on := make([]word.Symbol, len(transitions))
	for i, t := range transitions {
		rows[i], on[i] = int(t)/l.k, word.Symbol(int(t)%l.k)
	}
	return step(l.r, l.state, rows, on)
}

// close finds the transitions of all representatives that lack them. Sifting can
// open a representative only where an answer was never met before.
func (l *learner) close() {
	for l.done < len(l.access) {
		batch := max(1, 4096/max(l.k, 1))
		to := min(l.done+batch, len(l.access))
		var open []int32
		for t := l.done * l.k; t < to*l.k; t++ {
			open = append(open, int32(t))
		}
		states := l.successors(open)
		l.done = to
		for i, rep := range l.sift(states) {
			t := open[i]
			if rep < 0 {
				rep = l.first(t, states.Row(i))
			}
			l.next[t] = rep
		}
	}
}

// first opens the representative of an answer that no other gave, unless an
// earlier transition of the same batch has done so.
func (l *learner) first(t int32, state []float32) int32 {
	answer := !l.accept[0]
	if at := l.nodes[0].child[side(answer)]; at != 0 {
		return l.nodes[at].group
	}
	rep := l.open(extend(l.access[int(t)/l.k], int(t)%l.k), state, answer)
	l.hang(rep, 0, answer)
	return rep
}

func extend(w word.Word, s int) word.Word { return append(w[:len(w):len(w)], word.Symbol(s)) }

// A blame is a transition whose target is wrong: after one more suffix the state
// that it leads to gives the answer, and its target gives the other.
type blame struct {
	transition int32
	suffix     word.Word
	answer     bool
}

// blame finds the transitions that are to blame for doubts: after the word x and
// then v the network answers otherwise than after the access word of the
// representative to which x leads, and then v. A doubt without foundation has a
// transition of -1.
//
// Replace ever longer prefixes of x by the access words of the representatives
// that they lead to. Somewhere the answer changes, and there a transition leads to
// a representative that the rest of the word tells from its true target: the
// decomposition of Rivest and Schapire, "Inference of finite automata using
// homing sequences" (1993). They search by bisection; all answers are one batch
// here, and so the last change is taken, where the rest is shortest.
func (l *learner) blame(doubts []doubt) []blame {
	var path []int // representatives along all words
	var suffixes []word.Word
	for _, d := range doubts {
		whole := slices.Concat(d.x, d.v)
		at := 0
		for i := range len(d.x) + 1 {
			path, suffixes = append(path, at), append(suffixes, whole[i:])
			if i < len(d.x) {
				at = int(l.next[at*l.k+int(d.x[i])])
			}
		}
	}
	answers := l.ask(l.state, path, suffixes)
	blames := make([]blame, len(doubts))
	begin := 0
	for j, d := range doubts {
		blames[j].transition = -1
		for i := begin + len(d.x) - 1; i >= begin; i-- {
			if answers[i] != answers[i+1] {
				blames[j] = blame{int32(path[i]*l.k + int(d.x[i-begin])), suffixes[i+1], answers[i]}
				break
			}
		}
		begin += len(d.x) + 1
	}
	return blames
}

// refine splits the transition that is to blame for a doubt, and reports whether
// there is one.
func (l *learner) refine(x, v word.Word) bool {
	b := l.blame([]doubt{{x, v}})[0]
	if b.transition >= 0 {
		l.split(b)
	}
	return b.transition >= 0
}

// split makes the state after a transition a representative of its own. All
// transitions to its target until now are decided anew.
func (l *learner) split(b blame) {
	t, q := int(b.transition), l.next[b.transition]
	at := l.leaf[q]
	l.nodes[at].suffix, l.nodes[at].group = b.suffix, -1
	p := l.open(extend(l.access[t/l.k], t%l.k), l.successors([]int32{b.transition}).Row(0), l.accept[q])
	l.hang(p, at, b.answer)
	l.hang(q, at, !b.answer)
	l.decide(at, p, q)
	l.close()
	l.shorten(at, p, q)
}

// decide sends all transitions that lead to p or q, the leaves below a node, to
// the one that answers as they do.
func (l *learner) decide(at, p, q int32) {
	var into []int32
	for t, to := range l.next[:l.done*l.k] {
		if to == p || to == q {
			into = append(into, int32(t))
		}
	}
	rows := make([]int, len(into))
	suffixes := make([]word.Word, len(into))
	for i := range into {
		rows[i], suffixes[i] = i, l.nodes[at].suffix
	}
	for i, answer := range l.ask(l.successors(into), rows, suffixes) {
		l.next[into[i]] = l.nodes[l.nodes[at].child[side(answer)]].group
	}
}

// shorten replaces the suffix that tells p from q by a shorter one, where a symbol
// leads from them to representatives that a shorter one tells apart: the idea of
// Isberner, Howar and Steffen, "The TTT algorithm" (2014). Networks err on
// long words, so short evidence is better evidence.
func (l *learner) shorten(at, p, q int32) {
	for {
		best, on := -1, 0
		for s := range l.k {
			a, b := l.next[int(p)*l.k+s], l.next[int(q)*l.k+s]
			if a == b {
				continue
			}
			if n := len(l.apart(a, b)) + 1; best < 0 || n < best {
				best, on = n, s
			}
		}
		if best < 0 || best >= len(l.nodes[at].suffix) {
			return
		}
		rest := l.apart(l.next[int(p)*l.k+on], l.next[int(q)*l.k+on])
		suffix := append(word.Word{word.Symbol(on)}, rest...)
		answers := l.ask(l.state, []int{int(p), int(q)}, []word.Word{suffix, suffix})
		if answers[0] == answers[1] {
			return
		}
		l.nodes[at].suffix = suffix
		l.nodes[at].child[side(answers[0])] = l.leaf[p]
		l.nodes[at].child[side(answers[1])] = l.leaf[q]
		l.decide(at, p, q)
	}
}

// dfa returns the hypothesis as an automaton: representative i is state i+1.
func (l *learner) dfa() *automaton.DFA {
	d := automaton.NewDFA(l.r.Alphabet(), len(l.access))
	copy(d.Accept[1:], l.accept)
	for t, to := range l.next {
		d.SetNext(automaton.State(t/l.k+1), word.Symbol(t%l.k), automaton.State(to+1))
	}
	return d
}

// run returns the representative that a word leads to.
func (l *learner) run(w word.Word) int {
	at := 0
	for _, s := range w {
		at = int(l.next[at*l.k+int(s)])
	}
	return at
}
