package predictive

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"quotient/learn/spectral"
	"quotient/weighted"
	"quotient/word"
)

// Sizes of the Hankel matrix: its rows are the prefixes that most words have, its columns what
// they are followed by most often.
const (
	mostRows    = 300
	mostColumns = 100
	longestPart = 3      // symbols of a column
	mostAsked   = 60_000 // predictions, for all of it

	visible = 1e-4 // what a weighted automaton's probabilities count as at least: they may be negative
)

// A linear is a weighted automaton and how far the network is from what it predicts.
type linear struct {
	a          *weighted.Automaton
	divergence float64
}

// spectrally takes the matrix of the probabilities of what follows prefixes apart. The weighted
// automata of many ranks are judged by the values that they give, as predictions of held-out words.
// The best of at most a size becomes deterministic: what it knows after each spoken prefix is a
// vector, and clusters of these are states.
func spectrally(s *search, o Options) {
	list, err := s.ranks()
	if err != nil || len(list) == 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("no weighted automaton was found: %v", cmp.Or(err, errNothing)))
		s.note(newMachine(s.t, make([]int32, s.t.Alphabet.Len())))
		return
	}
	for _, rank := range sizes(o) {
		if rank = min(rank, len(list)); len(s.linear) == 0 || !s.stop() && rank > s.linear[len(s.linear)-1].a.Len() {
			s.linear = append(s.linear, linear{list[rank-1], apartFrom(s.held, list[rank-1])})
		}
	}
	baseline(func(s *search, size int) []int32 {
		class, number := clusters(vectors(s.t, s.linearOf(size).a), s.t.Weight, size)
		return byClass(s.t, class, number)
	})(s, o)
}

var errNothing = errors.New("all that follows the words follows always")

// linearOf returns the weighted automaton of at most a rank that predicts best.
func (s *search) linearOf(rank int) linear {
	best := s.linear[0]
	for _, x := range s.linear {
		if x.a.Len() <= rank && x.divergence < best.divergence {
			best = x
		}
	}
	return best
}

// ranks fills the matrix and returns the automata of all ranks. Its values are the probabilities
// that a suffix follows a prefix, and rows count as many words have the prefix. So the value of a
// word is the probability that words begin with it.
func (s *search) ranks() ([]*weighted.Automaton, error) {
	t, k := s.t, s.t.Alphabet.Len()
	suffixes := t.parts(mostColumns)
	f := following{s: s, suffixes: suffixes, number: map[string]int{}}
	for _, w := range suffixes {
		for i := range w {
			if _, ok := f.number[w[:i].Key()]; !ok {
				f.number[w[:i].Key()] = len(f.inner)
				f.inner = append(f.inner, w[:i])
			}
		}
	}
	prefixes := t.heaviestNodes(min(mostRows, max(1, min(mostAsked, s.left)/(k+1)/len(f.inner))))
	list := make([]*mat.Dense, k+1)
	for i := range list {
		list[i] = mat.NewDense(len(prefixes), len(suffixes), nil)
	}
	for row, n := range prefixes {
		scale, w := math.Sqrt(t.Weight[n]/t.Weight[0]), t.Word(n)
		list[0].SetRow(row, f.after(w, scale))
		for x, p := range t.Next[n][:k] {
			list[x+1].SetRow(row, f.after(extended(w, word.Symbol(x)), scale*float64(p)))
		}
		if err := s.q.Err(); err != nil {
			return nil, err
		}
	}
	return spectral.Ranks(t.Alphabet, list[0], list[1:], enough)
}

// following knows what the network is to be asked about what follows.
type following struct {
	s        *search
	suffixes []word.Word
	inner    []word.Word    // behind which a prediction is needed to know the probabilities of the suffixes
	number   map[string]int // of each
}

// after returns the probabilities of the suffixes behind a word, times a factor.
func (f *following) after(w word.Word, factor float64) []float64 {
	words := make([]word.Word, len(f.inner))
	for i, v := range f.inner {
		words[i] = extended(w, v...)
	}
	p := f.s.predict(words)
	row := make([]float64, len(f.suffixes))
	for i, v := range f.suffixes {
		row[i] = factor
		for j, x := range v {
			row[i] *= float64(p[f.number[v[:j].Key()]][x])
		}
	}
	return row
}

