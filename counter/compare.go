package counter

import (
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// MaxPairs is how many pairs of configurations a comparison keeps at most.
const MaxPairs = 1 << 22

// Distinguish returns a shortest word on which a and b differ, and reports whether
// there is one of at most the given length. The automata must have one alphabet.
//
// Both are run side by side, and each pair of configurations is entered once. So the
// time grows with the pairs, of which there are few, not with the words, which may
// be more than could ever be run. Past [MaxPairs] the error is an
// *[automaton.LimitError].
func Distinguish(a, b *Automaton, length int) (word.Word, bool, error) {
	return distinguish(a, b, a.StartConfig(), b.StartConfig(), length)
}

// A pair of configurations, and how it was entered.
type pair struct {
	a, b Config
	from int32 // the pair before, -1 for the first
	on   word.Symbol
}

func distinguish(a, b *Automaton, fromA, fromB Config, length int) (word.Word, bool, error) {
	if !a.Alphabet.Equal(b.Alphabet) {
		panic(fmt.Sprintf("counter: alphabets %s and %s", a.Alphabet, b.Alphabet))
	}
	seen := map[[2]Config]bool{{fromA, fromB}: true}
	pairs := []pair{{a: fromA, b: fromB, from: -1}}
	end := 1 // where the pairs that words of the next length enter begin
	for i, depth := 0, 0; i < len(pairs); i++ {
		if i == end {
			depth, end = depth+1, len(pairs)
		}
		p := pairs[i]
		if a.AcceptsAt(p.a) != b.AcceptsAt(p.b) {
			return spell(pairs, i), true, nil
		}
		if depth == length {
			continue
		}
		for s := range a.Alphabet.Len() {
			next := pair{a.Next(p.a, word.Symbol(s)), b.Next(p.b, word.Symbol(s)), int32(i), word.Symbol(s)}
			if key := [2]Config{next.a, next.b}; !seen[key] {
				seen[key] = true
				pairs = append(pairs, next)
			}
		}
		if len(pairs) > MaxPairs {
			op := fmt.Sprintf("comparing counter automata on words up to length %d", length)
			return nil, false, &automaton.LimitError{Op: op, What: "pairs of configurations", Limit: MaxPairs}
		}
	}
	return nil, false, nil
}

// spell returns the word by which a pair was entered.
func spell(pairs []pair, i int) word.Word {
	var w word.Word
	for ; pairs[i].from >= 0; i = int(pairs[i].from) {
		w = append(w, pairs[i].on)
	}
	slices.Reverse(w)
	return w
}

// Reach returns a length that no finite automaton of the given number of states, the
// dead one not counted, can exceed if it is to agree with a on all words up to it,
// or most if that is reached.
//
// It takes at least as many states as there are words of which any two are told
// apart by what may follow, all within the length: Nerode's classes, as far as they
// show. Words are tried breadth first, and each that differs from all that were
// taken is taken.
func (a *Automaton) Reach(states, most int) (int, error) {
	for length := 0; length < most; length++ {
		n, err := a.classes(length + 1)
		if err != nil {
			return 0, err
		}
		if n > states {
			return length, nil
		}
	}
	return most, nil
}

// classes returns a number of states that a finite automaton needs at least to agree
// with a on words up to a length.
func (a *Automaton) classes(length int) (int, error) {
	places, _, err := a.unroll(length, automaton.DefaultLimit)
	if err != nil {
		return 0, err
	}
	nothing := New(a.Alphabet, 0)
	var taken []place
next:
	for _, p := range places {
		// A word after which nothing is accepted leads to the dead state.
		if _, live, err := distinguish(a, nothing, p.Config, Config{}, length-p.depth); err != nil || !live {
			if err != nil {
				return 0, err
			}
			continue
		}
		for _, t := range taken { // which are no deeper
			_, differ, err := distinguish(a, a, t.Config, p.Config, length-p.depth)
			if err != nil {
				return 0, err
			}
			if !differ {
				continue next
			}
		}
		taken = append(taken, p)
	}
	return len(taken), nil
}
