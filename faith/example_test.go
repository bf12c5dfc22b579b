package faith_test

import (
	"context"
	"fmt"
	"log"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/faith"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// A network that follows (ab)* is compared with the automaton of a*: the two part on a.
func Example() {
	letters := word.Letters("ab")
	network, err := regex.MustParse("(ab)*").Compile(letters, automaton.DefaultLimit)
	if err != nil {
		log.Fatal(err)
	}
	other, err := regex.MustParse("a*").Compile(letters, automaton.DefaultLimit)
	if err != nil {
		log.Fatal(err)
	}
	q := oracle.Ask(context.Background(), oracletest.Noisy{DFA: network, Dims: 12})
	rep, err := faith.Check(q, other, faith.Options{Source: sample.FromAutomaton(other), Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(letters.Format(rep.Shortest), rep.Bound > 0.2)
	// Output:
	// a true
}
