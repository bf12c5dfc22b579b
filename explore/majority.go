package explore

import (
	"quotient/automaton"
	"quotient/f32"
	"quotient/word"
)

// majority returns the hypothesis with its transitions as words take them. The
// states after all prefixes of the words are sifted, and a symbol leads from a
// representative to where it leads from most of the states that share its leaf.
//
// If the network is finite-state this changes nothing. If not, a representative
// speaks for states that differ from it, and it is only one of them: the network of
// TAYSIR 1.9, with 200 representatives, errs on 2.5% of the recorded words by their
// own transitions and on 0.6% by those of the majority.
func (l *learner) majority(words []word.Word) *automaton.DFA {
	votes := map[int32]map[int32]int{} // by transition and target
	const batch = 512                  // words that are run together, to bound the memory
	for from := 0; from < len(words); from += batch {
		l.vote(votes, words[from:min(from+batch, len(words))])
	}
	d := l.dfa()
	for t, targets := range votes {
		best := l.next[t]
		for rep, n := range targets {
			if n > targets[best] || n == targets[best] && best != l.next[t] && (rep < best || rep == l.next[t]) {
				best = rep
			}
		}
		d.SetNext(automaton.State(int(t)/l.k+1), word.Symbol(int(t)%l.k), automaton.State(best+1))
	}
	return d
}

// vote runs words side by side, and counts where each transition leads.
func (l *learner) vote(votes map[int32]map[int32]int, words []word.Word) {
	states := f32.New(len(words), l.r.Dim())
	for i := range words {
		l.r.Start(states.Row(i))
	}
	running := make([]int, len(words)) // which word each row belongs to
	at := make([]int32, len(words))    // the representative of each row's prefix
	for i := range running {
		running[i] = i
	}
	for depth := 0; ; depth++ {
		keep := 0
		var on []word.Symbol
		for row, i := range running {
			if depth < len(words[i]) {
				copy(states.Row(keep), states.Row(row))
				running[keep], at[keep] = i, at[row]
				on = append(on, words[i][depth])
				keep++
			}
		}
		if keep == 0 {
			return
		}
		running = running[:keep]
		level := states.View(0, keep)
		l.r.Step(level, level, on)
		for row, rep := range l.sift(level) {
			if rep < 0 {
				rep = at[row] // an answer without a representative: nowhere to go
			}
			t := at[row]*int32(l.k) + int32(on[row])
			if votes[t] == nil {
				votes[t] = map[int32]int{}
			}
			votes[t][rep]++
			at[row] = rep
		}
	}
}
