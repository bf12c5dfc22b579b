package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/discrimination"
	"quotient/oracle"
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
	access []word.Word // of each representative; the first is the empty word
	state  f32.Matrix  // representatives × dim
	next   []int32     // representatives × k; the representative that a symbol leads to
	done   int         // representatives whose transitions are known
}

func newLearner(q *oracle.Inquiry, y *symbols) *learner {
	l := &learner{tree: newTree(q, y, new(int)), state: f32.Matrix{Cols: q.Dim(), Stride: q.Dim()}}
	start := q.Start()
	accept := q.Read(start)[0]
	l.Add(accept)
	l.open(nil, start.Row(0), accept)
	l.close()
	return l
}

// clone returns a learner of its own that knows the same.
func (l *learner) clone() *learner {
	c := *l
	c.access, c.accept = slices.Clone(l.access), slices.Clone(l.accept)
	c.state.Data = slices.Clone(l.state.Data)
	c.next, c.Tree = slices.Clone(l.next), l.Tree.Clone()
	return &c
}

// open makes a representative of the last group.
func (l *learner) open(access word.Word, state []float32, accept bool) int32 {
	l.access = append(l.access, access)
	l.accept = append(l.accept, accept)
	l.state.Append(state)
	l.next = append(l.next, make([]int32, l.k)...)
	return int32(len(l.access) - 1)
}

// successors returns the network's states after the transitions, numbered as in
// next.
func (l *learner) successors(transitions []int32) f32.Matrix {
	rows := make([]int, len(transitions))
	on := make([]word.Symbol, len(transitions))
	for i, t := range transitions {
		rows[i], on[i] = int(t)/l.k, word.Symbol(int(t)%l.k)
	}
	return l.q.StepFrom(l.state, rows, on)
}

// close finds the transitions of all representatives that lack them. Sifting can
// open a representative only where an answer was never met before.
func (l *learner) close() {
	for l.done < len(l.access) {
		batch := max(1, 4096/max(l.k, 1))
		to := min(l.done+batch, len(l.access))
		states := l.q.Successors(l.state.View(l.done, to))
		from := l.done * l.k
		l.done = to
		for i, rep := range l.sift(states, discrimination.Root) {
			t, answer := int32(from+i), !l.accept[0]
			if rep < 0 { // unless an earlier transition of the batch was the first to give this answer
				rep = l.State(l.Child(discrimination.Root, answer))
			}
			if rep < 0 {
				l.Add(answer)
				rep = l.open(l.reach(t), states.Row(i), answer)
			}
			l.next[t] = rep
		}
	}
}

// reach returns the word that takes a transition.
func (l *learner) reach(t int32) word.Word {
	return l.access[int(t)/l.k].With(word.Symbol(int(t) % l.k))
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
// representative to which x leads, and then v. For a doubt without foundation there
// is none.
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
	var blames []blame
	begin := 0
	for _, d := range doubts {
		for i := begin + len(d.x) - 1; i >= begin; i-- {
			if answers[i] != answers[i+1] {
				blames = append(blames, blame{int32(path[i]*l.k + int(d.x[i-begin])), suffixes[i+1], answers[i]})
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
	b := l.blame([]doubt{{x, v}})
	if len(b) > 0 {
		l.split(b[0])
	}
	return len(b) > 0
}

// split makes the state after a transition a representative of its own. All
// transitions to its target until now are decided anew.
func (l *learner) split(b blame) {
	q := l.next[b.transition]
	at := l.Split(q, b.suffix, !b.answer)
	p := l.open(l.reach(b.transition), l.successors([]int32{b.transition}).Row(0), l.accept[q])
	l.decide(at, p, q)
	l.close()
	l.shorten(at, p, q)
}

// decide sends all transitions that lead to p or q, the leaves below a node, to
// the one that answers as they do.
func (l *learner) decide(at discrimination.Node, p, q int32) {
	var into []int32
	for t, to := range l.next[:l.done*l.k] {
		if to == p || to == q {
			into = append(into, int32(t))
		}
	}
	for i, rep := range l.sift(l.successors(into), at) {
		l.next[into[i]] = rep
	}
}

// shorten replaces the suffix that tells p from q by a shorter one, where a symbol
// leads from them to representatives that a shorter one tells apart: the idea of
// Isberner, Howar and Steffen, "The TTT algorithm" (2014). Networks err on
// long words, so short evidence is better evidence.
func (l *learner) shorten(at discrimination.Node, p, q int32) {
	for {
		suffix := l.Suffix(at)
		for s := range l.k {
			a, b := l.next[int(p)*l.k+s], l.next[int(q)*l.k+s]
			if a == b {
				continue
			}
			if rest := l.Apart(a, b); len(rest)+1 < len(suffix) {
				suffix = append(word.Word{word.Symbol(s)}, rest...)
			}
		}
		if len(suffix) == len(l.Suffix(at)) {
			return
		}
		answers := l.ask(l.state, []int{int(p), int(q)}, []word.Word{suffix, suffix})
		if answers[0] == answers[1] {
			return
		}
		l.Replace(at, suffix, func(x int32) bool { return answers[0] == (x == p) })
		l.decide(at, p, q)
	}
}

// dfa returns the hypothesis as an automaton.
func (l *learner) dfa() *automaton.DFA { return l.symbols.tell(l.reduced()) }

// reduced returns it as one whose symbols are the classes of those that are alike.
func (l *learner) reduced() *automaton.DFA { return l.automaton(0, l.next) }

// run returns the representative that a word leads to.
func (l *learner) run(w word.Word) int {
	at := 0
	for _, s := range w {
		at = int(l.next[at*l.k+int(s)])
	}
	return at
}
