package explore

import (
	"cmp"
	"slices"

	"quotient/f32"
	"quotient/internal/discrimination"
	"quotient/oracle"
	"quotient/word"
)

// A partition approximates a network that is no automaton, or not one of few states.
// It groups the states after all prefixes of many words. A group speaks for all its
// states, not through one representative: a symbol leads where it leads most of
// them. Where the automaton that follows from this errs on the words, the groups are
// split that are to blame for most errors; so every state goes where it is worth
// most.
//
// Representatives whose transitions the majority decides were tried in place of groups: what they
// come to is far worse with one seed than with another.
type partition struct {
	tree
	words []word.Word
	begin []int      // words; where the prefixes of each begin among the states
	state f32.Matrix // prefixes × dim
	group []int32    // prefixes
}

// newPartition groups the states by the network's answers alone.
func newPartition(q *oracle.Inquiry, y *symbols, words []word.Word, asked *int) *partition {
	p := &partition{tree: newTree(q, y, asked), words: y.reduce(words)}
	n := 0
	for _, w := range p.words {
		p.begin = append(p.begin, n)
		n += len(w) + 1
	}
	p.state, p.group = f32.New(n, q.Dim()), make([]int32, n)
	p.q.States(p.state, p.begin, p.words)
	_, answers := p.after(0, nil)
	for _, answer := range []bool{false, true} {
		if slices.Contains(answers, answer) {
			p.Add(answer)
			p.accept = append(p.accept, answer)
		}
	}
	for i, answer := range answers {
		p.group[i] = p.State(p.Child(discrimination.Root, answer))
	}
	return p
}

// after returns the states of a group, and their answers after a suffix.
func (p *partition) after(g int32, suffix word.Word) (rows []int, answers []bool) {
	for i, x := range p.group {
		if x == g {
			rows = append(rows, i)
		}
	}
	return rows, p.ask(p.state, rows, slices.Repeat([]word.Word{suffix}, len(rows)))
}

// split divides a group by the answers after a suffix, and reports whether there are
// both. Those that answer yes become a group of their own.
func (p *partition) split(g int32, suffix word.Word) bool {
	rows, answers := p.after(g, suffix)
	if !slices.Contains(answers, true) || !slices.Contains(answers, false) {
		return false
	}
	p.Split(g, suffix, false)
	p.accept = append(p.accept, p.accept[g])
	for i, answer := range answers {
		if answer {
			p.group[rows[i]] = int32(p.Len() - 1)
		}
	}
	return true
}

// transitions returns where each symbol leads most states of each group, the
// first of several; or, where no word shows it, the first state of the group.
func (p *partition) transitions() []int32 {
	n := p.Len() * p.k
	begin := make([]int32, n+1) // where the steps that take a transition begin in to
	p.steps(func(t, _ int32) { begin[t+1]++ })
	for t := range n {
		begin[t+1] += begin[t]
	}
	to := make([]int32, begin[n])
	filled := slices.Clone(begin)
	p.steps(func(t, g int32) {
		to[filled[t]] = g
		filled[t]++
	})
	next := make([]int32, n)
	votes := make([]int32, p.Len())
	var unseen []int32
	for t := range next {
		targets := to[begin[t]:begin[t+1]]
		if len(targets) == 0 {
			unseen = append(unseen, int32(t))
			continue
		}
		for _, g := range targets {
			votes[g]++
		}
		next[t] = targets[0]
		for _, g := range targets {
			if votes[g] > votes[next[t]] || votes[g] == votes[next[t]] && g < next[t] {
				next[t] = g
			}
		}
		for _, g := range targets {
			votes[g] = 0
		}
	}
	p.decide(next, unseen)
	return next
}

// steps calls yield for every step of every word, with the transition that it takes
// and the group that it leads to.
func (p *partition) steps(yield func(t, to int32)) {
	for i, w := range p.words {
		groups := p.group[p.begin[i]:]
		for j, s := range w {
			yield(groups[j]*int32(p.k)+int32(s), groups[j+1])
		}
	}
}

// decide fills in transitions by where they lead the first state of the group.
func (p *partition) decide(next, transitions []int32) {
	first := make([]int, p.Len())
	for i, g := range slices.Backward(p.group) {
		first[g] = i
	}
	rows := make([]int, len(transitions))
	on := make([]word.Symbol, len(transitions))
	for i, t := range transitions {
		rows[i], on[i] = first[int(t)/p.k], word.Symbol(int(t)%p.k)
	}
	for i, g := range p.sift(p.q.StepFrom(p.state, rows, on), discrimination.Root) {
		next[transitions[i]] = max(g, 0) // -1 where one group is all there is
	}
}

// follow returns the group to which the transitions lead after every prefix.
func (p *partition) follow(next []int32) []int32 {
	at := make([]int32, len(p.group))
	for i, w := range p.words {
		path := at[p.begin[i]:]
		path[0] = p.group[0] // of the empty word
		for j, s := range w {
			path[j+1] = next[int(path[j])*p.k+int(s)]
		}
	}
	return at
}

// A cut is a suffix that divides a group, and how many errors it may avoid.
type cut struct {
	group  int32
	suffix word.Word
	errors int
}

// cuts returns the cuts to make, best first, at most one for each group; at holds
// the groups to which the transitions lead. Before every error there is a last step
// at which the transitions left the network's way for good: from a state's own group
// to another than that of the state after it. A suffix tells these two apart; after
// the symbol of the step, it tells the state from most others of its group.
func (p *partition) cuts(at []int32) []cut {
	type parting struct {
		group     int32
		on        word.Symbol
		low, high int32 // the two groups after the step
	}
	blamed := map[parting]int{}
	for i, w := range p.words {
		own, path := p.group[p.begin[i]:], at[p.begin[i]:]
		var last parting
		for j, s := range w {
			x, y := own[j+1], path[j+1]
			if own[j] == path[j] && x != y {
				last = parting{own[j], s, min(x, y), max(x, y)}
			}
			if p.accept[x] != p.accept[y] {
				blamed[last]++
			}
		}
	}
	var list []cut
	for b, n := range blamed {
		list = append(list, cut{b.group, append(word.Word{b.on}, p.Apart(b.low, b.high)...), n})
	}
	list = unite(list)
	slices.SortStableFunc(list, func(x, y cut) int { return y.errors - x.errors })
	done := make([]bool, p.Len())
	return slices.DeleteFunc(list, func(c cut) bool {
		again := done[c.group]
		done[c.group] = true
		return again
	})
}

// unite returns the cuts in order, each once and with all its errors.
func unite(list []cut) []cut {
	slices.SortFunc(list, func(x, y cut) int {
		return cmp.Or(cmp.Compare(x.group, y.group), len(x.suffix)-len(y.suffix), slices.Compare(x.suffix, y.suffix))
	})
	var united []cut
	for _, c := range list {
		if n := len(united) - 1; n >= 0 && united[n].group == c.group && slices.Equal(united[n].suffix, c.suffix) {
			united[n].errors += c.errors
		} else {
			united = append(united, c)
		}
	}
	return united
}

// grow makes cuts, up to a tenth of the groups at a time, and reports whether it made
// any.
func (p *partition) grow(next []int32, most int) bool {
	room := min(max(1, p.Len()/10), most-p.Len())
	grown := false
	for _, c := range p.cuts(p.follow(next)) {
		if room > 0 && p.split(c.group, c.suffix) {
			room--
			grown = true
		}
	}
	return grown
}
