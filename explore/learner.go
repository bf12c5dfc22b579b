package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/prefix"
	"quotient/word"
)

// A learner is a hypothesis about the network and the evidence for it: a
// discrimination tree, after Kearns and Vazirani, "An Introduction to
// Computational Learning Theory" (1994).
//
// A state of the hypothesis is a representative: a word, and the state in which
// it leaves the network. Where a symbol leads from there is decided by sifting the
// network's next state down the tree, whose inner nodes ask for the network's
// answer after one more suffix. So any two representatives are told apart by a
// suffix, and every transition answers as its target does at every node that it
// passed.
type learner struct {
	r      prefix.Recognizer
	k      int         // symbols
	access []word.Word // of each representative; the first is the empty word
	accept []bool
	state  f32.Matrix // representatives × dim
	next   []int32    // representatives × k; the representative that a symbol leads to
	done   int        // representatives whose transitions are known
	tree   []node
	leaf   []int32 // node of each representative
	asked  *int    // questions to the network: a representative's word, or one to explore, and a suffix; clones share the count
}

// A node of the tree is inner, with a suffix and what answering no and yes leads
// to, or the leaf of a representative.
type node struct {
	suffix word.Word
	child  [2]int32 // nodes; 0 is none, since the root is nobody's child
	parent int32    // -1 for the root
	rep    int32    // of a leaf; -1 for an inner node
}

func newLearner(r prefix.Recognizer) *learner {
	l := &learner{
		r: r, k: r.Alphabet().Len(), asked: new(int),
		state: f32.Matrix{Cols: r.Dim(), Stride: r.Dim()},
		tree:  []node{{parent: -1, rep: -1}},
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
	c.next, c.tree, c.leaf = slices.Clone(l.next), slices.Clone(l.tree), slices.Clone(l.leaf)
	return &c
}

// open makes a representative.
func (l *learner) open(access word.Word, state []float32, accept bool) int32 {
	l.access = append(l.access, access)
	l.accept = append(l.accept, accept)
	l.state.Data = append(l.state.Data, state...)
	l.state.Rows++
	l.next = append(l.next, make([]int32, l.k)...)
	l.leaf = append(l.leaf, 0)
	return int32(len(l.access) - 1)
}

// hang gives a representative its leaf below an inner node.
func (l *learner) hang(rep, below int32, answer bool) {
	l.leaf[rep] = int32(len(l.tree))
	l.tree[below].child[side(answer)] = l.leaf[rep]
	l.tree = append(l.tree, node{parent: below, rep: rep})
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
	m := f32.New(len(transitions), l.r.Dim())
	on := make([]word.Symbol, m.Rows)
	for i, t := range transitions {
		copy(m.Row(i), l.state.Row(int(t)/l.k))
		on[i] = word.Symbol(int(t) % l.k)
	}
	l.r.Step(m, m, on)
	return m
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
	if at := l.tree[0].child[side(answer)]; at != 0 {
		return l.tree[at].rep
	}
	rep := l.open(extend(l.access[int(t)/l.k], int(t)%l.k), state, answer)
	l.hang(rep, 0, answer)
	return rep
}

func extend(w word.Word, s int) word.Word { return append(w[:len(w):len(w)], word.Symbol(s)) }

// sift returns for every state of the network the representative at whose leaf it
// arrives, or -1 if its answer was never met before.
func (l *learner) sift(states f32.Matrix) []int32 {
	at := make([]int32, states.Rows)
	rep := make([]int32, states.Rows)
	rows := make([]int, states.Rows)
	for i := range rows {
		rows[i] = i
	}
	for len(rows) > 0 {
		suffixes := make([]word.Word, len(rows))
		for j, i := range rows {
			suffixes[j] = l.tree[at[i]].suffix
		}
		keep := 0
		for j, answer := range l.ask(states, rows, suffixes) {
			i := rows[j]
			at[i] = l.tree[at[i]].child[side(answer)]
			switch {
			case at[i] == 0:
				rep[i] = -1
			case l.tree[at[i]].rep >= 0:
				rep[i] = l.tree[at[i]].rep
			default:
				rows[keep] = i
				keep++
			}
		}
		rows = rows[:keep]
	}
	return rep
}

// ask returns the network's answer, for each of some rows of states, after one
// more suffix.
func (l *learner) ask(states f32.Matrix, rows []int, suffixes []word.Word) []bool {
	*l.asked += len(rows)
	answers := make([]bool, len(rows))
	const batch = 1024 // rows that are run together, to bound the memory
	for from := 0; from < len(rows); from += batch {
		to := min(from+batch, len(rows))
		m := f32.New(to-from, states.Cols)
		for i, row := range rows[from:to] {
			copy(m.Row(i), states.Row(row))
		}
		run(l.r, answers[from:to], m, suffixes[from:to])
	}
	return answers
}

// run steps all rows of m through their suffixes side by side, and notes the
// answers as each comes to its end.
func run(r prefix.Recognizer, answers []bool, m f32.Matrix, suffixes []word.Word) {
	running := make([]int, m.Rows) // which suffix each row belongs to
	for i := range running {
		running[i] = i
	}
	on := make([]word.Symbol, m.Rows)
	score := make([]float32, m.Rows)
	for depth := 0; len(running) > 0; depth++ {
		// Rows that are at their end move behind the others.
		keep := 0
		for row, i := range running {
			if depth == len(suffixes[i]) {
				continue
			}
			if keep != row {
				swap(m.Row(keep), m.Row(row))
				running[keep], running[row] = running[row], running[keep]
			}
			on[keep] = suffixes[i][depth]
			keep++
		}
		if ended := m.View(keep, len(running)); ended.Rows > 0 {
			r.Score(score[:ended.Rows], ended)
			for j, i := range running[keep:] {
				answers[i] = score[j] > 0.5
			}
		}
		running = running[:keep]
		if keep > 0 {
			level := m.View(0, keep)
			r.Step(level, level, on[:keep])
		}
	}
}

func swap(x, y []float32) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}

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
	l.tree[at].suffix, l.tree[at].rep = b.suffix, -1
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
		rows[i], suffixes[i] = i, l.tree[at].suffix
	}
	for i, answer := range l.ask(l.successors(into), rows, suffixes) {
		l.next[into[i]] = l.tree[l.tree[at].child[side(answer)]].rep
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
		if best < 0 || best >= len(l.tree[at].suffix) {
			return
		}
		rest := l.apart(l.next[int(p)*l.k+on], l.next[int(q)*l.k+on])
		suffix := append(word.Word{word.Symbol(on)}, rest...)
		answers := l.ask(l.state, []int{int(p), int(q)}, []word.Word{suffix, suffix})
		if answers[0] == answers[1] {
			return
		}
		l.tree[at].suffix = suffix
		l.tree[at].child[side(answers[0])] = l.leaf[p]
		l.tree[at].child[side(answers[1])] = l.leaf[q]
		l.decide(at, p, q)
	}
}

// apart returns the suffix that tells two representatives apart.
func (l *learner) apart(p, q int32) word.Word {
	above := map[int32]bool{}
	for n := l.leaf[p]; n >= 0; n = l.tree[n].parent {
		above[n] = true
	}
	n := l.leaf[q]
	for !above[n] {
		n = l.tree[n].parent
	}
	return l.tree[n].suffix
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
