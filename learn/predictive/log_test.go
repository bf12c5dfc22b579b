package predictive

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The quick logarithm is as good as the slow one.
func TestQuickLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := []float64{1, 2, 0.5, math.Nextafter(1, 0), math.Nextafter(1, 2), 1e-300, 5e-324, 1e300, math.MaxFloat64}
	for range 100_000 {
		numbers = append(numbers, math.Exp(50*rng.NormFloat64()))
	}
	for _, x := range numbers {
		want := math.Log(x)
		if got := quickLog(x); math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
			t.Fatalf("log %v is %v, want %v", x, got, want)
		}
	}
}

func BenchmarkCrossed(b *testing.B) {
	sum := make([]float64, 27)
	for i := range sum {
		sum[i] = 1 + 17*float64(i)
	}
	for b.Loop() {
		crossed(sum)
	}
}
