package passive

import "context"

// A candidate is a blue node with the red states that it may be merged into.
type candidate struct {
	tested  int // red states 0 to tested-1 have been tried
	options []option
}

// An option is a merge that is possible.
type option struct {
	red, score int32
	merges     int     // how many merges had been made when it was tried
	clock      int32   // and how late it was
	on         []int32 // the keys of what the score depends on
	exact      bool    // these are all of them, and few
	nodes      []int32 // the nodes that it depends on; none if they are not kept
	checked    int32   // how late it was when they had last not changed
	pairs      int     // how many pairs of nodes were folded
}

// keptKeys is how many keys an option keeps at most, which bounds the memory. With
// more, it is tried again after every merge.
//
// With keys an attempt is repeated only if what it met was changed. 5,000 words over
// 1,000 symbols take 88 thousand attempts in place of 18 million, and a third of the
// time (BenchmarkManySymbols, BenchmarkWithoutKeys).
const keptKeys = 64

// edsm returns a step of EDSM: if a blue node cannot be merged into any red state,
// the first such turns red; otherwise the merge with the highest score is made, and
// of several the one of the first blue node into the first red state. The score is
// the number of times that two nodes with labels come together.
//
// A merge that is impossible stays so, since later merges only put more nodes
// together. So it is tried once. Scores change, but only when a merge is made.
func (h *hypothesis) edsm(ctx context.Context) func() error {
	h.watch()
	known := map[int32]*candidate{} // by place
	return func() error {
		best, bestPlace := option{score: -1}, int32(0)
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
			if len(c.options) == 0 {
				delete(known, place)
				return h.promote(place)
			}
			for _, o := range c.options {
				if o.score > best.score {
					best, bestPlace = o, place
				}
			}
		}
		for _, o := range known[bestPlace].options {
			h.kept -= len(o.nodes)
		}
		delete(known, bestPlace)
		h.try(int(best.red), bestPlace)
		h.commit()
		return nil
	}
}

// evaluate brings a candidate up to date.
func (h *hypothesis) evaluate(c *candidate, place int32) {
	own := h.changed[h.keyOf(place)]
	keep := c.options[:0]
	for _, o := range c.options {
		if h.isCurrent(&o, own) || h.isUnchanged(&o) || h.attempt(&o, place) {
			keep = append(keep, o)
		}
	}
	c.options = keep
	for ; c.tested < len(h.red); c.tested++ {
		if o := (option{red: int32(c.tested)}); h.attempt(&o, place) {
			c.options = append(c.options, o)
		}
	}
}

// isCurrent reports whether an attempt would give the same score again; the tree of
// its blue node was last changed when changed says.
func (h *hypothesis) isCurrent(o *option, changed int32) bool {
	if o.merges == h.stats.Merged {
		return true
	}
	if !o.exact || changed > o.clock {
		return false
	}
	for _, key := range o.on {
		if h.changed[key] > o.clock {
			return false
		}
	}
	return true
}

// attempt tries an option and reports whether it is possible.
func (h *hypothesis) attempt(o *option, place int32) bool {
	defer h.undo()
	h.kept -= len(o.nodes)
	before := h.stats.Folded
	if !h.try(int(o.red), place) {
		return false
	}
	o.score, o.merges, o.clock = h.score, h.stats.Merged, h.clock
	o.checked, o.pairs = h.clock, h.stats.Folded-before
	o.exact = len(h.touched) <= h.keptKeys
	o.on, o.nodes = o.on[:0], o.nodes[:0]
	if len(h.visited) >= worthKeeping && h.kept+len(h.visited) <= mostKept*len(h.Nodes) {
		o.nodes = append(o.nodes, h.visited...)
		h.kept += len(o.nodes)
	}
	if o.exact || len(o.nodes) > 0 {
		o.on = append(o.on, h.touched...)
	}
	return true
}
