package counter_test

import (
	"fmt"

	"quotient/counter"
	"quotient/word"
)

// Words with as many a's as b's, and how far a finite automaton can follow.
func Example() {
	a := counter.New(word.Letters("ab"), 1)
	a.Accept[1][counter.Zero] = true
	for _, t := range counter.Tests {
		a.SetMove(1, 0, t, counter.Move{To: 1, Add: 1})
		a.SetMove(1, 1, t, counter.Move{To: 1, Add: -1})
	}
	d, err := a.DFA(6, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, differ, err := counter.Distinguish(a, counter.FromDFA(d), 100)
	fmt.Println(d.Len(), differ, a.Alphabet.Format(w), err)
	// Output: 7 true aaaabbbb <nil>
}
