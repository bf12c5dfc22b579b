package active

import (
	"quotient/automaton"
	"quotient/word"
)

// A table is the observation table of Angluin's L*. Its rows are the access words of
// the states and their one-symbol extensions, its columns are suffixes; an entry says
// whether the network accepts the row's word followed by the suffix. As in Rivest and
// Schapire's version, no two states have the same row, so the table is always
// consistent, and a counterexample adds one column.
type table struct {
	m        *memory
	symbols  int
	suffixes []word.Word    // the columns; the first is empty
	rows     []row          // row 0 is the empty word
	states   []int          // the rows that are states
	next     []int          // states × symbols: the row of each extension
	state    map[string]int // of the rows of states
}

type row struct {
	word word.Word
	node int32  // of the word, in the memory; 0: not known yet, or the empty word
	bits []byte // one a column
}

func newTable(m *memory, symbols int) *table {
	return &table{m: m, symbols: symbols, suffixes: []word.Word{nil}, rows: []row{{}}}
}

func (t *table) discriminators() []word.Word { return t.suffixes }

func (t *table) access(q int) word.Word { return t.rows[t.states[q]].word }

// split adds a column that tells the extension of q by s from the state that has had
// the same row.
func (t *table) split(_ int, _ word.Symbol, suffix word.Word) error {
	t.suffixes = append(t.suffixes, suffix)
	return nil
}

// close fills the table and makes a state of every extension whose row no state has.
func (t *table) close() error {
	if err := t.fill(); err != nil {
		return err
	}
	// A new column changes all rows, so the states are indexed anew.
	t.state = map[string]int{}
	for q, i := range t.states {
		t.state[string(t.rows[i].bits)] = q
	}
	for done := 0; done < len(t.rows); {
		if err := t.m.o.spent(t.m.stats, t.size()); err != nil {
			return err
		}
		end := len(t.rows)
		for i := done; i < end; i++ {
			if _, known := t.state[string(t.rows[i].bits)]; !known {
				t.promote(i)
			}
		}
		done = end
		if err := t.fill(); err != nil {
			return err
		}
	}
	return nil
}

// promote makes a state of row i and adds its extensions.
func (t *table) promote(i int) {
	t.state[string(t.rows[i].bits)] = len(t.states)
	t.states = append(t.states, i)
	for s := range t.symbols {
		t.next = append(t.next, len(t.rows))
		t.rows = append(t.rows, row{word: t.rows[i].word.With(word.Symbol(s))})
	}
}

// fill asks for all missing entries in one batch.
func (t *table) fill() error {
	var nodes []int32
	for i := range t.rows {
		r := &t.rows[i]
		if r.node == 0 {
			r.node = t.m.node(r.word)
		}
		for _, v := range t.suffixes[len(r.bits):] {
			nodes = append(nodes, t.m.extend(r.node, v))
		}
	}
	answers, err := t.m.askNodes(nodes)
	if err != nil {
		return err
	}
	for i := range t.rows {
		r := &t.rows[i]
		for len(r.bits) < len(t.suffixes) {
			bit := byte(0)
			if answers[0] {
				bit = 1
			}
			r.bits, answers = append(r.bits, bit), answers[1:]
		}
	}
	return nil
}

// size returns the number of states.
func (t *table) size() int { return len(t.states) }

// target returns the state that symbol s leads to from q.
func (t *table) target(q int, s word.Symbol) int {
	return t.state[string(t.rows[t.next[q*t.symbols+int(s)]].bits)]
}

func (t *table) accepts(q int) bool { return t.rows[t.states[q]].bits[0] == 1 }

// hypothesis returns the automaton of a learner, whose state q is state q+1.
func hypothesis(l learner, a *word.Alphabet) *automaton.DFA {
	d := automaton.NewDFA(a, l.size())
	for q := range l.size() {
		d.Accept[q+1] = l.accepts(q)
		for s := range a.Len() {
			d.SetNext(automaton.State(q+1), word.Symbol(s), automaton.State(l.target(q, word.Symbol(s))+1))
		}
	}
	return d
}
