package queue

import (
	"context"
	"encoding/json"

	"quotient/extract"
	"quotient/study"
	"quotient/sweep/plan"
)

// predict extracts from a language model, and fills in what came of it.
func (s *Specimen) predict(ctx context.Context, r *plan.Result, words []byte) error {
	x := *r.Task.Extract
	o := extract.Options{Method: x.Method, States: x.AtMost, Seed: x.Seed, Data: x.Data, DataText: words}
	found, err := study.Predict(ctx, s.model, study.Options{Options: o}, nil)
	if err != nil {
		return err
	}
	c := found.Certificate
	r.Outcome = &plan.Outcome{States: found.States, Nodes: found.Prefixes, Norm: s.norm, Divergence: &c.Divergence, Bound: &c.Bound, Top: &c.Top}
	if found.States <= keptStates {
		r.Outcome.Spoken = found.Automaton
	}
	if x.Study {
		found.Seconds = 0 // which differs from time to time
		r.Study, err = json.Marshal(found)
	}
	return err
}
