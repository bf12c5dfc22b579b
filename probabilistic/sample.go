package probabilistic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// MaxDraw is the length past which a [Sampler] gives up on a word.
const MaxDraw = 1_000_000

// A Sampler draws words with their probabilities.
type Sampler struct {
	a   *Automaton
	cum []float64 // (1 + states) × (symbols + 1): sums of the probabilities, the end last
}

// NewSampler prepares to draw words. The error is an [*EndlessError] if some words never
// end.
func NewSampler(a *Automaton) (*Sampler, error) {
	if a.Start == automaton.Dead {
		return nil, fmt.Errorf("an automaton without states has no words to draw")
	}
	if err := a.endless(a.reach(a.Start)); err != nil {
		return nil, err
	}
	k := a.Alphabet.Len()
	s := &Sampler{a: a, cum: make([]float64, len(a.End)*(k+1))}
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		row, sum := s.row(q), 0.0
		for i, p := range a.Row(q) {
			sum += p
			row[i] = sum
		}
		row[k] = sum + a.End[q]
	}
	return s, nil
}

func (s *Sampler) row(q automaton.State) []float64 {
	k := s.a.Alphabet.Len() + 1
	return s.cum[int(q)*k : (int(q)+1)*k]
}

// Draw returns a random word. It is an error if the word does not come to an end within
// [MaxDraw] symbols.
func (s *Sampler) Draw(rng *rand.Rand) (word.Word, error) {
	k := s.a.Alphabet.Len()
	w := word.Word{}
	for q := s.a.Start; len(w) <= MaxDraw; {
		row := s.row(q)
		i := pick(row, min(rng.Float64()*row[k], math.Nextafter(row[k], 0))) // a product may be rounded up
		if i == k {
			return w, nil
		}
		w, q = append(w, word.Symbol(i)), s.a.Next(q, word.Symbol(i))
	}
	return nil, fmt.Errorf("a word is longer than %d symbols: there is hardly a way to end", MaxDraw)
}

// pick returns the index whose share x falls to, given the sums of the shares. An index
// without a share is never returned: its sum is that of the one before, or zero.
func pick(sums []float64, x float64) int {
	low, high := 0, len(sums)-1
	for low < high {
		if mid := (low + high) / 2; sums[mid] > x {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}
