package f32

import "math"

// Least writes where the least element of every row is, the first of several, and the two least
// elements; infinity stands for those that a row does not have:
//
//	for i { at[i], first[i], second[i] = the least and the next of a[i] }
func Least(at []int32, first, second []float32, a Matrix) {
	same("Least", a.Rows, len(at), len(first), len(second))
	a.check()
	if leastFast(at, first, second, &a) {
		return
	}
	for i := range at {
		best, x, y := 0, float32(math.Inf(1)), float32(math.Inf(1))
		for j, z := range a.Row(i) {
			if z < x {
				best, x, y = j, z, x
			} else if z < y {
				y = z
			}
		}
		at[i], first[i], second[i] = int32(best), x, y
	}
}

// Prefetch asks for floats that are wanted soon, so that they are on their way from memory
// meanwhile. It computes nothing.
func Prefetch(x []float32) { prefetchFast(x) }
