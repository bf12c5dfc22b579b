package paper

import (
	"math"

	"quotient/sweep/plan"
	"quotient/sweep/results"
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

// median returns that of a property over those outcomes that have an automaton.
func median(outcomes []*plan.Outcome, property func(*plan.Outcome) float64) float64 {
	return results.Summarize(pick(outcomes, property)).Median
}

// pick returns a property of those outcomes that have an automaton.
func pick(outcomes []*plan.Outcome, property func(*plan.Outcome) float64) []float64 {
	var values []float64
	for _, o := range outcomes {
		if o.Failed == "" {
			values = append(values, property(o))
		}
	}
	return values
}

func percentAccuracy(o *plan.Outcome) float64 { return 100 * o.Accuracy }
func percentTree(o *plan.Outcome) float64     { return 100 * o.Tree }
func states(o *plan.Outcome) float64          { return float64(o.States) }
func merged(o *plan.Outcome) float64          { return float64(o.Merged) }

// exact counts the outcomes that are exactly the language.
func exact(outcomes []*plan.Outcome) int {
	n := 0
	for _, o := range outcomes {
		if isExact(o) {
			n++
		}
	}
	return n
}

// isExact reports whether an outcome is exactly the language.
func isExact(o *plan.Outcome) bool { return o.Exact != nil && *o.Exact }
