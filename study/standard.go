package study

import (
	"context"
	"math"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
)

// A Standing says how an automaton that was extracted stands beside another one that
// somebody can name, on fresh words of lengths 0 to 30: as many uniform ones as the other
// accepts and as it rejects.
type Standing struct {
	States  int     `json:"states"`
	Errors  Errors  `json:"errors"`
	Other   int     `json:"other_states"`
	Against Errors  `json:"other_errors"`
	Verdict Verdict `json:"verdict"`
}

// Errors count the words, of each kind, on which an automaton and the network disagree.
type Errors struct {
	Uniform  int `json:"uniform"`
	Accepted int `json:"accepted"` // words that the other automaton accepts
	Rejected int `json:"rejected"`
}

func (e Errors) sum() int { return e.Uniform + e.Accepted + e.Rejected }

// A Verdict says which of two automata is better.
type Verdict string

// The verdicts. An automaton is beaten by one that has no more states and no more errors, and
// is clearly better in one of the two.
const (
	Same   Verdict = "same"   // they are equivalent
	Better Verdict = "better" // it beats the other
	Beaten Verdict = "beaten"
	Traded Verdict = "traded" // one is smaller, the other errs less
	Equal  Verdict = "equal"  // neither is better in anything
)

// judges is how many words there are of each kind.
const judges = 2400

// Stand compares an automaton with another one, over the same symbols.
func Stand(ctx context.Context, net oracle.Oracle, ours, other *automaton.DFA, seed uint64) (*Standing, error) {
	q := oracle.Ask(ctx, net)
	rng := sample.Rand(seed, sample.Objects)
	const high = 30
	s := &Standing{States: ours.Len(), Other: other.Len(), Verdict: Same}
	for i, d := range []*automaton.DFA{nil, other, automaton.Complement(other)} {
		words := sample.UniformWords(judges, q.Alphabet().Len(), 0, high, rng)
		if d != nil {
			sampler, err := automaton.NewSamplerUnder(ctx, d, high)
			if err != nil {
				return nil, err
			}
			words = sample.Accepted(sampler, judges, 0, high, rng)
		}
		set := q.Label(words)
		*[]*int{&s.Errors.Uniform, &s.Errors.Accepted, &s.Errors.Rejected}[i] = len(set.Mistakes(ours))
		*[]*int{&s.Against.Uniform, &s.Against.Accepted, &s.Against.Rejected}[i] = len(set.Mistakes(other))
	}
	if _, differ := automaton.Distinguish(ours, other); differ {
		a, b := s.Errors.sum(), s.Against.sum()
		switch smaller, larger := s.States < s.Other, s.States > s.Other; {
		case !smaller && a >= b && (larger || clearly(a, b)):
			s.Verdict = Beaten
		case !larger && a <= b && (smaller || clearly(b, a)):
			s.Verdict = Better
		case smaller || larger:
			s.Verdict = Traded
		default:
			s.Verdict = Equal
		}
	}
	return s, q.Err()
}

// clearly reports whether so many errors more are no chance.
func clearly(more, fewer int) bool {
	return float64(more-fewer) > 3*math.Sqrt(float64(more+fewer))
}
