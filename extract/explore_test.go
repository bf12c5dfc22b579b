package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/word"
)

// binary returns a recognizer for a random automaton over two letters.
func binary(seed uint64, states int, noise float32) oracletest.Noisy {
	rng := rand.New(rand.NewPCG(seed, 0))
	d := automaton.NewDFA(word.Letters("ab"), states)
	for i := 2; i < len(d.Table); i++ {
		d.Table[i] = automaton.State(1 + rng.IntN(states))
	}
	for q := 1; q <= states; q++ {
		d.Accept[q] = rng.IntN(2) == 0
	}
	return oracletest.Noisy{DFA: d, Dims: 12, Noise: noise}
}

// Left open, the method is fold where a sample is enough and explore otherwise;
// either way the language is found, and the reason is told.
func TestBest(t *testing.T) {
	for _, c := range []struct {
		name string
		r    oracletest.Noisy
		want string
		why  string
	}{
		{"few states", binary(4, 4, 0.1), Fold, "agrees with the network on all of"},
		{"many states", binary(1, 60, 3), Explore, "a sample of 300 words is too small"},
		{"many symbols", oracletest.Random(4, 4, 0.1), Explore, "too little about 3 symbols"},
		{"one symbol", oracletest.Noisy{DFA: unary(), Dims: 12}, Explore, "there is no sample to fold"},
	} {
		res := run(t, c.r, Options{Method: Best, Seed: 1, Time: time.Hour})
		if res.Options.Method != c.want || !strings.Contains(res.Chosen, c.why) {
			t.Errorf("%s: %s, because %q; want %s", c.name, res.Options.Method, res.Chosen, c.want)
		}
		if w, differ := automaton.Distinguish(res.Automaton, c.r.DFA); differ {
			t.Errorf("%s: another language; they differ on %v", c.name, w)
		}
		if (res.Explored == nil) != (c.want == Fold) || res.Source == nil {
			t.Errorf("%s: explored %v, source %v", c.name, res.Explored, res.Source)
		}
	}
}

// unary accepts every third word.
func unary() *automaton.DFA {
	d := automaton.NewDFA(word.Letters("a"), 3)
	copy(d.Table[1:], []automaton.State{2, 3, 1})
	d.Accept[1] = true
	return d
}
