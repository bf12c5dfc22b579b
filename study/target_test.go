package study

import (
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/word"
)

// starOf returns an automaton for a*, or for a+ if the empty word is left out; loose ones accept
// no word longer than one symbol.
func starOf(empty, loose bool) *automaton.DFA {
	a, _ := word.NewAlphabet("a")
	d := automaton.NewDFA(a, 2)
	d.Start = 1
	d.Accept[1], d.Accept[2] = empty, true
	d.SetNext(1, 0, 2)
	if !loose {
		d.SetNext(2, 0, 2)
	}
	return d
}

// A difference on the empty word alone is said to be one.
func TestOnlyTheEmptyWord(t *testing.T) {
	for _, c := range []struct {
		d    *automaton.DFA
		want string
	}{
		{starOf(true, false), "exactly this language"},
		{starOf(false, false), "the same but for the empty word, which the target accepts"},
		{starOf(false, true), "another language; a shortest word of difference, which the target accepts: ε"},
		{starOf(true, true), "another language, though they agree on all words of length up to 1; a shortest word of difference, which the target accepts: aa"},
	} {
		got, err := Compare("x", starOf(true, false), c.d)
		if err != nil || !strings.HasSuffix(got.String(), c.want) {
			t.Errorf("%v, %v, want %s", got, err, c.want)
		}
	}
}
