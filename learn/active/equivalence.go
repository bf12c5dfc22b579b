package active

import (
	"math"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// A tester answers equivalence queries: it looks for a word on which the network and a
// hypothesis differ.
type tester struct {
	q      *oracle.Inquiry
	o      Options
	rng    *rand.Rand
	stats  *Stats
	states *abstraction // nil if the network hides its states
	data   oracle.Set   // the words of Options.Data with the network's answers, once it was asked
}

func newTester(q *oracle.Inquiry, o Options, stats *Stats) *tester {
	t := &tester{q: q, o: o, rng: sample.Rand(o.Seed, sample.Queries), stats: stats}
	if q.ShowsStates() {
		t.states = newAbstraction(q)
	}
	return t
}

// find asks one equivalence query. The hypothesis is minimal; access words and
// discriminators are those of its learner.
func (t *tester) find(h *automaton.DFA, l learner) (word.Word, bool, error) {
	if t.q.Alphabet().Len() == 0 {
		return nil, false, nil // the empty word is all there is
	}
	for _, search := range t.searches() {
		w, found, err := search(h, l)
		if found && err == nil {
			w, err = t.shrink(h, w)
		}
		if found || err != nil {
			return w, found, err
		}
	}
	return nil, false, nil
}

// shrink leaves out symbols of a counterexample as long as what is left is one. Short
// ones are better to read, take less to analyze, and lead to short suffixes.
func (t *tester) shrink(h *automaton.DFA, w word.Word) (word.Word, error) {
	for {
		var shorter []word.Word
		for i := range w {
			shorter = append(shorter, w[:i], slices.Delete(slices.Clone(w), i, i+1))
		}
		v, found, err := t.compare(h, shorter)
		if !found || err != nil {
			return w, err
		}
		w = v
	}
}

// given tries the words of the user's.
func (t *tester) given(h *automaton.DFA, _ learner) (word.Word, bool, error) {
	if t.data.Words == nil {
		if err := t.o.spent(t.stats, 0); err != nil {
			return nil, false, err
		}
		words := t.q.Readable(t.o.Data[:t.q.AtMost(len(t.o.Data), 1./4)])
		t.stats.TestWords += len(words)
		for _, w := range words {
			t.stats.Symbols += len(w)
		}
		set := t.q.Label(words)
		if err := t.q.Err(); err != nil {
			return nil, false, err
		}
		t.data = set
	}
	wrong := t.data.Mistakes(h)
	if len(wrong) == 0 {
		return nil, false, nil
	}
	return slices.MinFunc(wrong, word.Compare), true, nil
}

type search func(h *automaton.DFA, l learner) (word.Word, bool, error)

func (t *tester) searches() []search {
	var all []search
	if len(t.o.Data) > 0 {
		all = append(all, t.given)
	}
	switch t.o.Equivalence {
	case Sample:
		return append(all, t.sample)
	case Walks:
		return append(all, t.walks)
	case States:
		return append(all, t.abstraction)
	}
	all = append(all, t.sample, t.language, t.walks)
	if t.states == nil {
		return append(all, t.repeats)
	}
	return append(all, t.guides, t.abstraction)
}

// compare asks the network for words and returns the shortest that the hypothesis gets
// wrong, if any.
func (t *tester) compare(h *automaton.DFA, words []word.Word) (word.Word, bool, error) {
	return t.compareDrawn(h, len(words), func(i int) word.Word { return words[i] })
}

// compareDrawn compares n words that are drawn as they are needed: few at first, because
// many hypotheses fail soon, then more. It returns the shortest of the first batch that
// has any. Where the network shows its states, prefixes count as well. The words are
// forgotten afterwards, because long random words are not met again.
func (t *tester) compareDrawn(h *automaton.DFA, n int, draw func(i int) word.Word) (word.Word, bool, error) {
	for i, size := 0, t.q.AtMost(64, 1./32); i < n; size = min(2*size, t.q.AtMost(batch, 1./4)) {
		if err := t.o.spent(t.stats, 0); err != nil {
			return nil, false, err
		}
		m := newMemory(t.q, &t.o, t.stats)
		var nodes []int32
		longest := t.q.Longest()
		for ; i < n && len(nodes) < size; i++ {
			w := draw(i)
			nodes = append(nodes, m.node(w[:min(len(w), longest)]))
		}
		t.stats.TestWords += len(nodes)
		if _, err := m.answers(nodes, false); err != nil {
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
func (t *tester) sample(h *automaton.DFA, _ learner) (word.Word, bool, error) {
	return t.compareDrawn(h, samples(t.o.Epsilon, t.o.Delta, t.stats.EquivalenceQueries), t.draw)
}

// draw returns a uniform word with even i, and one of few symbols otherwise.
func (t *tester) draw(i int) word.Word {
	k := t.q.Alphabet().Len()
	if i%2 == 1 {
		return sample.FewSymbols(k, t.o.Length, t.rng)
	}
	return sample.UniformWord(k, 0, t.o.Length, t.rng)
}

// walks is a random W-method (Fujiwara and others 1991, randomized): the access word of
// every state, every symbol, a random stretch, and a suffix that tells states apart.
func (t *tester) walks(h *automaton.DFA, l learner) (word.Word, bool, error) {
	k := t.q.Alphabet().Len()
	suffixes := l.discriminators()
	var words []word.Word
	for round := 0; round < 16 || len(words) < t.o.Walks; round++ {
		for q := range l.guess().Len() {
			for s := range k {
				w := l.access(q).With(word.Symbol(s))
				v := suffixes[t.rng.IntN(len(suffixes))]
				for room := t.o.Length - len(w) - len(v); room > 0 && t.rng.IntN(6) > 0; room-- {
					w = append(w, word.Symbol(t.rng.IntN(k)))
				}
				words = append(words, w.With(v...))
			}
		}
	}
	return t.compare(h, words)
}

// repeats tries words of few symbols: into a random state, and on by blocks of one to
// three symbols, out of at most three, each block repeated some times. Languages that ask
// for the same thing several times are made of such words, and over a large alphabet
// uniform words never repeat anything. Every second symbol is one that is known to
// matter: it leads to a state or tells two apart. Of the 66 languages of MLRegTest with
// up to 64 symbols, as black boxes, TTT finds 62 with this search and 49 without it.
// Where states can be seen, following them does as well.
func (t *tester) repeats(h *automaton.DFA, l learner) (word.Word, bool, error) {
	k := t.q.Alphabet().Len()
	known := slices.Concat(l.discriminators()...)
	for q := range l.guess().Len() {
		known = append(known, l.access(q)...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	n := min(max(t.o.Walks, 16*k*k), mostRepeats)
	return t.compareDrawn(h, n, func(int) word.Word {
		letters := make(word.Word, 1+t.rng.IntN(3))
		for i := range letters {
			letters[i] = word.Symbol(t.rng.IntN(k))
			if len(known) > 0 && t.rng.IntN(2) == 0 {
				letters[i] = known[t.rng.IntN(len(known))]
			}
		}
		w := slices.Clone(l.access(t.rng.IntN(l.guess().Len())))
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

// language draws words that the hypothesis accepts and words that it rejects, half of them
// changed in one place.
func (t *tester) language(h *automaton.DFA, _ learner) (word.Word, bool, error) {
	words, err := t.drawLanguage(h, t.o.Walks)
	if err != nil {
		return nil, false, err
	}
	return t.compare(h, words)
}

// drawLanguage draws up to n words, half of them from the language of d and half from
// its complement.
func (t *tester) drawLanguage(d *automaton.DFA, n int) ([]word.Word, error) {
	accepted, err := sample.Changed(t.q.Context(), d, n/2, t.o.Length, t.rng)
	if err != nil {
		return nil, err
	}
	rejected, err := sample.Changed(t.q.Context(), automaton.Complement(d), n/2, t.o.Length, t.rng)
	return append(accepted, rejected...), err
}
