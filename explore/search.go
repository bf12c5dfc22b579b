package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/prefix"
	"quotient/word"
)

// A doubt is a word x and a suffix v after which the network does not answer as
// the hypothesis would have it; see [learner.refine].
type doubt struct {
	x, v word.Word
}

// short holds the network's answers for all words up to a length, level by level:
// word i of a level is word i/k of the level before and then symbol i%k.
type short struct {
	k      int
	levels [][]bool
}

// Short returns all words up to a length, as far as they are no more than an
// exploration tries.
func Short(a *word.Alphabet) []word.Word {
	words := []word.Word{nil}
	for begin, n := 0, 1; a.Len() > 0 && n <= shortLength && len(words)+(len(words)-begin)*a.Len() <= shortWords; n++ {
		end := len(words)
		for _, w := range words[begin:end] {
			for s := range a.Len() {
				words = append(words, extend(w, s))
			}
		}
		begin = end
	}
	return words
}

// newShort asks about all short words.
func newShort(r prefix.Recognizer) short {
	k := r.Alphabet().Len()
	s := short{k: k}
	states := f32.New(1, r.Dim())
	r.Start(states.Row(0))
	for total := 1; ; {
		s.levels = append(s.levels, prefix.Answers(r, states))
		if k == 0 || len(s.levels) > shortLength || total+states.Rows*k > shortWords {
			return s
		}
		next := f32.New(states.Rows*k, r.Dim())
		on := make([]word.Symbol, next.Rows)
		for i := range on {
			copy(next.Row(i), states.Row(i/k))
			on[i] = word.Symbol(i % k)
		}
		r.Step(next, next, on)
		states = next
		total += next.Rows
	}
}

// disagreements returns the first words on which the automaton errs, at most limit.
func (s short) disagreements(d *automaton.DFA, limit int) []word.Word {
	var wrong []word.Word
	at := []automaton.State{d.Start}
	for n, level := range s.levels {
		if n > 0 {
			next := make([]automaton.State, 0, len(level))
			for _, q := range at {
				next = append(next, d.Row(q)...)
			}
			at = next
		}
		for i, q := range at {
			if d.Accept[q] != level[i] {
				if wrong = append(wrong, s.word(n, i)); len(wrong) == limit {
					return wrong
				}
			}
		}
	}
	return wrong
}

func (s short) word(n, i int) word.Word {
	w := make(word.Word, n)
	for n--; n >= 0; n-- {
		w[n] = word.Symbol(i % s.k)
		i /= s.k
	}
	return w
}

// A pool is words with the network's answers for all their prefixes.
type pool struct {
	words  []word.Word
	labels [][]bool
}

func (p *pool) add(r prefix.Recognizer, words []word.Word) {
	p.words = append(p.words, words...)
	p.labels = append(p.labels, prefix.Labels(r, words)...)
}

// disagreements returns for every word its shortest prefix on which the automaton
// errs, if any.
func (p *pool) disagreements(d *automaton.DFA) []word.Word {
	var wrong []word.Word
	for i, w := range p.words {
		q := d.Start
		for j, label := range p.labels[i] {
			if j > 0 {
				q = d.Next(q, w[j-1])
			}
			if d.Accept[q] != label {
				wrong = append(wrong, w[:j])
				break
			}
		}
	}
	return wrong
}

// error returns the share of all prefixes of the words on which the automaton errs.
func (p *pool) error(d *automaton.DFA) float64 {
	wrong, all := 0, 0
	for i, w := range p.words {
		q := d.Start
		for j, label := range p.labels[i] {
			if j > 0 {
				q = d.Next(q, w[j-1])
			}
			if d.Accept[q] != label {
				wrong++
			}
		}
		all += len(w) + 1
	}
	return float64(wrong) / float64(all)
}

// explore follows the network and the hypothesis side by side, breadth first. It
// steps every state that it keeps by every symbol, and keeps a successor unless
// the hypothesis is in the same state as for one kept before, and their cosine is
// over 1 - kappa. What it keeps is sifted: where that leads elsewhere than the
// hypothesis, there is a doubt. It keeps at most limit states.
func (l *learner) explore(kappa float64, limit int) []doubt {
	dim := l.r.Dim()
	groups := make([]f32.Matrix, len(l.access))
	for i := range groups {
		groups[i] = f32.Matrix{Cols: dim, Stride: dim}
	}
	raw := f32.Matrix{Cols: dim, Stride: dim}
	var at []int32
	var words []word.Word
	keep := func(w word.Word, rep int32, state, unit []float32) {
		raw.Append(state)
		at = append(at, rep)
		words = append(words, w)
		groups[rep].Append(unit)
	}
	start := f32.New(1, dim)
	l.r.Start(start.Row(0))
	unit := f32.Unit(start)
	keep(nil, 0, start.Row(0), unit.Row(0))
	cosine := make([]float32, limit+1)
	var doubts []doubt
	for from := 0; from < raw.Rows && raw.Rows < limit; {
		to := min(raw.Rows, from+max(1, 4096/l.k))
		next := f32.New((to-from)*l.k, dim)
		on := make([]word.Symbol, next.Rows)
		for i := range on {
			copy(next.Row(i), raw.Row(from+i/l.k))
			on[i] = word.Symbol(i % l.k)
		}
		l.r.Step(next, next, on)
		accept := prefix.Answers(l.r, next)
		unit := f32.Unit(next)
		first := raw.Rows
		for i := range on {
			rep := l.next[int(at[from+i/l.k])*l.k+i%l.k]
			w := words[from+i/l.k]
			if accept[i] != l.accept[rep] {
				doubts = append(doubts, doubt{x: extend(w, i%l.k)})
				continue
			}
			g := groups[rep]
			c := cosine[:g.Rows]
			if g.Rows > 0 {
				f32.Dots(c, g, unit.Row(i))
				if slices.Max(c) > float32(1-kappa) {
					continue
				}
			}
			if raw.Rows < limit {
				keep(extend(w, i%l.k), rep, next.Row(i), unit.Row(i))
			}
		}
		for i, rep := range l.sift(raw.View(first, raw.Rows)) {
			if rep >= 0 && rep != at[first+i] { // an answer that was never met is a doubt already, unless the network has failed
				doubts = append(doubts, doubt{words[first+i], l.apart(rep, at[first+i])})
			}
		}
		from = to
	}
	return doubts
}
