package probabilistic

import (
	"container/heap"
	"math"

	"quotient/automaton"
	"quotient/weighted"
	"quotient/word"
)

// A Likely word, with the logarithm of its probability in one automaton or in two.
type Likely struct {
	Word word.Word
	P, Q float64 // logarithms of probabilities
}

// MostProbable returns the n most probable words, the most probable first; of equally
// probable ones in no order that matters, but always the same. It is a search from the
// start that knows for every state the best that can still come, so it goes straight for
// each word. There are fewer if the automaton has fewer words.
func (a *Automaton) MostProbable(n int) []Likely {
	s := newSearch(a, nil)
	var list []Likely
	for len(list) < n {
		c, ok := s.next()
		if !ok {
			break
		}
		list = append(list, Likely{Word: s.spell(c), P: c.p})
	}
	return list
}

// searched is how many prefixes MostDifferent tries before it gives up on being sure.
const searched = 1 << 18

// MostDifferent returns the n words whose probabilities in p and q differ most, largest
// first, and reports whether it is sure that there are none that differ more: it searches
// from the most probable words on, and after many prefixes it is content with what it has.
func MostDifferent(p, q *Automaton, n int) (list []Likely, sure bool) {
	if n < 1 {
		return nil, true
	}
	s := newSearch(p, q)
	difference := func(l Likely) float64 { return math.Abs(math.Exp(l.P) - math.Exp(l.Q)) }
	s.limit = searched
	for {
		c, ok := s.next()
		if !ok {
			return list, !s.more()
		}
		l := Likely{P: c.p, Q: c.q}
		i := len(list)
		if difference(l) == 0 || i == n && difference(l) <= difference(list[n-1]) {
			continue
		}
		l.Word = s.spell(c)
		for i > 0 && difference(l) > difference(list[i-1]) {
			i--
		}
		list = append(list[:i], append([]Likely{l}, list[i:]...)...)
		if list = list[:min(len(list), n)]; len(list) == n { // a word differs by no more than its probability
			s.floor = math.Log(difference(list[n-1]))
		}
	}
}

// A search finds words in the order of their probability: the greater of those in two
// automata, if there are two.
type search struct {
	a, b         *Automaton // b may be nil
	bestA, bestB []float64  // the logarithm of the best that may follow in each state
	heap         []candidate
	how          []arrival // of every prefix that was entered
	pushed       int
	limit        int     // of what is pushed; 0: none
	floor        float64 // words must have more than this
}

// A candidate is a prefix, or a whole word.
type candidate struct {
	a, b  automaton.State
	p, q  float64 // logarithms of its probabilities
	best  float64 // of the best word that it begins
	whole bool
	how   int32
}

func newSearch(a, b *Automaton) *search {
	s := &search{a: a, b: b, bestA: a.best(), floor: math.Inf(-1)}
	start := candidate{a: a.Start, q: math.Inf(-1)}
	if b != nil {
		s.bestB = b.best()
		start.b, start.q = b.Start, 0
	}
	s.how = append(s.how, arrival{from: -1})
	s.push(start)
	return s
}

// best returns for every state the logarithm of the probability of the most probable way
// from there to an end, by value iteration: -∞ if there is none.
func (a *Automaton) best() []float64 {
	best := make([]float64, len(a.End))
	for q, p := range a.End {
		best[q] = math.Log(p)
	}
	for changed := true; changed; { // at most a round for each state, since longer ways are no better
		changed = false
		for q := automaton.State(a.Len()); q > 0; q-- {
			row := a.Row(q)
			for s, to := range a.Targets(q) {
				if x := math.Log(row[s]) + best[to]; row[s] > 0 && x > best[q] {
					best[q], changed = x, true
				}
			}
		}
	}
	return best
}

