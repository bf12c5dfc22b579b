package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"quotient/automaton"
	"quotient/draw"
	"quotient/extract"
	"quotient/prefix"
	"quotient/word"
)

// network opens a network, or finds it open.
func (s *Server) network(ctx context.Context, name string) (*network, error) {
	return s.networks.get(ctx, name, func(ctx context.Context) (*network, error) { return s.catalog.open(ctx, name) })
}

// asked returns the settings of a request, the network and the result.
func (s *Server) asked(r *http.Request) (settings, *network, *result, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return set, nil, nil, err
	}
	n, res, err := s.result(r.Context(), set)
	return set, n, res, err
}

// A result is an extraction with what the page shows of it.
type result struct {
	*extract.Result
	agree, fresh int               // of fresh words, or of their prefixes
	unit         string            // which of the two
	access       [][]word.Word     // of each state, the dead one too: a few shortest words that lead there
	of           []automaton.State // of each node of the tree, if there is one
	nodes        []int             // of the tree, for each state
	visits       []int             // how often the sample's words pass each state
}

func sampleSize(p *extract.Prepared) int64 {
	return 8*int64(len(p.Tree().State.Data)) + 64*int64(p.Tree().Len()) + 1<<20 // the tree twice, and the judges
}

// size counts what a result does not share with its prepared sample.
func (r *result) size() int64 {
	return int64(8*len(r.Log)+4*len(r.Merged.Table)+4*len(r.Automaton.Table)+4*len(r.of)) + int64(200*len(r.access)) + 4096
}

// maxNumbers bounds the states of a prefix tree: 256 MB of them, which are kept twice.
const maxNumbers = 1 << 26

// prepared returns the sample and the tree of the settings.
func (s *Server) prepared(ctx context.Context, n *network, set settings) (*extract.Prepared, error) {
	return s.samples.get(ctx, set.sample(), func(ctx context.Context) (*extract.Prepared, error) {
		done, err := s.compute(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		if n.states == nil {
			return nil, fmt.Errorf("%s: the method %s needs a network that shows its states, and this one does not: %s", n.Name, set.Method, n.Stateless)
		}
		if numbers := set.Strings * set.Length * n.Dim; numbers > maxNumbers {
			return nil, badf("%d words of length %d with states of %d numbers are more than this page extracts from; the command line takes them",
				set.Strings, set.Length, n.Dim)
		}
		return extract.Prepare(ctx, n.states, set.options())
	})
}

// result extracts, or finds what was extracted before.
func (s *Server) result(ctx context.Context, set settings) (*network, *result, error) {
	n, err := s.network(ctx, set.Model)
	if err != nil {
		return nil, nil, err
	}
	res, err := s.results.get(ctx, set.key(), func(ctx context.Context) (*result, error) {
		if set.Method.Samples() {
			return s.merged(ctx, n, set)
		}
		return s.found(ctx, n, set)
	})
	return n, res, err
}

// merged extracts from a sample that may be prepared already.
func (s *Server) merged(ctx context.Context, n *network, set settings) (*result, error) {
	p, err := s.prepared(ctx, n, set)
	if err != nil {
		return nil, err
	}
	done, err := s.compute(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := p.At(ctx, set.Kappa)
	if err != nil {
		return nil, err
	}
	r := newResult(found)
	r.agree, r.fresh, err = p.Agreement(r.Automaton)
	r.unit = "prefixes"
	return r, err
}

// A sofar says how far an extraction is.
type sofar struct {
	States int `json:"states"` // of the best automaton
	Words  int `json:"words"`  // that the network was asked about
}

// found extracts by a method that finds its words by itself.
func (s *Server) found(ctx context.Context, n *network, set settings) (*result, error) {
	done, err := s.compute(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	o := set.options()
	o.Tell = func(states, words int) { s.underway.Store(set.key(), sofar{states, words}) }
	defer s.underway.Delete(set.key())
	found, err := extract.Run(ctx, n.net, o)
	if err != nil {
		return nil, err
	}
	if found.Automaton == nil {
		return nil, newInfinite(found, set.command(n))
	}
	r := newResult(found)
	r.unit = "words"
	const words, longest = 1000, 50
	sample, err := r.Sampler.Draw(words, 0, longest, rand.New(rand.NewPCG(set.Seed, streamFresh)))
	if err != nil {
		return nil, err
	}
	r.fresh = len(sample.Words)
	for i, accept := range prefix.Accepts(n.net, sample.Words) {
		if r.Automaton.Accepts(sample.Words[i]) == accept {
			r.agree++
		}
	}
	return r, nil
}

// infinite is the error that an extraction found no finite automaton, which is what
// the page is about. It has the picture of what was found.
type infinite struct {
	text, svg string
}

func (e *infinite) Error() string { return e.text }

func newInfinite(found *extract.Result, command string) error {
	e := &infinite{text: "what was found is no finite automaton; the command line tells more: " + command}
	if found.Counter == nil {
		return e
	}
	e.text = "an automaton with a counter, which this page only draws; the command line tells more: " + command
	var b strings.Builder
	if err := draw.Counter(&b, found.Counter.Automaton, draw.Options{Parts: true}); err != nil {
		return err
	}
	e.svg = b.String()
	return e
}

// streamFresh is the stream of random numbers of the words that a result is first
// judged by.
const streamFresh = 101

func newResult(found *extract.Result) *result {
	r := &result{Result: found}
	d := r.Automaton
	r.access = make([][]word.Word, d.Len()+1)
	for q, w := range d.AccessWords(3) {
		r.access[q] = append(r.access[q], w)
	}
	r.nodes, r.visits = make([]int, d.Len()+1), make([]int, d.Len()+1)
	if r.Tree != nil {
		r.of = statesOf(d, r.Tree)
		for n, q := range r.of {
			r.nodes[q]++
			r.visits[q] += int(r.Tree.Count[n])
		}
	}
	return r
}

// statesOf returns to which state of an automaton each node of a tree leads.
func statesOf(d *automaton.DFA, t *prefix.Tree) []automaton.State {
	of := make([]automaton.State, t.Len())
	of[0] = d.Start
	for n := 1; n < len(of); n++ {
		of[n] = d.Next(of[t.Parent[n]], t.On[n])
	}
	return of
}
