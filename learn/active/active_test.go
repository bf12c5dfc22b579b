package active_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/learn/active"
	"quotient/oracle"
	"quotient/word"
)

var methods = []active.Method{active.LStar, active.TTT}

// A blackBox hides the states of a recognizer.
type blackBox struct{ oracle.Oracle }

// random returns a random minimal automaton.
func random(seed uint64, letters string, states int) *automaton.DFA {
	rng := rand.New(rand.NewPCG(seed, 1))
	a := word.Letters(letters)
	d := automaton.NewDFA(a, states)
	for i := a.Len(); i < len(d.Table); i++ {
		d.Table[i] = automaton.State(1 + rng.IntN(states))
	}
	for q := 1; q <= states; q++ {
		d.Accept[q] = rng.IntN(2) == 0
	}
	return automaton.Minimize(d)
}

func recognizer(d *automaton.DFA) oracletest.Noisy {
	return oracletest.Noisy{DFA: d, Dims: 8, Noise: 0.1}
}

// judge answers equivalence queries truly, with shortest counterexamples.
func judge(d *automaton.DFA) func(context.Context, *automaton.DFA) (word.Word, bool) {
	return func(_ context.Context, h *automaton.DFA) (word.Word, bool) { return automaton.Distinguish(h, d) }
}

func learn(t testing.TB, net oracle.Oracle, o active.Options) *active.Result {
	t.Helper()
	res, err := active.Learn(oracle.Ask(context.Background(), net), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// With true equivalence queries all learners find every automaton with up to three
// states over two symbols.
func TestEverySmallAutomaton(t *testing.T) {
	a := word.Letters("ab")
	for states := 1; states <= 3; states++ {
		tables := 1
		for range 2 * states {
			tables *= states
		}
		for n := range tables << states {
			d := automaton.NewDFA(a, states)
			for q := 1; q <= states; q++ {
				d.Accept[q] = n>>(q-1)&1 == 1
			}
			rest := n >> states
			for i := 2; i < len(d.Table); i++ {
				d.Table[i] = automaton.State(1 + rest%states)
				rest /= states
			}
			want := automaton.Minimize(d)
			for _, m := range active.Methods {
				res := learn(t, blackBox{oracletest.Noisy{DFA: d}}, active.Options{Method: m, Judge: judge(want)})
				if !res.Complete || !res.Automaton.Equal(want) {
					t.Fatalf("%s: automaton %d of %d states is not found", m, n, states)
				}
			}
		}
	}
}

// A perfect teacher is asked for every distinct word once, and what is found is its automaton.
func TestTaught(t *testing.T) {
	for _, m := range active.Methods {
		for seed := range uint64(4) {
			d := random(seed, "abcd", 60)
			res, _, err := active.Taught(t.Context(), d, m)
			if err != nil {
				t.Fatal(err)
			}
			if s := res.Stats; !res.Complete || !res.Automaton.Equal(d) || s.TestWords != 0 || s.EquivalenceQueries == 0 {
				t.Errorf("%s: %d states of %d, %+v", m, res.Automaton.Len(), d.Len(), s)
			}
		}
	}
}

// A budget that is spent while a hypothesis changes leaves the one before.
func TestSpentWithJudge(t *testing.T) {
	for _, m := range active.Methods {
		for seed := range uint64(4) {
			d := random(seed, "abcd", 60)
			var last *automaton.DFA
			res := learn(t, blackBox{oracletest.Noisy{DFA: d}}, active.Options{
				Method: m, States: 20,
				Judge: func(_ context.Context, h *automaton.DFA) (word.Word, bool) {
					last = automaton.Minimize(h)
					return automaton.Distinguish(h, d)
				},
			})
			if res.Complete || last == nil || !res.Automaton.Equal(last) {
				t.Errorf("%s, seed %d: %d states, complete %v", m, seed, res.Automaton.Len(), res.Complete)
			}
		}
	}
}

// Counterexamples may be of any length, and the network may hide its states or not.
func TestAnyCounterexample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.IntRange(1, 25).Draw(t, "states")
		letters := rapid.SampledFrom([]string{"a", "ab", "abcd"}).Draw(t, "letters")
		d := random(rapid.Uint64().Draw(t, "seed"), letters, states)
		length := rapid.IntRange(0, 60).Draw(t, "length")
		var net oracle.Oracle = recognizer(d)
		if rapid.Bool().Draw(t, "black box") {
			net = blackBox{net}
		}
		for _, m := range active.Methods {
			rng := rand.New(rand.NewPCG(1, 1))
			res, err := active.Learn(oracle.Ask(context.Background(), net), active.Options{
				Method: m,
				Judge: func(_ context.Context, h *automaton.DFA) (word.Word, bool) {
					for range 50 {
						w := make(word.Word, length)
						for i := range w {
							w[i] = word.Symbol(rng.IntN(len(letters)))
						}
						if h.Accepts(w) != d.Accepts(w) {
							return w, true
						}
					}
					return automaton.Distinguish(h, d)
				},
			})
			if err != nil || !res.Complete || !res.Automaton.Equal(d) {
				t.Fatalf("%s: %v, %d states of %d", m, err, res.Automaton.Len(), d.Len())
			}
		}
	})
}

