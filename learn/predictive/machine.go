package predictive

import (
	"math"
	"slices"
	"sync"

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

// shift takes a prediction from one sum to another.
func shift(from, to []float64, p []float32, w float64) {
	from, to = from[:len(p)], to[:len(p)]
	for i, x := range p {
		x := w * float64(x)
		from[i] -= x
		to[i] += x
	}
}

// crossed returns the weight of a state times the entropy of its mean prediction: with the
// entropies of the single predictions taken away, that is weight times divergence.
func crossed(sum []float64) float64 {
	total, log := 0.0, 0.0
	for _, x := range sum {
		if x > 0 {
			total += x
			log += x * quickLog(x)
		}
	}
	if total <= 0 {
		return 0
	}
	return total*math.Log(total) - log
}

// A trial is what becomes of the cost if some transitions lead elsewhere. Several can be made at once,
// as long as the machine stays as it is.
type trial struct {
	m       *machine
	at      []int32 // the states of nodes that were looked at in this round
	round   int32
	looked  []int32   // in which round each node was
	sum     []float64 // of the states that are touched
	touched []bool
	list    []int32
	next    []int32 // a table to change
}

// trials returns a stock of them.
func (m *machine) trials() *sync.Pool {
	return &sync.Pool{New: func() any {
		n := len(m.at)
		return &trial{m: m, at: make([]int32, n), looked: make([]int32, n), sum: make([]float64, len(m.sum)), touched: make([]bool, m.states())}
	}}
}

// run returns the cost with another table of the same size, which differs where it leads to
// some nodes, given in their order. Only what moves is computed: most automata forget, and
// below a node that is in its old state everything is as it was.
func (x *trial) run(next, nodes []int32) float64 {
	x.walk(next, nodes)
	all := x.m.all
	for _, q := range x.list {
		all += crossed(x.row(q)) - x.m.cost[q]
	}
	return all
}

// keep makes the machine what a trial would make it, and returns the states that changed.
func (x *trial) keep(next, nodes []int32) []int32 {
	m := x.m
	x.walk(next, nodes)
	for n, round := range x.looked {
		if round == x.round {
			m.at[n] = x.at[n]
		}
	}
	for _, q := range x.list {
		copy(m.row(int(q)), x.row(q))
		m.all -= m.cost[q]
		m.cost[q] = crossed(x.row(q))
		m.all += m.cost[q]
	}
	return x.list
}

func (x *trial) row(q int32) []float64 { return x.sum[int(q)*(x.m.k+1):][:x.m.k+1] }

// walk finds the states of the nodes that move.
func (x *trial) walk(next, nodes []int32) {
	x.round++
	for _, q := range x.list {
		x.touched[q] = false
	}
	x.list = x.list[:0]
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
	m := x.m
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
	shift(x.row(old), x.row(q), m.t.Next[n], m.t.Weight[n])
	return true
}

func (x *trial) touch(q int32) {
	if !x.touched[q] {
		x.touched[q] = true
		x.list = append(x.list, q)
		copy(x.row(q), x.m.row(int(q)))
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
	loss, list := make([]float64, m.states()), make([]int32, 0, most+1)
	for q := range loss {
		for i, x := range logs[q*width:][:width] {
			loss[q] -= g[i] * x
		}
		i := len(list)
		for i > 0 && loss[list[i-1]] > loss[q] {
			i--
		}
		list = slices.Insert(list, i, int32(q))
		list = list[:min(most, len(list))]
	}
	return list
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
