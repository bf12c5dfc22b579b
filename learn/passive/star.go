package passive

import (
	"context"
	"math"
)

// What is known for or against a merge, where some labels are wrong, is a likelihood
// ratio: of the labels if the two nodes are one state, to the labels if they are not. All
// that meets in a merge contributes. If two states are not the same, they may still agree
// on a share of what follows, which is not known: so there is one ratio for each of a few
// shares, and any of them can forbid the merge. If the two are one state, the expectation
// of each inverse ratio is one, so that it is over 1/α with a probability of at most α,
// however much is compared (Wald, Sequential analysis, 1947).
const shares = 4

var agreeing = [shares]float64{0, 0.7, 0.95, 0.995}

// mostLead is the greatest lead of one label over the other that counts. More says no more.
const mostLead = 31

// Evidence holds the logarithms of the ratios.
type evidence [shares]float64

// A weighing is a table of what two nodes say that meet, by the leads of accepted over
// rejected words that they have.
type weighing struct {
	table [2*mostLead + 1][2*mostLead + 1]evidence
	limit float64  // what may speak against a merge
	sum   evidence // of the attempt that is being made
}

// newWeighing makes the table for a share of wrong labels, and of accepted words.
func newWeighing(noise, accepted float64) *weighing {
	w := &weighing{}
	for i := range w.table {
		for j := range w.table[i] {
			x := likelihood(i+j-2*mostLead, noise, accepted) - likelihood(i-mostLead, noise, accepted) - likelihood(j-mostLead, noise, accepted)
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
// words below it is merged into the red state for which most speaks, unless something
// speaks against all of them; then it turns red.
func (h *hypothesis) edsmStar(ctx context.Context, noise float64) func() error {
	pos, neg := h.totals(0)
	share := (float64(pos) + 1) / (float64(pos+neg) + 2)
	h.weighing = newWeighing(noise, share)
	h.budget = math.MaxInt32
	known := map[int32]weight{}
	return func() error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		place := h.heaviest(known)
		best, most := -1, math.Inf(-1)
		h.weighing.limit = math.Log(1000) + float64(h.symbols)*math.Log(float64(len(h.red)+1))
		for r := range h.red {
			h.weighing.sum = evidence{}
			if h.try(r, place) && h.weighing.sum[0] > most {
				best, most = r, h.weighing.sum[0]
			}
			h.undo()
		}
		if best < 0 {
			return h.promote(place)
		}
		h.weighing.limit = math.Inf(1)
		h.try(best, place)
		h.commit()
		return nil
	}
}

// A weight is how many words there are below a blue node, and when they were counted.
type weight struct{ words, clock int32 }

// heaviest returns the place of the blue node with most words.
func (h *hypothesis) heaviest(known map[int32]weight) int32 {
	most, at := int32(-1), int32(0)
	for _, place := range h.blue {
		w, ok := known[place]
		if !ok || h.changed[h.keyOf(place)] > w.clock {
			pos, neg := h.totals(h.next[place])
			w = weight{pos + neg, h.clock}
			known[place] = w
		}
		if w.words > most {
			most, at = w.words, place
		}
	}
	return at
}

// totals counts the words in the tree below a node.
func (h *hypothesis) totals(n int32) (pos, neg int32) {
	stack := append([]int32(nil), n)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		pos, neg = pos+h.Nodes[n].Data.pos, neg+h.Nodes[n].Data.neg
		for c := h.Nodes[n].Head; c != 0; c = h.Nodes[c].Sibling {
			stack = append(stack, c)
		}
	}
	return pos, neg
}
