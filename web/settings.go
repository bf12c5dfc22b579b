package web

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"

	"quotient/extract"
	"quotient/language"
)

// Settings are all that an extraction depends on; data are named as they were sent. They stand in the query of a
// request and, by the same names, in the address of the page, so that an address
// reproduces what it shows.
type settings struct {
	model string
	extract.Options
	weights bool // the weighted automaton is looked at, not the finite one that was made of it
}

const defaultModel = "zoo:tomita5"

// MarshalJSON writes the settings that the page has controls for, with the defaults of those
// that mean nothing to the method.
func (s settings) MarshalJSON() ([]byte, error) {
	sample := extract.Options{Method: extract.Fold}.Normal()
	return json.Marshal(struct {
		Model   string  `json:"model"`
		Method  string  `json:"method"`
		Kappa   float64 `json:"kappa"` // 0: chosen by evidence
		Strings int     `json:"strings"`
		Length  int     `json:"length"`
		Seed    uint64  `json:"seed"`
		Data    string  `json:"data,omitempty"`
	}{s.model, s.Method, s.Kappa, cmp.Or(s.Strings, sample.Strings), cmp.Or(s.Length, sample.Length), s.Seed, s.Data})
}

// Bounds on what the page is asked for; the command line has none.
const (
	maxSample = 200_000 // strings × length
	maxStates = 1000
	maxLimit  = 200_000
)

// readSettings reads what the query says; prefix stands before every name. What means
// nothing to the method is left out, so that equal results have equal settings.
func readSettings(q url.Values, prefix string) (settings, error) {
	said := map[string]string{"method": q.Get(prefix + "method")}
	for _, s := range extract.Settings {
		if s.Name != "budget" { // networks of the page run here, where words cost nothing; disagree has a budget of its own
			said[s.Name] = q.Get(prefix + s.Name)
		}
	}
	o, err := extract.Read(said)
	if err != nil {
		return settings{}, badRequest{err}
	}
	s := settings{model: cmp.Or(q.Get(prefix+"model"), defaultModel), Options: o.Normal(), weights: q.Get(prefix+"as") == weighing}
	if s.WordsFrom != "" {
		if err := language.CheckName(s.WordsFrom); err != nil {
			return s, badRequest{err}
		}
	}
	if err := checkData(s.Data); err != nil {
		return s, err
	}
	if max(s.MaxStates, s.Clusters, s.Rank) > maxStates || s.Limit > maxLimit {
		return s, badf("this page extracts automata of at most %d states, and determinizes at most %d; the command line takes more", maxStates, maxLimit)
	}
	if s.Strings > maxSample || s.Length > maxSample || s.Strings*s.Length > maxSample {
		return s, badf("%d words of length %d are more than this page extracts from; the command line takes them", s.Strings, s.Length)
	}
	return s, nil
}

// count reads a whole number from 1 to most.
func count(q url.Values, name string, otherwise, most int) (int, error) {
	v := q.Get(name)
	if v == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > most {
		return 0, badf("%s is %q, but it is a whole number from 1 to %d", name, v, most)
	}
	return n, nil
}

// key names the settings; equal settings have equal keys.
func (s settings) key() string {
	text := strconv.Quote(s.model)
	if s.weights {
		text += " as " + weighing
	}
	for _, v := range s.Said() {
		text += " " + strconv.Quote(v.Name+"="+v.Text)
	}
	return text
}

// sample names what a prepared extraction with the given options depends on: all but kappa.
func (s settings) sample(o extract.Options) string {
	o.Kappa, o.Data = extract.ChosenKappa, s.Data
	return settings{model: s.model, Options: o}.key()
}
