package passive

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/learn/labeled"
	"quotient/word"
)

// A patch is an automaton that is mended where its words say that it is wrong. What was
// merged early was merged on little evidence, and all words of a state speak about each
// of its transitions.
type patch struct {
	words  []word.Word
	accept []bool
	length int             // of all words
	all    int             // words that there are, of which these may be a part
	work   *int            // symbols that may still be read
	done   <-chan struct{} // closed if all is to end
	k      int
	next   []uint8 // states × symbols; state 0 is dead
	finals []bool
	states int // with the dead one
	cost   float64
}

// mostPatched is the most states of an automaton that is mended, with the dead one.
const mostPatched = 64

// descriptionLength returns what it takes to write down an automaton and the words on
// which it is wrong, in nats: the two-part code of Rissanen (1978).
func descriptionLength(states, symbols, wrong, words int) float64 {
	return float64(states)*(float64(symbols)*math.Log(float64(states+1))+math.Ln2) + float64(words)*entropy(float64(wrong)/float64(words))
}

// entropy is that of an event of probability p, in nats.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log(p) - (1-p)*math.Log(1-p)
}

// fewWords is how many words tell where to look. All of them judge what was found.
const fewWords = 20_000

// repair mends an automaton, as long as there is work left to spend.
func repair(ctx context.Context, d *automaton.DFA, s *labeled.Set, work *int) *automaton.DFA {
	if d.Len() == 0 || d.Len()+1 > mostPatched {
		return d
	}
	p := &patch{k: d.Alphabet.Len(), states: d.Len() + 1, work: work, done: ctx.Done()}
	for i, w := range s.Words {
		if s.Labels[i] != labeled.Unknown {
			p.words, p.accept = append(p.words, w), append(p.accept, s.Labels[i] == labeled.Accept)
		}
	}
	p.next = make([]uint8, p.states*p.k)
	for q := 1; q < p.states; q++ {
		for x, to := range d.Row(automaton.State(q)) {
			p.next[q*p.k+x] = uint8(to)
		}
	}
	p.all = len(p.words)
	if every := p.all / fewWords; every > 1 {
		some := p.part(every)
		some.mend(true)
		p.next = some.next
	}
	p.mend(p.all < 2*fewWords)
	return p.dfa(d.Alphabet)
}

// ends reports whether no more is to be tried.
func (p *patch) ends() bool {
	select {
	case <-p.done:
		return true
	default:
		return *p.work <= 0
	}
}

// part returns a patch for some of the words, spread evenly.
func (p *patch) part(every int) *patch {
	some := *p
	some.words, some.accept = nil, nil
	for i := 0; i < len(p.words); i += every {
		some.words, some.accept = append(some.words, p.words[i]), append(some.accept, p.accept[i])
	}
	return &some
}

// mend makes changes as long as they shorten the description. Whether a state is needed, a
// part of the words tells as well as all of them.
func (p *patch) mend(all bool) {
	p.length = 0
	for _, w := range p.words {
		p.length += len(w) + 1
	}
	p.cost = p.judge()
	for !p.ends() && (p.redirect() || all && p.drop()) {
	}
}

// dfa returns the automaton as it is.
func (p *patch) dfa(a *word.Alphabet) *automaton.DFA {
	p.judge()
	d := automaton.NewDFA(a, p.states-1)
	for q := 1; q < p.states; q++ {
		d.Accept[q] = p.finals[q]
		for x := range p.k {
			d.SetNext(automaton.State(q), word.Symbol(x), automaton.State(p.next[q*p.k+x]))
		}
	}
	return automaton.Minimize(d)
}

// judge settles which states accept and returns the description length.
func (p *patch) judge() float64 {
	*p.work -= p.length
	ends := make([]count, p.states)
	for i, w := range p.words {
		q := 1
		for _, x := range w {
			q = int(p.next[q*p.k+int(x)])
		}
		if p.accept[i] {
			ends[q].pos++
		} else {
			ends[q].neg++
		}
	}
	p.finals = make([]bool, p.states)
	wrong := int(ends[0].pos)
	for q := 1; q < p.states; q++ {
		p.finals[q] = ends[q].pos > ends[q].neg
		wrong += int(ends[q].errors())
	}
	return descriptionLength(p.reachable(), p.k, wrong*p.all/len(p.words), p.all)
}

