package tally

import (
	"cmp"
	"errors"
	"slices"

	"quotient/automaton"
	"quotient/counter"
	"quotient/f32"
	"quotient/word"
)

// A verdict says what is known of acceptance.
type verdict int8

const (
	unseen verdict = iota
	rejects
	accepts
)

// Where a move leads if not to a node.
const (
	nowhere = -1 // it was never seen
	toDead  = -2
)

// A folder merges the nodes of a pool into the states of a counter automaton. With
// the counter given, the zero test stands beside every symbol that is read, so the
// automaton is a finite one that reads pairs of a symbol and a test, and the loop of
// red and blue states applies: a blue state is merged into a red one if the merge,
// carried down until all is deterministic, meets no contradiction; otherwise it
// turns red. See merge/fold.go and Lang, Pearlmutter and Price (1998).
type folder struct {
	pool   *pool
	value  []int // the counter at each node
	parent []int32
	accept [][2]verdict // by test
	life   []life
	next   []int32 // nodes × symbols × 2 by test
	trail  []change
}

// A change is what to undo: one entry of one of the tables.
type change struct {
	parent, accept, life, next int32 // the one that is not negative
	test                       counter.Test
	old                        int32
}

func newFolder(p *pool, value []int) *folder {
	t, k := p.tree, p.tree.Alphabet.Len()
	f := &folder{
		pool: p, value: value,
		parent: make([]int32, t.Len()), accept: make([][2]verdict, t.Len()),
		life: slices.Clone(p.life), next: make([]int32, 2*k*t.Len()),
	}
	for i := range f.next {
		f.next[i] = nowhere
	}
	for n := range t.Len() {
		f.parent[n] = int32(n)
		test := counter.Of(value[n])
		f.accept[n][test] = rejects
		if t.Accept[n] {
			f.accept[n][test] = accepts
		}
		for c := t.First[n]; c < t.First[n+1]; c++ {
			to := int32(c)
			if p.life[c] == dead {
				to = toDead
			}
			f.next[2*(n*k+int(t.On[c]))+int(test)] = to
		}
	}
	return f
}

func (f *folder) find(n int32) int32 {
	for f.parent[n] != n {
		n = f.parent[n]
	}
	return n
}

var none = change{parent: -1, accept: -1, life: -1, next: -1}

func (f *folder) setNext(i, to int32) {
	c := none
	c.next, c.old = i, f.next[i]
	f.trail = append(f.trail, c)
	f.next[i] = to
}

func (f *folder) undo() {
	for _, c := range slices.Backward(f.trail) {
		switch {
		case c.parent >= 0:
			f.parent[c.parent] = c.old
		case c.accept >= 0:
			f.accept[c.accept][c.test] = verdict(c.old)
		case c.life >= 0:
			f.life[c.life] = life(c.old)
		default:
			f.next[c.next] = c.old
		}
	}
	f.trail = f.trail[:0]
}

// merge makes a and b one, and what follows them, and reports whether that meets no
// contradiction. If it does, the changes are to be undone.
func (f *folder) merge(a, b int32) bool {
	a, b = f.find(a), f.find(b)
	if a == b {
		return true
	}
	for _, t := range counter.Tests {
		x, y := f.accept[a][t], f.accept[b][t]
		if x != unseen && y != unseen && x != y {
			return false
		}
		if x == unseen && y != unseen {
			c := none
			c.accept, c.test = a, t
			f.trail = append(f.trail, c)
			f.accept[a][t] = y
		}
	}
	if f.life[a] != live && f.life[b] == live {
		c := none
		c.life, c.old = a, int32(f.life[a])
		f.trail = append(f.trail, c)
		f.life[a] = live
	}
	c := none
	c.parent, c.old = b, b
	f.trail = append(f.trail, c)
	f.parent[b] = a

	k := 2 * f.pool.tree.Alphabet.Len()
	for i := range int32(k) {
		a = f.find(a)
		x, y := f.next[a*int32(k)+i], f.next[b*int32(k)+i]
		switch {
		case y == nowhere || x == toDead && y == toDead:
		case x == nowhere:
			f.setNext(a*int32(k)+i, y)
		case x == toDead:
			if f.life[f.find(y)] == live {
				return false
			}
		case y == toDead:
			if f.life[f.find(x)] == live {
				return false
			}
			f.setNext(a*int32(k)+i, toDead)
		case !f.merge(x, y):
			return false
		}
	}
	return true
}

