// Package extract turns a network into an automaton: every method behind one
// function, [Run], with one kind of result.
package extract

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"quotient/automaton"
	"quotient/explore"
	"quotient/learn/active"
	"quotient/learn/spectral"
	"quotient/learn/tally"
	"quotient/merge"
	"quotient/prefix"
	"quotient/word"
)

// A Method is a way to extract an automaton: a rule of merging, k-means, exploring
// the network's states, or learning from its answers.
type Method string

const (
	Fold    = Method(merge.Fold)
	Union   = Method(merge.Union)
	Keep    = Method(merge.Keep)
	KMeans  = Method("kmeans")
	Explore = Method("explore")
	Best    = Method("auto") // Fold or Explore, whichever suits the network
)

// Methods are all there are.
var Methods = []Method{Fold, Union, Keep, KMeans, Explore, LStar, TTT, RPNI, EDSM, RPNIStar, Spectral, Counter}

// Auto asks for a kappa that is chosen by evidence.
const Auto = 0

// Options say how to extract. Zero values stand for the defaults.
type Options struct {
	Method   Method      // Fold
	Kappa    float64     // the cosine of states that merge is over 1-Kappa; Auto
	Order    merge.Order // in which nodes are enumerated; merge.Released for Union and Keep, or merge.Breadth
	Strings  int         // words in the sample; 300, or 1,000 for methods that learn from words alone
	Length   int         // their length; 10, or up to 15 for those methods
	Seed     uint64      // of the sample
	Limit    int         // states of a determinized automaton; 20,000
	Clusters int         // of k-means; 20
	Rank     int         // of the weighted automaton of spectral learning; 0: chosen by evidence

	// How L* and TTT look for words of difference; all ways in turn.
	Equivalence active.Equivalence

	// Of the method Explore; Seed and Kappa are those above. Learners that ask the
	// network take from it the budgets and the greatest length.
	Explore explore.Options

	// Where valid words come from; if nil, from the network alone.
	Sampler *prefix.Sampler

	// Tell, if not nil, is told now and then how many states there are so far, and about
	// how many words the network was asked: by Explore and the methods that learn, but
	// for Counter.
	Tell func(states, words int) `json:"-"`
}

func (o Options) orDefaults() Options {
	if o.Method == "" {
		o.Method = Fold
	}
	if o.Order == "" {
		o.Order = merge.Breadth
		if o.Method == Union || o.Method == Keep {
			o.Order = merge.Released
		}
	}
	def := func(x *int, to int) {
		if *x == 0 {
			*x = to
		}
	}
	switch o.Method {
	case RPNI, EDSM, RPNIStar:
		def(&o.Strings, 1000)
		def(&o.Length, 15)
	}
	def(&o.Strings, 300)
	def(&o.Length, 10)
	def(&o.Limit, 20_000)
	def(&o.Clusters, 20)
	return o
}

func (o Options) check(symbols int) error {
	if o.Method != Best && !slices.Contains(Methods, o.Method) {
		return fmt.Errorf("no method is called %q; there are %v", o.Method, Methods)
	}
	if o.Kappa != Auto {
		if err := merge.CheckKappa(o.Kappa); err != nil {
			return err
		}
	}
	if o.Strings < 1 || o.Length < 1 || o.Clusters < 1 || o.Limit < 1 {
		return fmt.Errorf("%d words of length %d, %d clusters, at most %d states: all must be at least 1",
			o.Strings, o.Length, o.Clusters, o.Limit)
	}
	if words := power(symbols, o.Length, o.Strings); o.Method.Samples() && words < o.Strings {
		advice := "ask for fewer or for longer ones"
		if symbols < 2 {
			advice = fmt.Sprintf("ask for one long word, as in --strings 1 --length %d", 10*o.Length)
		}
		return fmt.Errorf("%d words were asked for, but there are only %d of length %d over %d symbols; %s",
			o.Strings, words, o.Length, symbols, advice)
	}
	return nil
}