// reachable counts the states that a word leads to.
func (p *patch) reachable() int {
	seen := uint64(1 | 1<<1)
	for queue := []int{1}; len(queue) > 0; queue = queue[1:] {
		for x := range p.k {
			if to := p.next[queue[0]*p.k+x]; seen>>to&1 == 0 {
				seen |= 1 << to
				queue = append(queue, int(to))
			}
		}
	}
	n := -1
	for ; seen != 0; seen &= seen - 1 {
		n++
	}
	return n
}

// A move lets a transition lead elsewhere.
type move struct {
	place int // in next
	from  uint8
	to    uint8
	gain  int // how many more words it seems to put right
}

// tries is how many moves are tried before the words are read again.
const tries = 24

// redirect makes the moves, of those that promise most, that shorten the description, and
// reports whether there are any.
func (p *patch) redirect() bool {
	any := false
	moves := p.moves()
	for _, m := range moves[:min(len(moves), tries)] {
		if p.next[m.place] == m.from && p.works(func() { p.next[m.place] = m.to }) {
			any = true
		}
	}
	return any
}

// works tries a change and takes it back unless it is for the better.
func (p *patch) works(change func()) bool {
	if p.ends() {
		return false
	}
	before := slices.Clone(p.next)
	change()
	if cost := p.judge(); cost < p.cost {
		p.cost = cost
		return true
	}
	p.next = before
	return false
}

// drop looks for a state that another one can do the work of. The states that are
// entered least are tried first.
func (p *patch) drop() bool {
	entered := p.entered()
	order := make([]int, 0, p.states)
	for q := 1; q < p.states; q++ {
		if entered[q] > 0 {
			order = append(order, q)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(entered[a], entered[b]) })
	for _, q := range order {
		if q == 1 {
			continue
		}
		for to := range p.states {
			if to == q || to > 0 && entered[to] == 0 {
				continue
			}
			if p.works(func() {
				for i, old := range p.next {
					if int(old) == q {
						p.next[i] = uint8(to)
					}
				}
			}) {
				return true
			}
		}
	}
	return false
}

// entered counts how often each state is entered.
func (p *patch) entered() []int {
	*p.work -= p.length
	n := make([]int, p.states)
	for _, w := range p.words {
		q := 1
		n[q]++
		for _, x := range w {
			q = int(p.next[q*p.k+int(x)])
			n[q]++
		}
	}
	return n
}

// moves returns those that promise to put words right, the best first. For every symbol
// of every word it is known from which states the rest of the word would end well, so one
// reading tells about all transitions. A word that uses a transition more than once
// counts more than once: the promise is not the gain.
func (p *patch) moves() []move {
	*p.work -= p.length * p.states / 2
	p.judge()
	well := make([]int, len(p.next)*p.states)
	var path []int
	for i, w := range p.words {
		p.trace(w, p.accept[i], &path, well)
	}
	var list []move
	for place, now := range p.next[p.k:] {
		place += p.k
		of := well[place*p.states:][:p.states]
		for to, n := range of {
			if gain := n - of[now]; gain > 0 {
				list = append(list, move{place, now, uint8(to), gain})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b move) int { return cmp.Compare(b.gain, a.gain) })
	return list
}

// trace adds what a word says: well counts for each transition, and for each state that
// it might lead to, how often a word would end well.
func (p *patch) trace(w word.Word, accept bool, path *[]int, well []int) {
	*path = (*path)[:0]
	q := 1
	for _, x := range w {
		place := q*p.k + int(x)
		*path = append(*path, place)
		q = int(p.next[place])
	}
	good := uint64(0) // states from which the rest ends well
	for r := range p.states {
		if (r > 0 && p.finals[r]) == accept {
			good |= 1 << r
		}
	}
	for i := len(w) - 1; i >= 0; i-- {
		of := well[(*path)[i]*p.states:][:p.states]
		before := uint64(0)
		for r := range of {
			of[r] += int(good >> r & 1)
			before |= good >> p.next[r*p.k+int(w[i])] & 1 << r
		}
		good = before
	}
}
