package explore

import (
	"cmp"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/word"
	"quotient/worth"
)

const (
	focuses       = 6    // times that claims of an automaton are grouped
	focusedClaims = 1100 // whose states are grouped each time, and half as many other words
	focusedStates = 24   // of the largest automaton that comes of them
	confirmed     = 60   // claims of each automaton that are kept as evidence where the network confirms them
	countUniform  = 100  // times that errors on uniform words count
	countClaims   = 0.25 // and those on claims of the automaton that is judged
)

// focus looks for an automaton where one answer is rare and none that was found is right. What a wrong automaton claims are words that nobody has
// trained the network on. Counterexamples among them lead a search ever further away, as each makes a state. Here the network's states after
// such words are grouped, and votes decide where symbols lead, so no word alone does. What comes of this claims other words, mostly
// more like those that matter, and these are grouped next.
func (c *court) focus(q *oracle.Inquiry, y *symbols, asked *int) {
	if c.o.Pursue || c.trusted || !c.rare.known || c.converged || q.Metered() || q.Left() < 10*focuses*focusedClaims*c.o.High || c.settled() {
		return
	}
	d := c.choose()
	var list []*automaton.DFA
	var claims []word.Word
	for i := 0; i < focuses && q.Err() == nil; i++ {
		right := q.Label(c.claimed(d)).With(c.rare.answer)
		claims = append(claims, right[:min(len(right), confirmed)]...)
		held, least := q.Label(c.around(d)), math.Inf(1)
		for _, next := range c.grouped(q, y, c.around(d), asked) {
			if next.Len() <= 1 || c.uniform.Error(next) > clean { // it claims nothing, or far too much
				continue
			}
			list = append(list, next)
			if cost := worth.Focused.Cost(worth.Score{Error: held.Error(next), States: next.Len()}); cost < least {
				d, least = next, cost
			}
		}
	}
	uniform := q.Label(c.uniformWords(8 * judging))
	if q.Err() != nil || len(claims) < few {
		return
	}
	c.heard = append(c.heard, list...)
	c.common = []evidence{c.uniform, {Set: q.Label(claims)}} // in place of what the network can be led to
	clear(c.own)
	c.chosen, c.focused = c.shortest(c.common[1].Set, uniform), true
}

// grouped returns automata whose states are groups of those after some words, ever more of them.
func (c *court) grouped(q *oracle.Inquiry, y *symbols, words []word.Word, asked *int) []*automaton.DFA {
	var list []*automaton.DFA
	p := newPartition(q, y, words, asked)
	for grown := true; grown && q.Err() == nil; {
		next := p.transitions()
		list = append(list, automaton.Minimize(y.tell(p.automaton(p.group[0], next))))
		grown = p.grow(next, focusedStates)
	}
	return list
}

// around returns words that an automaton claims, and half as many others, half of which are uniform.
func (c *court) around(d *automaton.DFA) []word.Word {
	claiming := c.claiming(d)
	words := c.uniformWords(focusedClaims / 4)
	words = append(words, c.wordsOf(claiming, focusedClaims)...)
	return append(words, c.wordsOf(automaton.Complement(claiming), focusedClaims/4)...)
}

// shortest returns the automaton of all that were heard, or what is left of it when states are given up, whose errors and
// description cost least. Claims of several automata that the network has confirmed are the evidence of the rare answer. Those of the
// automaton itself say less: if it is wrong about them, nobody may have shown the network such words. But each
// uniform word counts: it tells of an automaton that claims far too much.
func (c *court) shortest(claims, uniform oracle.Set) *automaton.DFA {
	most := func(d *automaton.DFA) float64 {
		return claims.Error(d) + countUniform*uniform.Error(d) + worth.Description(d.Len(), d.Alphabet.Len())
	}
	best, least := c.choose(), math.Inf(1)
	judge := func(list []*automaton.DFA) {
		costs := ofAll(list, most)
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[i], costs[j]) })
		for _, i := range order {
			if costs[i] >= least {
				break // without being asked about claims of its own
			}
			own := c.q.Label(c.claimed(list[i]))
			if cost := costs[i] + countClaims*own.Error(list[i]); len(own.Words) > 0 && cost < least {
				best, least = list[i], cost
			}
		}
	}
	judge(c.heard)
	m := c.pruning(best, []evidence{{Set: claims}, {Set: uniform}})
	m.May = worth.Description(best.Len(), best.Alphabet.Len()) / float64(best.Len())
	var left []*automaton.DFA
	m.Step = func() { left = append(left, m.Left()) }
	m.Run()
	judge(left)
	c.heard = append(c.heard, left...)
	return best
}
