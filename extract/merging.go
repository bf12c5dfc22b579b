package extract

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"quotient/automaton"
	"quotient/merge"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/sample"
	"quotient/word"
)

// A Prepared extraction has its sample and its prefix tree already, so that it can
// be tried with one kappa after another: only merging is left to do. Results are
// those of [Run] and [Sweep]. It may be used by several goroutines at once, each with an
// inquiry of its own.
type Prepared struct {
	o          Options
	source     *sample.Source
	sample     sample.Sample
	tree       *prefix.Tree
	added      int         // words of the user's in the tree,
	judging    []word.Word // and others of theirs that choose kappa
	order      []prefix.Node
	saturation Saturation
	times      Times

	drawing sync.Mutex // guards judges
	judges  oracle.Paths
}

// Prepare draws the sample and runs the network over it, for a method that merges states.
// The kappa of the options is not used.
func Prepare(q *oracle.Inquiry, o Options) (*Prepared, error) {
	o, err := o.ready(q)
	if err != nil {
		return nil, err
	}
	o.Prepare, o.Tell = nil, nil // who asked first is not kept
	o.Strings = q.AtMost(o.Strings, 0.2/float64(max(1, o.Length)))
	if err := o.fits(q.Alphabet().Len(), q.Dim()); err != nil {
		return nil, err
	}
	p := &Prepared{o: o, source: o.source}
	clock := time.Now()
	if p.source == nil {
		if p.source, err = sample.FromNetwork(q, o.Length, sample.Rand(o.Seed, sample.Guide)); err != nil {
			return nil, err
		}
	}
	if p.sample, err = p.source.Draw(q, o.Strings, o.Length, o.Length, sample.Rand(o.Seed, sample.Words)); err != nil {
		return nil, err
	}
	p.times.Sample = lap(&clock)
	added, others := take(q.Readable(o.data.Lead()), o.Strings, min(longer*o.Strings*o.Length, q.AtMost(math.MaxInt, 0.3)))
	p.added = len(added)
	p.judging, _ = take(others, judgeWords, judgeWords*judgeLength*o.Length)
	if p.tree, err = prefix.Build(q, slices.Concat(p.sample.Words, added)); err != nil {
		return nil, err
	}
	p.times.Tree = lap(&clock)
	p.saturation = measure(p.tree.State)
	if o.Order != "" { // k-means has none
		p.order, err = merge.Enumerate(p.tree, o.Order, sample.Rand(o.Seed, sample.Order))
	}
	return p, err
}

// longer is how many times the symbols of the sample the user's words may bring into the
// tree. There are no more of them than of the sample's, but they may be long.
const longer = 10

// TreeSymbols returns how many symbols the words of a prefix tree have at most, all together.
func (o Options) TreeSymbols() int {
	n := o.Strings * o.Length
	if o.Data != "" {
		n += longer * n
	}
	return n
}

// prepared prepares, or takes what somebody has prepared before.
func prepared(q *oracle.Inquiry, o Options) (*Prepared, error) {
	if o.Prepare != nil {
		return o.Prepare(q, o)
	}
	return Prepare(q, o)
}

// merging runs a method that merges the states of a sample.
func merging(q *oracle.Inquiry, o Options) (*Result, error) {
	p, err := prepared(q, o)
	if err != nil {
		return nil, err
	}
	return p.At(q, o.Kappa)
}

// Tree returns the prefix tree.
func (p *Prepared) Tree() *prefix.Tree { return p.tree }

// At extracts with one kappa, or with the one that evidence chooses.
func (p *Prepared) At(q *oracle.Inquiry, kappa float64) (*Result, error) {
	res := &Result{
		Options: p.o, Words: p.source.About, Sample: p.sample, Tree: p.tree, Source: p.source,
		Saturation: p.saturation, Times: p.times,
	}
	if p.added > 0 {
		res.Used = fmt.Sprintf("%d are in the prefix tree beside the sample", p.added)
	}
	if n := len(p.judging); n > 0 && kappa == ChosenKappa && p.o.Method != KMeans {
		res.Used += fmt.Sprintf(", and %d help to choose kappa", n)
	}
	clock := time.Now()
	if len(p.sample.Missing) > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf(
			"no valid word of length %d is known among %s; uniform words stand in", p.o.Length, p.source.About))
	}
	var err error
	switch {
	case p.o.Method == KMeans:
		res.Merged = kmeans(q, p.tree, p.o.Clusters, sample.Rand(p.o.Seed, sample.Clusters))
		res.MergedStates = automaton.Trim(res.Merged).Len()
	case kappa == ChosenKappa:
		err = p.choose(q, res)
	default:
		if err = merge.CheckKappa(kappa); err == nil {
			err = p.merge(q, res, kappa)
		}
	}
	if err != nil {
		return nil, err
	}
	res.Times.Merge = lap(&clock)
	res.Merged = automaton.Trim(res.Merged)
	res.Automaton = automaton.Minimize(res.Merged)
	res.Times.Minimize = lap(&clock)
	return res, nil
}

// merge fills in the automaton that a threshold gives.
func (p *Prepared) merge(q *oracle.Inquiry, res *Result, kappa float64) error {
	// Thresholds are tried one after the other, and the collector waits until there is as much garbage as
	// there are states. To mark states takes no time: they hold no pointers.
	const large = 1 << 28
	if 4*len(p.tree.State.Data) >= large {
		runtime.GC()
	}
	rule := merge.Rule(p.o.Method)
	res.Options.Kappa = kappa
	res.Log = merge.Log(q.Context(), p.tree, merge.How{Rule: rule, Kappa: kappa, Order: p.o.Order}, p.order)
	if err := q.Err(); err != nil {
		return err
	}
	n := merge.Replay(p.tree, rule, res.Log)
	res.MergedStates = n.Reachable()
	d, err := automaton.DeterminizeUnder(q.Context(), n, p.o.Limit)
	if limit := (*automaton.LimitError)(nil); errors.As(err, &limit) {
		return fmt.Errorf("kappa %g: the %d states that merging leaves are nondeterministic, and making them "+
			"deterministic takes more than %d; a larger kappa, the method fold, or a larger limit may help: %w",
			kappa, res.MergedStates, p.o.Limit, err)
	}
	res.Merged = d
	return err
}

// Agreement returns on how many prefixes of fresh words, those that choose kappa, an
// automaton answers as the network does, and how many there are.
func (p *Prepared) Agreement(q *oracle.Inquiry, d *automaton.DFA) (agree, prefixes int, err error) {
	j, err := p.drawJudges(q)
	if err != nil {
		return 0, 0, err
	}
	agree, prefixes = j.Agree(d)
	return agree, prefixes, nil
}
