package passive

import (
	"context"
	"errors"

	"quotient/learn/labeled"
)

const (
	// EDSM may fold so many pairs for each node, and some more for each state, before
	// somebody asks whether labels are wrong. Clean words of automata of 8 to 500 states
	// take 3 to 50, noisy ones of 8 states 150 to 700.
	easyWork      = 60
	easyWorkState = 0.05

	// A state in which fewer words end is not vouched for: it may be there for one wrong
	// label.
	vouching = 5

	// Fewer words than that are taken at their word: what is rare in them is no noise yet.
	fewForNoise = 500

	// worthwhile is how much shorter than the labels themselves a description must be to
	// tell anything about them. Where EDSM finds an automaton, it takes 0.05 to 0.4 of the
	// labels, and where it finds nothing 0.7 to 5.
	worthwhile = 0.9
)

// learnAuto learns by EDSM unless some labels are wrong: then it finds many states, of
// which most serve to explain single words. An automaton of EDSM* is taken in its place if
// it and the words on which it is wrong are shorter to write down.
func learnAuto(ctx context.Context, s *labeled.Set, o Options) (*Result, error) {
	h := newHypothesis(s, tree(s))
	if h.errors > 0 {
		return h.contrary(ctx, s, o)
	}
	labels := float64(h.stats.Words) * entropy(h.shareAccepted())
	o.Method = EDSM
	if res, err := probe(ctx, s, o, worthwhile*labels); res != nil || err != nil {
		return res, err
	}
	h.easy = true
	err := h.learn(ctx, o)
	if err == nil && (h.stats.Words < fewForNoise || h.isVouched()) {
		return h.result(EDSM), nil
	}
	if err != nil && !errors.Is(err, errWork) {
		return nil, err
	}
	noisy, starErr := h.noisy(ctx, s, o)
	if starErr != nil {
		return nil, starErr
	}
	if err == nil {
		noisy.Exact = len(h.red)
	}
	if noisy.DescriptionLength < worthwhile*labels && (err != nil || noisy.DescriptionLength < h.describe()) {
		return noisy, nil
	}
	h.easy = false
	if err := h.finish(ctx, o); err != nil {
		return nil, err
	}
	return h.result(EDSM), nil
}

// odd is how many words there are for each that has both labels where that is a slip, and nothing is wrong with the others.
const odd = 50

// contrary learns from words some of which have both labels. That alone is no reason to put up with more: what EDSM makes of the
// labels that words have more often is taken where it would be without such words, or if it is not longer to write down.
func (h *hypothesis) contrary(ctx context.Context, s *labeled.Set, o Options) (*Result, error) {
	exact, err := h.majority(ctx, s, o)
	slip := h.stats.Words < fewForNoise && odd*h.stats.Contradictory <= h.stats.Words
	if err != nil || exact != nil && slip {
		return exact, err
	}
	noisy, err := h.noisy(ctx, s, o)
	if err != nil || exact == nil {
		return noisy, err
	}
	noisy.Exact = exact.Automaton.Len()
	labels := float64(h.stats.Words) * entropy(h.shareAccepted())
	if noisy.DescriptionLength < min(worthwhile*labels, exact.DescriptionLength) {
		return noisy, nil
	}
	return exact, nil
}

// majority returns what EDSM makes of the labels that words have more often, or nil if that is more work than clean words take.
func (h *hypothesis) majority(ctx context.Context, s *labeled.Set, o Options) (*Result, error) {
	clear := newHypothesis(s, settled(tree(s)))
	clear.easy = true
	o.Method = EDSM
	if err := clear.learn(ctx, o); errors.Is(err, errWork) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	res := clear.result(EDSM)
	agree, words := s.Agree(res.Automaton)
	res.Wrong, res.Stats.Words, res.Stats.Contradictory = words-agree, h.stats.Words, h.stats.Contradictory
	res.DescriptionLength = descriptionLength(res.Automaton.Len(), h.symbols, res.Wrong, words)
	return res, nil
}

// settled gives every word the label that it has more often, and none if it has both as often.
func settled(nodes []node) []node {
	for i := range nodes {
		c := &nodes[i].Data
		switch {
		case c.pos > c.neg:
			c.neg = 0
		case c.pos < c.neg:
			c.pos = 0
		default:
			*c = count{}
		}
	}
	return nodes
}

// explained is the share of the length of the labels below which a description has found what is behind noisy ones: with 5% of them wrong the truth
// takes 0.3. EDSM* sometimes ends with fewer states, which are wrong on three times as many words.
const explained = 0.45

// noisy learns by EDSM* and, where that explains little and words are not too many for it, by RPNI* with all its levels; of these it takes what is
// shortest to write down.
func (h *hypothesis) noisy(ctx context.Context, s *labeled.Set, o Options) (*Result, error) {
	best, err := learnStar(ctx, s, o.Progress)
	if err != nil || h.stats.Words > mostForAlpha || best.DescriptionLength <= explained*float64(h.stats.Words)*entropy(h.shareAccepted()) {
		return best, err
	}
	for _, alpha := range alphas {
		res, err := Learn(ctx, s, Options{Method: RPNIStar, Alpha: alpha})
		if err != nil {
			return nil, err
		}
		if res.DescriptionLength < best.DescriptionLength {
			best = res
		}
	}
	return best, nil
}

// probed is of how many words it is first tried whether they are clean. EDSM takes a minute
// for 90,000 words of which some are not, and a twentieth of its time to try so many.
const probed = 10_000

// probe returns what EDSM* finds if a part of the words looks as if labels were wrong, the
// result takes less than the given length to describe, and it is right on more words than
// what EDSM makes of the part. It returns nil if nothing is to be said against EDSM.
func probe(ctx context.Context, s *labeled.Set, o Options, most float64) (*Result, error) {
	every := len(s.Words) / probed
	if every < 2 {
		return nil, nil
	}
	var indices []int
	for i := 0; i < len(s.Words); i += every {
		indices = append(indices, i)
	}
	part := s.Subset(indices)
	h := newHypothesis(part, tree(part))
	if err := h.learn(ctx, Options{Method: EDSM}); err != nil || h.isVouched() {
		return nil, err
	}
	noisy, err := learnStar(ctx, s, o.Progress)
	if err != nil || noisy.DescriptionLength > most || noisy.Automaton.Len() >= mostPatched {
		return nil, err
	}
	if agree, words := s.Agree(h.dfa()); words-agree <= noisy.Wrong {
		return nil, nil
	}
	return noisy, nil
}

// spent reports whether an attempt has folded as many pairs as it may.
func (h *hypothesis) spent() bool {
	if h.easy {
		most := easyWork + easyWorkState*float64(len(h.red))
		return float64(h.stats.Folded) > 1e6+most*float64(h.stats.Nodes)
	}
	return h.most > 0 && h.stats.Folded > h.most
}

// isVouched reports whether most states have several words that end there.
func (h *hypothesis) isVouched() bool {
	few := 0
	for _, n := range h.red {
		if c := h.Nodes[n].Data; c.pos+c.neg < vouching {
			few++
		}
	}
	return 10*few <= len(h.red)
}

// describe returns the description length of the red states.
func (h *hypothesis) describe() float64 {
	return descriptionLength(len(h.red), h.symbols, int(h.errors), h.stats.Words)
}
