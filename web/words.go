package web

import (
	"context"
	"math/rand/v2"
	"net/http"

	"quotient/automaton"
	"quotient/extract"
	"quotient/faith"
	"quotient/word"
)

// maxWord bounds the words that are tried.
const maxWord = 1000

// A row says what network and automaton think of a prefix.
type row struct {
	Symbol      string  `json:"symbol"` // its last; empty for the empty word
	Probability float32 `json:"probability"`
	Network     bool    `json:"network"`
	State       int     `json:"state"`
	Automaton   bool    `json:"automaton"`
}

// word runs a word through both, a row for each prefix.
func (s *Server) word(r *http.Request) (any, error) {
	_, n, res, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	a := res.Automaton.Alphabet
	w, err := a.Parse(r.URL.Query().Get("word"))
	if err != nil {
		return nil, badRequest{err}
	}
	if len(w) > maxWord {
		return nil, badf("the word has %d symbols, and the page shows %d at most", len(w), maxWord)
	}
	rows, prefixes := make([]row, len(w)+1), make([]word.Word, len(w)+1)
	for i := range prefixes {
		prefixes[i] = w[:i]
	}
	q := res.Automaton.Start
	for i, p := range n.net.Probabilities(prefixes) {
		if i > 0 {
			q = res.Automaton.Next(q, w[i-1])
			rows[i].Symbol = a.Name(w[i-1])
		}
		rows[i].Probability, rows[i].Network = p, p > 0.5
		rows[i].State, rows[i].Automaton = int(q), res.Automaton.Accept[q]
	}
	return struct {
		Word string `json:"word"`
		Rows []row  `json:"rows"`
	}{a.Format(w), rows}, nil
}

// compare tells the automata of two settings apart; the names of the second begin
// with "b.".
func (s *Server) compare(r *http.Request) (any, error) {
	q := r.URL.Query()
	var both [2]*automaton.DFA
	for i, prefix := range []string{"", "b."} {
		set, err := readSettings(q, prefix)
		if err != nil {
			return nil, err
		}
		_, res, err := s.result(r.Context(), set)
		if err != nil {
			return nil, err
		}
		both[i] = res.Automaton
	}
	common, err := both[0].Alphabet.Union(both[1].Alphabet)
	if err != nil {
		return nil, badRequest{err}
	}
	for i := range both {
		if both[i], err = both[i].WithAlphabet(common); err != nil {
			return nil, badRequest{err}
		}
	}
	v := struct {
		Equal bool    `json:"equal"`
		Word  *string `json:"word"` // a shortest that tells them apart; null if none does
		A     bool    `json:"a_accepts"`
		B     bool    `json:"b_accepts"`
	}{Equal: true}
	if w, differ := automaton.Distinguish(both[0], both[1]); differ {
		text := common.Format(w)
		v.Equal, v.Word, v.A, v.B = false, &text, both[0].Accepts(w), both[1].Accepts(w)
	}
	return v, nil
}

// streamCheck is the stream of random numbers of the certificate, the one of the
// command line: the same settings give the same certificate.
const streamCheck = 100

// check measures how far automaton and network agree.
func (s *Server) check(r *http.Request, tell func(any)) (any, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	rep, shortest, err := s.certify(r.Context(), set)
	if err != nil {
		return nil, err
	}
	return struct {
		*faith.Report
		Shortest *string `json:"shortest_disagreement"`
	}{rep, shortest}, nil
}

// certify returns the report for the settings, and the shortest disagreement if one
// was found.
func (s *Server) certify(ctx context.Context, set settings) (*faith.Report, *string, error) {
	n, res, err := s.result(ctx, set)
	if err != nil {
		return nil, nil, err
	}
	done, err := s.compute(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	o := faith.Options{Known: res.Exceptions}
	if res.Explored != nil { // it promises agreement on words of these lengths
		o.Low, o.High = res.Options.Explore.Low, res.Options.Explore.High
	}
	rep, err := faith.Check(ctx, n.net, res.Automaton, res.Sampler, o, rand.New(rand.NewPCG(set.Seed, streamCheck)))
	if err != nil || !rep.Found {
		return rep, nil, err
	}
	text := res.Automaton.Alphabet.Format(rep.Shortest)
	return rep, &text, nil
}

// disagree looks for a word on which network and automaton differ.
func (s *Server) disagree(r *http.Request, tell func(any)) (any, error) {
	budget, err := count(r.URL.Query(), "budget", 20_000, 1_000_000)
	if err != nil {
		return nil, err
	}
	set, n, res, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	done, err := s.compute(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	v := struct {
		Word   *string `json:"word"` // null: none was found
		Looked int     `json:"looked"`
	}{}
	w, found, err := faith.Find(r.Context(), n.net, res.Automaton, res.Sampler, budget, rand.New(rand.NewPCG(set.Seed, streamCheck)),
		func(p faith.Progress) { v.Looked = p.Looked; tell(p) })
	if err != nil {
		return nil, err
	}
	if found {
		text := res.Automaton.Alphabet.Format(w)
		v.Word = &text
	}
	return v, nil
}

// An epochView is what extraction gives after an epoch of training.
type epochView struct {
	Epoch  int    `json:"epoch"`
	Merged int    `json:"merged_states"`
	States int    `json:"states"`
	Agree  int    `json:"agree"` // of so many fresh words or prefixes
	Fresh  int    `json:"fresh"`
	Failed string `json:"failed,omitempty"` // why nothing came of it
}

// epochs extracts after every epoch of a run, with the same settings. What grows
// simpler as training goes on is what merging leaves, so a method that is left open
// is one that merges.
func (s *Server) epochs(r *http.Request, tell func(any)) (any, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	n, err := s.network(r.Context(), set.Model)
	if err != nil {
		return nil, err
	}
	if set.Method == extract.Best {
		set.Method = extract.Fold
	}
	base := withoutEpoch(set.Model)
	for _, epoch := range n.Epochs {
		set.Model = atEpoch(base, epoch)
		v := epochView{Epoch: epoch}
		_, res, err := s.result(r.Context(), set)
		switch {
		case r.Context().Err() != nil:
			return nil, context.Cause(r.Context())
		case err != nil:
			v.Failed = err.Error()
		default:
			v.Merged, v.States, v.Agree, v.Fresh = res.MergedStates, res.Automaton.Len(), res.agree, res.fresh
		}
		tell(v)
	}
	return struct {
		Epochs int `json:"epochs"`
	}{len(n.Epochs)}, nil
}
