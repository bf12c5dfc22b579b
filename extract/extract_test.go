package extract

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/merge"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/word"
)

func run(t *testing.T, net oracle.Oracle, o Options) *Result {
	t.Helper()
	res, err := Run(oracle.Ask(t.Context(), net), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// The default finds the language of most random automata, from the recognizer
// alone, and whatever is found keeps the label of every prefix in the sample.
func TestFoldWithKappaChosen(t *testing.T) {
	exact := 0
	for seed := range uint64(20) {
		r := oracletest.Random(seed, 4, 0.3)
		res := run(t, r, Options{Method: Fold, Seed: seed, Length: 8})
		if _, differ := automaton.Distinguish(res.Automaton, r.DFA); !differ {
			exact++
		}
		for n, accept := range res.Tree.Accept {
			if w := res.Tree.Word(prefix.Node(n)); res.Automaton.Accepts(w) != accept || res.Merged.Accepts(w) != accept {
				t.Fatalf("seed %d: %v lost its label", seed, w)
			}
		}
		if len(res.Trials) < 9 || res.Why == "" || res.Options.Kappa == ChosenKappa {
			t.Errorf("seed %d: %d trials, kappa %v, why %q", seed, len(res.Trials), res.Options.Kappa, res.Why)
		}
		if res.MergedStates != res.Merged.Len() || res.MergedStates > res.Tree.Len() {
			t.Errorf("seed %d: %d merged states, the automaton has %d", seed, res.MergedStates, res.Merged.Len())
		}
	}
	if exact < 19 {
		t.Errorf("%d of 20 languages found exactly", exact)
	}
}

// With hardly any noise every method finds the language.
func TestEveryMethodOnAClearCase(t *testing.T) {
	for _, m := range Methods {
		for _, kappa := range []float64{0.01, ChosenKappa} {
			r := oracletest.Random(5, 4, 0.01)
			res := run(t, r, Options{Method: m.Name, Kappa: kappa, Length: 8, Order: merge.Breadth})
			if w, differ := automaton.Distinguish(res.Automaton, r.DFA); differ {
				t.Errorf("%s, kappa %v: differs on %v", m.Name, kappa, w)
			}
		}
	}
}

// One seed, one result; the merge log replayed gives the automaton again.
func TestSeedAndLogFixTheResult(t *testing.T) {
	r := oracletest.Random(3, 5, 0.5)
	for _, m := range []string{Fold, Union, Keep, KMeans} {
		o := Options{Method: m, Kappa: 0.1, Order: merge.Breadth, Seed: 4, Limit: 100_000}
		a, b := run(t, r, o), run(t, r, o)
		if !a.Automaton.Equal(b.Automaton) || !slices.Equal(a.Log, b.Log) {
			t.Errorf("%s: one seed, two results", m)
		}
		if m == KMeans {
			continue
		}
		again, err := automaton.Determinize(merge.Replay(a.Tree, merge.Rule(m), a.Log), o.Limit)
		if err != nil || !automaton.Minimize(again).Equal(a.Automaton) {
			t.Errorf("%s: the log replayed gives another automaton, %v", m, err)
		}
	}
}

func TestErrorsSayWhatToChange(t *testing.T) {
	q := oracle.Ask(t.Context(), oracletest.Random(1, 5, 1))
	for want, o := range map[string]Options{
		"at most 2":                         {Kappa: 3},
		"over 0":                            {Kappa: -1},
		"no method is called":               {Method: "magic"},
		"no order is called":                {Method: Fold, Order: "best"},
		"there are only 27 of length 3":     {Method: Fold, Strings: 28, Length: 3},
		"strings -1: it must be at least 1": {Method: Fold, Strings: -1},
		"clusters -1: it must be at least ": {Method: KMeans, Strings: 5, Clusters: -1},
		"more than fit into memory":         {Method: Fold, Strings: 1 << 50, Length: 60},
		"words of length 9223372036854775":  {Method: Fold, Strings: 5, Length: 1<<63 - 1},
		"the method fold, or a larger lim":  {Method: Union, Kappa: 0.3, Order: merge.Breadth, Limit: 10},
	} {
		_, err := Run(q, o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", o, err, want)
		}
	}
	unary := oracletest.Noisy{DFA: automaton.NewDFA(word.Letters("a"), 1), Dims: 4}
	if _, err := Run(oracle.Ask(t.Context(), unary), Options{Method: Fold}); err == nil || !strings.Contains(err.Error(), "strings 1, length 100") {
		t.Errorf("one symbol: %v", err)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(q.Under(stopped), Options{Method: Fold}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// sweep tries one kappa after another.
func sweep(t *testing.T, net oracle.Oracle, o Options, kappas []float64) ([]Trial, error) {
	t.Helper()
	q := oracle.Ask(t.Context(), net)
	p, err := Prepare(q, o)
	if err != nil {
		return nil, err
	}
	return p.Sweep(q, kappas)
}

func TestSweepAndPlateau(t *testing.T) {
	r := oracletest.Random(5, 4, 0.05)
	trials, err := sweep(t, r, Options{Method: Fold, Length: 8}, nil)
	if err != nil || len(trials) < 30 {
		t.Fatalf("%d trials, %v", len(trials), err)
	}
	first, last, found := Plateau(trials)
	if !found || last-first < 5 || trials[first].Accuracy() != 1 || trials[first].States != automaton.Minimize(r.DFA).Len() {
		t.Errorf("plateau %d to %d: %+v", first, last, trials[first])
	}
	if _, _, found := Plateau([]Trial{{}, {}}); found {
		t.Error("a plateau of failures")
	}
	if _, err := sweep(t, r, Options{Method: Fold}, []float64{5}); err == nil {
		t.Error("kappa 5 was swept")
	}
	if _, err := sweep(t, r, Options{Method: KMeans}, nil); err == nil {
		t.Error("k-means was swept")
	}
}

func TestSaturationRule(t *testing.T) {
	d := 100
	states := f32.New(2, d)
	for j := range d {
		states.Row(0)[j] = 1
		states.Row(1)[j] = float32(1 - 2*(j%2))
	}
	f32.Normalize(states)
	s := measure(states)
	// Saturated to the last digit: √κ = √2/√d.
	if s.Max > 1e-6 || math.Abs(s.Kappa-2/float64(d)) > 1e-6 {
		t.Errorf("saturation %v, kappa %v, want 0 and %v", s.Max, s.Kappa, 2/float64(d))
	}
	states.Row(1)[0] = 10
	f32.Normalize(states)
	if s := measure(states); s.Kappa != 0 || s.Max < 0.1 {
		t.Errorf("an unsaturated state allows kappa %v, at saturation %v", s.Kappa, s.Max)
	}
}

func TestAgreementCountsPrefixes(t *testing.T) {
	d := automaton.NewDFA(word.Letters("a"), 1) // only the empty word
	d.Accept[1] = true
	agree, prefixes := oracle.Paths{Words: []word.Word{{}, {0, 0}}, Labels: [][]bool{{true}, {true, true, false}}}.Agree(d)
	if agree != 3 || prefixes != 4 {
		t.Errorf("%d of %d, want 3 of 4", agree, prefixes)
	}
}
