package spectral_test

import (
	"context"
	"fmt"
	"math"

	"quotient/learn/spectral"
	"quotient/word"
)

// The number of a's in a word, less the number of b's, is a function of rank 2.
func ExampleFit() {
	ab := word.Letters("ab")
	balance := func(_ context.Context, words []word.Word) ([]float64, error) {
		values := make([]float64, len(words))
		for i, w := range words {
			for _, s := range w {
				values[i] += 1 - 2*float64(s)
			}
		}
		return values, nil
	}
	a, _, err := spectral.Fit(context.Background(), ab, balance, spectral.NewBasis(ab, nil, 15), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := ab.Parse("aaaaaaaaaabaaab")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Len(), "states, and the word has the value", math.Round(a.Value(w)))
	// Output: 2 states, and the word has the value 11
}
