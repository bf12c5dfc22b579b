package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

// random draws an automaton of a few states.
func random(t *rapid.T) *automaton.DFA {
	n := rapid.IntRange(1, 12).Draw(t, "states")
	d := automaton.NewDFA(word.Letters("ab"), n)
	for q := 1; q <= n; q++ {
		d.Accept[q] = rapid.Bool().Draw(t, "accept")
		for s := range 2 {
			d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(rapid.IntRange(0, n).Draw(t, "to")))
		}
	}
	return d
}

// reach returns which states each state leads to, by brute force.
func reach(d *automaton.DFA) [][]bool {
	n := d.Len() + 1
	r := make([][]bool, n)
	for q := range r {
		r[q] = make([]bool, n)
		r[q][q] = true
		for _, to := range d.Row(automaton.State(q)) {
			r[q][to] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				r[i][j] = r[i][j] || r[i][k] && r[k][j]
			}
		}
	}
	return r
}

func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := random(t)
		of, r := components(d), reach(d)
		for p := 1; p <= d.Len(); p++ {
			for q := 1; q <= d.Len(); q++ {
				if (of[p] == of[q]) != (r[p][q] && r[q][p]) {
					t.Fatalf("%v of %+v: states %d and %d", of, d, p, q)
				}
			}
		}
		if of[1] != 1 {
			t.Fatalf("the first state is in component %d", of[1])
		}
	})
}

// A neighborhood has the transitions between its states and no others, and marks
// states with others elsewhere.
func TestNeighborhood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := random(t)
		l := look{focus: automaton.State(rapid.IntRange(1, d.Len()).Draw(t, "focus")), radius: rapid.IntRange(1, 3).Draw(t, "radius")}
		part, name, cut := neighborhood(d, l)
		old := func(p automaton.State) automaton.State {
			if p == automaton.Dead {
				return p
			}
			var q int
			fmt.Sscanf(name(p), "q%d", &q)
			return automaton.State(q + 1)
		}
		shown := map[automaton.State]bool{0: true}
		for p := 1; p <= part.Len(); p++ {
			shown[old(automaton.State(p))] = true
		}
		if old(part.Start) != l.focus {
			t.Fatalf("it starts at %s, not at %d", name(part.Start), l.focus)
		}
		for p := automaton.State(1); int(p) <= part.Len(); p++ {
			outside := false
			for s, to := range d.Row(old(p)) {
				outside = outside || !shown[to]
				if got := old(part.Next(p, word.Symbol(s))); got != to && (got != 0 || shown[to]) {
					t.Fatalf("%s by %d leads to %d, not %d", name(p), s, got, to)
				}
			}
			if outside && !slices.Contains(cut, int(old(p))) {
				t.Fatalf("%s is not marked", name(p))
			}
		}
	})
}

func TestCollapse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := random(t)
		c, name, label, parts := collapse(d, make([]int, d.Len()+1))
		of := make([]int, d.Len()+1)
		states := 0
		for i, part := range parts {
			states += len(part)
			for _, q := range part {
				of[q] = i + 1
			}
			if strings.HasPrefix(name(automaton.State(i+1)), "×") != (len(part) > 1) {
				t.Fatalf("%v is called %s", part, name(automaton.State(i+1)))
			}
		}
		if states != d.Len() || c.Len() != len(parts) {
			t.Fatalf("%d of %d states in %d parts", states, d.Len(), c.Len())
		}
		for q := automaton.State(1); int(q) <= d.Len(); q++ {
			for s, to := range d.Row(q) {
				p, r := automaton.State(of[q]), automaton.State(of[to])
				if to == 0 || p == r && len(parts[p-1]) > 1 {
					continue
				}
				if !slices.Contains(c.Row(p), r) || !strings.Contains(label(p, r), d.Alphabet.Name(word.Symbol(s))) {
					t.Fatalf("%d by %d to %d is lost", q, s, to)
				}
			}
		}
	})
}

// Lines between 20 states that all lead to each other hide them, and one node for all
// would say nothing.
func TestCrowded(t *testing.T) {
	names := make([]string, 20)
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, len(names))
	for q := 1; q <= d.Len(); q++ {
		for s := range names {
			d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(s+1))
		}
	}
	if n := arrows(d); n != 400 {
		t.Errorf("%d arrows", n)
	}
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g, err := s.draw(t.Context(), d, make([]int, d.Len()+1), look{focus: 1, radius: 2})
	if err != nil || g.View != near || strings.Count(g.SVG, `class="state"`) != 8 {
		t.Errorf("%d states are drawn: %v", strings.Count(g.SVG, `class="state"`), err)
	}
	if _, _, _, parts := collapse(d, make([]int, d.Len()+1)); len(parts) < 2 {
		t.Error("all states are one node")
	}
}

// Of many states, the start and the heaviest stay alone, and no transition joins two
// groups of others.
func TestRemainders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(few+1, 3*few).Draw(t, "states")
		d := automaton.NewDFA(word.Letters("ab"), n)
		weight := make([]int, n+1)
		for q := 1; q <= n; q++ {
			weight[q] = rapid.IntRange(0, 5).Draw(t, "weight")
			for s := range 2 {
				d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(rapid.IntRange(0, n).Draw(t, "to")))
			}
		}
		of := remainders(d, weight)
		size := map[int]int{}
		for q := 1; q <= n; q++ {
			size[of[q]]++
		}
		if of[1] != 1 || size[1] != 1 {
			t.Fatalf("the start is in group %d of %d", of[1], size[of[1]])
		}
		for q := 2; q <= n; q++ {
			heavier := 0
			for p := 2; p <= n; p++ {
				if weight[p] > weight[q] || weight[p] == weight[q] && p < q {
					heavier++
				}
			}
			if alone := heavier < few-1; alone && size[of[q]] != 1 {
				t.Fatalf("%d has weight %d and is not alone", q, weight[q])
			}
			if heavier >= few-1 {
				for _, to := range d.Row(automaton.State(q)) {
					if to > 1 && of[to] != of[q] && size[of[to]] > 1 {
						t.Fatalf("%d and %d are joined, but not together", q, to)
					}
				}
			}
		}
	})
}

// The words that lead to a state are the first of all words that do.
func TestAccessWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := random(t)
		got := accessWords(d, 3)
		for q := range got {
			only := *d
			only.Accept = make([]bool, d.Len()+1)
			only.Accept[q] = q > 0
			if q == 0 {
				continue
			}
			i := 0
			for w := range only.Words() {
				if i == len(got[q]) {
					if i < 3 {
						t.Fatalf("state %d: %v, and %v is missing", q, got[q], w)
					}
					break
				}
				if !slices.Equal(w, got[q][i]) {
					t.Fatalf("state %d: word %d is %v, not %v", q, i, got[q][i], w)
				}
				i++
			}
		}
	})
}
