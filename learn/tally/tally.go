// Package tally finds a counter in the states of a network and extracts a counter
// automaton, which Merrill and Tsilivis (2022) name as the right target for LSTMs:
// these can add to their cells without bound, see Weiss, Goldberg and Yahav, "On the
// practical computational power of finite precision RNNs" (2018).
//
// It goes in four steps.
//
//  1. The network is run on words that make a counter go up and down: all short
//     words, each prolonged by runs of symbols, and long words of two runs.
//  2. Counters are looked for in a learned projection of the state. For each that
//     adds -1, 0 or 1 for a symbol, a linear function of the state is fitted to it,
//     and those counters are kept that it explains on words set aside (project.go).
//  3. For every counter, and for none, what the counter does not explain is
//     quotiented: prefixes are merged by the loop of red and blue states, where the
//     zero test of the counter is read beside the symbol, and those whose states are
//     most similar, the counter's part taken out, are tried first (fold.go).
//  4. The automata are judged by their agreement with the network on fresh words
//     near the language of each. Words on which the best of them errs are added to
//     the first step, a few times.
//
// A network that needs no counter gives an automaton that does not count. What adds
// to the counter depends on the symbol alone, so a language like aⁿbaⁿ is out of
// reach.
package tally

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/counter"
	"quotient/internal/parallel"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
	"quotient/worth"
)

// Options say how to extract. Zero values stand for the defaults.
type Options struct {
	Seed   uint64  // of the words that judge
	States int     // most states of an automaton; 40
	Share  float64 // of a counter's variance that the state must explain; 0.9
	Words  int     // that judge the automata, for each of them; 200
	Length int     // their length; 40
	Least  float64 // agreement with the network under which there is no result; 0.9
	Rounds int     // of learning from errors, at most; 4

	Data []word.Word // words of the user's that judge as well, the first [MostData] of them
}

func (o Options) orDefaults() Options {
	o.States = cmp.Or(o.States, 40)
	o.Share = cmp.Or(o.Share, 0.9)
	o.Words = cmp.Or(o.Words, 200)
	o.Length = cmp.Or(o.Length, 40)
	o.Least = cmp.Or(o.Least, 0.9)
	o.Rounds = cmp.Or(o.Rounds, 4)
	return o
}

// MostData is how many words of the user's judge.
const MostData = 500

// A Result is a counter automaton and how it came about.
type Result struct {
	Automaton *counter.Automaton
	Counter   Counter // what it counts; nothing for a finite automaton
	Trials    []Trial // of the last round, the best first
	Prefixes  int     // that the network was run on
}

// A Trial is what came of a counter.
type Trial struct {
	Counter   Counter
	Automaton *counter.Automaton // nil if it failed
	Failed    string             // why
	Agree     int                // words on which it says what the network says
	Words     int                // that judged it

	wrong []word.Word // of them, those on which it does not
}

// Agreement returns the share of words.
func (t Trial) Agreement() float64 { return float64(t.Agree) / float64(max(1, t.Words)) }

// A NoCounterError says why no counter automaton was found.
type NoCounterError struct {
	Alphabet *word.Alphabet
	Trials   []Trial // the best first
	Least    float64 // the agreement that was asked for
	Share    float64 // and the share of a counter's variance
}

func (e *NoCounterError) Error() string {
	const shown = 3
	text := fmt.Sprintf("no counter was found in the network's states: no automaton agrees with it on %g%% of the words near its language", 100*e.Least)
	told := map[string]bool{}
	for _, t := range e.Trials {
		name := t.Counter.Name(e.Alphabet)
		if told[name] || len(told) == shown {
			continue
		}
		told[name] = true
		about := "without a counter"
		if t.Counter.Share > 0 {
			about = fmt.Sprintf("with counter %s, %.4g%% of which the state explains", name, 100*t.Counter.Share)
		}
		if t.Failed != "" {
			text += fmt.Sprintf("; %s, %s", about, t.Failed)
		} else {
			text += fmt.Sprintf("; %s, the best agrees on %.4g%%", about, 100*t.Agreement())
		}
	}
	if !slices.ContainsFunc(e.Trials, func(t Trial) bool { return t.Counter.Share > 0 }) {
		text += fmt.Sprintf("; no counter that adds -1, 0 or 1 for each symbol is explained to %g%%", 100*e.Share)
	}
	return text
}

// mostTried is how many counters are tried, the clearest first.
const mostTried = 12

