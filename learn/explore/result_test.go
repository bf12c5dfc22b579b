package explore

import (
	"math"
	"math/rand/v2"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Where no automaton is right, the answer is the smallest of those that err least; where one is, or more is asked
// for, it stays. What is taken gives up the states that its own words can do without.
func TestPrefersItsOwnTradeoff(t *testing.T) {
	small, large := forbidden(2, word.Word{0, 1}), forbidden(2, word.Word{0, 1, 0, 0})
	court := newCourt(oracle.Ask(t.Context(), oracletest.Noisy{DFA: small, Dims: 12}), Options{}.orDefaults(12))
	for name, c := range map[string]struct {
		o     Options
		error float64
		want  int
	}{
		"no automaton":     {Options{}, 0.02, small.Len()},
		"right":            {Options{}, 0.001, large.Len()},
		"pursuit":          {Options{Pursue: true}, 0.02, large.Len()},
		"the user's words": {Options{Data: []word.Word{{0}}}, 0.02, large.Len()},
	} {
		s := &search{o: c.o, best: large, court: court}
		taken := blown(small, 2) // with states that nothing tells apart
		s.prefer(Point{States: large.Len() - 1, Error: c.error, Automaton: taken})
		if s.best.Len() != c.want {
			t.Errorf("%s: %d states, want %d", name, s.best.Len(), c.want)
		}
	}
}

// An automaton of a trade-off is measured by words of its own, too: one that accepts what nobody else does is wrong about that, and has no place in it. The
// best one stays where nothing is asked for, and what rejects all words stands beside it.
func TestFrontIsMeasuredByOwnWords(t *testing.T) {
	deep := func(loops bool) *automaton.DFA { // bbbbbbbb or, if it loops, that and all that follows
		d := automaton.NewDFA(word.Letters("ab"), 9)
		for i := range automaton.State(8) {
			d.SetNext(i+1, 1, i+2)
		}
		d.Accept[9] = true
		if loops {
			d.SetNext(9, 0, 9)
			d.SetNext(9, 1, 9)
		}
		return d
	}
	truth, claims := deep(false), deep(true)
	for _, o := range []Options{{}, {States: 9}} {
		o = o.orDefaults(12)
		q := oracle.Ask(t.Context(), oracletest.Noisy{DFA: truth, Dims: 12})
		s := newSearch(q, o, newCourt(q, o), nil)
		s.met, s.best = []*automaton.DFA{claims, truth}, truth
		points := falling(s.measured(s.met, oneKind(q.Label(sample.UniformWords(100, 2, 0, 6, s.rng)))), nil)
		if len(points) != 1 || points[0].Automaton != claims || points[0].Error != 0 {
			t.Fatalf("words of up to six symbols tell the two apart: %v", points)
		}
		points = s.front(points, s.jury())
		if s.pick(points); len(points) != 2 || points[0].States != 0 || points[0].Error == 0 || s.best != truth || points[1].Error != 0 {
			t.Errorf("%d states asked for: %v", o.States, points)
		}
	}
}

// Whoever asks for fewer states than anything takes that says something gets the better one of the two automata that give all words the same answer.
func TestFewStatesAreNoWorseThanAConstant(t *testing.T) {
	even := automaton.NewDFA(word.Letters("ab"), 2) // of even length: nothing smaller says anything
	for q := automaton.State(1); q <= 2; q++ {
		even.SetNext(q, 0, 3-q)
		even.SetNext(q, 1, 3-q)
	}
	even.Accept[2] = true
	rare := forbidden(2, word.Word{0}) // nearly all words are rejected
	for name, c := range map[string]struct {
		network *automaton.DFA
		states  int
		want    int
	}{
		"one state of two":         {even, 1, 1},
		"as many as it takes":      {even, 2, 2},
		"all are rejected, nearly": {rare, 1, 1},
		"none is accepted":         {automaton.NewDFA(even.Alphabet, 0), 1, 0},
	} {
		o := Options{Seed: 1, States: c.states}
		res, err := Run(oracle.Ask(t.Context(), oracletest.Noisy{DFA: c.network, Dims: 12}), o)
		if err != nil {
			t.Fatal(err)
		}
		if n := res.Automaton.Len(); n > c.want {
			t.Errorf("%s: %d states", name, n)
		}
		j := oneKind(oracle.Ask(t.Context(), oracletest.Noisy{DFA: c.network, Dims: 12}).Label(sample.UniformWords(1000, 2, 0, 30, rand.New(rand.NewPCG(1, 3)))))
		none := automaton.NewDFA(even.Alphabet, 0)
		for _, constant := range []*automaton.DFA{none, automaton.Complement(none)} {
			if constant.Len() <= c.states && j.Error(res.Automaton) > j.Error(constant)+0.05 {
				t.Errorf("%s: wrong on %v of uniform words, a constant on %v", name, j.Error(res.Automaton), j.Error(constant))
			}
		}
	}
}

// What is made of the user's words may get another answer far more often than they do: each answer counts as often as with them.
func TestJuryAnswersAsTheUsersWords(t *testing.T) {
	yes, no := word.Word{1}, word.Word{0}
	own := oracle.Set{Words: []word.Word{yes, yes, yes, no}, Accept: []bool{true, true, true, false}}
	made := oracle.Set{Words: []word.Word{no, no, no, no, no, yes}, Accept: []bool{false, false, false, false, false, true}}
	none := automaton.NewDFA(word.Letters("ab"), 0)
	for _, c := range []struct {
		j    jury
		want float64 // that an automaton errs which rejects all words; the other constant errs on the rest
	}{
		{asOften(own, made), 0.75},
		{asOften(own, oracle.Set{}), 0.75},
		{asOften(oracle.Set{Words: []word.Word{no}, Accept: []bool{false}}, made), 0},
		{oneKind(made), 1. / 6},
		{nil, 1},
	} {
		if got := c.j.Error(none); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.j, got, c.want)
		}
		if got := c.j.Error(automaton.Complement(none)); c.j != nil && math.Abs(got-(1-c.want)) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.j, got, 1-c.want)
		}
	}
}

