// Package spectral learns weighted automata from the values of words: from a network's
// probabilities, from any function of words, or from how often words occur.
//
// The values f(uv) of prefixes u and suffixes v form the Hankel matrix of f. Its rank
// is the number of states of the smallest weighted automaton for f (Fliess 1974), and
// from its singular vectors the automaton can be read off (Balle, Carreras, Luque and
// Quattoni, Spectral learning of weighted automata, 2014). A smaller rank than that
// gives an automaton that is close (for networks: Lacroce, Panangaden and Rabusseau,
// Extracting weighted automata for approximate minimization in language modelling,
// 2021). Nothing but the values of words goes into it, so this works for black boxes.
//
// For a network that says yes or no with probabilities near 1 and 0 the rank is at
// most the number of states of the deterministic automaton, the dead one not counted.
//
// Results are deterministic; a seed fixes the words that are drawn.
package spectral

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/weighted"
	"quotient/word"
	"quotient/worth"
)

// Options say how to learn from a network. Zero values stand for the defaults.
type Options struct {
	Rank    int         // states of the weighted automaton; chosen on held-out words if 0
	MaxRank int         // the largest rank that is tried; 50
	Words   []word.Word // where the basis comes from, beside the shortest words; drawn if nil
	Held    []word.Word // words that choose the rank; drawn if nil
	Data    []word.Word // words of the user's that join those drawn, half of them those for the basis and half the others; see [MostData]
	Queries int         // prefixes × suffixes × (symbols + 1) is at most this; 131,072
	Size    int         // most prefixes, and most suffixes, in the basis; 300
	Limit   int         // most states of the deterministic automaton; 1,000
	Seed    uint64      // of the words that are drawn

	// Tell, if not nil, is told after every round how many states the automaton has, and
	// about how many words the network was asked.
	Tell func(states, words int)
}

func (o Options) orDefaults() Options {
	o.MaxRank = cmp.Or(o.MaxRank, 50)
	o.Queries = cmp.Or(o.Queries, 1<<17)
	o.Size = cmp.Or(o.Size, 300)
	o.Limit = cmp.Or(o.Limit, 1000)
	return o
}

func (o Options) check() error {
	if o.Rank < 0 || o.MaxRank < 1 || o.Queries < 1 || o.Size < 1 || o.Limit < 1 {
		return fmt.Errorf("rank %d of at most %d, %d queries, a basis of %d, at most %d states: the rank must not be negative, the others at least 1",
			o.Rank, o.MaxRank, o.Queries, o.Size, o.Limit)
	}
	if o.Size > MaxSize {
		return fmt.Errorf("a basis of %d words: at most %d can be taken apart in reasonable time", o.Size, MaxSize)
	}
	return nil
}

// MostData is how many words of the user's join those that are drawn for a purpose.
const MostData = poolWords

// MaxSize is the largest basis. The singular values of a matrix of that size take
// about half a minute.
const MaxSize = 2000

// A Result is a weighted automaton and how it came about.
type Result struct {
	Automaton *weighted.Automaton // its value is the network's probability, its threshold 1/2
	States    []word.Word         // the word that leads to each of its states
	Basis     Basis
	Rank      int
	Singular  []float64 // the singular values of the Hankel matrix, falling
	Trials    []Trial   // the ranks that were tried, rising
	Why       string    // this rank, in words
	Queries   int       // distinct words that the network was asked for, held-out ones included

	// The deterministic automaton, minimal, for the words whose value is over the
	// threshold; nil if the vectors do not come down to finitely many states.
	DFA *automaton.DFA
	// What it or its absence means, in words.
	Note string
}

// A Trial says how a rank does on held-out words.
type Trial struct {
	Rank  int     `json:"rank"`
	Agree int     `json:"agree"` // words with the network's answer
	Words int     `json:"words"`
	Error float64 `json:"error"` // the mean difference in value, at most 1 a word
}

