package active

import (
	"math"
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

	nodes []node      // node 0 is the empty word
	child []int32     // nodes by their parent and last symbol, in a hash table; 0 is none
	noted []int32     // nodes to be watched by a follower; nil: there is none
	all   bool        // every node that gets an answer is; see [memory.watch]
	found []bool      // the answers that were returned last
	open  []int32     // nodes without an answer, for query alone
	words []word.Word // those that are asked next
	text  word.Word   // and their symbols
	above int32       // the parent of the node of the last of them

	kept f32.Matrix // slots × dim
	room int        // how many states may be kept

	longest    int  // words that the network can be asked about
	readsEmpty bool // and whether the empty word is one
}

// A node of the trie. All that is known of it lies in one piece of memory, since words are looked
// up in no order.
type node struct {
	parent  int32 // -1 of the empty word
	first   int32 // a child, 0: none
	sibling int32 // another child of the parent, 0: none
	depth   int32 // the length of the word
	slot    int32 // the row of kept that has its state, or -1
	on      word.Symbol
	answer  int8 // yes, no or unknown
	asked   bool // whether the learner asked for this very word
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
	m.all = q.ShowsStates() || m.longest < math.MaxInt || !m.readsEmpty
	m.add(-1, 0)
	if q.ShowsStates() {
		m.room = keptBytes / (4 * max(q.Dim(), 1))
		m.kept = f32.Matrix{Cols: q.Dim(), Stride: q.Dim()}
	}
	return m
}

func (m *memory) add(parent int32, on word.Symbol) int32 {
	n := int32(len(m.nodes))
	x := node{parent: parent, on: on, slot: -1, answer: unknown}
	if parent >= 0 {
		p := &m.nodes[parent]
		x.depth, x.sibling, p.first = p.depth+1, p.first, n
	}
	if len(m.nodes) == cap(m.nodes) {
		m.nodes = slices.Grow(m.nodes, len(m.nodes)+1) // twice as many: append would copy each four times
	}
	m.nodes = append(m.nodes, x)
	if parent < 0 {
		return n
	}
	if 2*len(m.nodes) > len(m.child) {
		m.child = make([]int32, 2*len(m.child))
		for x := int32(1); x < n; x++ {
			m.child[m.find(m.nodes[x].parent, m.nodes[x].on)] = x
		}
	}
	m.child[m.find(parent, on)] = n
	return n
}

// find returns where the child of a node by a symbol is in the table, or should be. A node
// knows its parent and its symbol, so the table holds numbers alone; a map was 60 to 70% of
// the time of L*. The children of a node lie side by side, as those of a state are made and looked for together.
func (m *memory) find(parent int32, on word.Symbol) int {
	const odd = 0x9e3779b97f4a7c15 // 2⁶⁴ divided by the golden ratio
	const line = 16                // entries of a line of the cache
	mask := len(m.child) - 1
	at := int((uint64(parent)<<16|uint64(on/line))*odd>>32) + int(on%line)
	for at &= mask; ; at = (at + line + 1) & mask {
		if n := m.child[at]; n == 0 || m.nodes[n].parent == parent && m.nodes[n].on == on {
			return at
		}
	}
}

// node returns the node of a word, made if need be.
func (m *memory) node(w word.Word) int32 { return m.extend(0, w) }

// extend returns the node behind another by a suffix, made if need be.
func (m *memory) extend(n int32, suffix word.Word) int32 {
	for _, s := range suffix {
		next := m.child[m.find(n, s)]
		if next == 0 {
			next = m.add(n, s)
		}
		n = next
	}
	return n
}

// tell notes an answer that the network has given, or is known to give.
func (m *memory) tell(n int32, accept bool) {
	if m.nodes[n].asked = true; m.nodes[n].answer == unknown {
		m.note(n, accept)
	}
}

// word spells a node.
func (m *memory) word(n int32) word.Word {
	w := make(word.Word, m.nodes[n].depth)
	m.spell(w, n)
	return w
}

// spell writes the word of a node, which has that length.
func (m *memory) spell(w word.Word, n int32) {
	for i := len(w) - 1; i >= 0; i-- {
		w[i] = m.nodes[n].on
		n = m.nodes[n].parent
	}
}

// lookup returns what is known about a word.
func (m *memory) lookup(w word.Word) int8 {
	if n, known := m.known(0, w); known {
		return m.nodes[n].answer
	}
	return unknown
}

// known returns the node behind another by a suffix, if it has got an answer.
func (m *memory) known(n int32, suffix word.Word) (int32, bool) {
	for _, s := range suffix {
		if n = m.child[m.find(n, s)]; n == 0 {
			return 0, false
		}
	}
	return n, m.nodes[n].answer != unknown
}

// watch lets a follower compare hypotheses with the answer for a node. Most words that learners
// ask follow from others: where two words lead a hypothesis to one state, and the answers after a
// suffix are the same, both are right or both wrong, and the state's access word stands for
// the other. So a learner watches those, and a follower has one word where there would be
// as many as symbols. It follows only if both words can be read, and nothing of their prefixes:
// where answers come for nothing, or some words have none, all are watched.
func (m *memory) watch(n int32) {
	if m.noted != nil {
		m.noted = append(m.noted, n)
	}
}

// ask returns the network's answers for the learner, or an error if a budget is spent.
// Words it has not asked before count as membership queries, others as hits.
func (m *memory) ask(words ...word.Word) ([]bool, error) {
	nodes := make([]int32, len(words))
	for i, w := range words {
		nodes[i] = m.node(w)
		m.watch(nodes[i])
	}
	return m.askNodes(nodes)
}

