package probabilistic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"quotient/automaton"
	"quotient/word"
)

// An EndlessError says that some words never end: from a state that can be entered, no
// end can be reached. Then words have no distribution, and nothing has an expectation.
type EndlessError struct {
	State  automaton.State
	Prefix string // that leads there
}

func (e *EndlessError) Error() string {
	return fmt.Sprintf("words that begin with %s never end: from state %d no state can be reached with an end", e.Prefix, e.State)
}

// Visits returns how often a word passes each state, on average. Because every visit is
// followed by one symbol or by the end, their sum is the mean number of symbols of a word,
// the end counted. The error is an [*EndlessError] if some words never end.
func (a *Automaton) Visits() ([]float64, error) {
	r := a.reach(a.Start)
	if err := a.endless(r); err != nil {
		return nil, err
	}
	index := make([]int32, len(a.End))
	for i, q := range r.states {
		index[q] = int32(i)
	}
	c := &chain{n: len(r.states)}
	for i, q := range r.states {
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if row[s] > 0 {
				c.edges = append(c.edges, flow{int32(i), index[to], row[s]})
			}
		}
	}
	reached, err := c.visits()
	if err != nil {
		return nil, err
	}
	visits := make([]float64, len(a.End))
	for i, q := range r.states {
		visits[q] = reached[i]
	}
	return visits, nil
}

// An arrival is how a search entered a state: from which, by what; -1 at its begin.
type arrival struct {
	from int32
	on   word.Symbol
}

// A reached is what a breadth-first search finds, in its order.
type reached struct {
	states []automaton.State
	how    []arrival
}

// spell returns a shortest word to the state with index i.
func spell(how []arrival, i int) word.Word {
	depth := 0
	for j := i; how[j].from >= 0; j = int(how[j].from) {
		depth++
	}
	w := make(word.Word, depth)
	for ; how[i].from >= 0; i = int(how[i].from) {
		depth--
		w[depth] = how[i].on
	}
	return w
}

// reach returns the states that words lead to from one, breadth first.
func (a *Automaton) reach(from automaton.State) reached {
	var r reached
	if from == automaton.Dead {
		return r
	}
	met := make([]bool, len(a.End))
	met[from] = true
	r.states, r.how = append(r.states, from), append(r.how, arrival{from: -1})
	for i := 0; i < len(r.states); i++ {
		row := a.Row(r.states[i])
		for s, to := range a.Targets(r.states[i]) {
			if row[s] > 0 && !met[to] {
				met[to] = true
				r.states, r.how = append(r.states, to), append(r.how, arrival{int32(i), word.Symbol(s)})
			}
		}
	}
	return r
}

// ends returns for every state how many symbols it takes at least from there to an end, -1
// where there is none.
func (a *Automaton) ends() []int {
	back := make([][]automaton.State, len(a.End))
	left := make([]int, len(a.End))
	var queue []automaton.State
	for q := automaton.State(0); int(q) < len(a.End); q++ {
		left[q] = -1
		if a.End[q] > 0 {
			left[q] = 0
			queue = append(queue, q)
		}
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if row[s] > 0 {
				back[to] = append(back[to], q)
			}
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, q := range back[queue[i]] {
			if left[q] < 0 {
				left[q] = left[queue[i]] + 1
				queue = append(queue, q)
			}
		}
	}
	return left
}

// endless returns an error if a state that was reached leads to no end.
func (a *Automaton) endless(r reached) error {
	left := a.ends()
	for i, q := range r.states {
		if left[q] < 0 {
			return &EndlessError{State: q, Prefix: a.Alphabet.Format(spell(r.how, i))}
		}
	}
	return nil
}

// An absorbing chain: from node 0, edges are followed with their probabilities, and what
// they leave of one ends the walk.
type chain struct {
	n     int
	edges []flow // in the order of where they begin
}

type flow struct {
	from, to int32
	p        float64
}

// maxDense is the number of nodes up to which a system is solved by elimination: it takes
// n² numbers and n³ steps.
const maxDense = 700

// visits returns how often each node is passed on average. With M the matrix of the edges,
// they are the solution of v = e₀ + v·M.
func (c *chain) visits() ([]float64, error) {
	source := make([]float64, c.n)
	if c.n > 0 {
		source[0] = 1
	}
	return c.solve(source, true)
}

