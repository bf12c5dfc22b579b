package explore

import (
	"context"

	"quotient/f32"
	"quotient/prefix"
	"quotient/word"
)

// A halting network does no more work once the context is done. Its answers are
// worthless then, and nothing that they lead to is looked at. So a search over a large
// network, which may compute for seconds between two looks at the clock, ends at once.
type halting struct {
	prefix.Recognizer
	ctx context.Context
}

func (h halting) Step(dst, src f32.Matrix, on []word.Symbol) {
	if h.ctx.Err() == nil {
		h.Recognizer.Step(dst, src, on)
	}
}

func (h halting) Score(dst []float32, src f32.Matrix) {
	if h.ctx.Err() == nil {
		h.Recognizer.Score(dst, src)
		return
	}
	clear(dst)
}

func (h halting) Probabilities(words []word.Word) []float32 {
	if h.ctx.Err() == nil {
		return h.Recognizer.Probabilities(words)
	}
	return make([]float32, len(words))
}
