package explore

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/discrimination"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

func explored(t *testing.T, r oracle.Stepper, o Options) *Result {
	t.Helper()
	res, err := Run(oracle.Ask(context.Background(), r), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Random automata are found exactly, whether states tell them apart or are
// hardly more than noise.
func TestFindsRandomAutomata(t *testing.T) {
	for seed := range uint64(12) {
		for _, noise := range []float32{0.1, 3} {
			r := oracletest.Random(seed, 3+int(seed), noise)
			res := explored(t, r, Options{Seed: seed})
			if want := automaton.Minimize(r.DFA); !res.Automaton.Equal(want) {
				w, _ := automaton.Distinguish(res.Automaton, want)
				t.Errorf("seed %d, noise %v: %d states, want %d; they differ on %v", seed, noise, res.Automaton.Len(), want.Len(), w)
			}
			last := res.Tradeoff[len(res.Tradeoff)-1]
			if last.Error != 0 || len(res.Counterexamples) != 0 {
				t.Errorf("seed %d, noise %v: error %v, findings %v", seed, noise, last.Error, res.Counterexamples)
			}
		}
	}
}

// forbidden accepts the words over k symbols that do not contain the factor, whose
// symbols are all different.
func forbidden(k int, factor word.Word) *automaton.DFA {
	d := automaton.NewDFA(word.Letters("abcdefghijklmnopqrstuvwxyz"[:k]), len(factor))
	for i := range factor {
		q := automaton.State(i + 1)
		d.Accept[q] = true
		for s := range word.Symbol(k) {
			d.SetNext(q, s, 1)
		}
		d.SetNext(q, factor[0], 2)
		d.SetNext(q, factor[i], q+1)
	}
	d.SetNext(automaton.State(len(factor)), factor[len(factor)-1], automaton.Dead)
	return d
}

// A word that is never met by chance is found through the states.
func TestFindsWhatRandomWordsNeverMeet(t *testing.T) {
	r := oracletest.Noisy{DFA: forbidden(20, word.Word{3, 1, 4, 7}), Dims: 12, Noise: 0.05}
	res := explored(t, r, Options{Seed: 1, Tolerance: 1e-9})
	if !res.Automaton.Equal(automaton.Minimize(r.DFA)) {
		t.Errorf("%d states, want 4; found by %s", res.Automaton.Len(), res.Source)
	}
}

// loses is the automaton of a network that counts a's modulo 3, but after nine c's
// in a row at the start takes every word for good.
func loses() (d, target *automaton.DFA) {
	target = automaton.NewDFA(word.Letters("abc"), 3)
	copy(target.Table[3:], []automaton.State{2, 1, 1, 3, 2, 2, 1, 3, 3})
	target.Accept[1] = true
	d = automaton.NewDFA(target.Alphabet, 13)
	copy(d.Accept, target.Accept)
	copy(d.Table, target.Table)
	for q := automaton.State(4); q <= 13; q++ {
		d.Accept[q] = true
		copy(d.Row(q), []automaton.State{2, 1, q + 1})
	}
	copy(d.Row(13), []automaton.State{13, 13, 13})
	d.Start = 4
	return d, automaton.Minimize(target)
}

// What the network does far from the distribution is a finding, and a state only if
// it is to be pursued.
func TestFindingsAndPursuit(t *testing.T) {
	d, target := loses()
	r := oracletest.Noisy{DFA: d, Dims: 12, Noise: 0.05}
	res := explored(t, r, Options{Seed: 1, Tolerance: 1e-3})
	if !res.Automaton.Equal(target) {
		t.Errorf("%d states, want those of the target", res.Automaton.Len())
	}
	if len(res.Counterexamples) == 0 {
		t.Fatal("no findings")
	}
	for i, f := range res.Counterexamples {
		if f.Network != d.Accepts(f.Word) || f.Automaton != target.Accepts(f.Word) || f.Network == f.Automaton {
			t.Errorf("finding %+v is none", f)
		}
		if i > 0 && len(f.Word) < len(res.Counterexamples[i-1].Word) {
			t.Error("findings are not shortest first")
		}
	}
	if res := explored(t, r, Options{Seed: 1, Pursue: true}); !res.Automaton.Equal(automaton.Minimize(d)) {
		t.Errorf("pursued: %d states, want %d", res.Automaton.Len(), automaton.Minimize(d).Len())
	}
}

// The limit of states is kept to, said, and the error falls with the size.
func TestBudget(t *testing.T) {
	r := oracletest.Random(3, 30, 0.3)
	res := explored(t, r, Options{Seed: 1, MaxStates: 8})
	if res.Stopped == "" || res.Automaton.Len() > 8+atOnce {
		t.Errorf("%d states, stopped because %q", res.Automaton.Len(), res.Stopped)
	}
	for i, p := range res.Tradeoff {
		if p.States != p.Automaton.Len() || i > 0 && (p.States <= res.Tradeoff[i-1].States || p.Error >= res.Tradeoff[i-1].Error) {
			t.Errorf("tradeoff %v", res.Tradeoff)
		}
	}
}

func TestSeedFixesTheResult(t *testing.T) {
	r := oracletest.Random(9, 12, 0.5)
	a, b := explored(t, r, Options{Seed: 5, MaxStates: 9}), explored(t, r, Options{Seed: 5, MaxStates: 9})
	same := func(x, y Counterexample) bool { return slices.Equal(x.Word, y.Word) }
	if !a.Automaton.Equal(b.Automaton) || a.Source != b.Source || !slices.EqualFunc(a.Counterexamples, b.Counterexamples, same) {
		t.Error("two runs, two results")
	}
}

// Every transition was asked about, and every split needed a hypothesis that a search
// had found wrong.
func TestCountsQuestions(t *testing.T) {
	r := oracletest.Random(9, 12, 0.5)
	res := explored(t, r, Options{Seed: 5})
	if res.Asked < res.Representatives*r.Alphabet().Len() || res.Hypotheses < 2 {
		t.Errorf("%d words, %d hypotheses for %d representatives", res.Asked, res.Hypotheses, res.Representatives)
	}
	again := explored(t, r, Options{Seed: 5})
	if res.Asked != again.Asked || res.Hypotheses != again.Hypotheses {
		t.Error("two runs, two counts")
	}
}

// A network that is canceled after any number of steps does not take another one, and
// what it left undone is no result.
func TestStopsAtOnce(t *testing.T) {
	for steps := 1; steps < 200; steps++ {
		ctx, cancel := context.WithCancel(t.Context())
		r := &counting{Noisy: oracletest.Random(3, 8, 0.3), most: steps, cancel: cancel}
		if _, err := Run(oracle.Ask(ctx, r), Options{Seed: 1}); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d steps: error %v", steps, err)
		}
		if r.steps > steps {
			t.Fatalf("%d steps, canceled after %d", r.steps, steps)
		}
	}
}

// A search that runs out of time, wherever it is, ends with the best automaton so far and
// says so.
func TestTime(t *testing.T) {
	const limit = 20 * time.Millisecond
	for _, steps := range []int{1, 5, 25, 60, 120} {
		r := &counting{Noisy: oracletest.Random(3, 8, 0.3), most: steps, cancel: sync.OnceFunc(func() { time.Sleep(2 * limit) })}
		res := explored(t, r, Options{Seed: 1, Time: limit})
		if res.Stopped != "the time of 20ms is spent" || res.Automaton.Len() > 8 {
			t.Errorf("%d states after %d steps, stopped because %q", res.Automaton.Len(), steps, res.Stopped)
		}
	}
}

// counting cancels once it has taken so many steps.
type counting struct {
	oracletest.Noisy
	steps, most int
	cancel      func()
}

func (c *counting) Step(dst, src f32.Matrix, on []word.Symbol) error {
	err := c.Noisy.Step(dst, src, on)
	if c.steps++; c.steps >= c.most {
		c.cancel()
	}
	return err
}

func TestStopsWhenCanceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	gone := errors.New("gone")
	cancel(gone)
	if _, err := Run(oracle.Ask(ctx, oracletest.Random(1, 4, 0.1)), Options{}); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
}

