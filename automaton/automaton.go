// Package automaton computes with finite automata: it runs, determinizes,
// minimizes, combines, compares, counts, enumerates and samples.
//
// Two types carry everything. A [DFA] is a dense table, so that a step is one
// load; an [NFA] is a list of edges, so that a file of strangers costs memory in
// proportion to its size and no more. [Determinize] leads from one to the other
// under a limit.
//
// State 0 is [Dead] in both: the paper's ∅, rejecting, without a way out, and
// never counted as a state. A transition that is not given leads there.
//
// Results are deterministic: nothing depends on the order of a map, on time or
// on the number of threads.
package automaton

import (
	"fmt"

	"quotient/word"
)

// A State is the number of a state, and an index into the tables of its automaton.
type State int32

// Dead is the state from which nothing is accepted, the paper's ∅. Because it is
// zero, a table of zeros is a valid automaton: that of the empty language.
const Dead State = 0

// A DFA is a deterministic automaton. Its states are 1 to Len(), beside Dead.
type DFA struct {
	Alphabet *word.Alphabet
	Start    State
	Accept   []bool  // (1 + states); Accept[Dead] is false
	Table    []State // (1 + states) × symbols; the row of Dead is all Dead
}

// NewDFA returns an automaton of n states without transitions that accepts
// nothing. Its start is state 1, or Dead if n is zero.
func NewDFA(a *word.Alphabet, n int) *DFA {
	return &DFA{
		Alphabet: a,
		Start:    State(min(n, 1)),
		Accept:   make([]bool, n+1),
		Table:    make([]State, (n+1)*a.Len()),
	}
}

// Len returns the number of states, the dead one not counted: the paper's |Q|.
func (d *DFA) Len() int { return len(d.Accept) - 1 }

// Next returns the state that symbol s leads to from q.
func (d *DFA) Next(q State, s word.Symbol) State {
	return d.Table[int(q)*d.Alphabet.Len()+int(s)]
}

// Row returns the successors of q, one per symbol. It is a view, not a copy.
func (d *DFA) Row(q State) []State {
	k := d.Alphabet.Len()
	return d.Table[int(q)*k : (int(q)+1)*k : (int(q)+1)*k]
}

// SetNext makes symbol s lead from q to the state to.
func (d *DFA) SetNext(q State, s word.Symbol, to State) {
	d.Table[int(q)*d.Alphabet.Len()+int(s)] = to
}

// Run returns the state after w.
func (d *DFA) Run(w word.Word) State {
	q, k := int(d.Start), d.Alphabet.Len()
	for _, s := range w {
		q = int(d.Table[q*k+int(s)])
	}
	return State(q)
}

// Accepts reports whether w is in the language.
func (d *DFA) Accepts(w word.Word) bool { return d.Accept[d.Run(w)] }

// Labels stores, for every prefix of w from the empty one to w itself, whether
// it is in the language. dst must have room for len(w)+1 labels.
func (d *DFA) Labels(dst []bool, w word.Word) {
	q := d.Start
	dst[0] = d.Accept[q]
	for i, s := range w {
		q = d.Next(q, s)
		dst[i+1] = d.Accept[q]
	}
}

// Equal reports whether the two automata are the same in every value. For
// minimal automata over one alphabet that is the case exactly when the
// languages are; see [Distinguish] for any others.
func (d *DFA) Equal(e *DFA) bool {
	if d.Start != e.Start || len(d.Accept) != len(e.Accept) || !d.Alphabet.Equal(e.Alphabet) {
		return false
	}
	for q, accept := range d.Accept {
		if accept != e.Accept[q] {
			return false
		}
	}
	for i, to := range d.Table {
		if to != e.Table[i] {
			return false
		}
	}
	return true
}

// NFA returns the automaton as a list of edges, with the same state numbers.
func (d *DFA) NFA() *NFA {
	n := &NFA{Alphabet: d.Alphabet, Accept: append([]bool(nil), d.Accept...)}
	if d.Start != Dead {
		n.Start = []State{d.Start}
	}
	for q := State(1); int(q) < len(d.Accept); q++ {
		for s, to := range d.Row(q) {
			if to != Dead {
				n.Edges = append(n.Edges, Edge{From: q, To: to, On: word.Symbol(s)})
			}
		}
	}
	return n
}

// Epsilon marks an edge that reads nothing. It is the one Symbol that no
// alphabet can have.
const Epsilon word.Symbol = word.MaxSymbols

// An Edge of an NFA leads from one state to another and reads On.
type Edge struct {
	From, To State
	On       word.Symbol
}

// An NFA is a nondeterministic automaton with ε-moves. Its states are 1 to
// Len(); Dead exists only so that the numbers agree with those of a DFA.
type NFA struct {
	Alphabet *word.Alphabet
	Start    []State
	Accept   []bool // (1 + states); Accept[Dead] is false
	Edges    []Edge
}

// NewNFA returns an automaton of n states without edges.
func NewNFA(a *word.Alphabet, n int) *NFA {
	return &NFA{Alphabet: a, Accept: make([]bool, n+1)}
}

// Len returns the number of states, the dead one not counted.
func (n *NFA) Len() int { return len(n.Accept) - 1 }

// AddState adds a state and returns it.
func (n *NFA) AddState(accept bool) State {
	n.Accept = append(n.Accept, accept)
	return State(len(n.Accept) - 1)
}

// AddEdge adds an edge that reads s, or nothing if s is Epsilon.
func (n *NFA) AddEdge(from State, s word.Symbol, to State) {
	n.Edges = append(n.Edges, Edge{From: from, To: to, On: s})
}

// A LimitError says that a construction was stopped because its result would
// have been larger than allowed.
type LimitError struct {
	Op    string // what was being computed
	What  string // what there were too many of: "states", for example
	Limit int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: more than %d %s", e.Op, e.Limit, e.What)
}

// MaxTable is the largest table, in entries, that this package builds from an
// NFA or for a product: 1 GiB.
const MaxTable = 1 << 28

const (
	sparse = 1 << 22 // entries that a table may have however few edges it is made of
	grown  = 1 << 24 // the same where states multiply, which is what limits of states are for
)

// Room returns how many entries a table may have that is made of so many edges, or of so many entries of
// others: memory in proportion to them, so that a small file cannot ask for gigabytes. Computing with
// a table takes some ten times what it takes itself.
func Room(edges int) int { return min(MaxTable, max(sparse, 64*edges)) }
