package automaton

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/word"
)

// drawLarge is a random automaton of so many states, with transitions to Dead.
func drawLarge(t *rapid.T, least, most int) *DFA {
	d := NewDFA(ab, rapid.IntRange(least, most).Draw(t, "states"))
	for q := 1; q <= d.Len(); q++ {
		d.Accept[q] = rapid.Bool().Draw(t, "accept")
		for s := range 2 {
			d.SetNext(State(q), word.Symbol(s), State(rapid.IntRange(0, d.Len()).Draw(t, "to")))
		}
	}
	return d
}

// distances returns how many steps it takes from each state to each other, by brute force;
// back says whether steps backwards count.
func distances(d *DFA, back bool) [][]int {
	n := len(d.Accept)
	r := make([][]int, n)
	for q := range r {
		r[q] = slices.Repeat([]int{math.MaxInt / 2}, n)
		r[q][q] = 0
	}
	for q := range r {
		for _, to := range d.Row(State(q)) {
			if to == Dead || int(to) == q {
				continue
			}
			r[q][to] = 1
			if back {
				r[to][q] = 1
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				r[i][j] = min(r[i][j], r[i][k]+r[k][j])
			}
		}
	}
	return r
}

// numbered returns the number of the group of every state, and checks that groups are in
// the order of their first states and have each state once.
func numbered(t *rapid.T, d *DFA, groups [][]State) []int {
	of := make([]int, len(d.Accept))
	states, before := 0, Dead
	for i, group := range groups {
		if group[0] <= before || !slices.IsSorted(group) {
			t.Fatalf("the groups %v are out of order", groups)
		}
		before = group[0]
		for _, q := range group {
			of[q] = i + 1
			states++
		}
	}
	if states != d.Len() || slices.Contains(of[1:], 0) {
		t.Fatalf("%v are not all of %d states once", groups, d.Len())
	}
	return of
}

func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawLarge(t, 1, 12)
		r := distances(d, false)
		of := numbered(t, d, d.Components())
		for p := 1; p <= d.Len(); p++ {
			for q := 1; q <= d.Len(); q++ {
				if (of[p] == of[q]) != (max(r[p][q], r[q][p]) < len(r)) {
					t.Fatalf("%v of %+v: states %d and %d", of, d, p, q)
				}
			}
		}
		if of[1] != 1 {
			t.Fatalf("the first state is in component %d", of[1])
		}
	})
}

func TestComponentsOfALongCycle(t *testing.T) {
	const n = 1_000_000
	if groups := unaryCycle(n).Components(); len(groups) != 1 || len(groups[0]) != n {
		t.Errorf("a cycle has %d components", len(groups))
	}
	if groups := NewDFA(ab, 0).Components(); len(groups) != 0 {
		t.Errorf("nothing has the components %v", groups)
	}
}

// A neighborhood has the states that are near, the nearest if that is too many.
func TestNeighborhood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawLarge(t, 1, 12)
		focus := State(rapid.IntRange(1, d.Len()).Draw(t, "focus"))
		radius, most := rapid.IntRange(1, 3).Draw(t, "radius"), rapid.IntRange(1, 12).Draw(t, "most")
		states := d.Neighborhood(focus, radius, most)
		steps := distances(d, true)[focus]
		if states[0] != focus || !slices.IsSortedFunc(states, func(p, q State) int { return steps[p] - steps[q] }) {
			t.Fatalf("%v around %d are out of order", states, focus)
		}
		within := 0
		for q := 1; q <= d.Len(); q++ {
			if steps[q] <= radius {
				within++
			}
		}
		slices.Sort(states)
		if n := len(slices.Compact(states)); n != min(within, most) || steps[slices.MaxFunc(states, func(p, q State) int { return steps[p] - steps[q] })] > radius {
			t.Fatalf("%v are around %d", states, focus)
		}
	})
	if states := evenAs().Neighborhood(Dead, 3, 10); len(states) > 0 {
		t.Errorf("%v are around the dead state", states)
	}
}