// Samples reports whether the method merges a sample's prefix tree.
func (m Method) Samples() bool { return slices.Contains([]Method{Fold, Union, Keep, KMeans}, m) }

// power returns base to the given exponent, or anything from enough on if that is
// reached.
func power(base, exponent, enough int) int {
	p := 1
	for ; exponent > 0 && p < enough && base != 1; exponent-- {
		p *= base
	}
	return p
}

// A Result is an automaton and how it came about.
type Result struct {
	Options      Options // as they were used, defaults filled in and kappa chosen
	Sample       prefix.Sample
	Tree         *prefix.Tree
	Log          []merge.Step   // what was merged; none for k-means
	Merged       *automaton.DFA // before minimization, reachable states only
	MergedStates int            // reachable states after merging, before any determinizing
	Automaton    *automaton.DFA // minimal; nil if what was extracted is no finite automaton: see Acceptor
	Saturation   Saturation
	Trials       []Trial // of kappa, if it was chosen by evidence
	Why          string  // it was chosen, in words
	Warnings     []string
	Sampler      *prefix.Sampler // where words came from, for drawing more
	Times        Times

	Chosen   string          // why the method was, in words, if that was left open
	Explored *explore.Result // by the method Explore, which has no sample, tree, log or trials

	// Learners have no tree, log or trials either.
	Queries *Queries

	Exceptions []word.Word      // words that Explore, L* or TTT met on which the network leaves the automaton, shortest first
	Spectral   *spectral.Result // of the method Spectral
	Counter    *tally.Result    // of the method Counter
}

// Times says how long the parts took, in seconds.
type Times struct {
	Sample   float64 `json:"sample"` // finding words, exploring the network if need be
	Tree     float64 `json:"tree"`   // running the network over them
	Merge    float64 `json:"merge"`  // merging, for every kappa tried
	Minimize float64 `json:"minimize"`
	Explore  float64 `json:"explore"` // all of it, by the method of that name
	Learn    float64 `json:"learn"`   // all of it, by a learner
}

// lap returns the seconds since the time, which it sets to now.
func lap(since *time.Time) float64 {
	begin := *since
	*since = time.Now()
	return since.Sub(begin).Seconds()
}

// Run extracts an automaton from a network. If ctx is done, also because the network
// has failed, its cause is the error.
func Run(ctx context.Context, net prefix.Oracle, o Options) (*Result, error) {
	res, err := dispatch(ctx, net, o.orDefaults())
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // whatever the zeros of a network that failed led to
	}
	return res, err
}

// dispatch runs the method.
func dispatch(ctx context.Context, net prefix.Oracle, o Options) (*Result, error) {
	r, shows := net.(prefix.Recognizer)
	if o.Method == Best && !shows {
		o.Method = TTT
		res, err := learn(ctx, net, o)
		if err == nil {
			res.Chosen = "the network shows no states, only answers"
		}
		return res, err
	}
	if err := o.check(net.Alphabet().Len()); err != nil {
		return nil, err
	}
	if !shows && !o.Method.BlackBox() {
		return nil, refuse(o.Method)
	}
	switch {
	case o.Method == Best:
		return pick(ctx, r, o)
	case o.Method == Explore:
		return exploring(ctx, r, o, "")
	case o.Method == Counter || o.Method.BlackBox():
		return learn(ctx, net, o)
	}
	p, err := Prepare(ctx, r, o)
	if err != nil {
		return nil, err
	}
	return p.At(ctx, o.Kappa)
}

