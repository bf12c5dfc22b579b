// Package predictive extracts probabilistic automata from language models, networks that
// predict the next symbol after every prefix.
//
// What is looked for is the structure of an automaton, that is where each symbol leads from
// each state. Its probabilities follow: in every state they are the network's own mean
// predictions, weighted by how often words that the network speaks come by, which makes the
// divergence the least that this structure allows for. That divergence is what the search
// goes by. It folds the tree of spoken words, as state merging does, into more states than
// needed; lets single transitions lead elsewhere as long as the divergence falls, which is to
// follow counterexamples weighed by how likely the network finds them (Weiss, Goldberg and
// Yahav, Learning deterministic weighted automata with queries and counterexamples, 2019);
// and merges states, always those that cost least, down to one. So there is an automaton of
// every size, and held-out words that the network speaks say which is worth it.
//
// Only predictions are looked at, and so networks that show no states serve as well.
package predictive

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"quotient/internal/parallel"
	"quotient/oracle"
	"quotient/probabilistic"
	"quotient/sample"
	"quotient/weighted"
	"quotient/word"
)

// Options say how to extract.
type Options struct {
	Method string // its name in [Methods]; empty: the first
	Seed   uint64
	States int                     // take the best automaton of at most so many states; 0: what is worth it
	Data   []word.Word             // words of the user's, on which the automaton is to predict well, too
	Error  float64                 // take the smallest of at most this divergence, in nats a symbol; 0: what is worth it
	Budget int                     // prefixes that the network may be asked about; 0: as many as it takes
	Tell   func(states, words int) // is told how far the search is, if not nil
}

// A Point is an automaton of some size, and how far the network is from it.
type Point struct {
	States     int     `json:"states"`
	Divergence float64 `json:"divergence"` // nats a symbol, on held-out words that the network speaks
	Chosen     bool    `json:"chosen"`

	table []int32
}

// A Result is an automaton, and those that it was chosen from.
type Result struct {
	Method    string
	Automaton *probabilistic.Automaton
	Tradeoff  []Point // divergence against states, the best of every size
	Words     int     // that the network spoke
	Prefixes  int     // after which it was asked what comes next
	Why       string  // the automaton was chosen, in words
	Warnings  []string

	// Linear is the weighted automaton that a spectral method has found, of at most as many
	// states, and LinearDivergence how far the network is from what it predicts, on held-out
	// words. Its values are the probabilities of prefixes. Nil where there is none.
	Linear           *weighted.Automaton
	LinearDivergence float64
}

// A Method is a way to find the structure of an automaton.
type Method struct {
	Name string
	Doc  string
	find func(s *search, o Options)
	asks bool // about words of its own, beside those that the network speaks
}

const refining = "refine"

// Methods are all there are, the default first. The others are what it is compared with.
var Methods = []Method{
	{refining, "the tree of words that the network speaks is folded, and beside it predictions are clustered; transitions are redirected where the two predict differently, and states are merged as long as that is worth it", refine, false},
	{"kmeans", "a baseline: clusters of predictions; where a symbol leads is decided by majority", baseline(kmeans), false},
	{"quantize", "a baseline: predictions are the same state if they are equal in steps of 1/κ; where a symbol leads is decided by majority", baseline(quantize), false},
	{"congruence", "a baseline: the quantization tree of Mayr, Yovine and others (A congruence-based approach to active automata learning from neural language models, 2023): queries about words and suffixes, words that the network speaks as counterexamples", baseline(congruent), true},
	{"spectral", "a baseline: the probabilities of what follows, taken apart into singular vectors; the rank is the one that predicts held-out words best, and clusters of what the weighted automaton knows are states", spectrally, true},
	{"ngrams", "a baseline: the last n-1 symbols are the state", baseline(ngrams), false},
}

// Names returns the names of all methods.
func Names() []string {
	var names []string
	for _, m := range Methods {
		names = append(names, m.Name)
	}
	return names
}

// Find returns a method by its name.
func Find(name string) (*Method, error) {
	for i := range Methods {
		if m := &Methods[i]; m.Name == name || name == "" && i == 0 {
			return m, nil
		}
	}
	return nil, fmt.Errorf("no method for language models is called %q; there are %s", name, strings.Join(Names(), ", "))
}

// Sizes of the samples. A word more changes little from some ten thousand prefixes on, and a
// scout costs as much as a word.
const (
	spokenWords  = 2000
	heldWords    = 3000
	longest      = 400
	mostPrefixes = 150_000
	scouts       = 12_000 // nodes that they lead to

	mostTimes = 5 // as many words where many states are asked for

	enough = 60 // states that folding stops at, if no more are asked for
)

