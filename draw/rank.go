package draw

import "slices"

// ranks returns ways to put states into layers that are worth a picture. The distance from
// the start says something, the length of a shortest word, and is compact; but where
// ranks rise along edges there often are fewer crossings. What takes too many
// vertices is not drawn in layers, and what takes many in one way only.
func ranks(g *graph) [][]int {
	_, distance := g.search(0)
	var all [][]int
	limit := maxVertices
	for _, rank := range [][]int{distance, forward(g)} {
		if g.vertices(rank) <= limit && (len(all) == 0 || !slices.Equal(all[0], rank)) {
			all = append(all, rank)
			limit = maxVertices / 2
		}
	}
	return all
}

// vertices returns how many vertices layers by the given ranks would have.
func (g *graph) vertices(rank []int) int {
	n := len(g.Nodes)
	for _, e := range g.Edges {
		n += max(1, 2*max(rank[e.From]-rank[e.To], rank[e.To]-rank[e.From])-1)
	}
	return n
}

// forward ranks states so that as few edges as possible lead to the left: a depth-first
// search from the start says which edges close cycles, and along the others ranks rise.
// States then move to where their edges are short in sum, as long as one can be moved
// (the objective of Gansner et al., 1993, section 2, descended state by state).
func forward(g *graph) []int {
	ahead := g.ahead()
	in, out := make([][]int, len(g.Nodes)), make([][]int, len(g.Nodes))
	for _, e := range ahead {
		in[e[1]], out[e[0]] = append(in[e[1]], e[0]), append(out[e[0]], e[1])
	}
	rank := longest(in, out)
	for changed, round := true, 0; changed && round < 4*len(rank); round++ {
		changed = false
		for v := range rank {
			low, high := 0, rank[v]
			for _, u := range in[v] {
				low = max(low, rank[u]+1)
			}
			if len(out[v]) > 0 {
				high = rank[out[v][0]] - 1
				for _, u := range out[v] {
					high = min(high, rank[u]-1)
				}
			}
			to := rank[v]
			switch { // every step to the right lengthens the edges in and shortens those out
			case len(in[v]) > len(out[v]):
				to = low
			case len(in[v]) < len(out[v]):
				to = high
			}
			if v != 0 && to != rank[v] {
				rank[v], changed = to, true
			}
		}
	}
	return rank
}

// ahead returns the edges, without loops, that a depth-first search from the start finds to
// close no cycle, and those that do turned around.
func (g *graph) ahead() [][2]int {
	next := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		if e.From != e.To {
			next[e.From] = append(next[e.From], e.To)
		}
	}
	const unseen, open, done = 0, 1, 2
	mark := make([]int, len(g.Nodes))
	var ahead [][2]int
	var visit func(v int)
	visit = func(v int) { // no deeper than MaxStates
		mark[v] = open
		for _, u := range next[v] {
			if mark[u] == open {
				ahead = append(ahead, [2]int{u, v})
				continue
			}
			ahead = append(ahead, [2]int{v, u})
			if mark[u] == unseen {
				visit(u)
			}
		}
		mark[v] = done
	}
	for v := range g.Nodes {
		if mark[v] == unseen {
			visit(v)
		}
	}
	return ahead
}

// longest ranks states by the longest path that leads to each.
func longest(in, out [][]int) []int {
	rank, missing := make([]int, len(in)), make([]int, len(in))
	var order []int
	for v := range in {
		if missing[v] = len(in[v]); missing[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, u := range out[order[i]] {
			rank[u] = max(rank[u], rank[order[i]]+1)
			if missing[u]--; missing[u] == 0 {
				order = append(order, u)
			}
		}
	}
	return rank
}
