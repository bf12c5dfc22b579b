package sample_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"quotient/internal/oracletest"
	"quotient/sample"
	"quotient/word"
)

// The mass of a difference is what counting all words gives, and words drawn from
// it differ.
func TestContrast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := oracletest.Random(rapid.Uint64().Draw(t, "a"), 3, 0).DFA
		b := oracletest.Random(rapid.Uint64().Draw(t, "b"), 3, 0).DFA
		low, high := rapid.IntRange(0, 2).Draw(t, "low"), rapid.IntRange(2, 5).Draw(t, "high")
		c := sample.NewContrast(a, b, low, high, 100)
		want := 0.0
		level := []word.Word{nil} // all words of length n
		for n := 0; n <= high; n, level = n+1, word.Prolong(level, 3) {
			if n < low {
				continue
			}
			var total, differ [2]float64
			for _, w := range level {
				answer := 0
				if b.Accepts(w) {
					answer = 1
				}
				total[answer]++
				if a.Accepts(w) != b.Accepts(w) {
					differ[answer]++
				}
			}
			all := total[0] + total[1]
			mass := (differ[0] + differ[1]) / all / 2
			for answer := range 2 {
				if total[answer] > 0 {
					mass += differ[answer] / total[answer] / 4
				} else {
					mass += (differ[0] + differ[1]) / all / 4
				}
			}
			want += mass / float64(high-low+1)
		}
		if math.Abs(c.Mass-want) > 1e-12 {
			t.Fatalf("mass %v, want %v", c.Mass, want)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for range 20 {
			if c.Mass == 0 {
				break
			}
			if w := c.Draw(rng); a.Accepts(w) == b.Accepts(w) || len(w) < low || len(w) > high {
				t.Fatalf("%v was drawn", w)
			}
		}
	})
	if sample.NewContrast(oracletest.Random(1, 9, 0).DFA, oracletest.Random(2, 9, 0).DFA, 0, 5, 3) != nil {
		t.Error("the limit of pairs was not kept to")
	}
}