// heaviestNodes returns those that most words pass, the root first.
func (t *Tree) heaviestNodes(most int) []int32 {
	nodes := make([]int32, t.Len())
	for n := range nodes {
		nodes[n] = int32(n)
	}
	slices.SortStableFunc(nodes[1:], func(a, b int32) int { return cmp.Compare(t.Weight[b], t.Weight[a]) })
	return nodes[:min(most, len(nodes))]
}

// parts returns what words have somewhere: nothing, every single symbol, and the longer ones that
// are most frequent.
func (t *Tree) parts(most int) []word.Word {
	list := []word.Word{{}}
	for s := range t.Alphabet.Len() {
		list = append(list, word.Word{word.Symbol(s)})
	}
	type counted struct {
		part   word.Word
		weight float64
	}
	number := map[string]int{}
	var longer []counted
	for n := range t.Parent {
		var w word.Word
		for at := int32(n); at > 0 && len(w) < longestPart; at = t.Parent[at] {
			if w = extended(word.Word{t.On[at]}, w...); len(w) == 1 {
				continue
			}
			i, known := number[w.Key()]
			if !known {
				i = len(longer)
				number[w.Key()] = i
				longer = append(longer, counted{part: w})
			}
			longer[i].weight += t.Weight[n]
		}
	}
	slices.SortFunc(longer, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), word.Compare(a.part, b.part))
	})
	for _, x := range longer[:max(0, min(len(longer), most-len(list)))] {
		list = append(list, x.part)
	}
	return list
}

// follow visits the nodes of a tree with the vectors that a weighted automaton has there, scaled
// so that their value is one: what was read does not matter, only what follows. A vector whose value
// is none begins anew.
func follow(t *Tree, a *weighted.Automaton, visit func(n int, v []float64)) {
	r := a.Len()
	all := make([]float64, t.Len()*r)
	for n := range t.Parent {
		v := all[n*r:][:r]
		if copy(v, a.Initial); n > 0 {
			a.Step(v, all[int(t.Parent[n])*r:][:r], t.On[n])
		}
		value := dot(v, a.Final)
		if !(value > visible*visible) || math.IsInf(value, 1) {
			copy(v, a.Initial)
			value = dot(v, a.Final)
		}
		for i := range v {
			v[i] /= value
		}
		visit(n, v)
	}
}

func dot(v, w []float64) float64 {
	sum := 0.0
	for i, x := range v {
		sum += x * w[i]
	}
	return sum
}

// vectors returns the vectors of a weighted automaton at the nodes of a tree. Probabilities of what
// follows, of which those of one length sum to at most one, have a length of at most farthest; where
// errors add up to more than that, vectors are cut, so that no cluster is spent on them.
func vectors(t *Tree, a *weighted.Automaton) [][]float32 {
	farthest := math.Sqrt(1 + longestPart)
	list := make([][]float32, t.Len())
	follow(t, a, func(n int, v []float64) {
		scale := min(1, farthest/math.Sqrt(dot(v, v)))
		list[n] = make([]float32, len(v))
		for i, x := range v {
			list[n][i] = float32(scale * x)
		}
	})
	return list
}

// apartFrom returns the divergence of the network from what a weighted automaton predicts: its
// values, where they are any.
func apartFrom(t *Tree, a *weighted.Automaton) float64 {
	k, r := t.Alphabet.Len(), a.Len()
	after := make([][]float64, k) // the value of what a symbol makes of a vector
	for s := range after {
		after[s] = make([]float64, r)
		for i := range r {
			after[s][i] = dot(a.Row(word.Symbol(s), i), a.Final)
		}
	}
	loss, p := t.entropy, make([]float64, k+1)
	follow(t, a, func(n int, v []float64) {
		rest := 1.0
		for s := range k {
			p[s] = max(dot(v, after[s]), visible)
			rest -= p[s]
		}
		p[k] = max(rest, visible)
		sum := total(p)
		for i, x := range t.Next[n] {
			loss -= t.Weight[n] * float64(x) * math.Log(p[i]/sum)
		}
	})
	return max(0, loss/math.Max(t.Symbols(), 1))
}
