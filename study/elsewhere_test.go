package study

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/extract"
	"quotient/internal/oracletest"
	"quotient/model"
	"quotient/oracle"
	"quotient/word"
)

// threes returns a model elsewhere for words whose a's come by threes.
func threes(t *testing.T) *oracletest.Elsewhere {
	t.Helper()
	d, err := regex.MustParse("(b|ab*ab*a)*").Compile(word.Letters("ab"), automaton.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	return oracletest.NewElsewhere(oracletest.Noisy{DFA: d, Dims: 12})
}

func opened(net oracle.Oracle) *model.Model {
	return &model.Model{Name: "it", Format: "a test", Net: net}
}

// All methods together, and the words that judge them, ask for no more than the budget.
func TestBudgetOfAContest(t *testing.T) {
	for _, budget := range []int{100, 2000} {
		net := threes(t)
		c := Contest{Methods: []string{extract.TTT, extract.LStar, extract.EDSM}, Options: Options{Options: extract.Options{Budget: budget, Seed: 1}}}
		entries, err := c.Run(t.Context(), opened(oracletest.Stateless{Elsewhere: net}))
		if err != nil || len(net.Seen) > budget || len(net.Seen) < budget/4 {
			t.Fatalf("%d words of %d: %v", len(net.Seen), budget, err)
		}
		for _, e := range entries {
			if e.Error != nil || e.Accuracy < 0.5 || budget == 2000 && e.Method != extract.EDSM && e.States != 3 {
				t.Errorf("with %d words: %+v", budget, e)
			}
		}
	}
	c := Contest{Options: Options{Options: extract.Options{Budget: 3}}}
	if _, err := c.Run(t.Context(), opened(oracletest.Stateless{Elsewhere: threes(t)})); err == nil || !strings.Contains(err.Error(), "too little for") {
		t.Errorf("a budget of 3 words: %v", err)
	}
}

// The methods that ask a model elsewhere.
var asking = []string{extract.Best, extract.TTT, extract.LStar, extract.EDSM, extract.RPNI, extract.Spectral}

// Whatever the method, no more words are asked than the budget has, evaluation and the user's
// words included; and something is left for the evaluation.
func TestBudgetBoundsAll(t *testing.T) {
	for _, method := range asking {
		for _, budget := range []int{60, 500, 3000} {
			net := threes(t)
			o := Options{Options: extract.Options{Method: method, Budget: budget, Data: "x", DataText: []byte("aaa\nbb\naaab\nabab\nbabaa\na\n")}}
			s, err := Run(t.Context(), opened(oracletest.Stateless{Elsewhere: net}), o)
			if err != nil {
				t.Errorf("%s, %d words: %v", method, budget, err)
				continue
			}
			if len(net.Seen) > budget || s.Asked != len(net.Seen) {
				t.Errorf("%s: %d words of %d, %d are reported", method, len(net.Seen), budget, s.Asked)
			}
			if s.Agreement == nil || s.Agreement.Words < budget/10 && s.Agreement.Words < 1000 || s.Data == nil {
				t.Errorf("%s, %d words: agreement %+v", method, budget, s.Agreement)
			}
			if budget == 3000 && (method == extract.Best || method == extract.TTT || method == extract.LStar) && s.States != 3 {
				t.Errorf("%s: %d states", method, s.States)
			}
			var b strings.Builder
			if s.Tell(&b); !strings.Contains(b.String(), "of a budget of") {
				t.Errorf("%s: the budget is not told", method)
			}
		}
	}
}

// Networks with states have budgets as well: of answers.
func TestBudgetOfStates(t *testing.T) {
	for _, method := range extract.Names() {
		if method == extract.Counter { // which looks for what is not there
			continue
		}
		for _, budget := range []int{3000, 60_000} {
			s, err := Run(t.Context(), opened(threes(t).Noisy), Options{Options: extract.Options{Method: method, Budget: budget}})
			if err != nil {
				t.Errorf("%s, %d answers: %v", method, budget, err)
				continue
			}
			if s.Asked > budget || s.Agreement == nil {
				t.Errorf("%s: %d answers of %d", method, s.Asked, budget)
			}
		}
	}
}

// A budget that is too small for anything is an error that says so.
func TestBudgetTooSmall(t *testing.T) {
	_, err := Run(t.Context(), opened(threes(t).Noisy), Options{Options: extract.Options{Method: extract.Counter, Budget: 500}})
	if err == nil || !strings.Contains(err.Error(), "before there is an automaton; ttt makes do") {
		t.Error(err)
	}
}

// No method and no certificate asks about a word that is too long or empty, and the certificate says so.
func TestNothingUnreadableIsAsked(t *testing.T) {
	for _, method := range asking {
		for _, late := range []bool{false, true} {
			net := threes(t)
			net.Max, net.Late, net.NoEmpty = 12, late, true
			s, err := Run(t.Context(), opened(oracletest.Stateless{Elsewhere: net}), Options{Options: extract.Options{
				Method: method, Data: "x", DataText: []byte("aaa\nbb\naaabbbbbbbbbbbbbbbbbb\nabab\n"),
			}})
			if err != nil {
				t.Errorf("%s: %v", method, err)
				continue
			}
			for _, w := range net.Seen {
				if len(w) > 12 || len(w) == 0 {
					t.Errorf("%s asks about %v", method, w)
				}
			}
			a := s.Agreement
			if a.Longest != 12 || !a.NoEmpty || a.Long.Words > 0 || a.Exhaustive.Low != 1 ||
				!strings.Contains(a.Certificate(), "longer than 12") || !strings.Contains(a.Certificate(), "empty word") {
				t.Errorf("%s: %s; %+v", method, a.Certificate(), a.Report)
			}
			// What the network says of the empty word is open, and so the smaller automaton is taken.
			if method == extract.TTT && (s.States != 3 || a.Agree != a.Words || a.Exhaustive.Agree != a.Exhaustive.Words || a.Shortest != nil) {
				t.Errorf("%d states, %+v", s.States, a.Report)
			}
		}
	}
}

// That words are too long may turn out at the very end; what was asked until then counts.
func TestLongestTurnsOutAtTheEnd(t *testing.T) {
	net := threes(t)
	net.Max, net.Late = 64, true
	s, err := Run(t.Context(), opened(oracletest.Stateless{Elsewhere: net}), Options{Options: extract.Options{Budget: 2000}})
	if err != nil || s.States != 3 || s.Agreement.Longest != 64 || s.Agreement.Words < 250 || s.Agreement.Long.High != 64 || s.Agreement.Long.Words == 0 || s.Asked > 2000 {
		t.Errorf("%v, %+v", err, s.Agreement)
	}
	if c := s.Command(); !strings.Contains(c, "--budget 2000") || strings.Contains(c, "--time") {
		t.Error(c)
	}
}

// An automaton is not lost if its evaluation fails; what was found out until then is there.
func TestEvaluationFails(t *testing.T) {
	net := threes(t)
	net.Fail = func(w word.Word) error {
		if len(w) > 400 {
			return oracletest.ErrGone
		}
		return nil
	}
	s, err := Run(t.Context(), opened(oracletest.Stateless{Elsewhere: net}), Options{})
	if !errors.Is(err, oracletest.ErrGone) || s == nil {
		t.Fatalf("%v, %v", s, err)
	}
	if s.States != 3 || s.Automaton == nil || !strings.Contains(s.Failure, "has gone") || s.Agreement.Words != 1000 || s.Agreement.Long.Words != 0 {
		t.Errorf("%d states, %q, %+v", s.States, s.Failure, s.Agreement)
	}
	var b strings.Builder
	if s.Tell(&b); !strings.Contains(b.String(), "error: the model has gone") {
		t.Error(b.String())
	}

	// Nothing at all is known of the agreement.
	net = threes(t)
	net.Fail = func(w word.Word) error {
		if len(w) > 30 {
			return oracletest.ErrGone
		}
		return nil
	}
	if s, err = Run(t.Context(), opened(oracletest.Stateless{Elsewhere: net}), Options{}); s == nil || err == nil || s.Agreement != nil || s.States != 3 {
		t.Fatalf("%v, %v", s, err)
	}
	b.Reset()
	if s.Tell(&b); !strings.Contains(b.String(), "agreement with the network: not known") {
		t.Error(b.String())
	}
}

// When the user has had enough, the best until then is given, and marked.
func TestInterrupted(t *testing.T) {
	for _, method := range []string{extract.Best, extract.TTT, extract.LStar, extract.Explore, extract.Fold, extract.Spectral} {
		for _, after := range []int{1, 2000} {
			net := threes(t)
			stop, cancel := context.WithCancel(t.Context())
			net.Fail = func(word.Word) error {
				if len(net.Seen) >= after {
					cancel()
				}
				return nil
			}
			m := opened(oracletest.Stateless{Elsewhere: net})
			if method == extract.Explore || method == extract.Fold {
				cancel()
				m = opened(net.Noisy)
			}
			s, err := Run(t.Context(), m, Options{Options: extract.Options{Method: method}, Stop: stop})
			cancel()
			if method == extract.Spectral { // it has none for a while
				if s == nil && !errors.Is(err, ErrInterrupted) {
					t.Errorf("%s: %v", method, err)
				}
				continue
			}
			if err != nil || !s.Interrupted || s.Agreement == nil {
				t.Errorf("%s after %d words: %v, %v", method, after, s, err)
				continue
			}
			if after == 2000 && s.States != 3 && method != extract.Explore {
				t.Errorf("%s after %d words: %d states", method, after, s.States)
			}
		}
	}
}
