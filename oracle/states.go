package oracle

import (
	"context"
	"slices"

	"quotient/f32"
	"quotient/word"
)

// Start returns the state after the empty word, as a matrix of one row.
func (q *Inquiry) Start() f32.Matrix {
	m := f32.New(1, q.Dim())
	q.start(m.Row(0))
	return m
}

func (q *Inquiry) start(dst []float32) {
	q.ask(nil, func() error { return q.states.Start(dst) })
}

// Step replaces every state by that after one more symbol.
func (q *Inquiry) Step(states f32.Matrix, on []word.Symbol) {
	if len(on) > 0 {
		q.record.steps += len(on)
		q.ask(nil, func() error { return q.stepper().Step(states, states, q.speech.symbols(on)) })
	}
}

// stepper returns who steps. One that takes its time, as a model elsewhere does, is told how long that
// may be.
func (q *Inquiry) stepper() Stepper {
	if s, ok := q.states.(interface {
		Under(ctx context.Context) Stepper
	}); ok {
		return s.Under(q.ctx)
	}
	return q.states
}

// Expect tells which words the oracle will be asked about soon, with their states or without. One that takes its
// time for every request, as a model elsewhere does, may answer them together; to all others it says nothing.
func (q *Inquiry) Expect(words []word.Word, states bool) {
	if f, ok := q.oracle.(forewarned); ok && q.Err() == nil && q.affords(len(words)) {
		f.Expect(q.ctx, q.speech.words(words), states)
	}
}

type forewarned interface {
	Expect(ctx context.Context, words []word.Word, states bool)
}

// ExpectPaths tells so of all prefixes of words, the shorter ones first. The oracle's states will be asked for.
func (q *Inquiry) ExpectPaths(words []word.Word) {
	if _, ok := q.oracle.(forewarned); !ok {
		return
	}
	sorted := slices.SortedFunc(slices.Values(words), slices.Compare[word.Word])
	prefixes := []word.Word{{}}
	var before word.Word
	for _, w := range sorted {
		common := 0
		for common < min(len(w), len(before)) && w[common] == before[common] {
			common++
		}
		for n := common + 1; n <= len(w); n++ {
			prefixes = append(prefixes, w[:n])
		}
		before = w
	}
	slices.SortStableFunc(prefixes, func(v, w word.Word) int { return len(v) - len(w) })
	q.Expect(prefixes, true)
}

// Read returns the decisions in some states.
func (q *Inquiry) Read(states f32.Matrix) []bool { return q.decide(q.Sure(states)) }

// Sure returns the probabilities in some states.
func (q *Inquiry) Sure(states f32.Matrix) []float32 {
	p := make([]float32, states.Rows)
	if len(p) > 0 {
		q.ask(p, func() error { return q.stepper().Read(f32.Of(len(p), 1, p), states) })
	}
	return p
}

// StepFrom returns the states that symbols lead to from some rows of states.
func (q *Inquiry) StepFrom(states f32.Matrix, rows []int, on []word.Symbol) f32.Matrix {
	m := states.Gather(rows)
	q.Step(m, on)
	return m
}

// Successors returns the states after every symbol: row i*k+s is that of row i after s, if
// there are k symbols.
func (q *Inquiry) Successors(states f32.Matrix) f32.Matrix {
	k := q.Alphabet().Len()
	next := f32.New(states.Rows*k, states.Cols)
	on := make([]word.Symbol, next.Rows)
	for i := range on {
		copy(next.Row(i), states.Row(i/k))
		on[i] = word.Symbol(i % k)
	}
	q.Step(next, on)
	return next
}
