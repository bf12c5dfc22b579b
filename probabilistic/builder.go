package probabilistic

import (
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A builder collects what a file says. States and symbols may come in any order.
type builder struct {
	number   map[string]automaton.State // of states, by their names in the file
	ends     []float64                  // (1 + states)
	start    automaton.State
	symbols  map[string]int32
	names    []string
	declared bool // whether the file lists its alphabet: other symbols are errors
	edges    []edge
	input    string // of a stochastic Mealy machine of AALpy's
}

type edge struct {
	from, to automaton.State
	on       int32
	p        float64
}

// newBuilder returns a builder for a file that declares its alphabet. Without one, it is
// what the transitions show, in the order of a dictionary.
func newBuilder(alphabet []string) (*builder, error) {
	b := &builder{number: map[string]automaton.State{}, ends: make([]float64, 1), symbols: map[string]int32{}, declared: alphabet != nil}
	for _, name := range alphabet {
		if _, twice := b.symbols[name]; twice {
			return nil, fmt.Errorf("two symbols are called %q", name)
		}
		b.symbols[name] = int32(len(b.names))
		b.names = append(b.names, name)
	}
	return b, nil
}

// state returns the number of a state, a new one at its first mention.
func (b *builder) state(name string) automaton.State {
	q, ok := b.number[name]
	if !ok {
		q = automaton.State(len(b.ends))
		b.number[name] = q
		b.ends = append(b.ends, 0)
	}
	return q
}

// add adds a transition.
func (b *builder) add(from automaton.State, on string, to automaton.State, p float64) error {
	if !(p >= 0 && p <= 1+tolerated) {
		return fmt.Errorf("the probability %g is not between 0 and 1", p)
	}
	s, ok := b.symbols[on]
	if !ok {
		if b.declared {
			return fmt.Errorf("symbol %.40q is not in the declared alphabet", on)
		}
		s = int32(len(b.names))
		b.symbols[on] = s
		b.names = append(b.names, on)
	}
	b.edges = append(b.edges, edge{from, to, s, p})
	return nil
}

// finish returns the automaton, and a note if its probabilities had to be scaled.
func (b *builder) finish() (*Automaton, string, error) {
	place := make([]word.Symbol, len(b.names))
	names := slices.Clone(b.names)
	if !b.declared {
		slices.Sort(names)
	}
	alphabet, err := word.NewAlphabet(names...)
	if err != nil {
		return nil, "", err
	}
	for i, name := range b.names {
		place[i], _ = alphabet.Symbol(name)
	}
	if len(b.ends)*max(1, alphabet.Len()) > MaxTable {
		return nil, "", &automaton.LimitError{Op: "reading a probabilistic automaton", What: "states times symbols", Limit: MaxTable}
	}
	a := New(alphabet, len(b.ends)-1)
	a.Start = b.start
	copy(a.End, b.ends)
	for _, e := range b.edges {
		s := place[e.on]
		if a.Next(e.from, s) != automaton.Dead {
			return nil, "", fmt.Errorf("state %s has two transitions on %q: it must have one", b.name(e.from), alphabet.Name(s))
		}
		a.SetNext(e.from, s, e.to, e.p)
	}
	for i, p := range a.Prob { // only now, so that a second transition is always seen
		if p == 0 {
			a.Table[i] = automaton.Dead
		}
	}
	note, err := a.Normalize()
	if err != nil {
		return nil, "", err
	}
	return a, note, nil
}

// name returns what a state is called in the file.
func (b *builder) name(q automaton.State) string {
	for name, number := range b.number {
		if number == q {
			return fmt.Sprintf("%.40q", name)
		}
	}
	return fmt.Sprint(q)
}
