package paper

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"quotient/automaton"
	"quotient/language"
	"quotient/sweep"
)

// Options say how to measure.
type Options struct {
	Seed     uint64                // of the first sample; the others follow
	Threads  int                   // 0: one for every core
	Progress func(done, total int) // called after each case, one call at a time, if not nil

	// Run runs cases in place of this process, if it is not nil.
	Run func(ctx context.Context, cases []Case, progress func(done, total int)) (Results, error)
}

// The held-out set of the paper: "1,000 strings of uniform random length between 0
// and 50". Half of them are valid, as in its training sets.
const (
	heldOut     = 1000
	heldOutHigh = 50
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
	if o.Run != nil {
		return o.Run(ctx, todo, o.Progress)
	}
	outcomes, err := b.all(ctx, todo, o)
	if err != nil {
		return nil, err
	}
	results := Results{}
	for i, c := range todo {
		results[c] = outcomes[i]
	}
	return results, nil
}

// all runs the cases on several threads, and stops at the first error.
func (b *bench) all(ctx context.Context, todo []Case, o Options) ([]Outcome, error) {
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
	return outcomes, first(ctx, todo, errs)
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
	places map[place]func() (*sweep.Specimen, error)
}

type place struct {
	language string
	epoch    int
}

func newBench(nets Networks, seed uint64) *bench {
	return &bench{nets, seed, map[place]func() (*sweep.Specimen, error){}}
}

// place makes room for a case. It must not run together with the other methods.
func (b *bench) place(c Case) {
	at := place{c.Language, c.Epoch}
	if b.places[at] == nil {
		b.places[at] = sync.OnceValues(func() (*sweep.Specimen, error) {
			net, err := b.nets.Open(c.Language, c.Epoch)
			if err != nil {
				return nil, err
			}
			return sweep.NewSpecimen(net, net.Norm, c.Language, c.Extraction(b.seed))
		})
	}
}

func (b *bench) run(ctx context.Context, c Case) (Outcome, error) {
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	s, err := b.places[place{c.Language, c.Epoch}]()
	if err != nil {
		return Outcome{}, err
	}
	out, err := s.Measure(ctx, c.Extraction(b.seed))
	if err != nil {
		return Outcome{}, err
	}
	return NewOutcome(out), nil
}

// Extraction returns the case as a task of a sweep has it. The seed is that of the first
// sample.
func (c Case) Extraction(seed uint64) sweep.Extraction {
	return sweep.Extraction{
		Epoch: c.Epoch, Method: c.Method, Kappa: c.Kappa, Strings: c.Strings, Length: c.Length,
		WordsFrom: sweep.FromLanguage, HeldOut: heldOut, HeldOutLength: heldOutHigh, HeldOutSeed: seed,
		Seed: seed + uint64(c.Sample),
	}
}

// NewOutcome returns what a sweep made of a case.
func NewOutcome(o *sweep.Outcome) Outcome {
	return Outcome{
		Accuracy: o.Accuracy, Nodes: o.Nodes, Tree: o.Tree, Merged: o.Merged, States: o.States,
		Exact: o.Exact != nil && *o.Exact, Kappa: o.Kappa, Failed: o.Failed,
		Network: o.Network, Accepts: o.Accepts, Norm: o.Norm, Saturation: o.Saturation,
	}
}

// loadTarget returns the minimal automaton of a language over a network's alphabet.
func loadTarget(net Network, name string) (*automaton.DFA, error) {
	loaded, err := language.Load(language.Options{Symbols: net.Alphabet().Names()}, name)
	if err != nil {
		return nil, err
	}
	return automaton.Minimize(loaded[0]), nil
}