// push takes a candidate that begins any word.
func (s *search) push(c candidate) {
	c.best = max(c.p, c.q)
	if !c.whole {
		c.best = c.p + s.bestA[c.a]
		if s.b != nil {
			c.best = max(c.best, c.q+s.bestB[c.b])
		}
	}
	if !math.IsInf(c.best, -1) {
		s.pushed++
		heap.Push(s, c)
	}
}

// next returns the next word.
func (s *search) next() (candidate, bool) {
	for s.more() && (s.limit == 0 || s.pushed < s.limit) {
		c := heap.Pop(s).(candidate)
		if c.whole {
			return c, true
		}
		s.expand(c)
	}
	return candidate{}, false
}

// more reports whether there are words that have not been found.
func (s *search) more() bool { return len(s.heap) > 0 && s.heap[0].best > s.floor }

// expand pushes the word that a prefix is, and its continuations.
func (s *search) expand(c candidate) {
	end := c
	end.whole = true
	end.p += math.Log(s.a.End[c.a])
	if s.b != nil {
		end.q += math.Log(s.b.End[c.b])
	}
	s.push(end)
	for x := range s.a.Alphabet.Len() {
		on := word.Symbol(x)
		next := candidate{a: s.a.Next(c.a, on), p: c.p + math.Log(s.a.Row(c.a)[x]), q: c.q, how: int32(len(s.how))}
		if s.b != nil {
			next.b, next.q = s.b.Next(c.b, on), c.q+math.Log(s.b.Row(c.b)[x])
		}
		before := s.pushed
		if s.push(next); s.pushed > before {
			s.how = append(s.how, arrival{c.how, on})
		}
	}
}

func (s *search) spell(c candidate) word.Word { return spell(s.how, int(c.how)) }

func (s *search) Len() int      { return len(s.heap) }
func (s *search) Swap(i, j int) { s.heap[i], s.heap[j] = s.heap[j], s.heap[i] }
func (s *search) Push(c any)    { s.heap = append(s.heap, c.(candidate)) }
func (s *search) Less(i, j int) bool {
	x, y := s.heap[i], s.heap[j]
	switch {
	case x.best != y.best:
		return x.best > y.best
	case x.how != y.how:
		return x.how < y.how
	}
	return x.whole && !y.whole
}

func (s *search) Pop() any {
	last := len(s.heap) - 1
	c := s.heap[last]
	s.heap = s.heap[:last]
	return c
}

// Weighted returns the weighted automaton whose values are the probabilities of words. It
// accepts those that have any. The error is an [*automaton.LimitError] if its matrices, a
// number for every symbol and two states, would take more than [MaxTable] numbers.
func (a *Automaton) Weighted() (*weighted.Automaton, error) {
	if n := a.Len(); n > 0 && n*a.Alphabet.Len() > MaxTable/n {
		return nil, &automaton.LimitError{Op: "making weights of a probabilistic automaton", What: "weights", Limit: MaxTable}
	}
	w := weighted.New(a.Alphabet, a.Len())
	if a.Start != automaton.Dead {
		w.Initial[a.Start-1] = 1
	}
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		w.Final[q-1] = a.End[q]
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if row[s] > 0 {
				w.Row(word.Symbol(s), int(q-1))[to-1] = row[s]
			}
		}
	}
	return w, nil
}

// DFA returns the minimal automaton of what is likely: of the words whose every symbol,
// and whose end, has at least the given probability where it stands. Hewitt, Hahn,
// Ganguli, Liang and Manning (RNNs can generate bounded hierarchical languages with optimal
// memory, 2020) call it the truncated support. With a threshold of zero it is all words of
// any probability.
func (a *Automaton) DFA(threshold float64) *automaton.DFA {
	d := automaton.NewDFA(a.Alphabet, a.Len())
	d.Start = a.Start
	likely := func(p float64) bool { return p > 0 && p >= threshold }
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		d.Accept[q] = likely(a.End[q])
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if likely(row[s]) {
				d.SetNext(q, word.Symbol(s), to)
			}
		}
	}
	return automaton.Minimize(d)
}