// TTT asks no more than L* does, on every automaton.
func TestTTTAsksNoMore(t *testing.T) {
	for _, letters := range []string{"ab", "abcd", "abcdefghijklmnop"} {
		for _, states := range []int{1, 2, 3, 4, 5, 6, 8, 12, 20, 30} {
			for seed := range uint64(20) {
				d := random(seed, letters, states)
				var asked [2]int
				for i, m := range methods {
					res := learn(t, blackBox{oracletest.Noisy{DFA: d}}, active.Options{Method: m, Judge: judge(d)})
					asked[i] = res.Stats.MembershipQueries
				}
				if asked[1] > asked[0] {
					t.Errorf("%d letters, %d states, seed %d: TTT asks %d words and L* %d",
						len(letters), states, seed, asked[1], asked[0])
				}
			}
		}
	}
}

// What an oracle is asked is what the statistics say, and no word twice.
func TestCounts(t *testing.T) {
	for _, m := range methods {
		c := &counter{Oracle: oracletest.Noisy{DFA: random(3, "abcdefgh", 12)}, asked: map[string]int{}}
		res := learn(t, c, active.Options{Method: m, Judge: judge(c.Oracle.(oracletest.Noisy).DFA)})
		if len(c.asked) != res.Stats.MembershipQueries || c.symbols != res.Stats.Symbols {
			t.Errorf("%s: %d words with %d symbols were asked, and %+v reported", m, len(c.asked), c.symbols, res.Stats)
		}
		for w, n := range c.asked {
			if n > 1 {
				t.Errorf("%s: %q was asked %d times", m, w, n)
			}
		}
		if c.calls*5 > len(c.asked) {
			t.Errorf("%s: %d calls for %d words are no batches", m, c.calls, len(c.asked))
		}
		if res.Stats.CacheHits == 0 || res.Stats.EquivalenceQueries == 0 {
			t.Errorf("%s: %+v", m, res.Stats)
		}
	}
}

type counter struct {
	oracle.Oracle
	asked          map[string]int
	calls, symbols int
}

func (c *counter) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	c.calls++
	for _, w := range words {
		c.asked[c.Alphabet().Format(w)]++
		c.symbols += len(w)
	}
	return c.Oracle.Answer(ctx, dst, words)
}

// Every kind of equivalence query finds random automata.
func TestEquivalences(t *testing.T) {
	for _, kind := range active.Equivalences {
		for seed := range uint64(2) {
			d := random(seed, "abc", 10)
			for _, m := range methods {
				res := learn(t, recognizer(d), active.Options{Method: m, Equivalence: kind, Seed: seed})
				if !res.Complete || !res.Automaton.Equal(d) {
					t.Errorf("%s, %s, seed %d: %d states of %d, %s", kind, m, seed, res.Automaton.Len(), d.Len(), res.Why)
				}
			}
		}
	}
	_, err := active.Learn(oracle.Ask(context.Background(), blackBox{recognizer(random(1, "ab", 3))}), active.Options{Equivalence: active.States})
	if err == nil || !strings.Contains(err.Error(), "hides its states") {
		t.Errorf("states of a network that hides them: %v", err)
	}
}

