package active_test

import (
	"fmt"
	"testing"

	"quotient/internal/oracletest"
	"quotient/learn/active"
)

// TTT alone: a teacher who knows the automaton answers all queries.
func BenchmarkTTT(b *testing.B) {
	for _, states := range []int{200, 1000} {
		for _, letters := range []string{"ab", "abcdefghij"} {
			d := random(1, letters, states)
			b.Run(fmt.Sprintf("%d-states/%d-symbols", states, len(letters)), func(b *testing.B) {
				for b.Loop() {
					res := learn(b, blackBox{oracletest.Noisy{DFA: d}}, active.Options{Judge: judge(d), States: 2 * states})
					if !res.Automaton.Equal(d) {
						b.Fatalf("%d states, want %d", res.Automaton.Len(), d.Len())
					}
				}
			})
		}
	}
}
