package study

import (
	"testing"

	"quotient/automaton"
	"quotient/language"
	"quotient/zoo"

	"quotient/rnn"
)

// A network that is Tomita 4: the language's own automaton is the same, one of more states that
// errs no less is beaten, one of fewer that errs is a trade, and what errs more at the same size is
// beaten, too.
func TestStand(t *testing.T) {
	net, _, err := zoo.Open("zoo:tomita4")
	if err != nil {
		t.Fatal(err)
	}
	all, err := language.Load(language.Options{}, "tomita4", "regex:~(.*aaa.*|b{40}.*)", "regex:~(.*aa.*)", "regex:~(.*bbb.*)")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Verdict{Same, Beaten, Traded, Beaten} {
		s, err := Stand(t.Context(), rnn.NewRunner(net, 0), automaton.Minimize(all[i]), automaton.Minimize(all[0]), 1)
		if err != nil || s.Verdict != want || s.Against != (Errors{}) {
			t.Errorf("%d: %+v, %v, want %s", i, s, err, want)
		}
	}
	s, err := Stand(t.Context(), rnn.NewRunner(net, 0), automaton.Minimize(all[0]), automaton.Minimize(all[1]), 1)
	if err != nil || s.Verdict != Better {
		t.Errorf("%+v, %v", s, err)
	}
}
