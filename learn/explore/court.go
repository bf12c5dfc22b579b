package explore

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/internal/parallel"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
	"quotient/worth"
)

// A court judges automata by words that no search has seen. They are of several kinds, which
// count alike however many words there are of each: uniform words, words that the network
// gives its rare answer, words that the automaton itself accepts, and words that it rejects.
//
// A network that was trained on words of one answer and on uniform ones has seen nothing in
// between. There it is unsure, and its answers are those of another, far larger machine. So
// only those count of which it is sure: whose log odds are a quarter of what is usual for
// the answer, or more.
type court struct {
	q         *oracle.Inquiry
	o         Options
	rng       *rand.Rand
	common    []evidence // the same for all automata
	uniform   evidence   // one of these
	rare      rarity
	gleaned   []word.Word                // of the rare answer, that automata have led to
	heard     []*automaton.DFA           // that were found, all minimal
	bests     []*automaton.DFA           // those of them that searches chose, or what merging left of the first if that is no worse
	own       map[*automaton.DFA]float64 // errors of those that were judged
	trusted   bool                       // whether the words of the rare answer are those that matter
	chosen    *automaton.DFA             // of all that were heard; nil: that is not known
	focused   bool                       // whether claims of several automata judged
	converged bool                       // whether a search has left no doubts
	next      int                        // states of a hypothesis at which to see whether it is too large
	more      int                        // states of a hypothesis at which to learn from it where the rare answer is
}

// rarity is the answer that uniform words hardly meet, if there is one.
type rarity struct {
	known  bool
	answer bool
	margin float32 // the probability beyond which the network is sure of it
	found  int     // words that were found for it
}

// evidence is words of one kind that count: with answers of which the network is sure.
type evidence struct {
	oracle.Set
	unsure int // words that do not
}

// Error returns the share of the words on which an automaton errs. Words that do not count are
// no errors unless they are most: an automaton that describes what the network is not sure of
// is none to be proud of.
func (e evidence) Error(d *automaton.DFA) float64 {
	if e.unsure > len(e.Words) {
		return 1
	}
	return e.Set.Error(d)
}

func (e *evidence) add(more evidence) {
	e.Words, e.Accept, e.unsure = append(e.Words, more.Words...), append(e.Accept, more.Accept...), e.unsure+more.unsure
}

const (
	judging     = 1000  // uniform words that judge
	ownWords    = 300   // that an automaton accepts, and that it rejects
	few         = 50    // are too few words of the rare answer
	enough      = 20    // of the user's, for no others to be looked for
	rarely      = 0.1   // share of uniform words that makes an answer rare
	clean       = 0.003 // share of errors with which an automaton is right,
	nearlyClean = 0.03  // and with which it nearly is
	claimants   = 8     // automata whose claims count,
	claimTries  = 4     // and how many are tried for each of them
	telling     = 8     // states with which a hypothesis may say where the rare answer is
)

// newCourt finds out what words judge: none, if the inquiry ends before they are answered.
func newCourt(q *oracle.Inquiry, o Options) *court {
	c := &court{q: q, o: o, rng: sample.Rand(o.Seed, sample.Candidates), own: map[*automaton.DFA]float64{}}
	uniform := c.uniformWords(q.AtMost(judging, 0.05))
	yes := q.Label(uniform).Accepted()
	if share := float64(yes) / float64(len(uniform)); share < rarely || share > 1-rarely {
		c.rare = rarity{known: true, answer: share < rarely, margin: oracle.Threshold}
	}
	data := q.Label(o.Data)
	switch given := data.With(c.rare.answer); {
	case c.rare.known && len(given) >= enough: // what the network is used on says more than what it can be led to
		c.found(given)
		c.trusted = true
	case c.rare.known:
		c.found(c.seek())
	}
	c.uniform = c.label(uniform)
	c.common = append(c.common, c.uniform)
	if len(o.Data) > 0 {
		c.common = append(c.common, evidence{Set: data})
	}
	if q.Err() != nil {
		c.rare, c.common, c.uniform = rarity{}, nil, evidence{}
	}
	return c
}

