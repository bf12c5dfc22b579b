package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// forEach runs a test with every instruction set of this machine.
func forEach(t *testing.T, test func(t *testing.T)) {
	was := Using()
	defer Use(was)
	for _, i := range Supported() {
		Use(i)
		t.Run(string(i), test)
	}
}

// random fills x with normal numbers.
func random(r *rand.Rand, x []float32) []float32 {
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func randomMatrix(r *rand.Rand, rows, cols, gap int) Matrix {
	m := Matrix{Rows: rows, Cols: cols, Stride: cols + gap, Data: Slice(rows * (cols + gap))}
	random(r, m.Data)
	return m
}

func generator(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
}

// close reports whether x and y differ by at most tolerance, relative to size.
func near(x, y float32, tolerance float64) bool {
	return math.Abs(float64(x)-float64(y)) <= tolerance*max(1, math.Abs(float64(y)))
}

func TestMulAdd(t *testing.T) {
	forEach(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			size := rapid.IntRange(0, 70)
			m, n, k := size.Draw(t, "m"), size.Draw(t, "n"), size.Draw(t, "k")
			gap := rapid.IntRange(0, 5).Draw(t, "gap")
			r := generator(t)
			a, at := randomMatrix(r, m, k, gap), randomMatrix(r, k, m, gap)
			Transpose(at, a)
			b, c := randomMatrix(r, k, n, gap), randomMatrix(r, m, n, gap)
			want := slices.Clone(c.Data)
			for i := range m {
				for j := range n {
					sum := float64(want[i*c.Stride+j])
					for l := range k {
						sum += float64(a.Row(i)[l]) * float64(b.Row(l)[j])
					}
					want[i*c.Stride+j] = float32(sum)
				}
			}
			ct := c
			ct.Data = slices.Clone(c.Data)
			MulAdd(c, a, b)
			MulAddT(ct, at, b)
			for i := range want {
				if !near(c.Data[i], want[i], 1e-4) {
					t.Fatalf("element %d of %d×%d·%d: %v, want %v", i, m, k, n, c.Data[i], want[i])
				}
				if c.Data[i] != ct.Data[i] {
					t.Fatalf("element %d: MulAdd %v, MulAddT %v", i, c.Data[i], ct.Data[i])
				}
			}
		})
	})
}

// Where rows of B are far apart both factors are copied a piece at a time, and nothing is summed in another order:
// a few rows, for which they are not, have the same bits. Seven blocks of columns are panels of two widths.
func TestMulAddPacked(t *testing.T) {
	forEach(t, func(t *testing.T) {
		const cols = 120
		r := rand.New(rand.NewPCG(1, 1))
		for _, size := range [][2]int{{37, 30}, {37, 512}, {37, 600}, {1030, 520}} {
			rows, depth := size[0], size[1]
			a, b, c := randomMatrix(r, rows, depth, 3), randomMatrix(r, depth, cols, 600), randomMatrix(r, rows, cols, 0)
			from := Lookup{randomMatrix(r, 3, cols, 0), make([]int32, rows)}
			across := New(depth, rows)
			Transpose(across, a)
			for i := range from.Index {
				from.Index[i] = r.Int32N(3)
			}
			got, want := New(rows, cols), New(rows, cols)
			compare := func(name string) {
				t.Helper()
				if !slices.Equal(got.Data, want.Data) {
					t.Errorf("%s of %d rows over %d: other bits than for few rows", name, rows, depth)
				}
				copy(got.Data, c.Data)
				copy(want.Data, c.Data)
			}
			compare("nothing")
			MulAdd(got, a, b)
			for i := 0; i < rows; i += 8 {
				MulAdd(want.View(i, min(i+8, rows)), a.View(i, min(i+8, rows)), b)
			}
			compare("a product")
			MulAddT(got, across, b)
			MulAdd(want, a, b)
			compare("a transposed product")
			MulAddTo(got, from, a, b)
			for i := 0; i < rows; i += 8 {
				end := min(i+8, rows)
				MulAddTo(want.View(i, end), Lookup{from.Table, from.Index[i:end]}, a.View(i, end), b)
			}
			compare("a product and a table")
		}
	})
}

