package explore

import (
	"math"
	"math/rand/v2"
	"slices"

	"quotient/oracle"
	"quotient/word"
)

const (
	filters   = 4  // that look for words, each on its own
	particles = 64 // words that one of them follows side by side
	branches  = 16 // symbols that are tried after each
	each      = 6  // words of a length that one of them keeps
	heat      = 2  // by how much log odds must differ for a word to be e times as likely to be followed
	sweeps    = 30 // times that words are changed
)

// seek looks for words to which the network gives an answer that uniform words hardly meet. It
// follows many words side by side, tries symbols after each, and goes on with some of these,
// drawn in proportion to how near the network's score is to the answer: a particle filter
// over the network's states (Gordon, Salmond and Smith, "Novel approach to
// nonlinear/non-Gaussian Bayesian state estimation", 1993). So it finds words of which the
// network is sure, as different as the network lets them be, and some of every length up to
// the longest. Every second filter makes do with half of the symbols:
// the words that are nearest to the answer must not hide all others.
func seek(q *oracle.Inquiry, answer bool, longest int, rng *rand.Rand) []word.Word {
	var found []word.Word
	k := q.Alphabet().Len()
	for i := range filters {
		symbols := rng.Perm(k)[:max(min(k, 2), k>>(i/2))]
		found = append(found, filter(q, symbols, answer, longest, rng)...)
	}
	slices.SortFunc(found, word.Compare)
	return slices.CompactFunc(found, slices.Equal[word.Word])
}

func filter(q *oracle.Inquiry, symbols []int, answer bool, longest int, rng *rand.Rand) []word.Word {
	states, words := q.Start(), []word.Word{nil}
	var found []word.Word
	for range longest {
		var rows []int
		var on []word.Symbol
		for i := range words {
			for _, s := range rng.Perm(len(symbols))[:min(len(symbols), branches)] {
				rows, on = append(rows, i), append(on, word.Symbol(symbols[s]))
			}
		}
		next := q.StepFrom(states, rows, on)
		score := make([]float64, len(rows))
		for i, p := range q.Sure(next) {
			if score[i] = logit(p); !answer {
				score[i] = -score[i]
			}
		}
		chosen := resample(score, particles, rng)
		longer := make([]word.Word, len(chosen))
		here := 0
		for i, c := range chosen {
			longer[i] = words[rows[c]].With(on[c])
			if score[c] > 0 && here < each {
				found = append(found, longer[i])
				here++
			}
		}
		states, words = next.Gather(chosen), longer
	}
	return found
}

// resample draws n indices in proportion to exp(score/heat), each as often as its share says,
// up to one.
func resample(score []float64, n int, rng *rand.Rand) []int {
	top, sum := slices.Max(score), 0.0
	weight := make([]float64, len(score))
	for i, x := range score {
		weight[i] = math.Exp((x - top) / heat)
		sum += weight[i]
	}
	chosen := make([]int, 0, n)
	step := sum / float64(n)
	at := rng.Float64() * step
	for i, w := range weight {
		for ; at < w && len(chosen) < n; at += step {
			chosen = append(chosen, i)
		}
		at -= w
	}
	return chosen
}

// wander changes words of the rare answer a little, again and again, as long as the network remains
// sure of it: its log odds are a quarter of what is usual for them, or no smaller than before. So words
// of which there are few, and which are much alike, lead to others. Those are returned.
func (c *court) wander(words []word.Word) []word.Word {
	if len(words) == 0 {
		return nil
	}
	at, score := slices.Clone(words), c.scores(words)
	usual := slices.Sorted(slices.Values(score))[len(score)/2]
	for range sweeps {
		next := make([]word.Word, len(at))
		for i := range at {
			next[i] = changed(at[i], at[c.rng.IntN(len(at))], c.q.Alphabet().Len(), c.rng)
		}
		for i, x := range c.scores(next) {
			if n := len(next[i]); n >= c.o.Low && n <= c.o.High && (x >= usual/4 || x >= score[i]) {
				at[i], score[i] = next[i], x
			}
		}
	}
	return at
}

// scores returns the log odds of the rare answer.
func (c *court) scores(words []word.Word) []float64 {
	list := make([]float64, len(words))
	for i, p := range c.q.Probabilities(words) {
		if list[i] = logit(p); !c.rare.answer {
			list[i] = -list[i]
		}
	}
	return list
}

// changed returns a word with one symbol more, less or another one, or with the end of a
// second word.
func changed(w, other word.Word, k int, rng *rand.Rand) word.Word {
	i := rng.IntN(len(w) + 1)
	j := min(i+1, len(w))
	some := word.Word{word.Symbol(rng.IntN(k))}
	switch rng.IntN(4) {
	case 0:
		return slices.Concat(w[:i], some, w[i:])
	case 1:
		return slices.Concat(w[:i], w[j:])
	case 2:
		return slices.Concat(w[:i], some, w[j:])
	}
	return slices.Concat(w[:i], other[rng.IntN(len(other)+1):])
}

// logit returns the log odds of a probability, kept finite.
func logit(p float32) float64 {
	const tiny = 1e-9
	return math.Log(max(float64(p), tiny)) - math.Log(max(1-float64(p), tiny))
}

// fromLogit is the inverse.
func fromLogit(x float64) float32 { return float32(1 / (1 + math.Exp(-x))) }