// found takes words of the rare answer as evidence, and learns from them how sure the network is
// of it where it is.
func (c *court) found(words []word.Word) {
	p := c.q.Probabilities(words)
	p = slices.DeleteFunc(p, func(x float32) bool { return x > oracle.Threshold != c.rare.answer })
	if c.rare.found = len(p); c.rare.found == 0 {
		return
	}
	slices.Sort(p)
	c.rare.margin = fromLogit(logit(p[len(p)/2]) / 4)
	if e := c.label(words); len(e.Words) > 0 {
		c.common = append(c.common, evidence{Set: e.Set})
	}
	clear(c.own)
}

// seek looks for words of the rare answer.
func (c *court) seek() []word.Word {
	if c.q.Left() < 10*filters*particles*branches*c.o.High { // a budget is better spent otherwise
		return nil
	}
	words := seek(c.q, c.rare.answer, c.o.High, c.rng)
	return slices.DeleteFunc(words, func(w word.Word) bool { return len(w) < c.o.Low })
}

// judges counts the words that judge all automata, by the network's answers.
func (c *court) judges() Judges {
	var j Judges
	for _, e := range c.common {
		j.Accepted += e.Accepted()
		j.Rejected += len(e.Words) - e.Accepted()
	}
	return j
}

// sure reports whether a probability is evidence.
func (c *court) sure(p float32) bool {
	switch {
	case !c.rare.known:
		return true
	case c.rare.answer:
		return p <= oracle.Threshold || p > c.rare.margin
	}
	return p > oracle.Threshold || p <= c.rare.margin
}

// label returns the words that count.
func (c *court) label(words []word.Word) evidence {
	var e evidence
	for i, p := range c.q.Probabilities(words) {
		if c.sure(p) {
			e.Words, e.Accept = append(e.Words, words[i]), append(e.Accept, p > oracle.Threshold)
		} else {
			e.unsure++
		}
	}
	return e
}

// drawn returns words that the automaton accepts, and words that it rejects, as far as there are any.
func (c *court) drawn(d *automaton.DFA) [][]word.Word {
	var list [][]word.Word
	for _, s := range sample.BothShares(d, c.o.High) {
		if words := s.Words(c.q.AtMost(ownWords, 0.01), c.o.Low, c.o.High, c.rng); len(words) > 0 {
			list = append(list, words)
		}
	}
	return list
}

// ownOf returns those of them that count.
func (c *court) ownOf(d *automaton.DFA) []evidence {
	var list []evidence
	for _, words := range c.drawn(d) {
		list = append(list, c.label(words))
	}
	return list
}

// errors returns the mean share of words, of all kinds, on which an automaton errs. Where a few
// words show that they are many, they are not counted closely.
func (c *court) errors(d *automaton.DFA) float64 {
	if e, ok := c.own[d]; ok {
		return e
	}
	drawn := c.drawn(d)
	own := make([]evidence, len(drawn))
	for i, words := range drawn {
		own[i] = c.label(words[:len(words)/5])
	}
	e := mean(slices.Concat(c.common, own), d)
	if e < 0.05 {
		for i, words := range drawn {
			own[i].add(c.label(words[len(words)/5:]))
		}
		e = mean(slices.Concat(c.common, own), d)
	}
	c.own[d] = e
	return e
}

func mean(kinds []evidence, d *automaton.DFA) float64 {
	sum := 0.0
	for _, e := range kinds {
		sum += e.Error(d)
	}
	return sum / float64(max(1, len(kinds)))
}

// threshold returns the probability by which to search next, and whether there is one: first the
// network's own and, if what is found is not right on its own words, that beyond which the
// network is sure of its rare answer.
func (c *court) threshold(searches int) (float32, bool) {
	switch {
	case searches == 0:
		return oracle.Threshold, true
	case searches > 1 || c.o.Pursue || !c.rare.known || c.converged || c.settled():
		return 0, false
	}
	return c.rare.margin, c.rare.margin != oracle.Threshold
}

// hear takes note of what a search has found, and of what is left of it when states are merged.
func (c *court) hear(s *search) {
	c.chosen = nil
	c.heard, c.bests = append(c.heard, s.met...), append(c.bests, s.best)
	if c.o.Pursue || c.uniform.Error(s.best) > clean { // a network that is no automaton: the more states, the better
		return
	}
	last := s.met[len(s.met)-1]
	if c.converged = s.converged(); !c.converged && c.rare.known && c.rare.found < few {
		c.confirm(s.best, last)
	}
	small, right := c.shrunk(s.best)
	c.heard = append(c.heard, small...)
	if right && len(c.bests) == 1 {
		c.bests[0] = small[len(small)-1]
	}
	if !right && !c.converged {
		small, _ := c.shrunk(last)
		c.heard = append(c.heard, small...)
	}
}