// solve returns x with x = source + x·M or, if not forward, x = source + M·x.
func (c *chain) solve(source []float64, forward bool) ([]float64, error) {
	if c.n == 0 {
		return nil, nil
	}
	edges := c.edges
	if forward { // an equation for every node is about what enters it
		edges = make([]flow, len(c.edges))
		for i, e := range c.edges {
			edges[i] = flow{e.to, e.from, e.p}
		}
	}
	if c.n <= maxDense {
		return eliminate(edges, source)
	}
	return iterate(edges, source)
}

// eliminate solves x[e.from] = source[e.from] + Σ p·x[e.to] at once.
func eliminate(edges []flow, source []float64) ([]float64, error) {
	n := len(source)
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	for _, e := range edges {
		m.Set(int(e.from), int(e.to), m.At(int(e.from), int(e.to))-e.p)
	}
	var x mat.VecDense
	if err := x.SolveVec(m, mat.NewVecDense(n, source)); err != nil {
		if _, hard := err.(mat.Condition); !hard || math.IsInf(float64(err.(mat.Condition)), 1) {
			return nil, fmt.Errorf("words are too long on average to be computed with: %w", err)
		}
	}
	return x.RawVector().Data, nil
}

// maxSweeps bounds the time of iterate. A sweep carries what is known one symbol further at
// least, so words of hundreds of thousands of symbols are within it.
const maxSweeps = 1 << 18

// iterate solves the same by sweeps (Gauss and Seidel). All terms are positive and the walk
// ends, so the sums grow to the solution from below; it stops when they no longer do.
func iterate(edges []flow, source []float64) ([]float64, error) {
	first := make([]int32, len(source)+1) // edges by where they begin
	for _, e := range edges {
		first[e.from+1]++
	}
	for i := range source {
		first[i+1] += first[i]
	}
	sorted, at := make([]flow, len(edges)), append([]int32(nil), first...)
	for _, e := range edges {
		sorted[at[e.from]] = e
		at[e.from]++
	}
	x := append([]float64(nil), source...)
	still := 0
	for range maxSweeps {
		grown, whole := 0.0, 0.0
		for i := range x {
			sum, loop := source[i], 0.0
			for _, e := range sorted[first[i]:first[i+1]] {
				if int(e.to) == i {
					loop += e.p
				} else {
					sum += e.p * x[e.to]
				}
			}
			sum /= 1 - loop
			grown, whole = grown+math.Abs(sum-x[i]), whole+sum
			x[i] = sum
		}
		// Growth falls by a constant factor in the end; a few sweeps more make sure of it.
		if still++; grown > 1e-15*whole {
			still = 0
		}
		if still > 3 {
			return x, nil
		}
	}
	return nil, fmt.Errorf("words are too long on average to be computed with: %d sweeps over %d nodes were not enough", maxSweeps, len(source))
}

// A Summary is what can be said of the words of an automaton in a few numbers.
type Summary struct {
	Symbols   float64 `json:"symbols"`            // a word has on average, its end included
	Entropy   float64 `json:"entropy"`            // nats a word
	PerSymbol float64 `json:"entropy_per_symbol"` // nats a symbol
}

// Summarize computes the mean length and the entropy of the words. The error is an
// [*EndlessError] if some words never end.
func (a *Automaton) Summarize() (Summary, error) {
	visits, err := a.Visits()
	var s Summary
	for q, v := range visits {
		if v > 0 {
			s.Symbols += v
			s.Entropy += v * a.entropyOf(automaton.State(q))
		}
	}
	if s.Symbols > 0 {
		s.PerSymbol = s.Entropy / s.Symbols
	}
	return s, err
}

// entropyOf returns the entropy of what follows in a state, in nats.
func (a *Automaton) entropyOf(q automaton.State) float64 {
	h := surprise(a.End[q])
	for _, p := range a.Row(q) {
		h += surprise(p)
	}
	return h
}

// surprise returns -p log p.
func surprise(p float64) float64 {
	if p == 0 {
		return 0
	}
	return -p * math.Log(p)
}
