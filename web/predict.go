package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quotient/automaton"
	"quotient/draw"
	"quotient/learn/predictive"
	"quotient/oracle"
	"quotient/report"
	"quotient/study"
	"quotient/word"
)

// A speaks error says that a network is a language model, where a recognizer is asked for. The
// page then asks what such a network predicts.
type speaks struct{ name string }

func (e *speaks) Error() string {
	return e.name + " predicts the next symbol: it is a language model, and /api/predict and /api/next tell of these"
}

// decides returns an error if a request is about a language model.
func (s *Server) decides(r *http.Request) error {
	n, err := s.network(r.Context(), cmp.Or(r.URL.Query().Get("model"), defaultModel))
	if err == nil && n.model.Predicts() {
		err = badRequest{&speaks{n.Name}}
	}
	return err
}

// A spoken is what was extracted from a language model.
type spoken struct {
	*study.Spoken
	SVG string `json:"svg"` // empty if it is too large to be drawn
}

func (s *spoken) size() int64 {
	return int64(len(s.SVG)) + 24*int64(len(s.Automaton.Prob)) + 1<<14
}

// readSpoken reads the settings of an extraction from a language model, and their key.
func readSpoken(q url.Values) (o study.Options, key string, err error) {
	if o.Method = q.Get("method"); o.Method == "auto" {
		o.Method = ""
	}
	if _, err := predictive.Find(o.Method); err != nil {
		return o, "", badRequest{err}
	}
	o.Seed = 1
	if text := q.Get("seed"); text != "" {
		if o.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return o, "", badf("seed is %q, but it is a whole number", text)
		}
	}
	if q.Get("states") != "" {
		if o.States, err = count(q, "states", 0, maxSpoken); err != nil {
			return o, "", err
		}
	}
	return o, fmt.Sprint(q.Get("model"), " ", o.Method, " ", o.Seed, " ", o.States), nil
}

// spokenKey names the settings of a request.
func spokenKey(r *http.Request) string {
	_, key, _ := readSpoken(r.URL.Query())
	return key
}

// maxSpoken is how many states an automaton of the page has at most: more take minutes.
const maxSpoken = 60

// predicted extracts from a language model, or finds what was extracted before.
func (s *Server) predicted(r *http.Request) (*network, *spoken, error) {
	o, key, err := readSpoken(r.URL.Query())
	if err != nil {
		return nil, nil, err
	}
	n, err := s.network(r.Context(), r.URL.Query().Get("model"))
	if err != nil {
		return nil, nil, err
	}
	if !n.model.Predicts() {
		return nil, nil, badf("%s is a recognizer, and predicts no next symbol", n.Name)
	}
	res, err := s.spoken.Get(r.Context(), key, func(ctx context.Context) (*spoken, error) {
		const prefixes, times = 150_000, 40 // numbers of a prefix, beside those for each symbol
		done, err := s.compute(ctx, min(roomWork, 8*prefixes*int64(times+3*len(n.Symbols))), "")
		if err != nil {
			return nil, err
		}
		defer done()
		defer s.underway.Delete(key)
		o.Tell = func(states, words int) { s.underway.Store(key, sofar{states, words}) }
		p, err := study.Predict(ctx, n.model, o, nil)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		var limit *automaton.LimitError
		if err := draw.Probabilistic(&b, p.Automaton, draw.Options{Parts: true}); errors.As(err, &limit) {
			b.Reset()
		} else if err != nil {
			return nil, err
		}
		return &spoken{p, b.String()}, nil
	})
	return n, res, err
}

// predict serves an automaton of a language model.
func (s *Server) predict(r *http.Request) (*spoken, error) {
	_, res, err := s.predicted(r)
	return res, err
}

// A guess says what network and automaton expect after a prefix.
type guess struct {
	Symbol    string    `json:"symbol"` // the last of the prefix; empty for the empty word
	State     int       `json:"state"`
	Network   []float32 `json:"network"` // the probabilities of each symbol and, last, of the end
	Automaton []float64 `json:"automaton"`

	// Surprise is the negative logarithm of the probability that the network had given the
	// symbol, in bits; 0 for the empty word.
	Surprise float64 `json:"surprise"`
}

// mostSurprise stands for the surprise of what has no probability.
const mostSurprise = 100

// next reads a word, and says what both expect after each of its prefixes.
func (s *Server) next(r *http.Request) (any, error) {
	n, res, err := s.predicted(r)
	if err != nil {
		return nil, err
	}
	a := res.Automaton
	w, err := a.Alphabet.Parse(r.URL.Query().Get("word"))
	if err != nil {
		return nil, badRequest{err}
	}
	if len(w) > maxWord {
		return nil, badf("the word has %d symbols, and the page shows %d at most", len(w), maxWord)
	}
	q := oracle.Predict(r.Context(), n.model.Net)
	prefixes := make([]word.Word, len(w)+1)
	for i := range prefixes {
		prefixes[i] = w[:i]
	}
	said := q.Next(prefixes)
	if err := q.Err(); err != nil {
		return nil, err
	}
	rows, at := make([]guess, len(w)+1), a.Start
	for i := range rows {
		if i > 0 {
			at = a.Next(at, w[i-1])
			rows[i].Symbol = a.Alphabet.Name(w[i-1])
			rows[i].Surprise = min(mostSurprise, -math.Log2(float64(said.Row(i - 1)[w[i-1]])))
		}
		rows[i].State, rows[i].Network = int(at), said.Row(i)
		rows[i].Automaton = make([]float64, a.Alphabet.Len()+1)
		a.Distribution(rows[i].Automaton, at)
	}
	return struct {
		Word      string   `json:"word"`
		Symbols   []string `json:"symbols"`
		Network   float64  `json:"network"` // the probabilities of the word
		Automaton float64  `json:"automaton"`
		Rows      []guess  `json:"rows"`
	}{a.Alphabet.Format(w), a.Alphabet.Names(), math.Exp(oracle.LogProbability(said, w)), a.Probability(w), rows}, nil
}

// spokenReport is the report on a language model.
func (s *Server) spokenReport(r *http.Request) (*download, error) {
	n, res, err := s.predicted(r)
	if err != nil {
		return nil, err
	}
	d := &download{name: fileName(n) + ".html", kind: "text/html; charset=utf-8"}
	return d, report.Spoken{Spoken: res.Spoken, Version: s.o.Version}.Write(d)
}
