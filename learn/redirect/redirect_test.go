package redirect

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// answers returns a random automaton, and its answers for n random words and their prefixes.
func answers(seed uint64, states, n int) (*automaton.DFA, oracle.Paths) {
	r := oracletest.Random(seed, states, 0)
	words := sample.UniformWords(n, r.DFA.Alphabet.Len(), 0, 30, rand.New(rand.NewPCG(seed, 1)))
	return r.DFA, oracle.Ask(context.Background(), r).LabelPaths(words)
}

// astray returns a copy of an automaton in which n transitions lead to any states.
func astray(d *automaton.DFA, n int, rng *rand.Rand) *automaton.DFA {
	r := redirecting{d: d}
	c := r.copied()
	for range n {
		k := d.Alphabet.Len()
		c.Table[k+rng.IntN(len(c.Table)-k)] = automaton.State(1 + rng.IntN(d.Len()))
	}
	return c
}

func never() bool { return false }

// What is gained is the difference of two plain counts.
func TestGain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		truth, p := answers(seed, 8, 20)
		r := newRedirecting(astray(truth, 6, rand.New(rand.NewPCG(seed, 2))), p)
		r.follow()
		errs := func(i, from int, at automaton.State) (n float64) {
			for j := from; ; j++ {
				if r.d.Accept[at] != p.Labels[i][j] {
					n++
				}
				if j == len(p.Words[i]) {
					return n
				}
				at = r.d.Next(at, p.Words[i][j])
			}
		}
		for i := range p.Words {
			for from := range len(p.Words[i]) + 1 {
				j := r.starts[i] + from
				for to := range automaton.State(r.d.Len() + 1) {
					if want := errs(i, from, automaton.State(r.at[j])) - errs(i, from, to); r.gain(j, to) != want {
						t.Fatalf("word %v from %d in %d: %v, not %v", p.Words[i], from, to, r.gain(j, to), want)
					}
				}
			}
		}
	})
}

// Every prefix but the empty ones is listed for the transition that leads to it, once.
func TestSort(t *testing.T) {
	truth, p := answers(3, 8, 50)
	r := newRedirecting(truth, p)
	r.follow()
	seen := make([]bool, len(r.on))
	for tr := range truth.Table {
		for _, j := range r.after[r.begin[tr]:r.begin[tr+1]] {
			if seen[j] || int(r.at[j-1])*r.k+int(r.on[j-1]) != tr || r.on[j-1] == end {
				t.Fatalf("prefix %d is listed for transition %d", j, tr)
			}
			seen[j] = true
		}
	}
	for i, w := range p.Words {
		if n := len(w); seen[r.starts[i]] || n > 0 && slices.Contains(seen[r.starts[i]+1:r.starts[i]+n+1], false) {
			t.Fatalf("prefixes of %v: %v", w, seen[r.starts[i]:r.starts[i]+n+1])
		}
	}
}

// Transitions that were led astray are led back, or at least most of what went wrong is right again; never does more go wrong, also on words
// that nobody has shown.
func TestRun(t *testing.T) {
	back := 0
	for seed := range uint64(20) {
		truth, p := answers(seed, 12, 3000)
		wrong := astray(truth, 3, rand.New(rand.NewPCG(seed, 3)))
		got := Run(wrong, p, rand.New(rand.NewPCG(seed, 4)), never)
		before, after := p.Error(wrong), p.Error(got)
		if after > before {
			t.Errorf("seed %d: %v of the prefixes were wrong, now %v", seed, before, after)
		}
		if after <= before/10 {
			back++
		}
		_, fresh := answers(seed, 12, 300)
		if e := fresh.Error(got); e > fresh.Error(wrong)+0.01 {
			t.Errorf("seed %d: %v of fresh prefixes are wrong, %v before", seed, e, fresh.Error(wrong))
		}
	}
	if back < 18 {
		t.Errorf("%d of 20 were led back", back)
	}
}

// Whatever words say, the dead state stays dead.
func TestDead(t *testing.T) {
	a := word.Letters("ab")
	d := automaton.NewDFA(a, 2) // (ab)*; the network also accepts words that have left it
	d.SetNext(1, 0, 2)
	d.SetNext(2, 1, 1)
	d.Accept[1] = true
	var p oracle.Paths
	for _, w := range sample.UniformWords(500, 2, 0, 12, rand.New(rand.NewPCG(1, 1))) {
		labels := make([]bool, len(w)+1)
		for j := range labels {
			labels[j] = j == 0 || w[j-1] == 1
		}
		p.Words, p.Labels = append(p.Words, w), append(p.Labels, labels)
	}
	got := Run(d, p, rand.New(rand.NewPCG(1, 1)), never)
	if got.Accept[automaton.Dead] || slices.ContainsFunc(got.Row(automaton.Dead), func(q automaton.State) bool { return q != automaton.Dead }) {
		t.Errorf("the dead state leads to %v, accepting %v", got.Row(automaton.Dead), got.Accept[automaton.Dead])
	}
	if before, after := p.Error(d), p.Error(got); after > before/2 {
		t.Errorf("%v of the prefixes are wrong, %v before", after, before)
	}
}

// The number of threads changes nothing.
func TestThreads(t *testing.T) {
	truth, p := answers(5, 20, 2000)
	wrong := astray(truth, 20, rand.New(rand.NewPCG(5, 5)))
	run := func(threads int) []automaton.State {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		return Run(wrong, p, rand.New(rand.NewPCG(1, 1)), never).Table
	}
	if !slices.Equal(run(1), run(4)) {
		t.Error("one thread and four lead transitions to other states")
	}
}

// Without words, without gain, or if nobody waits, the automaton stays.
func TestStays(t *testing.T) {
	truth, p := answers(7, 6, 100)
	for name, got := range map[string]*automaton.DFA{
		"no words":     Run(truth, oracle.Paths{}, rand.New(rand.NewPCG(1, 1)), never),
		"no errors":    Run(truth, p, rand.New(rand.NewPCG(1, 1)), never),
		"nobody waits": Run(truth, p, rand.New(rand.NewPCG(1, 1)), func() bool { return true }),
	} {
		if !slices.Equal(got.Table, truth.Table) || !slices.Equal(got.Accept, truth.Accept) {
			t.Errorf("%s: the automaton is another", name)
		}
	}
}

// States that answer alike for longer are the first that are tried.
func TestLike(t *testing.T) {
	a := word.Letters("a")
	d := automaton.NewDFA(a, 5) // a chain that accepts from its fourth state on
	for q := automaton.State(1); q <= 5; q++ {
		d.SetNext(q, 0, min(q+1, 5))
		d.Accept[q] = q >= 4
	}
	r := newRedirecting(d, oracle.Paths{Words: []word.Word{{0}}, Labels: [][]bool{{false, false}}})
	if got, want := r.like()[1], []automaton.State{2, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("like the first state are %v, want %v", got, want)
	}
}
