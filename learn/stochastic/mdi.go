package stochastic

import (
	"context"
	"math"
	"math/rand/v2"

	"quotient/probabilistic"
	"quotient/word"
)

// An mdi merges a blue node into the first red one for which the divergence of the words
// from the automaton grows by less than what the saved states are worth.
//
// The divergence of the prefix tree from an automaton whose probabilities are shares of what
// was counted is a difference of log likelihoods, which is a sum of n log n over all counts,
// of the words that pass a state less those that go on with each symbol or end. So what a
// merge costs is a sum over the counts that it puts together.
type mdi struct {
	worth float64 // of a saved state, in nats over all words
}

func (x *mdi) merge(f *folding, blue int32) bool {
	f.weigh = true
	for _, r := range f.red {
		f.stats.Tried++
		f.fold(r, blue)
		if f.cost < x.worth*float64(f.saved) {
			return true
		}
		f.undo()
	}
	return false
}

// together returns i log i + j log j - (i+j) log (i+j), which is never over 0.
func together(i, j int32) float64 {
	if i == 0 || j == 0 {
		return 0
	}
	x, y := float64(i), float64(j)
	return x*math.Log(x/(x+y)) + y*math.Log(y/(x+y))
}

// Smoothing is the share of 1-grams in a mixture that [Mixed] makes.
const Smoothing = 0.01

// Mixed returns how well an automaton predicts words if each comes from it with a
// probability of 99%, and from the smoothed 1-grams with 1%: so no word has probability
// zero, and automata can be compared whether they know all words or not.
func Mixed(a, grams *probabilistic.Automaton, words []word.Word) probabilistic.Fit {
	f := probabilistic.Fit{First: -1}
	for _, w := range words {
		p, q := math.Log(1-Smoothing)+a.LogProb(w), math.Log(Smoothing)+grams.LogProb(w)
		high, low := max(p, q), min(p, q)
		f.Add(len(w), high+math.Log1p(math.Exp(low-high)))
	}
	return f
}

// ChooseAlpha returns the alpha of MDI with which a part of the words predicts the others
// best, mixed with 1-grams: 80% and 20%. From an alpha that merges nearly everything it
// goes down, by a factor of √2, until two in turn are no better.
func ChooseAlpha(ctx context.Context, a *word.Alphabet, words []word.Word, rng *rand.Rand) (float64, error) {
	shuffled := make([]word.Word, len(words))
	for i, j := range rng.Perm(len(words)) {
		shuffled[i] = words[j]
	}
	cut := len(words) - len(words)/5
	train, held := shuffled[:cut], shuffled[cut:]
	grams, err := NGrams(a, train, 1)
	if err != nil || len(held) == 0 {
		return DefaultAlpha(len(words)), err
	}
	best, least, worse := 0.0, math.Inf(1), 0
	for nats := 8.0; worse < 2 && nats > 0.1; nats /= math.Sqrt2 {
		r, err := Learn(ctx, a, train, Options{Method: MDI, Alpha: nats / float64(cut)})
		if err != nil {
			return 0, err
		}
		switch x := Mixed(r.Automaton, grams, held).Perplexity(); {
		case x < least:
			best, least, worse = nats, x, 0
		case x > least: // not the same automaton again
			worse++
		}
	}
	return best / float64(len(words)), nil
}
