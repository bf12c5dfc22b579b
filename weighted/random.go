package weighted

import (
	"fmt"
	"math"
	"math/rand/v2"

	"quotient/word"
)

// Random returns a random probabilistic automaton of n states: its values are the
// probabilities of a distribution over all words. All weights are drawn alike and
// scaled to what they must sum to; a word has about symbols × n symbols.
func Random(a *word.Alphabet, n int, rng *rand.Rand) *Automaton {
	p := New(a, n)
	share(p.Initial, rng)
	choices := make([]float64, a.Len()*n+1) // what a state may do: read a symbol and move on, or stop
	for q := range n {
		share(choices, rng)
		for s := range a.Len() {
			copy(p.Row(word.Symbol(s), q), choices[s*n:])
		}
		p.Final[q] = choices[a.Len()*n]
	}
	return p
}

// share fills x with positive numbers that sum to 1, uniformly among all such.
func share(x []float64, rng *rand.Rand) {
	sum := 0.0
	for i := range x {
		x[i] = rng.ExpFloat64()
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// A Sampler draws words with the probabilities that a probabilistic automaton gives
// them.
type Sampler struct {
	initial []float64   // states
	choices [][]float64 // states × (symbols × states + 1); the last one is to stop
}

// MaxDraw is the length past which a [Sampler] gives up on a word.
const MaxDraw = 1_000_000

// NewSampler prepares to draw words. It is an error if the automaton is not
// probabilistic: no weight may be negative, the initial ones must sum to 1, and those
// with which a state moves on or stops must do so too.
func NewSampler(a *Automaton) (*Sampler, error) {
	if err := checkShares("the initial weights", a.Initial); err != nil {
		return nil, err
	}
	s := &Sampler{initial: a.Initial}
	for q := range a.Len() {
		var choices []float64
		for c := range a.Alphabet.Len() {
			choices = append(choices, a.Row(word.Symbol(c), q)...)
		}
		choices = append(choices, a.Final[q])
		if err := checkShares(fmt.Sprintf("the weights of state %d", q), choices); err != nil {
			return nil, err
		}
		s.choices = append(s.choices, choices)
	}
	return s, nil
}

func checkShares(what string, x []float64) error {
	sum := 0.0
	for _, p := range x {
		if !(p >= 0) {
			return fmt.Errorf("no probabilities: %s include %g", what, p)
		}
		sum += p
	}
	if !(math.Abs(sum-1) < 1e-9) {
		return fmt.Errorf("no probabilities: %s sum to %g, not to 1", what, sum)
	}
	return nil
}

// Draw returns a random word. It is an error if the word does not come to an end
// within [MaxDraw] symbols.
func (s *Sampler) Draw(rng *rand.Rand) (word.Word, error) {
	n := len(s.initial)
	w := word.Word{}
	for q := pick(s.initial, rng.Float64()); len(w) < MaxDraw; {
		i := pick(s.choices[q], rng.Float64())
		if i == len(s.choices[q])-1 {
			return w, nil
		}
		w, q = append(w, word.Symbol(i/n)), i%n
	}
	return nil, fmt.Errorf("a word is longer than %d symbols: there is hardly a way to stop", MaxDraw)
}

// pick returns the index that the share x of [0, 1) falls to. If rounding leaves a
// rest, that falls to the last index with any share.
func pick(shares []float64, x float64) int {
	last := 0
	for i, p := range shares {
		if p > 0 {
			last = i
		}
		if x -= p; x < 0 {
			return i
		}
	}
	return last
}
