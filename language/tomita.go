package language

import (
	"quotient/automaton"
	"quotient/word"
)

var letters = word.Letters("ab")

// A Language comes with the program under a name.
type Language struct {
	Name string
	Note string // its definition, in words
	rows []row  // of the minimal automaton
}

// A row of a table over {a, b}: where each symbol leads, 0 being dead.
type row struct {
	accept bool
	a, b   automaton.State
}

// Tomita's languages as the paper (Table 1) and Weiss et al. (2018) define them.
var tomita = []Language{
	{"tomita1", "only a's", []row{{true, 1, 0}}},
	{"tomita2", "ab repeated", []row{{true, 2, 0}, {false, 0, 1}}},
	// State 3 is inside an odd run of b's after an odd run of a's: not accepted,
	// but one more b repairs it.
	{
		"tomita3", "no run of a's of odd length is followed by a run of b's of odd length",
		[]row{{true, 2, 1}, {true, 1, 3}, {false, 0, 4}, {true, 2, 3}},
	},
	{"tomita4", "no three a's in a row", []row{{true, 2, 1}, {true, 3, 1}, {true, 0, 1}}},
	{
		"tomita5", "an even number of a's and an even number of b's",
		[]row{{true, 2, 3}, {false, 1, 4}, {false, 4, 1}, {false, 3, 2}},
	},
	{"tomita6", "as many a's as b's, modulo 3", []row{{true, 2, 3}, {false, 3, 1}, {false, 1, 2}}},
	{
		"tomita7", "b's, then a's, then b's, then a's",
		[]row{{true, 2, 1}, {true, 2, 3}, {true, 4, 3}, {true, 4, 0}},
	},
}

// Builtin returns the languages that come with the program.
func Builtin() []Language { return tomita }

// Note returns the definition, in words, of a language that comes with the program; nothing of
// another.
func Note(name string) string {
	for _, l := range tomita {
		if l.Name == name {
			return l.Note
		}
	}
	c, _ := FindCounting(name)
	return c.Note
}

// DFA returns the minimal automaton of the language.
func (l Language) DFA() *automaton.DFA {
	d := automaton.NewDFA(letters, len(l.rows))
	for i, r := range l.rows {
		q := automaton.State(i + 1)
		d.Accept[q] = r.accept
		d.SetNext(q, 0, r.a)
		d.SetNext(q, 1, r.b)
	}
	return d
}
