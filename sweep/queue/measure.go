package queue

import (
	"context"
	"encoding/json"
	"errors"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/extract"
	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
	"quotient/study"
	"quotient/sweep/plan"
)

// keptStates is the size of the largest automaton that an outcome holds.
const keptStates = 100

// A Specimen is a network that is ready to be extracted from, with the words that judge
// what comes of it. It may be used by several goroutines at once.
type Specimen struct {
	model    *model.Model
	norm     float64
	language string         // to compare with; empty if none is known
	target   *automaton.DFA // of it, over the network's alphabet
	held     oracle.Set     // the words, with the network's answers
	right    float64        // the share of them that the target gives, too
}

// NewSpecimen prepares a network whose parameters have a norm. Of the extraction only what
// says how to judge counts.
func NewSpecimen(ctx context.Context, m *model.Model, norm float64, x plan.Extraction) (*Specimen, error) {
	s := &Specimen{model: m, norm: norm, language: m.Language}
	if m.Predicts() {
		return s, nil // its own words judge
	}
	if x.Target != "" {
		s.language = x.Target
	}
	q := oracle.Ask(ctx, m.Net)
	rng := sample.Rand(x.HeldOutSeed, sample.HeldOut)
	var source *sample.Source
	var err error
	if s.language == "" {
		source, err = sample.FromNetwork(q, x.HeldOutLength, rng)
	} else if s.target, err = extract.LoadLanguage(s.language, q.Alphabet()); err == nil {
		source, err = sample.FromLanguage(s.language, s.target, q.Alphabet())
	}
	if err != nil {
		return nil, err
	}
	drawn, err := source.Draw(q, x.HeldOut, 0, x.HeldOutLength, rng)
	if err != nil {
		return nil, err
	}
	s.held = q.Label(drawn.Words)
	if s.target != nil {
		s.right = s.held.Accuracy(s.target)
	}
	return s, q.Err()
}

// Measure extracts and judges, and fills in what came of it; words are what stands in the file
// of data, if there is one. A limit that is passed is an outcome, too.
func (s *Specimen) Measure(ctx context.Context, r *plan.Result, words []byte) error {
	x := *r.Task.Extract
	if s.model.Predicts() {
		return s.predict(ctx, r, words)
	}
	r.Outcome = &plan.Outcome{Network: s.right, Accepts: float64(s.held.Accepted()) / float64(len(s.held.Words)), Norm: s.norm}
	o := x.Options(s.language)
	o.DataText = words
	found, err := study.Extract(ctx, s.model, study.Options{Options: o, Target: s.language, Language: s.target})
	if limit := (*automaton.LimitError)(nil); errors.As(err, &limit) {
		r.Outcome.Failed = limit.Error()
		return nil
	}
	if err != nil {
		return err
	}
	s.judge(found, r.Outcome)
	if !x.Study {
		return nil
	}
	if err := found.Certify(ctx); err != nil {
		return err
	}
	found.Seconds, found.Times = 0, extract.Times{} // which differ from time to time
	r.Study, err = json.Marshal(found)
	return err
}

// judge fills in what a study says.
func (s *Specimen) judge(found *study.Study, out *plan.Outcome) {
	res := found.Result
	out.Accuracy = s.held.Accuracy(res.Acceptor())
	out.Nodes, out.Merged, out.States = found.TreeNodes, found.MergedStates, found.States
	out.Saturation, out.Kappa = found.Saturation.Mean, res.Options.Kappa
	if found.Data != nil {
		out.DataAccuracy = &found.Data.Agreement.Accuracy
		out.DataHeldOut, out.DataLeftOut = found.Data.Agreement.Different, found.Data.LeftOut
	}
	if res.Tree != nil {
		out.Tree = s.held.Accuracy(res.Tree.DFA())
	}
	if q := found.Queries; q != nil {
		out.Membership, out.Hypotheses = q.Membership, q.Equivalence
	}
	if res.Automaton == nil {
		return
	}
	if found.Target != nil {
		out.Exact = &found.Target.Equal
	}
	if found.States <= keptStates {
		out.Automaton = &codec.JSON{NFA: res.Automaton.NFA()}
	}
}
