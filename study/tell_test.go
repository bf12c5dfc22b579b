package study

import (
	"strings"
	"testing"

	"quotient/learn/explore"
)

// A much smaller automaton that is nearly as good is always told of; one that is hardly smaller,
// or hardly as good, is not.
func TestSmaller(t *testing.T) {
	const told = "3 states are wrong on 0.2% of words of mine; --states 3"
	for _, c := range []struct {
		tradeoff []explore.Point
		want     bool
	}{
		{[]explore.Point{{States: 1, Error: 0.2}, {States: 3, Error: 0.002}, {States: 9}}, true},
		{[]explore.Point{{States: 1, Error: 0.2}, {States: 3, Error: 0.02}, {States: 9}}, false},
		{[]explore.Point{{States: 1, Error: 0.2}, {States: 3, Error: 0.002}, {States: 5}}, false},
		{[]explore.Point{{States: 9}}, false},
	} {
		e := Explored{Tradeoff: c.tradeoff, Measured: "words of mine", Judged: explore.Judges{Accepted: 700, Rejected: 800}}
		var w strings.Builder
		e.tell(&w, c.tradeoff[len(c.tradeoff)-1].States)
		if strings.Contains(w.String(), told) != c.want || !strings.Contains(w.String(), "700 words that the network accepts, 800 that it rejects") {
			t.Errorf("%v: %s", c.tradeoff, w.String())
		}
	}
}

// Whoever takes fewer states than are right is told what more would be worth.
func TestTradeoffOfAChoice(t *testing.T) {
	for _, c := range []struct {
		tradeoff []explore.Point
		want     string
	}{
		{[]explore.Point{{States: 0, Error: 0.4}, {States: 3, Error: 0.2, Chosen: true}, {States: 9}}, "the best automaton of each size"},
		{[]explore.Point{{States: 0, Error: 0.4}, {States: 3, Error: 0.2}, {States: 9, Error: 0.1, Chosen: true}}, "no automaton that was found agrees"},
	} {
		e := Explored{Tradeoff: c.tradeoff, Measured: "words recombined from those of f.csv"}
		states := 0
		for _, p := range c.tradeoff {
			if p.Chosen {
				states = p.States
			}
		}
		var w strings.Builder
		e.tell(&w, states)
		for _, want := range []string{c.want, "words recombined from those of f.csv", "← chosen", "40.00%"} {
			if !strings.Contains(w.String(), want) {
				t.Errorf("no %q in %s", want, w.String())
			}
		}
	}
}