// glean learns from a hypothesis where the rare answer is if too few words are known, each time that
// it has twice the states. It returns words that the network confirms.
func (c *court) glean(l *learner) []word.Word {
	if !c.rare.known || c.rare.found >= few || len(l.access) < max(c.more, telling) {
		return nil
	}
	c.more = 2 * len(l.access)
	c.confirm(automaton.Minimize(l.dfa()))
	return c.gleaned
}

// confirm looks for words of the rare answer among those to which automata give it, and from these on.
func (c *court) confirm(list ...*automaton.DFA) {
	var words []word.Word
	for _, d := range list {
		words = append(words, c.claimed(d)...)
	}
	words = c.q.Label(words).With(c.rare.answer)
	c.gleaned = append(words, c.wander(words)...)
	c.found(c.gleaned)
}

// claimed returns words to which an automaton gives the rare answer.
func (c *court) claimed(d *automaton.DFA) []word.Word {
	return c.wordsOf(c.claiming(d), ownWords)
}

// claiming returns the automaton of these words.
func (c *court) claiming(d *automaton.DFA) *automaton.DFA {
	if c.rare.answer {
		return d
	}
	return automaton.Complement(d)
}

// wordsOf returns n words that an automaton accepts, if there are any.
func (c *court) wordsOf(d *automaton.DFA, n int) []word.Word {
	return sample.NewShares(d, c.o.High).Words(n, c.o.Low, c.o.High, c.rng)
}

func (c *court) uniformWords(n int) []word.Word {
	return sample.UniformWords(n, c.q.Alphabet().Len(), c.o.Low, c.o.High, c.rng)
}

// settled reports whether there is an automaton on whose words the network hardly ever
// disagrees.
func (c *court) settled() bool { return c.errors(c.choose()) <= clean }

// bloated reports, now and then, whether much fewer states than a hypothesis has do as well.
func (c *court) bloated(l *learner) bool {
	if c.o.Pursue || len(l.access) < max(c.next, 32) {
		return false
	}
	c.next = 2 * len(l.access)
	d := automaton.Minimize(l.dfa())
	found, right := c.shrunk(d)
	c.heard = append(c.heard, found...)
	return right && found[len(found)-1].Len() <= d.Len()/2
}

