package f32

import "golang.org/x/sys/cpu"

// Supported returns the instruction sets of this machine, the best first.
func Supported() []ISA {
	var have []ISA
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		have = []ISA{AVX2, Plain}
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
			have = []ISA{AVX512, AVX2, Plain}
		}
		return have
	}
	return []ISA{Plain}
}

// The functions below call the assembly for the instruction set in use, on
// whole blocks, and return how much they have done. Assembly counts in bytes.

func axpyFast(dst []float32, alpha float32, x []float32) int {
	n := whole(len(dst))
	if n == 0 {
		return 0
	}
	if isa == AVX512 {
		axpyAVX512(&dst[0], alpha, &x[0], 4*n)
	} else {
		axpyAVX2(&dst[0], alpha, &x[0], 4*n)
	}
	return n
}

// whole returns how many of n floats the assembly takes: those in whole blocks.
func whole(n int) int {
	if isa == Plain {
		return 0
	}
	return n / Block * Block
}

func dotsFast(dst []float32, a Matrix, x []float32) int {
	w := whole(a.Cols)
	if w == 0 {
		return 0
	}
	if n := a.Rows / 4; n > 0 {
		if isa == AVX512 {
			dots4AVX512(&dst[0], &a.Data[0], 4*a.Stride, &x[0], 4*w, n)
		} else {
			dots4AVX2(&dst[0], &a.Data[0], 4*a.Stride, &x[0], 4*w, n)
		}
	}
	if n := a.Rows % 4; n > 0 {
		i := a.Rows - n
		if isa == AVX512 {
			dots1AVX512(&dst[i], &a.Data[i*a.Stride], 4*a.Stride, &x[0], 4*w, n)
		} else {
			dots1AVX2(&dst[i], &a.Data[i*a.Stride], 4*a.Stride, &x[0], 4*w, n)
		}
	}
	return w
}

func scatterFast(table, src Matrix, index []int32) bool {
	if len(index) == 0 || !blocked(table) {
		return false
	}
	if isa == AVX512 {
		scatterAVX512(&table.Data[0], &index[0], &src.Data[0], 4*table.Cols, len(index))
	} else {
		scatterAVX2(&table.Data[0], &index[0], &src.Data[0], 4*table.Cols, len(index))
	}
	return true
}

// blocked reports whether the assembly takes the rows of m, which it does whole
// or not at all.
func blocked(m Matrix) bool {
	return isa != Plain && m.Rows > 0 && m.Cols > 0 && m.Cols%Block == 0
}

func tanhFast(dst, src []float32) int {
	n := whole(len(src))
	if n == 0 {
		return 0
	}
	if isa == AVX512 {
		tanhAVX512(&dst[0], &src[0], 4*n)
	} else {
		tanhAVX2(&dst[0], &src[0], 4*n)
	}
	return n
}

func sigmoidFast(dst, src []float32) int {
	n := whole(len(src))
	if n == 0 {
		return 0
	}
	if isa == AVX512 {
		sigmoidAVX512(&dst[0], &src[0], 4*n)
	} else {
		sigmoidAVX2(&dst[0], &src[0], 4*n)
	}
	return n
}

func elmanBackwardFast(dz, dh, h Matrix, dy, head []float32) bool {
	if !blocked(h) {
		return false
	}
	if isa == AVX512 {
		elmanBackwardAVX512(&dz.Data[0], &dh.Data[0], &h.Data[0], &dy[0], &head[0], 4*h.Cols, h.Rows)
	} else {
		elmanBackwardAVX2(&dz.Data[0], &dh.Data[0], &h.Data[0], &dy[0], &head[0], 4*h.Cols, h.Rows)
	}
	return true
}

func gruForwardFast(g, h, prev Matrix) bool {
	if !blocked(h) {
		return false
	}
	if isa == AVX512 {
		gruForwardAVX512(&g.Data[0], &h.Data[0], &prev.Data[0], 4*h.Cols, h.Rows)
	} else {
		gruForwardAVX2(&g.Data[0], &h.Data[0], &prev.Data[0], 4*h.Cols, h.Rows)
	}
	return true
}

func gruBackwardFast(g, dh, prev Matrix, dy, head []float32) bool {
	if !blocked(dh) {
		return false
	}
	if isa == AVX512 {
		gruBackwardAVX512(&g.Data[0], &dh.Data[0], &prev.Data[0], &dy[0], &head[0], 4*dh.Cols, dh.Rows)
	} else {
		gruBackwardAVX2(&g.Data[0], &dh.Data[0], &prev.Data[0], &dy[0], &head[0], 4*dh.Cols, dh.Rows)
	}
	return true
}

func lstmForwardFast(g, h, c, tc, prev Matrix) bool {
	if !blocked(h) {
		return false
	}
	if isa == AVX512 {
		lstmForwardAVX512(&g.Data[0], &h.Data[0], &c.Data[0], &tc.Data[0], &prev.Data[0], 4*h.Cols, h.Rows)
	} else {
		lstmForwardAVX2(&g.Data[0], &h.Data[0], &c.Data[0], &tc.Data[0], &prev.Data[0], 4*h.Cols, h.Rows)
	}
	return true
}

func lstmBackwardFast(g, dh, dc, tc, prev Matrix, dy, head []float32) bool {
	if !blocked(dh) {
		return false
	}
	if isa == AVX512 {
		lstmBackwardAVX512(&g.Data[0], &dh.Data[0], &dc.Data[0], &tc.Data[0], &prev.Data[0], &dy[0], &head[0], 4*dh.Cols, dh.Rows)
	} else {
		lstmBackwardAVX2(&g.Data[0], &dh.Data[0], &dc.Data[0], &tc.Data[0], &prev.Data[0], &dy[0], &head[0], 4*dh.Cols, dh.Rows)
	}
	return true
}

func logisticFast(dx, loss, x, sign []float32, scale float32) int {
	n := whole(len(x))
	if n == 0 {
		return 0
	}
	if isa == AVX512 {
		logisticAVX512(&dx[0], &loss[0], &x[0], &sign[0], scale, 4*n)
	} else {
		logisticAVX2(&dx[0], &loss[0], &x[0], &sign[0], scale, 4*n)
	}
	return n
}

func adamwFast(p, g, m, s []float32, k *[7]float32) int {
	n := whole(len(p))
	if n == 0 {
		return 0
	}
	if isa == AVX512 {
		adamwAVX512(&p[0], &g[0], &m[0], &s[0], &k[0], 4*n)
	} else {
		adamwAVX2(&p[0], &g[0], &m[0], &s[0], &k[0], 4*n)
	}
	return n
}

func peakRounds() []func() float64 {
	const n = 50000
	avx2 := func() float64 { peakAVX2(n); return n * 24 * 8 * 2 }
	avx512 := func() float64 { peakAVX512(n); return n * 24 * 16 * 2 }
	switch isa {
	case AVX512:
		return []func() float64{avx512, avx2}
	case AVX2:
		return []func() float64{avx2}
	}
	return []func() float64{peakPlain}
}

// lanes are the columns of the first vector.
var lanes = [8]int32{0, 1, 2, 3, 4, 5, 6, 7}

func leastFast(at []int32, first, second []float32, a *Matrix) bool {
	if !blocked(*a) {
		return false
	}
	leastAVX2(&at[0], &first[0], &second[0], &a.Data[0], 4*a.Stride, 4*a.Cols, a.Rows, &lanes[0])
	return true
}

func prefetchFast(x []float32) {
	if isa != Plain && len(x) > 0 {
		prefetchAVX2(&x[0], 4*len(x))
	}
}
