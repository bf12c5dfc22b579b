package bench

import (
	"context"
	"fmt"
	"time"

	"quotient/automaton"
	"quotient/learn/active"
	"quotient/word"
)

// LearnOptions say what to measure.
type LearnOptions struct {
	States  []int
	Symbols []int
	Rounds  int
	Folder  string // where the teachers' automata are written, if anywhere
}

// Learn measures learners with a perfect teacher, on random automata. What the teacher's equivalence
// queries take is left out.
func Learn(ctx context.Context, o LearnOptions) ([]Figure, error) {
	var figures []Figure
	for _, k := range o.Symbols {
		for _, n := range o.States {
			d := pupil(n, k)
			file := Figure{Input: fmt.Sprintf("%d states, %d symbols", n, k), Size: n, States: d.Len()}
			if err := write(&file, d, o.Folder, fmt.Sprintf("teacher-%d-%d.att", n, k)); err != nil {
				return figures, err
			}
			for _, m := range active.Methods {
				f := file
				f.Work = string(m)
				var err error
				f.Seconds = BestBut(o.Rounds, func() (judging time.Duration) {
					var res *active.Result
					if res, judging, err = active.Taught(ctx, d, m); err == nil {
						f.Queries, f.Symbols, f.Hypotheses = res.Stats.MembershipQueries, res.Stats.Symbols, res.Stats.EquivalenceQueries
					}
					return judging
				})
				if err != nil {
					return figures, err
				}
				figures = append(figures, f)
			}
		}
	}
	return figures, nil
}

// pupil returns a random minimal automaton of n states over k symbols, or a little less.
func pupil(n, k int) *automaton.DFA {
	d, r := automaton.NewDFA(symbols(k), n), generator(n)
	for q := 1; q <= n; q++ {
		d.Accept[q] = r.IntN(2) == 0
		for s := range k {
			d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(1+r.IntN(n)))
		}
	}
	return automaton.Minimize(d)
}
