package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/extract"
	"quotient/language"
	"quotient/prefix"
	"quotient/sweep/plan"
	"quotient/word"
)

const (
	heldOutStream  = 1000 // of random numbers, apart from those of package extract
	countingLength = 500  // up to which a counting language stands in for itself
	keptStates     = 100  // of the largest automaton that a result holds
)

// A Specimen is a network that is ready to be extracted from, with the words that judge
// what comes of it. It may be used by several goroutines at once.
type Specimen struct {
	net     prefix.Oracle
	norm    float64
	target  *automaton.DFA  // over the network's alphabet; nil if none is known
	sampler *prefix.Sampler // of the target
	words   []word.Word     // held out
	labels  []bool          // the network's answers
	right   float64         // the share of them that the target gives, too
	accepts float64         // the share of them that is yes
}

// NewSpecimen prepares a network of a given norm and language, of which nothing is
// known if the name is empty. Of the extraction only what says how to judge counts.
func NewSpecimen(net prefix.Oracle, norm float64, name string, x plan.Extraction) (*Specimen, error) {
	s := &Specimen{net: net, norm: norm}
	if x.Target != "" {
		name = x.Target
	}
	states, ok := net.(prefix.Recognizer)
	if !ok {
		return nil, errors.New("the network shows no states")
	}
	rng := rand.New(rand.NewPCG(x.HeldOutSeed, heldOutStream))
	var err error
	var judge *prefix.Sampler
	if name == "" {
		judge, err = prefix.FromNetwork(states, x.HeldOutLength, rng)
	} else if s.target, err = loadTarget(net.Alphabet(), name); err == nil {
		s.sampler, err = prefix.FromLanguage(states, name, s.target)
		judge = s.sampler
	}
	if err != nil {
		return nil, err
	}
	sample, err := judge.Draw(x.HeldOut, 0, x.HeldOutLength, rng)
	if err != nil {
		return nil, err
	}
	s.words = sample.Words
	s.labels = prefix.Accepts(net, s.words)
	yes := 0
	for _, label := range s.labels {
		if label {
			yes++
		}
	}
	s.accepts = float64(yes) / float64(len(s.labels))
	if s.target != nil {
		s.right = s.accuracy(s.target)
	}
	return s, nil
}

// loadTarget returns the minimal automaton of a language over a network's alphabet.
func loadTarget(a *word.Alphabet, name string) (*automaton.DFA, error) {
	d, err := language.LoadUpTo(language.Options{Symbols: a.Names()}, countingLength, name)
	if err != nil {
		return nil, err
	}
	if d, err = d.WithAlphabet(a); err != nil {
		return nil, fmt.Errorf("%s does not fit the network: %w", name, err)
	}
	return automaton.Minimize(d), nil
}

// accuracy returns the share of the held-out words on which automaton and network
// agree.
func (s *Specimen) accuracy(a interface{ Accepts(word.Word) bool }) float64 {
	agree := 0
	for i, w := range s.words {
		if a.Accepts(w) == s.labels[i] {
			agree++
		}
	}
	return float64(agree) / float64(len(s.words))
}

// Measure extracts and judges. A limit that is passed is an outcome, too.
func (s *Specimen) Measure(ctx context.Context, x plan.Extraction) (*plan.Outcome, error) {
	out := &plan.Outcome{Network: s.right, Accepts: s.accepts, Norm: s.norm}
	o := extract.Options{
		Method: x.Method, Kappa: x.Kappa, Strings: x.Strings, Length: x.Length,
		Seed: x.Seed, Limit: x.Limit, Clusters: x.Clusters, Rank: x.Rank,
	}
	// Only counts may end a search: what a clock ends is not the same everywhere.
	o.Explore.Time, o.Explore.MaxStates = 1000*time.Hour, x.MaxStates
	if x.WordsFrom == plan.FromLanguage {
		o.Sampler = s.sampler
	}
	res, err := extract.Run(ctx, s.net, o)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if limit := (*automaton.LimitError)(nil); errors.As(err, &limit) {
		out.Failed = limit.Error()
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	out.Accuracy = s.accuracy(res.Acceptor())
	out.Merged, out.States = res.MergedStates, res.States()
	out.Saturation = res.Saturation.Mean
	if res.Tree != nil {
		out.Nodes, out.Tree = res.Tree.Len(), s.accuracy(res.Tree.DFA())
	}
	if m := res.Options.Method; m != extract.KMeans && !m.BlackBox() {
		out.Kappa = res.Options.Kappa
	}
	if q := res.Queries; q != nil {
		out.Membership, out.Hypotheses = q.Membership, q.Equivalence
	}
	if d := res.Automaton; d != nil {
		if s.target != nil {
			exact := d.Equal(s.target)
			out.Exact = &exact
		}
		if d.Len() <= keptStates {
			out.Automaton = &codec.JSON{NFA: d.NFA()}
		}
	}
	return out, nil
}
