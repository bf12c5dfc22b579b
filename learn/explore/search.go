package explore

import (
	"slices"

	"quotient/f32"
	"quotient/internal/discrimination"
	"quotient/internal/parallel"
	"quotient/word"
)

// A doubt is a word x and a suffix v after which the network does not answer as
// the hypothesis would have it; see [learner.refine].
type doubt struct {
	x, v word.Word
}

// explore follows the network and the hypothesis side by side, breadth first. It
// steps every state that it keeps by every symbol, and keeps a successor unless
// the hypothesis is in the same state as for one kept before, and their cosine is
// over 1 - kappa. What it keeps is sifted: where that leads elsewhere than the
// hypothesis, there is a doubt. It keeps at most limit states.
func (l *learner) explore(kappa float64, limit int) []doubt {
	dim := l.q.Dim()
	raw := f32.Matrix{Cols: dim, Stride: dim}
	var at []int32
	var words []word.Word
	kept := newKept(len(l.access), dim, float32(1-kappa))
	keep := func(w word.Word, rep int32, state, unit []float32) {
		raw.Append(state)
		at = append(at, rep)
		words = append(words, w)
		kept.group[rep].Append(unit)
	}
	start := l.q.Start()
	keep(nil, 0, start.Row(0), f32.Unit(start).Row(0))
	var doubts []doubt
	for from := 0; from < raw.Rows && raw.Rows < limit; {
		to := min(raw.Rows, from+max(1, 4096/l.k))
		next := l.q.Successors(raw.View(from, to))
		accepts := l.q.Read(next)
		reps := make([]int32, next.Rows)
		for i := range reps {
			reps[i] = l.next[int(at[from+i/l.k])*l.k+i%l.k]
		}
		unit, near := kept.closeTo(next, reps)
		before, first := kept.sizes(), raw.Rows
		for i, rep := range reps {
			wrong := accepts[i] != l.accept[rep]
			if !wrong && (near[i] || kept.has(rep, before[rep], unit.Row(i))) {
				continue
			}
			w := words[from+i/l.k].With(word.Symbol(i % l.k))
			if wrong {
				doubts = append(doubts, doubt{x: w})
			} else if raw.Rows < limit {
				keep(w, rep, next.Row(i), unit.Row(i))
			}
		}
		for i, rep := range l.sift(raw.View(first, raw.Rows), discrimination.Root) {
			if rep >= 0 && rep != at[first+i] { // an answer that was never met is a doubt already, unless the network has failed
				doubts = append(doubts, doubt{words[first+i], l.Apart(rep, at[first+i])})
			}
		}
		from = to
	}
	return doubts
}

// A kept is states of the network that are kept, scaled to length 1, in groups of those for which the hypothesis is in one state.
type kept struct {
	group []f32.Matrix
	over  float32 // the cosine over which two are close
}

func newKept(groups, dim int, over float32) *kept {
	k := &kept{make([]f32.Matrix, groups), over}
	for i := range k.group {
		k.group[i] = f32.Matrix{Cols: dim, Stride: dim}
	}
	return k
}

// sizes returns how many states there are in each group.
func (k *kept) sizes() []int {
	list := make([]int, len(k.group))
	for i, g := range k.group {
		list[i] = g.Rows
	}
	return list
}

// has reports whether a state is close to one of a group, those before from left out.
func (k *kept) has(group int32, from int, unit []float32) bool {
	g := k.group[group]
	if g.Rows == from {
		return false
	}
	cosine := make([]float32, g.Rows-from)
	f32.Dots(cosine, g.View(from, g.Rows), unit)
	return slices.Max(cosine) > k.over
}

// closeTo returns states scaled to length 1, and which of them are close to one of their group.
func (k *kept) closeTo(states f32.Matrix, groups []int32) (unit f32.Matrix, near []bool) {
	const some = 64 // states that are worth another thread
	unit, near = f32.New(states.Rows, states.Cols), make([]bool, states.Rows)
	parallel.Stretches(states.Rows, some, func(from, to int) {
		part := unit.View(from, to)
		for i := from; i < to; i++ {
			copy(unit.Row(i), states.Row(i))
		}
		f32.Normalize(part)
		for i := from; i < to; i++ {
			near[i] = k.has(groups[i], 0, unit.Row(i))
		}
	})
	return unit, near
}