func TestMulAddNT(t *testing.T) {
	forEach(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			size := rapid.IntRange(0, 37)
			m, n, k := size.Draw(t, "m"), size.Draw(t, "n"), size.Draw(t, "k")
			if rapid.Bool().Draw(t, "blocks") {
				k = Padded(k)
			}
			r := generator(t)
			a, b, c := randomMatrix(r, m, k, 3), randomMatrix(r, n, k, 2), randomMatrix(r, m, n, 1)
			want := slices.Clone(c.Data)
			for i := range m {
				for j := range n {
					want[i*c.Stride+j] += Dot(a.Row(i), b.Row(j))
				}
			}
			MulAddNT(c, a, b)
			if !slices.Equal(c.Data, want) {
				t.Fatalf("%d×%d·(%d×%d)ᵀ differs from scalar products", m, k, n, k)
			}
		})
	})
}

// A row's result must not depend on the rows computed with it.
func TestMulAddRowsAlone(t *testing.T) {
	forEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		a, b := randomMatrix(r, 29, 100, 0), randomMatrix(r, 100, 112, 0)
		all, alone := New(29, 112), New(29, 112)
		MulAdd(all, a, b)
		for i := range a.Rows {
			MulAdd(alone.View(i, i+1), a.View(i, i+1), b)
		}
		if !slices.Equal(all.Data, alone.Data) {
			t.Error("rows computed alone differ from rows computed together")
		}
	})
}

func TestVectors(t *testing.T) {
	forEach(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n, rows := rapid.IntRange(0, 100).Draw(t, "n"), rapid.IntRange(0, 9).Draw(t, "rows")
			r := generator(t)
			a, x := randomMatrix(r, rows, n, 3), random(r, make([]float32, n))
			dots := random(r, make([]float32, rows))
			Dots(dots, a, x)
			for i := range rows {
				var want float64
				for j := range n {
					want += float64(a.Row(i)[j]) * float64(x[j])
				}
				if !near(dots[i], float32(want), 1e-4) {
					t.Fatalf("dot %d of %d: %v, want %v", i, n, dots[i], want)
				}
				if Dot(a.Row(i), x) != dots[i] {
					t.Fatalf("Dot and Dots differ")
				}
				want2 := slices.Clone(a.Row(i))
				Axpy(a.Row(i), 0.3, x)
				for j := range want2 {
					if !near(a.Row(i)[j], want2[j]+0.3*x[j], 1e-6) {
						t.Fatalf("axpy %d of %d", j, n)
					}
				}
			}
			Normalize(a)
			norms := make([]float32, rows)
			Norms(norms, a)
			for i, x := range norms {
				if n > 0 && !near(x, 1, 1e-5) {
					t.Fatalf("row %d has norm %v after Normalize", i, x)
				}
			}
		})
	})
}

func TestGatherScatter(t *testing.T) {
	forEach(t, func(t *testing.T) {
		for _, cols := range []int{16, 21, 112} {
			r := rand.New(rand.NewPCG(5, 2))
			table := randomMatrix(r, 7, cols, 0)
			index := []int32{6, 0, 0, 3, 3, 3, 1}
			dst := New(len(index), cols)
			Gather(dst, table, index)
			for i, k := range index {
				if !slices.Equal(dst.Row(i), table.Row(int(k))) {
					t.Fatalf("row %d is not row %d of the table", i, k)
				}
			}
			// A product on top is the same as one after.
			a, b := randomMatrix(r, len(index), 9, 2), randomMatrix(r, 9, cols, 3)
			one, two := New(len(index), cols), New(len(index), cols)
			copy(one.Data, dst.Data)
			MulAdd(one, a, b)
			MulAddTo(two, Lookup{table, index}, a, b)
			if !slices.Equal(one.Data, two.Data) {
				t.Fatal("MulAddTo differs from Gather and MulAdd")
			}
			for _, k := range []int{9, 16} {
				a, b := randomMatrix(r, 8, k, 2), randomMatrix(r, 4, k, 3)
				eight := Lookup{table.Columns(3, 7), append(index, 2)}
				one, two := randomMatrix(r, 8, 4, 0), randomMatrix(r, 8, 4, 1)
				Gather(one, eight.Table, eight.Index)
				MulAddNT(one, a, b)
				MulAddNTTo(two, eight, a, b)
				for i := range one.Rows {
					if !slices.Equal(one.Row(i), two.Row(i)) {
						t.Fatal("MulAddNTTo differs from Gather and MulAddNT")
					}
				}
			}
			sum := New(7, cols)
			ScatterAdd(sum, dst, index)
			for j := range cols {
				if want := table.Row(3)[j] * 3; !near(sum.Row(3)[j], want, 1e-6) {
					t.Fatalf("column %d: %v, want %v", j, sum.Row(3)[j], want)
				}
				if sum.Row(2)[j] != 0 {
					t.Fatal("a row without an index was changed")
				}
			}
		}
	})
}

