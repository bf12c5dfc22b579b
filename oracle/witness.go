package oracle

import (
	"context"
	"sync/atomic"

	"quotient/f32"
	"quotient/word"
)

// An Elsewhere is an oracle that runs elsewhere.
type Elsewhere interface {
	Oracle
	Metered
	Bounded
}

// A Witness is an oracle elsewhere that is asked itself, although what it computes is known here. It counts
// where the two contradict each other.
type Witness struct {
	Elsewhere
	known         Oracle
	said, against atomic.Int64
}

// NewWitness returns an oracle elsewhere beside one that should give the same answers.
func NewWitness(elsewhere Elsewhere, known Oracle) *Witness {
	return &Witness{Elsewhere: elsewhere, known: known}
}

// Answer gives the answers from elsewhere.
func (w *Witness) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	if err := w.Elsewhere.Answer(ctx, dst, words); err != nil {
		return err
	}
	own := f32.New(len(words), 1)
	if err := w.known.Answer(ctx, own, words); err != nil {
		return err
	}
	for i, u := range words {
		if len(u) > w.Longest() || len(u) == 0 && !w.ReadsEmpty() {
			continue // which is no answer
		}
		w.said.Add(1)
		if (dst.Row(i)[0] > Threshold) != (own.Row(i)[0] > Threshold) {
			w.against.Add(1)
		}
	}
	return nil
}

// Expect passes on which words will be asked about.
func (w *Witness) Expect(ctx context.Context, words []word.Word, states bool) {
	if f, ok := w.Elsewhere.(forewarned); ok {
		f.Expect(ctx, words, states)
	}
}

// Contradictions returns how many answers were compared, and how many of them were a yes on one side and a no on
// the other.
func (w *Witness) Contradictions() (said, against int) {
	return int(w.said.Load()), int(w.against.Load())
}
