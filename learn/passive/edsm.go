package passive

import "context"

// A candidate is a blue node with the red states that it may be merged into.
type candidate struct {
	tested int     // red states 0 to tested-1 have been tried
	merges int     // how many merges had been made when they were
	red    []int32 // those of them that it can be merged into
	score  []int32 // of each
}

// edsm returns a step of EDSM: if a blue node cannot be merged into any red state,
// the first such turns red; otherwise the merge with the highest score is made, and
// of several the one of the first blue node into the first red state. The score is
// the number of times that two nodes with labels come together.
//
// A merge that is impossible stays so, since later merges only put more nodes
// together. So it is tried once. Scores change, but only when a merge is made.
func (h *hypothesis) edsm(ctx context.Context) func() error {
	known := map[int32]*candidate{} // by place
	return func() error {
		bestScore, bestPlace, bestRed := int32(-1), int32(0), int32(0)
		for _, place := range h.blue {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			c := known[place]
			if c == nil {
				c = &candidate{}
				known[place] = c
			}
			h.evaluate(c, place)
			if len(c.red) == 0 {
				delete(known, place)
				return h.promote(place)
			}
			for i, s := range c.score {
				if s > bestScore {
					bestScore, bestPlace, bestRed = s, place, c.red[i]
				}
			}
		}
		delete(known, bestPlace)
		h.try(int(bestRed), bestPlace)
		h.commit()
		return nil
	}
}

// evaluate brings a candidate up to date.
func (h *hypothesis) evaluate(c *candidate, place int32) {
	keep := 0
	if c.merges != h.stats.Merged {
		for _, r := range c.red {
			if h.try(int(r), place) {
				c.red[keep], c.score[keep] = r, h.score
				keep++
			}
			h.undo()
		}
		c.red, c.score = c.red[:keep], c.score[:keep]
		c.merges = h.stats.Merged
	}
	for ; c.tested < len(h.red); c.tested++ {
		if h.try(c.tested, place) {
			c.red, c.score = append(c.red, int32(c.tested)), append(c.score, h.score)
		}
		h.undo()
	}
}
