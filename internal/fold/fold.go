package fold

import "container/heap"

// A Step of the log: From was merged into Into. Both stood for themselves and all that
// was merged into them before.
type Step[N ~int32] struct{ Into, From N }

// A Folding is the loop of red and blue states. Red nodes are states of the result.
// Blue nodes are children of red ones, and below each hangs a tree of nodes that have
// no color. A blue node is merged into a red one, which is carried down until all is
// deterministic, or turns red.
type Folding[N ~int32, T comparable] struct {
	Tree[N, T]
	Meet  func(a, b T) (T, bool) // what is known of two nodes that become one, unless they must not
	Ready func(T) bool           // whether a child of a red node may be merged already; nil: all may

	// Rank is the order in which blue nodes come; nil: that of their numbers. With it, the
	// first of two nodes that are not red stays, whatever the order in which children are
	// met. Without it the one stays that was there first, so children are met in the order
	// of what leads to them.
	Rank []int32

	Red []N       // in the order in which they turned red
	Log []Step[N] // what was merged, also what was carried down

	into     []N // what a node was merged into, itself if nothing
	color    []color
	blue     queue // every blue node that is ready, and some that are blue no longer
	attached []N   // what the current attempt made children of red nodes
}

type color uint8

const (
	none  color = iota
	early       // blue, but not ready
	blue        // or was, and was merged since
	red
)

// Start makes lists of the nodes, whose parents are given and come before them, and
// turns the root red. Siblings must come in the order of what leads to them.
func (f *Folding[N, T]) Start(parent []N) {
	f.into, f.color = make([]N, len(parent)), make([]color, len(parent))
	f.Log = make([]Step[N], 0, len(parent))
	for n := N(len(parent)) - 1; n > 0; n-- {
		f.into[n] = n
		p := &f.Nodes[parent[n]]
		f.Nodes[n].Sibling, p.Head = p.Head, n
	}
	f.Redden(0)
}

// Redden makes a state of n. Its children turn blue.
func (f *Folding[N, T]) Redden(n N) {
	f.color[n] = red
	f.Red = append(f.Red, n)
	for c := f.Nodes[n].Head; c != 0; c = f.Nodes[c].Sibling {
		f.paint(f.Find(c))
	}
}

// paint turns n blue, unless it is colored already.
func (f *Folding[N, T]) paint(n N) {
	if f.color[n] >= blue {
		return
	}
	if f.Ready != nil && !f.Ready(f.Nodes[n].Data) {
		f.color[n] = early
		return
	}
	f.color[n] = blue
	rank := int32(n)
	if f.Rank != nil {
		rank = f.Rank[n]
	}
	heap.Push(&f.blue, int64(rank)<<32|int64(n))
}

// Next returns the first blue node, which is to be merged or to turn red now, or 0 if
// there is none.
func (f *Folding[N, T]) Next() N {
	for len(f.blue) > 0 {
		if n := N(heap.Pop(&f.blue).(int64)); f.into[n] == n {
			return n
		}
	}
	return 0
}

// Find returns the node that n was merged into at last.
func (f *Folding[N, T]) Find(n N) N {
	for f.into[n] != n {
		n = f.into[n]
	}
	return n
}

// MergeIntoOne merges a blue node into the first of the red ones that is possible, and
// reports whether there is one.
func (f *Folding[N, T]) MergeIntoOne(candidates []N, blue N) bool {
	before := len(f.Log)
	for _, r := range candidates {
		f.attached = f.attached[:0]
		if f.merge(r, blue) {
			f.Keep()
			f.recolor(f.Log[before:])
			return true
		}
		f.Undo()
		for _, s := range f.Log[before:] {
			f.into[s.From] = s.From
		}
		f.Log = f.Log[:before]
	}
	return false
}

// recolor paints what an attempt made children of red nodes: nodes that took the place
// of a blue one, or are ready now, and children that a red node was given.
func (f *Folding[N, T]) recolor(steps []Step[N]) {
	for _, s := range steps {
		if f.color[s.From] != none || f.color[s.Into] == early {
			f.paint(s.Into)
		}
	}
	for _, c := range f.attached {
		f.paint(f.Find(c))
	}
}

// merge merges b into a, and their children, and so on. It reports whether all that
// met may be one; if not, it has stopped halfway. b is never red: what hangs below a
// blue node is a tree of nodes that are not.
func (f *Folding[N, T]) merge(a, b N) bool {
	data, ok := f.Meet(f.Nodes[a].Data, f.Nodes[b].Data)
	if !ok {
		return false
	}
	if f.Rank != nil && f.color[a] != red && f.Rank[b] < f.Rank[a] {
		a, b = b, a
	}
	if data != f.Nodes[a].Data {
		f.Set(a, data)
	}
	f.into[b] = a
	f.Log = append(f.Log, Step[N]{Into: a, From: b})
	for c := f.Nodes[b].Head; c != 0; {
		next := f.Nodes[c].Sibling
		if other := f.child(a, c); other == 0 {
			f.attach(a, c)
		} else if !f.merge(f.Find(other), f.Find(c)) {
			return false
		}
		c = next
	}
	return true
}

// child returns the child of a to which the same leads as to c, or 0.
func (f *Folding[N, T]) child(a, c N) N {
	x := f.Nodes[a].Head
	for x != 0 && f.Nodes[x].On != f.Nodes[c].On {
		x = f.Nodes[x].Sibling
	}
	return x
}

// attach makes c a child of a.
func (f *Folding[N, T]) attach(a, c N) {
	if f.color[a] == red {
		f.attached = append(f.attached, c)
	}
	if link := &f.Nodes[a].Head; f.Rank == nil {
		f.Give(link, c)
	} else {
		f.insert(link, c)
	}
}

// A queue of numbers, the least on top.
type queue []int64

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(int64)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