// A restriction has the transitions between its states and no others, and the boundary is
// where transitions to or from other states are lost.
func TestRestrict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawLarge(t, 1, 12)
		states := d.Neighborhood(State(rapid.IntRange(1, d.Len()).Draw(t, "focus")), 2, 6)
		part, boundary := Restrict(d, states), d.Boundary(states)
		old := append([]State{Dead}, states...)
		if part.Len() != len(states) || old[part.Start] != states[0] {
			t.Fatalf("%d states, the start is %d", part.Len(), old[part.Start])
		}
		var want []State
		for p, q := range states {
			outside := false
			for s, to := range d.Row(q) {
				outside = outside || !slices.Contains(old, to)
				if got := old[part.Next(State(p+1), word.Symbol(s))]; got != to && (got != Dead || slices.Contains(old, to)) {
					t.Fatalf("%d by %d leads to %d, not %d", q, s, got, to)
				}
			}
			for r := State(1); int(r) <= d.Len(); r++ {
				outside = outside || !slices.Contains(states, r) && slices.Contains(d.Row(r), q)
			}
			if outside {
				want = append(want, q)
			}
			if part.Accept[p+1] != d.Accept[q] {
				t.Fatalf("whether %d accepts has changed", q)
			}
		}
		if !slices.Equal(boundary, want) {
			t.Fatalf("the boundary of %v is %v, not %v", states, boundary, want)
		}
	})
}

// Of many states, the start and the heaviest stay alone, and no transition joins two
// groups of others.
func TestLump(t *testing.T) {
	const few = 24
	rapid.Check(t, func(t *rapid.T) {
		d := drawLarge(t, few+1, 3*few)
		n := d.Len()
		weight := make([]int, n+1)
		for q := 1; q <= n; q++ {
			weight[q] = rapid.IntRange(0, 5).Draw(t, "weight")
		}
		of := numbered(t, d, d.Lump(weight, few))
		size := map[int]int{}
		for q := 1; q <= n; q++ {
			size[of[q]]++
		}
		if of[1] != 1 || size[1] != 1 {
			t.Fatalf("the start is in group %d of %d", of[1], size[of[1]])
		}
		for q := 2; q <= n; q++ {
			heavier := 0
			for p := 2; p <= n; p++ {
				if weight[p] > weight[q] || weight[p] == weight[q] && p < q {
					heavier++
				}
			}
			if alone := heavier < few-1; alone && size[of[q]] != 1 {
				t.Fatalf("%d has weight %d and is not alone", q, weight[q])
			}
			if heavier >= few-1 {
				for _, to := range d.Row(State(q)) {
					if to > 1 && of[to] != of[q] && size[of[to]] > 1 {
						t.Fatalf("%d and %d are joined, but not together", q, to)
					}
				}
			}
		}
	})
}

// The words that lead to a state are the first of all words that do.
func TestAccessWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawLarge(t, 1, 12)
		got := make([][]word.Word, len(d.Accept))
		for q, w := range d.AccessWords(3) {
			got[q] = append(got[q], w)
		}
		for q := range got {
			only := *d
			only.Accept = make([]bool, d.Len()+1)
			only.Accept[q] = q > 0
			if q == 0 {
				continue
			}
			i := 0
			for w := range only.Words() {
				if i == len(got[q]) {
					if i < 3 {
						t.Fatalf("state %d: %v, and %v is missing", q, got[q], w)
					}
					break
				}
				if !slices.Equal(w, got[q][i]) {
					t.Fatalf("state %d: word %d is %v, not %v", q, i, got[q][i], w)
				}
				i++
			}
		}
	})
}

// One word for each state: a shortest one, in the order of a plain search, which marks
// states when it first sees them.
func TestAccessWordsBreadthFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDFA(t, ab, "")
		want, at := []word.Word{{}}, []State{d.Start}
		met := make([]bool, len(d.Accept))
		met[d.Start] = true
		for i := 0; i < len(at); i++ {
			for s, to := range d.Row(at[i]) {
				if !met[to] {
					met[to] = true
					want, at = append(want, append(slices.Clone(want[i]), word.Symbol(s))), append(at, to)
				}
			}
		}
		var got []word.Word
		for q, w := range d.AccessWords(1) {
			if d.Run(w) != q {
				t.Fatalf("%v leads to %d, not %d", w, d.Run(w), q)
			}
			got = append(got, w)
		}
		if !slices.EqualFunc(got, want, slices.Equal[word.Word]) {
			t.Fatalf("%v, want %v", got, want)
		}
		shortlex := func(x, y word.Word) int { return cmp.Or(len(x)-len(y), slices.Compare(x, y)) }
		if !slices.IsSortedFunc(got, shortlex) {
			t.Fatalf("%v are not in shortlex order", got)
		}
	})
}