// Extract extracts a counter automaton from a network. If none agrees with it well
// enough, the error is a *[NoCounterError].
func Extract(q *oracle.Inquiry, o Options) (*Result, error) {
	o = o.orDefaults()
	o.Length = min(o.Length, q.Longest())
	if n, most := Prefixes(q.Alphabet().Len()), mostNumbers/max(1, q.Dim()); n > most {
		return nil, fmt.Errorf("looking for a counter over %d symbols takes %d prefixes of words, and with states of %d numbers %d are possible; "+
			"other methods take more symbols", q.Alphabet().Len(), n, q.Dim(), most)
	}
	p := newPool(q.Alphabet().Len())
	for i, w := range p.words {
		p.words[i] = w[:min(len(w), q.Longest())]
	}
	rng := sample.Rand(o.Seed, sample.Counting)
	var best []Trial // and how the others did beside it
	for round := 1; ; round++ {
		if err := p.run(q); err != nil {
			return nil, err
		}
		trials, err := p.try(q, o)
		if err != nil {
			return nil, err
		}
		if best != nil { // what was learned must be better than what was known
			trials = append(trials, best[0])
		}
		wrong, err := judge(q, trials, o, rng)
		if err != nil {
			return nil, err
		}
		again := best != nil && trials[0].same(best[0])
		best = trials
		if again || len(wrong) == 0 || round == o.Rounds {
			break
		}
		p.words = append(p.words, wrong...)
	}
	if best[0].Automaton == nil || best[0].Agreement() < o.Least {
		return nil, &NoCounterError{q.Alphabet(), best, o.Least, o.Share}
	}
	return &Result{best[0].Automaton, best[0].Counter, best, p.tree.Len()}, nil
}

// try folds the pool with every counter, and with none.
func (p *pool) try(q *oracle.Inquiry, o Options) ([]Trial, error) {
	counters := p.counters(o.Share)
	counters = append(counters[:min(len(counters), mostTried)], Counter{Add: make([]int, p.tree.Alphabet.Len())})
	// A network may lose count in long words, and then no small automaton fits them.
	pools := []*pool{p, p.upTo(24), p.upTo(12), p.upTo(8)}
	trials := make([][]Trial, len(counters))
	parallel.Do(0, len(counters), func(k int) {
		for _, cut := range pools {
			if q.Err() != nil {
				return
			}
			t := Trial{Counter: counters[k]}
			var err error
			if t.Automaton, err = cut.fold(t.Counter, o.States); err != nil {
				t.Failed = fmt.Sprintf("%v, more than %d", err, o.States)
			}
			if !slices.ContainsFunc(trials[k], t.same) {
				trials[k] = append(trials[k], t)
			}
		}
	})
	return slices.Concat(trials...), q.Err()
}

// judge counts for every trial on how many fresh words, drawn for each of them, it
// agrees with the network, and sorts the trials, the best first. It returns the
// shortest words on which the best errs.
func judge(q *oracle.Inquiry, trials []Trial, o Options, rng *rand.Rand) ([]word.Word, error) {
	var words []word.Word
	for _, t := range trials {
		if t.Automaton == nil {
			continue
		}
		more, err := judges(t.Automaton, o.Words, o.Length, rng)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	words = append(words, q.Readable(o.Data[:min(len(o.Data), MostData)])...)
	answers := q.Label(words)
	if err := q.Err(); err != nil {
		return nil, err
	}
	for i := range trials {
		if t := &trials[i]; t.Automaton != nil {
			t.wrong = answers.Mistakes(t.Automaton)
			t.Words, t.Agree = len(words), len(words)-len(t.wrong)
		}
	}
	slices.SortStableFunc(trials, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(a.cost(), b.cost()), cmp.Compare(a.Counter.Share, b.Counter.Share))
	})
	wrong := trials[0].wrong
	slices.SortStableFunc(wrong, func(v, w word.Word) int { return cmp.Compare(len(v), len(w)) })
	return wrong[:min(len(wrong), 20)], nil
}

func (t *Trial) same(u Trial) bool {
	if t.Automaton == nil || u.Automaton == nil {
		return t.Failed == u.Failed
	}
	return t.Automaton.Equal(u.Automaton)
}

// cost is what trials are chosen by; a counter costs as much as four states.
func (t *Trial) cost() float64 {
	if t.Automaton == nil {
		return math.Inf(1)
	}
	parts := t.Automaton.Len()
	if t.Automaton.Counts() {
		parts += 4
	}
	return worth.Counter.Cost(worth.Score{Error: 1 - t.Agreement(), States: parts})
}

// judges draws words to judge an automaton by: half of them valid ones of lengths up
// to the one given, a quarter such words changed, and a quarter uniform ones.
func judges(a *counter.Automaton, n, length int, rng *rand.Rand) ([]word.Word, error) {
	d, err := a.DFA(length, automaton.DefaultLimit)
	if err != nil {
		return nil, err
	}
	near, err := sample.NewNear(d, length)
	if err != nil {
		return nil, err
	}
	words := make([]word.Word, n)
	for i := range words {
		if i%4 < 3 {
			words[i] = near.Part(i%4 == 2, rng)
			continue
		}
		words[i] = sample.UniformWord(a.Alphabet.Len(), 0, length, rng)
	}
	return words, nil
}
