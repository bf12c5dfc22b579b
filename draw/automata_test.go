package draw

import (
	"bufio"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/word"
)

// table builds an automaton over a and b from rows such as "+12": accepting or
// not, then the states that a and b lead to, 0 being the dead one.
func table(rows ...string) *automaton.DFA {
	d := automaton.NewDFA(word.Letters("ab"), len(rows))
	for i, row := range rows {
		q := automaton.State(i + 1)
		d.Accept[q] = row[0] == '+'
		for s := range 2 {
			d.SetNext(q, word.Symbol(s), automaton.State(row[s+1]-'0'))
		}
	}
	return d
}

// tomita holds the minimal automata of the seven languages of Tomita (1982).
var tomita = []*automaton.DFA{
	table("+10"),                      // a*
	table("+20", "-01"),               // (ab)*
	table("+21", "+13", "-04", "+23"), // no odd run of a's before an odd run of b's
	table("+21", "+31", "+01"),        // no aaa
	table("+23", "-14", "-41", "-32"), // a's and b's both even
	table("+23", "-31", "-12"),        // as many a's as b's, modulo 3
	table("+21", "+23", "+43", "+40"), // b*a*b*a*
}

// random returns an automaton in which every state can be reached and each of k
// transitions is missing with probability one in eight.
func random(r *rand.Rand, n, k int) *automaton.DFA {
	names := make([]string, k)
	for s := range names {
		names[s] = string(rune('a' + s))
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		panic(err)
	}
	d := automaton.NewDFA(a, n)
	for q := 1; q <= n; q++ {
		d.Accept[q] = r.IntN(3) == 0
		for s := range k {
			if r.IntN(8) > 0 {
				d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(1+r.IntN(n)))
			}
		}
	}
	free := make([]int, 0, n*k) // transitions of states that can be reached
	for q := 1; q <= n; q++ {
		if q > 1 {
			i := r.IntN(len(free))
			d.Table[free[i]] = automaton.State(q)
			free = slices.Delete(free, i, i+1)
		}
		for s := range k {
			free = append(free, q*k+s)
		}
	}
	return d
}

// tree returns the prefix tree of n random words, each prefix accepted at random.
func tree(r *rand.Rand, words, length, limit int) *automaton.DFA {
	n := automaton.NewDFA(word.Letters("ab"), limit)
	used := 1
	for range words {
		q := automaton.State(1)
		for range length {
			s := word.Symbol(r.IntN(2))
			if n.Next(q, s) == automaton.Dead {
				if used == limit {
					break
				}
				used++
				n.SetNext(q, s, automaton.State(used))
				n.Accept[used] = r.IntN(2) == 0
			}
			q = n.Next(q, s)
		}
	}
	n.Accept = n.Accept[:used+1]
	n.Table = n.Table[:(used+1)*2]
	return n
}

// chain returns the automaton of the one word a…a of length n-1.
func chain(n int) *automaton.DFA {
	d := automaton.NewDFA(word.Letters("ab"), n)
	for q := 1; q < n; q++ {
		d.SetNext(automaton.State(q), 0, automaton.State(q+1))
	}
	d.Accept[n] = true
	return d
}

// readATT reads a deterministic acceptor in the AT&T format with states 0 to n-1
// and start 0, as the MLRegTest files have it.
func readATT(t testing.TB, path string) *automaton.DFA {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	number := func(s string) int {
		n := 0
		for _, c := range s {
			n = 10*n + int(c-'0')
		}
		return n + 1
	}
	var rows [][]string
	var names []string
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		row := strings.Fields(s.Text())
		if len(row) == 0 {
			continue
		}
		rows = append(rows, row)
		n = max(n, number(row[0]))
		if len(row) >= 3 {
			n = max(n, number(row[1]))
			names = append(names, row[2])
		}
	}
	slices.Sort(names)
	a, err := word.NewAlphabet(slices.Compact(names)...)
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, n)
	for _, row := range rows {
		q := automaton.State(number(row[0]))
		if len(row) < 3 {
			d.Accept[q] = true
			continue
		}
		s, _ := a.Symbol(row[2])
		d.SetNext(q, s, automaton.State(number(row[1])))
	}
	return d
}
