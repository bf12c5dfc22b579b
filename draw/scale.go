package draw

import (
	"math"
	"slices"
	"strconv"
)

// A scale maps values to places on the page.
type scale struct {
	log      bool
	min, max float64
	from, to float64 // the places of min and max
	ticks    []float64
}

// newScale fits a scale to values. Ticks are about as far apart as told. If round
// is set, an automatic range is widened, on a linear scale to end on ticks.
func newScale(a Axis, values []float64, from, to, apart float64, round bool) scale {
	s := scale{log: a.Log, min: a.Min, max: a.Max, from: from, to: to}
	automatic := a.Min == 0 && a.Max == 0
	if automatic {
		s.min, s.max = extent(values, a.Log)
	}
	most := max(2, int(math.Abs(to-from)/apart))
	if a.Log {
		if automatic && round {
			s.min, s.max = s.min/1.15, s.max*1.1
		}
		s.ticks = logTicks(s.min, s.max, most)
		return s
	}
	step := niceStep((s.max - s.min) / float64(most))
	if !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) }) {
		step = max(step, 1) // there is no epoch 1.2
	}
	if automatic && round {
		s.min, s.max = step*math.Floor(s.min/step+1e-9), step*math.Ceil(s.max/step-1e-9)
	}
	for k := math.Ceil(s.min/step - 1e-9); k*step <= s.max+step*1e-9; k++ {
		s.ticks = append(s.ticks, k*step)
	}
	return s
}

// extent returns the least and the greatest of the values that the axis can show,
// a little apart if they are equal.
func extent(values []float64, log bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || log && v <= 0 {
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	switch {
	case low > high:
		return 1, 2
	case log && high < 2*low:
		return low / math.Sqrt2, high * math.Sqrt2
	case low == high:
		return low - 0.5, high + 0.5
	}
	return low, high
}

// at returns the place of a value; values out of range lie at the ends.
func (s scale) at(v float64) float64 {
	v = min(max(v, s.min), s.max)
	share := (v - s.min) / (s.max - s.min)
	if s.log {
		// A quotient of such numbers could overflow, a difference of logarithms cannot.
		share = (math.Log(v) - math.Log(s.min)) / (math.Log(s.max) - math.Log(s.min))
	}
	return s.from + share*(s.to-s.from)
}

// niceStep returns the least number of the form 1, 2 or 5 times a power of ten that
// is no smaller than x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// logTicks returns ticks from low to high, of the densest kind that gives no more
// than most.
func logTicks(low, high float64, most int) []float64 {
	var ticks []float64
	for _, digits := range [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1, 3}, {1}} {
		ticks = ticks[:0]
		for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
			for _, m := range digits {
				if t := m * math.Pow(10, e); t >= low*(1-1e-9) && t <= high*(1+1e-9) {
					ticks = append(ticks, t)
				}
			}
		}
		if len(ticks) <= most {
			break
		}
	}
	return ticks
}

// tickText writes a tick without the dust that its computation leaves.
func tickText(v float64) string {
	if math.Abs(v) < 1e-12 {
		return "0"
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
