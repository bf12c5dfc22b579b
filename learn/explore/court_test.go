package explore

import (
	"context"
	"math"
	"slices"
	"testing"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// blown returns an automaton of the same language with many more states: each in copies, which
// symbols lead to in turn.
func blown(d *automaton.DFA, copies int) *automaton.DFA {
	big := automaton.NewDFA(d.Alphabet, d.Len()*copies)
	at := func(q automaton.State, c int) automaton.State {
		if q == automaton.Dead {
			return automaton.Dead
		}
		return (q-1)*automaton.State(copies) + automaton.State(c%copies) + 1
	}
	for q := automaton.State(1); int(q) <= d.Len(); q++ {
		for c := range copies {
			big.Accept[at(q, c)] = d.Accept[q]
			for s, to := range d.Row(q) {
				big.SetNext(at(q, c), word.Symbol(s), at(to, c+s))
			}
		}
	}
	big.Start = at(d.Start, 0)
	return big
}

// Merging takes a network's automaton back from one of many states, a part of which err on
// words that are hardly ever met, and leaves it alone where every state is needed.
func TestShrink(t *testing.T) {
	for seed := range uint64(6) {
		r := oracletest.Random(seed, 8, 0.1)
		want := automaton.Minimize(r.DFA)
		c := newCourt(oracle.Ask(context.Background(), r), Options{Seed: seed}.orDefaults(100))
		big := blown(want, 5)
		odd := automaton.State(big.Len()) // a copy that answers otherwise
		big.Accept[odd] = !big.Accept[odd]
		for _, d := range []*automaton.DFA{want, blown(want, 5), big} {
			found, _ := c.shrunk(d)
			last := found[len(found)-1]
			if d != big && !last.Equal(want) || last.Len() > want.Len() {
				w, _ := automaton.Distinguish(last, want)
				t.Errorf("seed %d: %d states, want %d; they differ on %v", seed, last.Len(), want.Len(), w)
			}
		}
	}
}

// What a network does on few words, here those that begin with five equal symbols, is given up if a state costs more than
// that, and kept if states cost nothing.
func TestCheapestGivesUpStates(t *testing.T) {
	plain := automaton.NewDFA(word.Letters("ab"), 2) // an even number of the first symbol
	plain.Accept[1] = true
	for q, other := range map[automaton.State]automaton.State{1: 2, 2: 1} {
		plain.SetNext(q, 0, other)
		plain.SetNext(q, 1, q)
	}
	begin := automaton.NewDFA(plain.Alphabet, 6)
	for q := automaton.State(1); q < 6; q++ {
		begin.SetNext(q, 0, q+1)
	}
	for s := range plain.Alphabet.Len() {
		begin.SetNext(6, word.Symbol(s), 6)
	}
	begin.Accept[6] = true
	odd, err := automaton.Difference(plain, begin, 1000)
	if err != nil {
		t.Fatal(err)
	}
	odd = automaton.Minimize(odd)
	for price, want := range map[float64]*automaton.DFA{0: odd, 0.02: plain} {
		c := newCourt(oracle.Ask(context.Background(), oracletest.Noisy{DFA: odd, Dims: 12, Noise: 0.05}), Options{Seed: 1}.orDefaults(12))
		c.heard, c.bests = []*automaton.DFA{odd}, []*automaton.DFA{odd}
		best := c.cheapest(nil, func(d *automaton.DFA) float64 { return price * float64(d.Len()) })
		if !best.Equal(want) {
			t.Errorf("at %v a state, %d states are left of %d, want %d", price, best.Len(), odd.Len(), want.Len())
		}
	}
}

// scored is a network whose score says how much of what it looks for it has just read: how far
// the state of its automaton is from the first.
type scored struct{ oracletest.Noisy }

func (r scored) Read(dst, states f32.Matrix) error {
	if err := r.Noisy.Read(dst, states); err != nil {
		return err
	}
	for i := range dst.Rows {
		if row := dst.Row(i); row[0] == 1 {
			q := math.Round(float64(states.Row(i)[r.Dims]) / 1e-30)
			row[0] = fromLogit(21 - 4*q)
		}
	}
	return nil
}

// None of a thousand uniform words has the factor; following the score finds many that do.
func TestSeek(t *testing.T) {
	q := oracle.Ask(context.Background(), scored{oracletest.Noisy{DFA: forbidden(20, word.Word{3, 1, 4, 7, 5}), Dims: 12}})
	rng := sample.Rand(1, sample.Candidates)
	words := seek(q, false, 30, rng)
	if len(words) < 100 {
		t.Fatalf("%d words", len(words))
	}
	for i, accept := range q.Accepts(words) {
		if accept {
			t.Errorf("%v is accepted", words[i])
		}
	}
	if !slices.IsSortedFunc(words, word.Compare) {
		t.Error("not sorted")
	}
	again := seek(q, false, 30, sample.Rand(1, sample.Candidates))
	if !slices.EqualFunc(words, again, slices.Equal[word.Word]) {
		t.Error("the seed does not fix the words")
	}
}

// Words that are changed keep the answer, and become different ones.
func TestWander(t *testing.T) {
	factor := word.Word{3, 1, 4, 7, 5}
	q := oracle.Ask(context.Background(), scored{oracletest.Noisy{DFA: forbidden(20, factor), Dims: 12}})
	c := newCourt(q, Options{Seed: 1}.orDefaults(12))
	words := slices.Repeat([]word.Word{factor}, 50)
	found := c.wander(words)
	for i, accept := range q.Accepts(found) {
		if accept || len(found[i]) > c.o.High {
			t.Errorf("%v: %v", found[i], accept)
		}
	}
	slices.SortFunc(found, word.Compare)
	if n := len(slices.CompactFunc(found, slices.Equal[word.Word])); n < 45 {
		t.Errorf("%d different words of 50", n)
	}
	if c.wander(nil) != nil {
		t.Error("words from nowhere")
	}
}

// What judges has both of the network's answers, though uniform words have one, and is counted.
func TestJudges(t *testing.T) {
	net := scored{oracletest.Noisy{DFA: forbidden(20, word.Word{3, 1, 4, 7, 5}), Dims: 12}}
	c := newCourt(oracle.Ask(context.Background(), net), Options{Seed: 1}.orDefaults(12))
	if j := c.judges(); j.Accepted < judging*9/10 || j.Rejected < 100 || c.rare.found < 100 {
		t.Errorf("%+v, %d words were found", j, c.rare.found)
	}
}

// Sizes and errors that are asked for are taken from the trade-off.
func TestStatesAndError(t *testing.T) {
	r := oracletest.Random(3, 12, 0.1)
	all := explored(t, r, Options{Seed: 1})
	few := explored(t, r, Options{Seed: 1, States: 4})
	if n := few.Automaton.Len(); n > 4 || n == 0 || len(few.Tradeoff) != len(all.Tradeoff) {
		t.Errorf("%d states of at most 4", n)
	}
	some := explored(t, r, Options{Seed: 1, Error: 0.2})
	i := slices.IndexFunc(all.Tradeoff, func(p Point) bool { return p.Error <= 0.2 })
	if some.Automaton.Len() != all.Tradeoff[i].States {
		t.Errorf("%d states, want %d", some.Automaton.Len(), all.Tradeoff[i].States)
	}
}

// What the network reads bounds the search.
func TestWork(t *testing.T) {
	r := oracletest.Random(3, 40, 0.1)
	res := explored(t, r, Options{Seed: 1, Work: 30_000})
	if res.Stopped == "" {
		t.Error("it does not say that the search was stopped")
	}
}
