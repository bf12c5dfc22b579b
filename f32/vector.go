package f32

import (
	"fmt"
	"math"
)

// Axpy adds a multiple of x to dst:
//
//	for i { dst[i] += alpha * x[i] }
func Axpy(dst []float32, alpha float32, x []float32) {
	same("Axpy", len(dst), len(x))
	done := axpyFast(dst, alpha, x)
	axpyPlain(dst[done:], alpha, x[done:])
}

func axpyPlain(dst []float32, alpha float32, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] += alpha * v
	}
}

// Dots writes the scalar product of every row of A with x:
//
//	for i, j { dst[i] += a[i][j] * x[j] }, dst being zero before
func Dots(dst []float32, a Matrix, x []float32) {
	same("Dots", len(x), a.Cols)
	same("Dots", len(dst), a.Rows)
	a.check()
	done := dotsFast(dst, a, x)
	if done == 0 {
		clear(dst)
	}
	if done == a.Cols {
		return
	}
	for i := range dst {
		dst[i] += dotPlain(a.Row(i)[done:], x[done:])
	}
}

// Dot returns the scalar product of x and y.
func Dot(x, y []float32) float32 {
	var dst [1]float32
	Dots(dst[:], Of(1, len(x), x), y)
	return dst[0]
}

func dotPlain(x, y []float32) float32 {
	var sum float32
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// Norms writes the Euclidean norm of every row of A:
//
//	for i { dst[i] = sqrt(dot(a[i], a[i])) }
func Norms(dst []float32, a Matrix) {
	same("Norms", len(dst), a.Rows)
	for i := range dst {
		row := a.Row(i)
		dst[i] = float32(math.Sqrt(float64(Dot(row, row))))
	}
}

// Unit returns a copy of A whose rows are scaled to length 1; rows of zeros stay.
func Unit(a Matrix) Matrix {
	u := New(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(u.Row(i), a.Row(i))
	}
	Normalize(u)
	return u
}

// Normalize divides every row of A by its Euclidean norm, so that scalar
// products become cosines. Rows of zeros stay so.
func Normalize(a Matrix) {
	for i := range a.Rows {
		row := a.Row(i)
		if norm := math.Sqrt(float64(Dot(row, row))); norm > 0 {
			scale := float32(1 / norm)
			for j := range row {
				row[j] *= scale
			}
		}
	}
}

// ScatterAdd adds every row of src to the row of the table that its index
// names, in order:
//
//	for i, j { table[index[i]][j] += src[i][j] }
func ScatterAdd(table, src Matrix, index []int32) {
	shape("ScatterAdd", len(index), table.Cols, src)
	shape("ScatterAdd", table.Rows, table.Cols, table)
	within(index, table.Rows)
	if scatterFast(table, src, index) {
		return
	}
	for i, k := range index {
		axpyPlain(table.Row(int(k)), 1, src.Row(i))
	}
}

func within(index []int32, rows int) {
	for _, k := range index {
		if uint32(k) >= uint32(rows) {
			panic(fmt.Sprintf("f32: row %d of a table of %d", k, rows))
		}
	}
}