// Run extracts an automaton from a language model. If searches are to stop, what was found
// until then is the result.
func Run(q *oracle.Inquiry, o Options) (*Result, error) {
	m, err := Find(o.Method)
	if err != nil {
		return nil, err
	}
	left := math.MaxInt
	if m.asks && o.Budget > 0 { // half of it is for what the method asks itself
		left = o.Budget / 2
		o.Budget -= left
	}
	spoken, held := o.samples(q)
	first := spoken
	if m.Name == refining && o.more(q) { // scouts serve the last shape alone, and would double what is searched
		first.Scouts = 0
	}
	t := Speak(q, first, sample.Rand(o.Seed, sample.Words))
	h := Speak(q, held, sample.Rand(o.Seed, sample.Judges))
	if err := q.Err(); err != nil {
		return nil, err
	}
	s := &search{
		q: q, spoken: spoken, t: t, held: h, best: map[int]Point{}, rivals: map[int][][]int32{},
		tell: o.Tell, left: left, said: map[string][]float32{}, stop: func() bool { return q.Stopped() != nil },
	}
	m.find(s, o)
	if err := q.Err(); err != nil {
		return nil, err
	}
	res := s.result(m.Name, o)
	return res, q.Err()
}

// samples says which words the network speaks: those that automata are made of, and those that
// judge them. Where there is a budget, there are fewer, a third of them to judge.
func (o Options) samples(q *oracle.Inquiry) (spoken, held Spoken) {
	spoken = Spoken{
		Words: spokenWords * min(mostTimes, max(1, o.States/enough)), Longest: longest, Prefixes: mostPrefixes,
		Scouts: scouts / q.Alphabet().Len(), Further: 1, Power: 1, Others: o.Data,
	}
	held = Spoken{Words: heldWords, Longest: longest, Prefixes: mostPrefixes, Power: 1}
	if len(o.Data) > 0 {
		if power := Power(q, o.Data); power != 1 { // a network that is made surer may not find an end
			most := min(longest, longestOf(o.Data))
			spoken.Power, spoken.Longest, held.Power, held.Longest = power, most, power, most
		}
	}
	if o.Budget > 0 {
		const usual = 20 // prefixes of a word, with what scouts try
		share := o.Budget * 2 / 3
		if len(o.Data) > 0 { // which have as much
			share /= 2
		}
		spoken.Prefixes = min(spoken.Prefixes, max(1, share))
		held.Prefixes = min(held.Prefixes, max(1, o.Budget/3))
		spoken.Words, held.Words = min(spoken.Words, max(1, spoken.Prefixes/usual)), min(held.Words, max(1, held.Prefixes/usual))
		spoken.Scouts = min(spoken.Scouts, spoken.Prefixes/4/q.Alphabet().Len())
		spoken.Others = spoken.Others[:min(len(spoken.Others), spoken.Words)]
	}
	return spoken, held
}

// longestOf returns the length of the longest word.
func longestOf(words []word.Word) int {
	most := 0
	for _, w := range words {
		most = max(most, len(w))
	}
	return most
}

// A search collects automata.
type search struct {
	q       *oracle.Inquiry
	t, held *Tree
	spoken  Spoken            // what the tree is of
	best    map[int]Point     // by states
	rivals  map[int][][]int32 // by states: the tables that single searches came to
	stop    func() bool
	tell    func(states, words int)

	left     int                  // predictions that methods may still ask for
	said     map[string][]float32 // what they were told
	linear   []linear             // weighted automata, by rank
	warnings []string
}

// predict returns what the network predicts behind words, each of which it is asked about once.
// Where it says nothing anymore, everything is as likely.
func (s *search) predict(words []word.Word) [][]float32 {
	var fresh []word.Word
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = w.Key()
		if _, ok := s.said[keys[i]]; !ok && s.q.Reads(w) {
			s.said[keys[i]] = nil
			fresh = append(fresh, w)
		}
	}
	if s.left -= len(fresh); s.left < 0 {
		fresh = nil
	}
	next := s.q.Next(fresh)
	for i, w := range fresh {
		s.said[w.Key()] = next.Row(i)
	}
	list := make([][]float32, len(words))
	for i, key := range keys {
		if list[i] = s.said[key]; list[i] == nil {
			list[i] = slices.Repeat([]float32{1 / float32(next.Cols)}, next.Cols)
		}
	}
	return list
}

// refine folds with smaller and smaller tolerance until there are clearly more states than
// any automaton that is worth it has.
func refine(s *search, o Options) {
	if o.States > enough { // large ones take their time
		s.cluster(o.States, o.States)
		if !s.stop() {
			s.down(newMachine(s.t, fold(s.t, 0.00625, o.States, s.stop)), o.States)
		}
		return
	}
	for tolerance := 0.4; tolerance > 1e-3; tolerance /= 4 {
		m := newMachine(s.t, fold(s.t, tolerance, enough, s.stop))
		size := m.states()
		if s.down(m, o.States); size > enough*2/3 || s.stop() {
			break
		}
	}
	s.again(o)
}

