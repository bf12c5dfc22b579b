package explore_test

import (
	"context"
	"fmt"

	"quotient/learn/explore"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/zoo"
)

func Example() {
	net, _, err := zoo.Open("zoo:tomita6")
	if err != nil {
		panic(err)
	}
	res, err := explore.Run(oracle.Ask(context.Background(), rnn.NewRunner(net, 0)), explore.Options{Seed: 1})
	if err != nil {
		panic(err)
	}
	best := res.Tradeoff[len(res.Tradeoff)-1]
	fmt.Printf("%d states, %g%% of the words wrong\n", best.States, 100*best.Error)
	for w := range res.Automaton.Words() {
		if len(w) > 3 {
			break
		}
		fmt.Println(res.Automaton.Alphabet.Format(w))
	}
	// Output:
	// 3 states, 0% of the words wrong
	// ε
	// ab
	// ba
	// aaa
	// bbb
}
