package extract

import (
	"strings"
	"testing"
	"time"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
)

// parity accepts an even number of a's and of b's.
func parity() oracletest.Noisy {
	r := oracletest.Random(1, 4, 0.1)
	r.DFA = automaton.NewDFA(r.DFA.Alphabet, 4)
	r.DFA.Accept[1] = true
	copy(r.DFA.Table[3:], []automaton.State{2, 3, 1, 1, 4, 2, 4, 1, 3, 3, 2, 4})
	return r
}

// Every learner finds a small language, with and without states to look at.
func TestLearners(t *testing.T) {
	r := parity()
	for _, m := range []string{LStar, TTT, RPNI, EDSM, RPNIStar, Spectral} {
		if found, err := Find(m); err != nil || found.NeedsStates() {
			t.Errorf("%s is not for black boxes", m)
		}
		q := oracle.Ask(t.Context(), r)
		for name, q := range map[string]*oracle.Inquiry{"states": q, "answers": q.Blind()} {
			told := 0
			res, err := Run(q, Options{Method: m, Seed: 1, Tell: func(states, words int) {
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
			if res.Queries == nil || res.Queries.Membership == 0 || res.States() != 4 || res.Source == nil {
				t.Errorf("%s, %s: %+v", m, name, res)
			}
			if any(res.Acceptor()) != any(res.Automaton) {
				t.Errorf("%s: the automaton is not what accepts", m)
			}
		}
	}
}

func TestWithoutStates(t *testing.T) {
	q := oracle.Ask(t.Context(), parity()).Blind()
	res, err := Run(q, Options{Method: Best})
	if err != nil || res.Options.Method != TTT || !strings.Contains(res.Chosen, "no states") {
		t.Errorf("%+v, %v", res, err)
	}
	for _, m := range []string{Fold, Union, Keep, KMeans, Explore, Counter} {
		if _, err := Run(q, Options{Method: m}); err == nil || !strings.Contains(err.Error(), "method "+m+" looks at the network's states") {
			t.Errorf("%s: %v", m, err)
		}
	}
	if _, err := Run(q, Options{Method: "guess"}); err == nil || !strings.Contains(err.Error(), "guess") {
		t.Error(err)
	}
}

// A network that needs no counter gives a finite automaton.
func TestCounterOfAFiniteNetwork(t *testing.T) {
	r := parity()
	res, err := Run(oracle.Ask(t.Context(), r), Options{Method: Counter, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if w, differ := automaton.Distinguish(res.Automaton, r.DFA); differ {
		t.Errorf("wrong on %v", w)
	}
}

// Nor is a counter proposed for it.
func TestCountsInsteadOfNothing(t *testing.T) {
	r := parity()
	many := automaton.NewDFA(r.Alphabet(), countedStates)
	if hint, ok := countsInstead(oracle.Ask(t.Context(), r), Options{}, many, time.Now()); ok {
		t.Error(hint)
	}
}