// sparse accepts all words without abcdabcd, which random words never contain.
func sparse() *automaton.DFA {
	d := automaton.NewDFA(word.Letters("abcd"), 8)
	for q := 1; q <= 8; q++ {
		d.Accept[q] = true
		for s := range 4 {
			to := automaton.State(1)
			switch {
			case s == (q-1)%4 && q < 8:
				to = automaton.State(q + 1)
			case s == 3 && q == 8:
				to = automaton.Dead
			case s == 0:
				to = 2 // an a begins it again
			case s == (q+3)%4 && q > 4:
				to = automaton.State(q - 3)
			}
			d.SetNext(automaton.State(q), word.Symbol(s), to)
		}
	}
	return automaton.Minimize(d)
}

// The states of a network show what random words never meet.
func TestSparse(t *testing.T) {
	d := sparse()
	if d.Len() < 8 || d.Accepts(word.Word{0, 1, 2, 3, 0, 1, 2, 3}) || !d.Accepts(word.Word{0, 1, 2, 3, 0, 1, 2}) {
		t.Fatal("the language is not what it should be")
	}
	for _, m := range methods {
		if res := learn(t, recognizer(d), active.Options{Method: m}); !res.Automaton.Equal(d) {
			t.Errorf("%s: %d states of %d", m, res.Automaton.Len(), d.Len())
		}
	}
}

// An erring oracle gives a wrong answer on one word in 500 that is not short, without
// any rule.
type erring struct{ d *automaton.DFA }

func (e erring) Alphabet() *word.Alphabet { return e.d.Alphabet }
func (e erring) Outputs() int             { return 1 }

func (e erring) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	for i, w := range words {
		if e.d.Accepts(w) != e.errs(w) {
			dst.Row(i)[0] = 1
		}
	}
	return nil
}

func (e erring) errs(w word.Word) bool {
	h := uint64(1)
	for _, s := range w {
		h = (h ^ uint64(s+1)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return len(w) > 10 && h%500 == 0
}

// A network's rare errors are not learned, but told.
func TestRareErrors(t *testing.T) {
	d := random(3, "ab", 6)
	if d.Len() < 4 {
		t.Fatalf("an automaton of %d states is too small for this test", d.Len())
	}
	net := erring{d}
	for _, m := range methods {
		res := learn(t, net, active.Options{Method: m})
		if !res.Automaton.Equal(d) {
			t.Errorf("%s: %d states, want the %d without the errors", m, res.Automaton.Len(), d.Len())
		}
		if res.Complete || !strings.Contains(res.Why, "rare words") || len(res.Counterexamples) == 0 {
			t.Errorf("%s: complete %v, %q, %d exceptions", m, res.Complete, res.Why, len(res.Counterexamples))
		}
		for _, w := range res.Counterexamples {
			if !net.errs(w) {
				t.Errorf("%s: %v is no exception", m, w)
			}
		}
	}
}

func TestBudgets(t *testing.T) {
	d := random(4, "abc", 40)
	for _, m := range methods {
		for want, o := range map[string]active.Options{
			"more than 10 states":       {States: 10},
			"budget of 3000 queries":    {Queries: 3000},
			"the time of 20ms is spent": {Time: spent},
			"the time of 2ns is spent":  {Time: 2},
			"the budget of 100 queries": {Queries: 100},
			"has read 5000 symbols":     {Work: 5000},
		} {
			o.Method = m
			net := &slow{Oracle: recognizer(d), waits: o.Time == spent}
			res, err := active.Learn(oracle.Ask(context.Background(), net), o)
			switch {
			case err != nil && strings.Contains(err.Error(), want): // before the first hypothesis
			case err != nil:
				t.Errorf("%s: %v, want %q", m, err, want)
			case res.Complete || !strings.Contains(res.Why, want) || res.Automaton == nil:
				t.Errorf("%s: %v %q, want %q", m, res.Complete, res.Why, want)
			}
		}
	}
}

const spent = 20 * time.Millisecond

// A slow recognizer, which shows no states, answers at once some times and then, if it waits, not before the time is spent.
type slow struct {
	oracle.Oracle
	waits bool
	asked int
}

func (s *slow) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	if s.asked++; s.waits && s.asked == 6 {
		<-ctx.Done()
	}
	return s.Oracle.Answer(ctx, dst, words)
}

// A network that fails says so.
func TestFailure(t *testing.T) {
	for _, m := range methods {
		cause := errors.New("the line is dead")
		net := &failing{Oracle: recognizer(random(5, "ab", 20)), left: 5, cause: cause}
		if _, err := active.Learn(oracle.Ask(context.Background(), net), active.Options{Method: m}); !errors.Is(err, cause) {
			t.Errorf("%s: %v", m, err)
		}
	}
}

type failing struct {
	oracle.Oracle
	left  int
	cause error
}

func (f *failing) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	if f.left--; f.left < 0 {
		return f.cause
	}
	return f.Oracle.Answer(ctx, dst, words)
}

