// Package prune gives up states of an automaton as long as words say the same: what a learner found because a network errs on
// rare words goes, and what many words need stays.
package prune

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"quotient/automaton"
	"quotient/internal/parallel"
	"quotient/oracle"
	"quotient/word"
)

// A Pruning is an automaton whose states are given up one after the other.
type Pruning struct {
	May  float64     // weight of words that may go wrong for a state that is given up; a kind of words weighs 1
	Step func()      // hears of every state that was given up; nil: nobody does
	Stop func() bool // reports whether nobody waits for the result; nil: never

	d      *automaton.DFA
	words  []word.Word
	accept []bool
	weight []float64 // of each word: those of one kind have the same, and sum to one
}

const (
	rounding     = 1e-12 // of sums of weights
	worthSharing = 40000 // words that are worth another thread, from one state on
	passing      = 256   // and as a whole; a multiple of 64
	farthest     = 16    // states are tried ahead of their turn
)

// New returns a pruning of a copy of d, with no words yet.
func New(d *automaton.DFA) *Pruning {
	copied := *d
	copied.Accept, copied.Table = slices.Clone(d.Accept), slices.Clone(d.Table)
	return &Pruning{d: &copied}
}

// Add adds words of one kind, with the answers that the automaton should give.
func (m *Pruning) Add(s oracle.Set) {
	for i, w := range s.Words {
		m.words, m.accept = append(m.words, w), append(m.accept, s.Accept[i])
		m.weight = append(m.weight, 1/float64(len(s.Words)))
	}
}

// Probe adds words that object to nothing, as all of them together weigh less than any other. They decide which state is to stand for
// another one where no other word says so: few visit the states that are given up first.
func (m *Pruning) Probe(s oracle.Set) {
	if len(m.weight) == 0 || len(s.Words) == 0 {
		return
	}
	all := slices.Min(m.weight) / 2
	m.May += all
	m.words, m.accept = append(m.words, s.Words...), append(m.accept, s.Accept...)
	for range s.Words {
		m.weight = append(m.weight, all/float64(len(s.Words)))
	}
}

// Left returns what is left so far, minimal.
func (m *Pruning) Left() *automaton.DFA { return automaton.Minimize(m.d) }

// Run gives up states, those first that the fewest words visit, as long as no more words go
// wrong than may, and somebody waits for the result. One by one, whatever leads to such a state leads to
// another one instead, the one with which the fewest words go wrong. It returns what is left, minimal.
func (m *Pruning) Run() *automaton.DFA {
	for merged := true; merged; {
		merged = false
		through := m.visits()
		order := m.reachable()
		count := make([]int, m.d.Len()+1)
		for _, q := range order {
			count[q] = through.count(q)
		}
		slices.SortStableFunc(order, func(a, b automaton.State) int { return cmp.Compare(count[a], count[b]) })
		for len(order) > 0 {
			trials := m.try(order[:min(farthest, len(order))], through)
			if len(trials) == 0 {
				return m.Left()
			}
			order = order[len(trials):]
			if last := trials[len(trials)-1]; last.ok {
				m.giveUp(last, through)
				merged = true
			}
		}
	}
	return m.Left()
}

// A trial is an attempt to give up a state.
type trial struct {
	q, to automaton.State // to can stand for q
	ok    bool            // if there is such a state
	words []int32         // that pass through q
}

// try tries to give up states, on different cores, up to the first that can be: what was found out about those behind it is void then, and such trials end at once. If nobody waits any more, there are none. Where states are given up
// one after the other that is in vain; but mostly few can be.
func (m *Pruning) try(list []automaton.State, through visited) []trial {
	states := m.reachable()
	trials := make([]trial, len(list))
	var first atomic.Int64 // that can be given up
	first.Store(int64(len(list)))
	parallel.Do(0, len(list), func(k int) {
		void := func() bool {
			if int64(k) <= first.Load() && m.stopped() {
				lower(&first, -1)
			}
			return int64(k) > first.Load()
		}
		if void() {
			return
		}
		x := trial{q: list[k], words: through.words(list[k])}
		x.to, x.ok = m.instead(x.q, states, x.words, void)
		trials[k] = x
		if x.ok {
			lower(&first, k)
		}
	})
	return trials[:min(len(list), int(first.Load())+1)]
}

// lower makes a number no larger than n.
func lower(number *atomic.Int64, n int) {
	for old := number.Load(); int64(n) < old && !number.CompareAndSwap(old, int64(n)); old = number.Load() {
	}
}

// giveUp leads what leads to a state elsewhere, as a trial has found out.
func (m *Pruning) giveUp(x trial, through visited) {
	for _, i := range x.words {
		m.leave(through, i)
	}
	m.redirect(x.q, x.to)
	for _, i := range x.words {
		m.enter(through, i)
	}
	if m.Step != nil {
		m.Step()
	}
}

// reachable returns the states that can be reached, the dead one left out.
func (m *Pruning) reachable() []automaton.State {
	seen := make([]bool, m.d.Len()+1)
	seen[automaton.Dead] = true
	var list []automaton.State
	add := func(q automaton.State) {
		if !seen[q] {
			seen[q] = true
			list = append(list, q)
		}
	}
	add(m.d.Start)
	for i := 0; i < len(list); i++ {
		for _, q := range m.d.Row(list[i]) {
			add(q)
		}
	}
	return list
}

// A visited is a set of words for every state, those that pass through it: a bit for each word. So words leave and enter it at the price of reading them.
type visited [][]uint64 // states × words / 64

