package backprop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/f32"
	"quotient/rnn"
	"quotient/word"
)

// forEachISA runs a test with every instruction set of this machine.
func forEachISA(t *testing.T, test func(t *testing.T)) {
	was := f32.Using()
	defer f32.Use(was)
	for _, i := range f32.Supported() {
		f32.Use(i)
		t.Run(string(i), test)
	}
}

// build returns a network with random parameters.
func build(t testing.TB, s rnn.Shape, seed uint64) *rnn.Network {
	n, err := rnn.New(s, word.Letters("ab"))
	if err != nil {
		t.Fatal(err)
	}
	n.Init(rand.New(rand.NewPCG(seed, 0)))
	return n
}

// parity returns random words, as many of each length given, labeled by whether
// the number of b's so far is even.
func parity(r *rand.Rand, n int, lengths ...int) (words []word.Word, labels [][]bool) {
	for i := range n {
		w := make(word.Word, lengths[i%len(lengths)])
		even := []bool{true}
		for k := range w {
			w[k] = word.Symbol(r.IntN(2))
			even = append(even, even[k] == (w[k] == 0))
		}
		words, labels = append(words, w), append(labels, even)
	}
	return words, labels
}

func shapes() []rnn.Shape {
	var list []rnn.Shape
	for _, c := range rnn.Cells {
		for layers := 1; layers <= 2; layers++ {
			list = append(list, rnn.Shape{Cell: c, Layers: layers, Embedding: 3, Hidden: 5})
			list = append(list, rnn.Shape{Cell: c, Layers: layers, Embedding: 2, Hidden: 18})
		}
	}
	return list
}

func name(s rnn.Shape) string { return fmt.Sprintf("%s-%d-%d", s.Cell, s.Layers, s.Hidden) }

func TestGradientsAgreeWithFiniteDifferences(t *testing.T) {
	forEachISA(t, func(t *testing.T) {
		for _, s := range shapes() {
			t.Run(name(s), func(t *testing.T) {
				n := build(t, s, 7)
				words, labels := parity(rand.New(rand.NewPCG(1, 1)), 9, 4, 0, 2)
				trainer := NewTrainer(n, Defaults, 2)
				loss := trainer.gradient(words, labels)
				o := newTwin(n)
				if want := o.loss(words, labels); math.Abs(loss-want) > 1e-6 {
					t.Errorf("loss %v, want %v", loss, want)
				}
				const h = 1e-5
				stride := 1 + len(o.params)/150 // a sample of the larger networks' parameters
				for i := 0; i < len(o.params); i += stride {
					x := o.params[i]
					o.params[i] = x + h
					up := o.loss(words, labels)
					o.params[i] = x - h
					down := o.loss(words, labels)
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

func TestForwardAgreesWithTwin(t *testing.T) {
	forEachISA(t, func(t *testing.T) {
		for _, s := range shapes() {
			s.Hidden = 37
			n := build(t, s, 8)
			words, _ := parity(rand.New(rand.NewPCG(1, 1)), 70, 0, 9, 3)
			o := newTwin(n)
			for i, got := range logits(n, words) {
				for k, want := range o.logits(words[i]) {
					if math.Abs(float64(got[k])-want) > 1e-5 {
						t.Fatalf("%s, word %d, prefix %d: %v, want %v", name(s), i, k, got[k], want)
					}
				}
			}
		}
	})
}

// train returns the parameters after some steps, on words of lengths that vary.
func train(t *testing.T, s rnn.Shape, threads, batch, steps int) []float32 {
	n := build(t, s, 9)
	trainer := NewTrainer(n, Defaults, threads)
	r := rand.New(rand.NewPCG(2, 2))
	for range steps {
		trainer.Step(parity(r, batch, 5, 12, 1+r.IntN(9)))
	}
	return n.Params
}

func TestThreadsChangeNothing(t *testing.T) {
	for _, s := range shapes() {
		s.Hidden = 20
		for _, batch := range []int{1, 13, 70} {
			want := train(t, s, 1, batch, 4)
			for threads := 2; threads <= 5; threads++ {
				if got := train(t, s, threads, batch, 4); !slices.Equal(got, want) {
					t.Fatalf("%s, batch %d: %d threads give other parameters than one", name(s), batch, threads)
				}
			}
		}
	}
}

// All vector instruction sets give the same bits, so that a run can move between
// machines that have any of them.
func TestInstructionSetsTrainAlike(t *testing.T) {
	defer f32.Use(f32.Using())
	for _, s := range shapes() {
		s.Hidden = 100
		var want []float32
		for _, isa := range f32.Supported() {
			if isa == f32.Plain {
				continue
			}
			f32.Use(isa)
			got := train(t, s, 2, 21, 3)
			if want != nil && !slices.Equal(got, want) {
				t.Fatalf("%s: %s gives other parameters than %s", name(s), isa, f32.Supported()[0])
			}
			want = got
		}
	}
}

func TestTrainingLearns(t *testing.T) {
	for _, c := range rnn.Cells {
		n := build(t, rnn.Shape{Cell: c, Layers: 1, Embedding: 10, Hidden: 32}, 3)
		trainer := NewTrainer(n, f32.AdamW{Rate: 3e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 0.01}, 0)
		r := rand.New(rand.NewPCG(4, 4))
		var e Evaluation
		for range 40 {
			for range 25 {
				trainer.Step(parity(r, 32, 10))
			}
			words, labels := parity(r, 100, 10, 20)
			if e = Evaluate(n, 0, words, labels); e.WordAccuracy() == 1 {
				break
			}
		}
		if e.WordAccuracy() < 1 {
			t.Errorf("%s: %+v after %d steps", c, e, trainer.Steps())
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, s := range shapes() {
		trainer := NewTrainer(build(t, s, 5), Defaults, 2)
		words, labels := parity(rand.New(rand.NewPCG(6, 6)), 64, 20)
		if n := testing.AllocsPerRun(20, func() { trainer.Step(words, labels) }); n > 0 {
			t.Errorf("%s: %v allocations a step", name(s), n)
		}
	}
}

func TestBenchmark(t *testing.T) {
	b, err := Benchmark(t.Context(), BenchOptions{Batch: 8, Hidden: 20, Length: 10, Rounds: 1, Window: 1e6})
	if err != nil || len(b.Results) != 6 || b.PeakGFLOPS <= 0 {
		t.Fatalf("%+v, %v", b, err)
	}
	for _, r := range b.Results {
		if r.TokensPerSecond <= 0 || r.ShareOfPeak <= 0 {
			t.Errorf("%+v", r)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, c := range rnn.Cells {
		b.Run(c.String(), func(b *testing.B) {
			n := build(b, rnn.Shape{Cell: c, Layers: 1, Embedding: 10, Hidden: 100}, 3)
			trainer := NewTrainer(n, Defaults, 1)
			words, labels := parity(rand.New(rand.NewPCG(6, 6)), 64, 100)
			b.ReportAllocs()
			for b.Loop() {
				trainer.Step(words, labels)
			}
			b.ReportMetric(float64(b.N*64*100)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
		})
	}
}
