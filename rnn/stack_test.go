package rnn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// plainStack computes a stack word by word in float64, from the equations.
type plainStack struct{ *Stack }

func (s plainStack) logit(w word.Word) float64 {
	var xs [][]float64
	read := func(t int32) {
		if t == None {
			return
		}
		x := make([]float64, s.Tokens)
		x[t] = 1
		if s.Embedding.Rows > 0 {
			x = plainNorm(s.EmbeddingNorm, widen(s.Embedding.Row(int(t))))
		}
		xs = append(xs, x)
	}
	read(s.Bos)
	for _, a := range w {
		read(s.Token[a])
	}
	read(s.Eos)
	if s.Reverse {
		slices.Reverse(xs)
	}
	if len(xs) == 0 {
		panic("nothing is read")
	}
	var first, last []float64
	for i := range s.Layers {
		y := &s.Layers[i]
		cells := s.Summary == FinalCells && i == len(s.Layers)-1
		out := plainLayer(y, xs, false, cells)
		if y.Reverse != nil {
			for t, h := range plainLayer(y.Reverse, xs, true, cells) {
				out[t] = append(out[t], h...)
			}
		}
		for t := range out {
			out[t] = plainNorm(y.Norm, out[t])
		}
		xs, first, last = out, out[0], out[len(out)-1]
	}
	top := &s.Layers[len(s.Layers)-1]
	x := append([]float64(nil), last...)
	if top.Reverse != nil && s.Summary != LastOutput {
		copy(x[top.Hidden():], first[top.Hidden():])
	}
	var then []Activation
	for _, d := range s.Head {
		x, then = plainNorm(d.Norm, plainAffine(d.Weight, d.Bias, x)), d.Then
		for _, a := range then {
			x = plainActivation(a, x)
		}
	}
	prob := len(then) > 0 && (then[len(then)-1] == Sigmoid && len(x) == 1 || then[len(then)-1] == Softmax)
	switch {
	case len(x) == 1 && prob:
		return math.Log(x[0] / (1 - x[0]))
	case len(x) == 1:
		return x[0]
	case prob:
		return math.Log(x[1] / x[0])
	}
	return x[1] - x[0]
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = float64(x[i])
	}
	return y
}

func plainAffine(m f32.Matrix, b []float32, x []float64) []float64 {
	y := make([]float64, m.Rows)
	for i := range y {
		if b != nil {
			y[i] = float64(b[i])
		}
		for j, v := range m.Row(i) {
			y[i] += float64(v) * x[j]
		}
	}
	return y
}

func plainActivation(a Activation, x []float64) []float64 {
	y := make([]float64, len(x))
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v)
	}
	for i, v := range x {
		switch a {
		case Tanh:
			y[i] = math.Tanh(v)
		case ReLU:
			y[i] = math.Max(v, 0)
		case Sigmoid:
			y[i] = 1 / (1 + math.Exp(-v))
		case Softmax:
			y[i] = math.Exp(v) / sum
		case LogSoftmax:
			y[i] = v - math.Log(sum)
		default:
			panic(a)
		}
	}
	return y
}

