package extract

import (
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/prefix/prefixtest"
)

// An oracle hides the states of a recognizer.
type oracle struct{ prefix.Oracle }

// parity accepts an even number of a's and of b's.
func parity() prefixtest.Noisy {
	r := prefixtest.Random(1, 4, 0.1)
	r.DFA = automaton.NewDFA(r.DFA.Alphabet, 4)
	r.DFA.Accept[1] = true
	copy(r.DFA.Table[3:], []automaton.State{2, 3, 1, 1, 4, 2, 4, 1, 3, 3, 2, 4})
	return r
}

// Every learner finds a small language, with and without states to look at.
func TestLearners(t *testing.T) {
	r := parity()
	for _, m := range []Method{LStar, TTT, RPNI, EDSM, RPNIStar, Spectral} {
		if !m.BlackBox() {
			t.Errorf("%s is not for black boxes", m)
		}
		for name, net := range map[string]prefix.Oracle{"states": r, "answers": oracle{r}} {
			told := 0
			res, err := Run(t.Context(), net, Options{Method: m, Seed: 1, Tell: func(states, words int) {
				told++
				if states < 1 || words < 1 {
					t.Errorf("%s: told of %d states and %d words", m, states, words)
				}
			}})
			if err != nil || told == 0 {
				t.Fatalf("%s, %s: %v; told %d times", m, name, err, told)
			}
			if w, differ := automaton.Distinguish(res.Automaton, r.DFA); differ {
				t.Errorf("%s, %s: wrong on %v", m, name, w)
			}
			if res.Queries == nil || res.Queries.Membership == 0 || res.States() != 4 || res.Sampler == nil {
				t.Errorf("%s, %s: %+v", m, name, res)
			}
			if any(res.Acceptor()) != any(res.Automaton) {
				t.Errorf("%s: the automaton is not what accepts", m)
			}
		}
	}
}

func TestWithoutStates(t *testing.T) {
	net := oracle{parity()}
	res, err := Run(t.Context(), net, Options{Method: Best})
	if err != nil || res.Options.Method != TTT || !strings.Contains(res.Chosen, "no states") {
		t.Errorf("%+v, %v", res, err)
	}
	for _, m := range []Method{Fold, Union, Keep, KMeans, Explore, Counter} {
		if _, err := Run(t.Context(), net, Options{Method: m}); err == nil || !strings.Contains(err.Error(), "method "+string(m)+" looks at the network's states") {
			t.Errorf("%s: %v", m, err)
		}
	}
	if _, err := Run(t.Context(), net, Options{Method: "guess"}); err == nil || !strings.Contains(err.Error(), "guess") {
		t.Error(err)
	}
}

// A network that needs no counter gives a finite automaton.
func TestCounterOfAFiniteNetwork(t *testing.T) {
	r := parity()
	res, err := Run(t.Context(), r, Options{Method: Counter, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if w, differ := automaton.Distinguish(res.Automaton, r.DFA); differ {
		t.Errorf("wrong on %v", w)
	}
}
