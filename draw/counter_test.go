package draw

import (
	"bytes"
	"testing"

	"quotient/counter"
	"quotient/word"
)

// counters are automata to draw: aⁿbⁿ, parentheses, one whose moves differ in every
// way, and one that accepts nothing.
func counters() map[string]*counter.Automaton {
	anbn := counter.New(word.Letters("ab"), 2)
	anbn.Accept[1][counter.Zero], anbn.Accept[2][counter.Zero] = true, true
	for _, t := range counter.Tests {
		anbn.SetMove(1, 0, t, counter.Move{To: 1, Add: 1})
	}
	anbn.SetMove(1, 1, counter.Nonzero, counter.Move{To: 2, Add: -1})
	anbn.SetMove(2, 1, counter.Nonzero, counter.Move{To: 2, Add: -1})

	dyck := counter.New(word.Letters("()"), 1)
	dyck.Accept[1][counter.Zero] = true
	for _, t := range counter.Tests {
		dyck.SetMove(1, 0, t, counter.Move{To: 1, Add: 1})
	}
	dyck.SetMove(1, 1, counter.Nonzero, counter.Move{To: 1, Add: -1})

	mixed := counter.New(word.Letters("abc"), 3)
	mixed.Accept[2] = [2]bool{true, true}
	mixed.Accept[3][counter.Nonzero] = true
	for s := range word.Symbol(3) {
		mixed.SetMove(1, s, counter.Zero, counter.Move{To: 2, Add: int(s) - 1})
		mixed.SetMove(1, s, counter.Nonzero, counter.Move{To: 3, Add: -12})
		mixed.SetMove(2, s, counter.Zero, counter.Move{To: 1})
		mixed.SetMove(2, s, counter.Nonzero, counter.Move{To: 1})
		mixed.SetMove(3, s, counter.Zero, counter.Move{To: 3, Add: 2})
	}
	return map[string]*counter.Automaton{"anbn": anbn, "dyck": dyck, "mixed": mixed, "empty": counter.New(word.Letters("ab"), 0)}
}

func TestCounter(t *testing.T) {
	for name, a := range counters() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Counter(&b, a, Options{}); err != nil {
				t.Fatal(err)
			}
			golden(t, "counter-"+name, b.String())
		})
	}
}