// States are spared that fresh words can do without, whether something smaller was met or not; but none of an automaton that is the network's own, of
// one that has left no doubt, of which only the user's words may say otherwise, or where every doubt is pursued.
func TestSparesStates(t *testing.T) {
	truth := forbidden(2, word.Word{0, 1})
	whim := automaton.NewDFA(truth.Alphabet, 9) // one long word
	for i := range automaton.State(8) {
		whim.SetNext(i+1, 1, i+2)
	}
	whim.Accept[9] = true
	large, err := automaton.Difference(truth, whim, 100)
	if err != nil {
		t.Fatal(err)
	}
	large = automaton.Minimize(large)
	rng := rand.New(rand.NewPCG(1, 2))
	words := sample.UniformWords(20, 2, 0, 30, rng)
	q := oracle.Ask(t.Context(), oracletest.Noisy{DFA: truth, Dims: 12})
	for name, c := range map[string]struct {
		o         Options
		best      *automaton.DFA
		met       []*automaton.DFA
		converged bool
		want      *automaton.DFA
	}{
		"a smaller one that was met": {Options{}, large, []*automaton.DFA{truth}, false, truth},
		"and the user's words":       {Options{Data: words}, large, []*automaton.DFA{truth}, false, truth},
		"none that was met":          {Options{}, large, nil, false, truth},
		"no doubt":                   {Options{}, large, []*automaton.DFA{truth}, true, large},
		"no doubt, the user's words": {Options{Data: words}, large, []*automaton.DFA{truth}, true, truth},
		"a worse one":                {Options{}, truth, []*automaton.DFA{forbidden(2, word.Word{1})}, false, truth},
		"a worse one, the user's":    {Options{Data: words}, truth, []*automaton.DFA{forbidden(2, word.Word{1})}, false, truth},
		"a size":                     {Options{States: 100}, large, []*automaton.DFA{truth}, false, truth}, // the trade-off that it is taken from is the one shown
		"a share of errors":          {Options{Error: 0.1}, large, []*automaton.DFA{truth}, false, truth},
		"pursuit":                    {Options{Pursue: true}, large, []*automaton.DFA{truth}, false, large},
	} {
		o := c.o.orDefaults(12)
		s := &search{q: q, o: o, best: c.best, met: c.met, court: &court{q: q, o: o, converged: c.converged}, rng: rng}
		s.spare()
		if w, differ := automaton.Distinguish(s.best, c.want); differ {
			t.Errorf("%s: %d states, want %d: they differ on %v", name, s.best.Len(), c.want.Len(), w)
		}
	}
}

// What is no automaton loses states only if not one word more goes wrong.
func TestSparesNothingWhereNothingIsRight(t *testing.T) {
	network, best := forbidden(2, word.Word{0, 1, 0}), forbidden(2, word.Word{0, 1, 0, 0})
	q := oracle.Ask(t.Context(), oracletest.Noisy{DFA: network, Dims: 12})
	for _, c := range []struct{ other, want *automaton.DFA }{
		{network, network},
		{forbidden(2, word.Word{1, 1, 1}), best},
	} {
		o := Options{}.orDefaults(12)
		s := &search{q: q, o: o, best: best, court: &court{q: q, o: o}, rng: rand.New(rand.NewPCG(1, 2))}
		s.cheaper([]*automaton.DFA{c.other}, s.telling(1000))
		if s.best != c.want {
			t.Errorf("%d states, want %d", s.best.Len(), c.want.Len())
		}
	}
}

// What was folded elsewhere is an answer like any other, up to the states that an answer may have.
func TestKnownAutomataHaveNoMoreStates(t *testing.T) {
	truth := forbidden(2, word.Word{0, 1, 0, 0, 1})
	for most, want := range map[int]bool{4: false, 5: true} {
		q := oracle.Ask(t.Context(), oracletest.Noisy{DFA: truth, Dims: 12})
		res, err := Run(q, Options{Seed: 1, MaxStates: most, Known: []*automaton.DFA{truth}})
		if err != nil {
			t.Fatal(err)
		}
		if _, differ := automaton.Distinguish(res.Automaton, truth); differ == want || res.Automaton.Len() > most {
			t.Errorf("with at most %d states: %d", most, res.Automaton.Len())
		}
	}
}

// A budget that is spent while the result is measured, or while another search begins, is no failure: there is an automaton. If
// it is spent before, there is nothing.
func TestBudgetIsSpentInTheEnd(t *testing.T) {
	for name, net := range map[string]oracletest.Noisy{"rare": rareAnswer(t), "plain": oracletest.Random(3, 12, 0.1), "few": oracletest.Random(4, 4, 3)} {
		for _, budget := range []int{20, 50, 100, 300, 700, 1500, 3000, 7000, 20_000, 75_000} {
			q := oracle.Ask(t.Context(), net)
			q.Limit(budget)
			res, err := Run(q, Options{Seed: 1})
			if err != nil || res.Automaton == nil || len(res.Tradeoff) == 0 || q.Asked() > budget {
				t.Errorf("%s, budget %d: %d are asked, %v", name, budget, q.Asked(), err)
			}
		}
		q := oracle.Ask(t.Context(), net)
		q.Limit(1)
		if res, err := Run(q, Options{Seed: 1}); res != nil || err == nil {
			t.Errorf("%s: with nothing to ask there is %v, %v", name, res, err)
		}
	}
}
