package backprop

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/rnn"
	"quotient/word"
)

// speech returns words in which a b is followed by an a or the end.
func speech(r *rand.Rand, n, length int) (words []word.Word) {
	for range n {
		w := word.Word{}
		for len(w) < length && r.IntN(5) > 0 {
			if len(w) > 0 && w[len(w)-1] == 1 {
				w = append(w, 0)
			} else {
				w = append(w, word.Symbol(r.IntN(2)))
			}
		}
		words = append(words, w)
	}
	return words
}

func TestNextGradientsAgreeWithFiniteDifferences(t *testing.T) {
	forEachISA(t, func(t *testing.T) {
		for _, s := range shapes() {
			s.Outputs = 3
			t.Run(name(s), func(t *testing.T) {
				n := build(t, s, 7)
				words := append(speech(rand.New(rand.NewPCG(1, 1)), 9, 6), nil)
				trainer := NewTrainer(n, Defaults, 2)
				loss := trainer.gradient(words, nil)
				o := newTwin(n)
				if want := o.nextLoss(words); math.Abs(loss-want) > 1e-6 {
					t.Errorf("loss %v, want %v", loss, want)
				}
				if e := Evaluate(n, 2, words, nil); math.Abs(e.Loss-loss) > 1e-5 {
					t.Errorf("loss %v, evaluated as %v", loss, e.Loss)
				}
				const h = 1e-5
				stride := 1 + len(o.params)/150
				for i := 0; i < len(o.params); i += stride {
					x := o.params[i]
					o.params[i] = x + h
					up := o.nextLoss(words)
					o.params[i] = x - h
					down := o.nextLoss(words)
					o.params[i] = x
					want := (up - down) / (2 * h)
					if got := float64(trainer.grad.Params[i]); math.Abs(got-want) > 2e-6 {
						t.Fatalf("parameter %d of %d: gradient %v, want %v", i, len(o.params), got, want)
					}
				}
			})
		}
	})
}

// A network learns to speak, to the same bits with any number of threads, and without allocating.
func TestNextTrains(t *testing.T) {
	var first []float32
	for _, threads := range []int{1, 3} {
		n := build(t, rnn.Shape{Cell: rnn.GRU, Layers: 1, Embedding: 4, Hidden: 12, Outputs: 3}, 5)
		o := Defaults
		o.Rate = 0.01
		trainer := NewTrainer(n, o, threads)
		r := rand.New(rand.NewPCG(3, 3))
		for range 150 {
			trainer.Step(speech(r, 40, 30), nil)
		}
		if first == nil {
			first = slices.Clone(n.Params)
		} else if !slices.Equal(first, n.Params) {
			t.Error("threads change the network")
		}
		e := Evaluate(n, threads, speech(rand.New(rand.NewPCG(4, 4)), 500, 30), nil)
		if e.Loss > 0.93 || e.PrefixesRight == 0 || e.Prefixes < 1000 { // the entropy of speech is 0.896
			t.Errorf("%+v", e)
		}
		words := speech(rand.New(rand.NewPCG(4, 5)), 40, 30)
		trainer.Step(words, nil)
		if allocated := testing.AllocsPerRun(10, func() { trainer.Step(words, nil) }); allocated > 0 {
			t.Errorf("%v allocations a step", allocated)
		}
	}
}

// A language model's file is one, and so is a trainer's.
func TestNextFiles(t *testing.T) {
	n := build(t, rnn.Shape{Cell: rnn.LSTM, Layers: 2, Embedding: 4, Hidden: 5, Outputs: 3}, 5)
	var file bytes.Buffer
	if err := n.Encode(&file, nil); err != nil {
		t.Fatal(err)
	}
	again, metadata, err := rnn.Decode(file.Bytes())
	if err != nil || again.Shape != n.Shape || !slices.Equal(again.Params, n.Params) || !rnn.Predicts(metadata) {
		t.Errorf("%+v, %v", again, err)
	}
	if got := rnn.NewRunner(again, 1).Outputs(); got != 3 {
		t.Errorf("%d outputs", got)
	}
}
