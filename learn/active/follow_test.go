package active

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Whatever is asked between hypotheses, and however they change, a follower finds the word that is
// found by following all words anew.
func TestFollower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		net := oracletest.Random(rng.Uint64(), 6, 0)
		k := net.DFA.Alphabet.Len()
		q := oracle.Ask(context.Background(), net)
		o, stats := Options{}.orDefaults(q), Stats{}
		m := newMemory(q, &o, &stats)
		h := newHypothesis(net.DFA.Alphabet)
		f := newFollower(m, h)
		for range 30 {
			var words []word.Word
			for range rng.IntN(20) {
				w := make(word.Word, rng.IntN(8))
				for i := range w {
					w[i] = word.Symbol(rng.IntN(k))
				}
				words = append(words, w)
				m.node(append(w, word.Symbol(rng.IntN(k)))) // a node without an answer
			}
			if _, err := m.ask(words...); err != nil {
				t.Fatal(err)
			}
			was := change(h, rng)
			if got := h.before(); !slices.Equal(got.Table, was.Table) || !slices.Equal(got.Accept, was.Accept) {
				t.Fatalf("%v before, want %v", got, was)
			}
			got, found := f.contradiction()
			want, differ := m.contradiction(h.DFA)
			if found != differ || !slices.Equal(got, want) {
				t.Fatalf("%v %v, want %v %v", got, found, want, differ)
			}
		}
	})
}

// change makes some more states and lets some transitions lead elsewhere. It returns the
// hypothesis as it was.
func change(h *hypothesis, rng *rand.Rand) *automaton.DFA {
	k := h.Alphabet.Len()
	was := &automaton.DFA{Alphabet: h.Alphabet, Start: h.Start, Accept: slices.Clone(h.Accept), Table: slices.Clone(h.Table)}
	for range rng.IntN(3) + 1 - min(was.Len(), 1) {
		h.add(rng.IntN(2) == 0)
	}
	few := 2 + rng.IntN(20)
	for way := range h.Len() * k {
		if way >= was.Len()*k || rng.IntN(few) == 0 {
			h.lead(way, rng.IntN(h.Len()))
		}
	}
	return was
}

// A lesson is a learner with a teacher.
type lesson struct {
	d       *automaton.DFA
	m       *memory
	stats   Stats
	learner learner
	follow  *follower
	rng     *rand.Rand
	length  int // of the random words that are tried as counterexamples
}

func newLesson(d *automaton.DFA, m Method, plain bool) *lesson {
	q := oracle.Ask(context.Background(), teacher{d})
	o, l := Options{}.orDefaults(q), &lesson{d: d, rng: rand.New(rand.NewPCG(1, 1))}
	l.m = newMemory(q, &o, &l.stats)
	if m == LStar {
		t := newTable(l.m)
		t.plain, l.learner = plain, t
	} else {
		t := newTTT(l.m, m == KV)
		t.plain, l.learner = plain, t
	}
	l.follow = newFollower(l.m, l.learner.guess())
	return l
}

// next makes the next hypothesis. It returns a contradiction, if there is one.
func (l *lesson) next(t *rapid.T) (word.Word, bool) {
	if err := l.learner.close(); err != nil {
		t.Fatal(err)
	}
	return l.follow.contradiction()
}

// refine refines the hypothesis by a word, or if that is no contradiction by another. It reports false at the end.
func (l *lesson) refine(t *rapid.T, w word.Word, found bool) bool {
	h := l.learner.guess().DFA
	for i := 0; i < 50 && !found; i++ {
		w = sample.UniformWord(l.d.Alphabet.Len(), l.length, l.length, l.rng)
		found = h.Accepts(w) != l.d.Accepts(w)
	}
	if !found {
		w, found = automaton.Distinguish(h, l.d)
	}
	if !found {
		return false
	}
	q, s, suffix, err := analyze(l.m, l.learner, w)
	if err == nil {
		err = l.learner.split(q, s, suffix)
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// A hypothesis that is right about the words watched is right about all words that were asked: learners
// watch enough, whatever counterexamples they get.
func TestWatch(t *testing.T) {
	saved, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := oracletest.Random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 40).Draw(t, "states"), 0).DFA
		l := newLesson(d, rapid.SampledFrom(Methods).Draw(t, "method"), true)
		l.length = rapid.IntRange(0, 40).Draw(t, "length")
		for going := true; going; {
			w, found := l.next(t)
			h := l.learner.guess().DFA
			if _, differ := l.m.contradiction(h); differ != found {
				t.Fatalf("%v after %d states: %v", found, h.Len(), w)
			}
			if found && (l.m.lookup(w) == yes) == h.Accepts(w) {
				t.Fatalf("%v is no contradiction", w)
			}
			going = l.refine(t, w, found)
		}
		saved, all = saved+len(l.m.nodes)-len(l.follow.followed), all+len(l.m.nodes)
	})
	if 4*saved < all {
		t.Errorf("only %d of %d words are not followed", saved, all)
	}
}

// Learners do the same, hypothesis by hypothesis and question by question, whether all words are put into the memory or only
// those that may be met again.
func TestSpell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := oracletest.Random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 40).Draw(t, "states"), 0).DFA
		m := rapid.SampledFrom(Methods).Draw(t, "method")
		plain, l := newLesson(d, m, true), newLesson(d, m, false)
		length := rapid.IntRange(0, 40).Draw(t, "length")
		plain.length, l.length = length, length
		for going := true; going; {
			want, contradicted := plain.next(t)
			w, found := l.next(t)
			if found != contradicted || !slices.Equal(w, want) {
				t.Fatalf("%v %v, want %v %v", w, found, want, contradicted)
			}
			if !slices.Equal(l.learner.guess().Table, plain.learner.guess().Table) {
				t.Fatal("another hypothesis")
			}
			going = plain.refine(t, want, found)
			if l.refine(t, w, found) != going || l.stats != plain.stats {
				t.Fatalf("%+v, want %+v", l.stats, plain.stats)
			}
		}
	})
}
