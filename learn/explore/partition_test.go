package explore

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/discrimination"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// grouped returns a partition over n random words.
func grouped(r oracle.Stepper, seed uint64, n int) *partition {
	q := oracle.Ask(context.Background(), r)
	s := &search{q: q, o: Options{}.orDefaults(100), rng: rand.New(rand.NewPCG(seed, 2))}
	return newPartition(q, nil, s.uniform(n), new(int))
}

// Cut as long as there are errors, and the groups are the states of the automaton.
func TestPartitionFindsAutomata(t *testing.T) {
	for seed := range uint64(10) {
		r := oracletest.Random(seed, 4+2*int(seed), 3)
		p := grouped(r, seed, 1000)
		for p.grow(p.transitions(), 100) {
		}
		want := automaton.Minimize(r.DFA)
		if got := automaton.Minimize(p.automaton(p.group[0], p.transitions())); !got.Equal(want) || p.Len() != want.Len() {
			t.Errorf("seed %d: %d states of %d groups, want %d", seed, got.Len(), p.Len(), want.Len())
		}
	}
}

// Whatever is cut, sifting finds every state's group, a suffix tells any two apart,
// and transitions go where most states go, as plain counting finds them.
func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := oracletest.Random(rapid.Uint64().Draw(t, "seed"), 8, 0.5)
		p := grouped(r, rapid.Uint64().Draw(t, "words"), rapid.IntRange(1, 60).Draw(t, "n"))
		symbol := rapid.Map(rapid.IntRange(0, 2), func(i int) word.Symbol { return word.Symbol(i) })
		for range 8 {
			g := rapid.IntRange(0, p.Len()-1).Draw(t, "group")
			p.split(int32(g), rapid.SliceOfN(symbol, 0, 4).Draw(t, "suffix"))
		}
		if p.Len() > 1 && !slices.Equal(p.sift(p.state, discrimination.Root), p.group) {
			t.Fatal("a state is in another group than sifting says")
		}
		for x := range p.Len() {
			for y := range x {
				v := p.Apart(int32(x), int32(y))
				rows := []int{slices.Index(p.group, int32(x)), slices.Index(p.group, int32(y))}
				if a := p.ask(p.state, rows, []word.Word{v, v}); a[0] == a[1] {
					t.Fatalf("%v does not tell %d from %d", v, x, y)
				}
			}
		}
		next := p.transitions()
		votes := make([][]int, len(next))
		for i := range votes {
			votes[i] = make([]int, p.Len())
		}
		for i, w := range p.words {
			groups := p.group[p.begin[i]:]
			for j, s := range w {
				votes[int(groups[j])*p.k+int(s)][groups[j+1]]++
			}
		}
		for at, to := range next {
			if most := slices.Max(votes[at]); slices.Index(votes[at], most) != int(to) && most > 0 {
				t.Fatalf("transition %d leads to %d, not where most go: %v", at, to, votes[at])
			}
		}
	})
}

// A cut divides its group, and is listed with all errors that follow from the step.
func TestCuts(t *testing.T) {
	r := oracletest.Random(5, 12, 1)
	p := grouped(r, 1, 3*followed)
	for range 6 {
		next := p.transitions()
		at := p.follow(next)
		errors := 0
		for i, g := range at {
			if p.accept[g] != p.accept[p.group[i]] {
				errors++
			}
		}
		blamed := 0
		for _, c := range p.cuts(at) {
			blamed += c.errors
			q := *p
			q.group, q.accept = slices.Clone(p.group), slices.Clone(p.accept)
			q.of, q.Tree = slices.Clone(p.of), p.Tree.Clone()
			if !q.split(c.group, c.suffix) {
				t.Errorf("%v does not divide group %d", c.suffix, c.group)
			}
		}
		if blamed > errors || errors > 0 && blamed == 0 {
			t.Errorf("%d errors blamed of %d", blamed, errors)
		}
		p.grow(next, 100)
	}
}

// counter accepts words with as many a as b, and so is no automaton.
type counter struct{ alphabet *word.Alphabet }

func (c counter) Alphabet() *word.Alphabet { return c.alphabet }
func (c counter) Dim() int                 { return 2 }
func (c counter) Outputs() int             { return 1 }

func (c counter) Start(dst []float32) error {
	dst[0], dst[1] = 0, 1
	return nil
}

func (c counter) Step(dst, src f32.Matrix, on []word.Symbol) error {
	for i, s := range on {
		dst.Row(i)[0], dst.Row(i)[1] = src.Row(i)[0]+1-2*float32(s), 1
	}
	return nil
}

func (c counter) Read(dst, states f32.Matrix) error {
	for i := range dst.Rows {
		dst.Row(i)[0] = 0
		if states.Row(i)[0] == 0 {
			dst.Row(i)[0] = 1
		}
	}
	return nil
}

func (c counter) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	state := f32.New(len(words), 2)
	for i, w := range words {
		row := state.View(i, i+1)
		c.Start(row.Row(0))
		for _, s := range w {
			c.Step(row, row, []word.Symbol{s})
		}
	}
	return c.Read(dst, state)
}

// A network that is no automaton is approximated: with more states, with fewer errors,
// and within the limit.
func TestApproximates(t *testing.T) {
	r := counter{word.Letters("ab")}
	before := 1.0
	for _, most := range []int{4, 8, 16} {
		res := explored(t, r, Options{Seed: 1, MaxStates: most})
		last := res.Tradeoff[len(res.Tradeoff)-1]
		if res.Automaton.Len() > most || last.Error >= before || res.Stopped == "" {
			t.Errorf("%d states of %d, error %v after %v, stopped because %q", res.Automaton.Len(), most, last.Error, before, res.Stopped)
		}
		before = last.Error
	}
}