func plainNorm(n *Norm, x []float64) []float64 {
	if n == nil {
		return x
	}
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	if n.Kind != LayerNorm {
		mean = 0
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	if n.Kind == BatchNorm {
		square = 1 - float64(n.Eps)
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = (v - mean) / math.Sqrt(square+float64(n.Eps))
		if n.Scale != nil {
			y[i] *= float64(n.Scale[i])
		}
		if n.Shift != nil {
			y[i] += float64(n.Shift[i])
		}
	}
	return y
}

// plainNormed is a step with norms inside.
func plainNormed(y *Layer, in, rec, h, c []float64) (next, memory []float64) {
	n, sigmoid := y.Hidden(), func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	in, rec = plainNorm(y.Norms.In, in), plainNorm(y.Norms.Rec, rec)
	sum := make([]float64, len(in))
	for i := range sum {
		sum[i] = in[i] + rec[i]
	}
	sum = plainNorm(y.Norms.Gates, sum)
	next, memory = make([]float64, n), make([]float64, n)
	for i := range n {
		switch y.Cell {
		case Elman:
			next[i] = math.Tanh(sum[i])
			if y.ReLU {
				next[i] = math.Max(sum[i], 0)
			}
			if i >= n-y.Linear {
				next[i] = sum[i]
			}
		case GRU:
			z := sigmoid(sum[n+i])
			next[i] = (1-z)*math.Tanh(in[2*n+i]+sigmoid(sum[i])*rec[2*n+i]) + z*h[i]
		case LSTM:
			memory[i] = sigmoid(sum[n+i])*c[i] + sigmoid(sum[i])*math.Tanh(sum[2*n+i])
		}
	}
	if y.Cell == LSTM {
		memory = plainNorm(y.Norms.Memory, memory)
		for i, m := range plainNorm(y.Norms.Output, memory) {
			next[i] = sigmoid(sum[3*n+i]) * math.Tanh(m)
		}
	}
	return plainNorm(y.Norms.State, next), memory
}

func plainLayer(y *Layer, xs [][]float64, backward, cells bool) [][]float64 {
	n := y.Hidden()
	h, c := make([]float64, n), make([]float64, n)
	out := make([][]float64, len(xs))
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for k := range xs {
		t := k
		if backward {
			t = len(xs) - 1 - k
		}
		in, rec := plainAffine(y.In, y.BiasIn, xs[t]), plainAffine(y.Rec, y.BiasRec, h)
		next := make([]float64, n)
		if y.Norms != nil && !y.ResetBefore {
			h, c = plainNormed(y, in, rec, h, c)
			out[t] = append([]float64(nil), h...)
			if cells {
				out[t] = append([]float64(nil), c...)
			}
			continue
		}
		for i := range n {
			switch y.Cell {
			case Elman:
				next[i] = math.Tanh(in[i] + rec[i])
				if y.ReLU {
					next[i] = math.Max(in[i]+rec[i], 0)
				}
				if i >= n-y.Linear {
					next[i] = in[i] + rec[i]
				}
			case GRU:
				z := sigmoid(in[n+i] + rec[n+i])
				share := sigmoid(in[i]+rec[i]) * rec[2*n+i]
				if y.ResetBefore {
					share = 0
					if y.BiasRec != nil {
						share = float64(y.BiasRec[2*n+i])
					}
					for j := range n {
						share += float64(y.Rec.Row(2*n + i)[j]) * sigmoid(in[j]+rec[j]) * h[j]
					}
				}
				next[i] = (1-z)*math.Tanh(in[2*n+i]+share) + z*h[i]
			case LSTM:
				c[i] = sigmoid(in[n+i]+rec[n+i])*c[i] + sigmoid(in[i]+rec[i])*math.Tanh(in[2*n+i]+rec[2*n+i])
				next[i] = sigmoid(in[3*n+i]+rec[3*n+i]) * math.Tanh(c[i])
			}
		}
		h = next
		if y.Norms != nil {
			h = plainNorm(y.Norms.State, h)
		}
		out[t] = append([]float64(nil), h...)
		if cells {
			out[t] = append([]float64(nil), c...)
		}
	}
	return out
}

func randomMatrix(rng *rand.Rand, rows, cols int) f32.Matrix {
	m := f32.New(rows, cols)
	copy(m.Data, randomVector(rng, len(m.Data)))
	return m
}

func randomVector(rng *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(rng.NormFloat64()) / 2
	}
	return v
}

func randomLayer(rng *rand.Rand, c *Cell, inputs, hidden int) Layer {
	y := Layer{Cell: c, In: randomMatrix(rng, c.Gates()*hidden, inputs), Rec: randomMatrix(rng, c.Gates()*hidden, hidden)}
	if rng.IntN(3) > 0 {
		y.BiasIn, y.BiasRec = randomVector(rng, c.Gates()*hidden), randomVector(rng, c.Gates()*hidden)
	}
	y.ReLU, y.ResetBefore = c == Elman && rng.IntN(3) == 0, c == GRU && rng.IntN(2) == 0
	return y
}

