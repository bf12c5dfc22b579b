package predictive

import (
	"cmp"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/probabilistic"
	"quotient/word"
)

// A machine is the structure of an automaton, as it is searched for: where each symbol leads
// from each state, the first being the start. Probabilities follow from it, for they are the
// network's mean predictions in each state; and so does how far the two are apart.
type machine struct {
	t    *Tree
	k    int
	next []int32   // states × symbols
	at   []int32   // the state of every node
	sum  []float64 // states × (symbols and the end): weight times prediction
	cost []float64 // of each state: what its predictions lose by being one
	all  float64   // of all states
}

// newMachine places the nodes of a tree in the states of a table.
func newMachine(t *Tree, next []int32) *machine {
	m := &machine{t: t, k: t.Alphabet.Len(), next: next}
	m.at = make([]int32, t.Len())
	m.place()
	return m
}

func (m *machine) states() int { return len(m.next) / m.k }

// place runs the words anew.
func (m *machine) place() {
	width := m.k + 1
	m.sum, m.cost = make([]float64, m.states()*width), make([]float64, m.states())
	for n := range m.at {
		if n > 0 {
			m.at[n] = m.next[int(m.at[m.t.Parent[n]])*m.k+int(m.t.On[n])]
		}
		add(m.sum[int(m.at[n])*width:][:width], m.t.Next[n], m.t.Weight[n])
	}
	m.all = m.t.entropy
	for q := range m.cost {
		m.cost[q] = crossed(m.sum[q*width:][:width])
		m.all += m.cost[q]
	}
}

func add(dst []float64, p []float32, w float64) {
	p = p[:len(dst)]
	for i := range dst {
		dst[i] += w * float64(p[i])
	}
}

// crossed returns the weight of a state times the entropy of its mean prediction: with the
// entropies of the single predictions taken away, that is weight times divergence.
func crossed(sum []float64) float64 {
	total, log := 0.0, 0.0
	for _, x := range sum {
		if x > 0 {
			total += x
			log += x * math.Log(x)
		}
	}
	if total <= 0 {
		return 0
	}
	return total*math.Log(total) - log
}

// A trial is what becomes of the cost if some transitions lead elsewhere.
type trial struct {
	m       *machine
	at      []int32 // the states of nodes that were looked at in this round
	round   int32
	looked  []int32 // in which round each node was
	sum     []float64
	touched []bool
	list    []int32
}

func (m *machine) trial() *trial {
	n := len(m.at)
	return &trial{m: m, at: make([]int32, n), looked: make([]int32, n), sum: slices.Clone(m.sum), touched: make([]bool, m.states())}
}

// run returns the cost with another table of the same size, which differs where it leads to
// some nodes, given in their order. Only what moves is computed: most automata forget, and
// below a node that is in its old state everything is as it was. The trial is then as before.
func (x *trial) run(next, nodes []int32) float64 {
	m, width := x.m, x.m.k+1
	x.walk(next, nodes)
	all := m.all
	for _, q := range x.list {
		row := x.sum[int(q)*width:][:width]
		all += crossed(row) - m.cost[q]
		copy(row, m.sum[int(q)*width:])
		x.touched[q] = false
	}
	x.list = x.list[:0]
	return all
}

// keep makes the machine what a trial would make it, and returns the states that changed.
func (x *trial) keep(next, nodes []int32) []int32 {
	m, width := x.m, x.m.k+1
	x.walk(next, nodes)
	for n, round := range x.looked {
		if round == x.round {
			m.at[n] = x.at[n]
		}
	}
	for _, q := range x.list {
		row := x.sum[int(q)*width:][:width]
		copy(m.sum[int(q)*width:], row)
		m.all -= m.cost[q]
		m.cost[q] = crossed(row)
		m.all += m.cost[q]
		x.touched[q] = false
	}
	moved := x.list
	x.list = x.list[len(x.list):]
	return moved
}

