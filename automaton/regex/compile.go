package regex

import (
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// maxEdges is the largest NFA that Compile builds on the way.
const maxEdges = 1 << 22

// Compile returns the minimal automaton of the expression over the alphabet a,
// which is also what dots, [^...] and ~ refer to. It is an error if the
// expression mentions a symbol that a lacks, and an [*automaton.LimitError] if an
// automaton of more than limit states would be built on the way: the minimal
// automaton of (a|b)*a(a|b){30} has two billion.
func (e *Expr) Compile(a *word.Alphabet, limit int) (*automaton.DFA, error) {
	for _, name := range e.Symbols() {
		if _, ok := a.Symbol(name); !ok {
			return nil, fmt.Errorf("regular expression: the symbol %s is not in the alphabet %s", word.QuoteName(name), a)
		}
	}
	c := newCompiler(e, a, limit)
	d, err := c.dfa(e)
	if err != nil {
		return nil, err
	}
	return c.expand(d, a)
}

// A compiler works with blocks instead of symbols: symbols that are in the same
// classes of the expression behave alike, so it calculates with one of them.
// Over an alphabet of 60,000 symbols, .*a.* needs two.
type compiler struct {
	block    []int // of every symbol
	alphabet *word.Alphabet
	classes  map[*Expr][]word.Symbol  // the blocks of a class
	done     map[*Expr]*automaton.DFA // of complements and intersections: a repetition copies them
	limit    int
}

func newCompiler(e *Expr, a *word.Alphabet, limit int) *compiler {
	c := &compiler{
		classes: make(map[*Expr][]word.Symbol),
		done:    make(map[*Expr]*automaton.DFA),
		limit:   limit,
	}
	var names []string
	c.block, names = blocks(e, a)
	c.alphabet, _ = word.NewAlphabet(names...) // a subset of a's names
	e.walk(func(x *Expr) {
		if x.op == class {
			c.classes[x] = c.classBlocks(x, a)
		}
	})
	return c
}

// blocks partitions the alphabet by the classes of e. It returns the block of
// every symbol and the name of the first symbol of every block. The blocks are
// in the order of their first symbols, which is what keeps the breadth-first
// numbering of a minimal automaton the same over blocks and over symbols.
func blocks(e *Expr, a *word.Alphabet) (block []int, names []string) {
	block = make([]int, a.Len())
	count := 1
	e.walk(func(x *Expr) {
		moved := make(map[int]int, 1) // from a block to its part within the class
		for _, name := range x.names {
			s, _ := a.Symbol(name)
			part, ok := moved[block[s]]
			if !ok {
				part = count
				moved[block[s]] = part
				count++
			}
			block[s] = part
		}
	})
	number := make(map[int]int)
	for s, b := range block {
		if _, ok := number[b]; !ok {
			number[b] = len(names)
			names = append(names, a.Name(word.Symbol(s)))
		}
		block[s] = number[b]
	}
	return block, names
}

// classBlocks returns the blocks of a class in ascending order.
func (c *compiler) classBlocks(x *Expr, a *word.Alphabet) []word.Symbol {
	var named []word.Symbol
	for _, name := range x.names {
		s, _ := a.Symbol(name)
		named = append(named, word.Symbol(c.block[s]))
	}
	slices.Sort(named)
	named = slices.Compact(named)
	if !x.except {
		return named
	}
	var others []word.Symbol
	for b := range c.alphabet.Len() {
		if _, found := slices.BinarySearch(named, word.Symbol(b)); !found {
			others = append(others, word.Symbol(b))
		}
	}
	return others
}

// expand returns the automaton over symbols for one over blocks.
func (c *compiler) expand(d *automaton.DFA, a *word.Alphabet) (*automaton.DFA, error) {
	if most := automaton.Room(len(d.Table)); len(d.Accept) > most/max(a.Len(), 1) {
		return nil, &automaton.LimitError{Op: "regular expression", What: "table entries", Limit: most}
	}
	full := automaton.NewDFA(a, d.Len())
	full.Start = d.Start
	copy(full.Accept, d.Accept)
	for q := range d.Accept {
		to, row := full.Row(automaton.State(q)), d.Row(automaton.State(q))
		for s, b := range c.block {
			to[s] = row[b]
		}
	}
	return full, nil
}

// dfa returns the minimal automaton of e over blocks.
func (c *compiler) dfa(e *Expr) (*automaton.DFA, error) {
	switch e.op {
	case complement:
		d, err := c.dfa(e.subs[0])
		if err != nil {
			return nil, err
		}
		return automaton.Minimize(automaton.Complement(d)), nil
	case intersect:
		d, err := c.dfa(e.subs[0])
		for _, x := range e.subs[1:] {
			if err != nil {
				return nil, err
			}
			d, err = c.and(d, x)
		}
		return d, err
	}
	n := automaton.NewNFA(c.alphabet, 0)
	from, to := n.AddState(false), n.AddState(true)
	n.Start = []automaton.State{from}
	if err := c.thompson(n, from, e, to); err != nil {
		return nil, err
	}
	d, err := automaton.Determinize(n, c.limit)
	if err != nil {
		return nil, err
	}
	return automaton.Minimize(d), nil
}

func (c *compiler) and(d *automaton.DFA, x *Expr) (*automaton.DFA, error) {
	other, err := c.dfa(x)
	if err != nil {
		return nil, err
	}
	both, err := automaton.Intersect(d, other, c.limit)
	if err != nil {
		return nil, err
	}
	return automaton.Minimize(both), nil
}

// thompson adds to n paths from one state to another that read the words of e
// (Thompson, Regular Expression Search Algorithm, 1968). Nothing it adds leads
// into from or out of to, unless they are the same state, so that expressions
// may share them.
func (c *compiler) thompson(n *automaton.NFA, from automaton.State, e *Expr, to automaton.State) error {
	if len(n.Edges) > maxEdges {
		return &automaton.LimitError{Op: "regular expression", What: "edges", Limit: maxEdges}
	}
	switch e.op {
	case class:
		for _, b := range c.classes[e] {
			n.AddEdge(from, b, to)
		}
	case concat:
		for _, x := range e.subs {
			mid := n.AddState(false)
			if err := c.thompson(n, from, x, mid); err != nil {
				return err
			}
			from = mid
		}
		n.AddEdge(from, automaton.Epsilon, to)
	case alternate:
		for _, x := range e.subs {
			if err := c.thompson(n, from, x, to); err != nil {
				return err
			}
		}
	case repeat:
		return c.repeat(n, from, e, to)
	case complement, intersect:
		return c.embed(n, from, e, to)
	}
	return nil
}

// repeat chains copies of the operand: those that have to be read, then those
// that may be, each with a way past the rest, or else a loop.
func (c *compiler) repeat(n *automaton.NFA, from automaton.State, e *Expr, to automaton.State) error {
	copies := e.max
	if e.max == unbounded {
		copies = max(e.min-1, 0)
	}
	for i := range copies {
		if i >= e.min {
			n.AddEdge(from, automaton.Epsilon, to)
		}
		mid := n.AddState(false)
		if err := c.thompson(n, from, e.subs[0], mid); err != nil {
			return err
		}
		from = mid
	}
	if e.max == unbounded {
		if e.min == 0 {
			n.AddEdge(from, automaton.Epsilon, to)
		}
		first, last := n.AddState(false), n.AddState(false)
		n.AddEdge(from, automaton.Epsilon, first)
		if err := c.thompson(n, first, e.subs[0], last); err != nil {
			return err
		}
		n.AddEdge(last, automaton.Epsilon, first)
		from = last
	}
	n.AddEdge(from, automaton.Epsilon, to)
	return nil
}

// embed adds a copy of the automaton of a complement or an intersection.
func (c *compiler) embed(n *automaton.NFA, from automaton.State, e *Expr, to automaton.State) error {
	d, ok := c.done[e]
	if !ok {
		var err error
		if d, err = c.dfa(e); err != nil {
			return err
		}
		c.done[e] = d
	}
	if d.Start == automaton.Dead {
		return nil
	}
	base := automaton.State(n.Len()) // state q of d becomes base+q of n
	n.AddEdge(from, automaton.Epsilon, base+d.Start)
	for q := automaton.State(1); int(q) < len(d.Accept); q++ {
		n.AddState(false)
		for b, next := range d.Row(q) {
			if next != automaton.Dead {
				n.AddEdge(base+q, word.Symbol(b), base+next)
			}
		}
		if d.Accept[q] {
			n.AddEdge(base+q, automaton.Epsilon, to)
		}
	}
	return nil
}
