package active

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// A memory holds every answer that the network gave, in a trie of the words. Where
// the network shows its states, a word is run from its longest prefix whose state is
// kept, all words of a call level by level, and the prefixes met on the way get their
// answers for nothing.
type memory struct {
	q     *oracle.Inquiry
	o     *Options // for its budgets
	stats *Stats

	parent  []int32       // of each node; node 0 is the empty word
	on      []word.Symbol // the last symbol of each
	depth   []int32       // its length
	answer  []int8        // yes, no or unknown
	asked   []bool        // whether the learner asked for this very word
	slot    []int32       // the row of kept that has its state, or -1
	first   []int32       // a child of each node, and another of the same parent; 0 is none
	sibling []int32
	noted   []int32 // nodes that have got an answer, for a follower; nil: there is none
	child   []int32 // nodes by their parent and last symbol, in a hash table; 0 is none

	kept f32.Matrix // slots × dim
	room int        // how many states may be kept

	longest    int  // words that the network can be asked about
	readsEmpty bool // and whether the empty word is one
}

const (
	unknown int8 = iota - 1
	no
	yes
)

// keptBytes bounds the memory for states of the network.
const keptBytes = 64 << 20

func newMemory(q *oracle.Inquiry, o *Options, stats *Stats) *memory {
	m := &memory{q: q, o: o, stats: stats, child: make([]int32, 1024), longest: q.Longest(), readsEmpty: q.ReadsEmpty()}
	m.add(-1, 0)
	if q.ShowsStates() {
		m.room = keptBytes / (4 * max(q.Dim(), 1))
		m.kept = f32.Matrix{Cols: q.Dim(), Stride: q.Dim()}
	}
	return m
}

func (m *memory) add(parent int32, on word.Symbol) int32 {
	n := int32(len(m.parent))
	m.parent, m.on = append(m.parent, parent), append(m.on, on)
	m.answer, m.asked, m.slot = append(m.answer, unknown), append(m.asked, false), append(m.slot, -1)
	m.first, m.sibling = append(m.first, 0), append(m.sibling, 0)
	if parent < 0 {
		m.depth = append(m.depth, 0)
		return n
	}
	m.depth = append(m.depth, m.depth[parent]+1)
	m.first[parent], m.sibling[n] = n, m.first[parent]
	if 2*len(m.parent) > len(m.child) {
		m.child = make([]int32, 2*len(m.child))
		for x := int32(1); x < n; x++ {
			m.child[m.find(m.parent[x], m.on[x])] = x
		}
	}
	m.child[m.find(parent, on)] = n
	return n
}

// find returns where the child of a node by a symbol is in the table, or should be. A node
// knows its parent and its symbol, so the table holds numbers alone; a map was 60 to 70% of
// the time of L*.
func (m *memory) find(parent int32, on word.Symbol) int {
	const odd = 0x9e3779b97f4a7c15 // 2⁶⁴ divided by the golden ratio
	mask := len(m.child) - 1
	at := int((uint64(parent)<<16|uint64(on))*odd>>32) & mask
	for n := m.child[at]; n != 0 && (m.parent[n] != parent || m.on[n] != on); n = m.child[at] {
		at = (at + 1) & mask
	}
	return at
}

// node returns the node of a word, made if need be.
func (m *memory) node(w word.Word) int32 {
	n := int32(0)
	for _, s := range w {
		next := m.child[m.find(n, s)]
		if next == 0 {
			next = m.add(n, s)
		}
		n = next
	}
	return n
}

// word spells a node.
func (m *memory) word(n int32) word.Word {
	w := make(word.Word, m.depth[n])
	for i := len(w) - 1; i >= 0; i-- {
		w[i] = m.on[n]
		n = m.parent[n]
	}
	return w
}

// lookup returns what is known about a word.
func (m *memory) lookup(w word.Word) int8 {
	n := int32(0)
	for _, s := range w {
		if n = m.child[m.find(n, s)]; n == 0 {
			return unknown
		}
	}
	return m.answer[n]
}

// ask returns the network's answers for the learner, or an error if a budget is spent.
// Words it has not asked before count as membership queries, others as hits.
func (m *memory) ask(words []word.Word) ([]bool, error) {
	if err := m.o.spent(m.stats, 0); err != nil {
		return nil, err
	}
	nodes := make([]int32, len(words))
	for i, w := range words {
		n := m.node(w)
		nodes[i] = n
		if m.asked[n] {
			m.stats.CacheHits++
		} else {
			m.asked[n] = true
			m.stats.MembershipQueries++
		}
	}
	return m.answers(nodes, true)
}

