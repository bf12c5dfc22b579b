package automaton

import (
	"fmt"
	"slices"

	"quotient/word"
)

// Complement returns an automaton for the words that d does not accept.
func Complement(d *DFA) *DFA {
	c := NewDFA(d.Alphabet, d.Len()+1)
	all := State(d.Len() + 1) // what Dead becomes: it accepts everything
	flip := func(q State) State {
		if q == Dead {
			return all
		}
		return q
	}
	c.Start = flip(d.Start)
	for q := State(1); q < all; q++ {
		c.Accept[q] = !d.Accept[q]
		for s, to := range d.Row(q) {
			c.SetNext(q, word.Symbol(s), flip(to))
		}
	}
	c.Accept[all] = true
	for s := range c.Row(all) {
		c.SetNext(all, word.Symbol(s), all)
	}
	return c
}

// Union returns an automaton for the words that a or b accepts. Like the other
// products it needs automata over one alphabet and returns a [*LimitError] if
// the result has more than limit states.
func Union(a, b *DFA, limit int) (*DFA, error) {
	return product("union", a, b, limit, func(x, y bool) bool { return x || y })
}

// Intersect returns an automaton for the words that both a and b accept.
func Intersect(a, b *DFA, limit int) (*DFA, error) {
	return product("intersection", a, b, limit, func(x, y bool) bool { return x && y })
}

// Difference returns an automaton for the words that a accepts and b does not.
func Difference(a, b *DFA, limit int) (*DFA, error) {
	return product("difference", a, b, limit, func(x, y bool) bool { return x && !y })
}

// product runs a and b side by side; accept decides from their two answers.
func product(op string, a, b *DFA, limit int, accept func(x, y bool) bool) (*DFA, error) {
	if !a.Alphabet.Equal(b.Alphabet) {
		panic("automaton: " + op + " needs automata over one alphabet")
	}
	type pair struct{ p, q State }
	k := a.Alphabet.Len()
	most := bound{op, limit, max(grown, Room(len(a.Table)+len(b.Table)))}
	d := NewDFA(a.Alphabet, 0)
	pairs := []pair{{}}
	number := map[pair]State{}
	stateOf := func(x pair) (State, error) {
		// Once an automaton is dead it answers no forever: where that settles
		// the answer of both, the product is dead too.
		if x.p == Dead && (x.q == Dead || !accept(false, true)) || x.q == Dead && !accept(true, false) {
			return Dead, nil
		}
		if q, ok := number[x]; ok {
			return q, nil
		}
		if err := most.check(len(pairs), k); err != nil {
			return Dead, err
		}
		q := State(len(pairs))
		number[x] = q
		pairs = append(pairs, x)
		d.Accept = append(d.Accept, accept(a.Accept[x.p], b.Accept[x.q]))
		d.Table = append(d.Table, make([]State, k)...)
		return q, nil
	}
	var err error
	if d.Start, err = stateOf(pair{a.Start, b.Start}); err != nil {
		return nil, err
	}
	for i := 1; i < len(pairs); i++ {
		x := pairs[i]
		for s := range word.Symbol(k) {
			to, err := stateOf(pair{a.Next(x.p, s), b.Next(x.q, s)})
			if err != nil {
				return nil, err
			}
			d.SetNext(State(i), s, to)
		}
	}
	return d, nil
}

// Reverse returns an automaton for the words of n read backwards.
func Reverse(n *NFA) *NFA {
	r := NewNFA(n.Alphabet, n.Len())
	for _, q := range n.Start {
		r.Accept[q] = q != Dead
	}
	for q, accept := range n.Accept {
		if accept {
			r.Start = append(r.Start, State(q))
		}
	}
	r.Edges = make([]Edge, len(n.Edges))
	for i, e := range n.Edges {
		r.Edges[i] = Edge{From: e.To, To: e.From, On: e.On}
	}
	return r
}

// reachable returns the states, without Dead, that are reachable from the start.
func (d *DFA) reachable() []State {
	order, _ := breadthFirst(d)
	return order[1:]
}

