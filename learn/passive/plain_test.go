package passive

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"quotient/learn/labeled"
	"quotient/word"
)

// A plain hypothesis is the twin of hypothesis as the papers put it: a partition of
// the prefixes, and every attempt computes a new one from scratch.
type plain struct {
	symbols  int
	child    []map[word.Symbol]int
	pos, neg []int
	class    []int // of each prefix: the first that it is together with
	red      []int // classes
}

func newPlain(s *labeled.Set) *plain {
	p := &plain{symbols: s.Alphabet.Len()}
	add := func() int {
		p.child = append(p.child, map[word.Symbol]int{})
		p.pos, p.neg = append(p.pos, 0), append(p.neg, 0)
		p.class = append(p.class, len(p.class))
		return len(p.child) - 1
	}
	p.red = []int{add()}
	for i, w := range s.Words {
		if s.Labels[i] == labeled.Unknown {
			continue
		}
		at := 0
		for _, x := range w {
			next, ok := p.child[at][x]
			if !ok {
				next = add()
				p.child[at][x] = next
			}
			at = next
		}
		if s.Labels[i] == labeled.Accept {
			p.pos[at]++
		} else {
			p.neg[at]++
		}
	}
	return p
}

// merged returns the partition in which the two classes are one, and what follows
// from that.
func (p *plain) merged(a, b int) []int {
	class := slices.Clone(p.class)
	unite := func(x, y int) {
		x, y = min(x, y), max(x, y)
		for n := range class {
			if class[n] == y {
				class[n] = x
			}
		}
	}
	unite(a, b)
	for changed := true; changed; {
		changed = false
		to := map[[2]int]int{} // where a class leads on a symbol
		for n := range class {
			for s, c := range p.child[n] {
				key := [2]int{class[n], int(s)}
				if old, ok := to[key]; ok && class[old] != class[c] {
					unite(class[old], class[c])
					changed = true
				}
				to[key] = c
			}
		}
	}
	return class
}

// measure returns how many classes have labels and how many errors are made.
func (p *plain) measure(class []int) (labels, errors int) {
	pos, neg := map[int]int{}, map[int]int{}
	has := map[int]bool{}
	for n, c := range class {
		pos[c] += p.pos[n]
		neg[c] += p.neg[n]
		has[c] = has[c] || p.pos[n]+p.neg[n] > 0
	}
	for c := range maps.Keys(has) {
		if has[c] {
			labels++
		}
		errors += min(pos[c], neg[c])
	}
	return labels, errors
}

// next returns the class after a class, or -1.
func (p *plain) next(class, symbol int) int {
	for n, c := range p.class {
		if to, ok := p.child[n][word.Symbol(symbol)]; ok && c == class {
			return p.class[to]
		}
	}
	return -1
}

// blue returns the classes that red ones lead to and that are not red.
func (p *plain) blue() []int {
	var list []int
	for _, r := range p.red {
		for s := range p.symbols {
			if to := p.next(r, s); to >= 0 && !slices.Contains(p.red, to) && !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	return list
}

// try returns the partition after a merge, its score and its cost.
func (p *plain) try(red, blue int) (class []int, score, cost int) {
	labels, errors := p.measure(p.class)
	class = p.merged(red, blue)
	after, wrong := p.measure(class)
	return class, labels - after, wrong - errors
}

// apply makes a partition the current one. Red classes keep their places.
func (p *plain) apply(class []int) {
	for i, r := range p.red {
		p.red[i] = class[r]
	}
	p.class = class
}

func (p *plain) rpni(budget int) {
	blue := p.blue()[0]
	for _, r := range p.red {
		if class, _, cost := p.try(r, blue); cost <= budget {
			p.apply(class)
			return
		}
	}
	p.red = append(p.red, blue)
}

func (p *plain) edsm() {
	best, bestClass := -1, []int(nil)
	for _, b := range p.blue() {
		mergeable := false
		for _, r := range p.red {
			class, score, cost := p.try(r, b)
			if cost > 0 {
				continue
			}
			mergeable = true
			if score > best {
				best, bestClass = score, class
			}
		}
		if !mergeable {
			p.red = append(p.red, b)
			return
		}
	}
	p.apply(bestClass)
}

// shape draws what the red states lead to: red states by their numbers, blue
// nodes as a star.
func (p *plain) shape() string {
	text := ""
	for _, r := range p.red {
		for s := range p.symbols {
			to := p.next(r, s)
			switch i := slices.Index(p.red, to); {
			case to < 0:
				text += " ."
			case i >= 0:
				text += fmt.Sprint(" ", i)
			default:
				text += " *"
			}
		}
		text += ";"
	}
	return text
}

func (h *hypothesis) shape() string {
	text := ""
	for i, to := range h.next {
		switch {
		case to == 0:
			text += " ."
		case to < 0:
			text += fmt.Sprint(" ", ^to)
		default:
			text += " *"
		}
		if (i+1)%h.symbols == 0 {
			text += ";"
		}
	}
	return text
}

// drawSet draws a few short words, sometimes labeled by an automaton, sometimes at
// random and then without contradictions unless noisy.
func drawSet(t *rapid.T, noisy bool) *labeled.Set {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	k := rapid.IntRange(1, 3).Draw(t, "symbols")
	s := &labeled.Set{Alphabet: word.Letters("abc"[:k])}
	target := randomTarget(4, rng)
	random := rapid.Bool().Draw(t, "random labels")
	label := map[string]labeled.Label{}
	for range rapid.IntRange(1, 30).Draw(t, "words") {
		w := make(word.Word, rng.IntN(7))
		for i := range w {
			w[i] = word.Symbol(rng.IntN(k))
		}
		l := labeled.Of(rng.IntN(2) == 0)
		if !random && !slices.Contains(w, 2) {
			l = labeled.Of(target.Accepts(w))
		}
		if old, ok := label[fmt.Sprint(w)]; ok && !noisy {
			l = old
		}
		label[fmt.Sprint(w)] = l
		s.Add(w, l)
		if rng.IntN(8) == 0 {
			s.Add(w, labeled.Unknown)
		}
	}
	return s
}

// Step by step the fast version has the states and transitions of the plain one.
func TestPlain(t *testing.T) {
	const budget = 2
	for _, m := range Methods {
		t.Run(string(m), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := drawSet(t, m == RPNIStar)
				h, p := newHypothesis(s, tree(s)), newPlain(s)
				if err := h.redden(0); err != nil {
					t.Fatal(err)
				}
				step := h.edsm(t.Context())
				twin := p.edsm
				switch m {
				case RPNI:
					step = h.rpni(t.Context(), func() int32 { return 0 })
					twin = func() { p.rpni(0) }
				case RPNIStar:
					step = h.rpni(t.Context(), func() int32 { return budget })
					twin = func() { p.rpni(budget) }
				}
				for len(h.blue) > 0 {
					if err := step(); err != nil {
						t.Fatal(err)
					}
					twin()
					if h.shape() != p.shape() {
						t.Fatalf("%s\nwant\n%s", h.shape(), p.shape())
					}
				}
				if len(p.blue()) > 0 {
					t.Fatalf("%d blue classes are left", len(p.blue()))
				}
				if _, errors := p.measure(p.class); int(h.errors) != errors {
					t.Fatalf("%d errors, want %d", h.errors, errors)
				}
			})
		})
	}
}

