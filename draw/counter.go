package draw

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"quotient/automaton"
	"quotient/counter"
	"quotient/word"
)

// Counter writes a picture of a counter automaton to w. An edge is labeled with its
// symbols, what they ask of the counter and what they add to it: "b, ≠0 / −1" is read
// if the counter is not zero, "a / +1" always. A double circle is a state that
// accepts; if it does so with one test alone, that stands under its name.
//
// Past [MaxStates] or [MaxEdges] the error is an [automaton.LimitError].
func Counter(w io.Writer, a *counter.Automaton, o Options) error {
	g, err := fromCounter(a, o)
	if err != nil {
		return err
	}
	return SVG(w, g, o)
}

func counterDescription(a *counter.Automaton) string {
	if a.Start == automaton.Dead {
		return fmt.Sprintf("A counter automaton over %s that accepts nothing.", a.Alphabet)
	}
	var accepting []string
	for q := 1; q <= a.Len(); q++ {
		switch a.Accept[q] {
		case [2]bool{true, true}:
			accepting = append(accepting, fmt.Sprintf("q%d", q-1))
		case [2]bool{true, false}, [2]bool{false, true}:
			accepting = append(accepting, fmt.Sprintf("q%d if the counter is %s", q-1, counterOut(a.Accept[q])))
		}
	}
	return fmt.Sprintf("A counter automaton with %s over %s. It starts in q%d with the counter at zero. Accepting: %s. Moves that are not shown lead to a dead state.",
		count(a.Len(), "state"), a.Alphabet, a.Start-1, strings.Join(accepting, ", "))
}

// counterOut returns the test with which a state accepts, if it asks for one.
func counterOut(accept [2]bool) string {
	for _, t := range counter.Tests {
		if accept[t] && !accept[1-t] {
			return t.String()
		}
	}
	return ""
}

func fromCounter(a *counter.Automaton, o Options) (*Graph, error) {
	if err := checkSize(a.Len(), 0); err != nil {
		return nil, err
	}
	g := &Graph{Title: fmt.Sprintf("A counter automaton with %s", count(a.Len(), "state")), Description: counterDescription(a)}
	if a.Start == automaton.Dead {
		return g, nil
	}
	// The arrow points to the first node.
	states := []automaton.State{a.Start}
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		if q != a.Start {
			states = append(states, q)
		}
	}
	for i, p := range states {
		g.Nodes = append(g.Nodes, Node{
			ID: int(p), Name: o.name(p, int(p)-1), Accept: a.Accept[p] != [2]bool{}, Out: counterOut(a.Accept[p]),
		})
		for j, q := range states {
			full, short := counterLabel(a, p, q)
			if full == "" {
				continue
			}
			g.Edges = append(g.Edges, Edge{From: i, To: j, Label: full, Short: short})
			if err := checkSize(a.Len(), len(g.Edges)); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// counterLabel writes all moves from p to q, symbols that do the same joined.
func counterLabel(a *counter.Automaton, p, q automaton.State) (full, short string) {
	var kinds []string // what is asked and done, in the order of the first symbols
	symbols := map[string][]word.Symbol{}
	for s := range a.Alphabet.Len() {
		on := word.Symbol(s)
		zero, other := a.Move(p, on, counter.Zero), a.Move(p, on, counter.Nonzero)
		for _, t := range counter.Tests {
			m := a.Move(p, on, t)
			if m.To != q || t == counter.Nonzero && zero == other {
				continue
			}
			kind := adds(m.Add)
			if zero != other {
				kind = ", " + t.String() + kind
			}
			if symbols[kind] == nil {
				kinds = append(kinds, kind)
			}
			symbols[kind] = append(symbols[kind], on)
		}
	}
	var items []string
	moves := 0
	for _, kind := range kinds {
		moves += len(symbols[kind])
		names := list(a.Alphabet, symbols[kind])
		for i, name := range names {
			if strings.ContainsAny(name, "()[];/=≠") { // it would be read as part of the label
				names[i] = strconv.Quote(name)
			}
		}
		items = append(items, strings.Join(names, " ")+kind)
	}
	full = strings.Join(items, "; ")
	return full, shorten(full, items, moves, 2*maxLabel)
}

func adds(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf(" / +%d", n)
	case n < 0:
		return fmt.Sprintf(" / −%d", -n)
	}
	return ""
}