// walk finds the states of the nodes that move.
func (x *trial) walk(next, nodes []int32) {
	x.round++
	for _, n := range nodes {
		for i := n; i < x.m.t.end[n] && x.looked[i] != x.round; {
			if x.move(next, i) {
				i++
			} else {
				i = x.m.t.end[i]
			}
		}
	}
}

// move finds the state of a node, and reports whether it is another one than before.
func (x *trial) move(next []int32, n int32) bool {
	m, width := x.m, x.m.k+1
	q := int32(0)
	if p := m.t.Parent[n]; p >= 0 {
		from := m.at[p]
		if x.looked[p] == x.round {
			from = x.at[p]
		}
		q = next[int(from)*m.k+int(m.t.On[n])]
	}
	x.at[n], x.looked[n] = q, x.round
	old := m.at[n]
	if old == q {
		return false
	}
	x.touch(old)
	x.touch(q)
	add(x.sum[int(old)*width:][:width], m.t.Next[n], -m.t.Weight[n])
	add(x.sum[int(q)*width:][:width], m.t.Next[n], m.t.Weight[n])
	return true
}

func (x *trial) touch(q int32) {
	if !x.touched[q] {
		x.touched[q] = true
		x.list = append(x.list, q)
	}
}

// row returns the sum of the predictions in a state.
func (m *machine) row(q int) []float64 { return m.sum[q*(m.k+1):][:m.k+1] }

// behind fills in, for every symbol, the nodes that it leads to from a state, in their order.
func (m *machine) behind(q int32, nodes [][]int32) {
	for s := range nodes {
		nodes[s] = nodes[s][:0]
	}
	for n := 1; n < len(m.at); n++ {
		if m.at[m.t.Parent[n]] == q {
			nodes[m.t.On[n]] = append(nodes[m.t.On[n]], int32(n))
		}
	}
}

// logs returns the logarithms of the probabilities in each state.
func (m *machine) logs() []float64 {
	logs := make([]float64, len(m.sum))
	for q := range m.states() {
		m.log(logs, q)
	}
	return logs
}

// log fills in those of one state. Where no word comes by, everything is as likely.
func (m *machine) log(logs []float64, q int) {
	copy(logs[q*(m.k+1):], logarithms(m.row(q)))
}

// floor keeps logarithms finite.
const floor = 1e-30

// nearest returns the states that predict most like the mean of some nodes, nearest first.
func (m *machine) nearest(nodes []int32, logs []float64, most int) []int32 {
	width := m.k + 1
	g := make([]float64, width)
	for _, n := range nodes {
		add(g, m.t.Next[n], m.t.Weight[n])
	}
	loss := make([]float64, m.states())
	list := make([]int32, m.states())
	for q := range list {
		list[q] = int32(q)
		for i, x := range logs[q*width:][:width] {
			loss[q] -= g[i] * x
		}
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(loss[a], loss[b]) })
	return list[:min(most, len(list))]
}

// A polishing says how much trouble is taken.
type polishing struct {
	rounds, targets int
	least           float64 // the share of the divergence that a transition must gain
	stop            func() bool
}

// A diary says what was looked at when, so that nothing is looked at twice for the same
// reason. A state counts as another one when its predictions have changed by a share.
type diary struct {
	now     int
	tried   []int     // when each transition was looked at
	changed []int     // when each state became another one
	sum     []float64 // what it predicted then
}

const noticeable = 0.02

func newDiary(m *machine) *diary {
	return &diary{now: 1, tried: make([]int, len(m.next)), changed: slices.Repeat([]int{1}, m.states()), sum: slices.Clone(m.sum)}
}

// notice finds out whether a state has become another one.
func (d *diary) notice(m *machine, q int32) {
	row, then, moved := m.row(int(q)), d.sum[int(q)*(m.k+1):][:m.k+1], 0.0
	for i, x := range row {
		moved += math.Abs(x - then[i])
	}
	if moved > noticeable*total(row) {
		d.changed[q] = d.now
		copy(then, row)
	}
}

// due reports whether a transition must be looked at: it was not, or what it joins is another.
func (d *diary) due(m *machine, e int) bool {
	return d.tried[e] <= max(d.changed[e/m.k], d.changed[m.next[e]])
}

