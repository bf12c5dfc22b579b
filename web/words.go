package web

import (
	"context"
	"net/http"

	"quotient/automaton"
	"quotient/extract"
	"quotient/faith"
	"quotient/model"
	"quotient/oracle"
	"quotient/study"
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

	Counter *int     `json:"counter,omitempty"` // of an automaton that counts
	Value   *float64 `json:"value,omitempty"`   // of one with weights
}

// word runs a word through both, a row for each prefix.
func (s *Server) word(r *http.Request) (any, error) {
	_, n, res, err := s.askedAny(r)
	if err != nil {
		return nil, err
	}
	a := res.Alphabet()
	w, err := a.Parse(r.URL.Query().Get("word"))
	if err != nil {
		return nil, badRequest{err}
	}
	if len(w) > maxWord {
		return nil, badf("the word has %d symbols, and the page shows %d at most", len(w), maxWord)
	}
	rows, prefixes := res.run(w), make([]word.Word, len(w)+1)
	for i := range prefixes {
		prefixes[i] = w[:i]
	}
	ask := oracle.Ask(r.Context(), n.model.Net)
	for i, p := range ask.Probabilities(prefixes) {
		rows[i].Probability, rows[i].Network = p, p > oracle.Threshold
	}
	if err := ask.Err(); err != nil {
		return nil, err
	}
	return struct {
		Word string `json:"word"`
		Rows []row  `json:"rows"`
	}{a.Format(w), rows}, nil
}

// A pair is a state of each of two automata; same if the same words are accepted from both.
type pair struct {
	A    int  `json:"a"`
	B    int  `json:"b"`
	Same bool `json:"same"`
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
		both[i] = res.d
	}
	t, err := study.Compare("", both[0], both[1])
	if err != nil {
		return nil, badRequest{err}
	}
	v := struct {
		Equal   bool    `json:"equal"`
		Word    *string `json:"word"` // a shortest that tells them apart; null if none does
		A       bool    `json:"a_accepts"`
		B       bool    `json:"b_accepts"`
		Matched []pair  `json:"matched"` // states that stand for each other; null over different alphabets
	}{t.Equal, t.Witness, t.Accepts, !t.Equal && !t.Accepts, nil}
	if both[0].Alphabet.Equal(both[1].Alphabet) {
		v.Matched = []pair{}
		for _, p := range automaton.Match(both[0], both[1]) {
			v.Matched = append(v.Matched, pair{int(p.A), int(p.B), p.Same})
		}
	}
	return v, nil
}

// check measures how far automaton and network agree.
func (s *Server) check(r *http.Request, tell func(any)) (any, error) {
	whole, err := s.study(r)
	if err != nil {
		return nil, err
	}
	return whole.Agreement, nil
}

// disagree looks for a word on which network and automaton differ.
func (s *Server) disagree(r *http.Request, tell func(any)) (any, error) {
	budget, err := count(r.URL.Query(), "budget", 20_000, 1_000_000)
	if err != nil {
		return nil, err
	}
	_, n, res, err := s.askedAny(r)
	if err != nil {
		return nil, err
	}
	d := res.d
	if d == nil {
		d = res.Result.Unrolled // what stands for an automaton with a counter
	}
	if d == nil {
		return nil, badf("the search looks along the states of an automaton, and a weighted one is in all of them at once; the certificate has what disagreements are known")
	}
	done, err := s.compute(r.Context(), small, "")
	if err != nil {
		return nil, err
	}
	defer done()
	v := struct {
		Word   *string `json:"word"` // null: none was found
		Looked int     `json:"looked"`
	}{}
	o := faith.Options{Source: res.Result.Source, Seed: res.Seed, Search: budget}
	w, found, err := faith.Find(oracle.Ask(r.Context(), n.model.Net), d, o, func(p faith.Progress) { v.Looked = p.Looked; tell(p) })
	if err != nil {
		return nil, err
	}
	if found {
		text := d.Alphabet.Format(w)
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
	n, err := s.network(r.Context(), set.model)
	if err != nil {
		return nil, err
	}
	if set.Method == extract.Best {
		set.Method = extract.Fold
		set.Options = set.Normal()
	}
	base := model.WithoutEpoch(set.model)
	for _, epoch := range n.Epochs {
		set.model = model.AtEpoch(base, epoch)
		v := epochView{Epoch: epoch}
		_, res, err := s.result(r.Context(), set)
		switch {
		case r.Context().Err() != nil:
			return nil, context.Cause(r.Context())
		case err != nil:
			v.Failed = err.Error()
		default:
			v.Merged, v.States, v.Agree, v.Fresh = res.MergedStates, res.States, res.agree, res.fresh
		}
		tell(v)
	}
	return struct {
		Epochs int `json:"epochs"`
	}{len(n.Epochs)}, nil
}