// Whether scores are kept makes no difference, except for the number of attempts.
func TestKeys(t *testing.T) {
	for seed := range uint64(6) {
		_, s, _ := Abbadingo(64, 1200, rand.New(rand.NewPCG(seed, 0))) // too few words: many merges are possible
		if seed > 2 {
			_, s = randomSet(30, 3000, 16, rand.New(rand.NewPCG(seed, 0))) // enough of them
		}
		want := finished(t, s, -1)
		for _, keys := range []int{0, 3, keptKeys} {
			got := finished(t, s, keys)
			if got.shape() != want.shape() {
				t.Errorf("seed %d, %d keys: another result", seed, keys)
			}
			if keys == keptKeys && got.stats.Tried >= want.stats.Tried {
				t.Errorf("seed %d: %d attempts with keys, %d without", seed, got.stats.Tried, want.stats.Tried)
			}
		}
	}
}

// After an attempt is undone, nothing is different.
func TestUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSet(t, true)
		h := newHypothesis(s, tree(s))
		if err := h.redden(0); err != nil {
			t.Fatal(err)
		}
		for len(h.blue) > 0 {
			h.budget = int32(rapid.IntRange(0, 5).Draw(t, "budget"))
			place := rapid.SampledFrom(h.blue).Draw(t, "place")
			nodes, next := slices.Clone(h.Nodes), slices.Clone(h.next)
			for r := range h.red {
				h.try(r, place)
				h.undo()
				if !slices.Equal(h.Nodes, nodes) || !slices.Equal(h.next, next) {
					t.Fatal("an attempt left traces")
				}
			}
			if r := rapid.IntRange(0, len(h.red)).Draw(t, "red"); r < len(h.red) && h.try(r, place) {
				h.commit()
			} else {
				if r < len(h.red) {
					h.undo()
				}
				if err := h.promote(place); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// numbered returns an alphabet of so many symbols.
func numbered(k int) *word.Alphabet {
	names := make([]string, k)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	a, _ := word.NewAlphabet(names...)
	return a
}

// plainOrder sorts words by comparing them.
func plainOrder(s *labeled.Set) []int32 {
	var order []int32
	for i := range s.Words {
		if s.Labels[i] != labeled.Unknown {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return slices.Compare(s.Words[a], s.Words[b]) })
	return order
}

// Words that are longer than their keys, or have common beginnings that are, come in the order that
// comparing them gives, with their lengths, symbols and common prefixes.
func TestDictionary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		k := rapid.SampledFrom([]int{1, 2, 3, 7, 200, 65535}).Draw(t, "symbols")
		s := &labeled.Set{Alphabet: numbered(k)}
		var before word.Word
		for range rapid.IntRange(1, 200).Draw(t, "words") {
			w := slices.Clone(before[:rng.IntN(len(before)+1)])
			for range rng.IntN(70) {
				w = append(w, word.Symbol(rng.IntN(min(k, 1+rng.IntN(k)))))
			}
			s.Add(w, labeled.Label(rng.IntN(3)))
			before = w[:min(len(w), 100)]
		}
		d := newDictionary(s)
		want := plainOrder(s)
		for i, e := range d.entries {
			w := s.Words[want[i]]
			if e.index != want[i] || d.length(e) != len(w) {
				t.Fatalf("entry %d is word %d of length %d, want %d of length %d", i, e.index, d.length(e), want[i], len(w))
			}
			for at, x := range w {
				if d.symbol(e, at) != x {
					t.Fatalf("symbol %d is %d, want %d", at, d.symbol(e, at), x)
				}
			}
			if i == 0 {
				continue
			}
			v, n := s.Words[want[i-1]], 0
			for n < min(len(v), len(w)) && v[n] == w[n] {
				n++
			}
			if got := d.common(d.entries[i-1], e); got != n {
				t.Fatalf("%d in common, want %d", got, n)
			}
		}
		if len(d.entries) != len(want) {
			t.Fatalf("%d words, want %d", len(d.entries), len(want))
		}
	})
}
