package rnn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/f32"
	"quotient/word"
)

// Words that are followed by threads of their own get to the last bit what stepping all of them side by side, and reading, says.
func TestFollow(t *testing.T) {
	forEachISA(t, func(t *testing.T) {
		g := rand.New(rand.NewPCG(5, 5))
		words := make([]word.Word, 150)
		for i := range words {
			words[i] = make(word.Word, g.IntN(9))
			for j := range words[i] {
				words[i][j] = word.Symbol(g.IntN(2))
			}
		}
		for _, shape := range shapes() {
			s := build(t, shape, 4).Stack()
			for _, s.Eos = range []int32{None, s.Token[0]} {
				for _, threads := range []int{1, 2, 5} {
					r, err := s.Runner(threads)
					if err != nil {
						t.Fatal(err)
					}
					checkFollow(t, r, words)
				}
			}
		}
	})
}

func checkFollow(t *testing.T, r *Runner, words []word.Word) {
	t.Helper()
	order := word.LongestFirst(words)
	begin, n := make([]int, len(words)), 0
	for i, w := range words {
		begin[i] = n
		n += len(w) + 1
	}
	want := f32.New(n, r.Dim())
	after, from := make([]float32, len(words)), make([]int, len(words))
	var along [][]float32
	states := f32.New(len(words), r.Dim())
	for i := range words {
		from[i] = i * 7 % 3 // some other start than that of words
		r.Start(states.Row(i))
	}
	starts := f32.New(3, r.Dim())
	r.Start(starts.Row(0))
	r.Step(starts.View(1, 2), starts.View(0, 1), []word.Symbol{1})
	r.Step(starts.View(2, 3), starts.View(1, 2), []word.Symbol{0})

	stepAll(r, states, words, order, func(depth int, states f32.Matrix, running []int, _ int) {
		for k, i := range running {
			copy(want.Row(begin[i]+depth), states.Row(k))
		}
		along = append(along, read(r, states))
	})
	got := f32.New(n, r.Dim())
	if r.States(got, begin, words); !slices.Equal(got.Data, want.Data) {
		t.Error("the states are others")
	}
	if !slices.EqualFunc(r.AnswerAlong(words), along, slices.Equal[[]float32]) {
		t.Error("the answers on the way are others")
	}

	for k, i := range order {
		copy(states.Row(k), starts.Row(from[i]))
	}
	stepAll(r, states, words, order, func(_ int, states f32.Matrix, running []int, going int) {
		for k, p := range read(r, states.View(going, states.Rows)) {
			after[running[going+k]] = p
		}
	})
	p := make([]float32, len(words))
	if r.AnswerAfter(p, starts, from, words); !slices.Equal(p, after) {
		t.Error("the answers after suffixes are others")
	}
}

func read(r *Runner, states f32.Matrix) []float32 {
	p := f32.New(states.Rows, 1)
	if states.Rows > 0 {
		r.Read(p, states)
	}
	return p.Data
}

// stepAll steps all words side by side, and calls visit before each step and at the end.
func stepAll(r *Runner, states f32.Matrix, words []word.Word, order []int, visit func(depth int, states f32.Matrix, running []int, going int)) {
	for depth, running := 0, order; len(running) > 0; depth++ {
		var on []word.Symbol
		for _, i := range running {
			if depth < len(words[i]) {
				on = append(on, words[i][depth])
			}
		}
		visit(depth, states.View(0, len(running)), running, len(on))
		running = running[:len(on)]
		r.Step(states.View(0, len(on)), states.View(0, len(on)), on)
	}
}
