package passive

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/learn/labeled"
	"quotient/sample"
	"quotient/word"
)

var thorough = flag.Bool("noise", false, "run the tests of noise at their full size")

// A noisy is a kind of words that people have, labeled by a random automaton of eight states.
type noisy struct {
	name             string
	symbols          int
	shortest, length int
	words            int
	noise            float64 // the share of wrong labels
	distinct         bool    // whether every word of more than three symbols is there once
}

// set returns the automaton, words to learn from, and a tenth as many to test with.
func (c noisy) set(seed uint64) (d *automaton.DFA, train, held *labeled.Set) {
	rng := rand.New(rand.NewPCG(seed, 77))
	for d == nil || d.Len() != 8 {
		d = automaton.NewDFA(word.Letters("abcdefghijklmnopqrstuvwxyz"[:c.symbols]), 8)
		for q := 1; q <= 8; q++ {
			d.Accept[q] = rng.IntN(2) == 0
			row := d.Row(automaton.State(q))
			for s := range row {
				row[s] = automaton.State(1 + rng.IntN(8))
			}
		}
		d = automaton.Minimize(d)
	}
	s := &labeled.Set{Alphabet: d.Alphabet}
	seen := map[string]bool{}
	for len(s.Words) < c.words*10/9 {
		w := make(word.Word, c.shortest+rng.IntN(c.length-c.shortest+1))
		for i := range w {
			w[i] = word.Symbol(rng.IntN(c.symbols))
		}
		if key := fmt.Sprint(w); c.distinct {
			if seen[key] && len(w) > 3 {
				continue
			}
			seen[key] = true
		}
		s.Add(w, labeled.Of(d.Accepts(w) != (rng.Float64() < c.noise)))
	}
	train, held = s.Split(c.words)
	return d, train, held
}

// With one label in twenty wrong, the automaton behind the words is found. The method was
// made with other seeds, but for one label in five: there, seed 102 showed that one repair
// must not spend the work of all.
func TestAutoFindsTruth(t *testing.T) {
	for _, c := range []noisy{
		{name: "as people have them", symbols: 2, length: 30, words: 12_000, noise: 0.05},
		{name: "four symbols", symbols: 4, length: 30, words: 15_000, noise: 0.05},
		{name: "distinct", symbols: 4, length: 30, words: 15_000, noise: 0.05, distinct: true},
		{name: "no short ones", symbols: 2, shortest: 10, length: 30, words: 25_000, noise: 0.05, distinct: true},
		{name: "one in a hundred", symbols: 2, length: 30, words: 9_000, noise: 0.01},
		{name: "one in five", symbols: 2, length: 30, words: 12_000, noise: 0.2},
	} {
		for seed := uint64(101); seed < 103; seed++ {
			truth, train, held := c.set(seed)
			res := learn(t, train, Options{Method: Auto})
			best, _ := held.Agree(truth)
			agree, n := held.Agree(res.Automaton)
			t.Logf("%s, seed %d: %d states by %s, %.2f%% held out, of %.2f%%", c.name, seed, res.Automaton.Len(), res.Method,
				100*float64(agree)/float64(n), 100*float64(best)/float64(n))
			if res.Automaton.Len() > 12 || float64(agree) < float64(best)-0.005*float64(n) || res.Method != EDSMStar {
				t.Errorf("%s, seed %d: %d states by %s, %d of %d held out, where the truth has %d", c.name, seed, res.Automaton.Len(), res.Method, agree, n, best)
			}
		}
	}
}

// Of few words, where a symbol changes the answer at every step, EDSM* settles for half of the states; then RPNI* finds the truth.
func TestAutoTriesBoth(t *testing.T) {
	truth := automaton.NewDFA(word.Letters("ab"), 4) // an even number of a, and of b
	for q := range automaton.State(4) {
		truth.SetNext(q+1, 0, (q^1)+1)
		truth.SetNext(q+1, 1, (q^2)+1)
	}
	truth.Accept[1] = true
	found := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := &labeled.Set{Alphabet: truth.Alphabet}
		for _, w := range sample.UniformWords(1000, 2, 5, 30, rng) {
			s.Add(w, labeled.Of(truth.Accepts(w) != (rng.IntN(20) == 0)))
		}
		alone, both := learn(t, s, Options{Method: EDSMStar}), learn(t, s, Options{Method: Auto})
		if both.DescriptionLength > alone.DescriptionLength {
			t.Errorf("seed %d: %s is longer to write down than what %s finds", seed, both.Method, alone.Method)
		}
		if _, differ := automaton.Distinguish(both.Automaton, truth); !differ {
			found++
		}
	}
	if found < 7 {
		t.Errorf("the automaton behind the words was found %d times of 8", found)
	}
}

// The full size of the target: run it by hand with -run Ninety -noise.
func TestNinetyThousand(t *testing.T) {
	if !*thorough {
		t.Skip("a minute; ask for it with -noise")
	}
	for _, symbols := range []int{2, 4} {
		for seed := uint64(200); seed < 210; seed++ {
			c := noisy{symbols: symbols, length: 30, words: 81_000, noise: 0.05}
			truth, train, held := c.set(seed)
			res := learn(t, train, Options{Method: Auto})
			before := learn(t, train, Options{Method: RPNIStar})
			best, n := held.Agree(truth)
			agree, _ := held.Agree(res.Automaton)
			old, _ := held.Agree(before.Automaton)
			share := func(x int) float64 { return 100 * float64(x) / float64(n) }
			t.Logf("%d symbols, seed %d: possible %.2f%%, rpni-star %d states %.2f%%, auto %d states %.2f%%", symbols, seed,
				share(best), before.Automaton.Len(), share(old), res.Automaton.Len(), share(agree))
		}
	}
}

