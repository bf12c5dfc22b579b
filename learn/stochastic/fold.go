package stochastic

import (
	"container/heap"
	"context"
	"slices"

	"quotient/word"
)

// none is no node. It is not 0, which is the root, to which edges may lead back.
const none int32 = -1

// A folding is a prefix tree while it becomes an automaton: red nodes are states of the
// result, blue ones are what they lead to and are not red. A blue node is merged into a red
// one, with all below it, or turns red.
//
// Package internal/fold does the same for nodes whose children are met in the order of
// their symbols. Here that order is the one in which words bring them, as in AALpy: where a
// merge makes two nodes one of which has no words of its own yet, what is attached first
// stays, and what it knows decides later merges.
type folding struct {
	*tree
	head, sibling []int32 // children, in the order in which they came; none: no more
	into          []int32 // what a node was merged into, itself if nothing
	passed        []int32 // words along the edge to each node, with those that were merged with it
	end           []int32 // words that end in each node
	total         []int32 // words that pass or end
	red           []int32 // in shortlex order
	isRed         []bool
	blue          queue
	stats         Stats

	attached []int32 // what the current attempt made children of red nodes

	weigh bool     // whether attempts are weighed, and can be undone
	log   []change // what the current attempt did
	cost  float64  // by how much it makes the words less likely, in nats
	saved int      // how many nodes it merged
}

// A change is that b was merged into a; or that the edge to b was put together with that to
// a; or that b was put where a link was, of which the next sibling was another then.
type change struct {
	kind         kind
	a, b         int32
	link, before int32
}

type kind uint8

const (
	merged kind = iota
	joined
	linked
)

func newFolding(t *tree) *folding {
	n := len(t.nodes)
	all := make([]int32, 6*n)
	f := &folding{tree: t, isRed: make([]bool, n)}
	for _, list := range []*[]int32{&f.head, &f.sibling, &f.into, &f.passed, &f.end, &f.total} {
		*list, all = all[:n:n], all[n:]
	}
	var order []int32
	for i := range t.nodes {
		x := t.nodes[i]
		f.into[i], f.passed[i], f.end[i], f.total[i] = int32(i), x.passes, x.ends, x.passes
		order = order[:0]
		for c := x.first; c < x.first+int32(x.many); c++ {
			order = append(order, c)
		}
		if len(order) > 1 {
			slices.SortFunc(order, func(c, d int32) int { return int(t.early[c]) - int(t.early[d]) })
		}
		f.head[i] = none
		for _, c := range slices.Backward(order) {
			f.sibling[c], f.head[i] = f.head[i], c
		}
	}
	f.sibling[0] = none
	return f
}

// run merges until no blue node is left. What merge does with a blue node and the red ones
// is the method.
func (f *folding) run(ctx context.Context, merge func(f *folding, blue int32) bool) error {
	f.redden(0)
	for len(f.blue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := heap.Pop(&f.blue).(int32)
		if merge(f, n) {
			f.stats.Merged++
			for _, c := range f.attached {
				heap.Push(&f.blue, c)
			}
		} else {
			f.redden(n)
		}
		f.forget()
	}
	return nil
}

// forget begins a new attempt.
func (f *folding) forget() {
	f.log, f.attached, f.cost, f.saved = f.log[:0], f.attached[:0], 0, 0
}

// redden makes a state of n. Its children turn blue. Nearly always n comes last, but a node
// may have been given children that are shorter words than itself.
func (f *folding) redden(n int32) {
	f.isRed[n] = true
	at, _ := slices.BinarySearch(f.red, n)
	f.red = slices.Insert(f.red, at, n)
	for c := f.head[n]; c != none; c = f.sibling[c] {
		heap.Push(&f.blue, c) // below a blue node is a tree of nodes that stand for themselves
	}
}

// find returns the node that n was merged into at last.
func (f *folding) find(n int32) int32 {
	for f.into[n] != n {
		n = f.into[n]
	}
	return n
}

// fold merges b, which is not red, into a, and their children, and so on. Nodes below b are
// merged or attached and never seen again, so all folds together take as long as there are
// nodes, up to the length of the lists of children.
func (f *folding) fold(a, b int32) {
	if f.weigh {
		f.saved++
		f.cost += together(f.end[a], f.end[b]) - together(f.total[a], f.total[b])
		f.log = append(f.log, change{kind: merged, a: a, b: b})
	}
	f.into[b] = a
	f.end[a] += f.end[b]
	f.total[a] += f.total[b]
	for c := f.head[b]; c != none; {
		next := f.sibling[c]
		if other, link := f.child(a, f.nodes[c].on); other == none {
			f.attach(a, c, link)
		} else {
			if f.weigh {
				f.cost += together(f.passed[other], f.passed[c])
				f.log = append(f.log, change{kind: joined, a: other, b: c})
			}
			f.passed[other] += f.passed[c]
			f.fold(f.find(other), f.find(c))
		}
		c = next
	}
}

// child returns the child of a on a symbol, or none, and the link to it: the sibling before
// it, or none for the head.
func (f *folding) child(a int32, on word.Symbol) (child, link int32) {
	link = none
	c := f.head[a]
	for c != none && f.nodes[c].on != on {
		link, c = c, f.sibling[c]
	}
	return c, link
}

// attach makes c the last child of a, behind a link.
func (f *folding) attach(a, c, link int32) {
	if f.weigh {
		f.log = append(f.log, change{linked, a, c, link, f.sibling[c]})
	}
	f.sibling[c] = none
	if link == none {
		f.head[a] = c
	} else {
		f.sibling[link] = c
	}
	if f.isRed[a] {
		f.attached = append(f.attached, c)
	}
}

// undo takes back what the current attempt did.
func (f *folding) undo() {
	for _, x := range slices.Backward(f.log) {
		switch {
		case x.kind == merged:
			f.into[x.b] = x.b
			f.end[x.a] -= f.end[x.b]
			f.total[x.a] -= f.total[x.b]
		case x.kind == joined:
			f.passed[x.a] -= f.passed[x.b]
		case x.link == none:
			f.head[x.a], f.sibling[x.b] = none, x.before
		default:
			f.sibling[x.link], f.sibling[x.b] = none, x.before
		}
	}
	f.forget()
}

// A queue of nodes, the first in shortlex order on top.
type queue []int32

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(int32)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
