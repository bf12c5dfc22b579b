package web

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quotient/explore"
	"quotient/extract"
	"quotient/merge"
	"quotient/report"
)

// Settings are all that an extraction depends on. They stand in the query of a
// request and, by the same names, in the address of the page, so that an address
// reproduces what it shows.
type settings struct {
	Model   string         `json:"model"`
	Method  extract.Method `json:"method"`
	Kappa   float64        `json:"kappa"` // 0: chosen by evidence
	Strings int            `json:"strings"`
	Length  int            `json:"length"`
	Seed    uint64         `json:"seed"`
}

// Defaults of the command line, which are those of the page too.
var defaults = settings{Model: "zoo:tomita5", Method: extract.Best, Strings: 300, Length: 10, Seed: 1}

// methods returns all that can be asked for, the default first.
func methods() []extract.Method {
	return append([]extract.Method{defaults.Method}, extract.Methods...)
}

// maxSample bounds strings × length of what the page extracts from: larger samples
// take the command line.
const maxSample = 200_000

// readSettings reads what the query says; prefix stands before every name.
func readSettings(q url.Values, prefix string) (settings, error) {
	s := defaults
	if v := q.Get(prefix + "model"); v != "" {
		s.Model = v
	}
	if v := q.Get(prefix + "method"); v != "" {
		s.Method = extract.Method(v)
	}
	if v := q.Get(prefix + "kappa"); v != "" && v != "auto" {
		var err error
		if s.Kappa, err = strconv.ParseFloat(v, 64); err != nil {
			return s, badf("kappa is %q, but it is a number in (0, 2], or auto", v)
		}
		if err := merge.CheckKappa(s.Kappa); err != nil {
			return s, badRequest{err}
		}
	}
	var err error
	if s.Strings, err = count(q, prefix+"strings", s.Strings, maxSample); err != nil {
		return s, err
	}
	if s.Length, err = count(q, prefix+"length", s.Length, maxSample); err != nil {
		return s, err
	}
	if s.Strings*s.Length > maxSample {
		return s, badf("%d words of length %d are more than this page extracts from; the command line takes them", s.Strings, s.Length)
	}
	if v := q.Get(prefix + "seed"); v != "" {
		if s.Seed, err = strconv.ParseUint(v, 10, 64); err != nil {
			return s, badf("seed is %q, but it is a whole number from 0 on", v)
		}
	}
	if s.Method == extract.Best && (s.Strings != defaults.Strings || s.Length != defaults.Length) {
		s.Method = extract.Fold // what is said of the sample is meant, as on the command line
	}
	return s.meant(), nil
}

// meant returns the settings with the defaults in place of those that change nothing
// for the method: so equal results have equal settings, and the command line, which
// refuses such flags, is not given them.
func (s settings) meant() settings {
	switch s.Method {
	case extract.Best, extract.Fold, extract.Union, extract.Keep, extract.Explore:
	default:
		s.Kappa = extract.Auto
	}
	switch s.Method {
	case extract.Fold, extract.Union, extract.Keep, extract.KMeans, extract.RPNI, extract.EDSM, extract.RPNIStar:
	default:
		s.Strings, s.Length = defaults.Strings, defaults.Length
	}
	return s
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

// options returns the settings as package extract takes them. Methods that do not
// merge a sample know best how many words they want, unless they are told.
func (s settings) options() extract.Options {
	o := extract.Options{
		Method: s.Method, Kappa: s.Kappa, Strings: s.Strings, Length: s.Length, Seed: s.Seed,
		Explore: explore.Options{High: 30, MaxStates: 200, Time: 30 * time.Second}, // as on the command line
	}
	if !s.Method.Samples() && s.Strings == defaults.Strings {
		o.Strings = 0
	}
	if !s.Method.Samples() && s.Length == defaults.Length {
		o.Length = 0
	}
	return o
}

// key names the settings; equal settings have equal keys.
func (s settings) key() string {
	return fmt.Sprintf("%q %s %v %d %d %d", s.Model, s.Method, s.Kappa, s.Strings, s.Length, s.Seed)
}

// sample names what a prepared extraction depends on: all but kappa.
func (s settings) sample() string {
	s.Kappa = 0
	return s.key()
}

// command returns the command line that extracts the same automaton.
func (s settings) command(n *network) string {
	words := []string{"quotient", "extract", report.Quote(n.argument)}
	words = append(words, n.flags...)
	flag := func(name, value string, differs bool) {
		if differs {
			words = append(words, "--"+name, value)
		}
	}
	flag("method", string(s.Method), s.Method != defaults.Method)
	flag("kappa", strconv.FormatFloat(s.Kappa, 'g', -1, 64), s.Kappa != extract.Auto)
	flag("strings", strconv.Itoa(s.Strings), s.Strings != defaults.Strings)
	flag("length", strconv.Itoa(s.Length), s.Length != defaults.Length)
	flag("seed", strconv.FormatUint(s.Seed, 10), s.Seed != defaults.Seed)
	return strings.Join(words, " ")
}
