package passive

// Options keep no more than so many nodes for each node of the tree, and none where it is as fast to try again.
const (
	mostKept     = 8
	worthKeeping = 16
)

// watch makes the hypothesis note when each node last changed in a way that an attempt can tell. Where words have no
// contradictory labels and none may be wrong, that is when a node gets its label, or a child: how many words it has makes no
// difference. Most merges leave what another one depends on as it was, though both pass through the same blue nodes, so
// most pairs that would be folded again need not be.
func (h *hypothesis) watch() {
	if h.budget == 0 && h.weighing == nil && h.stats.Contradictory == 0 && h.keptKeys >= 0 {
		h.altered = make([]int32, len(h.Nodes))
	}
}

// visit notes that the attempt depends on a pair of nodes.
func (h *hypothesis) visit(p pair) {
	if h.altered == nil {
		return
	}
	h.visited = append(h.visited, p.t)
	if p.into >= 0 {
		h.visited = append(h.visited, p.into)
	}
}

// alter notes that the attempt changes node n.
func (h *hypothesis) alter(n int32) {
	if h.altered != nil {
		h.alters = append(h.alters, n)
	}
}

// isUnchanged reports whether nothing that the attempt depended on has changed since, so that it would end as it did. It counts as
// made: the work of a learner is what it does without this.
func (h *hypothesis) isUnchanged(o *option) bool {
	if len(o.nodes) == 0 {
		return false
	}
	for _, key := range o.on {
		if h.moved[key] > o.checked {
			return false
		}
	}
	for _, n := range o.nodes {
		if h.altered[n] > o.checked {
			return false
		}
	}
	o.merges, o.checked = h.stats.Merged, h.clock // but its keys are as old as they were
	h.stats.Folded += o.pairs
	return true
}

// settle notes what the attempt that is made for good has changed. A blue node that turns red changes nothing: an attempt meets the same
// nodes before and after. But those that met a state before it turned red know it by its node.
func (h *hypothesis) settle() {
	if h.altered == nil {
		return
	}
	for _, n := range h.alters {
		h.altered[n] = h.clock
	}
	for _, key := range h.touched {
		if int(key)%(h.symbols+1) == h.symbols { // a red state has its label now
			h.moved[key] = h.clock
		}
	}
	for _, place := range append(h.attached, h.from) {
		h.moved[h.keyOf(place)] = h.clock
		h.altered[h.red[int(place)/h.symbols]] = h.clock
	}
}
