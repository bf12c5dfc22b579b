package active

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A network that is nearly right errs on rare words: it loses count after twenty
// symbols, say. To follow such errors takes ever more states and explains next to
// nothing. So hypotheses that passed for the network's language until a rare word was
// found are kept as candidates. When the learner has grown far beyond one, words decide:
// either the candidate is wrong on more of them than is tolerated and is dropped, or
// learning ends with it.

// outgrown reports whether h is far beyond c. Languages that are hard to find do grow a
// lot from a hypothesis that random words cannot tell from them, from 4 states to 60 in
// MLRegTest; so only much more than that is far.
func outgrown(c, h *automaton.DFA) bool { return h.Len() > 8*c.Len()+64 }

// beyond reports whether h is beyond c, where there is no going on.
func beyond(c, h *automaton.DFA) bool { return h.Len() > 2*c.Len()+4 }

// judge decides about the candidates that a hypothesis is far beyond. It returns the
// first that stands, with the share of words on which it is wrong, or nil.
//
// The words are those of [tester.draw], words that the hypothesis accepts or rejects, and
// words that the candidate accepts or rejects. Of none of the three may the candidate
// get more wrong than is tolerated; what is reported is the largest share. The words
// have a stream of random numbers of their own, so that judging changes nothing for the
// tests.
func (r *run) judge(ctx context.Context, h *automaton.DFA, far func(c, h *automaton.DFA) bool) (*automaton.DFA, float64, error) {
	var open, rest []*automaton.DFA
	for _, c := range r.candidates {
		if far(c, h) {
			open = append(open, c)
		} else {
			rest = append(rest, c)
		}
	}
	if r.o.Judge != nil || len(open) == 0 {
		return nil, 0, nil
	}
	t := *r.test
	t.rng = rand.New(rand.NewPCG(r.o.Seed, uint64(h.Len())))
	n := samples(r.o.Epsilon, r.o.Delta, 1)
	shared := make([]*sample, 2)
	var err error
	if shared[0], err = t.sampleOf(ctx, h, n); err != nil {
		return nil, 0, err
	}
	if shared[1], err = t.sampleOf(ctx, nil, n); err != nil {
		return nil, 0, err
	}
	for _, c := range open {
		share := max(shared[0].wrong(c), shared[1].wrong(c))
		if share <= r.o.Tolerance {
			own, err := t.sampleOf(ctx, c, n)
			if err != nil {
				return nil, 0, err
			}
			share = max(share, own.wrong(c))
		}
		if share <= r.o.Tolerance {
			return c, share, nil
		}
	}
	r.candidates = rest
	return nil, 0, nil
}

// A sample is words with the network's answers.
type sample struct {
	words  []word.Word
	accept []bool
}

// sampleOf draws n words that an automaton accepts or rejects, or any words if it is nil,
// and asks the network.
func (t *tester) sampleOf(ctx context.Context, d *automaton.DFA, n int) (*sample, error) {
	s := &sample{}
	if d == nil {
		for i := range n {
			s.words = append(s.words, t.draw(i))
		}
	} else {
		var err error
		if s.words, err = t.drawLanguage(d, n); err != nil {
			return nil, err
		}
	}
	var err error
	s.accept, err = t.labels(ctx, s.words)
	return s, err
}

// wrong returns the share of the words that an automaton gets wrong.
func (s *sample) wrong(d *automaton.DFA) float64 {
	wrong := 0
	for i, w := range s.words {
		if d.Accepts(w) != s.accept[i] {
			wrong++
		}
	}
	return float64(wrong) / float64(max(len(s.words), 1))
}

// settle ends learning with a candidate although there are words that contradict it.
func (r *run) settle(c *automaton.DFA, share float64, h *automaton.DFA) {
	r.res.Automaton = c
	r.res.Why = fmt.Sprintf("the network leaves this automaton on rare words, at most %.2g%% of any kind drawn to judge it; "+
		"to follow it there takes more than %d states", 100*share, h.Len()-1)
}

// conclude chooses an automaton when a budget is spent: a candidate that the last
// hypothesis is beyond, if one stands, or the last hypothesis itself.
func (r *run) conclude(ctx context.Context, why string) error {
	c, share, err := r.judge(ctx, r.last, beyond)
	if err != nil {
		return err
	}
	why = "learning ended early: " + why
	r.res.Automaton = r.last
	if c != nil {
		r.settle(c, share, r.last)
		why += "; " + r.res.Why
	}
	r.res.Why = why
	return nil
}

// exceptions returns the counterexamples that an automaton gets wrong, each once.
func (r *run) exceptions(d *automaton.DFA) []word.Word {
	var wrong []word.Word
	for _, w := range r.found {
		if known := r.m.lookup(w); known != unknown && d.Accepts(w) != (known == yes) {
			wrong = append(wrong, w)
		}
	}
	slices.SortFunc(wrong, func(x, y word.Word) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), slices.Compare(x, y))
	})
	wrong = slices.CompactFunc(wrong, slices.Equal[word.Word])
	return wrong[:min(len(wrong), 20)]
}

// labels returns the network's answers for words that will not be met again.
func (t *tester) labels(ctx context.Context, words []word.Word) ([]bool, error) {
	var labels []bool
	t.stats.TestWords += len(words)
	for some := range slices.Chunk(words, batch) {
		m := newMemory(t.net, &t.o, t.stats)
		nodes := make([]int32, len(some))
		for i, w := range some {
			nodes[i] = m.node(w)
		}
		answers, err := m.answers(ctx, nodes, false)
		if err != nil {
			return nil, err
		}
		labels = append(labels, answers...)
	}
	return labels, nil
}
