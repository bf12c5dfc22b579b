package weighted_test

import (
	"fmt"

	"quotient/weighted"
	"quotient/word"
)

// A word of n a's has the n-th Fibonacci number as its value.
func Example() {
	a := weighted.New(word.Letters("a"), 2)
	a.Initial[0], a.Final[1] = 1, 1
	copy(a.Row(0, 0), []float64{1, 1})
	copy(a.Row(0, 1), []float64{1, 0})
	fmt.Println(a.Value(make(word.Word, 10)))
	// Output: 55
}