// batch is how many words are run together.
const batch = 1024

// answers returns the answers for nodes. If keep is set, states are kept while there is
// room.
func (m *memory) answers(nodes []int32, keep bool) ([]bool, error) {
	size := batch
	if m.q.Metered() {
		size = batch / 4 // if something comes between, those before are known
	}
	for some := range slices.Chunk(nodes, size) {
		if m.q.ShowsStates() {
			m.run(some, keep)
		} else {
			m.query(some)
		}
	}
	if err := m.q.Err(); err != nil {
		return nil, err
	}
	answers := make([]bool, len(nodes))
	for i, n := range nodes {
		answers[i] = m.answer[n] == yes
	}
	return answers, nil
}

// query asks a network that hides its states.
func (m *memory) query(nodes []int32) {
	var open []int32
	for _, n := range nodes {
		if m.answer[n] == unknown {
			open = append(open, n)
		}
	}
	slices.Sort(open)
	open = slices.Compact(open)
	words := make([]word.Word, len(open))
	for i, n := range open {
		words[i] = m.word(n)
		m.stats.Symbols += len(words[i])
	}
	if len(words) == 0 {
		return
	}
	for i, yes := range m.q.Accepts(words) {
		if m.q.Err() == nil {
			m.note(open[i], yes)
		}
	}
}

func (m *memory) note(n int32, accept bool) {
	if m.noted != nil {
		m.noted = append(m.noted, n)
	}
	m.answer[n] = no
	if accept {
		m.answer[n] = yes
	}
}

// run steps the network along the words, all prefixes of one length at a time.
func (m *memory) run(nodes []int32, keep bool) {
	levels := m.levels(nodes)
	var before f32.Matrix
	row := map[int32]int{} // of the nodes one level above
	for _, level := range levels {
		if len(level) == 0 {
			continue
		}
		states := f32.New(len(level), m.q.Dim())
		on := make([]word.Symbol, len(level))
		for i, n := range level {
			on[i] = m.on[n]
			switch p := m.parent[n]; {
			case p < 0:
				copy(states.Row(i), m.q.Start().Row(0))
			case m.slot[p] >= 0:
				copy(states.Row(i), m.kept.Row(int(m.slot[p])))
			default:
				copy(states.Row(i), before.Row(row[p]))
			}
		}
		if level[0] > 0 {
			m.q.Step(states, on)
			m.stats.Symbols += len(level)
		}
		clear(row)
		answers := m.q.Read(states)
		if m.q.Err() != nil {
			return // nobody has answered
		}
		for i, accept := range answers {
			m.note(level[i], accept)
			row[level[i]] = i
			if keep && m.kept.Rows < m.room && m.slot[level[i]] < 0 {
				m.slot[level[i]] = int32(m.kept.Rows)
				m.kept.Append(states.Row(i))
			}
		}
		before = states
	}
}

// levels returns the nodes that must be computed, by length: those without an answer,
// and above them those whose state is not kept.
func (m *memory) levels(nodes []int32) [][]int32 {
	var levels [][]int32
	met := map[int32]bool{}
	for _, n := range nodes {
		if m.answer[n] != unknown {
			continue
		}
		for ; n >= 0 && m.slot[n] < 0 && !met[n]; n = m.parent[n] {
			met[n] = true
			for len(levels) <= int(m.depth[n]) {
				levels = append(levels, nil)
			}
			levels[m.depth[n]] = append(levels[m.depth[n]], n)
		}
	}
	return levels
}

// contradiction returns the shortest known word that a hypothesis gets wrong, the one
// learned first among those. A follower does the same for one hypothesis after the other.
func (m *memory) contradiction(h *automaton.DFA) (word.Word, bool) {
	at := make([]automaton.State, len(m.parent))
	at[0] = h.Start
	worst := int32(-1)
	for i := range m.parent {
		n := int32(i)
		if n > 0 {
			at[n] = h.Next(at[m.parent[n]], m.on[n])
		}
		if m.isWrong(n, h.Accept[at[n]]) && (worst < 0 || m.depth[n] < m.depth[worst]) {
			worst = n
		}
	}
	if worst < 0 {
		return nil, false
	}
	return m.word(worst), true
}

// isWrong reports whether another answer than this one is known for a node.
func (m *memory) isWrong(n int32, answer bool) bool {
	return m.answer[n] != unknown && answer != (m.answer[n] == yes) && int(m.depth[n]) <= m.longest && (n > 0 || m.readsEmpty)
}