// All floats from tiny to far past saturation, thinned out.
func sweep() []float32 {
	var x []float32
	for b := uint32(0); b < math.Float32bits(200); b += 20011 {
		v := math.Float32frombits(b)
		x = append(x, v, -v)
	}
	return append(x, float32(math.Inf(1)), float32(math.Inf(-1)))
}

func TestTanhSigmoid(t *testing.T) {
	forEach(t, func(t *testing.T) {
		x := sweep()
		th, sg := make([]float32, len(x)), make([]float32, len(x))
		Tanh(th, x)
		Sigmoid(sg, x)
		for i, v := range x {
			if want := math.Tanh(float64(v)); math.Abs(float64(th[i])-want) > 5e-7 || th[i] < -1 || th[i] > 1 {
				t.Fatalf("tanh %v = %v, want %v", v, th[i], want)
			}
			if want := 1 / (1 + math.Exp(-float64(v))); math.Abs(float64(sg[i])-want) > 3e-7 || sg[i] < 0 || sg[i] > 1 {
				t.Fatalf("sigmoid %v = %v, want %v", v, sg[i], want)
			}
		}
		nan := slices.Repeat([]float32{float32(math.NaN())}, 17)
		Tanh(nan, nan)
		for _, v := range nan {
			if v == v {
				t.Fatal("tanh of NaN is a number")
			}
		}
	})
}

func TestLogistic(t *testing.T) {
	forEach(t, func(t *testing.T) {
		x := sweep()
		for _, s := range []float32{1, -1, 0} {
			dx, loss, sign := make([]float32, len(x)), make([]float32, len(x)), slices.Repeat([]float32{s}, len(x))
			Logistic(dx, loss, x, sign, 0.5)
			for i, v := range x {
				if math.IsInf(float64(v), 0) {
					continue
				}
				z := -float64(s) * float64(v)
				want := float64(s*s) * (max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))))
				if math.Abs(float64(loss[i])-want) > 3e-7*max(1, want) {
					t.Fatalf("loss of %v, sign %v: %v, want %v", v, s, loss[i], want)
				}
				wantDx := -0.5 * float64(s) / (1 + math.Exp(-z))
				if math.Abs(float64(dx[i])-wantDx) > 1e-6*math.Abs(wantDx)+1e-37 {
					t.Fatalf("gradient of %v, sign %v: %v, want %v", v, s, dx[i], wantDx)
				}
			}
		}
	})
}

// cells runs every elementwise kernel on the same numbers and returns all results.
func cells(cols int) [][]float32 {
	r := rand.New(rand.NewPCG(3, 4))
	const rows = 5
	m := func(parts int) Matrix { return randomMatrix(r, rows, parts*cols, 0) }
	var out [][]float32
	keep := func(ms ...Matrix) {
		for _, m := range ms {
			out = append(out, slices.Clone(m.Data))
		}
	}
	g, h, prev, c, tc, dh, dc := m(4), m(1), m(1), m(1), m(1), m(1), m(1)
	dy, head := random(r, make([]float32, rows)), random(r, make([]float32, cols))
	GRUForward(g, h, prev)
	keep(g, h)
	GRUBackward(g, dh, prev, dy, head)
	keep(g, dh)
	g, dh = m(4), m(1)
	LSTMForward(g, h, c, tc, prev)
	keep(g, h, c, tc)
	LSTMBackward(g, dh, dc, tc, prev, dy, head)
	keep(g, dh, dc)
	dh, dz := m(1), m(1)
	ElmanBackward(dz, dh, tc, dy, head)
	keep(dz, dh)
	p, mean, square := m(1), m(1), m(1)
	for i := range square.Data {
		square.Data[i] *= square.Data[i]
	}
	AdamW{1e-3, 0.9, 0.999, 1e-8, 0.01}.Update(p.Data, h.Data, mean.Data, square.Data, 3)
	keep(p, mean, square)
	return out
}