// Learn returns a weighted automaton for the probabilities of a network. It asks for
// all words that a basis of prefixes and suffixes spans, takes the matrix apart, and
// chooses the smallest rank whose automaton gives the network's answer on words that
// were held out as often as any other does, up to chance.
//
// Of o.Words, those on which the two then disagree show what the basis lacks. They are
// shortened as far as the disagreement lasts, their prefixes and suffixes join the
// basis, and all is done again, a few times over; the automaton with the fewest
// disagreements is taken. That is what Beimel et al. (Learning functions represented as
// multiplicity automata, 2000) use counterexamples for.
func Learn(q *oracle.Inquiry, o Options) (*Result, error) {
	o = o.orDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	o.Queries = q.AtMost(o.Queries, 0.5)
	forgetful, cancel := q.Search(0)
	defer cancel()
	outer := q
	q = forgetful.Remembering()
	if err := o.draw(forgetful, q); err != nil {
		return nil, err
	}
	l, err := newLearner(q, o)
	if err != nil {
		return nil, err
	}
	var best *Result
	var lacking []word.Word
	for fewest := math.MaxInt; ; {
		res, err := l.round(lacking)
		if err != nil && best != nil && outer.Err() == nil { // enough was asked
			best.Queries = q.Known()
			return best, best.determinize(o)
		}
		if err != nil {
			return nil, err
		}
		if o.Tell != nil {
			o.Tell(res.Rank, q.Known())
		}
		wrong := l.disagreements(res.Automaton)
		if len(wrong) < fewest {
			best, fewest = res, len(wrong)
		}
		known := len(lacking)
		if l.rounds++; l.rounds < mostRounds {
			if lacking, err = l.shorten(res.Automaton, wrong, lacking); err != nil && outer.Err() != nil {
				return nil, err
			}
		}
		if len(lacking) == known {
			best.Queries = q.Known()
			return best, best.determinize(o)
		}
	}
}

// probabilities makes a function of a network.
func probabilities(q *oracle.Inquiry) Function {
	return func(_ context.Context, words []word.Word) ([]float64, error) {
		p := q.Probabilities(words)
		values := make([]float64, len(p))
		for i := range p {
			values[i] = float64(p[i])
		}
		return values, q.Err()
	}
}

// visible is the least difference in probability that choosing a rank takes notice of.
const visible = 0.01

// choose tries the ranks in turn, until one leaves nothing to be better at, and takes
// the smallest that is as good as any: its disagreements are within one standard error
// of the fewest (the rule of Breiman, Friedman, Olshen and Stone 1984), and its values
// are visibly as close as the closest. A network that errs on some long words would
// otherwise make a large automaton that errs on a few of them too. For the same reason a
// singular value that is not visible ends the search: what it adds to the matrix changes
// no probability in it by more than itself.
func (res *Result) choose(ctx context.Context, f *factorization, held []word.Word, values []float64) error {
	most, closest := -1, math.Inf(1) // words of agreement, error
	for rank := 0; rank <= f.most; rank++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if rank > 0 && f.singular[rank-1] < visible || most == len(held) && closest < visible {
			break
		}
		t := try(f.automaton(rank), held, values)
		res.Trials = append(res.Trials, t)
		most, closest = max(most, t.Agree), min(closest, t.Error)
	}
	n := float64(max(1, len(held)))
	spread := worth.Spread(float64(most)/n, len(held))
	for _, near := range []float64{closest + visible, 1} { // none may be both, then agreement counts
		for _, t := range res.Trials {
			if worth.Rank.Pays(float64(most-t.Agree)/n, spread, 0) || t.Error > near {
				continue
			}
			res.Rank = t.Rank
			res.Why = fmt.Sprintf("agrees with the network on %d of %d held-out words; no smaller one does as well", t.Agree, len(held))
			if t.Agree < most {
				res.Why += fmt.Sprintf(", and no larger one is better than by chance (%d at most)", most)
			}
			return nil
		}
	}
	return nil
}

// try compares an automaton with the values of words.
func try(a *weighted.Automaton, words []word.Word, values []float64) Trial {
	t := Trial{Rank: a.Len(), Words: len(words)}
	for i, x := range a.Values(words) {
		if (x > oracle.Threshold) == (values[i] > oracle.Threshold) {
			t.Agree++
		}
		off := math.Abs(x - values[i])
		if !(off < 1) { // or not a number
			off = 1
		}
		t.Error += off / float64(len(words))
	}
	return t
}

// determinize fills in the deterministic automaton: of several tolerances, the one whose
// automaton agrees best with the weighted one on the held-out words, the natural one
// first.
func (res *Result) determinize(o Options) error {
	held := make([]bool, len(o.Held))
	for i, w := range o.Held {
		held[i] = res.Automaton.Accepts(w)
	}
	best := -1
	for _, tolerance := range []float64{0.5, 0.3, 0.7, 0.9} {
		d, err := res.Automaton.DFA(tolerance, o.Limit)
		var limit *automaton.LimitError
		if errors.As(err, &limit) {
			continue
		}
		if err != nil {
			return err
		}
		agree := oracle.Set{Words: o.Held, Accept: held}.Agree(d)
		if agree > best {
			best, res.DFA = agree, automaton.Minimize(d)
		}
		if agree == len(o.Held) {
			break
		}
	}
	if res.DFA == nil {
		res.Note = fmt.Sprintf("no deterministic automaton of up to %d states was found for what it accepts", o.Limit)
		return nil
	}
	res.Note = fmt.Sprintf("states of its deterministic automaton: %d; the two agree on %d of %d held-out words",
		res.DFA.Len(), best, len(o.Held))
	return nil
}
