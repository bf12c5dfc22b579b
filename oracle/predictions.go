package oracle

import (
	"context"
	"errors"
	"fmt"
	"math"

	"quotient/f32"
	"quotient/word"
)

// Predict begins an inquiry into a language model. What is asked is what comes next; the methods
// about yes and no are for recognizers.
func Predict(ctx context.Context, o Oracle) *Inquiry {
	q := Ask(ctx, o)
	q.record.err = nil
	if !Predicts(o) {
		q.record.err = fmt.Errorf("answers of %d numbers for %d symbols: a language model gives one for each symbol, and one for the end", o.Outputs(), o.Alphabet().Len())
	}
	return q
}

// Next returns a row for every word: the probabilities of each next symbol and, last, of the end.
func (q *Inquiry) Next(words []word.Word) f32.Matrix {
	m := f32.New(len(words), q.oracle.Outputs())
	for _, w := range words {
		q.record.steps += len(w)
	}
	q.predict(m, func() error { return q.oracle.Answer(q.ctx, m, words) })
	return m
}

// NextIn does so for states.
func (q *Inquiry) NextIn(states f32.Matrix) f32.Matrix {
	m := f32.New(states.Rows, q.oracle.Outputs())
	q.predict(m, func() error { return q.states.Read(m, states) })
	return m
}

func (q *Inquiry) predict(m f32.Matrix, f func() error) {
	if m.Rows == 0 {
		return
	}
	q.pose(m.Rows, func() error {
		if err := f(); err != nil {
			return err
		}
		for _, p := range m.Data {
			if p != p {
				return errors.New("a prediction of the network is not a number: its weights are too large, or damaged")
			}
		}
		return nil
	})
}

// LogProbabilities returns for every word the logarithm of its probability: the product of those of
// its symbols, each after those before it, and of the end behind them.
func (q *Inquiry) LogProbabilities(words []word.Word) []float64 {
	sums := make([]float64, len(words))
	for i, w := range words {
		var prefixes []word.Word
		for k := range len(w) + 1 {
			prefixes = append(prefixes, w[:k])
		}
		sums[i] = LogProbability(q.Next(prefixes), w)
	}
	return sums
}

// LogProbability returns the logarithm of a word's probability, given the predictions after each
// of its prefixes, the empty one first.
func LogProbability(next f32.Matrix, w word.Word) float64 {
	sum := math.Log(float64(next.Row(len(w))[next.Cols-1]))
	for k, x := range w {
		sum += math.Log(float64(next.Row(k)[x]))
	}
	return sum
}
