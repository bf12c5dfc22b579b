package passive

import (
	"context"
	"errors"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/learn/labeled"
)

// What speaks for a merge where some labels are wrong is a likelihood ratio: of the labels
// if the two nodes are one state, to the labels if they are not. All that meets in a merge
// contributes. Two states that are not the same may still agree on a share of what follows,
// which is not known: so there is one ratio for each of a few shares, and any of them can
// forbid the merge. If the two are one state, the inverse of each ratio is a martingale of
// mean one, so that it ever exceeds 1/α with a probability of at most α, however much is
// compared (Ville 1939). So an attempt can stop as soon as one does.
const shares = 4

var agreeing = [shares]float64{0, 0.7, 0.95, 0.995}

// Evidence holds the logarithms of the ratios.
type evidence [shares]float64

// mostLead is the greatest lead of one label over the other that counts. More says no more.
const mostLead = 31

// A weighing is a table of what two nodes say that meet, by the leads that accepted words
// have over rejected ones.
type weighing struct {
	table [2*mostLead + 1][2*mostLead + 1]evidence
	limit float64  // how much may speak against a merge
	sum   evidence // of the attempt that is being made
}

// newWeighing makes the table for shares of wrong labels and of accepted words.
func newWeighing(noise, accepted float64) *weighing {
	w := &weighing{}
	like := func(lead int) float64 { return likelihood(lead, noise, accepted) }
	for i := range w.table {
		for j := range w.table[i] {
			x := like(i+j-2*mostLead) - like(i-mostLead) - like(j-mostLead)
			for k, share := range agreeing {
				w.table[i][j][k] = -math.Log(share + (1-share)*math.Exp(-x))
			}
		}
	}
	return w
}

// likelihood returns the logarithm of how likely a lead is at a node of which nothing else
// is known, up to a term that is linear in the number of words.
func likelihood(lead int, noise, accepted float64) float64 {
	x := float64(lead) / 2 * math.Log((1-noise)/noise)
	a, b := math.Log(accepted)+x, math.Log(1-accepted)-x
	return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
}

// meet weighs two nodes that meet, and reports whether the merge is still possible.
func (w *weighing) meet(a, b count) bool {
	t := &w.table[a.lead()][b.lead()]
	for i := range t {
		w.sum[i] += t[i]
	}
	return min(w.sum[0], w.sum[1], w.sum[2], w.sum[3]) >= -w.limit
}

// lead returns the index in a weighing.
func (c count) lead() int32 { return mostLead + min(max(c.pos-c.neg, -mostLead), mostLead) }

// edsmStar returns a step of EDSM that puts up with wrong labels: the blue node with most
// words below it is merged into the red state for which most speaks, unless too much speaks
// against all of them; then it turns red. What a state costs to write down must be
// outweighed, too.
func (h *hypothesis) edsmStar(ctx context.Context, noise float64) func() error {
	h.countBelow()
	h.weighing = newWeighing(noise, h.shareAccepted())
	h.budget = math.MaxInt32
	return func() error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		place := h.heaviest()
		best, most := -1, math.Inf(-1)
		limit := math.Log(1000) + float64(h.symbols)*math.Log(float64(len(h.red)+1))
		for r := range h.red {
			if h.weigh(r, place, limit) && h.weighing.sum[0] > most {
				best, most = r, h.weighing.sum[0]
			}
			h.undo()
		}
		if best < 0 {
			return h.promote(place)
		}
		h.counting = true
		h.weigh(best, place, limit)
		h.counting = false
		h.commit()
		return nil
	}
}

// weigh tries a merge, which is forbidden if more than the limit speaks against it.
func (h *hypothesis) weigh(r int, place int32, limit float64) bool {
	h.weighing.sum, h.weighing.limit = evidence{}, limit
	return h.try(r, place)
}

// heaviest returns the place of the blue node with most words, the first of several.
func (h *hypothesis) heaviest() int32 {
	most, at := int32(-1), int32(0)
	for _, place := range h.blue {
		if n := h.below[h.next[place]]; n > most {
			most, at = n, place
		}
	}
	return at
}

