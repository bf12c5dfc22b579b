package paper

import (
	"math"
	"testing"

	"quotient/sweep/plan"
	"quotient/sweep/results"
)

func TestStatistics(t *testing.T) {
	for _, c := range []struct {
		values                            []float64
		mean, std, first, median, quarter float64
	}{
		{[]float64{7}, 7, 0, 7, 7, 7},
		{[]float64{4, 2}, 3, 1, 2.5, 3, 3.5},
		{[]float64{5, 1, 4, 2, 3}, 3, math.Sqrt2, 2, 3, 4},
		{[]float64{1, 1, 1, 5}, 2, math.Sqrt(3), 1, 1, 2},
	} {
		m, sd := mean(c.values)
		if math.Abs(m-c.mean) > 1e-12 || math.Abs(sd-c.std) > 1e-12 {
			t.Errorf("%v: %g ± %g, want %g ± %g", c.values, m, sd, c.mean, c.std)
		}
		for p, want := range map[float64]float64{0.25: c.first, 0.5: c.median, 0.75: c.quarter} {
			q := results.Summarize(c.values)
			if got := map[float64]float64{0.25: q.Low, 0.5: q.Median, 0.75: q.High}[p]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%v: quantile %g is %g, want %g", c.values, p, got, want)
			}
		}
	}
	if m, sd := mean(nil); !math.IsNaN(m) || !math.IsNaN(sd) || !math.IsNaN(results.Summarize(nil).Median) {
		t.Error("no values have a mean or a median")
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		epochs []int
		want   int
		got    int
	}{{[]int{1, 2, 3, 20}, 2, 2}, {[]int{1, 5, 22}, 20, 22}, {[]int{1, 3}, 2, 3}, {[]int{4}, 20, 4}} {
		if got := (Networks{Epochs: c.epochs}).nearest(c.want); got != c.got {
			t.Errorf("of %v, %d is nearest to %d, want %d", c.epochs, got, c.want, c.got)
		}
	}
}

// What is enough must stay enough for all larger numbers.
func TestEnough(t *testing.T) {
	numbers := []int{5, 10, 20, 40}
	for _, c := range []struct {
		exact [4]int // of two samples
		want  int
	}{
		{[4]int{2, 2, 2, 2}, 5},
		{[4]int{0, 1, 2, 2}, 20},
		{[4]int{2, 1, 2, 2}, 20},
		{[4]int{2, 2, 2, 1}, 0},
	} {
		r := Results{}
		for i, n := range numbers {
			for j, k := range keep.samples("tomita1", 0, n, 10, 2) {
				r[k] = &plan.Outcome{Exact: new(j < c.exact[i])}
			}
		}
		if got := (scale{numbers, 10, 2}).enough(r, keep, "tomita1", 0); got != c.want {
			t.Errorf("%v: %d, want %d", c.exact, got, c.want)
		}
	}
}

func TestPercents(t *testing.T) {
	for want, x := range map[string]float64{"100.00 ± 0.00": 1, "99.99 ± 0.00": 0.99999, "57.35 ± 0.00": 0.5735} {
		if got := percents(x, 0); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
