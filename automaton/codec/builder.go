package codec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"quotient/automaton"
	"quotient/word"
)

// A builder collects what a reader finds. States and symbols are known by the
// names they have in the file and numbered as they come, so that a file costs
// memory for what it mentions and not for the numbers it uses.
type builder struct {
	states   map[string]automaton.State
	numbered []automaton.State // those whose names are numbers below small, by number
	small    uint64
	symbols  map[string]word.Symbol
	names    []string // of the symbols
	declared bool     // the file lists its alphabet, names holds it
	nfa      *automaton.NFA
}

// newBuilder returns a builder for a file of the given size. Names that are
// numbers smaller than a quarter of it are looked up in a table, which is then no
// larger than the file: a million AT&T transitions between 500,000 states are
// read in 0.2 s instead of 0.8 s (BenchmarkReadATT, Xeon at 2.8 GHz).
func newBuilder(size int) *builder {
	return &builder{
		states:  make(map[string]automaton.State),
		small:   uint64(size / 4),
		symbols: make(map[string]word.Symbol),
		nfa:     automaton.NewNFA(nil, 0),
	}
}

// state returns the state with the given name, a new one at the first mention.
func (b *builder) state(name string) automaton.State {
	if number, ok := parseNumber(name); ok && number < b.small {
		if missing := int(number) + 1 - len(b.numbered); missing > 0 {
			b.numbered = append(b.numbered, make([]automaton.State, missing)...)
		}
		q := &b.numbered[number]
		if *q == automaton.Dead {
			*q = b.nfa.AddState(false)
		}
		return *q
	}
	q, ok := b.states[name]
	if !ok {
		q = b.nfa.AddState(false)
		b.states[name] = q
	}
	return q
}

// symbol returns the symbol with the given name, a new one at the first mention
// unless the alphabet has been declared.
func (b *builder) symbol(name string) (word.Symbol, error) {
	if s, ok := b.symbols[name]; ok {
		return s, nil
	}
	switch {
	case b.declared:
		return 0, fmt.Errorf("symbol %s is not in the declared alphabet", shorten(name))
	case name == "":
		return 0, fmt.Errorf("a symbol has an empty name")
	case !utf8.ValidString(name):
		return 0, fmt.Errorf("symbol %s is not valid UTF-8", shorten(name))
	case len(b.names) == word.MaxSymbols:
		return 0, fmt.Errorf("more than %d symbols, the most that an alphabet can have", word.MaxSymbols)
	}
	name = strings.Clone(name) // the alphabet must not keep the whole file alive
	s := word.Symbol(len(b.names))
	b.symbols[name] = s
	b.names = append(b.names, name)
	return s, nil
}

// declare adds a symbol of an alphabet that the file lists.
func (b *builder) declare(name string) error {
	if _, seen := b.symbols[name]; seen {
		return fmt.Errorf("symbol %s is in the alphabet twice", shorten(name))
	}
	_, err := b.symbol(name)
	return err
}

// finish returns the automaton. An alphabet that was not declared is sorted, so
// that equal languages in different files have equal minimal automata.
func (b *builder) finish() (*automaton.NFA, error) {
	if !b.declared {
		b.sortSymbols()
	}
	var err error
	b.nfa.Alphabet, err = word.NewAlphabet(b.names...)
	return b.nfa, err
}

func (b *builder) sortSymbols() {
	slices.Sort(b.names)
	renumbered := make([]word.Symbol, len(b.names))
	for i, name := range b.names {
		renumbered[b.symbols[name]] = word.Symbol(i)
	}
	for i, e := range b.nfa.Edges {
		if e.On != automaton.Epsilon {
			b.nfa.Edges[i].On = renumbered[e.On]
		}
	}
}

// orderStates renumbers the states by the numbers in their names, if all names
// are one prefix followed by a number: files that number their states keep the
// order of the numbers, whatever the order of the lines.
func (b *builder) orderStates(prefix string) {
	type numbered struct {
		number uint64
		state  automaton.State
	}
	order := make([]numbered, 0, b.nfa.Len())
	for number, q := range b.numbered {
		if q != automaton.Dead && prefix != "" {
			return
		}
		if q != automaton.Dead {
			order = append(order, numbered{uint64(number), q})
		}
	}
	for name, q := range b.states {
		number, ok := parseNumber(strings.TrimPrefix(name, prefix))
		if !ok || !strings.HasPrefix(name, prefix) {
			return
		}
		order = append(order, numbered{number, q})
	}
	slices.SortFunc(order, func(x, y numbered) int { return cmp.Compare(x.number, y.number) })

	renumbered := make([]automaton.State, len(order)+1)
	accept := make([]bool, len(order)+1)
	for i, o := range order {
		q := automaton.State(i + 1)
		renumbered[o.state] = q
		accept[q] = b.nfa.Accept[o.state]
	}
	b.nfa.Accept = accept
	for i, q := range b.nfa.Start {
		b.nfa.Start[i] = renumbered[q]
	}
	for i, e := range b.nfa.Edges {
		b.nfa.Edges[i].From, b.nfa.Edges[i].To = renumbered[e.From], renumbered[e.To]
	}
}

// parseNumber reads a decimal number as one writes it, without leading zeros, so
// that different names are different numbers.
func parseNumber(s string) (uint64, bool) {
	if s == "" || len(s) > 18 || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	var n uint64
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + uint64(digit)
	}
	return n, true
}

// shorten quotes a piece of the input for an error message.
func shorten(s string) string {
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}
