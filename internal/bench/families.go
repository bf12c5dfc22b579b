// Package bench measures the program on inputs that other programs can be given too: each
// section makes them, or writes them to files, and takes processor time, which is the same on
// a busy machine. bench/table.py puts the figures of others beside ours.
package bench

import (
	"fmt"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// A Family is a kind of automata, one for each number of states.
type Family struct {
	Name string
	Doc  string
	Make func(n int) *automaton.DFA
}

// Families lists what minimizing is measured on, from long chains of small distinctions to
// automata that a few symbols tell apart.
var Families = []Family{
	{"cycle", "one symbol, every thousandth state accepts at random", cycle},
	{"counter", "counts a's modulo n, b changes nothing", counter},
	{"blown-up", "a random automaton with ten copies of each state", blownUp},
	{"random", "two symbols, half the states accept", func(n int) *automaton.DFA { return random(generator(n), n) }},
	{"near-minimal", "a random automaton, one state in a thousand is there twice", nearMinimal},
	{"sparse", "64 symbols, three transitions a state", sparse},
}

func generator(n int) *rand.Rand { return rand.New(rand.NewPCG(18, uint64(n))) }

// symbols returns an alphabet of k symbols, s0, s1, ….
func symbols(k int) *word.Alphabet {
	names := make([]string, k)
	for i := range names {
		names[i] = fmt.Sprintf("s%d", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		panic(err) // the names are different, and few
	}
	return a
}

func cycle(n int) *automaton.DFA {
	d, r := automaton.NewDFA(symbols(1), n), generator(n)
	for q := 1; q <= n; q++ {
		d.Accept[q] = r.IntN(1000) == 0
		d.Table[q] = automaton.State(q%n + 1)
	}
	return d
}

func counter(n int) *automaton.DFA {
	d := automaton.NewDFA(symbols(2), n)
	d.Accept[1] = true
	for q := automaton.State(1); int(q) <= n; q++ {
		d.SetNext(q, 0, q%automaton.State(n)+1)
		d.SetNext(q, 1, q)
	}
	return d
}

func random(r *rand.Rand, n int) *automaton.DFA {
	d := automaton.NewDFA(symbols(2), n)
	for q := 1; q <= n; q++ {
		d.Accept[q] = r.IntN(2) == 0
		for s := range 2 {
			d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(1+r.IntN(n)))
		}
	}
	return d
}

// copies returns the automaton with so many copies of each state as the function says; a
// transition leads to any of the copies.
func copies(r *rand.Rand, d *automaton.DFA, number func(automaton.State) int) *automaton.DFA {
	first := make([]int, len(d.Accept)+1)
	first[1] = 1
	for q := 1; q < len(d.Accept); q++ {
		first[q+1] = first[q] + number(automaton.State(q))
	}
	e := automaton.NewDFA(d.Alphabet, first[len(d.Accept)]-1)
	for q := automaton.State(1); int(q) < len(d.Accept); q++ {
		for c := first[q]; c < first[q+1]; c++ {
			e.Accept[c] = d.Accept[q]
			for s, to := range d.Row(q) {
				e.SetNext(automaton.State(c), word.Symbol(s), automaton.State(first[to]+r.IntN(first[to+1]-first[to])))
			}
		}
	}
	return e
}

func blownUp(n int) *automaton.DFA {
	r := generator(n)
	return copies(r, random(r, n/10), func(automaton.State) int { return 10 })
}

func nearMinimal(n int) *automaton.DFA {
	r := generator(n)
	return copies(r, random(r, n), func(q automaton.State) int {
		if q%1000 == 0 {
			return 2
		}
		return 1
	})
}

func sparse(n int) *automaton.DFA {
	d, r := automaton.NewDFA(symbols(64), n), generator(n)
	for q := 1; q <= n; q++ {
		d.Accept[q] = r.IntN(2) == 0
		for range 3 {
			d.SetNext(automaton.State(q), word.Symbol(r.IntN(64)), automaton.State(1+r.IntN(n)))
		}
	}
	return d
}

// Shuffle returns the automaton with its states numbered at random.
func Shuffle(d *automaton.DFA) *automaton.DFA {
	r := generator(d.Len())
	name := make([]automaton.State, len(d.Accept))
	for i, p := range r.Perm(d.Len()) {
		name[i+1] = automaton.State(p + 1)
	}
	e := automaton.NewDFA(d.Alphabet, d.Len())
	e.Start = name[d.Start]
	for q := range d.Accept {
		e.Accept[name[q]] = d.Accept[q]
		for s, to := range d.Row(automaton.State(q)) {
			e.SetNext(name[q], word.Symbol(s), name[to])
		}
	}
	return e
}
