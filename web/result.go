package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"quotient/automaton"
	"quotient/extract"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/sample"
	"quotient/study"
	"quotient/word"
)

// network opens a network, or finds it open.
func (s *Server) network(ctx context.Context, name string) (*network, error) {
	return s.networks.Get(ctx, name, func(ctx context.Context) (*network, error) { return s.catalog.open(ctx, name) })
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

// askedAny is asked, also if what was found is not finite.
func (s *Server) askedAny(r *http.Request) (settings, *network, *result, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return set, nil, nil, err
	}
	n, res, err := s.found(r.Context(), set)
	return set, n, res, err
}

// A result is a study, without its certificate, and what the page shows beside it.
type result struct {
	*study.Study
	d            *automaton.DFA    // nil if it is not finite: see infinite.go
	agree, fresh int               // of fresh words, or of their prefixes
	unit         string            // which of the two
	drawn        string            // how these words were drawn, in words
	access       [][]word.Word     // of each state, the dead one too: a few shortest words that lead there
	of           []automaton.State // of each node of the tree, if there is one
	nodes        []int             // of the tree, for each state
	visits       []int             // how often the sample's words pass each state
}

func sampleSize(p *extract.Prepared) int64 {
	return 8*int64(len(p.Tree().State.Data)) + 64*int64(p.Tree().Len()) + 1<<20 // the tree twice, and the judges
}

// size counts what a result keeps alive.
func (r *result) size() int64 {
	size := int64(1 << 12)
	words := r.Result.Sample.Words
	if d := r.Result.Data; d != nil {
		words = slices.Concat(words, d.Seeds, d.Held.Words)
	}
	for _, w := range words {
		size += int64(2*len(w)) + 24
	}
	if t := r.Result.Tree; t != nil {
		size += int64(16 * t.Len())
	}
	if r.d == nil {
		return size
	}
	for _, t := range r.Result.Trials {
		size += int64(t.States+1) * int64(4*r.d.Alphabet.Len()+1)
	}
	return size + int64(8*len(r.Result.Log)+4*len(r.Result.Merged.Table)+4*len(r.d.Table)+4*len(r.of)) + int64(200*len(r.access))
}

// prepared returns the sample and the tree of options that settings led to.
func (s *Server) prepared(ctx context.Context, n *network, set settings, o extract.Options) (*extract.Prepared, error) {
	return s.samples.Get(ctx, set.sample(o), func(ctx context.Context) (*extract.Prepared, error) {
		if n.Stateless != "" {
			return nil, fmt.Errorf("%s: the method %s needs a network that shows its states, and this one does not: %s", n.Name, o.Method, n.Stateless)
		}
		if numbers := o.TreeSymbols() * n.Dim; numbers > maxNumbers {
			return nil, badf("%d words of length %d with states of %d numbers are more than this page extracts from; the command line takes them",
				o.Strings, o.Length, n.Dim)
		}
		return extract.Prepare(oracle.Ask(ctx, n.model.Net), o)
	})
}

// options returns the settings as a study takes them: it compares with the language that the
// network was trained on, uses samples that are there, and says how far it is.
func (s *Server) options(ctx context.Context, n *network, set settings) (study.Options, error) {
	o := study.Options{Target: n.Language}
	var err error
	if o.Options, err = s.withData(ctx, n, set.Options); err != nil {
		return o, err
	}
	if n.model.Run != nil {
		o.Language = n.model.Run.Language
	}
	key := set.key()
	o.Tell = func(states, words int) { s.underway.Store(key, sofar{states, words}) }
	o.Prepare = func(q *oracle.Inquiry, o extract.Options) (*extract.Prepared, error) {
		return s.prepared(q.Context(), n, set, o)
	}
	return o, nil
}

// result returns a result with a finite automaton, which is what the page is about.
func (s *Server) result(ctx context.Context, set settings) (*network, *result, error) {
	n, res, err := s.found(ctx, set)
	if err == nil && res.d == nil {
		return n, nil, fmt.Errorf("the method %s found no finite automaton, which is needed here", res.Method)
	}
	return n, res, err
}

// found extracts, or finds what was extracted before.
func (s *Server) found(ctx context.Context, set settings) (*network, *result, error) {
	n, err := s.network(ctx, set.model)
	if err != nil {
		return nil, nil, err
	}
	if n.model.Predicts() {
		return nil, nil, badRequest{&speaks{n.Name}}
	}
	if set.weights {
		res, err := s.weighted(ctx, n, set)
		return n, res, err
	}
	res, err := s.results.Get(ctx, set.key(), func(ctx context.Context) (*result, error) {
		bytes, sample := s.need(n, set, set.Options)
		if bytes > roomWork {
			return nil, badf("the method %s takes up to %d MB with these settings on this network, and this page has %d; the command line has more", set.Method, bytes>>20, int64(roomWork>>20))
		}
		done, err := s.compute(ctx, bytes, sample)
		if err != nil {
			return nil, err
		}
		defer done()
		defer s.underway.Delete(set.key())
		o, err := s.options(ctx, n, set)
		if err != nil {
			return nil, err
		}
		found, err := study.Extract(ctx, n.model, o)
		if err != nil {
			return nil, err
		}
		r := &result{Study: found}
		if found.Result.Automaton != nil {
			r = newResult(found)
		}
		err = s.judge(ctx, n, set, r)
		if t := found.Result.Tree; t != nil {
			found.Result.Tree = withoutStates(t)
		}
		return r, err
	})
	return n, res, err
}

// A sofar says how far an extraction is.
type sofar struct {
	States int `json:"states"` // of the best automaton
	Words  int `json:"words"`  // that the network was asked about
}

// judge says on how many fresh words, or prefixes of those that chose kappa, network and
// automaton agree: a first impression, before anybody asks for the certificate.
func (s *Server) judge(ctx context.Context, n *network, set settings, r *result) (err error) {
	q := oracle.Ask(ctx, n.model.Net)
	if r.Result.Tree != nil {
		r.unit, r.drawn = "prefixes", "all prefixes of words that are drawn as the sample is, and are up to five times as long"
		if r.Data != nil {
			r.drawn += ", and of words of " + r.Data.File
		}
		p, err := s.prepared(ctx, n, set, r.Result.Options)
		if err == nil {
			r.agree, r.fresh, err = p.Agreement(q, r.d)
		}
		return err
	}
	const words = 1000
	o := r.Checking() // as the certificate draws them
	o.High = cmp.Or(o.High, 50)
	r.unit, r.drawn = "words", fmt.Sprintf("lengths uniform from %d to %d, half of them uniform words, half %s", o.Low, o.High, o.Source.About)
	drawn, err := o.Source.Draw(q, words, o.Low, o.High, sample.Rand(r.Seed, sample.Fresh))
	if err != nil {
		return err
	}
	r.agree, r.fresh = q.Label(drawn.Words).Agree(r.Result.Acceptor()), len(drawn.Words)
	return q.Err()
}

func newResult(found *study.Study) *result {
	d := found.Result.Automaton
	r := &result{Study: found, d: d, access: make([][]word.Word, d.Len()+1), nodes: make([]int, d.Len()+1), visits: make([]int, d.Len()+1)}
	for q, w := range d.AccessWords(3) {
		r.access[q] = append(r.access[q], w)
	}
	if t := found.Result.Tree; t != nil {
		r.of = statesOf(d, t)
		for n, q := range r.of {
			r.nodes[q]++
			r.visits[q] += int(t.Count[n])
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
