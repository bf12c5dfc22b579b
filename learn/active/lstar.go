package active

import "quotient/word"

// A table is the observation table of Angluin's L*. Its rows are the access words of
// the states and their one-symbol extensions, its columns are suffixes; an entry says
// whether the network accepts the row's word followed by the suffix. As in Rivest and
// Schapire's version, no two states have the same row, so the table is always
// consistent, and a counterexample adds one column.
//
// Of the entries no more is kept than which rows are the same: those of one class. A
// column divides every class in two, so classes are the nodes of a binary tree, a level
// for each column.
type table struct {
	m        *memory
	h        *hypothesis
	suffixes []word.Word // the columns; the first is empty
	columns  int         // how many of them the states have vouched for; see [table.vouch]
	rows     []row       // row 0 is the empty word; that of state q by s is 1 + q·symbols + s
	states   []int       // the rows that are states
	child    [][2]int32  // of each class, those by the answers no and yes in the next column; 0: none
	state    []int32     // of each class, the state that has it, counted from 1; 0: none

	missing []int32 // words of entries, for fill alone
}

type row struct {
	node   int32 // of the word, in the memory
	class  int32 // by the columns that are filled in
	filled int32 // how many those are
}

func newTable(m *memory) *table {
	return &table{
		m: m, h: newHypothesis(m.q.Alphabet()), suffixes: []word.Word{nil}, rows: []row{{}},
		child: make([][2]int32, 1), state: make([]int32, 1),
	}
}

func (t *table) guess() *hypothesis { return t.h }

func (t *table) discriminators() []word.Word { return t.suffixes }

func (t *table) access(q int) word.Word { return t.m.word(t.rows[t.states[q]].node) }

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
	// A new column changes all classes.
	for q, i := range t.states {
		t.state[t.rows[i].class] = int32(q + 1)
		t.vouch(i, t.columns)
	}
	t.columns = len(t.suffixes)
	for done := 0; done < len(t.rows); {
		if err := t.m.o.spent(t.m.stats, len(t.states)); err != nil {
			return err
		}
		end := len(t.rows)
		for i := done; i < end; i++ {
			if t.state[t.rows[i].class] == 0 {
				t.promote(i)
			}
		}
		done = end
		if err := t.fill(); err != nil {
			return err
		}
	}
	for way, r := range t.rows[1:] {
		t.h.lead(way, int(t.state[r.class])-1)
	}
	return nil
}

// promote makes a state of row i and adds its extensions.
func (t *table) promote(i int) {
	r := t.rows[i]
	t.states = append(t.states, i)
	t.state[r.class] = int32(len(t.states))
	t.h.add(t.m.nodes[r.node].answer == yes)
	t.vouch(i, 0)
	for s := range t.h.Alphabet.Len() {
		t.rows = append(t.rows, row{node: t.m.extend(r.node, word.Word{word.Symbol(s)})})
	}
}

// vouch watches a state's entries in all columns from one on: those of the other rows are the same as a
// state's, to which the hypothesis leads.
func (t *table) vouch(i, from int) {
	for _, v := range t.suffixes[from:] {
		if n, known := t.m.known(t.rows[i].node, v); known {
			t.m.watch(n)
		}
	}
}

// fill asks for all missing entries in one batch.
func (t *table) fill() error {
	t.missing = t.missing[:0]
	for _, r := range t.rows {
		for _, v := range t.suffixes[r.filled:] {
			t.missing = append(t.missing, t.m.extend(r.node, v))
		}
	}
	answers, err := t.m.askNodes(t.missing)
	if err != nil {
		return err
	}
	for i := range t.rows {
		r := &t.rows[i]
		for ; int(r.filled) < len(t.suffixes); r.filled++ {
			r.class, answers = t.divide(r.class, answers[0]), answers[1:]
		}
	}
	return nil
}

// divide returns the class of the rows of another that have an answer in the next column.
func (t *table) divide(class int32, answer bool) int32 {
	side := 0
	if answer {
		side = 1
	}
	if t.child[class][side] == 0 {
		t.child[class][side] = int32(len(t.child))
		t.child, t.state = append(t.child, [2]int32{}), append(t.state, 0)
	}
	return t.child[class][side]
}