// again begins with clusters of predictions, somewhat more than there are states that are worth it:
// over many symbols these nearly tell the states, where few words come by each transition.
func (s *search) again(o Options) {
	points := s.points()
	i, _ := choose(points, o)
	if size := points[i].States * 3 / 2; size > 2 && !s.stop() {
		s.cluster(size, o.States)
	}
}

// cluster begins with so many clusters of predictions.
func (s *search) cluster(size, asked int) {
	s.down(newMachine(s.t, compact(kmeans(s, size), s.t.Alphabet.Len())), asked)
}

// Of the transitions of an automaton that is to lose states anyway only the important ones are
// looked at: those whose gain is such a share of all there is to gain.
const coarse = 1e-4

// down merges the states of a machine until there is one, and notes every size. Where more are
// asked for, it only notes what it is given: every size would take minutes.
func (s *search) down(m *machine, asked int) {
	d := newDiary(m)
	if asked > enough {
		m.polish(polishing{rounds: 10, targets: 4, least: coarse / 10, stop: s.stop}, d)
		s.note(m)
		return
	}
	m.polish(polishing{rounds: 2, targets: 3, least: coarse, stop: s.stop}, d)
	s.enter(m)
	for m.states() > 1 && !s.stop() {
		m, d = s.merge(m, d)
		m.polish(polishing{rounds: 2, targets: 3, least: coarse, stop: s.stop}, d)
		s.enter(m)
	}
}

// enter notes what a search came to, and keeps it as a rival of what others come to.
func (s *search) enter(m *machine) {
	s.note(m)
	s.rivals[m.states()] = append(s.rivals[m.states()], slices.Clone(m.next))
}

// note keeps a machine if it is the best of its size.
func (s *search) note(m *machine) {
	d := m.divergence(s.held)
	if p, ok := s.best[m.states()]; !ok || d < p.Divergence {
		s.best[m.states()] = Point{States: m.states(), Divergence: d, table: slices.Clone(m.next)}
	}
	if s.tell != nil {
		s.tell(m.states(), s.t.Len())
	}
}

// mostPairs is how many pairs of states are tried, those first that predict most alike.
const mostPairs = 32

// A pair of states may become one: b goes, and what led there leads to a.
type pair struct {
	a, b int
	cost float64
}

// merge returns the machine with one state less, that which costs least.
func (s *search) merge(m *machine, d *diary) (*machine, *diary) {
	var pairs []pair
	both := make([]float64, m.k+1)
	for a := range m.states() {
		for b := 1; b < m.states(); b++ {
			if a != b {
				together(both, m.row(a), m.row(b))
				pairs = append(pairs, pair{a, b, crossed(both) - m.cost[a] - m.cost[b]})
			}
		}
	}
	cheaper := func(x, y pair) int { return cmp.Compare(x.cost, y.cost) }
	slices.SortStableFunc(pairs, cheaper)
	pairs = pairs[:min(len(pairs), mostPairs)]
	trials, in := m.trials(), make([][]int32, m.states())
	for n, q := range m.at {
		in[q] = append(in[q], int32(n))
	}
	parallel.Do(0, len(pairs), func(i int) {
		x, p := trials.Get().(*trial), &pairs[i]
		p.cost = x.run(m.without(p.a, p.b), in[p.b])
		trials.Put(x)
	})
	slices.SortStableFunc(pairs, cheaper)
	next, order := renumber(m.without(pairs[0].a, pairs[0].b), m.k)
	less := newMachine(m.t, next)
	return less, d.follow(m, less, order)
}

// points returns the automata that were noted, the smallest first.
func (s *search) points() []Point {
	var list []Point
	for _, p := range s.best {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Point) int { return a.States - b.States })
	return list
}

// divergence returns that of the network from the automaton, in nats a symbol, on the words of
// another tree.
func (m *machine) divergence(t *Tree) float64 {
	at, logs, width := make([]int32, t.Len()), m.logs(), m.k+1
	loss := t.entropy
	for n := range at {
		if n > 0 {
			at[n] = m.next[int(at[t.Parent[n]])*m.k+int(t.On[n])]
		}
		for i, p := range t.Next[n] {
			if p > 0 {
				loss -= t.Weight[n] * float64(p) * logs[int(at[n])*width+i]
			}
		}
	}
	return max(0, loss/math.Max(t.Symbols(), 1))
}
