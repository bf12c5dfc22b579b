package predictive

import (
	"math"

	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Powers that are tried, and those between which a network counts as speaking like the user's
// words anyway.
const (
	mostPower = 64.0
	calmFrom  = 0.75
	calmTo    = 1.5
)

// Power returns the power of its probabilities at which a network finds words likeliest, 1 if
// that is about as they are.
//
// Some heads cannot be sure: a softmax behind a sigmoid gives no symbol of twenty more than one
// in nine. What such a network speaks is noise, and none of it looks like the words that it was
// trained on, although it knows these well. At the power that suits these words best
// (temperature scaling; Guo, Pleiss, Sun and Weinberger, On calibration of modern neural networks,
// 2017) it speaks like them.
func Power(q *oracle.Inquiry, words []word.Word) float64 {
	t := Speak(q, Spoken{Words: 1, Prefixes: mostPrefixes, Others: words}, sample.Rand(0, sample.Words))
	if q.Err() != nil {
		return 1
	}
	low, high := math.Log(1/mostPower), math.Log(mostPower)
	for high-low > 0.01 { // the likelihood is concave in the power
		a, b := low+(high-low)*0.382, low+(high-low)*0.618
		if t.likelihood(math.Exp(a)) < t.likelihood(math.Exp(b)) {
			low = a
		} else {
			high = b
		}
	}
	if power := math.Exp((low + high) / 2); power < calmFrom || power > calmTo {
		return power
	}
	return 1
}

// likelihood returns the logarithm of the probability of the words that joined a tree, if
// probabilities are raised to a power.
func (t *Tree) likelihood(power float64) float64 {
	k, sum := t.Alphabet.Len(), 0.0
	for n, p := range t.Next {
		p, ends := raised(p, power), t.Weight[n]-float64(t.Ends[n]) // less those that were spoken
		for s, c := range t.Child[n*k:][:k] {
			if c >= 0 {
				ends -= t.Weight[c]
				sum += t.Weight[c] * math.Log(max(float64(p[s]), floor))
			}
		}
		sum += ends * math.Log(max(float64(p[k]), floor))
	}
	return sum
}