// randomNorm draws a norm for so many numbers, or none.
func randomNorm(rng *rand.Rand, size int) *Norm {
	if rng.IntN(2) == 0 {
		return nil
	}
	n := &Norm{Kind: []NormKind{LayerNorm, RMSNorm, BatchNorm}[rng.IntN(3)], Eps: 1e-3}
	if rng.IntN(3) > 0 {
		n.Scale = randomVector(rng, size)
	}
	if rng.IntN(3) > 0 {
		n.Shift = randomVector(rng, size)
	}
	return n
}

// withNorms puts norms into a stack, wherever there may be some.
func withNorms(rng *rand.Rand, s *Stack) {
	if s.Embedding.Rows > 0 {
		s.EmbeddingNorm = randomNorm(rng, s.Embedding.Cols)
	}
	for i := range s.Layers {
		s.Layers[i].Norm = randomNorm(rng, s.Layers[i].Outputs())
		for _, y := range s.Layers[i].ways() {
			hidden, all := y.Hidden(), y.Cell.Gates()*y.Hidden()
			y.Norms = &CellNorms{State: randomNorm(rng, hidden)}
			if !y.ResetBefore {
				y.Norms.In, y.Norms.Rec = randomNorm(rng, all), randomNorm(rng, all)
			}
			if y.Cell != GRU {
				y.Norms.Gates = randomNorm(rng, all)
			}
			if y.Cell == LSTM {
				y.Norms.Memory, y.Norms.Output = randomNorm(rng, hidden), randomNorm(rng, hidden)
			}
			if rng.IntN(3) == 0 {
				y.Norms = nil
			}
		}
	}
	for i := range s.Head {
		s.Head[i].Norm = randomNorm(rng, s.Head[i].Weight.Rows)
	}
}

// randomStack draws layers of all kinds and sizes.
func randomStack(rng *rand.Rand, bidirectional bool) *Stack {
	s := &Stack{Tokens: 5, Summary: Summary(rng.IntN(2))}
	inputs := 5
	if rng.IntN(2) == 0 {
		inputs = 1 + rng.IntN(20)
		s.Embedding = randomMatrix(rng, 5, inputs)
	}
	for range 1 + rng.IntN(3) {
		hidden := 1 + rng.IntN(36)
		y := randomLayer(rng, Cells[rng.IntN(3)], inputs, hidden)
		if bidirectional {
			back := randomLayer(rng, y.Cell, inputs, hidden)
			y.Reverse = &back
		}
		s.Layers = append(s.Layers, y)
		inputs = y.Outputs()
	}
	for range rng.IntN(3) {
		width := 1 + rng.IntN(20)
		then := [][]Activation{{ReLU}, {Tanh}, nil}[rng.IntN(3)]
		s.Head = append(s.Head, Dense{randomMatrix(rng, width, inputs), randomVector(rng, width), nil, then})
		inputs = width
	}
	last := Dense{Weight: randomMatrix(rng, 1+rng.IntN(2), inputs)}
	last.Then = [][]Activation{nil, {Sigmoid}, {LogSoftmax}, {Sigmoid, Softmax}}[rng.IntN(2+2*(last.Weight.Rows-1))]
	s.Head = append(s.Head, last)
	bos, eos := int32(3), int32(4)
	if rng.IntN(3) == 0 {
		eos = None
	} else if rng.IntN(3) == 0 {
		bos = None
	}
	if err := s.Speak(word.Letters("abc"), []int32{2, 0, 1}, bos, eos); err != nil {
		panic(err)
	}
	return s
}

func TestReverse(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := randomStack(rng, seed%2 == 0)
		s.Reverse = true
		reader, err := s.Reader(1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Runner(1); err == nil {
			t.Error("words that are read from their end have states")
		}
		words := randomWords(rng)
		for i, got := range answers(t, reader, words) {
			if want := 1 / (1 + math.Exp(-plainStack{s}.logit(words[i]))); math.Abs(float64(got)-want) > 1e-4 {
				t.Fatalf("seed %d, word %v: %v, want %v", seed, words[i], got, want)
			}
		}
	}
}

func randomWords(rng *rand.Rand) []word.Word {
	words := []word.Word{nil}
	for range 100 {
		w := make(word.Word, rng.IntN(8))
		for i := range w {
			w[i] = word.Symbol(rng.IntN(3))
		}
		words = append(words, w)
	}
	return words
}

