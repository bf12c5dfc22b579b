package backprop

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"quotient/f32"
	"quotient/rnn"
	"quotient/word"
)

// A BenchResult is how fast training went in one setting.
type BenchResult struct {
	Cell            string  `json:"cell"`
	Threads         int     `json:"threads"`
	Batch           int     `json:"batch"`
	TokensPerSecond float64 `json:"tokens_per_second"`
	ShareOfPeak     float64 `json:"share_of_peak"` // of the peak of as many cores
}

// A Bench is what [Benchmark] measured.
type Bench struct {
	ISA        string        `json:"isa"`
	PeakGFLOPS float64       `json:"peak_gflops"` // of one core
	Hidden     int           `json:"hidden"`
	Length     int           `json:"length"`
	Results    []BenchResult `json:"results"`
}

// BenchOptions say what to measure. Zeros stand for the values in brackets.
type BenchOptions struct {
	Batch   int           // [64]
	Hidden  int           // [100]
	Length  int           // [100]
	Threads []int         // [1, 2]
	Rounds  int           // [30]
	Window  time.Duration // [25ms] of training in each setting and round
}

// Benchmark measures training over an alphabet of two, with an embedding of 10,
// against what the machine could do at most: the rate of independent fused
// multiply-adds on registers with the fastest instruction set in use.
//
// It counts the operations that the recurrent matrix alone needs: a multiplication
// and an addition for each weight and symbol in the forward product, in the
// backward product and in the gradient. All else is overhead, and the step on
// <bos> is not counted. Peak and settings take turns, and the best round of each
// counts, so that a busy machine disturbs the shares as little as possible.
func Benchmark(ctx context.Context, o BenchOptions) (Bench, error) {
	o.fill()
	b := Bench{ISA: string(f32.Using()), Hidden: o.Hidden, Length: o.Length}
	var trainers []*Trainer
	for _, c := range rnn.Cells {
		s := rnn.Shape{Cell: c, Layers: 1, Tokens: benchLetters.Len() + 1, Embedding: 10, Hidden: o.Hidden}
		for _, threads := range o.Threads {
			if err := Trainable(s, o.Batch, o.Length, threads); err != nil {
				return b, err
			}
			n, err := rnn.New(s, benchLetters)
			if err != nil {
				return b, err
			}
			n.Init(rand.New(rand.NewPCG(1, 0)))
			trainers = append(trainers, NewTrainer(n, Defaults, threads))
			b.Results = append(b.Results, BenchResult{Cell: c.String(), Threads: threads, Batch: o.Batch})
		}
	}
	words, labels := benchWords(o)
	for range o.Rounds {
		b.PeakGFLOPS = max(b.PeakGFLOPS, f32.Peak(o.Window/4)/1e9)
		for i, t := range trainers {
			if err := ctx.Err(); err != nil {
				return b, fmt.Errorf("rnn: benchmark: %w", err)
			}
			r := &b.Results[i]
			r.TokensPerSecond = max(r.TokensPerSecond, tokensPerSecond(t, words, labels, o))
		}
	}
	for i, t := range trainers {
		r := &b.Results[i]
		operations := 6 * float64(t.Network.Cell.Gates()*o.Hidden*o.Hidden)
		r.ShareOfPeak = r.TokensPerSecond * operations / (float64(r.Threads) * b.PeakGFLOPS * 1e9)
	}
	return b, nil
}

var benchLetters = word.Letters("ab")

func (o *BenchOptions) fill() {
	o.Batch, o.Hidden, o.Length = cmp.Or(o.Batch, 64), cmp.Or(o.Hidden, 100), cmp.Or(o.Length, 100)
	o.Rounds, o.Window = cmp.Or(o.Rounds, 30), cmp.Or(o.Window, 25*time.Millisecond)
	if o.Threads == nil {
		o.Threads = []int{1, 2}
	}
}

// benchWords draws a batch of words, labeled by the parity of one symbol.
func benchWords(o BenchOptions) (words []word.Word, labels [][]bool) {
	r := rand.New(rand.NewPCG(2, 0))
	for range o.Batch {
		w, even := make(word.Word, o.Length), make([]bool, o.Length+1)
		even[0] = true
		for k := range w {
			w[k] = word.Symbol(r.IntN(2))
			even[k+1] = even[k] == (w[k] == 0)
		}
		words, labels = append(words, w), append(labels, even)
	}
	return words, labels
}

// tokensPerSecond trains for the length of a window, after one step to warm up.
func tokensPerSecond(t *Trainer, words []word.Word, labels [][]bool, o BenchOptions) float64 {
	t.Step(words, labels)
	start, steps := time.Now(), 0
	for steps == 0 || time.Since(start) < o.Window {
		t.Step(words, labels)
		steps++
	}
	return float64(steps*o.Batch*o.Length) / time.Since(start).Seconds()
}
