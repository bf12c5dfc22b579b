package predictive

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/probabilistic"
	"quotient/word"
)

// random returns an automaton with n states and uneven probabilities, all of which can be
// reached.
func random(n int, letters string, seed uint64) *probabilistic.Automaton {
	rng := rand.New(rand.NewPCG(seed, 1))
	for {
		a := probabilistic.New(word.Letters(letters), n)
		k := len(letters)
		for q := automaton.State(1); int(q) <= n; q++ {
			p, sum := make([]float64, k), 0.0
			for i := range p {
				p[i] = math.Exp(rng.NormFloat64())
				sum += p[i]
			}
			a.End[q] = 0.05 + 0.15*rng.Float64()
			for s := range k {
				a.SetNext(q, word.Symbol(s), automaton.State(1+rng.IntN(n)), (1-a.End[q])*p[s]/sum)
			}
		}
		if m := probabilistic.Minimize(a, 1e-9); m.Len() == n {
			return m
		}
	}
}

// From a language model that is a probabilistic automaton, the very automaton is extracted,
// also if it shows no states.
func TestTheVeryAutomaton(t *testing.T) {
	for _, c := range []struct {
		states  int
		letters string
	}{{1, "a"}, {2, "ab"}, {5, "abc"}, {8, "abcd"}, {12, "ab"}} {
		want := random(c.states, c.letters, uint64(c.states))
		for _, blind := range []bool{false, true} {
			q := oracle.Predict(t.Context(), oracletest.Speaker{Automaton: want})
			if blind {
				q = q.Blind()
			}
			res, err := Run(q, Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			got := probabilistic.Minimize(res.Automaton, 1e-4)
			if got.Len() != want.Len() || !reflect.DeepEqual(got.Table, want.Table) {
				t.Errorf("%d states over %s: %d states, %v", c.states, c.letters, got.Len(), res.Tradeoff)
				continue
			}
			for i, p := range want.Prob {
				if math.Abs(p-got.Prob[i]) > 1e-5 {
					t.Fatalf("probability %d is %v, want %v", i, got.Prob[i], p)
				}
			}
		}
	}
}

// Two states that predict alike now and differently later are two.
func TestLaterDifference(t *testing.T) {
	a := later()
	res, err := Run(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: a}), Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	d, err := probabilistic.Diverge(a, res.Automaton)
	if err != nil || d.PerSymbol > 1e-6 || res.Automaton.Len() > 5 {
		t.Errorf("%d states, %+v, %v", res.Automaton.Len(), d, err)
	}
}

// A size or a divergence can be asked for, and a seed fixes everything.
func TestChoice(t *testing.T) {
	want := random(8, "abc", 5)
	run := func(o Options) *Result {
		res, err := Run(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: want}), o)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := run(Options{States: 4}); res.Automaton.Len() > 4 {
		t.Errorf("%d states, want 4", res.Automaton.Len())
	}
	small, all := run(Options{Error: 0.1}), run(Options{})
	if small.Automaton.Len() >= all.Automaton.Len() {
		t.Errorf("%d states at a divergence of 0.1, %d at none", small.Automaton.Len(), all.Automaton.Len())
	}
	before := runtime.GOMAXPROCS(1)
	again := run(Options{})
	runtime.GOMAXPROCS(before)
	if !again.Automaton.Equal(all.Automaton) || !reflect.DeepEqual(again.Tradeoff, all.Tradeoff) {
		t.Error("one seed, two results")
	}
	if _, err := Run(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: want}), Options{Method: "none"}); err == nil {
		t.Error("a method that there is not")
	}
}

// At equal size no baseline is clearly nearer to the network than what was searched for.
func TestBaselines(t *testing.T) {
	want := random(9, "abc", 7)
	first := run(t, want, Options{States: 6, Seed: 1})
	for _, m := range Methods {
		res, err := Run(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: want}), Options{Method: m.Name, States: 6, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Automaton.Check(); err != nil || res.Automaton.Len() > 6 || res.Automaton.Len() < 1 {
			t.Errorf("%s: %d states, %v", m.Name, res.Automaton.Len(), err)
		}
		if d, f := least(res), least(first); d < 0.9*f {
			t.Errorf("%s: %v, and the default %v", m.Name, d, f)
		}
	}
}

func least(r *Result) float64 {
	for _, p := range r.Tradeoff {
		if p.Chosen {
			return p.Divergence
		}
	}
	return math.Inf(1)
}

// What a trial says of moving a transition is what moving it does.
func TestTrialIsExact(t *testing.T) {
	q := oracle.Predict(t.Context(), oracletest.Speaker{Automaton: random(6, "ab", 2)})
	tree := Speak(q, Spoken{Words: 300, Longest: 30, Prefixes: 10_000, Scouts: 50}, rand.New(rand.NewPCG(1, 1)))
	rng := rand.New(rand.NewPCG(2, 2))
	next := make([]int32, 4*2)
	for i := range next {
		next[i] = int32(rng.IntN(4))
	}
	m := newMachine(tree, next)
	behind := make([][]int32, 2)
	for range 50 {
		e, to := rng.IntN(len(next)), int32(rng.IntN(4))
		m.behind(int32(e/2), behind)
		x, old := m.trials().Get().(*trial), m.next[e]
		m.next[e] = to
		said := x.run(m.next, behind[e%2])
		x.keep(m.next, behind[e%2])
		fresh := newMachine(tree, m.next)
		if math.Abs(said-fresh.all) > 1e-6 || math.Abs(m.all-fresh.all) > 1e-6 || !reflect.DeepEqual(m.at, fresh.at) {
			t.Fatalf("transition %d from %d to %d: %v and %v, want %v", e, old, to, said, m.all, fresh.all)
		}
	}
}

// Given words join the tree, also if the network speaks as much as there is room for.
func TestGivenWordsHaveRoom(t *testing.T) {
	q := oracle.Predict(t.Context(), oracletest.Speaker{Automaton: random(6, "abcdefgh", 2)})
	given := word.Word{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}
	const words = 60_000
	tree := Speak(q, Spoken{Words: words, Longest: 60, Prefixes: mostPrefixes, Others: []word.Word{given}}, rand.New(rand.NewPCG(1, 1)))
	if tree.Len() < mostPrefixes {
		t.Fatalf("%d prefixes leave room", tree.Len())
	}
	n := int32(0)
	for _, s := range given {
		if n = tree.Child[int(n)*8+int(s)]; n < 0 || tree.Weight[n] < words {
			t.Fatal("the given word is not in the tree")
		}
	}
}

func shared(t *testing.T, parts ...string) string {
	root := os.Getenv("QUOTIENT_TESTDATA")
	if root == "" {
		root = "../../../shared"
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("networks of others are not here: %v; QUOTIENT_TESTDATA says where they are", err)
	}
	return path
}
