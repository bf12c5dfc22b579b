package automaton_test

import (
	"fmt"

	"quotient/automaton"
	"quotient/word"
)

// even returns an automaton for the words over {a, b} with an even number of a's.
func even() *automaton.DFA {
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.Accept[1] = true
	copy(d.Row(1), []automaton.State{2, 1})
	copy(d.Row(2), []automaton.State{1, 2})
	return d
}

func ExampleDFA_Accepts() {
	d := even()
	w, _ := d.Alphabet.Parse("abba")
	fmt.Println(d.Accepts(w))
	// Output: true
}

func ExampleDistinguish() {
	w, differ := automaton.Distinguish(even(), automaton.Complement(even()))
	fmt.Println(even().Alphabet.Format(w), differ)
	// Output: ε true
}

func ExampleMinimize() {
	d, _ := automaton.Union(even(), automaton.Complement(even()), 100)
	fmt.Println(d.Len(), automaton.Minimize(d).Len())
	// Output: 2 1
}

func ExampleDFA_Words() {
	n := 0
	for w := range even().Words() {
		if n++; n > 5 {
			break
		}
		fmt.Println(even().Alphabet.Format(w))
	}
	// Output:
	// ε
	// b
	// aa
	// bb
	// aab
}
