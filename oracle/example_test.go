package oracle_test

import (
	"context"
	"fmt"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// even accepts words with an even number of a's.
type even struct{}

func (even) Alphabet() *word.Alphabet { return word.Letters("ab") }
func (even) Outputs() int             { return 1 }

func (even) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	for i, w := range words {
		odd := 0
		for _, s := range w {
			if s == 0 {
				odd ^= 1
			}
		}
		dst.Row(i)[0] = float32(1 - odd)
	}
	return nil
}

// Anything that answers for words is an oracle, and an inquiry asks it.
func Example() {
	q := oracle.Ask(context.Background(), even{})
	fmt.Println(q.Accepts([]word.Word{{}, {0}, {0, 1, 0}}))
	short := q.Short(100, 5, nil)
	fmt.Println(len(short.Accept), "words up to length", short.Length)
	fmt.Println(q.Asked(), "answers", q.Err())
	// Output:
	// [true false true]
	// 63 words up to length 5
	// 66 answers <nil>
}
