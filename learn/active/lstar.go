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
// for each column. The way to a class from the root is what its rows have answered.
//
// Nearly all entries are those of rows that are no states, and a word behind such a row is
// no entry of another: states hang together, and the row is where the word leaves them. So
// the memory need not know it, as the class does, until the row becomes a state.
type table struct {
	m        *memory
	h        *hypothesis
	suffixes []word.Word      // the columns; the first is empty
	columns  int              // how many of them the states have vouched for; see [table.vouch]
	rows     []row            // row 0 is the empty word; that of state q by s is 1 + q·symbols + s
	states   []int            // the rows that are states
	child    [][2]int32       // of each class, those by the answers no and yes in the next column; 0: none
	parent   []int32          // of each class, the one that it was by the columns before the last
	state    []int32          // of each class, the state that has it, counted from 1; 0: none
	column   map[string]int32 // where a suffix is
	plain    bool             // all words are in the memory

	passing []int32 // rows of entries whose words are posed, for ask alone
	asking  []int32 // rows of other entries
	missing []int32 // and their words
}

type row struct {
	node   int32 // of the word, in the memory
	class  int32 // by the columns that are filled in
	filled int32 // how many those are
	state  int32 // which one it is, counted from 1; 0: none
}

func newTable(m *memory) *table {
	return &table{
		m: m, h: newHypothesis(m.q.Alphabet()), suffixes: []word.Word{nil}, rows: []row{{}},
		child: make([][2]int32, 1), parent: make([]int32, 1), state: make([]int32, 1),
		column: map[string]int32{"": 0}, plain: m.all || m.q.Metered(),
	}
}

func (t *table) guess() *hypothesis { return t.h }

func (t *table) discriminators() []word.Word { return t.suffixes }

func (t *table) access(q int) word.Word { return t.m.word(t.node(q)) }

func (t *table) node(q int) int32 { return t.rows[t.states[q]].node }

// split adds a column that tells the extension of q by s from the state that has had
// the same row.
func (t *table) split(_ int, _ word.Symbol, suffix word.Word) error {
	t.column[suffix.Key()] = int32(len(t.suffixes))
	t.suffixes = append(t.suffixes, suffix)
	return nil
}

// close fills the table and makes a state of every extension whose row no state has.
func (t *table) close() error {
	if err := t.fill(0); err != nil {
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
		if err := t.fill(done); err != nil {
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
	t.spell(i)
	t.states = append(t.states, i)
	t.rows[i].state = int32(len(t.states))
	r := t.rows[i]
	t.state[r.class] = r.state
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

// fill asks for all missing entries, those of states and of rows from one on.
func (t *table) fill(from int) error {
	for _, i := range t.states {
		t.want(i)
	}
	for i := from; i < len(t.rows); i++ {
		if t.rows[i].state > 0 {
			continue
		}
		if t.want(i); len(t.passing) >= batch {
			if err := t.ask(); err != nil {
				return err
			}
		}
	}
	return t.ask()
}

// ask asks for the entries that are wanted. Of the entries of a row, those whose words are posed are the last.
func (t *table) ask() error {
	answers, err := t.m.askNodes(t.missing)
	if err == nil {
		for j, i := range t.asking {
			t.enter(i, answers[len(t.passing)+j])
		}
		for j, i := range t.passing {
			t.enter(i, answers[j])
		}
	}
	t.missing, t.asking, t.passing = t.missing[:0], t.asking[:0], t.passing[:0]
	return err
}

// enter fills in the next column of a row.
func (t *table) enter(i int32, answer bool) {
	r := &t.rows[i]
	r.class = t.divide(r.class, answer)
	r.filled++
}

// want lists the missing entries of a row. Words of states are put into the memory, and before those of the
// other rows: where such a row has words behind it there, one of them may be an entry.
func (t *table) want(i int) {
	r := t.rows[i]
	for _, v := range t.suffixes[r.filled:] {
		if !t.plain && r.state == 0 && len(v) > 0 && t.m.nodes[r.node].first == 0 {
			t.m.pose(r.node, v)
			t.passing = append(t.passing, int32(i))
			continue
		}
		if r.state > 0 {
			t.recall(int(r.state)-1, v)
		}
		t.missing, t.asking = append(t.missing, t.m.extend(r.node, v)), append(t.asking, int32(i))
	}
}

// divide returns the class of the rows of another that have an answer in the next column.
func (t *table) divide(class int32, answer bool) int32 {
	side := 0
	if answer {
		side = 1
	}
	if t.child[class][side] == 0 {
		t.child[class][side] = int32(len(t.child))
		t.child, t.parent, t.state = append(t.child, [2]int32{}), append(t.parent, class), append(t.state, 0)
	}
	return t.child[class][side]
}

// spell puts the entries of a row into the memory.
func (t *table) spell(i int) {
	if t.plain {
		return
	}
	for c := range t.rows[i].filled {
		t.note(&t.rows[i], c)
	}
}

// note puts the entry of a row in a column that is filled in into the memory.
func (t *table) note(r *row, column int32) {
	class := r.class
	for range r.filled - column - 1 {
		class = t.parent[class]
	}
	t.m.tell(t.m.extend(r.node, t.suffixes[column]), t.child[t.parent[class]][1] == class)
}

// recall puts a word behind a state into the memory if it is an entry: of the first row that is no state.
func (t *table) recall(q int, w word.Word) {
	if t.plain {
		return
	}
	for i, s := range w {
		r := &t.rows[1+q*t.h.Alphabet.Len()+int(s)]
		if r.state > 0 {
			q = int(r.state) - 1
			continue
		}
		if c, found := t.column[w[i+1:].Key()]; found && c < r.filled {
			t.note(r, c)
		}
		return
	}
}
