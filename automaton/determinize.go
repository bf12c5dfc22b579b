package automaton

import (
	"context"
	"encoding/binary"
	"slices"

	"quotient/word"
)

// DefaultLimit is the limit on states that commands use unless told otherwise.
const DefaultLimit = 1_000_000

// Determinize returns an automaton for the language of n. An automaton that is
// deterministic already keeps its state numbers; otherwise the states are the
// reachable sets of states, numbered breadth first. It returns a [*LimitError]
// if there are more than limit of them.
func Determinize(n *NFA, limit int) (*DFA, error) {
	return DeterminizeUnder(context.Background(), n, limit)
}

// DeterminizeUnder is like [Determinize], and ends with the context.
func DeterminizeUnder(ctx context.Context, n *NFA, limit int) (*DFA, error) {
	if n.IsDeterministic() {
		return tabulate(n, limit)
	}
	return subsets(ctx, n, limit)
}

// IsDeterministic reports whether n has at most one start, no ε-moves and at
// most one way to go for every state and symbol.
func (n *NFA) IsDeterministic() bool {
	if len(n.Start) > 1 {
		return false
	}
	out := n.outgoing()
	last := make([]Edge, n.Alphabet.Len()) // the latest edge seen with each symbol
	for q := State(1); int(q) < len(n.Accept); q++ {
		for _, e := range out.of(q) {
			if e.On == Epsilon || last[e.On].From == q && last[e.On].To != e.To {
				return false
			}
			last[e.On] = e
		}
	}
	return true
}

// A bound says how large an automaton may be.
type bound struct {
	op     string // that makes it
	states int
	table  int // entries
}

// check returns an error if an automaton of that many states may not be built.
func (b bound) check(states, symbols int) error {
	if states > b.states {
		return &LimitError{Op: b.op, What: "states", Limit: b.states}
	}
	if symbols > 0 && states+1 > b.table/symbols {
		return &LimitError{Op: b.op, What: "table entries", Limit: b.table}
	}
	return nil
}

// tabulate writes the edges of a deterministic NFA into a table.
func tabulate(n *NFA, limit int) (*DFA, error) {
	if err := (bound{"determinize", limit, Room(len(n.Edges))}).check(n.Len(), n.Alphabet.Len()); err != nil {
		return nil, err
	}
	d := NewDFA(n.Alphabet, n.Len())
	d.Start = Dead
	if len(n.Start) == 1 {
		d.Start = n.Start[0]
	}
	copy(d.Accept, n.Accept)
	for _, e := range n.Edges {
		d.SetNext(e.From, e.On, e.To)
	}
	return d, nil
}

// subsets is the subset construction of Rabin and Scott (1959), on reachable
// sets only.
func subsets(ctx context.Context, n *NFA, limit int) (*DFA, error) {
	k := n.Alphabet.Len()
	most := bound{"determinize", limit, max(grown, Room(len(n.Edges)))}
	if err := most.check(0, k); err != nil {
		return nil, err
	}
	d := NewDFA(n.Alphabet, 0)
	out := n.outgoing()
	sets := [][]State{nil} // sets[q] is what state q of d stands for
	number := map[string]State{"": Dead}
	walk := newClosure(n, out)

	stateOf := func(targets []State) (State, error) {
		set := walk.close(targets)
		key := setKey(set)
		if q, ok := number[key]; ok {
			return q, nil
		}
		if err := most.check(len(sets), k); err != nil {
			return Dead, err
		}
		q := State(len(sets))
		number[key] = q
		sets = append(sets, slices.Clone(set))
		d.Accept = append(d.Accept, slices.ContainsFunc(set, func(p State) bool { return n.Accept[p] }))
		d.Table = append(d.Table, make([]State, k)...)
		return q, nil
	}

	var err error
	if d.Start, err = stateOf(n.Start); err != nil {
		return nil, err
	}
	targets := make([][]State, k) // where each symbol leads from the current set
	var symbols []word.Symbol     // those that lead anywhere
	for q := State(1); int(q) < len(sets) && ctx.Err() == nil; q++ {
		symbols = symbols[:0]
		for _, p := range sets[q] {
			for _, e := range out.of(p) {
				if e.On == Epsilon {
					continue
				}
				if len(targets[e.On]) == 0 {
					symbols = append(symbols, e.On)
				}
				targets[e.On] = append(targets[e.On], e.To)
			}
		}
		slices.Sort(symbols) // breadth-first numbers follow the order of symbols
		for _, on := range symbols {
			to, err := stateOf(targets[on])
			if err != nil {
				return nil, err
			}
			d.SetNext(q, on, to)
			targets[on] = targets[on][:0]
		}
	}
	return d, context.Cause(ctx) // nil unless it ended
}

// setKey is a string that identifies a sorted set.
func setKey(set []State) string {
	key := make([]byte, 0, 4*len(set))
	for _, q := range set {
		key = binary.LittleEndian.AppendUint32(key, uint32(q))
	}
	return string(key)
}

// adjacency lists the edges of every state: those of q are
// edges[first[q]:first[q+1]], in the order in which the automaton has them.
type adjacency struct {
	first []int32
	edges []Edge
}

func (n *NFA) outgoing() adjacency {
	a := adjacency{first: make([]int32, len(n.Accept)+1), edges: make([]Edge, len(n.Edges))}
	for _, e := range n.Edges {
		a.first[e.From+1]++
	}
	for q := range n.Accept {
		a.first[q+1] += a.first[q]
	}
	next := slices.Clone(a.first)
	for _, e := range n.Edges {
		a.edges[next[e.From]] = e
		next[e.From]++
	}
	return a
}

func (a adjacency) of(q State) []Edge { return a.edges[a.first[q]:a.first[q+1]] }

// A closure follows ε-moves; it keeps its scratch space between calls.
type closure struct {
	out  adjacency
	seen []int // seen[q] == round: q is in the set
	now  int
	set  []State
}

func newClosure(n *NFA, out adjacency) *closure {
	return &closure{out: out, seen: make([]int, len(n.Accept))}
}

// close returns, sorted, the states that ε-moves reach from the given ones.
// The slice is valid until the next call.
func (c *closure) close(from []State) []State {
	c.now++
	c.set = c.set[:0]
	c.add(from)
	for i := 0; i < len(c.set); i++ {
		for _, e := range c.out.of(c.set[i]) {
			if e.On == Epsilon {
				c.add([]State{e.To})
			}
		}
	}
	slices.Sort(c.set)
	return c.set
}

func (c *closure) add(states []State) {
	for _, q := range states {
		if q != Dead && c.seen[q] != c.now {
			c.seen[q] = c.now
			c.set = append(c.set, q)
		}
	}
}

// Accepts reports whether w is in the language.
func (n *NFA) Accepts(w word.Word) bool {
	out := n.outgoing()
	walk := newClosure(n, out)
	set := slices.Clone(walk.close(n.Start))
	for _, s := range w {
		var targets []State
		for _, p := range set {
			for _, e := range out.of(p) {
				if e.On == s {
					targets = append(targets, e.To)
				}
			}
		}
		set = slices.Clone(walk.close(targets))
	}
	return slices.ContainsFunc(set, func(p State) bool { return n.Accept[p] })
}
