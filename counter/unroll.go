package counter

import (
	"quotient/automaton"
	"quotient/word"
)

// DFA returns a minimal finite automaton that agrees with a on all words up to the
// given length. It is an *[automaton.LimitError] if unrolling the counter takes more
// than limit states.
//
// What can be reached in so many symbols is followed breadth first. A place is cut
// off if no accepted word of the length passes it, so that an automaton that counts
// up does not count further than there is time to count down.
func (a *Automaton) DFA(length, limit int) (*automaton.DFA, error) {
	places, next, err := a.unroll(length, limit)
	if err != nil {
		return nil, err
	}
	k := a.Alphabet.Len()
	d := automaton.NewDFA(a.Alphabet, len(places))
	left := a.distance(places, next)
	for i, p := range places {
		q := automaton.State(i + 1)
		if p.depth+left[i] > length {
			continue
		}
		d.Accept[q] = a.AcceptsAt(p.Config)
		for s := range k {
			if j := next[i*k+s]; j >= 0 && places[j].depth+left[j] <= length {
				d.SetNext(q, word.Symbol(s), automaton.State(j+1))
			}
		}
	}
	return automaton.Minimize(d), nil
}

// Finite returns the minimal finite automaton for the language of one that does not
// count, and panics otherwise. Of n states, n symbols reach any, and n more acceptance.
func (a *Automaton) Finite() *automaton.DFA {
	if a.Counts() {
		panic("counter: no finite automaton for one that counts")
	}
	d, err := a.DFA(2*a.Len(), a.Len())
	if err != nil {
		panic("counter: " + err.Error()) // there are no more configurations than states
	}
	return d
}

// A place is a configuration and the length of the shortest word that leads there.
type place struct {
	Config
	depth int
}

// unroll returns the places that words up to a length lead to, breadth first, and
// where each symbol leads from each: a place, or -1 for none.
func (a *Automaton) unroll(length, limit int) ([]place, []int32, error) {
	number := map[Config]int32{}
	var places []place
	var next []int32
	visit := func(c Config, depth int) int32 {
		if c.State == automaton.Dead {
			return -1
		}
		i, seen := number[c]
		if !seen {
			if depth > length {
				return -1
			}
			i = int32(len(places))
			number[c] = i
			places = append(places, place{c, depth})
		}
		return i
	}
	visit(a.StartConfig(), 0)
	for i := 0; i < len(places); i++ {
		if len(places) > limit {
			return nil, nil, &automaton.LimitError{Op: "unrolling a counter", What: "states", Limit: limit}
		}
		for s := range a.Alphabet.Len() {
			next = append(next, visit(a.Next(places[i].Config, word.Symbol(s)), places[i].depth+1))
		}
	}
	return places, next, nil
}

// distance returns for every place how many symbols it takes at least from there to
// acceptance; far more than any length where none do.
func (a *Automaton) distance(places []place, next []int32) []int {
	const never = 1 << 40
	k := a.Alphabet.Len()
	from := make([][]int32, len(places)) // the places that lead to each
	left := make([]int, len(places))
	var queue []int32
	for i, p := range places {
		left[i] = never
		if a.AcceptsAt(p.Config) {
			left[i] = 0
			queue = append(queue, int32(i))
		}
		for _, j := range next[i*k : (i+1)*k] {
			if j >= 0 {
				from[j] = append(from[j], int32(i))
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range from[queue[0]] {
			if left[i] == never {
				left[i] = left[queue[0]] + 1
				queue = append(queue, i)
			}
		}
	}
	return left
}
