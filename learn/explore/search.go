package explore

import (
	"slices"

	"quotient/f32"
	"quotient/internal/discrimination"
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
	start := l.q.Start()
	unit := f32.Unit(start)
	keep(nil, 0, start.Row(0), unit.Row(0))
	cosine := make([]float32, limit+1)
	var doubts []doubt
	for from := 0; from < raw.Rows && raw.Rows < limit; {
		to := min(raw.Rows, from+max(1, 4096/l.k))
		next := l.q.Successors(raw.View(from, to))
		unit := f32.Unit(next)
		first := raw.Rows
		for i, accept := range l.q.Read(next) {
			rep := l.next[int(at[from+i/l.k])*l.k+i%l.k]
			w := words[from+i/l.k].With(word.Symbol(i % l.k))
			if accept != l.accept[rep] {
				doubts = append(doubts, doubt{x: w})
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
