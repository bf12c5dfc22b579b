package regex

import (
	"slices"

	"quotient/automaton"
)

// A graph is an automaton whose edges carry expressions. Its nodes are a start
// that nothing leads to, an end that leads nowhere, and the states that are left.
type graph struct {
	g     *algebra
	room  int     // characters that may still be added to the edges
	n     int     // nodes; 0 is the start and 1 the end
	edges []*Expr // n × n; nil where there is no edge
	left  []int   // the states that are not eliminated, in ascending order
	cost  []int   // n; what eliminating a state costs
}

// newGraph returns the graph of d. Every edge ends up in the result, so the limit
// on its length is one on all edges together, with some allowance for what is
// simplified later.
func newGraph(g *algebra, d *automaton.DFA, limit int) *graph {
	n := d.Len() + 2
	u := &graph{g: g, room: 4 * limit, n: n, edges: make([]*Expr, n*n), cost: make([]int, n)}
	if d.Start != automaton.Dead {
		u.edges[int(d.Start)+1] = g.epsilon // state q is node q+1
	}
	for q := automaton.State(1); int(q) < len(d.Accept); q++ {
		if d.Accept[q] {
			u.edges[(int(q)+1)*n+1] = g.epsilon
		}
		to := make([][]int, n) // blocks by the state they lead to
		for b, next := range d.Row(q) {
			to[next] = append(to[next], b)
		}
		for next, blocks := range to {
			if automaton.State(next) != automaton.Dead && blocks != nil {
				u.edges[(int(q)+1)*n+next+1] = g.class(blocks)
			}
		}
		u.left = append(u.left, int(q)+1)
	}
	for _, q := range u.left {
		u.price(q)
	}
	return u
}

func (u *graph) clone() *graph {
	c := *u
	c.edges, c.left, c.cost = slices.Clone(u.edges), slices.Clone(u.left), slices.Clone(u.cost)
	return &c
}

// neighbors returns the nodes that lead to q and those that q leads to, itself
// not counted.
func (u *graph) neighbors(q int) (in, out []int) {
	for p := range u.n {
		if p != q && u.edges[p*u.n+q] != nil {
			in = append(in, p)
		}
		if p != q && u.edges[q*u.n+p] != nil {
			out = append(out, p)
		}
	}
	return in, out
}

// price sets the cost of eliminating q: the characters that are written more
// often for it (Delgado and Morais, Approximation to the Smallest Regular
// Expression for a Given Regular Language, 2004).
func (u *graph) price(q int) {
	in, out := u.neighbors(q)
	sum := 0
	for _, p := range in {
		sum += u.edges[p*u.n+q].cost * (len(out) - 1)
	}
	for _, r := range out {
		sum += u.edges[q*u.n+r].cost * (len(in) - 1)
	}
	if loop := u.edges[q*u.n+q]; loop != nil {
		sum += loop.cost * (len(in)*len(out) - 1)
	}
	u.cost[q] = sum
}

// eliminate takes q out of the graph and writes the ways through it on the edges
// around it. It reports whether they stay within the limit.
func (u *graph) eliminate(q int) bool {
	in, out := u.neighbors(q)
	loop := u.g.epsilon
	if x := u.edges[q*u.n+q]; x != nil {
		loop = u.g.star(x)
	}
	for _, p := range in {
		for _, r := range out {
			x := u.g.cat(u.edges[p*u.n+q], loop, u.edges[q*u.n+r])
			if old := u.edges[p*u.n+r]; old != nil {
				x = u.g.alt(old, x)
				u.room += old.cost
			}
			if u.room -= x.cost; u.room < 0 {
				return false
			}
			u.edges[p*u.n+r] = x
		}
	}
	for _, i := range slices.Concat(in, out, []int{q}) {
		for _, at := range []int{i*u.n + q, q*u.n + i} {
			if u.edges[at] != nil {
				u.room += u.edges[at].cost
				u.edges[at] = nil
			}
		}
	}
	u.left = slices.DeleteFunc(u.left, func(p int) bool { return p == q })
	for _, p := range slices.Concat(in, out) {
		if p > 1 {
			u.price(p)
		}
	}
	return true
}

// result returns the expression of a graph whose states are all eliminated.
func (u *graph) result() *Expr {
	if x := u.edges[1]; x != nil {
		return x
	}
	return u.g.none
}

// cheapest eliminates all states, the cheapest one next and the state last at
// the end, and returns the expression, or nil if it passes the limit.
func (u *graph) cheapest(last int) *Expr {
	for len(u.left) > 0 {
		best := u.left[0]
		for _, q := range u.left[1:] {
			if best == last || q != last && u.cost[q] < u.cost[best] {
				best = q
			}
		}
		if !u.eliminate(best) {
			return nil
		}
	}
	return u.result()
}

// everyOrder calls yield with the expressions of all orders of elimination.
func (u *graph) everyOrder(yield func(*Expr)) {
	if len(u.left) == 0 {
		yield(u.result())
	}
	for _, q := range u.left {
		if c := u.clone(); c.eliminate(q) {
			c.everyOrder(yield)
		}
	}
}