// countBelow counts the words below every node of the tree.
func (h *hypothesis) countBelow() {
	h.below = make([]int32, len(h.Nodes))
	for n := len(h.Nodes) - 1; n >= 0; n-- { // children come after their parents
		h.below[n] += h.Nodes[n].Data.pos + h.Nodes[n].Data.neg
		for c := h.Nodes[n].Head; c != 0; c = h.Nodes[c].Sibling {
			h.below[n] += h.below[c]
		}
	}
}

// shareAccepted returns the share of accepted words, never all or nothing.
func (h *hypothesis) shareAccepted() float64 {
	pos, all := 1.0, 2.0
	for i := range h.Nodes {
		c := h.Nodes[i].Data
		pos, all = pos+float64(c.pos), all+float64(c.pos+c.neg)
	}
	return pos / all
}

// noises are the shares of wrong labels that are tried, the measured one after the first.
// What is merged at too large a share is wrong, and at too small a share too little is
// merged, but repair makes up for either: the first suits 2% to 15% of wrong labels.
var noises = []float64{0.1, measured, 0.25, 0.03, 0.15, 0.2, measured, 0.05, 0.3, 0.4}

// measured stands for the share of words on which the best automaton so far is wrong.
const measured = 0

const (
	foldWork = 25  // what it costs to fold a pair of nodes, in symbols read
	allWork  = 6e8 // symbols that may be read for a set, beside what it takes in proportion to its size
	nodeWork = 500 // for each node of the tree
)

// errWork says that an attempt takes too long.
var errWork = errors.New("too much work")

// A star is a search among shares of wrong labels.
type star struct {
	set    *labeled.Set
	tell   func(Progress)
	nodes  []node // of the tree, which every attempt copies
	work   int    // that is left
	best   *Result
	cost   float64
	before []*automaton.DFA // what has been found
}

// learnStar learns from words of which some have the wrong label. What it finds is the
// automaton of least description length. It ends as soon as two shares of wrong labels
// lead to the best automaton so far.
func learnStar(ctx context.Context, s *labeled.Set, tell func(Progress)) (*Result, error) {
	x := &star{set: s, tell: tell, nodes: tree(s), cost: math.Inf(1)}
	x.work = allWork + nodeWork*len(x.nodes)
	for i, noise := range noises {
		if x.best != nil && x.work <= 0 {
			break
		}
		if noise == measured {
			if x.best == nil {
				continue
			}
			noise = min(max(float64(x.best.Wrong)/float64(x.best.Stats.Words), 0.005), 0.4)
		}
		again, err := x.try(ctx, noise, i == len(noises)-1)
		if err != nil {
			return nil, err
		}
		if again {
			return x.best, nil
		}
	}
	x.judge(repair(ctx, x.best.Automaton, s, &x.work), x.best.Stats)
	return x.best, nil
}

// judge takes an automaton if its description is the shortest, and returns the length.
func (x *star) judge(d *automaton.DFA, stats Stats) float64 {
	agree, words := x.set.Agree(d)
	cost := descriptionLength(d.Len(), d.Alphabet.Len(), words-agree, words)
	if cost < x.cost {
		x.cost = cost
		x.best = &Result{Automaton: d, Wrong: words - agree, Stats: stats, Method: EDSMStar, DescriptionLength: cost}
	}
	return cost
}

// try learns for a share of wrong labels, and reports whether it finds the best so far,
// which another share led to. An attempt that takes too much work is given up, but for the last one, which must
// find something if nothing was found before.
func (x *star) try(ctx context.Context, noise float64, last bool) (again bool, err error) {
	h := newHypothesis(x.set, slices.Clone(x.nodes))
	h.most = max(x.work/foldWork/2, len(x.nodes))
	if last && x.best == nil {
		h.most = 0
	}
	err = h.learn(ctx, Options{Method: EDSMStar, noise: noise, Progress: x.tell})
	x.work -= foldWork * h.stats.Folded
	if errors.Is(err, errWork) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	part := x.work / 3 // others may begin better
	x.work -= part
	d := repair(ctx, h.dfa(), x.set, &part)
	x.work += part
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	cost := x.judge(d, h.stats)
	for _, other := range x.before {
		if cost == x.cost && other.Equal(d) {
			return true, nil
		}
	}
	x.before = append(x.before, d)
	return false, nil
}