// Clean words give what EDSM gives, by whichever name.
func TestAutoIsEDSMOnCleanWords(t *testing.T) {
	var sets []*labeled.Set
	for seed := range uint64(3) {
		_, s := randomSet(benchStates, 5000+9000*int(seed), benchLength, rand.New(rand.NewPCG(1+seed, 0)))
		_, train, _ := Abbadingo(64, 4456, rand.New(rand.NewPCG(seed, 0)))
		sets = append(sets, s, train)
	}
	for i, s := range sets {
		exact, auto := learn(t, s, Options{Method: EDSM}), learn(t, s, Options{Method: Auto})
		if !auto.Automaton.Equal(exact.Automaton) {
			t.Errorf("set %d: %d states by %s, %d by EDSM", i, auto.Automaton.Len(), auto.Method, exact.Automaton.Len())
		}
	}
}

// A word with both labels changes nothing about the others: what they say is found.
func TestAutoWithBothLabels(t *testing.T) {
	d, s, _ := noisy{symbols: 2, length: 12, words: 400}.set(3)
	w := word.Word{0, 1, 0}
	s.Add(w, labeled.Accept)
	s.Add(w, labeled.Reject)
	res := learn(t, s, Options{Method: Auto})
	if agree, n := s.Agree(res.Automaton); n-agree != 1 || res.Wrong != 1 || res.Stats.Contradictory != 1 || res.Stats.Words != n {
		t.Errorf("%d of %d right, %+v", agree, n, res)
	}
	if x, differ := automaton.Distinguish(res.Automaton, d); differ {
		t.Errorf("%d states by %s; another language: %v", res.Automaton.Len(), res.Method, x)
	}
}

// Whatever the words, Auto finds an automaton, says on how many it is wrong, and does not
// care for their order.
func TestAutoAgreement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSet(t, true)
		res, err := Learn(t.Context(), s, Options{Method: Auto})
		if err != nil {
			t.Fatal(err)
		}
		if agree, all := s.Agree(res.Automaton); all-agree != res.Wrong || all != res.Stats.Words || res.Method == Auto {
			t.Fatalf("%d of %d words by %s, %d wrong", agree, all, res.Method, res.Wrong)
		}
	})
}

// A smaller level forgives more, and held-out words know which is right.
func TestChooseAlpha(t *testing.T) {
	_, train, _ := noisy{symbols: 4, length: 30, words: 5_000, noise: 0.05}.set(101)
	choice, err := ChooseAlpha(t.Context(), train, sample.Rand(1, sample.Levels))
	if err != nil {
		t.Fatal(err)
	}
	again, _ := ChooseAlpha(t.Context(), train, sample.Rand(1, sample.Levels))
	if choice != again || choice.Words != 1000 || choice.Accuracy < 0.5 {
		t.Errorf("%+v, then %+v", choice, again)
	}
	few, _ := train.Split(20)
	if choice, err := ChooseAlpha(t.Context(), few, sample.Rand(1, sample.Levels)); err != nil || choice != (AlphaChoice{Alpha: DefaultAlpha}) {
		t.Errorf("twenty words: %+v, %v", choice, err)
	}
}

// The ratios are what they are made of: two that agree speak for a merge and two that
// differ against it, more so the more words there are; and if the two are one state, the
// expectation of every inverse is one.
func TestWeighing(t *testing.T) {
	const noise = 0.1
	w := newWeighing(noise, 0.5)
	at := func(a, b int) evidence { return w.table[mostLead+a][mostLead+b] }
	if at(1, 1)[0] <= 0 || at(1, -1)[0] >= 0 || at(20, -20)[3] > -20 || at(0, 5) != (evidence{}) {
		t.Errorf("%v %v %v %v", at(1, 1), at(1, -1), at(20, -20), at(0, 5))
	}
	like := func(pos, neg int) float64 { // of single words, in their order
		p := []float64{1 - noise, noise}
		x, y := 0.5, 0.5
		for range pos {
			x, y = x*p[0], y*p[1]
		}
		for range neg {
			x, y = x*p[1], y*p[0]
		}
		return x + y
	}
	for k := range shares {
		mean := 0.0
		for labels := range 1 << 5 { // three words at one node, two at the other
			var lead, pos [2]int
			for i := range 5 {
				side := i / 3
				sign := labels >> i & 1
				lead[side] += 2*sign - 1
				pos[side] += sign
			}
			mean += like(pos[0]+pos[1], 5-pos[0]-pos[1]) / math.Exp(at(lead[0], lead[1])[k])
		}
		if mean < 0.999 || mean > 1.001 {
			t.Errorf("share %g: the mean of the inverse ratio is %g", agreeing[k], mean)
		}
	}
}

// Nothing goes on once it is to end, whatever it is busy with.
func TestStarEnds(t *testing.T) {
	_, train, _ := noisy{symbols: 2, shortest: 10, length: 30, words: 9_000, noise: 0.05, distinct: true}.set(101)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	begin := time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
	defer begin.Stop()
	if _, err := Learn(ctx, train, Options{Method: EDSMStar}); err != nil && err != why {
		t.Error(err)
	}
	work := int(1e12)
	d := learn(t, train, Options{Method: RPNIStar}).Automaton // far too large
	if d.Len() < 12 || d.Len() >= mostPatched {
		t.Fatalf("%d states are not what is to be mended here", d.Len())
	}
	<-ctx.Done()
	if repair(ctx, d, train, &work); work < 1e12-1e7 {
		t.Errorf("%d symbols were read in vain", int(1e12)-work)
	}
}
