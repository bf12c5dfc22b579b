package passive

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/learn/labeled"
	"quotient/word"
)

// TestWords is how many words the test set of an Abbadingo problem has.
const TestWords = 1800

// Abbadingo returns a problem as in the competition of 1997 (Lang, Pearlmutter and
// Price 1998): a random target of about the given number of states over {a, b}, a
// training set of the given number of words and a test set, drawn uniformly from
// all words up to a length and without a word in common. Learning has succeeded if
// 99% of the test words come out right.
//
// In the competition, targets of about 64 states came with 4456 words for practice,
// then with 3478, 2499 and 1521; those of about 128 states with 13894, then 10723,
// 7553 and 4382. It panics if there are not so many words, or not two states.
func Abbadingo(states, words int, rng *rand.Rand) (target *automaton.DFA, train, test *labeled.Set) {
	if states < 2 {
		panic("passive: an Abbadingo target has two states at least")
	}
	depth := int(math.Round(2*math.Log2(float64(states)))) - 2
	for target == nil || depthOf(target) != depth {
		target = randomTarget(states, rng)
	}
	longest := depth + 5
	if longest > 30 || words+TestWords > 1<<(longest+1)-1 {
		panic("passive: more words than an Abbadingo problem has")
	}
	all := &labeled.Set{Alphabet: target.Alphabet}
	drawn := map[uint32]bool{}
	for len(all.Words) < words+TestWords {
		i := rng.Uint32N(1<<(longest+1)-1) + 1
		if !drawn[i] {
			drawn[i] = true
			w := binary(i)
			all.Add(w, labeled.Of(target.Accepts(w)))
		}
	}
	train, test = all.Split(words)
	return target, train, test
}

// binary returns the digits of i behind the first one.
func binary(i uint32) word.Word {
	w := make(word.Word, bits.Len32(i)-1)
	for j := range w {
		w[len(w)-1-j] = word.Symbol(i >> j & 1)
	}
	return w
}

// randomTarget returns what can be reached from a node of a random graph with two
// edges from each node, its states accepting by the toss of a coin, minimized. Of
// 5n/4 nodes about n can be reached.
func randomTarget(n int, rng *rand.Rand) *automaton.DFA {
	d := automaton.NewDFA(word.Letters("ab"), (5*n+3)/4)
	for q := 1; q <= d.Len(); q++ {
		d.Accept[q] = rng.IntN(2) == 0
		row := d.Row(automaton.State(q))
		for s := range row {
			row[s] = automaton.State(1 + rng.IntN(d.Len()))
		}
	}
	return automaton.Minimize(d)
}

// depthOf returns the greatest distance of a state from the start. States must be
// numbered breadth first.
func depthOf(d *automaton.DFA) int {
	depth := make([]int, d.Len()+1)
	for q := automaton.State(1); int(q) <= d.Len(); q++ {
		for _, to := range d.Row(q) {
			if to != d.Start && depth[to] == 0 {
				depth[to] = depth[q] + 1
			}
		}
	}
	return depth[d.Len()]
}
