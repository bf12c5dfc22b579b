package extract

import (
	"errors"
	"strings"
	"testing"
	"time"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// secret is a black box that accepts one word in sixteen million of length eight.
func secret(t *testing.T) (*oracletest.Elsewhere, *automaton.DFA) {
	t.Helper()
	d, err := regex.MustParse("(abcdefgh)+").Compile(word.Letters("abcdefgh"), automaton.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	return oracletest.NewElsewhere(oracletest.Noisy{DFA: d, Dims: 12}), d
}

// Words that are known to be accepted open a black box that no random word opens, with every
// method that it allows: as data, or from a language.
func TestRareWordsOfABlackBox(t *testing.T) {
	var lines []string
	for n := 1; n <= 12; n++ {
		lines = append(lines, strings.Repeat("abcdefgh", n))
	}
	text := []byte(strings.Join(lines, "\n"))
	for _, m := range Methods {
		if m.NeedsStates() || m.Name == RPNIStar { // which takes what is rare for wrong labels
			continue
		}
		for _, o := range []Options{{Data: "x", DataText: text}, {WordsFrom: "regex:(abcdefgh)+"}} {
			if o.WordsFrom != "" && !m.Reads("words-from") {
				continue
			}
			net, d := secret(t)
			o.Method = m.Name
			res, err := Run(oracle.Ask(t.Context(), oracletest.Stateless{Elsewhere: net}), o)
			if err != nil || res.Automaton == nil || !res.Automaton.Accepts(word.Word{0, 1, 2, 3, 4, 5, 6, 7}) {
				t.Errorf("%s, words from %q: %v", m.Name, o.WordsFrom, err)
				continue
			}
			if exact := automaton.Minimize(res.Automaton).Equal(automaton.Minimize(d)); !exact && (m.Name == TTT || m.Name == LStar) {
				t.Errorf("%s, words from %q: another language", m.Name, o.WordsFrom)
			}
		}
	}
}

// Without a method, words from a language are for folding, or for asking where there are no states.
func TestWordsFromWithoutMethod(t *testing.T) {
	net, d := secret(t)
	for _, c := range []struct {
		net  oracle.Oracle
		want string
	}{{oracletest.Stateless{Elsewhere: net}, TTT}, {oracletest.Noisy{DFA: d, Dims: 12}, Fold}} {
		o, err := Read(map[string]string{"words-from": "regex:(abcdefgh)+"})
		if err != nil {
			t.Fatal(err)
		}
		if res, err := Run(oracle.Ask(t.Context(), c.net), o); err != nil || res.Options.Method != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A budget is counted, and what is wrong with one that is too small is said.
func TestBudget(t *testing.T) {
	for _, budget := range []int{40, 400, 4000} {
		net, _ := secret(t)
		q := oracle.Ask(t.Context(), oracletest.Stateless{Elsewhere: net})
		q.Limit(budget)
		res, err := Run(q, Options{Budget: budget})
		if err != nil || len(net.Seen) > budget || !strings.Contains(res.Chosen, "too small to follow states") {
			t.Errorf("%d of %d words, %v", len(net.Seen), budget, err)
		}
	}
	net, _ := secret(t)
	q := oracle.Ask(t.Context(), net.Noisy)
	q.Limit(100)
	var spent *oracle.BudgetError
	if _, err := Run(q, Options{Method: Counter, Budget: 100}); !errors.As(err, &spent) || q.Asked() > 100 {
		t.Errorf("%d answers, %v", q.Asked(), err)
	}
}

// A budget bounds a search, however slow the network is, and so does its work if it is here; the
// clock does not then.
func TestWaiting(t *testing.T) {
	here := parity()
	elsewhere := oracletest.NewElsewhere(here)
	for _, c := range []struct {
		net  oracle.Oracle
		o    Options
		want time.Duration
	}{
		{here, Options{}, 0},
		{here, Options{Time: time.Second}, time.Second},
		{elsewhere, Options{}, 30 * time.Second},
		{elsewhere, Options{Budget: 100}, 0},
		{elsewhere, Options{Budget: 100, Time: time.Second}, time.Second},
	} {
		if got := waiting(oracle.Ask(t.Context(), c.net), c.o); got != c.want {
			t.Errorf("%T, %v and a budget of %d: %v, want %v", c.net, c.o.Time, c.o.Budget, got, c.want)
		}
	}
}

// What a plan says is near what a method asks, where the network is easy.
func TestEstimate(t *testing.T) {
	d, err := regex.MustParse("(b|ab*a)*").Compile(word.Letters("ab"), automaton.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{Best, TTT, LStar, EDSM, RPNI, Spectral} {
		net := oracletest.NewElsewhere(oracletest.Noisy{DFA: d, Dims: 12})
		if _, err := Run(oracle.Ask(t.Context(), oracletest.Stateless{Elsewhere: net}), Options{Method: m}); err != nil {
			t.Fatal(err)
		}
		if n, asked := Estimate(Options{Method: m}, 2, false), len(net.Seen); n > 3*asked || asked > 3*n {
			t.Errorf("%s: %d words are planned, and %d asked", m, n, asked)
		}
	}
}

// Of a network elsewhere whose states are very wide, only the answers are asked for.
func TestVeryWideStates(t *testing.T) {
	_, d := secret(t)
	net := oracletest.NewElsewhere(oracletest.Noisy{DFA: d, Dims: 9000})
	res, err := Run(oracle.Ask(t.Context(), net), Options{WordsFrom: "regex:(abcdefgh)+"})
	if err != nil || res.Options.Method != TTT || !strings.Contains(res.Chosen, "states of 9003 numbers") {
		t.Errorf("%v, %+v", err, res)
	}
}

// A sample that takes longer than the time is given up for exploring, which ends in time.
func TestTimeOfTheChoice(t *testing.T) {
	begin := time.Now()
	res, err := Run(oracle.Ask(t.Context(), slow{binary(4, 4, 0.1), t.Context()}), Options{Time: 400 * time.Millisecond})
	if took := time.Since(begin); err != nil || took > 15*time.Second || !strings.Contains(res.Chosen, "no time to fold") {
		t.Errorf("%v: %v, %+v", took, err, res)
	}
}