func TestStackComputesItsEquations(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 0))
		s := randomStack(rng, seed%3 == 0)
		if top := s.Layers[len(s.Layers)-1].Cell; top.Memory && seed%2 == 0 {
			s.Summary = FinalCells
		}
		if y := &s.Layers[0]; y.Cell == Elman {
			y.Linear = rng.IntN(y.Hidden() + 1)
		}
		if seed >= 60 {
			withNorms(rng, s)
		}
		words := randomWords(rng)
		reader, err := s.Reader(2)
		if err != nil {
			t.Fatal(err)
		}
		oracles := map[string][]float32{"reader": answers(t, reader, words)}
		runner, err := s.Runner(2)
		if seed%3 == 0 {
			if err != ErrBidirectional {
				t.Fatalf("a runner for a bidirectional network: %v", err)
			}
		} else {
			if err != nil {
				t.Fatal(err)
			}
			oracles["runner"] = answers(t, runner, words)
			oracles["steps"] = stepwise(runner, words)
		}
		for i, w := range words {
			want := 1 / (1 + math.Exp(-plainStack{s}.logit(w)))
			for name, got := range oracles {
				if math.Abs(float64(got[i])-want) > 1e-4 {
					t.Fatalf("seed %d, %s, word %v: %v, want %v", seed, name, w, got[i], want)
				}
			}
		}
	}
}

// answers asks for whole words.
func answers(t *testing.T, net oracle.Oracle, words []word.Word) []float32 {
	t.Helper()
	p := f32.New(len(words), net.Outputs())
	if err := net.Answer(t.Context(), p, words); err != nil {
		t.Fatal(err)
	}
	return p.Data
}

// stepwise asks for words by way of Start, Step and Read.
func stepwise(r *Runner, words []word.Word) []float32 {
	p := make([]float32, len(words))
	state := f32.New(1, r.Dim())
	for i, w := range words {
		r.Start(state.Row(0))
		for _, x := range w {
			r.Step(state, state, []word.Symbol{x})
		}
		r.Read(f32.Of(1, 1, p[i:i+1]), state)
	}
	return p
}

