package paper

import (
	"math"
	"slices"
)

// mean returns the mean and the standard deviation of the values, or NaN if there
// are none. The deviation is that of the values themselves, divided by their
// number, as numpy has it.
func mean(values []float64) (mean, std float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		std += (v - mean) * (v - mean) / n
	}
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	return mean, math.Sqrt(std)
}

// quantile returns the value below which the share p of the values lies, with
// linear interpolation between neighbors, or NaN if there are none.
func quantile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(values))
	at := p * float64(len(s)-1)
	i := int(at)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

// pick returns a property of those outcomes that have an automaton.
func pick(outcomes []Outcome, property func(Outcome) float64) []float64 {
	var values []float64
	for _, o := range outcomes {
		if o.Failed == "" {
			values = append(values, property(o))
		}
	}
	return values
}

func percentAccuracy(o Outcome) float64 { return 100 * o.Accuracy }
func percentTree(o Outcome) float64     { return 100 * o.Tree }
func states(o Outcome) float64          { return float64(o.States) }
func merged(o Outcome) float64          { return float64(o.Merged) }

// exact counts the outcomes that are exactly the language.
func exact(outcomes []Outcome) int {
	n := 0
	for _, o := range outcomes {
		if o.Exact {
			n++
		}
	}
	return n
}
