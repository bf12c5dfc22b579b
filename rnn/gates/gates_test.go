package gates

import (
	"math"
	"math/rand/v2"
	"testing"

	"quotient/f32"
)

func random(r *rand.Rand, rows, cols int) f32.Matrix {
	m := f32.New(rows, cols)
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64())
	}
	return m
}

// padded returns random rows whose columns past n are zero.
func padded(r *rand.Rand, rows, n int) f32.Matrix {
	m := f32.New(rows, f32.Padded(n))
	copyRows(m, random(r, rows, n))
	return m
}

// The products agree with plain loops over weights in PyTorch's order, for layouts
// with shares together and apart, and for sizes in blocks and past them.
func TestProducts(t *testing.T) {
	layouts := []Layout{{[]int{0}, []int{0}}, {[]int{1, 2, 0}, []int{1, 2, 3}}, {[]int{0, 1, 2, 3}, []int{0, 1, 2, 3}}, {[]int{1, 0}, []int{0, 1}}}
	for _, l := range layouts {
		for _, size := range [][2]int{{3, 5}, {16, 18}, {100, 37}, {1, 100}} {
			agree(t, l, size[0], size[1])
		}
	}
}

func agree(t *testing.T, l Layout, inputs, hidden int) {
	r := rand.New(rand.NewPCG(uint64(inputs), uint64(hidden)))
	const words = 7
	rows, w := l.Gates()*hidden, f32.Padded(hidden)
	in, rec := random(r, rows, inputs), random(r, rows, hidden)
	biasIn, biasRec := random(r, 1, rows).Data, random(r, 1, rows).Data
	p := New(l, inputs, hidden)
	p.Load(in, rec, biasIn, biasRec)
	x, h := padded(r, words, inputs), padded(r, words, hidden)

	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-3 {
			t.Fatalf("%v, %d inputs, %d units: %s %v, want %v", l, inputs, hidden, what, got, want)
		}
	}
	// share is a gate's before activation, of unit j in word i.
	share := func(m f32.Matrix, bias []float32, x f32.Matrix, i, gate, j int) float64 {
		sum := float64(bias[gate*hidden+j])
		for k, v := range m.Row(gate*hidden + j) {
			sum += float64(v) * float64(x.Row(i)[k])
		}
		return sum
	}
	g := f32.New(words, l.Parts()*w)
	p.Feed(g, x)
	p.Rec.Forward(g, h)
	want := make([]float64, words*g.Cols)
	for i := range words {
		for gate := range l.Gates() {
			for j := range hidden {
				want[i*g.Cols+l.Input[gate]*w+j] += share(in, biasIn, x, i, gate, j)
				want[i*g.Cols+l.Recurrent[gate]*w+j] += share(rec, biasRec, h, i, gate, j)
			}
		}
	}
	for i, x := range g.Data {
		near("gate", float64(x), want[i])
	}

	// Back, with the gates for gradients.
	dx, dh := f32.New(words, x.Cols), f32.New(words, w)
	p.In.Backward(dx, g)
	p.Rec.Backward(dh, g)
	d := p.Gradient(f32.New)
	p.In.AddGradient(&d.In, g, x)
	p.Rec.AddGradient(&d.Rec, g, h)
	din, drec := f32.New(rows, inputs), f32.New(rows, hidden)
	p.Store(d, din, drec, make([]float32, rows), make([]float32, rows))
	for _, way := range []struct {
		m, x, dx, dm f32.Matrix
		part         []int
	}{{in, x, dx, din, l.Input}, {rec, h, dh, drec, l.Recurrent}} {
		inputs := make([]float64, words*way.x.Cols)
		weights := make([]float64, len(way.m.Data))
		for i := range words {
			for row := range rows {
				dg := float64(g.Row(i)[way.part[row/hidden]*w+row%hidden])
				for k, v := range way.m.Row(row) {
					inputs[i*way.x.Cols+k] += dg * float64(v)
					weights[row*way.m.Cols+k] += dg * float64(way.x.Row(i)[k])
				}
			}
		}
		for i, v := range way.dx.Data {
			near("input's gradient", float64(v), inputs[i])
		}
		for i, v := range way.dm.Data {
			near("weight's gradient", float64(v), weights[i])
		}
	}
}

// A table's row plus a product is the same as both by themselves, and so is one input.
func TestLookup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	l := Layout{[]int{1, 2, 0}, []int{1, 2, 3}}
	p := New(l, 4, 20)
	p.Load(random(r, 60, 4), random(r, 60, 20), nil, random(r, 1, 60).Data)
	table, ones := f32.New(4, p.Bias.Cols), f32.New(4, f32.Padded(4))
	for i := range 4 {
		ones.Row(i)[i] = 1
		p.FeedOne(table.Row(i), i)
	}
	h, token := padded(r, 4, 20), []int32{0, 1, 2, 3}
	got, want := f32.New(4, p.Bias.Cols), f32.New(4, p.Bias.Cols)
	p.Rec.ForwardFrom(f32.Lookup{Table: table, Index: token}, got, h)
	p.Feed(want, ones)
	p.Rec.Forward(want, h)
	for i, x := range got.Data {
		if math.Abs(float64(x-want.Data[i])) > 1e-5 {
			t.Fatalf("gate %d: %v, want %v", i, x, want.Data[i])
		}
	}
}
