package prune

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/word"
)

// Merging states of a large automaton takes seconds, and ends when nobody waits for it.
func TestPruningStops(t *testing.T) {
	a, err := word.NewAlphabet("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	const states = 40
	d := automaton.NewDFA(a, states)
	for q := range automaton.State(states) {
		d.Accept[q+1] = q%3 == 0
		d.SetNext(q+1, 0, (q+1)%states+1)
		d.SetNext(q+1, 1, (q*7+3)%states+1)
	}
	words := word.UpTo(2, 500)
	m := New(d)
	m.Add(oracle.Set{Words: words, Accept: make([]bool, len(words))})
	var calls atomic.Int64
	m.Stop = func() bool { return calls.Add(1) > 5 }
	if m.Run(); calls.Load() > 20 {
		t.Errorf("asked %d times whether it is to stop, and went on", calls.Load())
	}
}

// random returns an automaton over two symbols.
func random(t *testing.T, states int, rng *rand.Rand) *automaton.DFA {
	a, err := word.NewAlphabet("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, states)
	for q := range automaton.State(states) {
		d.Accept[q+1] = rng.IntN(2) == 0
		d.SetNext(q+1, 0, automaton.State(rng.IntN(states+1)))
		d.SetNext(q+1, 1, automaton.State(rng.IntN(states+1)))
	}
	return d
}

// The words that pass through each state are kept as states are given up, and are those that going through all words finds.
func TestVisitsAreKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		const states = 12
		d := random(t, states, rng)
		words := word.UpTo(2, 3*passing)
		m := New(d)
		m.Add(oracle.Set{Words: words, Accept: make([]bool, len(words))})
		plain := func(q automaton.State) (through []int32) {
			for i, w := range words {
				for n := range len(w) + 1 {
					if m.d.Run(w[:n]) == q {
						through = append(through, int32(i))
						break
					}
				}
			}
			return through
		}
		through := m.visits()
		for q := range automaton.State(states) {
			list := through.words(q + 1)
			rest, wrong := m.behind(list, q+1)
			for k, i := range list {
				before := words[i][:len(words[i])-len(rest[k])]
				early := false
				for n := range before {
					early = early || m.d.Run(before[:n]) == q+1
				}
				if early || m.d.Run(before) != q+1 || wrong[k] != m.d.Accepts(words[i]) {
					t.Fatalf("of %v, %v follows the first visit of %d, and it is wrong: %v", words[i], rest[k], q+1, wrong[k])
				}
			}
			for _, i := range list {
				m.leave(through, i)
			}
			m.redirect(q+1, automaton.State(rng.IntN(int(q)+1)))
			for _, i := range list {
				m.enter(through, i)
			}
			for x := range automaton.State(states + 1) {
				if got, want := through.words(x), plain(x); !slices.Equal(got, want) || through.count(x) != len(want) {
					t.Fatalf("after state %d was given up, %v pass through %d, not %v", q+1, got, x, want)
				}
			}
		}
	}
}

// An automaton with copies of its states, some of which go wrong on a rare word, gives up the copies.
func TestPruningForgetsRareErrors(t *testing.T) {
	a, err := word.NewAlphabet("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	even := automaton.NewDFA(a, 2) // an even number of a
	even.Accept[1] = true
	for q := range automaton.State(2) {
		even.SetNext(q+1, 0, 2-q)
		even.SetNext(q+1, 1, q+1)
	}
	large := automaton.NewDFA(a, 5) // the same, but for words that begin with bbb
	large.Accept[1], large.Accept[3], large.Accept[4], large.Accept[5] = true, true, true, true
	for q, to := range [][2]automaton.State{{2, 3}, {1, 2}, {2, 4}, {2, 5}, {5, 5}} {
		large.SetNext(automaton.State(q+1), 0, to[0])
		large.SetNext(automaton.State(q+1), 1, to[1])
	}
	words := word.UpTo(2, 2000)
	set := oracle.Set{Words: words}
	for _, w := range words {
		set.Accept = append(set.Accept, even.Accepts(w))
	}
	m := New(large)
	m.Add(set)
	d := m.Run()
	if _, differ := automaton.Distinguish(d, even); differ {
		t.Errorf("%d states are left", d.Len())
	}
	set.Accept = nil
	for _, w := range words {
		set.Accept = append(set.Accept, large.Accepts(w))
	}
	for may, want := range map[float64]int{0: 5, 0.2: 2} {
		m := New(large)
		m.May = may
		m.Add(set)
		if d := m.Run(); d.Len() != want {
			t.Errorf("if %v of the words may go wrong for a state, %d are left, not %d", may, d.Len(), want)
		}
	}
}

// The weight of the words that go wrong does not depend on the order in which they are looked at, nor on what was looked at before.
func TestCostIsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		const states = 12
		d := random(t, states, rng)
		words := word.UpTo(2, 300)
		set := oracle.Set{Words: words}
		for range words {
			set.Accept = append(set.Accept, rng.IntN(20) == 0)
		}
		m := New(d)
		m.Add(set)
		list := m.visits().words(1)
		rest, _ := m.behind(list, 1)
		order := rng.Perm(len(list))
		for to := range automaton.State(states + 1) {
			want := 0.0
			for k, i := range list {
				if m.accepts(rest[k], 1, to) != m.accept[i] {
					want += m.weight[i]
				}
			}
			for _, most := range []float64{0, want / 2, want + rounding, 1} {
				got := m.cost(1, to, list, rest, order, most)
				if over := want > most; over != math.IsInf(got, 1) || !over && got != want {
					t.Fatalf("state %d for the first, at most %v: %v, want %v", to, most, got, want)
				}
			}
		}
	}
}

// States that are tried ahead of their turn are given up as they are when each is tried alone.
func TestAheadIsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		d := random(t, 30, rng)
		words := word.UpTo(2, 300)
		set := oracle.Set{Words: words}
		for _, w := range words {
			set.Accept = append(set.Accept, d.Accepts(w) != (rng.IntN(20) == 0))
		}
		ahead, plain := New(d), New(d)
		for _, m := range []*Pruning{ahead, plain} {
			m.Add(set)
			m.May = 0.005
		}
		order, through := ahead.reachable(), ahead.visits()
		trials := ahead.try(order, through)
		for k, q := range order {
			to, ok := plain.instead(q, plain.reachable(), through.words(q), plain.stopped)
			if k >= len(trials) || trials[k].ok != ok || ok && trials[k].to != to {
				t.Fatalf("state %d: %v and %v alone; of %d, %d were tried ahead", q, to, ok, len(order), len(trials))
			}
			if ok {
				order = order[:k+1]
				break
			}
		}
		if len(trials) != len(order) {
			t.Fatalf("%d states were tried, not %d", len(trials), len(order))
		}
	}
}