func TestStackCheck(t *testing.T) {
	for _, c := range []struct {
		spoil func(s *Stack)
		want  string
	}{
		{func(s *Stack) { s.Layers = nil }, "no recurrent layer"},
		{func(s *Stack) { s.Layers[0].In = f32.New(4, 99) }, "layer 1: it reads 99 numbers"},
		{func(s *Stack) { s.Layers[0].Rec = f32.New(1, 0) }, "no units"},
		{func(s *Stack) { s.Layers[0].Rec = f32.New(7, s.Layers[0].Hidden()) }, "rows for"},
		{func(s *Stack) { s.Layers[0].BiasIn = make([]float32, 1000) }, "1000 and"},
		{func(s *Stack) { s.Layers[0].Cell = new(Cell) }, "unknown cell"},
		{func(s *Stack) { s.Head = nil }, "no dense layer"},
		{func(s *Stack) { s.Head[len(s.Head)-1].Weight = f32.New(1, 1234) }, "1×1234"},
		{func(s *Stack) { s.Head[len(s.Head)-1].Bias = make([]float32, 7) }, "7 biases"},
		{func(s *Stack) { s.Layers[0].Norm = &Norm{Kind: LayerNorm, Scale: make([]float32, 99)} }, "behind layer 1 a layer norm of 99 numbers"},
		{func(s *Stack) { s.Layers[0].Norms = &CellNorms{In: &Norm{Kind: RMSNorm, Shift: make([]float32, 99)}} }, "inside the cell a rms norm of 99"},
		{func(s *Stack) { s.Layers[0].Norms = &CellNorms{State: &Norm{Kind: "group norm"}} }, "unknown norm"},
		{func(s *Stack) { s.Head[0].Norm = &Norm{Kind: LayerNorm, Eps: -1} }, "behind dense layer 1 a layer norm with eps -1"},
		{func(s *Stack) {
			s.Embedding, s.EmbeddingNorm = f32.Matrix{}, &Norm{Kind: LayerNorm}
			s.Layers[0].In = f32.New(s.Layers[0].In.Rows, 5)
		}, "of one-hot inputs"},
		{func(s *Stack) { s.Embedding = f32.New(2, 2) }, "2 rows for 5 tokens"},
	} {
		s := randomStack(rand.New(rand.NewPCG(1, 0)), false)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		c.spoil(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
		if _, err := s.Reader(1); err == nil {
			t.Errorf("%s: the reader does not mind", c.want)
		}
	}
	s := randomStack(rand.New(rand.NewPCG(1, 0)), false)
	s.Head = []Dense{{Weight: f32.New(3, s.Layers[len(s.Layers)-1].Outputs())}}
	for _, c := range []struct {
		next []int32
		want string
	}{
		{nil, "has 3 outputs"}, {[]int32{0}, "1 outputs for"}, {slices.Repeat([]int32{3}, len(s.Token)+1), "output 3 of 3"}, {slices.Repeat([]int32{None}, len(s.Token)+1), "output -1 of 3"},
	} {
		s.Next = c.next
		if _, err := s.Reader(1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	s = randomStack(rand.New(rand.NewPCG(1, 0)), false)
	for _, c := range []struct {
		token    []int32
		bos, eos int32
		want     string
	}{
		{[]int32{0, 1}, None, None, "2 tokens for 3 symbols"},
		{[]int32{0, 1, 5}, None, None, `symbol "c" is token 5`},
		{[]int32{0, 1, 1}, None, None, `token 1 is both symbol "b" and symbol "c"`},
		{[]int32{0, 1, 2}, 2, None, `token 2 is both <bos> and symbol "c"`},
		{[]int32{0, 1, 2}, 3, 3, "token 3 is both <bos> and <eos>"},
		{[]int32{0, 1, 2}, -2, 3, "<bos> is token -2"},
	} {
		if err := s.Speak(word.Letters("abc"), c.token, c.bos, c.eos); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func TestActivations(t *testing.T) {
	for a, want := range map[Activation]string{
		Tanh: "[-0.9640 0.0000 0.4621]", ReLU: "[0.0000 0.0000 0.5000]", LeakyReLU: "[-0.0200 0.0000 0.5000]",
		ELU: "[-0.8647 0.0000 0.5000]", GELU: "[-0.0455 0.0000 0.3457]", SiLU: "[-0.2384 0.0000 0.3112]",
		Softplus: "[0.1269 0.6931 0.9741]", Sigmoid: "[0.1192 0.5000 0.6225]",
		Softmax: "[0.0486 0.3592 0.5922]", LogSoftmax: "[-3.0239 -1.0239 -0.5239]",
	} {
		if got, err := ParseActivation(string(a)); err != nil || got != a {
			t.Errorf("%s is parsed as %s: %v", a, got, err)
		}
		m := f32.Of(1, 3, []float32{-2, 0, 0.5})
		a.apply(m)
		if got := fmt.Sprintf("%.4f", m.Data); got != want {
			t.Errorf("%s: %s, want %s", a, got, want)
		}
	}
	if _, err := ParseActivation("step"); err == nil || !strings.Contains(err.Error(), "step") {
		t.Error(err)
	}
}

// Decisions are the logits' own, however close they are.
func TestSquashKeepsDecisions(t *testing.T) {
	for x := float32(math.SmallestNonzeroFloat32); x < 100; x *= 3 {
		p := []float32{x, -x}
		squash(p)
		if !(p[0] > 0.5 && p[1] < 0.5) || math.Abs(float64(p[0])-1/(1+math.Exp(-float64(x)))) > 1e-5 {
			t.Errorf("logits ±%v have probabilities %v", x, p)
		}
	}
	p := []float32{0}
	if squash(p); p[0] != 0.5 {
		t.Errorf("logit 0 has probability %v", p[0])
	}
}

// Weights that are no numbers are refused, whatever file they come from.
func TestStackRefusesWhatIsNoNumber(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		n, err := New(Shape{Cell: GRU, Layers: 1, Embedding: 3, Hidden: 4}, word.Letters("ab"))
		if err != nil {
			t.Fatal(err)
		}
		s := n.Stack()
		s.Head[0].Bias[0] = bad
		if _, err := s.Runner(1); err == nil || !strings.Contains(err.Error(), "dense layer 1 holds a weight") {
			t.Errorf("%v: error %v", bad, err)
		}
	}
}