// visits returns the words that pass through every state.
func (m *Pruning) visits() visited {
	v := make(visited, m.d.Len()+1)
	for q := range v {
		v[q] = make([]uint64, (len(m.words)+63)/64)
	}
	parallel.Stretches(len(m.words), passing, func(from, to int) { // which share no number
		for i := from; i < to; i++ {
			m.enter(v, int32(i))
		}
	})
	return v
}

// enter puts a word into the sets of the states that it passes through.
func (m *Pruning) enter(v visited, i int32) {
	at, bit := int(i)/64, uint64(1)<<(i%64)
	q := m.d.Start
	v[q][at] |= bit
	for _, s := range m.words[i] {
		q = m.d.Next(q, s)
		v[q][at] |= bit
	}
}

// leave takes it out of them.
func (m *Pruning) leave(v visited, i int32) {
	at, bit := int(i)/64, uint64(1)<<(i%64)
	q := m.d.Start
	v[q][at] &^= bit
	for _, s := range m.words[i] {
		q = m.d.Next(q, s)
		v[q][at] &^= bit
	}
}

// words returns those that pass through a state, in order.
func (v visited) words(q automaton.State) []int32 {
	list := make([]int32, 0, v.count(q))
	for at, set := range v[q] {
		for ; set != 0; set &= set - 1 {
			list = append(list, int32(at*64+bits.TrailingZeros64(set)))
		}
	}
	return list
}

// count returns how many they are.
func (v visited) count(q automaton.State) int {
	n := 0
	for _, set := range v[q] {
		n += bits.OnesCount64(set)
	}
	return n
}

// instead looks for the state that can stand for q, until its answer would be void.
func (m *Pruning) instead(q automaton.State, states []automaton.State, words []int32, void func() bool) (automaton.State, bool) {
	if !slices.Contains(states, q) {
		return 0, false // it is gone with another one
	}
	before := 0.0
	rest, wrong := m.behind(words, q)
	for k, i := range words {
		if wrong[k] {
			before += m.weight[i]
		}
	}
	most := before + m.May + rounding
	others := m.alike(q, states)
	cost := slices.Repeat([]float64{math.Inf(1)}, len(others))
	var free atomic.Int64 // the first state with which no word goes wrong: none behind it is better
	free.Store(int64(len(others)))
	stretch := max(8, worthSharing/max(1, len(words))) // states that a thread tries
	parallel.Stretches(len(others), stretch, func(from, to int) {
		order := make([]int, len(words))
		for k := range order {
			order[k] = k
		}
		for i := from; i < to && int64(i) < free.Load() && !void(); i++ {
			if cost[i] = m.cost(q, others[i], words, rest, order, most); cost[i] == 0 {
				lower(&free, i)
			}
		}
	})
	best := 0
	for i := range others {
		if cost[i] < cost[best] {
			best = i
		}
	}
	return others[best], cost[best] <= most && !void()
}

// cost returns the weight of the words that go wrong if the state to stands for q, or infinity if that is over a limit. What went wrong with one
// state mostly does with the next, so these words come first in the order, which is changed, and mostly few have to be followed.
func (m *Pruning) cost(q, to automaton.State, words []int32, rest []word.Word, order []int, most float64) float64 {
	wrong, sum := 0, 0.0
	for n, k := range order {
		if m.accepts(rest[k], q, to) == m.accept[words[k]] {
			continue
		}
		order[wrong], order[n] = k, order[wrong]
		wrong++
		if sum += m.weight[words[k]]; sum > most {
			return math.Inf(1)
		}
	}
	slices.Sort(order[:wrong]) // a sum is the same whatever was tried before
	sum = 0
	for _, k := range order[:wrong] {
		sum += m.weight[words[k]]
	}
	return sum
}

func (m *Pruning) stopped() bool { return m.Stop != nil && m.Stop() }

// alike returns the other states, and the dead one, those first that are most like q by their
// answer and by where symbols lead.
func (m *Pruning) alike(q automaton.State, states []automaton.State) []automaton.State {
	others := append([]automaton.State{automaton.Dead}, states...)
	others = slices.DeleteFunc(others, func(x automaton.State) bool { return x == q })
	same := make([]int, m.d.Len()+1)
	row := m.d.Row(q)
	for _, x := range others {
		if m.d.Accept[x] == m.d.Accept[q] {
			same[x] += len(row)
		}
		for s, to := range m.d.Row(x) {
			if to == row[s] {
				same[x]++
			}
		}
	}
	slices.SortStableFunc(others, func(a, b automaton.State) int { return same[b] - same[a] })
	return others
}

// behind returns of words that pass through q what follows the first visit, and whether the automaton errs on them.
func (m *Pruning) behind(words []int32, q automaton.State) (rest []word.Word, wrong []bool) {
	rest, wrong = make([]word.Word, len(words)), make([]bool, len(words))
	parallel.Stretches(len(words), passing, func(from, to int) {
		for k := from; k < to; k++ {
			w, at := m.words[words[k]], m.d.Start
			for at != q {
				at = m.d.Next(at, w[0])
				w = w[1:]
			}
			rest[k] = w
			for _, s := range w {
				at = m.d.Next(at, s)
			}
			wrong[k] = m.d.Accept[at] != m.accept[words[k]]
		}
	})
	return rest, wrong
}

// accepts answers for the rest of a word, from the state to, which stands for q.
func (m *Pruning) accepts(rest word.Word, q, to automaton.State) bool {
	at := to
	for _, s := range rest {
		if at = m.d.Next(at, s); at == q {
			at = to
		}
	}
	return m.d.Accept[at]
}

func (m *Pruning) redirect(q, to automaton.State) {
	if m.d.Start == q {
		m.d.Start = to
	}
	for i, x := range m.d.Table {
		if x == q {
			m.d.Table[i] = to
		}
	}
}