func TestSeedFixesAll(t *testing.T) {
	d := random(6, "abcd", 15)
	for _, m := range methods {
		o := active.Options{Method: m, Seed: 9}
		if a, b := learn(t, recognizer(d), o), learn(t, recognizer(d), o); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v and %+v", m, a.Stats, b.Stats)
		}
	}
}

func TestNoSymbols(t *testing.T) {
	for _, accept := range []bool{false, true} {
		d := automaton.NewDFA(word.Letters(""), 1)
		d.Accept[1] = accept
		for _, m := range methods {
			if res := learn(t, recognizer(d), active.Options{Method: m}); res.Automaton.Accepts(nil) != accept {
				t.Errorf("%s: the empty word is accepted: %v", m, !accept)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	net := recognizer(random(1, "ab", 3))
	for want, o := range map[string]active.Options{
		`no learner is called "nl"`:          {Method: "nl"},
		`no equivalence query is called "x"`: {Equivalence: "x"},
		"epsilon 2":                          {Epsilon: 2},
		"must be at least 1":                 {Length: -1},
	} {
		if _, err := active.Learn(oracle.Ask(context.Background(), net), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func ExampleLearn() {
	even := automaton.NewDFA(word.Letters("ab"), 2)
	even.Accept[1] = true
	even.SetNext(1, 0, 2)
	even.SetNext(2, 0, 1)
	even.SetNext(1, 1, 1)
	even.SetNext(2, 1, 2)
	res, err := active.Learn(oracle.Ask(context.Background(), oracletest.Noisy{DFA: even, Dims: 8}), active.Options{Method: active.TTT})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Automaton.Len(), "states,", res.Stats.MembershipQueries, "membership queries,", res.Complete)
	// Output: 2 states, 5 membership queries, true
}

// A judge who is wrong is told so.
func TestWrongJudge(t *testing.T) {
	d := random(7, "ab", 5)
	for _, m := range methods {
		_, err := active.Learn(oracle.Ask(context.Background(), recognizer(d)), active.Options{
			Method: m,
			Judge:  func(context.Context, *automaton.DFA) (word.Word, bool) { return word.Word{0, 1}, true },
		})
		if err == nil || !strings.Contains(err.Error(), "differ on ab") {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// A black box that cares for repetitions only: of 26 symbols, b three times behind a. Among
// uniform words, one in a million has that.
func TestRepetitionsInBlackBoxes(t *testing.T) {
	d := automaton.NewDFA(word.Letters("abcdefghijklmnopqrstuvwxyz"), 7)
	for q := automaton.State(1); q <= 7; q++ {
		d.Accept[q] = q < 7
		for s := range d.Alphabet.Len() {
			to := automaton.State(1)
			switch {
			case q == 7 || s == int(q+1)%2: // a from odd states, b from even ones
				to = min(q+1, 7)
			case s == 0:
				to = 2
			}
			d.SetNext(q, word.Symbol(s), to)
		}
	}
	want := automaton.Minimize(d)
	for _, m := range methods {
		res := learn(t, blackBox{oracletest.Noisy{DFA: d}}, active.Options{Method: m, Seed: 1})
		if !res.Automaton.Equal(want) {
			t.Errorf("%s: %d states, want %d", m, res.Automaton.Len(), want.Len())
		}
	}
}