// bySize returns what was heard and may err on no more than a share of words, the smallest first,
// and of equals those first that err least on common words.
func (c *court) bySize(most float64) []*automaton.DFA {
	error := map[*automaton.DFA]float64{}
	var list []*automaton.DFA
	for i, e := range ofAll(c.heard, c.least) {
		if e <= most {
			error[c.heard[i]] = e
			list = append(list, c.heard[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *automaton.DFA) int { return cmp.Or(a.Len()-b.Len(), cmp.Compare(error[a], error[b])) })
	return list
}

// ofAll returns a number for each automaton, which does not depend on the others.
func ofAll(list []*automaton.DFA, f func(d *automaton.DFA) float64) []float64 {
	numbers := make([]float64, len(list))
	parallel.Do(0, len(list), func(i int) { numbers[i] = f(list[i]) })
	return numbers
}

// least returns what an automaton errs at least: words of its own can only make it worse.
func (c *court) least(d *automaton.DFA) float64 {
	return mean(c.common, d) * float64(len(c.common)) / float64(len(c.common)+2)
}

// choose returns the best automaton of all that were heard.
func (c *court) choose() *automaton.DFA {
	if c.chosen == nil {
		c.chosen = c.choice()
	}
	return c.chosen
}

// choice is that which a search has left no doubt about; otherwise the
// one whose errors and states cost least.
//
// What automata say and the network confirms is evidence. If there is one that is right, on that and
// on all other words, a state costs little: larger automata are right to say more. If there is none, the network is
// another machine wherever one looks, and the shortest description is what it was trained for.
func (c *court) choice() *automaton.DFA {
	if c.converged || !c.rare.known || c.uniform.Error(c.bests[0]) > clean {
		return c.bests[0]
	}
	claims := c.claims()
	price := worth.Confirmed
	if c.trusted {
		price = worth.Given
	}
	perState := func(d *automaton.DFA) float64 { return price.State * float64(d.Len()) }
	best := c.cheapest(claims, perState)
	for smaller := c.trusted; smaller; { // what is left of it is the better known, the fewer states there are
		list, _ := c.shrunk(best)
		c.heard = append(c.heard, list...)
		next := c.cheapest(claims, perState)
		smaller, best = next.Len() < best.Len(), next
	}
	if c.trusted || c.errors(best)+mean(claims, best) <= clean {
		return best
	}
	return c.cheapest(claims, func(d *automaton.DFA) float64 { return worth.Description(d.Len(), d.Alphabet.Len()) })
}

// cheapest returns the automaton whose errors, on claims and on all that judges, and price are the least: of those that
// were heard, and of those that are left when states of the cheapest are given up for less than they cost.
func (c *court) cheapest(claims []evidence, price func(*automaton.DFA) float64) *automaton.DFA {
	best, least := c.bests[0], math.Inf(1)
	for list := c.bySize(1); len(list) > 0; {
		before := least
		costs, atLeast := ofAll(list, func(d *automaton.DFA) float64 { return price(d) + mean(claims, d) }), ofAll(list, c.least)
		for i, d := range list {
			cost := costs[i]
			if cost+atLeast[i] >= least {
				continue // without being asked about words of its own
			}
			if cost += c.errors(d); cost < least {
				best, least = d, cost
			}
		}
		if list = nil; least < before && best.Len() > 1 {
			list = c.pruned(best, claims, price)
		}
	}
	return best
}

// pruned returns what is left of an automaton when its states are given up, one after the other, where that puts fewer words
// wrong than a state costs.
func (c *court) pruned(d *automaton.DFA, claims []evidence, price func(*automaton.DFA) float64) []*automaton.DFA {
	kinds := slices.Concat(c.common, c.ownOf(d))
	m := c.pruning(d, slices.Concat(kinds, claims))
	m.May = price(d) / float64(d.Len()) * float64(len(kinds))
	var list []*automaton.DFA
	m.Step = func() { list = append(list, m.Left()) }
	m.Run()
	c.heard = append(c.heard, list...)
	return list
}

// claims returns words to which automata of different sizes give the rare answer, and of which the
// network confirms that. Automata of like sizes say about the same.
func (c *court) claims() []evidence {
	if c.trusted {
		return nil
	}
	var list []evidence
	next, left := 0, claimTries // size to look at, and automata of about that size that are still looked at
	for _, d := range c.bySize(clean) {
		if len(list) == claimants {
			break
		}
		if d.Len() < next {
			continue
		}
		if left--; c.errors(d) > clean && left > 0 {
			continue
		}
		next, left = d.Len()+1+d.Len()/4, claimTries
		if words := c.claimed(d); c.errors(d) <= clean && len(words) > 0 {
			list = append(list, c.label(words))
		}
	}
	return list
}

// worse reports whether a is worse than b by more than the states that it has fewer are worth, by the
// words on which the two differ, which it returns. What speaks for b on words that b thinks of itself must be far more; see verdict.
// Of most of them the network must be sure.
func (c *court) worse(a, b *automaton.DFA) (bool, []evidence) {
	onA, onB := sample.Contrasts(a, b, c.o.Low, c.o.High, pairs/c.q.Alphabet().Len())
	if onA == nil || onB == nil {
		return false, nil
	}
	all := 0.0
	var kinds []evidence
	for _, x := range []*sample.Contrast{onB, onA} {
		if x.Mass == 0 {
			continue
		}
		words := make([]word.Word, weighed)
		for i := range words {
			words[i] = x.Draw(c.rng)
		}
		e := c.label(words)
		if x == onB && e.unsure > weighed*2/5 {
			return false, nil
		}
		right := e.Agree(b)
		gain := x.Mass * float64(right-(len(e.Words)-right)) / weighed
		if x == onB && gain > 0 {
			gain /= rare
		}
		all += gain
		kinds = append(kinds, e)
	}
	return worth.Price{State: 5 * c.o.Tolerance}.Pays(all, 0, b.Len()-a.Len()), kinds
}
