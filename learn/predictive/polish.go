package predictive

import (
	"math"
	"slices"
	"sync"

	"quotient/internal/parallel"
)

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

// due returns the transitions of a state that must be looked at, and notes that they are: those that
// were not, or that join what is another now.
func (d *diary) due(m *machine, q int32) (list []int) {
	d.now++
	for e := int(q) * m.k; e < (int(q)+1)*m.k; e++ {
		if d.tried[e] <= max(d.changed[q], d.changed[m.next[e]]) {
			d.tried[e] = d.now
			list = append(list, e)
		}
	}
	return list
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

// A polisher lets transitions of a machine lead elsewhere.
type polisher struct {
	polishing
	m      *machine
	d      *diary
	logs   []float64
	trials *sync.Pool
	nodes  [][]int32 // behind each symbol, from the state that is looked at
}

// polish lets single transitions lead elsewhere as long as that brings the automaton nearer to
// the network. For each of them the states come into question that predict most like the
// network right behind it.
func (m *machine) polish(p polishing, d *diary) {
	x := &polisher{polishing: p, m: m, d: d, logs: m.logs(), trials: m.trials(), nodes: make([][]int32, m.k)}
	for range p.rounds {
		better := false
		for q := range int32(m.states()) {
			if p.stop() {
				return
			}
			if x.state(q) {
				better = true
			}
		}
		if !better {
			return
		}
	}
}

// state polishes the transitions of one state, and reports whether any leads elsewhere now. All that
// are due are looked at together, on all cores; of those that gain each is tried once more, for it may
// not after those before it.
func (p *polisher) state(q int32) (better bool) {
	due := p.d.due(p.m, q)
	if len(due) == 0 {
		return false
	}
	p.m.behind(q, p.nodes)
	to := make([]int32, len(due))
	parallel.Do(0, len(due), func(i int) {
		x := p.trials.Get().(*trial)
		behind := p.nodes[due[i]%p.m.k]
		to[i] = x.redirect(due[i], behind, p.m.nearest(behind, p.logs, p.targets), p.least)
		p.trials.Put(x)
	})
	x := p.trials.Get().(*trial)
	defer p.trials.Put(x)
	for i, e := range due {
		behind := p.nodes[e%p.m.k]
		if to[i] < 0 || x.redirect(e, behind, to[i:i+1], p.least) < 0 {
			continue
		}
		better = true
		p.m.next[e] = to[i]
		moved := x.keep(p.m.next, behind)
		for _, r := range moved {
			p.m.log(p.logs, int(r))
			p.d.notice(p.m, r)
		}
		if slices.Contains(moved, q) {
			p.m.behind(q, p.nodes)
		}
	}
	return better
}

// redirect returns which of some states a transition had better lead to; -1 if it is right as
// it is.
func (x *trial) redirect(e int, nodes, targets []int32, least float64) int32 {
	const rounding = 1e-7 // nats
	if len(nodes) == 0 {
		return -1
	}
	x.next = append(x.next[:0], x.m.next...)
	best, to := x.m.all-least*x.m.all-rounding, int32(-1)
	for _, q := range targets {
		if q == x.m.next[e] {
			continue
		}
		x.next[e] = q
		if c := x.run(x.next, nodes); c < best {
			best, to = c, q
		}
	}
	return to
}
