package passive

import (
	"context"
	"math/rand/v2"
	"slices"

	"quotient/learn/labeled"
	"quotient/worth"
)

// alphas are the significance levels that RPNI* can choose from. A smaller one forgives
// more.
var alphas = []float64{0.2, 0.05, 0.01, 1e-3, 1e-4, 1e-6}

const (
	fewForAlpha  = 50     // words are too few to hold any out
	mostForAlpha = 20_000 // words suffice to choose
)

// An AlphaChoice is the significance level for RPNI* that words which it was not learned
// from speak for.
type AlphaChoice struct {
	Alpha    float64 `json:"alpha"`
	Accuracy float64 `json:"accuracy"` // on the words that chose
	Words    int     `json:"words"`    // that chose; 0: there are too few, and it is the default
}

// ChooseAlpha tries significance levels on four fifths of the words and judges them by the
// others, which are drawn. Of those that are as good as the best, within one standard
// error, it takes the one that leads to fewest states.
func ChooseAlpha(ctx context.Context, s *labeled.Set, rng *rand.Rand) (AlphaChoice, error) {
	known := make([]int, 0, len(s.Words))
	for _, i := range rng.Perm(len(s.Words)) {
		if s.Labels[i] != labeled.Unknown {
			known = append(known, i)
		}
	}
	known = known[:min(len(known), mostForAlpha)]
	if len(known) < fewForAlpha {
		return AlphaChoice{Alpha: DefaultAlpha}, nil
	}
	n := len(known) * 4 / 5
	slices.Sort(known[:n])
	train, held := s.Subset(known).Split(n)
	var choices []AlphaChoice
	var states []int
	best := 0
	for i, alpha := range alphas {
		res, err := Learn(ctx, train, Options{Method: RPNIStar, Alpha: alpha})
		if err != nil {
			return AlphaChoice{}, err
		}
		agree, words := held.Agree(res.Automaton)
		choices = append(choices, AlphaChoice{alpha, float64(agree) / float64(words), words})
		states = append(states, res.Automaton.Len())
		if choices[i].Accuracy > choices[best].Accuracy {
			best = i
		}
	}
	top := choices[best]
	for i, c := range choices {
		if states[i] < states[best] && !worth.Rank.Pays(top.Accuracy-c.Accuracy, worth.Spread(top.Accuracy, top.Words), 0) {
			best = i
		}
	}
	return choices[best], nil
}
