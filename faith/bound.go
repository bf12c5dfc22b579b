package faith

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bound returns a certificate for what a sample shows. If n words were drawn
// independently and an event was seen in m of them, then the probability of the
// event lies below the bound with the given confidence: a statement that is wrong
// in at most 1-confidence of all samples, whatever the true probability is. It is
// the one-sided interval of Clopper and Pearson (1934).
func Bound(n, m int, confidence float64) float64 {
	if m < 0 || m > n || confidence <= 0 || confidence >= 1 {
		panic(fmt.Sprintf("faith: no bound for %d of %d at confidence %v", m, n, confidence))
	}
	if m == n {
		return 1
	}
	return distuv.Beta{Alpha: float64(m + 1), Beta: float64(n - m)}.Quantile(confidence)
}
