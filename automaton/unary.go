package automaton

// unary divides the states of an automaton over one symbol. What is reachable there is
// a path that ends in a circle, so the answers are a word and then another one again and
// again: states are equal on the circle if they are a period apart, and before it if
// the word ends as the circle does.
func (r *refinement) unary(d *DFA, order []State) {
	n := len(order)
	answers := make([]bool, n) // of the states on the path; Dead is one more at its end, if it is the circle
	for i, q := range order {
		answers[i] = d.Accept[q]
	}
	circle, length := 0, 1 // where it begins
	if last := r.next[n-1]; last != 0 {
		circle, length = int(last), n-int(last)
	}
	p := period(answers[circle : circle+length])
	r.class = make([]int32, n)
	if p == 1 && !answers[circle] { // nothing is accepted from there on
		tail := n
		for tail > 1 && !answers[tail-1] {
			tail--
		}
		for i := 1; i < tail; i++ {
			r.class[i] = int32(i)
		}
		r.count = tail
		return
	}
	for circle > 1 && answers[circle-1] == answers[circle-1+p] {
		circle--
	}
	for i := range r.class {
		r.class[i] = int32(i)
		if i >= circle+p {
			r.class[i] = int32(circle + (i-circle)%p)
		}
	}
	r.count = circle + p
}

// period returns the least p that divides the length of w such that w is its first p
// answers again and again. It is found through the longest border, by Knuth, Morris and
// Pratt (1977).
func period(w []bool) int {
	border := make([]int32, len(w)+1) // of the prefixes
	border[0] = -1
	b := int32(-1)
	for i, answer := range w {
		for b >= 0 && w[b] != answer {
			b = border[b]
		}
		b++
		border[i+1] = b
	}
	if p := len(w) - int(b); len(w)%p == 0 {
		return p
	}
	return len(w)
}