// extract does what remains once the sample is there.
func (e *extraction) extract(ctx context.Context, kappa float64) (*Result, error) {
	res := &Result{
		Options: e.o, Sample: e.sample, Tree: e.tree, Sampler: e.sampler,
		Saturation: e.saturation, Times: e.times,
	}
	clock := time.Now()
	if len(e.sample.Missing) > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf(
			"no valid word of length %d is known among %s; uniform words stand in", e.o.Length, e.sampler.Source))
	}
	switch {
	case e.o.Method == KMeans:
		res.Merged = kmeans(e.tree, e.o.Clusters, e.rng(streamClusters))
		res.MergedStates = automaton.Trim(res.Merged).Len()
	case kappa == Auto:
		if err := e.choose(ctx, res); err != nil {
			return nil, err
		}
	default:
		if err := e.merge(res, kappa); err != nil {
			return nil, err
		}
	}
	res.Times.Merge = lap(&clock)
	res.Merged = automaton.Trim(res.Merged)
	res.Automaton = automaton.Minimize(res.Merged)
	res.Times.Minimize = lap(&clock)
	return res, nil
}

// An extraction is what all methods and thresholds share: the sample, its tree and
// an enumeration of it.
type extraction struct {
	r          prefix.Recognizer
	o          Options
	sampler    *prefix.Sampler
	sample     prefix.Sample
	tree, unit *prefix.Tree // the second with states of length 1
	order      []prefix.Node
	saturation Saturation
	times      Times

	judging sync.Mutex // guards judge
	judge   judges     // no words: not drawn yet
}

// Streams of random numbers, so that what one part draws changes nothing for the
// others.
const (
	streamGuide = iota
	streamSample
	streamOrder
	streamJudge
	streamClusters
	streamObject
)

func (e *extraction) rng(stream uint64) *rand.Rand { return newRand(e.o.Seed, stream) }

func newRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

func prepare(r prefix.Recognizer, o Options) (*extraction, error) {
	e := &extraction{r: r, o: o.orDefaults(), sampler: o.Sampler}
	if err := e.o.check(r.Alphabet().Len()); err != nil {
		return nil, err
	}
	clock := time.Now()
	var err error
	if e.sampler == nil {
		if e.sampler, err = prefix.FromNetwork(r, e.o.Length, e.rng(streamGuide)); err != nil {
			return nil, err
		}
	}
	if e.sample, err = e.sampler.Draw(e.o.Strings, e.o.Length, e.o.Length, e.rng(streamSample)); err != nil {
		return nil, err
	}
	e.times.Sample = lap(&clock)
	if e.tree, err = prefix.Build(r, e.sample.Words); err != nil {
		return nil, err
	}
	e.times.Tree = lap(&clock)
	e.unit = merge.Unit(e.tree)
	e.saturation = measure(e.unit.State)
	e.order, err = merge.Enumerate(e.unit, e.o.Order, e.rng(streamOrder))
	return e, err
}

// merge fills in the automaton that a threshold gives.
func (e *extraction) merge(res *Result, kappa float64) error {
	rule := merge.Rule(e.o.Method)
	res.Options.Kappa = kappa
	res.Log = merge.Log(e.unit, rule, kappa, e.o.Order, e.order)
	n := merge.Replay(e.unit, rule, res.Log)
	res.MergedStates = n.Reachable()
	d, err := automaton.Determinize(n, e.o.Limit)
	if limit := (*automaton.LimitError)(nil); errors.As(err, &limit) {
		return fmt.Errorf("kappa %g: the %d states that merging leaves are nondeterministic, and making them "+
			"deterministic takes more than %d; a larger kappa, the method fold, or a larger limit may help: %w",
			kappa, res.MergedStates, e.o.Limit, err)
	}
	res.Merged = d
	return err
}

// Agreement returns on how many prefixes of the words the automaton answers as the
// labels say, and how many prefixes there are.
func Agreement(d *automaton.DFA, words []word.Word, labels [][]bool) (agree, prefixes int) {
	for i, w := range words {
		q := d.Start
		for j, label := range labels[i] {
			if j > 0 {
				q = d.Next(q, w[j-1])
			}
			if d.Accept[q] == label {
				agree++
			}
		}
		prefixes += len(labels[i])
	}
	return agree, prefixes
}