// Trim returns d without the states that cannot be reached, the others numbered
// breadth first.
func Trim(d *DFA) *DFA {
	order, next := breadthFirst(d)
	t := NewDFA(d.Alphabet, len(order)-1)
	for i, q := range order {
		t.Accept[i] = d.Accept[q]
	}
	copy(t.Table, next)
	return t
}

// Reachable returns how many states of n can be reached from its start.
func (n *NFA) Reachable() int {
	out := n.outgoing()
	seen := make([]bool, len(n.Accept))
	seen[Dead] = true
	var stack []State
	count := 0
	visit := func(q State) {
		if !seen[q] {
			seen[q] = true
			count++
			stack = append(stack, q)
		}
	}
	for _, q := range n.Start {
		visit(q)
	}
	for len(stack) > 0 {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range out.of(q) {
			visit(e.To)
		}
	}
	return count
}

// IsEmpty reports whether no word is accepted.
func (d *DFA) IsEmpty() bool {
	return !slices.ContainsFunc(d.reachable(), func(q State) bool { return d.Accept[q] })
}

// IsUniversal reports whether every word is accepted.
func (d *DFA) IsUniversal() bool {
	if d.Start == Dead {
		return false
	}
	return !slices.ContainsFunc(d.reachable(), func(q State) bool {
		return !d.Accept[q] || slices.Contains(d.Row(q), Dead)
	})
}

// IsFinite reports whether only finitely many words are accepted: whether the
// minimal automaton, in which every state lies on the way to acceptance, has no
// cycle.
func (d *DFA) IsFinite() bool {
	m := Minimize(d)
	entering := make([]int, len(m.Accept))
	for _, to := range m.Table {
		entering[to]++
	}
	// Kahn's topological sort: a cycle is what cannot be removed.
	free := []State{m.Start}
	if m.Start == Dead || entering[m.Start] > 0 {
		return m.Start == Dead
	}
	for i := 0; i < len(free); i++ {
		for _, to := range m.Row(free[i]) {
			if entering[to]--; to != Dead && entering[to] == 0 {
				free = append(free, to)
			}
		}
	}
	return len(free) == m.Len()
}

// WithAlphabet returns n over the alphabet a, its symbols matched by name. It is
// an error if a lacks a symbol of n.
func (n *NFA) WithAlphabet(a *word.Alphabet) (*NFA, error) {
	if a.Equal(n.Alphabet) {
		return n, nil
	}
	renamed, err := translate(n.Alphabet, a)
	if err != nil {
		return nil, err
	}
	r := &NFA{Alphabet: a, Start: n.Start, Accept: n.Accept, Edges: slices.Clone(n.Edges)}
	for i, e := range r.Edges {
		if e.On != Epsilon {
			r.Edges[i].On = renamed[e.On]
		}
	}
	return r, nil
}

// translate returns what each symbol of one alphabet is in the other.
func translate(from, to *word.Alphabet) ([]word.Symbol, error) {
	renamed := make([]word.Symbol, from.Len())
	for s, name := range from.Names() {
		t, ok := to.Symbol(name)
		if !ok {
			return nil, fmt.Errorf("symbol %q is not in the alphabet %s", name, to)
		}
		renamed[s] = t
	}
	return renamed, nil
}

// WithAlphabet returns d over the alphabet a, its symbols matched by name.
// Symbols that d does not know lead to Dead. It is an error if a lacks a symbol
// of d.
func (d *DFA) WithAlphabet(a *word.Alphabet) (*DFA, error) {
	if a.Equal(d.Alphabet) {
		return d, nil
	}
	if err := (bound{"larger alphabet", d.Len(), max(grown, Room(len(d.Table)))}).check(d.Len(), a.Len()); err != nil {
		return nil, err
	}
	renamed, err := translate(d.Alphabet, a)
	if err != nil {
		return nil, err
	}
	r := NewDFA(a, d.Len())
	r.Start = d.Start
	copy(r.Accept, d.Accept)
	for q := range State(len(d.Accept)) {
		for s, to := range d.Row(q) {
			r.SetNext(q, renamed[s], to)
		}
	}
	return r, nil
}
