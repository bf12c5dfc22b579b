package paper

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"quotient/automaton"
	"quotient/extract"
	"quotient/language"
	"quotient/prefix"
	"quotient/word"
)

// Options say how to measure.
type Options struct {
	Seed     uint64                // of the first sample; the others follow
	Threads  int                   // 0: one for every core
	Progress func(done, total int) // called after each case, one call at a time, if not nil
}

// The held-out set of the paper: "1,000 strings of uniform random length between 0
// and 50". Half of them are valid, as in its training sets.
const (
	heldOut     = 1000
	heldOutHigh = 50
	heldOutSeed = 1000 // stream of random numbers, apart from those of package extract
)

// Measure runs all cases, each different one once.
func Measure(ctx context.Context, nets Networks, cases []Case, o Options) (Results, error) {
	if err := nets.check(); err != nil {
		return nil, err
	}
	b := newBench(nets, o.Seed)
	seen := map[Case]bool{}
	var todo []Case
	for _, c := range cases {
		if !seen[c] {
			seen[c] = true
			todo = append(todo, c)
			b.place(c)
		}
	}
	threads := o.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	outcomes, errs := make([]Outcome, len(todo)), make([]error, len(todo))
	next := make(chan int)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range min(threads, len(todo)) {
		wg.Go(func() {
			for i := range next {
				outcomes[i], errs[i] = b.run(ctx, todo[i])
				if errs[i] != nil {
					stop()
					continue
				}
				mu.Lock()
				if done++; o.Progress != nil {
					o.Progress(done, len(todo))
				}
				mu.Unlock()
			}
		})
	}
	for i := range todo {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if err := first(ctx, todo, errs); err != nil {
		return nil, err
	}
	results := Results{}
	for i, c := range todo {
		results[c] = outcomes[i]
	}
	return results, nil
}

// first returns the first error that is not only due to another's having stopped
// everything.
func first(ctx context.Context, todo []Case, errs []error) error {
	for i, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("%s, %s: %w", todo[i].Language, todo[i].Method, err)
		}
	}
	return ctx.Err()
}

// A bench holds what cases share: each network with its answers on the held-out
// words. It is prepared by whoever needs it first.
type bench struct {
	nets   Networks
	seed   uint64
	places map[place]func() (*subject, error)
}

type place struct {
	language string
	epoch    int
}

// A subject is a network that is ready to be extracted from.
type subject struct {
	Network
	target  *automaton.DFA // over the network's alphabet
	sampler *prefix.Sampler
	words   []word.Word // held out
	labels  []bool      // the network's answers
	right   float64     // the share of them that the target gives, too
	accepts float64     // the share of them that is yes
}

func newBench(nets Networks, seed uint64) *bench {
	return &bench{nets, seed, map[place]func() (*subject, error){}}
}

// place makes room for a case. It must not run together with the other methods.
func (b *bench) place(c Case) {
	at := place{c.Language, c.Epoch}
	if b.places[at] == nil {
		b.places[at] = sync.OnceValues(func() (*subject, error) { return b.prepare(at) })
	}
}

func (b *bench) prepare(at place) (*subject, error) {
	net, err := b.nets.Open(at.language, at.epoch)
	if err != nil {
		return nil, err
	}
	s := &subject{Network: net}
	if s.target, err = loadTarget(net, at.language); err != nil {
		return nil, err
	}
	if s.sampler, err = prefix.FromLanguage(net, at.language, s.target); err != nil {
		return nil, err
	}
	sample, err := s.sampler.Draw(heldOut, 0, heldOutHigh, rand.New(rand.NewPCG(b.seed, heldOutSeed)))
	if err != nil {
		return nil, err
	}
	s.words = sample.Words
	for _, labels := range prefix.Labels(net, s.words) {
		yes := labels[len(labels)-1]
		s.labels = append(s.labels, yes)
		if yes {
			s.accepts += 1. / heldOut
		}
	}
	s.right = s.accuracy(s.target)
	return s, nil
}

// loadTarget returns the minimal automaton of a language over a network's alphabet.
func loadTarget(net Network, name string) (*automaton.DFA, error) {
	loaded, err := language.Load(language.Options{Symbols: net.Alphabet().Names()}, name)
	if err != nil {
		return nil, err
	}
	return automaton.Minimize(loaded[0]), nil
}

// accuracy returns the share of the held-out words on which automaton and network
// agree.
func (s *subject) accuracy(d *automaton.DFA) float64 {
	agree := 0
	for i, w := range s.words {
		if d.Accepts(w) == s.labels[i] {
			agree++
		}
	}
	return float64(agree) / float64(len(s.words))
}

func (b *bench) run(ctx context.Context, c Case) (Outcome, error) {
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	s, err := b.places[place{c.Language, c.Epoch}]()
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Network: s.right, Accepts: s.accepts, Norm: s.Norm}
	res, err := extract.Run(ctx, s, extract.Options{
		Method: c.Method, Kappa: c.Kappa, Strings: c.Strings, Length: c.Length,
		Seed: b.seed + uint64(c.Sample), Sampler: s.sampler,
	})
	if limit := (*automaton.LimitError)(nil); errors.As(err, &limit) {
		out.Failed = limit.Error()
		return out, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	out.Accuracy = s.accuracy(res.Automaton)
	out.Nodes, out.Tree = res.Tree.Len(), s.accuracy(res.Tree.DFA())
	out.Merged, out.States = res.MergedStates, res.Automaton.Len()
	out.Exact = res.Automaton.Equal(s.target)
	if c.Method != extract.KMeans {
		out.Kappa = res.Options.Kappa
	}
	out.Saturation = res.Saturation.Mean
	return out, nil
}
