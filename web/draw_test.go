package web

import (
	"fmt"
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

func TestCollapse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := random(t)
		parts := groups(d, make([]int, d.Len()+1))
		g := collapse(d, parts)
		names, label := map[int]string{}, map[[2]int]string{}
		for _, n := range g.Nodes {
			names[n.ID] = n.Name
		}
		for _, e := range g.Edges {
			label[[2]int{g.Nodes[e.From].ID, g.Nodes[e.To].ID}] = e.Label
		}
		of := make([]int, d.Len()+1)
		states := 0
		for i, part := range parts {
			states += len(part)
			for _, q := range part {
				of[q] = i + 1
			}
			if strings.HasPrefix(names[i+1], "×") != (len(part) > 1) {
				t.Fatalf("%v is called %s", part, names[i+1])
			}
		}
		if states != d.Len() || len(names) != len(parts) {
			t.Fatalf("%d of %d states in %d parts", states, d.Len(), len(names))
		}
		for q := automaton.State(1); int(q) <= d.Len(); q++ {
			for s, to := range d.Row(q) {
				p, r := of[q], of[to]
				if to == 0 || p == r && len(parts[p-1]) > 1 {
					continue
				}
				if !strings.Contains(label[[2]int{p, r}], d.Alphabet.Name(word.Symbol(s))) {
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
	if len(groups(d, make([]int, d.Len()+1))) < 2 {
		t.Error("all states are one node")
	}
}

// An automaton without states has a picture in every view.
func TestDrawNothing(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d := automaton.NewDFA(word.Letters("ab"), 0)
	for _, view := range []string{"", whole, near, collapsed} {
		g, err := s.draw(t.Context(), d, []int{0}, look{view: view, focus: 1, radius: 2})
		if err != nil || !strings.Contains(g.SVG, "∅") {
			t.Errorf("view %q: %v", view, err)
		}
	}
}

// Two automata that look alike around their starts have states of other names there.
func TestDrawAlike(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, second := range []automaton.State{2, 3} {
		d := automaton.NewDFA(word.Letters("a"), 4)
		d.SetNext(1, 0, second)
		d.SetNext(second, 0, 4)
		g, err := s.draw(t.Context(), d, make([]int, 5), look{view: near, focus: 1, radius: 1})
		if err != nil || !strings.Contains(g.SVG, fmt.Sprintf(`data-name="q%d"`, second-1)) {
			t.Errorf("state %d is not in %v: %v", second, g, err)
		}
	}
}