var errTooMany = errors.New("it takes too many states")

// fold returns the automaton that merging gives for a counter.
func (p *pool) fold(c Counter, limit int) (*counter.Automaton, error) {
	f := newFolder(p, p.values(c))
	rest := p.rest(f.value)
	k := int32(2 * p.tree.Alphabet.Len())
	if p.life[0] != live {
		return counter.New(p.tree.Alphabet, 0), nil
	}
	red := []int32{0}
	isRed := map[int32]bool{0: true}
	for {
		blue := int32(nowhere)
		for _, q := range red {
			for i := range k {
				if to := f.next[q*k+i]; to >= 0 {
					if to = f.find(to); !isRed[to] && f.life[to] == live && (blue < 0 || to < blue) {
						blue = to
					}
				}
			}
		}
		if blue < 0 {
			return f.automaton(c, red), nil
		}
		// The most similar red state first.
		near := slices.Clone(red)
		distance := func(q int32) float64 { return squareDistance(rest.Row(int(q)), rest.Row(int(blue))) }
		slices.SortStableFunc(near, func(x, y int32) int { return cmp.Compare(distance(x), distance(y)) })
		merged := slices.ContainsFunc(near, func(q int32) bool {
			ok := f.merge(q, blue)
			if !ok {
				f.undo()
			}
			f.trail = f.trail[:0]
			return ok
		})
		if !merged {
			if len(red) == limit {
				return nil, errTooMany
			}
			red = append(red, blue)
			isRed[blue] = true
		}
	}
}

// rest returns the states of all nodes less what the counter has to do with them: in
// each dimension, the slope of the line that fits it best, over the nodes that are
// alive.
func (p *pool) rest(value []int) f32.Matrix {
	nodes := p.alive()
	mean, squares := 0.0, 0.0
	for _, n := range nodes {
		mean += float64(value[n]) / float64(len(nodes))
	}
	slope := make([]float64, p.tree.State.Cols)
	for _, n := range nodes {
		d := float64(value[n]) - mean
		squares += d * d
		for j, x := range p.tree.State.Row(int(n)) {
			slope[j] += d * float64(x)
		}
	}
	rest := f32.New(p.tree.State.Rows, p.tree.State.Cols)
	for n := range rest.Rows {
		for j, x := range p.tree.State.Row(n) {
			rest.Row(n)[j] = x
			if squares > 0 {
				rest.Row(n)[j] -= float32(float64(value[n]) * slope[j] / squares)
			}
		}
	}
	return rest
}

func squareDistance(x, y []float32) float64 {
	sum := 0.0
	for i := range x {
		d := float64(x[i] - y[i])
		sum += d * d
	}
	return sum
}

// automaton reads off what red states do. Moves that were never seen, or lead to
// prefixes of which no accepted word is known, lead to Dead.
func (f *folder) automaton(c Counter, red []int32) *counter.Automaton {
	a := counter.New(f.pool.tree.Alphabet, len(red))
	number := map[int32]automaton.State{}
	for i, q := range red {
		number[q] = automaton.State(i + 1)
	}
	k := f.pool.tree.Alphabet.Len()
	for i, q := range red {
		for _, t := range counter.Tests {
			a.Accept[i+1][t] = f.accept[q][t] == accepts
			for s := range k {
				to := f.next[2*(int(q)*k+s)+int(t)]
				if to < 0 {
					continue
				}
				if state := number[f.find(to)]; state != automaton.Dead {
					a.SetMove(automaton.State(i+1), word.Symbol(s), t, counter.Move{To: state, Add: c.Add[s]})
				}
			}
		}
	}
	return counter.Minimize(a)
}
