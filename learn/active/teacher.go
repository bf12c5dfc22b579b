package active

import (
	"context"
	"runtime"
	"time"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/processor"
	"quotient/oracle"
	"quotient/word"
)

// Taught learns an automaton that is known, from a perfect teacher: it answers membership
// queries by running the automaton, and equivalence queries with a shortest word of
// difference, which is known to be one: a counterexample comes with its answer. That is how learners are compared. There are no budgets. It also returns the
// processor time that the equivalence queries took.
func Taught(ctx context.Context, d *automaton.DFA, m Method) (res *Result, judging time.Duration, err error) {
	const unlimited = 1<<31 - 1
	var c automaton.Comparison
	res, err = Learn(oracle.Ask(ctx, teacher{d}), Options{
		Method:  m,
		States:  unlimited,
		Queries: unlimited,
		Sure:    true,
		Judge: func(_ context.Context, h *automaton.DFA) (word.Word, bool) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			begin := processor.Thread()
			w, differ := c.Distinguish(h, d)
			judging += processor.Thread() - begin
			return w, differ
		},
	})
	return res, judging, err
}

// A teacher is an automaton as an oracle.
type teacher struct{ *automaton.DFA }

// Alphabet implements oracle.Oracle, as do the other methods.
func (t teacher) Alphabet() *word.Alphabet { return t.DFA.Alphabet }

// Outputs returns 1: it is a recognizer.
func (t teacher) Outputs() int { return 1 }

// Answer writes 1 for accepted words and 0 for others.
func (t teacher) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	for i, w := range words {
		answer := &dst.Row(i)[0]
		if *answer = 0; t.Accepts(w) {
			*answer = 1
		}
	}
	return nil
}
