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
	score := f32.New(1, 1)
	if err := r.Read(score, state); err != nil {
		t.Fatal(err)
	}
	want := 1 / (1 + math.Exp(-plainStack{n.Stack()}.logit(word.Word{1})))
	if math.Abs(float64(score.Row(0)[0])-want) > 1e-6 {
		t.Errorf("score %v, want %v", score.Row(0)[0], want)
	}
}

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
func build(t testing.TB, s Shape, seed uint64) *Network {
	n, err := New(s, word.Letters("ab"))
	if err != nil {
		t.Fatal(err)
	}
	n.Init(rand.New(rand.NewPCG(seed, 0)))
	return n
}

func shapes() []Shape {
	var list []Shape
	for _, c := range Cells {
		for layers := 1; layers <= 2; layers++ {
			list = append(list, Shape{Cell: c, Layers: layers, Embedding: 3, Hidden: 5})
			list = append(list, Shape{Cell: c, Layers: layers, Embedding: 2, Hidden: 18})
		}
	}
	return list
}

func (s Shape) name() string { return fmt.Sprintf("%s-%d-%d", s.Cell, s.Layers, s.Hidden) }

// logits returns the logit of every prefix of every word, the empty one first.
func logits(n *Network, words []word.Word) [][]float32 {
	r, out := NewRunner(n, 2), make([][]float32, len(words))
	for i, w := range words {
		for k := range len(w) + 1 {
			out[i] = append(out[i], r.Logits([]word.Word{w[:k]})...)
		}
	}
	return out
}
