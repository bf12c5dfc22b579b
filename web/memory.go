package web

import (
	"context"
	"runtime"
	"sync"

	"quotient/extract"
	"quotient/learn/tally"
	"quotient/prefix"
)

// MemoryLimit is what whoever runs a server gives the runtime as its limit: with it the heap
// stays under 600 MB whatever is asked.
const MemoryLimit = 560 << 20

// What is kept and what is computed share one room. Work says beforehand what it takes and
// waits until that much is free; what is kept only to save time makes way for it.
const (
	roomAll  = 480 << 20
	roomWork = 352 << 20 // of it, for all that is computed at once
	small    = 16 << 20  // what work takes that keeps no states
)

// maxNumbers bounds the states of a prefix tree, which are kept twice.
const maxNumbers = 40 << 20

// A ration is memory that is given out.
type ration struct {
	turn  chan struct{} // held by who waits for more, so that much is not kept waiting by many who want little
	mu    sync.Mutex
	taken int64
	freed chan struct{} // closed when somebody gives back
}

func newRation() *ration {
	return &ration{turn: make(chan struct{}, 1), freed: make(chan struct{})}
}

// take waits until so many bytes can be had.
func (r *ration) take(ctx context.Context, bytes int64) error {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for {
		r.mu.Lock()
		freed := r.freed
		fits := r.taken+bytes <= roomWork
		if fits {
			r.taken += bytes
		}
		r.mu.Unlock()
		if fits {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (r *ration) giveBack(bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= bytes
	close(r.freed)
	r.freed = make(chan struct{})
}

func (r *ration) out() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken
}

// compute waits for a turn and for memory, so that many requests at once do not take the memory
// of many. The sample with the given key is what the work is about: it stays if it is there.
func (s *Server) compute(ctx context.Context, bytes int64, sample string) (done func(), err error) {
	bytes = min(bytes, roomWork)
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := s.memory.take(ctx, bytes); err != nil {
		<-s.slots
		return nil, err
	}
	s.makeRoom(roomAll-s.memory.out(), sample)
	return func() {
		s.memory.giveBack(bytes)
		<-s.slots
		s.makeRoom(roomAll, "")
	}, nil
}

// makeRoom drops what is kept until the rest takes no more than that many bytes, as far as it can be
// made again: samples first, which are largest.
func (s *Server) makeRoom(bytes int64, sample string) {
	before := s.kept()
	over := func(used int64) int64 { return max(0, used-max(0, s.kept()-bytes)) }
	s.samples.Shrink(over(s.samples.Used()), sample)
	s.networks.Shrink(over(s.networks.Used()), "")
	s.results.Shrink(over(s.results.Used()), "")
	s.pictures.Shrink(over(s.pictures.Used()), "")
	if before-s.kept() > small {
		runtime.GC() // now, and not when as much again has been asked for
	}
}

// kept returns how many bytes are kept.
func (s *Server) kept() int64 {
	return s.samples.Used() + s.networks.Used() + s.results.Used() + s.pictures.Used() + s.certificates.Used() + s.data.Used() + s.catalog.uploads.Used()
}

// need returns how many bytes an extraction with the given options takes at most, and the key of its sample.
// Methods that follow states keep those that they met with all successors; the others keep words.
func (s *Server) need(n *network, set settings, o extract.Options) (bytes int64, sample string) {
	tree := func(o extract.Options) int64 {
		return int64(o.TreeSymbols())*int64(8*n.Dim+perNode) + int64(o.Length)*guideStates*int64(8*len(n.Symbols)+perNode)
	}
	m, err := extract.Find(o.Method)
	if err == nil && m.Kind == extract.Merges {
		return tree(o) + small, set.sample(o)
	}
	if err == nil && m.Kind == extract.Counts {
		return small + 8*int64(min(tally.Prefixes(len(n.Symbols)), 1<<40))*int64(n.Dim+perNode/8), ""
	}
	folded := extract.Options{Method: extract.Fold, Data: o.Data}.Normal() // which is tried if the method is left open
	return 2*small + tree(folded) + 4*int64(len(n.Symbols))*int64(n.Dim)*int64(max(o.MaxStates, 100)), ""
}

// guideStates is how many states a rough automaton has at most from which valid words are drawn: for
// each of their lengths, where symbols lead is counted.
const guideStates = 512

// perNode is what a node of a prefix tree takes beside its state while it is merged, in bytes.
const perNode = 64

// withoutStates returns a tree without the network's states, which are most of it. Whoever wants them
// finds them in the prepared sample, or prepares it again.
func withoutStates(t *prefix.Tree) *prefix.Tree {
	bare := *t
	bare.State.Data, bare.State.Rows = nil, 0
	return &bare
}
