package f32

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The two least of every row, the first of several that are equal, with gaps between rows and without.
func TestLeast(t *testing.T) {
	forEach(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := generator(t)
			a := randomMatrix(r, rapid.IntRange(0, 9).Draw(t, "rows"), rapid.IntRange(1, 70).Draw(t, "cols"), rapid.IntRange(0, 3).Draw(t, "gap"))
			if rapid.Bool().Draw(t, "ties") {
				for i, x := range a.Data {
					a.Data[i] = float32(math.Round(float64(x)))
				}
			}
			at, first, second := make([]int32, a.Rows), make([]float32, a.Rows), make([]float32, a.Rows)
			Least(at, first, second, a)
			for i := range at {
				row := a.Row(i)
				sorted := append(slices.Sorted(slices.Values(row)), float32(math.Inf(1)))
				if want := slices.Index(row, sorted[0]); int(at[i]) != want || first[i] != sorted[0] || second[i] != sorted[1] {
					t.Fatalf("row %d: %v and %v at %d, want %v at %d", i, first[i], second[i], at[i], sorted[:2], want)
				}
			}
		})
		// What is no number is never least, and never leads out of the row.
		nan := float32(math.NaN())
		a := New(2, 32)
		for i := range a.Data {
			a.Data[i] = nan
		}
		a.Row(1)[20] = 3
		at, first, second := make([]int32, 2), make([]float32, 2), make([]float32, 2)
		Least(at, first, second, a)
		if at[0] != 0 || at[1] != 20 || first[1] != 3 {
			t.Errorf("least of no numbers: %v, %v", at, first)
		}
		Prefetch(a.Data)
		Prefetch(nil)
	})
}
