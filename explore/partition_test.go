package explore

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/f32"
	"quotient/prefix"
	"quotient/prefix/prefixtest"
	"quotient/word"
)

// grouped returns a partition over n random words.
func grouped(r prefix.Recognizer, seed uint64, n int) *partition {
	s := &search{r: r, o: Options{}.orDefaults(), rng: rand.New(rand.NewPCG(seed, 2))}
	return newPartition(r, s.uniform(n), new(int))
}

// Cut as long as there are errors, and the groups are the states of the automaton.
func TestPartitionFindsAutomata(t *testing.T) {
	for seed := range uint64(10) {
		r := prefixtest.Random(seed, 4+2*int(seed), 3)
		p := grouped(r, seed, 1000)
		for p.grow(p.transitions(), 100) {
		}
		want := automaton.Minimize(r.DFA)
		if got := automaton.Minimize(p.dfa(p.transitions())); !got.Equal(want) || len(p.leaf) != want.Len() {
			t.Errorf("seed %d: %d states of %d groups, want %d", seed, got.Len(), len(p.leaf), want.Len())
		}
	}
}

// Whatever is cut, sifting finds every state's group, a suffix tells any two apart,
// and transitions go where most states go, as plain counting finds them.
func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := prefixtest.Random(rapid.Uint64().Draw(t, "seed"), 8, 0.5)
		p := grouped(r, rapid.Uint64().Draw(t, "words"), rapid.IntRange(1, 60).Draw(t, "n"))
		symbol := rapid.Map(rapid.IntRange(0, 2), func(i int) word.Symbol { return word.Symbol(i) })
		for range 8 {
			g := rapid.IntRange(0, len(p.leaf)-1).Draw(t, "group")
			p.split(int32(g), rapid.SliceOfN(symbol, 0, 4).Draw(t, "suffix"))
		}
		if len(p.leaf) > 1 && !slices.Equal(p.sift(p.state), p.group) {
			t.Fatal("a state is in another group than sifting says")
		}
		for x := range len(p.leaf) {
			for y := range x {
				v := p.apart(int32(x), int32(y))
				rows := []int{slices.Index(p.group, int32(x)), slices.Index(p.group, int32(y))}
				if a := p.ask(p.state, rows, []word.Word{v, v}); a[0] == a[1] {
					t.Fatalf("%v does not tell %d from %d", v, x, y)
				}
			}
		}
		next := p.transitions()
		votes := make([][]int, len(next))
		for i := range votes {
			votes[i] = make([]int, len(p.leaf))
		}
		p.steps(func(at, to int32) { votes[at][to]++ })
		for at, to := range next {
			if most := slices.Max(votes[at]); slices.Index(votes[at], most) != int(to) && most > 0 {
				t.Fatalf("transition %d leads to %d, not where most go: %v", at, to, votes[at])
			}
		}
	})
}

// A cut divides its group, and is listed with all errors that follow from the step.
func TestCuts(t *testing.T) {
	r := prefixtest.Random(5, 12, 1)
	p := grouped(r, 1, 500)
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
			q.nodes, q.leaf = slices.Clone(p.nodes), slices.Clone(p.leaf)
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
func (c counter) Start(dst []float32)      { dst[0], dst[1] = 0, 1 }

func (c counter) Step(dst, src f32.Matrix, on []word.Symbol) {
	for i, s := range on {
		dst.Row(i)[0], dst.Row(i)[1] = src.Row(i)[0]+1-2*float32(s), 1
	}
}

func (c counter) Score(dst []float32, src f32.Matrix) {
	for i := range dst {
		dst[i] = 0
		if src.Row(i)[0] == 0 {
			dst[i] = 1
		}
	}
}

func (c counter) Probabilities(words []word.Word) []float32 {
	state := f32.New(len(words), 2)
	for i, w := range words {
		row := state.View(i, i+1)
		c.Start(row.Row(0))
		for _, s := range w {
			c.Step(row, row, []word.Symbol{s})
		}
	}
	scores := make([]float32, len(words))
	c.Score(scores, state)
	return scores
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
