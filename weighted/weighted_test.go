package weighted

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

var ab = word.Letters("ab")

// fibonacci gives a word of n a's the n-th Fibonacci number, and any other nothing.
func fibonacci() *Automaton {
	a := New(ab, 2)
	a.Initial = []float64{1, 0}
	a.Final = []float64{0, 1}
	copy(a.Row(0, 0), []float64{1, 1})
	copy(a.Row(0, 1), []float64{1, 0})
	a.Threshold = 2.5
	return a
}

// allWords returns all words over a up to a length, sorted.
func allWords(a *word.Alphabet, longest int) []word.Word {
	words := []word.Word{{}}
	for i := 0; i < len(words); i++ {
		if len(words[i]) == longest {
			break
		}
		for s := range a.Len() {
			words = append(words, append(slices.Clone(words[i]), word.Symbol(s)))
		}
	}
	slices.SortFunc(words, slices.Compare[word.Word])
	return words
}

func TestValue(t *testing.T) {
	a := fibonacci()
	for i, want := range []float64{0, 1, 1, 2, 3, 5, 8, 13} {
		w := make(word.Word, i)
		if got := a.Value(w); got != want {
			t.Errorf("value of a^%d is %g, want %g", i, got, want)
		}
		if got := a.Accepts(w); got != (want > 2.5) {
			t.Errorf("a^%d is accepted: %t", i, got)
		}
		if got := a.Scale(-2).Value(w); got != -2*want {
			t.Errorf("twice the negative value of a^%d is %g", i, got)
		}
	}
	if got := a.Value(word.Word{0, 1}); got != 0 {
		t.Errorf("value of ab is %g", got)
	}
}

// randomWeights returns an automaton with small integers as weights, so that values
// are exact.
func randomWeights(t *rapid.T, a *word.Alphabet, most int) *Automaton {
	n := rapid.IntRange(0, most).Draw(t, "states")
	x := New(a, n)
	for _, list := range [][]float64{x.Initial, x.Final, x.Weights} {
		for i := range list {
			list[i] = float64(rapid.IntRange(-2, 2).Draw(t, "weight"))
		}
	}
	return x
}

// Values shares the work between words, and Reverse turns them around.
func TestValuesAndReverse(t *testing.T) {
	words := allWords(ab, 5)
	rapid.Check(t, func(t *rapid.T) {
		a := randomWeights(t, ab, 4)
		r := a.Reverse()
		for i, got := range a.Values(words) {
			back := slices.Clone(words[i])
			slices.Reverse(back)
			if want := a.Value(words[i]); got != want || r.Value(back) != want {
				t.Fatalf("value of %s: %g side by side, %g alone, %g backwards", ab.Format(words[i]), got, want, r.Value(back))
			}
		}
	})
}

// Minimize keeps the values, and has no more states than the Hankel matrix of short
// words has independent rows.
func TestMinimize(t *testing.T) {
	words := allWords(ab, 6)
	rapid.Check(t, func(t *rapid.T) {
		a := randomWeights(t, ab, 4)
		m, states := a.Minimize()
		if m.Len() != len(states) || m.Len() > a.Len() {
			t.Fatalf("%d states become %d, on %d words", a.Len(), m.Len(), len(states))
		}
		for i, got := range m.Values(words) {
			want := a.Value(words[i])
			if math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
				t.Fatalf("value of %s: %g, minimal %g", ab.Format(words[i]), want, got)
			}
		}
		if m.Len() > 0 && (m.Initial[0] != 1 || len(states[0]) != 0) {
			t.Fatalf("the first state is %v with weight %g, not the empty word", states[0], m.Initial[0])
		}
		if rank := rank(a, allWords(ab, 3)); m.Len() != rank {
			t.Fatalf("%d states, but the rank is %d", m.Len(), rank)
		}
	})
}

