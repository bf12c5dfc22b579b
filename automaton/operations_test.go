package automaton

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/word"
)

func TestOperationsAreBoolean(t *testing.T) {
	must := func(d *DFA, err error) *DFA {
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDFA(t, ab, "a"), drawDFA(t, ab, "b")
		union := must(Union(a, b, 1000))
		both := must(Intersect(a, b, 1000))
		diff := must(Difference(a, b, 1000))
		not := Complement(a)
		back := must(Determinize(Reverse(a.NFA()), 1000))
		allWords(2, 7, func(w word.Word) {
			x, y := a.Accepts(w), b.Accepts(w)
			mirrored := make(word.Word, len(w))
			for i, s := range w {
				mirrored[len(w)-1-i] = s
			}
			for name, ok := range map[string]bool{
				"union":        union.Accepts(w) == (x || y),
				"intersection": both.Accepts(w) == (x && y),
				"difference":   diff.Accepts(w) == (x && !y),
				"complement":   not.Accepts(w) == !x,
				"reverse":      back.Accepts(mirrored) == x,
			} {
				if !ok {
					t.Fatalf("%s is wrong on %v", name, w)
				}
			}
		})
	})
}

func TestProductLimit(t *testing.T) {
	_, err := Intersect(evenAs(), Complement(evenAs()), 1)
	if _, ok := err.(*LimitError); !ok {
		t.Fatalf("got %v, want a *LimitError", err)
	}
}

// Emptiness, universality and finiteness against all words up to a length at
// which an automaton of 7 states and the dead one can hide nothing.
func TestPropertiesAgainstEnumeration(t *testing.T) {
	a := word.Letters("ab")
	rapid.Check(t, func(t *rapid.T) {
		d := drawDFA(t, a, "d")
		some, all := false, true
		allWords(2, 8, func(w word.Word) {
			accept := d.Accepts(w)
			some, all = some || accept, all && accept
		})
		if d.IsEmpty() == some {
			t.Fatalf("IsEmpty = %v, but a word is accepted: %v", d.IsEmpty(), some)
		}
		if d.IsUniversal() != all {
			t.Fatalf("IsUniversal = %v, but all words are accepted: %v", d.IsUniversal(), all)
		}
		// Infinite exactly if a word of length n to 2n-1 is accepted.
		long := false
		for n := d.Len(); n <= 2*d.Len(); n++ {
			long = long || n > 0 && d.Count(n).Sign() > 0
		}
		if d.IsFinite() == long {
			t.Fatalf("IsFinite = %v, but a long word is accepted: %v", d.IsFinite(), long)
		}
	})
}

func TestDistinguishFindsAShortestWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDFA(t, ab, "a"), drawDFA(t, ab, "b")
		shortest := -1
		allWords(2, 9, func(w word.Word) {
			if shortest < 0 && a.Accepts(w) != b.Accepts(w) {
				shortest = len(w)
			}
		})
		w, differ := Distinguish(a, b)
		switch {
		case differ && a.Accepts(w) == b.Accepts(w):
			t.Fatalf("both give the same answer on %v", w)
		case differ && shortest >= 0 && len(w) != shortest:
			t.Fatalf("%v has length %d, a word of length %d exists", w, len(w), shortest)
		case !differ && shortest >= 0:
			t.Fatalf("a difference of length %d was missed", shortest)
		case differ != !Minimize(a).Equal(Minimize(b)):
			t.Fatalf("differ = %v, but the minimal automata say otherwise", differ)
		}
	})
}

// plainDistinguish is the algorithm of Hopcroft and Karp as it is written in books: the
// oracle of Distinguish, which must find the same word.
func plainDistinguish(a, b *DFA) (word.Word, bool) {
	type pair struct {
		p, q State
		w    word.Word
	}
	same := newClasses(len(a.Accept) + len(b.Accept))
	same.join(int32(a.Start), int32(b.Start)+int32(len(a.Accept)))
	queue := []pair{{p: a.Start, q: b.Start}}
	for i := 0; i < len(queue); i++ {
		x := queue[i]
		if a.Accept[x.p] != b.Accept[x.q] {
			return x.w, true
		}
		for s := range word.Symbol(a.Alphabet.Len()) {
			p, q := a.Next(x.p, s), b.Next(x.q, s)
			if same.join(int32(p), int32(q)+int32(len(a.Accept))) {
				queue = append(queue, pair{p, q, x.w.With(s)})
			}
		}
	}
	return nil, false
}

func TestDistinguishAgainstPlain(t *testing.T) {
	var kept Comparison
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		a := randomDFA(r, ab, 1+r.IntN(300), 0.1*float64(seed%3))
		b := shuffle(a, r)
		switch seed % 4 {
		case 1: // one answer is another
			q := 1 + r.IntN(b.Len())
			b.Accept[q] = !b.Accept[q]
		case 2: // smaller, if anything is equal
			for q := range a.Accept {
				a.Accept[q] = q%7 == 1
			}
			b = Minimize(a)
		case 3:
			b = randomDFA(r, ab, 1+r.IntN(300), 0)
		}
		want, wantDiffer := plainDistinguish(a, b)
		if w, differ := Distinguish(a, b); differ != wantDiffer || !slices.Equal(w, want) {
			t.Fatalf("seed %d: %v %v, want %v %v", seed, w, differ, want, wantDiffer)
		}
		if w, differ := kept.Distinguish(a, b); differ != wantDiffer || !slices.Equal(w, want) {
			t.Fatalf("seed %d, after others: %v %v, want %v %v", seed, w, differ, want, wantDiffer)
		}
	}
}

// The shortest difference can be nearly as long as both automata together.
func TestDistinguishLongWitness(t *testing.T) {
	// a^i is accepted by the first iff i ≡ 0 mod 999, by the second iff i ≡ 0 mod 1001.
	if w, _ := Distinguish(unaryCycle(999), unaryCycle(1001)); len(w) != 999 {
		t.Fatalf("witness of length %d, want 999", len(w))
	}
}

func TestWithAlphabet(t *testing.T) {
	d := evenAs()
	e, err := d.WithAlphabet(word.Letters("cba"))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"": true, "abab": true, "ab": false, "c": false, "aac": false} {
		w, _ := e.Alphabet.Parse(text)
		if e.Accepts(w) != want {
			t.Errorf("Accepts(%q) = %v, want %v", text, !want, want)
		}
	}
	if _, err := d.WithAlphabet(word.Letters("ac")); err == nil {
		t.Error("an alphabet without b was taken")
	}
}

// Over another alphabet a nondeterministic automaton has the same words; edges on nothing stay such.
func TestNFAWithAlphabet(t *testing.T) {
	n := &NFA{
		Alphabet: word.Letters("ab"), Start: []State{1}, Accept: []bool{false, false, false, true},
		Edges: []Edge{{1, 2, 0}, {2, 3, Epsilon}, {3, 3, 1}},
	}
	wide := word.Letters("cba")
	r, err := n.WithAlphabet(wide)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Determinize(r, DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"": false, "a": true, "abb": true, "c": false, "b": false, "ac": false} {
		w := make(word.Word, 0, len(text))
		for _, c := range text {
			s, _ := wide.Symbol(string(c))
			w = append(w, s)
		}
		if d.Accepts(w) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if _, err := n.WithAlphabet(word.Letters("a")); err == nil {
		t.Error("an alphabet that lacks a symbol")
	}
}
