package active

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

// A tester answers equivalence queries: it looks for a word on which the network and a
// hypothesis differ.
type tester struct {
	net    prefix.Oracle
	o      Options
	rng    *rand.Rand
	stats  *Stats
	states *abstraction // nil if the network hides its states
}

func newTester(net prefix.Oracle, o Options, stats *Stats) *tester {
	t := &tester{net: net, o: o, rng: rand.New(rand.NewPCG(o.Seed, 0)), stats: stats}
	if r, ok := net.(prefix.Recognizer); ok {
		t.states = newAbstraction(r)
	}
	return t
}

// find asks one equivalence query. The hypothesis is minimal; access words and
// discriminators are those of its learner.
func (t *tester) find(ctx context.Context, h *automaton.DFA, l learner) (word.Word, bool, error) {
	if t.net.Alphabet().Len() == 0 {
		return nil, false, nil // the empty word is all there is
	}
	for _, search := range t.searches() {
		w, found, err := search(ctx, h, l)
		if found && err == nil {
			w, err = t.shrink(ctx, h, w)
		}
		if found || err != nil {
			return w, found, err
		}
	}
	return nil, false, nil
}

// shrink leaves out symbols of a counterexample as long as what is left is one. Short
// ones are better to read, take less to analyze, and lead to short suffixes.
func (t *tester) shrink(ctx context.Context, h *automaton.DFA, w word.Word) (word.Word, error) {
	for {
		var shorter []word.Word
		for i := range w {
			shorter = append(shorter, w[:i], slices.Delete(slices.Clone(w), i, i+1))
		}
		v, found, err := t.compare(ctx, h, shorter)
		if !found || err != nil {
			return w, err
		}
		w = v
	}
}

type search func(ctx context.Context, h *automaton.DFA, l learner) (word.Word, bool, error)

func (t *tester) searches() []search {
	switch t.o.Equivalence {
	case Sample:
		return []search{t.sample}
	case Walks:
		return []search{t.walks}
	case States:
		return []search{t.abstraction}
	}
	all := []search{t.sample, t.language, t.walks}
	if t.states == nil {
		return append(all, t.repeats)
	}
	return append(all, t.guides, t.abstraction)
}

// compare asks the network for words and returns the shortest that the hypothesis gets
// wrong, if any.
func (t *tester) compare(ctx context.Context, h *automaton.DFA, words []word.Word) (word.Word, bool, error) {
	return t.compareDrawn(ctx, h, len(words), func(i int) word.Word { return words[i] })
}

// compareDrawn compares n words that are drawn as they are needed: few at first, because
// many hypotheses fail soon, then more. It returns the shortest of the first batch that
// has any. Where the network shows its states, prefixes count as well. The words are
// forgotten afterwards, because long random words are not met again.
func (t *tester) compareDrawn(ctx context.Context, h *automaton.DFA, n int, draw func(i int) word.Word) (word.Word, bool, error) {
	for i, size := 0, 64; i < n; size = min(2*size, batch) {
		if err := t.o.spent(t.stats, 0); err != nil {
			return nil, false, err
		}
		m := newMemory(t.net, &t.o, t.stats)
		var nodes []int32
		for ; i < n && len(nodes) < size; i++ {
			nodes = append(nodes, m.node(draw(i)))
		}
		t.stats.TestWords += len(nodes)
		if _, err := m.answers(ctx, nodes, false); err != nil {
			return nil, false, err
		}
		if w, found := m.contradiction(h); found {
			return w, true, nil
		}
	}
	return nil, false, nil
}

// samples returns how many words the i-th query must find right, i counted from 1, for
// the promise to hold: with confidence 1-delta the accepted hypothesis errs on less
// than epsilon of the distribution (Angluin 1987, section 4).
func samples(epsilon, delta float64, i int) int {
	return int(math.Ceil((math.Log(1/delta) + float64(i)*math.Ln2) / epsilon))
}

// sample draws words from one distribution, whatever the hypothesis is.
func (t *tester) sample(ctx context.Context, h *automaton.DFA, _ learner) (word.Word, bool, error) {
	return t.compareDrawn(ctx, h, samples(t.o.Epsilon, t.o.Delta, t.stats.EquivalenceQueries), t.draw)
}

// draw returns a word whose length is uniform from 0 to the limit. With even i its
// symbols are uniform; otherwise they are uniform in a random part of the alphabet, of
// random size from two symbols on, because many languages turn on what words of few
// symbols do.
func (t *tester) draw(i int) word.Word {
	k := t.net.Alphabet().Len()
	w := make(word.Word, t.rng.IntN(t.o.Length+1))
	letters := k
	var order []int
	if i%2 == 1 {
		letters = min(k, 2+t.rng.IntN(max(k-1, 1)))
		order = t.rng.Perm(k)
	}
	for j := range w {
		s := t.rng.IntN(letters)
		if order != nil {
			s = order[s]
		}
		w[j] = word.Symbol(s)
	}
	return w
}