// rank returns the rank of the Hankel matrix over words, which are integers: exact
// elimination modulo a prime, which can only be wrong for multiples of it.
func rank(a *Automaton, words []word.Word) int {
	const prime = 1_000_003
	var rows [][]int64
	for _, u := range words {
		var row []int64
		for _, v := range words {
			x := int64(a.Value(slices.Concat(u, v))) % prime
			row = append(row, (x+prime)%prime)
		}
		rows = append(rows, row)
	}
	rank := 0
	for c := range words {
		p := rank
		for p < len(rows) && rows[p][c] == 0 {
			p++
		}
		if p == len(rows) {
			continue
		}
		rows[rank], rows[p] = rows[p], rows[rank]
		for i := rank + 1; i < len(rows); i++ {
			x, y := rows[rank][c], rows[i][c]
			for j := range rows[i] {
				rows[i][j] = ((rows[i][j]*x-rows[rank][j]*y)%prime + prime) % prime
			}
		}
		rank++
	}
	return rank
}

func randomDFA(t *rapid.T) *automaton.DFA {
	d := automaton.NewDFA(ab, rapid.IntRange(1, 6).Draw(t, "states"))
	for q := 1; q <= d.Len(); q++ {
		d.Accept[q] = rapid.Bool().Draw(t, "accept")
		for s := range 2 {
			d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(rapid.IntRange(0, d.Len()).Draw(t, "to")))
		}
	}
	return d
}

// A deterministic automaton survives being made weighted, minimized as such, and made
// deterministic again.
func TestDFA(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := randomDFA(t)
		m, _ := FromDFA(d).Minimize()
		if m.Len() > automaton.Minimize(d).Len() {
			t.Fatalf("%d states become %d, the minimal automaton has %d", d.Len(), m.Len(), automaton.Minimize(d).Len())
		}
		got, err := m.DFA(0.5, 100)
		if err != nil {
			t.Fatal(err)
		}
		if w, differ := automaton.Distinguish(d, got); differ {
			t.Fatalf("they differ on %s", ab.Format(w))
		}
	})
}

func TestDFALimit(t *testing.T) {
	var limit *automaton.LimitError
	if _, err := fibonacci().DFA(0.5, 10); !errors.As(err, &limit) || limit.Limit != 10 {
		t.Errorf("the Fibonacci numbers come down to finitely many states: %v", err)
	}
	// Past a threshold nothing changes, so a tolerance that large is enough.
	if d, err := fibonacci().DFA(1e9, 10); err != nil || d.Len() > 2 {
		t.Errorf("with everything alike there are %v, %v", d, err)
	}
}

// The values of a random probabilistic automaton sum to 1, and words are drawn as
// often as their values say.
func TestRandomAndSampler(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := Random(ab, 3, rng)
	s, err := NewSampler(p)
	if err != nil {
		t.Fatal(err)
	}
	const n = 100_000
	count := map[string]int{}
	for range n {
		w, err := s.Draw(rng)
		if err != nil {
			t.Fatal(err)
		}
		count[ab.Format(w)]++
	}
	short := 0.0
	for _, w := range allWords(ab, 4) {
		x := p.Value(w)
		short += x
		got := float64(count[ab.Format(w)]) / n
		if sigma := math.Sqrt(x * (1 - x) / n); math.Abs(got-x) > 5*sigma {
			t.Errorf("%s has probability %.5f and is %.5f of the sample", ab.Format(w), x, got)
		}
	}
	if short <= 0 || short >= 1 {
		t.Errorf("short words have probability %g", short)
	}
	// Σ over all words is α·(I − ΣA)⁻¹·β, here as a long sum.
	v, total := slices.Clone(p.Initial), 0.0
	for range 10_000 {
		total += dot(v, p.Final)
		sum, next := make([]float64, 3), make([]float64, 3)
		for c := range 2 {
			p.Step(next, v, word.Symbol(c))
			addScaled(sum, 1, next)
		}
		v = sum
	}
	if math.Abs(total-1) > 1e-9 {
		t.Errorf("all probabilities sum to %g", total)
	}
}

func TestSamplerRefuses(t *testing.T) {
	if _, err := NewSampler(fibonacci()); err == nil {
		t.Error("the Fibonacci numbers are taken for probabilities")
	}
	p := Random(ab, 2, rand.New(rand.NewPCG(1, 1)))
	p.Row(0, 0)[0] *= -1
	if _, err := NewSampler(p); err == nil {
		t.Error("a negative probability is accepted")
	}
	endless := New(word.Letters("a"), 1)
	endless.Initial[0], endless.Weights[0] = 1, 1
	s, err := NewSampler(endless)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Draw(rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("an endless word was drawn")
	}
}
