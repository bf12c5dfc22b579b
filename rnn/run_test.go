package rnn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/f32"
	"quotient/word"
)

func TestEvaluateCounts(t *testing.T) {
	for _, s := range shapes() {
		n := build(t, s, 4)
		words, labels := parity(rand.New(rand.NewPCG(3, 3)), 150, 0, 5, 9)
		r := NewRunner(n, 3)
		e := r.Evaluate(words, labels)
		var want Evaluation
		for i, logits := range r.logits(words) {
			right := 0
			for k, x := range logits {
				if (x > 0) == labels[i][k] {
					right++
				}
			}
			want.Words++
			want.Prefixes += len(logits)
			want.PrefixesRight += right
			if right == len(logits) {
				want.WordsRight++
			}
		}
		want.Loss = newTwin(n).loss(words, labels)
		if e.Words != want.Words || e.WordsRight != want.WordsRight || e.Prefixes != want.Prefixes || e.PrefixesRight != want.PrefixesRight {
			t.Errorf("%s: %+v, want %+v", s.name(), e, want)
		}
		if math.Abs(e.Loss-want.Loss) > 1e-6 {
			t.Errorf("%s: loss %v, want %v", s.name(), e.Loss, want.Loss)
		}
		if e.Saturation <= 0 || e.Saturation > e.MaxSaturation || e.MaxSaturation > math.Sqrt2 {
			t.Errorf("%s: saturation %v, at most %v", s.name(), e.Saturation, e.MaxSaturation)
		}
		if alone := NewRunner(n, 1).Evaluate(words, labels); alone != e {
			t.Errorf("%s: one thread finds %+v, three %+v", s.name(), alone, e)
		}
	}
}

func TestSaturation(t *testing.T) {
	for _, test := range []struct {
		h    []float32
		want float64
	}{
		{[]float32{1, -1, 1}, 0},
		{[]float32{0.5, -0.5}, 0},
		{[]float32{1, 0}, math.Sqrt(2 - math.Sqrt2)},
		{[]float32{0, 0}, math.Sqrt2},
	} {
		if got := Saturation(test.h); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("saturation of %v: %v, want %v", test.h, got, test.want)
		}
	}
	// As the definition says.
	r := rand.New(rand.NewPCG(1, 1))
	h := make([]float32, 20)
	var norm, sum float64
	for i := range h {
		h[i] = float32(r.NormFloat64())
		norm += float64(h[i]) * float64(h[i])
	}
	for _, x := range h {
		d := float64(x)/math.Sqrt(norm) - math.Copysign(1, float64(x))/math.Sqrt(20)
		sum += d * d
	}
	if got := Saturation(h); math.Abs(got-math.Sqrt(sum)) > 1e-6 {
		t.Errorf("%v, want %v", got, math.Sqrt(sum))
	}
}

// Rows step alone as they do together, in place or not, on any number of threads.
func TestStepRowsAlone(t *testing.T) {
	forEachISA(t, func(t *testing.T) {
		for _, s := range shapes() {
			n := build(t, s, 4)
			r := NewRunner(n, 4)
			const rows = 301
			src, dst := f32.New(rows, r.Dim()), f32.New(rows, r.Dim())
			g := rand.New(rand.NewPCG(3, 3))
			for i := range src.Data {
				src.Data[i] = float32(g.NormFloat64())
			}
			on := make([]word.Symbol, rows)
			for i := range on {
				on[i] = word.Symbol(g.IntN(2))
			}
			r.Step(dst, src, on)
			alone := f32.New(1, r.Dim())
			for i := range on {
				r.Step(alone, src.View(i, i+1), on[i:i+1])
				if !slices.Equal(alone.Row(0), dst.Row(i)) {
					t.Fatalf("%s: row %d differs when stepped alone", s.name(), i)
				}
			}
			r.Step(src, src, on)
			if !slices.Equal(src.Data, dst.Data) {
				t.Fatalf("%s: a step in place differs", s.name())
			}
		}
	})
}

func TestScore(t *testing.T) {
	n := build(t, Shape{Cell: LSTM, Layers: 2, Embedding: 3, Hidden: 5}, 4)
	r := NewRunner(n, 1)
	state := f32.New(1, r.Dim())
	if r.Dim() != 20 {
		t.Fatalf("%d numbers to a state, not 20", r.Dim())
	}
	r.Start(state.Row(0))
	r.Step(state, state, []word.Symbol{1})
	var score [1]float32
	r.Score(score[:], state)
	want := logistic(newTwin(n).logits(word.Word{1})[1])
	if math.Abs(float64(score[0])-want) > 1e-6 {
		t.Errorf("score %v, want %v", score[0], want)
	}
}

// The largest alphabet trains and runs; a step pays for the symbols it meets.
func TestLargestAlphabet(t *testing.T) {
	names := make([]string, word.MaxSymbols)
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	n, err := New(Shape{Cell: GRU, Layers: 1, Embedding: 4, Hidden: 8}, a)
	if err != nil {
		t.Fatal(err)
	}
	n.Init(rand.New(rand.NewPCG(1, 1)))
	o := newTwin(n)
	words := []word.Word{{0, 65534, 7}, {65534, 12345}}
	labels := [][]bool{{true, false, true, true}, {false, false, true}}
	for i, logits := range NewRunner(n, 1).logits(words) {
		for k, want := range o.logits(words[i]) {
			if math.Abs(float64(logits[k])-want) > 1e-5 {
				t.Errorf("word %d, prefix %d: %v, want %v", i, k, logits[k], want)
			}
		}
	}
	trainer := NewTrainer(n, Defaults, 1)
	if got, want := trainer.Step(words, labels), o.loss(words, labels); math.Abs(got-want) > 1e-6 {
		t.Errorf("loss %v, want %v", got, want)
	}
	if rows := trainer.input.table.Rows; rows > 16 {
		t.Errorf("a table of %d rows for 5 tokens", rows)
	}
}

// A network learns whether the number of b's is even.
func ExampleTrainer() {
	n, err := New(Shape{Cell: Elman, Layers: 1, Embedding: 10, Hidden: 32}, word.Letters("ab"))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 0))
	n.Init(r)
	trainer := NewTrainer(n, Defaults, 0)
	for range 1500 {
		trainer.Step(parity(r, 16, 12))
	}
	e := NewRunner(n, 0).Evaluate(parity(r, 500, 30))
	fmt.Printf("%d of %d words right\n", e.WordsRight, e.Words)
	// Output: 500 of 500 words right
}

// logits returns the logit of every prefix of every word, the empty one first.
func (r *Runner) logits(words []word.Word) [][]float32 {
	out := make([][]float32, len(words))
	for i, w := range words {
		out[i] = make([]float32, len(w)+1)
	}
	n := (len(words) + chunk - 1) / chunk
	parallel(r.threads, n, func(c int) {
		from := c * chunk
		r.walk(words[from:min(from+chunk, len(words))], func(i, k int, logit float32, _ []float32) {
			out[from+i][k] = logit
		})
	})
	return out
}