// pose asks for a word when nodes are asked for next: that of a node with a suffix behind. It is not put here. Whoever
// poses it knows that it was not asked before, and remembers the answer if it can be met again. Only a network
// that hides its states is asked so.
func (m *memory) pose(n int32, suffix word.Word) {
	x, begin := &m.nodes[n], len(m.text)
	behind := begin + int(x.depth)
	end := behind + len(suffix)
	m.text = slices.Grow(m.text, end-begin)[:end]
	if last := len(m.words) - 1; last >= 0 && n > 0 && x.parent == m.above { // most are those of siblings
		copy(m.text[begin:], m.words[last][:x.depth-1])
		m.text[behind-1] = x.on
	} else {
		m.spell(m.text[begin:behind], n)
	}
	copy(m.text[behind:], suffix)
	m.words, m.above = append(m.words, m.text[begin:end:end]), x.parent
}

// askNodes is ask for those who know the nodes of the words, and watch what is to be watched. The answers, first
// those for words that were posed and then those for the nodes, are overwritten by the next ones.
func (m *memory) askNodes(nodes []int32) ([]bool, error) {
	if err := m.o.spent(m.stats, 0); err != nil {
		m.words, m.text = m.words[:0], m.text[:0]
		return nil, err
	}
	m.stats.MembershipQueries += len(m.words)
	for _, n := range nodes {
		if x := &m.nodes[n]; x.asked {
			m.stats.CacheHits++
		} else {
			x.asked = true
			m.stats.MembershipQueries++
		}
	}
	return m.answers(nodes, true)
}

// batch is how many words are run together.
const batch = 1024

// answers returns the answers for words that were posed and for nodes. If keep is set, states are kept while there is
// room.
func (m *memory) answers(nodes []int32, keep bool) ([]bool, error) {
	size := batch
	if m.q.Metered() {
		size = batch / 4 // if something comes between, those before are known
	}
	m.found = m.found[:0]
	if m.q.ShowsStates() {
		for some := range slices.Chunk(nodes, size) {
			m.run(some, keep)
		}
	} else {
		m.query(nodes, size)
	}
	if err := m.q.Err(); err != nil {
		return nil, err
	}
	for _, n := range nodes {
		m.found = append(m.found, m.nodes[n].answer == yes)
	}
	return m.found, nil
}

// query asks a network that hides its states about some words at a time.
func (m *memory) query(nodes []int32, size int) {
	posed, open := len(m.words), m.open[:0]
	for _, n := range nodes {
		if m.nodes[n].answer == unknown {
			open = append(open, n)
		}
	}
	if !slices.IsSorted(open) {
		slices.Sort(open)
	}
	m.open = slices.Compact(open)
	for _, n := range m.open {
		m.pose(n, nil)
	}
	words := m.words
	for begin := 0; begin < len(words) && m.q.Err() == nil; begin += size {
		some := words[begin:min(begin+size, len(words))]
		for _, w := range some {
			m.stats.Symbols += len(w)
		}
		answers := m.q.Accepts(some)
		if m.q.Err() != nil {
			m.words, m.text = nil, nil // nobody has answered, and perhaps somebody still reads them
			return
		}
		for i, accept := range answers {
			if begin+i < posed {
				m.found = append(m.found, accept)
			} else {
				m.note(m.open[begin+i-posed], accept)
			}
		}
	}
	m.words, m.text = words[:0], m.text[:0]
}

func (m *memory) note(n int32, accept bool) {
	if m.all {
		m.watch(n)
	}
	m.nodes[n].answer = no
	if accept {
		m.nodes[n].answer = yes
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
			on[i] = m.nodes[n].on
			switch p := m.nodes[n].parent; {
			case p < 0:
				copy(states.Row(i), m.q.Start().Row(0))
			case m.nodes[p].slot >= 0:
				copy(states.Row(i), m.kept.Row(int(m.nodes[p].slot)))
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
			if keep && m.kept.Rows < m.room && m.nodes[level[i]].slot < 0 {
				m.nodes[level[i]].slot = int32(m.kept.Rows)
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
		if m.nodes[n].answer != unknown {
			continue
		}
		for ; n >= 0 && m.nodes[n].slot < 0 && !met[n]; n = m.nodes[n].parent {
			met[n] = true
			for len(levels) <= int(m.nodes[n].depth) {
				levels = append(levels, nil)
			}
			levels[m.nodes[n].depth] = append(levels[m.nodes[n].depth], n)
		}
	}
	return levels
}

// contradiction returns the first known word that a hypothesis gets wrong, short words before
// long ones. A follower does the same for one hypothesis after the other.
func (m *memory) contradiction(h *automaton.DFA) (word.Word, bool) {
	at := make([]automaton.State, len(m.nodes))
	at[0] = h.Start
	worst := int32(-1)
	for i := range m.nodes {
		n := int32(i)
		if n > 0 {
			at[n] = h.Next(at[m.nodes[n].parent], m.nodes[n].on)
		}
		if m.isWrong(n, h.Accept[at[n]]) && (worst < 0 || m.comes(n, worst)) {
			worst = n
		}
	}
	if worst < 0 {
		return nil, false
	}
	return m.word(worst), true
}

// comes reports whether the word of a node comes before another: the order in which they were learned is nobody's.
func (m *memory) comes(n, other int32) bool {
	a, b := m.nodes[n].depth, m.nodes[other].depth
	return a < b || a == b && word.Compare(m.word(n), m.word(other)) < 0
}

// isWrong reports whether another answer than this one is known for a node.
func (m *memory) isWrong(n int32, answer bool) bool {
	return m.nodes[n].answer != unknown && answer != (m.nodes[n].answer == yes) && int(m.nodes[n].depth) <= m.longest && (n > 0 || m.readsEmpty)
}