// The plain kernels are held to their meaning by the gradient tests of package
// rnn; here all instruction sets are held to the plain ones, and AVX2 and AVX-512
// to each other bit for bit.
func TestCellsAgree(t *testing.T) {
	defer Use(Using())
	for _, cols := range []int{1, 16, 20, 48, 112} {
		Use(Plain)
		want := cells(cols)
		var vector [][]float32
		for _, isa := range Supported() {
			Use(isa)
			got := cells(cols)
			for k := range want {
				for i := range want[k] {
					if !near(got[k][i], want[k][i], 2e-6) {
						t.Fatalf("%s, %d columns, result %d: %v, want %v", isa, cols, k, got[k][i], want[k][i])
					}
				}
			}
			if isa == Plain {
				continue
			}
			for k := range vector {
				if !slices.Equal(got[k], vector[k]) {
					t.Fatalf("%s differs from %s in result %d", isa, Supported()[0], k)
				}
			}
			vector = got
		}
	}
}

func TestShapesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"MulAdd":  func() { MulAdd(New(2, 3), New(2, 4), New(5, 3)) },
		"Dots":    func() { Dots(make([]float32, 2), New(2, 3), make([]float32, 4)) },
		"Gather":  func() { Gather(New(1, 16), New(2, 16), []int32{2}) },
		"short":   func() { MulAdd(Matrix{2, 2, 2, make([]float32, 3)}, New(2, 2), New(2, 2)) },
		"GRU":     func() { GRUForward(New(2, 16), New(2, 16), New(2, 16)) },
		"View":    func() { New(2, 2).View(1, 3) },
		"Append":  func() { m := New(2, 2); m.Append([]float32{1}) },
		"unknown": func() { Use("mmx") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestAppend(t *testing.T) {
	m := New(0, 2)
	row := []float32{1, 2}
	m.Append(row)
	row[0] = 3
	m.Append(row)
	if m.Rows != 2 || !slices.Equal(m.Data, []float32{1, 2, 3, 2}) {
		t.Errorf("%d rows of %v", m.Rows, m.Data)
	}
}

// What is gathered is a copy of the rows, in their order, also of a part of a matrix.
func TestGatherRows(t *testing.T) {
	m := Of(3, 2, []float32{1, 2, 3, 4, 5, 6})
	got := m.View(1, 3).Gather([]int{1, 0, 1})
	m.Row(2)[0] = 9
	if got.Rows != 3 || !slices.Equal(got.Data, []float32{5, 6, 3, 4, 5, 6}) {
		t.Errorf("%d rows of %v", got.Rows, got.Data)
	}
	if none := m.Gather(nil); none.Rows != 0 || none.Cols != 2 {
		t.Errorf("no rows are a matrix of %d×%d", none.Rows, none.Cols)
	}
}

// A machine that is busy with something else may be as slow as it likes.
func TestPeak(t *testing.T) {
	forEach(t, func(t *testing.T) {
		if p := Peak(time.Millisecond); p <= 0 || p > 1e13 {
			t.Errorf("peak of %g operations a second", p)
		}
	})
}

func BenchmarkMulAdd(b *testing.B) {
	was := Using()
	defer Use(was)
	for _, isa := range Supported() {
		Use(isa)
		for _, rows := range []int{8, 16, 32, 64, 256} {
			b.Run(fmt.Sprintf("%s/%dx100x112", isa, rows), func(b *testing.B) {
				c, a, w := New(rows, 112), New(rows, 112), New(100, 112)
				a.Cols = 100
				report(b, 2*float64(rows*100*112), func() { MulAdd(c, a, w) })
			})
			b.Run(fmt.Sprintf("%s/T104x%dx112", isa, rows), func(b *testing.B) {
				c, a, h := New(104, 112), New(rows, 112), New(rows, 112)
				a.Cols = 104
				report(b, 2*float64(rows*104*112), func() { MulAddT(c, a, h) })
			})
		}
	}
}

func BenchmarkTanh(b *testing.B) {
	for _, isa := range Supported() {
		Use(isa)
		b.Run(string(isa), func(b *testing.B) {
			x, y := Slice(16*112), Slice(16*112)
			report(b, 16*112, func() { Tanh(y, x) })
		})
	}
	Use(Supported()[0])
}

// report measures f, which does the given number of operations, against the peak.
func report(b *testing.B, flops float64, f func()) {
	peak := Peak(20 * time.Millisecond)
	for b.Loop() {
		f()
	}
	rate := flops * float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate/1e9, "GFLOP/s")
	b.ReportMetric(100*rate/peak, "%peak")
}
