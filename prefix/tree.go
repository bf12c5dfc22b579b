// Package prefix builds the prefix tree of a network: every prefix of a sample
// of words, with the network's state and its answer.
package prefix

import (
	"fmt"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/parallel"
	"quotient/oracle"
	"quotient/word"
)

// A Node of a tree stands for a prefix. The empty word is node 0.
type Node int32

// A Tree holds every prefix of a set of words once, in shortlex order: level by
// level, and the children of a node side by side in the order of their symbols.
type Tree struct {
	Alphabet *word.Alphabet
	Parent   []Node        // of each node; -1 for the empty word
	On       []word.Symbol // the last symbol of each prefix
	First    []Node        // (nodes + 1); the children of n are First[n] up to First[n+1]
	Count    []int32       // how many of the words each is a prefix of
	Ends     []Node        // where each word ends, in the order of the words
	Accept   []bool        // the network's answer
	State    f32.Matrix    // nodes × dim; the network's state
}

// Build returns the prefix tree of the words. Each distinct prefix costs one step
// of the network, a level of the tree at a time. It is an error if a state, that of
// the empty word aside, is no direction in space, for which similarity means
// nothing.
func Build(q *oracle.Inquiry, words []word.Word) (*Tree, error) {
	q.ExpectPaths(words)
	t := skeleton(q.Alphabet(), words)
	t.State = f32.New(t.Len(), q.Dim())
	copy(t.State.Row(0), q.Start().Row(0))
	for begin, end := 1, int(t.First[1]); begin < end; begin, end = end, int(t.First[end]) {
		level := t.State.View(begin, end)
		parallel.Stretches(level.Rows, stretch, func(from, to int) {
			for i := from; i < to; i++ {
				copy(level.Row(i), t.State.Row(int(t.Parent[begin+i])))
			}
		})
		q.Step(level, t.On[begin:end])
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	if err := t.checkStates(); err != nil {
		return nil, err
	}
	t.Accept = q.Read(t.State)
	return t, q.Err()
}

// stretch is how many states a thread goes through at a time.
const stretch = 1024

// skeleton makes the nodes. Words are sorted, so those that share a prefix stand
// together, and the nodes of a level come out in order.
func skeleton(a *word.Alphabet, words []word.Word) *Tree {
	t := &Tree{
		Alphabet: a, Parent: []Node{-1}, On: []word.Symbol{0}, Count: []int32{int32(len(words))},
		Ends: make([]Node, len(words)),
	}
	type reading struct {
		word  word.Word
		index int32
		at    Node // the node of what was read of it
	}
	rest := make([]reading, len(words))
	for i, w := range words {
		rest[i] = reading{word: w, index: int32(i)}
	}
	slices.SortFunc(rest, func(v, w reading) int { return slices.Compare(v.word, w.word) })
	for depth := 0; len(rest) > 0; depth++ {
		keep := rest[:0]
		for _, r := range rest {
			if len(r.word) == depth {
				t.Ends[r.index] = r.at
				continue
			}
			last, on := len(t.Parent)-1, r.word[depth]
			if last == 0 || t.Parent[last] != r.at || t.On[last] != on {
				t.Parent = append(t.Parent, r.at)
				t.On = append(t.On, on)
				t.Count = append(t.Count, 0)
				last++
			}
			t.Count[last]++
			r.at = Node(last)
			keep = append(keep, r)
		}
		rest = keep
	}
	t.First = make([]Node, len(t.Parent)+1)
	for _, p := range t.Parent[1:] {
		t.First[p+1]++
	}
	t.First[0] = 1
	for n := range t.Parent {
		t.First[n+1] += t.First[n]
	}
	return t
}

// checkStates returns an error for a state that is zero or not a number.
func (t *Tree) checkStates() error {
	norms := make([]float32, t.Len())
	parallel.Stretches(len(norms), stretch, func(from, to int) { f32.Norms(norms[from:to], t.State.View(from, to)) })
	for n, x := range norms {
		if x > 0 && !math.IsInf(float64(x), 0) || n == 0 && x == 0 {
			continue // a network without <bos> begins at zero, which is like no other state
		}
		what := "not finite: the weights are too large or damaged"
		if x == 0 {
			what = "zero, and zero has no direction: does the network read a <bos> token first?"
		}
		return fmt.Errorf("the network's state after %s is %s", t.Alphabet.Format(t.Word(Node(n))), what)
	}
	return nil
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.Parent) }

// Child returns the node that s leads to from n, or -1.
func (t *Tree) Child(n Node, s word.Symbol) Node {
	for c := t.First[n]; c < t.First[n+1]; c++ {
		if t.On[c] == s {
			return c
		}
	}
	return -1
}

// Word returns the prefix that n stands for.
func (t *Tree) Word(n Node) word.Word {
	var w word.Word
	for ; n > 0; n = t.Parent[n] {
		w = append(w, t.On[n])
	}
	slices.Reverse(w)
	return w
}

// DFA returns the tree itself as an automaton, which accepts the prefixes that
// the network accepts and nothing else. Node n is state n+1.
func (t *Tree) DFA() *automaton.DFA {
	d := automaton.NewDFA(t.Alphabet, t.Len())
	copy(d.Accept[1:], t.Accept)
	for n := Node(1); int(n) < t.Len(); n++ {
		d.SetNext(automaton.State(t.Parent[n]+1), t.On[n], automaton.State(n+1))
	}
	return d
}