// follow returns the diary of the machine that comes of another one by leaving out states:
// order has the old numbers of its states.
func (d *diary) follow(old, m *machine, order []int32) *diary {
	x := newDiary(m)
	x.now = d.now + 1
	for q, was := range order {
		x.changed[q] = d.changed[was]
		copy(x.sum[q*(m.k+1):][:m.k+1], d.sum[int(was)*(m.k+1):])
		for s := range m.k {
			if e := q*m.k + s; order[m.next[e]] == old.next[int(was)*m.k+s] {
				x.tried[e] = d.tried[int(was)*m.k+s]
			}
		}
		x.notice(m, int32(q))
	}
	return x
}

// polish lets single transitions lead elsewhere as long as that brings the automaton nearer to
// the network. For each of them the states come into question that predict most like the
// network right behind it.
func (m *machine) polish(p polishing, d *diary) {
	logs, x := m.logs(), m.trial()
	nodes := make([][]int32, m.k)
	for range p.rounds {
		better := false
		for q := range int32(m.states()) {
			fresh := false
			for s := range m.k {
				e := int(q)*m.k + s
				if p.stop() {
					return
				}
				if !d.due(m, e) {
					continue
				}
				if !fresh {
					m.behind(q, nodes)
					fresh = true
				}
				d.now++
				if d.tried[e] = d.now; len(nodes[s]) == 0 {
					continue
				}
				to := m.redirect(x, e, nodes[s], m.nearest(nodes[s], logs, p.targets), p.least)
				if to < 0 {
					continue
				}
				m.next[e] = to
				for _, moved := range x.keep(m.next, nodes[s]) {
					m.log(logs, int(moved))
					d.notice(m, moved)
					fresh = fresh && moved != q
				}
				better = true
			}
		}
		if !better {
			return
		}
	}
}

// redirect returns which of some states a transition had better lead to; -1 if it is right as
// it is.
func (m *machine) redirect(x *trial, e int, nodes, targets []int32, least float64) int32 {
	const rounding = 1e-7 // nats
	old, best, to := m.next[e], m.all-least*m.all-rounding, int32(-1)
	for _, q := range targets {
		if q == old {
			continue
		}
		m.next[e] = q
		if c := x.run(m.next, nodes); c < best {
			best, to = c, q
		}
	}
	m.next[e] = old
	return to
}

func total(g []float64) float64 {
	sum := 0.0
	for _, x := range g {
		sum += x
	}
	return sum
}

// without returns the table with state b gone and everything that led there leading to a.
func (m *machine) without(a, b int) []int32 {
	next := slices.Clone(m.next)
	for e, q := range next {
		if int(q) == b {
			next[e] = int32(a)
		}
	}
	return next
}

// compact takes out the states that no word reaches, and numbers the others breadth first.
func compact(next []int32, k int) []int32 {
	out, _ := renumber(next, k)
	return out
}

// renumber is compact, and returns the old numbers of the states, too.
func renumber(next []int32, k int) (out, order []int32) {
	number := map[int32]int32{0: 0}
	order = []int32{0}
	for i := 0; i < len(order); i++ {
		for s := range k {
			q := next[int(order[i])*k+s]
			if _, ok := number[q]; !ok {
				number[q] = int32(len(order))
				order = append(order, q)
			}
			out = append(out, number[q])
		}
	}
	return out, order
}

// automaton returns the automaton with the network's mean predictions in every state.
func (m *machine) automaton() *probabilistic.Automaton {
	a := probabilistic.New(m.t.Alphabet, m.states())
	a.Start = 1
	for q := range m.states() {
		row := m.row(q)
		sum := total(row)
		if sum <= 0 { // no word comes here
			continue
		}
		a.End[q+1] = row[m.k] / sum
		for s := range m.k {
			if p := row[s] / sum; p > 0 {
				a.SetNext(automaton.State(q+1), word.Symbol(s), automaton.State(m.next[q*m.k+s]+1), p)
			}
		}
	}
	return a
}
