package passive

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// rpni returns a step of RPNI: the first blue node is merged into the first red
// state that it can be merged into at no more than the budget's errors, or turns
// red. First is what follows the older red state, then the symbol that comes first;
// where the words are complete that is the order of the original, shorter prefixes
// before longer ones.
func (h *hypothesis) rpni(ctx context.Context, budget func() int32) func() error {
	return func() error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		h.budget = budget()
		place := h.blue[0]
		for r := range h.red {
			if h.try(r, place) {
				h.commit()
				return nil
			}
			h.undo()
		}
		return h.promote(place)
	}
}

// tolerance returns how many errors a merge may add to those that there are among
// n words. It is the test of RPNI*: the share of errors after the merge must not
// be greater than the share before at the significance level alpha,
//
//	after - before ≤ u √(2 p (1 - p) / n),
//
// where p is the mean of the two shares and u the quantile of the normal
// distribution.
func tolerance(errors int32, n int, alpha float64) int32 {
	u := distuv.UnitNormal.Quantile(1 - alpha)
	acceptable := func(more int32) bool {
		before, after := float64(errors)/float64(n), float64(errors+more)/float64(n)
		p := (before + after) / 2
		return after-before <= u*math.Sqrt(2*p*(1-p)/float64(n))
	}
	more := int32(0)
	for int(errors+more) < n && acceptable(more+1) {
		more++
	}
	return more
}
