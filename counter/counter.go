// Package counter computes with counter automata: finite automata that also keep
// one whole number. A move depends on the state, the symbol and whether the counter
// is zero; it leads to a state and adds to the counter. A word is accepted by the
// state that it leads to and, again, whether the counter is zero. One symbol is
// read at each move, so these are the deterministic real-time one-counter machines
// of Fischer, Meyer and Rosenberg, "Counter machines and counter languages" (1968).
// They accept aⁿbⁿ and balanced parentheses, which no finite automaton does.
//
// The counter may be negative: an automaton that must know its sign keeps it in the
// state.
//
// On words up to a length the counter takes few values. So an automaton can be
// unrolled to a DFA that agrees with it there ([Automaton.DFA]), and two automata
// are compared on all of these words, however many they are ([Distinguish]).
package counter

import (
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A Test is what an automaton sees of its counter.
type Test int

const (
	Zero    Test = iota // it is zero
	Nonzero             // it is not
)

// Tests are the two, in the order of the tables.
var Tests = [...]Test{Zero, Nonzero}

// Of returns what is seen of a counter.
func Of(counter int) Test {
	if counter == 0 {
		return Zero
	}
	return Nonzero
}

func (t Test) String() string { return [...]string{"=0", "≠0"}[t] }

// MaxAdd is the most that a move may add to the counter, or take from it.
const MaxAdd = 1 << 10

// A Move leads to a state and adds to the counter.
type Move struct {
	To  automaton.State
	Add int
}

// An Automaton is a deterministic automaton with one counter, which starts at zero.
// Its states are 1 to Len(), beside automaton.Dead.
type Automaton struct {
	Alphabet *word.Alphabet
	Start    automaton.State
	Accept   [][2]bool // (1 + states) by Test; of Dead, false
	Table    []Move    // (1 + states) × symbols × 2 by Test; of Dead, all zero
}

// New returns an automaton of n states without moves that accepts nothing. Its
// start is state 1, or Dead if n is zero.
func New(a *word.Alphabet, n int) *Automaton {
	return &Automaton{
		Alphabet: a,
		Start:    automaton.State(min(n, 1)),
		Accept:   make([][2]bool, n+1),
		Table:    make([]Move, 2*(n+1)*a.Len()),
	}
}

// Len returns the number of states, the dead one not counted.
func (a *Automaton) Len() int { return len(a.Accept) - 1 }

func (a *Automaton) index(q automaton.State, s word.Symbol, t Test) int {
	return 2*(int(q)*a.Alphabet.Len()+int(s)) + int(t)
}

// Move returns what symbol s does in state q.
func (a *Automaton) Move(q automaton.State, s word.Symbol, t Test) Move {
	return a.Table[a.index(q, s, t)]
}

// SetMove says what symbol s does in state q.
func (a *Automaton) SetMove(q automaton.State, s word.Symbol, t Test, m Move) {
	if m.Add < -MaxAdd || m.Add > MaxAdd {
		panic(fmt.Sprintf("counter: a move that adds %d", m.Add))
	}
	a.Table[a.index(q, s, t)] = m
}

// A Config is where an automaton stands: a state and the counter.
type Config struct {
	State   automaton.State
	Counter int
}

// StartConfig returns where the automaton stands before the first symbol.
func (a *Automaton) StartConfig() Config { return Config{State: a.Start} }

// Next returns where symbol s leads from c.
func (a *Automaton) Next(c Config, s word.Symbol) Config {
	m := a.Move(c.State, s, Of(c.Counter))
	if m.To == automaton.Dead {
		return Config{} // what the counter is there makes no difference
	}
	return Config{m.To, c.Counter + m.Add}
}

// AcceptsAt reports whether a word that leads to c is in the language.
func (a *Automaton) AcceptsAt(c Config) bool { return a.Accept[c.State][Of(c.Counter)] }

// Run returns where w leads.
func (a *Automaton) Run(w word.Word) Config {
	c := a.StartConfig()
	for _, s := range w {
		c = a.Next(c, s)
	}
	return c
}

// Accepts reports whether w is in the language.
func (a *Automaton) Accepts(w word.Word) bool { return a.AcceptsAt(a.Run(w)) }

// Counts reports whether any move changes the counter. One that does not count is a
// finite automaton.
func (a *Automaton) Counts() bool {
	return slices.ContainsFunc(a.Table, func(m Move) bool { return m.Add != 0 })
}

// FromDFA returns a finite automaton as one that leaves its counter alone.
func FromDFA(d *automaton.DFA) *Automaton {
	a := New(d.Alphabet, d.Len())
	a.Start = d.Start
	for q, accept := range d.Accept {
		a.Accept[q] = [2]bool{accept, accept}
	}
	for i, to := range d.Table {
		a.Table[2*i], a.Table[2*i+1] = Move{To: to}, Move{To: to}
	}
	return a
}

// Equal reports whether the two automata are the same in every value. See
// [Distinguish] for whether their languages are.
func (a *Automaton) Equal(b *Automaton) bool {
	return a.Start == b.Start && a.Alphabet.Equal(b.Alphabet) &&
		slices.Equal(a.Accept, b.Accept) && slices.Equal(a.Table, b.Table)
}
