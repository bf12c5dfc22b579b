// Package predictive extracts probabilistic automata from language models.
package predictive

import (
	"cmp"
	"fmt"
"time"
"math"
	"slices"

	"quotient/oracle"
	"quotient/probabilistic"
	"quotient/sample"
)

// Options say how to extract.
type Options struct {
	Seed      uint64
	States    int     // the most that the automaton may have; 0: what is worth it
	Error     float64 // the divergence that it may have, in nats a symbol; 0: what is worth it
	MaxStates int
	Tell      func(states, words int)
}

// A Point is an automaton of some size, and how far it is from the network.
type Point struct {
	States     int     `json:"states"`
	Divergence float64 `json:"divergence"` // nats a symbol, on held-out words
	Source     string  `json:"source"`
	Chosen     bool    `json:"chosen,omitempty"`

	table []int32
}

// A Result is an automaton, and those that it was chosen from.
type Result struct {
	Automaton *probabilistic.Automaton
	Tradeoff  []Point // of every size the best, by states
	Words     int     // spoken
	Nodes     int
	Stopped   string
}

var tolerances = []float64{0.4}

// Run extracts.
func Run(q *oracle.Inquiry, o Options) (*Result, error) {
	grown := Spoken{Words: 2000, Longest: 400, Nodes: 200_000, Scouts: 12_000 / q.Alphabet().Len(), distance: 1}
	t := Speak(q, grown, sample.Rand(o.Seed, sample.Words))
	held := Speak(q, Spoken{Words: 3000, Longest: 400, Nodes: 200_000}, sample.Rand(o.Seed, sample.Judges))
	if err := q.Err(); err != nil {
		return nil, err
	}
	begin := time.Now()
	fmt.Println("nodes", t.Len(), held.Len(), t.Cut)
	s := &search{t: t, held: held, best: map[int]Point{}, stop: func() bool { return q.Stopped() != nil }}
	for tolerance := 0.4; tolerance > 0.001; tolerance /= 4 {
		s.from(tolerance, cmp.Or(o.MaxStates, 60))
		fmt.Println(tolerance, time.Since(begin))
		if s.largest >= 40 {
			break
		}
	}
	res := &Result{Words: grown.Words, Nodes: t.Len()}
	for _, p := range s.best {
		res.Tradeoff = append(res.Tradeoff, p)
	}
	slices.SortFunc(res.Tradeoff, func(a, b Point) int { return a.States - b.States })
	i := choose(res.Tradeoff)
	res.Tradeoff[i].Chosen = true
	res.Automaton = newMachine(t, res.Tradeoff[i].table).automaton()
	return res, nil
}

type search struct {
	t, held *Tree
	best    map[int]Point
	largest int
	stop    func() bool
}

func (s *search) from(tolerance float64, most int) {
	m := newMachine(s.t, fold(s.t, tolerance, most, s.stop))
	b := time.Now()
	fmt.Println(" folded", m.states())
	m.polish(3, 4, s.stop)
	fmt.Println(" polished", time.Since(b))
	s.largest = max(s.largest, m.states())
	s.note(m, "fold")
	for m.states() > 1 && !s.stop() {
		m = s.shrink(m)
		m.polish(2, 4, s.stop)
		s.note(m, "merge")
	}
}

func (s *search) note(m *machine, source string) {
	d := divergence(m, s.held)
	if p, ok := s.best[m.states()]; !ok || d < p.Divergence {
		s.best[m.states()] = Point{States: m.states(), Divergence: d, Source: source, table: slices.Clone(m.next)}
	}
}

// shrink returns the machine with one state less.
func (s *search) shrink(m *machine) *machine {
	type pair struct {
		a, b int
		cost float64
	}
	var pairs []pair
	for a := range m.states() {
		for b := range m.states() {
			if a != b && b != 0 {
				pairs = append(pairs, pair{a, b, joined(m.row(a), m.row(b))})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(x.cost, y.cost) })
	x, in := m.trial(), make([][]int32, m.states())
	for n, q := range m.at {
		in[q] = append(in[q], int32(n))
	}
	best, table := math.Inf(1), []int32(nil)
	for _, p := range pairs[:min(len(pairs), 32)] {
		next := m.without(p.a, p.b)
		if c := x.run(next, in[p.b]); c < best {
			best, table = c, next
		}
	}
	return newMachine(s.t, compact(table, m.k))
}

// divergence returns that of the network from the automaton on other words.
func divergence(m *machine, t *Tree) float64 {
	at := make([]int32, t.Len())
	loss, width := t.entropy, m.k+1
	logs := m.logs()
	for n := range at {
		if n > 0 {
			at[n] = m.next[int(at[t.Parent[n]])*m.k+int(t.On[n])]
		}
		for i, p := range t.Next[n] {
			if p > 0 {
				loss -= t.Weight[n] * float64(p) * logs[int(at[n])*width+i]
			}
		}
	}
	return loss / t.Symbols()
}

func choose(points []Point) int {
	least := make([]float64, len(points)) // of automata up to each size
	for i, p := range points {
		least[i] = p.Divergence
		if i > 0 {
			least[i] = min(least[i], least[i-1])
		}
	}
	for _, theta := range []float64{0.42, 0.5, 0.6, 0.7, 0.8, 0.9} {
	for i := len(points) - 1; i > 0; i-- {
		twice := i
		for twice+1 < len(points) && points[twice+1].States <= 2*points[i-1].States {
			twice++
		}
		if least[twice] < theta*least[i-1] {
			return i
		}
	}
	}
	return 0
}
