package extract

import (
	"strings"
	"testing"

	"quotient/internal/oracletest"
	"quotient/oracle"
)

// A size or a share of errors that is asked for is obeyed, also where the method is left open, or
// it is said why not.
func TestStatesAndError(t *testing.T) {
	net := oracletest.Random(3, 12, 0.1)
	for _, c := range []struct {
		o     Options
		most  int
		warns string
	}{
		{Options{States: 4}, 4, ""},
		{Options{Error: 0.2}, 11, ""},
		{Options{Method: Explore, States: 4}, 4, ""},
	} {
		c.o.Seed = 1
		res, err := Run(oracle.Ask(t.Context(), net), c.o)
		if err != nil || res.Options.Method != Explore || res.States() > c.most || strings.Join(res.Warnings, "") != c.warns {
			t.Errorf("%+v: %v, %+v", c.o, err, res)
		}
	}
	for _, c := range [][3]int{{300, 0, 300}, {4, 0, 200}, {4, 8, 8}} { // states asked for, most states, and what a search may open
		res, err := Run(oracle.Ask(t.Context(), net), Options{Method: Explore, States: c[0], MaxStates: c[1], Seed: 1})
		if err != nil || res.Explored.Options.MaxStates != c[2] {
			t.Errorf("%v: %v, %+v", c, err, res)
		}
	}
	_, err := Run(oracle.Ask(t.Context(), net), Options{States: 4, Error: 0.1, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "leave one out") {
		t.Errorf("both: %v", err)
	}
	_, err = Run(oracle.Ask(t.Context(), net).Blind(), Options{States: 4, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "the setting states chooses among automata that explore meets by following a network's states, and this one shows no states") {
		t.Errorf("without states: %v", err)
	}
	_, err = Run(oracle.Ask(t.Context(), net).Blind(), Options{Error: 0.1, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "the setting error chooses") {
		t.Errorf("without states, an error: %v", err)
	}
	noisy := net
	noisy.Errs = func(length int) bool { return length == 7 } // no automaton of few states is right
	res, err := Run(oracle.Ask(t.Context(), noisy), Options{Method: Explore, Error: 1e-6, MaxStates: 8, Seed: 1})
	if err != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "no automaton was met that errs on at most") {
		t.Errorf("an error that is not reached: %v, %+v", err, res)
	}
}