// Whatever was split, the tree explains the hypothesis: two representatives answer
// differently after the suffix that tells them apart, and a transition leads where
// sifting leads.
func TestTreeExplainsHypothesis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := oracletest.Random(rapid.Uint64().Draw(t, "seed"), 6, 0.5)
		l := newLearner(oracle.Ask(context.Background(), r), nil)
		symbol := rapid.Map(rapid.IntRange(0, 2), func(i int) word.Symbol { return word.Symbol(i) })
		for range 12 {
			w := word.Word(rapid.SliceOfN(symbol, 0, 8).Draw(t, "word"))
			if l.accept[l.run(w)] != r.DFA.Accepts(w) && !l.refine(w, nil) {
				t.Fatal("a disagreement without a transition to blame")
			}
		}
		for p := range l.access {
			for q := range p {
				v := l.Apart(int32(p), int32(q))
				x := slices.Concat(l.access[p], v)
				y := slices.Concat(l.access[q], v)
				if r.DFA.Accepts(x) == r.DFA.Accepts(y) {
					t.Fatalf("%v and %v answer alike after %v", l.access[p], l.access[q], v)
				}
			}
		}
		all := make([]int32, len(l.next))
		for i := range all {
			all[i] = int32(i)
		}
		if got := l.sift(l.successors(all), discrimination.Root); !slices.Equal(got, l.next) {
			t.Fatalf("transitions %v, sifting leads to %v", l.next, got)
		}
	})
}

// Who wants to know is told of questions that grow in number.
func TestTell(t *testing.T) {
	told, before := 0, 0
	_, err := Run(oracle.Ask(t.Context(), oracletest.Random(1, 4, 0.1)), Options{Tell: func(states, words int) {
		told++
		if words < max(before, 1) || states < 1 {
			t.Errorf("%d words after %d, %d states", words, before, states)
		}
		before = words
	}})
	if err != nil || told == 0 {
		t.Errorf("told %d times: %v", told, err)
	}
}
