package explore

import (
	"cmp"
	"slices"

	"quotient/f32"
	"quotient/internal/discrimination"
	"quotient/internal/parallel"
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
	begin []int         // words; where the prefixes of each begin among the states
	state f32.Matrix    // prefixes × dim
	on    []word.Symbol // prefixes; what the word goes on with, or end
	group []int32       // prefixes
	of    [][]int       // groups; the prefixes of each, in order
}

const (
	end      = word.MaxSymbols // no symbol
	followed = 512             // words that are worth another thread
)

// newPartition groups the states by the network's answers alone.
func newPartition(q *oracle.Inquiry, y *symbols, words []word.Word, asked *int) *partition {
	p := &partition{tree: newTree(q, y, asked), words: y.reduce(words)}
	n := 0
	for _, w := range p.words {
		p.begin = append(p.begin, n)
		p.on = append(append(p.on, w...), end)
		n += len(w) + 1
	}
	p.state, p.group = f32.New(n, q.Dim()), make([]int32, n)
	p.q.States(p.state, p.begin, p.words)
	p.of = [][]int{make([]int, n)} // all are one group
	for i := range n {
		p.of[0][i] = i
	}
	answers := p.after(0, nil)
	for _, answer := range []bool{false, true} {
		if slices.Contains(answers, answer) {
			p.Add(answer)
			p.accept = append(p.accept, answer)
		}
	}
	p.of = make([][]int, p.Len())
	for i, answer := range answers {
		g := p.State(p.Child(discrimination.Root, answer))
		p.group[i], p.of[g] = g, append(p.of[g], i)
	}
	return p
}

// after returns the answers of the states of a group after a suffix.
func (p *partition) after(g int32, suffix word.Word) []bool {
	return p.ask(p.state, p.of[g], slices.Repeat([]word.Word{suffix}, len(p.of[g])))
}

// split divides a group by the answers after a suffix, and reports whether there are
// both. Those that answer yes become a group of their own.
func (p *partition) split(g int32, suffix word.Word) bool {
	answers := p.after(g, suffix)
	if !slices.Contains(answers, true) || !slices.Contains(answers, false) {
		return false
	}
	p.Split(g, suffix, false)
	p.accept = append(p.accept, p.accept[g])
	var stay, leave []int
	for k, i := range p.of[g] {
		if answers[k] {
			p.group[i] = int32(p.Len() - 1)
			leave = append(leave, i)
		} else {
			stay = append(stay, i)
		}
	}
	p.of[g] = stay
	p.of = append(p.of, leave)
	return true
}

// transitions returns where each symbol leads most states of each group, the
// first of several; or, where no word shows it, the first state of the group.
func (p *partition) transitions() []int32 {
	next := make([]int32, p.Len()*p.k)
	parallel.Do(0, p.Len(), func(g int) { p.vote(next[g*p.k:(g+1)*p.k], p.of[g]) })
	var unseen []int32
	for t, g := range next {
		if g < 0 {
			unseen = append(unseen, int32(t))
		}
	}
	p.decide(next, unseen)
	return next
}

// vote finds out where each symbol leads most of the prefixes of a group, or sets -1 where none of them goes on with it.
func (p *partition) vote(next []int32, prefixes []int) {
	begin := make([]int32, p.k+1) // where those that go on with a symbol begin in to
	for _, i := range prefixes {
		if s := p.on[i]; s != end {
			begin[s+1]++
		}
	}
	for s := range p.k {
		begin[s+1] += begin[s]
	}
	to := make([]int32, begin[p.k])
	filled := slices.Clone(begin)
	for _, i := range prefixes {
		if s := p.on[i]; s != end {
			to[filled[s]] = p.group[i+1]
			filled[s]++
		}
	}
	votes := make([]int32, p.Len())
	for s := range next {
		next[s] = majority(to[begin[s]:begin[s+1]], votes)
	}
}

// majority returns what is most often in a list, the least of several, or -1 if the list is empty. Votes are zero, before and after.
func majority(list, votes []int32) int32 {
	best := int32(-1)
	for _, g := range list {
		votes[g]++
	}
	for _, g := range list {
		if best < 0 || votes[g] > votes[best] || votes[g] == votes[best] && g < best {
			best = g
		}
	}
	for _, g := range list {
		votes[g] = 0
	}
	return best
}

// decide fills in transitions by where they lead the first state of the group.
func (p *partition) decide(next, transitions []int32) {
	rows := make([]int, len(transitions))
	on := make([]word.Symbol, len(transitions))
	for i, t := range transitions {
		rows[i], on[i] = p.of[int(t)/p.k][0], word.Symbol(int(t)%p.k)
	}
	for i, g := range p.sift(p.q.StepFrom(p.state, rows, on), discrimination.Root) {
		next[transitions[i]] = max(g, 0) // -1 where one group is all there is
	}
}

// follow returns the group to which the transitions lead after every prefix.
func (p *partition) follow(next []int32) []int32 {
	at := make([]int32, len(p.group))
	parallel.Stretches(len(p.words), followed, func(from, to int) {
		for i := from; i < to; i++ {
			path := at[p.begin[i]:]
			path[0] = p.group[0] // of the empty word
			for j, s := range p.words[i] {
				path[j+1] = next[int(path[j])*p.k+int(s)]
			}
		}
	})
	return at
}

// A parting is a step at which the transitions leave the network's way.
type parting struct {
	group     int32
	on        word.Symbol
	low, high int32 // the two groups after the step
}

// partings counts the errors by the last parting before each; at holds the groups to which the transitions lead.
func (p *partition) partings(at []int32) map[parting]int {
	parts := make([]map[parting]int, (len(p.words)+followed-1)/followed)
	parallel.Stretches(len(p.words), followed, func(from, to int) {
		blamed := map[parting]int{}
		for i := from; i < to; i++ {
			own, path := p.group[p.begin[i]:], at[p.begin[i]:]
			var last parting
			for j, s := range p.words[i] {
				x, y := own[j+1], path[j+1]
				if own[j] == path[j] && x != y {
					last = parting{own[j], s, min(x, y), max(x, y)}
				}
				if p.accept[x] != p.accept[y] {
					blamed[last]++
				}
			}
		}
		parts[from/followed] = blamed
	})
	blamed := map[parting]int{}
	for _, part := range parts {
		for b, n := range part {
			blamed[b] += n
		}
	}
	return blamed
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
	blamed := p.partings(at)
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
