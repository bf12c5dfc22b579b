package explore

import (
	"context"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// inOrder returns the automaton of the words that have some symbols in them in this order, of so many symbols.
func inOrder(t *testing.T, symbols int, list ...word.Symbol) *automaton.DFA {
	t.Helper()
	names := make([]string, symbols)
	for i := range names {
		names[i] = string(rune('0' + i))
	}
	letters, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(letters, len(list)+1)
	for q := range len(list) + 1 {
		for s := range symbols {
			d.SetNext(automaton.State(q+1), word.Symbol(s), automaton.State(q+1))
		}
		if q < len(list) {
			d.SetNext(automaton.State(q+1), list[q], automaton.State(q+2))
		}
	}
	d.Accept[len(list)+1] = true
	return d
}

// An automaton that claims too much leads to one that is right, whichever answer is the rare one.
func TestFocus(t *testing.T) {
	language := inOrder(t, 32, 0, 1, 0, 1, 2)
	much := inOrder(t, 32, 0, 1, 2)
	for seed := range uint64(4) {
		want, first := language, much
		if seed%2 == 1 {
			want, first = automaton.Complement(language), automaton.Complement(much)
		}
		q := oracle.Ask(context.Background(), oracletest.Noisy{DFA: want, Dims: 16, Noise: 0.1})
		c := newCourt(q, Options{Seed: seed}.orDefaults(100))
		c.heard, c.bests = []*automaton.DFA{first}, []*automaton.DFA{first}
		asked := 0
		c.focus(q, c.alike(), &asked)
		found := c.choose()
		set := q.Label(append(c.uniformWords(1000), c.wordsOf(c.claiming(want), 1000)...))
		if e := set.Error(found); !c.focused || e > clean || found.Len() > 2*want.Len() {
			t.Errorf("seed %d: %d states, error %.4f", seed, found.Len(), e)
		}
	}
}

// Of automata that are right about uniform words and about confirmed claims the one that is described in fewest words is taken. One that claims nothing is wrong
// about all that was confirmed, and one that claims more than the network does about uniform words.
func TestShortest(t *testing.T) {
	language := inOrder(t, 32, 0, 1, 0, 1, 2)
	none := automaton.NewDFA(language.Alphabet, 0)
	q := oracle.Ask(context.Background(), oracletest.Noisy{DFA: language, Dims: 16})
	c := newCourt(q, Options{Seed: 1}.orDefaults(100))
	claims := q.Label(sample.NewShares(language, 30).Words(200, 0, 30, c.rng))
	uniform := q.Label(c.uniformWords(4000))
	c.bests = []*automaton.DFA{none}
	c.heard = []*automaton.DFA{none, automaton.Complement(none), inOrder(t, 32, 1), blown(language, 3), language}
	if d := c.shortest(claims, uniform); !d.Equal(language) {
		t.Errorf("%d states", d.Len())
	}
}
