package faith

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/word"
)

// A frontier is a level of words that are followed side by side in the network and
// in the automaton.
type frontier struct {
	states f32.Matrix        // of the network
	at     []automaton.State // of the automaton
	from   []int32           // index of the word's prefix in the list of all, -1 at the start
	on     []word.Symbol     // the last symbol
}

func (c *checker) start() frontier {
	return frontier{states: c.guide.Start(), at: []automaton.State{c.d.Start}, from: []int32{-1}, on: []word.Symbol{0}}
}

// next prolongs the words of f from row i up to j by every symbol. Row i is the word
// with index first in the list of all, and so on.
func (c *checker) next(f frontier, i, j, first int) frontier {
	k := c.guide.Alphabet().Len()
	n := frontier{states: c.guide.Successors(f.states.View(i, j))}
	for row := range n.states.Rows {
		of, s := row/k, word.Symbol(row%k)
		n.at = append(n.at, c.d.Next(f.at[i+of], s))
		n.from = append(n.from, int32(first+of))
		n.on = append(n.on, s)
	}
	return n
}

// differ returns the rows of f on which the two disagree.
func (c *checker) differ(f frontier) []int {
	var rows []int
	answers := c.guide.Read(f.states)
	if c.guide.Err() != nil {
		return nil // nobody has answered
	}
	for i, accept := range answers {
		if c.d.Accept[f.at[i]] != accept && (f.from[i] >= 0 || c.guide.ReadsEmpty()) {
			rows = append(rows, i)
		}
	}
	return rows
}

// near is how similar two states of the network must be for the search to follow
// only one of them: those of one cluster, but not those that drift apart.
const near = 0.999

// batch is how many words the search looks at together, so that memory is bounded
// however many symbols there are.
const batch = 1 << 16

// search looks for a disagreement breadth first, and does not follow a word if a
// shorter one has led the automaton to the same state and the network to nearly
// the same. It keeps at most budget words and returns how many it looked at.
func (c *checker) search(budget int) (looked int) {
	kept := map[automaton.State]*f32.Matrix{} // network states followed, scaled to length 1
	var from []int32                          // of all words followed: the prefix, and the last symbol
	var on []word.Symbol
	followed := frontier{states: f32.New(0, c.guide.Dim())} // those of the greatest length
	cosine := make([]float32, budget)
	look := func(f frontier) (found bool) {
		looked += f.states.Rows
		if wrong := c.differ(f); len(wrong) > 0 {
			w := spell(from, on, f.from[wrong[0]], f.on[wrong[0]])
			if c.guide == c.q {
				c.note(w)
			} else {
				c.compare([]word.Word{w}) // whoever guides is not whom the report is about
			}
			return true
		}
		unit := f32.Unit(f.states)
		for i, q := range f.at {
			if len(from) == budget {
				break
			}
			m := kept[q]
			if m == nil {
				m = &f32.Matrix{Cols: unit.Cols, Stride: unit.Cols}
				kept[q] = m
			}
			if closeTo(*m, unit.Row(i), cosine) {
				continue
			}
			m.Append(unit.Row(i))
			from, on = append(from, f.from[i]), append(on, f.on[i])
			followed.states.Append(f.states.Row(i))
			followed.at = append(followed.at, q)
		}
		return false
	}
	if c.stop(0, 0) || look(c.start()) {
		return looked
	}
	together := max(1, batch/max(1, c.guide.Alphabet().Len())) // words that are prolonged together
	for length := 1; followed.states.Rows > 0 && length <= c.guide.Longest(); length++ {
		level, first := followed, len(from)-followed.states.Rows
		followed = frontier{states: f32.New(0, c.guide.Dim())}
		for i := 0; i < level.states.Rows; i += together {
			if c.stop(looked, length) || look(c.next(level, i, min(i+together, level.states.Rows), first+i)) {
				return looked
			}
		}
	}
	return looked
}

// closeTo reports whether x is near a row of m. cosine is scratch space.
func closeTo(m f32.Matrix, x []float32, cosine []float32) bool {
	if m.Rows == 0 {
		return false
	}
	f32.Dots(cosine[:m.Rows], m, x)
	for _, c := range cosine[:m.Rows] {
		if c > near {
			return true
		}
	}
	return false
}

// spell returns the word that prolongs word number i of the list by s.
func spell(from []int32, on []word.Symbol, i int32, s word.Symbol) word.Word {
	if i < 0 {
		return nil
	}
	w := word.Word{s}
	for ; from[i] >= 0; i = from[i] {
		w = append(w, on[i])
	}
	slices.Reverse(w)
	return w
}
