package language

import (
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/counter"
	"quotient/word"
)

// A Counting language comes with the program under a name and is not regular: it
// takes a counter to recognize it.
type Counting struct {
	Name      string
	Note      string // its definition, in words
	Automaton *counter.Automaton
}

// CountingLanguages returns those that come with the program. The empty word is in
// both.
func CountingLanguages() []Counting { return counting }

var counting = []Counting{
	{"anbn", "a's, then as many b's", anbn()},
	{"dyck1", "balanced parentheses", dyck1()},
}

// FindCounting returns the counting language of a name and reports whether there is
// one.
func FindCounting(name string) (Counting, bool) {
	if i := slices.IndexFunc(counting, func(c Counting) bool { return c.Name == name }); i >= 0 {
		return counting[i], true
	}
	return Counting{}, false
}

// anbn counts a's up in state 1 and b's down in state 2.
func anbn() *counter.Automaton {
	const a, b = 0, 1
	m := counter.New(letters, 2)
	m.Accept[1][counter.Zero], m.Accept[2][counter.Zero] = true, true
	for _, t := range counter.Tests {
		m.SetMove(1, a, t, counter.Move{To: 1, Add: 1})
	}
	m.SetMove(1, b, counter.Nonzero, counter.Move{To: 2, Add: -1})
	m.SetMove(2, b, counter.Nonzero, counter.Move{To: 2, Add: -1})
	return m
}

// dyck1 counts the parentheses that are open.
func dyck1() *counter.Automaton {
	const open, closed = 0, 1
	m := counter.New(word.Letters("()"), 1)
	m.Accept[1][counter.Zero] = true
	for _, t := range counter.Tests {
		m.SetMove(1, open, t, counter.Move{To: 1, Add: 1})
	}
	m.SetMove(1, closed, counter.Nonzero, counter.Move{To: 1, Add: -1})
	return m
}

// LoadUpTo is Load for one name and words up to a length: a counting language is
// loaded as an automaton that agrees with it on these.
func LoadUpTo(o Options, length int, name string) (*automaton.DFA, error) {
	c, ok := FindCounting(name)
	if !ok {
		loaded, err := Load(o, name)
		if err != nil {
			return nil, err
		}
		return loaded[0], nil
	}
	common, err := word.NewAlphabet(o.Symbols...)
	if err != nil {
		return nil, err
	}
	if common, err = common.Union(c.Automaton.Alphabet); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d, err := c.Automaton.DFA(length, o.limit())
	if err != nil {
		return nil, fmt.Errorf("%s, on words up to length %d: %w", name, length, err)
	}
	return d.WithAlphabet(common)
}

// notRegular says that a finite automaton was asked for where there is none.
func notRegular(c Counting) error {
	return fmt.Errorf("%s (%s) is not regular: no finite automaton recognizes it", c.Name, c.Note)
}
