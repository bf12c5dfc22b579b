package predictive

import (
	"math"
	"slices"
	"testing"

	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/probabilistic"
	"quotient/sample"
)

// spokenBy returns a tree of words of an automaton, with scouts or without, and the automaton's transitions.
func spokenBy(t *testing.T, a *probabilistic.Automaton, scouts int) (*Tree, []int32) {
	q := oracle.Predict(t.Context(), oracletest.Speaker{Automaton: a})
	tree := Speak(q, Spoken{Words: 1000, Longest: longest, Prefixes: mostPrefixes, Scouts: scouts, Further: 4}, sample.Rand(1, sample.Words))
	next, _ := structure(a)
	return tree, compact(next, a.Alphabet.Len())
}

// Transitions to a state that belong to two are told apart, and dividing it gains what the two lose by being one.
func TestDivide(t *testing.T) {
	arrivals := [][]float64{{8, 1, 1}, {0.5, 7, 2.5}, {16, 2, 2}, {1, 14, 5}}
	d := divide(arrivals, []int{0, 1, 2, 3})
	if !slices.Equal(d.edges, []int{0, 2}) && !slices.Equal(d.edges, []int{1, 3}) {
		t.Errorf("the transitions %v are divided from the others", d.edges)
	}
	want := crossed([]float64{25.5, 24, 10.5}) - crossed([]float64{24, 3, 3}) - crossed([]float64{1.5, 21, 7.5})
	if math.Abs(d.gain-want) > 1e-9 {
		t.Errorf("that gains %v, want %v", d.gain, want)
	}
	if d := divide([][]float64{{1, 2}, {2, 4}}, []int{0, 1}); len(d.edges) > 0 && d.gain > 1e-9 {
		t.Errorf("two transitions that predict the same are divided: %+v", d)
	}
}

// A detour leads back to the automaton behind the words from one with two of its states merged and another twice.
func TestSettle(t *testing.T) {
	tree, next := spokenBy(t, random(8, "abc", 5), 0)
	m := newMachine(tree, next)
	wrong := newMachine(tree, m.without(2, 5))
	for e, q := range wrong.next { // state 5 becomes another 3
		if e/m.k == 5 {
			wrong.next[e] = wrong.next[3*m.k+e%m.k]
		} else if q == 3 && e%2 == 0 {
			wrong.next[e] = 5
		}
	}
	wrong = newMachine(tree, wrong.next)
	s := &search{stop: func() bool { return false }}
	if got := s.settle(wrong); got.states() > m.states() || got.all > m.all+1e-6*tree.Symbols() {
		t.Errorf("%d states lose %v, those behind the words, %d, %v; it began with %v", got.states(), got.all, m.states(), m.all, wrong.all)
	}
}

// The tree without scouts is the tree of the words.
func TestWithoutScouts(t *testing.T) {
	tree, _ := spokenBy(t, random(8, "abc", 5), 500)
	words := tree.withoutScouts()
	if words.Len() >= tree.Len() || words.Weight[0] != 1000 {
		t.Fatalf("%d nodes of %d, %v words", words.Len(), tree.Len(), words.Weight[0])
	}
	for n := range words.Parent {
		through := float64(words.Ends[n])
		for i := int32(n) + 1; i < words.end[n]; i = words.end[i] {
			if words.Parent[i] != int32(n) {
				t.Fatalf("node %d is behind %d, and its parent is %d", i, n, words.Parent[i])
			}
			through += words.Weight[i]
		}
		if through != words.Weight[n] {
			t.Fatalf("%v words come to node %d, and %v go on or end", words.Weight[n], n, through)
		}
	}
}

// A rare transition that leads astray is led by scouts to where it belongs, and nothing else is touched.
func TestLead(t *testing.T) {
	a := random(6, "abc", 4)
	for _, q := range []int{1, 4} { // b is rare there
		a.Prob[q*3], a.Prob[q*3+1] = a.Prob[q*3]+a.Prob[q*3+1]-1e-5, 1e-5
	}
	tree, next := spokenBy(t, a, 700)
	astray := 0
	for q := range 6 {
		for to := range int32(6) {
			m := newMachine(tree, slices.Clone(next))
			e := q*3 + 1
			if total(m.row(q)) == 0 || m.row(q)[1]/total(m.row(q)) > 1e-4 {
				continue
			}
			astray++
			m.next[e] = to
			m = newMachine(tree, m.next)
			if m.lead(func() bool { return false }); !slices.Equal(m.next, next) {
				t.Errorf("from %d b led to %d, and now to %d; want %d", q, to, m.next[e], next[e])
			}
		}
	}
	if astray != 12 {
		t.Errorf("%d transitions were tried, want 2 times 6", astray)
	}
}

// An automaton that may begin anew loses no more than one that begins once; with symbols to go on, no less than
// with none.
func TestForesight(t *testing.T) {
	tree, next := spokenBy(t, random(9, "abc", 7), 0)
	m := newMachine(tree, next)
	m = newMachine(tree, compact(m.without(0, 3), m.k))
	last := 0.0
	for _, ahead := range []int{0, 2, 8} {
		rows := sums(m.states(), m.k+1)
		for q := range rows {
			copy(rows[q], m.row(q))
		}
		f := foresee(tree, m.next, logarithmsOf(rows), ahead)
		if f.loss > m.all*(1+1e-4) || f.loss < last*(1-1e-4) || f.least() > f.loss {
			t.Errorf("%d symbols ahead %v are lost, %v with fewer, and %v by one that begins once", ahead, f.loss, last, m.all)
		}
		last = f.loss
	}
	if last <= 0 {
		t.Error("nothing is lost by one state less")
	}
}
