package active

import (
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/learn/prune"
	"quotient/oracle"
	"quotient/word"
	"quotient/worth"
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
// words that the candidate accepts or rejects; and words of the user's. Of none of these
// may the candidate get more wrong than is tolerated; what is reported is the largest
// share. Those that are drawn have a stream of random numbers of their own, so that judging
// changes nothing for the tests.
func (r *run) judge(h *automaton.DFA, far func(c, h *automaton.DFA) bool) (*automaton.DFA, float64, error) {
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
	t.rng = r.judging
	n := t.q.AtMost(samples(r.o.Epsilon, r.o.Delta, 1), 1./16)
	shared := make([]oracle.Set, 2)
	var err error
	if shared[0], err = t.sampleOf(h, n); err != nil {
		return nil, 0, err
	}
	if shared[1], err = t.sampleOf(nil, n); err != nil {
		return nil, 0, err
	}
	goOn := worth.Price{Once: r.o.Tolerance} // what the larger hypothesis must be worth
	for _, c := range open {
		share := max(shared[0].Error(c), shared[1].Error(c), t.data.Error(c))
		if !goOn.Pays(share, 0, 0) {
			own, err := t.sampleOf(c, n)
			if err != nil {
				return nil, 0, err
			}
			share = max(share, own.Error(c))
		}
		if !goOn.Pays(share, 0, 0) {
			return t.pruned(c, share, shared)
		}
	}
	r.candidates = rest
	return nil, 0, nil
}

// pruned gives up states of a candidate that stands, with a share of errors, as long as hardly a word needs them. What is left is
// tried on words of its own, too; if it is wrong on more than is tolerated, these judge the next attempt.
func (t *tester) pruned(c *automaton.DFA, share float64, kinds []oracle.Set) (*automaton.DFA, float64, error) {
	const attempts = 8
	tolerated := worth.Price{Once: t.o.Tolerance}
	n := len(kinds[0].Words)
	kinds = append(slices.Clone(kinds), t.data)
	for range attempts {
		p := prune.New(c)
		p.May = worth.Queries.State
		p.Stop = func() bool { return t.q.Err() != nil }
		for _, s := range kinds {
			p.Add(s)
		}
		d := p.Run()
		if d.Len() == c.Len() {
			break
		}
		own, err := t.sampleOf(d, n)
		if err != nil {
			return nil, 0, err
		}
		kinds = append(kinds, own)
		worst := 0.0
		for _, s := range kinds {
			worst = max(worst, s.Error(d))
		}
		if !tolerated.Pays(worst, 0, 0) && t.data.Error(d) <= t.data.Error(c) {
			return d, worst, nil
		}
	}
	return c, share, nil
}

// sampleOf draws n words that an automaton accepts or rejects, or any words if it is nil,
// and asks the network.
func (t *tester) sampleOf(d *automaton.DFA, n int) (oracle.Set, error) {
	var words []word.Word
	var err error
	if d == nil {
		for i := range n {
			words = append(words, t.draw(i))
		}
	} else if words, err = t.drawLanguage(d, n); err != nil {
		return oracle.Set{}, err
	}
	t.stats.TestWords += len(words)
	for _, w := range words {
		t.stats.Symbols += len(w)
	}
	return t.q.Label(words), t.q.Err()
}

// settle ends learning with a candidate although there are words that contradict it.
func (r *run) settle(c *automaton.DFA, share float64, h *automaton.DFA) {
	r.res.Automaton = c
	r.res.Why = fmt.Sprintf("the network leaves this automaton on rare words, at most %.2g%% of any kind drawn to judge it; "+
		"to follow it there takes more than %d states", 100*share, h.Len()-1)
}

// conclude chooses an automaton when a budget is spent: a candidate that the last
// hypothesis is beyond, if one stands, or the last hypothesis itself.
func (r *run) conclude(why string) error {
	c, share, err := r.judge(r.last, beyond)
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

// counterexamples returns the counterexamples that an automaton gets wrong, each once.
func (r *run) counterexamples(d *automaton.DFA) []word.Word {
	var wrong []word.Word
	for _, w := range r.found {
		r.learner.recall(0, w)
		if known := r.m.lookup(w); known != unknown && d.Accepts(w) != (known == yes) {
			wrong = append(wrong, w)
		}
	}
	slices.SortFunc(wrong, word.Compare)
	wrong = slices.CompactFunc(wrong, slices.Equal[word.Word])
	return wrong[:min(len(wrong), 20)]
}