// walks is a random W-method (Fujiwara and others 1991, randomized): the access word of
// every state, every symbol, a random stretch, and a suffix that tells states apart.
func (t *tester) walks(ctx context.Context, h *automaton.DFA, l learner) (word.Word, bool, error) {
	k := t.net.Alphabet().Len()
	suffixes := l.discriminators()
	var words []word.Word
	for round := 0; round < 16 || len(words) < t.o.Walks; round++ {
		for q := range l.size() {
			for s := range k {
				w := extend(l.access(q), word.Symbol(s))
				v := suffixes[t.rng.IntN(len(suffixes))]
				for room := t.o.Length - len(w) - len(v); room > 0 && t.rng.IntN(6) > 0; room-- {
					w = append(w, word.Symbol(t.rng.IntN(k)))
				}
				words = append(words, extend(w, v...))
			}
		}
	}
	return t.compare(ctx, h, words)
}

// repeats tries words of few symbols: into a random state, and on by blocks of one to
// three symbols, out of at most three, each block repeated some times. Languages that ask
// for the same thing several times are made of such words, and over a large alphabet
// uniform words never repeat anything. Every second symbol is one that is known to
// matter: it leads to a state or tells two apart. Of the 66 languages of MLRegTest with
// up to 64 symbols, as black boxes, TTT finds 62 with this search and 49 without it.
// Where states can be seen, following them does as well.
func (t *tester) repeats(ctx context.Context, h *automaton.DFA, l learner) (word.Word, bool, error) {
	k := t.net.Alphabet().Len()
	known := slices.Concat(l.discriminators()...)
	for q := range l.size() {
		known = append(known, l.access(q)...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	n := min(max(t.o.Walks, 16*k*k), mostRepeats)
	return t.compareDrawn(ctx, h, n, func(int) word.Word {
		letters := make(word.Word, 1+t.rng.IntN(3))
		for i := range letters {
			letters[i] = word.Symbol(t.rng.IntN(k))
			if len(known) > 0 && t.rng.IntN(2) == 0 {
				letters[i] = known[t.rng.IntN(len(known))]
			}
		}
		w := slices.Clone(l.access(t.rng.IntN(l.size())))
		for length := len(w) + t.rng.IntN(t.o.Length+1); len(w) < length; {
			block := make(word.Word, 1+t.rng.IntN(3))
			for i := range block {
				block[i] = letters[t.rng.IntN(len(letters))]
			}
			for range 1 + t.rng.IntN(5) {
				w = append(w, block...)
			}
		}
		return w
	})
}

// mostRepeats bounds how many words of few symbols are tried against one hypothesis.
const mostRepeats = 1 << 14

// language draws words that the hypothesis accepts and words that it rejects, each
// uniform among all of its length, and changes half of them in one place. It finds
// errors of hypotheses that accept next to nothing or nearly everything, which uniform
// words hardly ever meet.
func (t *tester) language(ctx context.Context, h *automaton.DFA, _ learner) (word.Word, bool, error) {
	words, err := t.drawLanguage(h, t.o.Walks)
	if err != nil {
		return nil, false, err
	}
	return t.compare(ctx, h, words)
}

// drawLanguage draws up to n words, half of them from the language of d and half from
// its complement.
func (t *tester) drawLanguage(d *automaton.DFA, n int) ([]word.Word, error) {
	words, err := t.drawFrom(nil, d, n/2)
	if err != nil {
		return nil, err
	}
	return t.drawFrom(words, automaton.Complement(d), n/2)
}

// drawFrom appends up to n words that the automaton accepts, every second one changed
// in one place.
func (t *tester) drawFrom(words []word.Word, d *automaton.DFA, n int) ([]word.Word, error) {
	s, err := automaton.NewSampler(d, t.o.Length)
	if err != nil {
		return nil, err
	}
	for i := range n {
		w := make(word.Word, t.rng.IntN(t.o.Length+1))
		if !s.Draw(w, t.rng) {
			continue
		}
		if i%2 == 1 && len(w) > 0 {
			at := t.rng.IntN(len(w))
			switch t.rng.IntN(3) {
			case 0:
				w = slices.Delete(w, at, at+1)
			case 1:
				w[at] = word.Symbol(t.rng.IntN(d.Alphabet.Len()))
			default:
				if len(w) < t.o.Length {
					w = slices.Insert(w, at, word.Symbol(t.rng.IntN(d.Alphabet.Len())))
				}
			}
		}
		words = append(words, w)
	}
	return words, nil
}

// short returns all words up to the greatest length of which there are no more than
// limit, in shortlex order.
func short(symbols, limit int) []word.Word {
	words := []word.Word{nil}
	for level := words; len(level) > 0 && len(words)+len(level)*symbols <= limit; {
		var longer []word.Word
		for _, w := range level {
			for s := range symbols {
				longer = append(longer, extend(w, word.Symbol(s)))
			}
		}
		words, level = append(words, longer...), longer
	}
	return words
}
