package sample

import (
	"testing"

	"quotient/automaton"
	"quotient/word"
)

// A table and a map number pairs alike.
func TestNumbering(t *testing.T) {
	a, b := automaton.NewDFA(word.Letters("a"), 3), automaton.NewDFA(word.Letters("a"), 1<<21)
	for _, n := range []*numbering{newNumbering(a, a), newNumbering(a, b)} {
		for number := range int32(16) {
			pair := [2]automaton.State{automaton.State(number / 4), automaton.State(number % 4)}
			if got := n.of(pair); got != -1 {
				t.Errorf("%v has the number %d before it was given one", pair, got)
			}
			n.set(pair, number)
			if got := n.of(pair); got != number {
				t.Errorf("%v has the number %d, not %d", pair, got, number)
			}
		}
	}
	if newNumbering(a, a).table == nil || newNumbering(a, b).table != nil {
		t.Error("not by the size of the table")
	}
}
