package tally

import (
	"cmp"
	"errors"
	"slices"

	"quotient/automaton"
	"quotient/counter"
	"quotient/internal/fold"
	"quotient/prefix"
	"quotient/word"
)

// A verdict says what is known of acceptance.
type verdict int8

const (
	unseen verdict = iota
	rejects
	accepts
)

// What is known of a node.
type known struct {
	accept [2]verdict // by test
	life   life
}

// meet returns what is known of two nodes that become one, unless that is a
// contradiction.
func meet(a, b known) (known, bool) {
	for t, x := range a.accept {
		y := b.accept[t]
		if x != y && x != unseen && y != unseen {
			return a, false
		}
		a.accept[t] = max(x, y)
	}
	ok := min(a.life, b.life) != dead || max(a.life, b.life) != live
	a.life = max(a.life, b.life)
	return a, ok
}

// newFolding returns the pool's tree for folding. With the counter given, the zero test
// stands beside every symbol that is read, so the automaton is a finite one that reads
// pairs of a symbol and a test, numbered 2 × symbol + test, and the loop of red and blue
// states applies.
func (p *pool) newFolding(value []int) *fold.Folding[prefix.Node, known] {
	t := p.tree
	f := &fold.Folding[prefix.Node, known]{Meet: meet, Ready: func(k known) bool { return k.life == live }}
	f.Nodes = make([]fold.Node[prefix.Node, known], t.Len())
	for n := range f.Nodes {
		node := &f.Nodes[n]
		node.Data.life = p.life[n]
		node.Data.accept[counter.Of(value[n])] = rejects
		if t.Accept[n] {
			node.Data.accept[counter.Of(value[n])] = accepts
		}
		if n > 0 {
			node.On = 2*int32(t.On[n]) + int32(counter.Of(value[t.Parent[n]]))
		}
	}
	f.Start(t.Parent)
	return f
}

var errTooMany = errors.New("it takes too many states")

// fold returns the automaton that merging gives for a counter. A blue state is merged
// into the most similar red one that it can be merged into.
func (p *pool) fold(c Counter, limit int) (*counter.Automaton, error) {
	if p.life[0] != live {
		return counter.New(p.tree.Alphabet, 0), nil
	}
	value := p.values(c)
	f, rest := p.newFolding(value), p.rest(value)
	var red [][]float32 // what is left of the states of the red ones
	for n := f.Next(); n != 0; n = f.Next() {
		near, here := slices.Clone(f.Red), rest(n)
		distance := make(map[prefix.Node]float64, len(near))
		for i, q := range near {
			if i == len(red) {
				red = append(red, rest(q))
			}
			distance[q] = squareDistance(red[i], here)
		}
		slices.SortStableFunc(near, func(x, y prefix.Node) int { return cmp.Compare(distance[x], distance[y]) })
		if f.MergeIntoOne(near, n) {
			continue
		}
		if len(f.Red) == limit {
			return nil, errTooMany
		}
		f.Redden(n)
	}
	return p.automaton(f, c), nil
}

// rest returns a function that gives the state of a node less what the counter has to do with it: in
// each dimension, the slope of the line that fits it best, over the nodes that are
// alive. Few nodes are ever asked for, as most attempts soon have too many states.
func (p *pool) rest(value []int) func(prefix.Node) []float32 {
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
	return func(n prefix.Node) []float32 {
		row := slices.Clone(p.tree.State.Row(int(n)))
		for j := range row {
			if squares > 0 {
				row[j] -= float32(float64(value[n]) * slope[j] / squares)
			}
		}
		return row
	}
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
func (p *pool) automaton(f *fold.Folding[prefix.Node, known], c Counter) *counter.Automaton {
	a := counter.New(p.tree.Alphabet, len(f.Red))
	number := map[prefix.Node]automaton.State{}
	for i, q := range f.Red {
		number[q] = automaton.State(i + 1)
	}
	for _, q := range f.Red {
		for t, x := range f.Nodes[q].Data.accept {
			a.Accept[number[q]][t] = x == accepts
		}
		for n := f.Nodes[q].Head; n != 0; n = f.Nodes[n].Sibling {
			if to := number[f.Find(n)]; to != automaton.Dead {
				s := word.Symbol(f.Nodes[n].On / 2)
				a.SetMove(number[q], s, counter.Test(f.Nodes[n].On%2), counter.Move{To: to, Add: c.Add[s]})
			}
		}
	}
	return counter.Minimize(a)
}
