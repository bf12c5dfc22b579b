// Package f32 holds float32 matrices and the kernels that networks spend their
// time in: matrix products, activation functions, the elementwise work of
// recurrent cells, the logistic loss, AdamW and dot products.
//
// Every kernel exists as plain Go, which states what it computes and runs
// everywhere, and on amd64 as assembly for AVX2 with FMA and for AVX-512, chosen
// at run time. What the package promises:
//
//   - A result does not depend on how the work was cut into calls: an element of
//     a product is summed in the order of the inner index, whatever the number of
//     rows computed with it. So callers may split rows over threads as they like.
//   - AVX2 and AVX-512 give the same bits. Plain Go rounds after every product
//     where they fuse, and differs in the last bits.
//   - Assembly works on blocks of 16 columns and plain Go on what is left over.
//     Matrices from [New] can be widened to whole blocks with [Padded].
//   - A mistake in shapes panics; nothing here returns an error.
//
// All assembly of the project is here. It is generated: see internal/asm.
package f32

//go:generate go run -C internal/asm . -out ../../kernels_amd64.s -stubs ../../kernels_amd64.go -pkg f32

import (
	"fmt"
	"unsafe"
)

// Block is the number of floats that kernels handle together.
const Block = 16

// Padded returns the least multiple of [Block] that is at least n.
func Padded(n int) int { return (n + Block - 1) &^ (Block - 1) }

// A Matrix is a view of floats as rows. The element in row i and column j is
// Data[i*Stride+j].
type Matrix struct {
	Rows, Cols, Stride int
	Data               []float32
}

// New returns a matrix of zeros whose rows follow one another without a gap.
func New(rows, cols int) Matrix {
	return Matrix{Rows: rows, Cols: cols, Stride: cols, Data: Slice(rows * cols)}
}

// Slice returns n zeros that start on a cache line.
func Slice(n int) []float32 {
	const line = 64
	x := make([]float32, n+line/4)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(x))) % line / 4
	return x[skip : int(skip)+n : int(skip)+n]
}

// Identity returns the matrix whose product with a vector is that vector.
func Identity(n int) Matrix {
	m := New(n, n)
	for i := range n {
		m.Row(i)[i] = 1
	}
	return m
}

// Of returns data as a matrix of the given shape, without copying.
func Of(rows, cols int, data []float32) Matrix {
	m := Matrix{Rows: rows, Cols: cols, Stride: cols, Data: data}
	m.check()
	return m
}

// Row returns row i.
func (m Matrix) Row(i int) []float32 {
	return m.Data[i*m.Stride:][:m.Cols:m.Cols]
}

// Append adds a copy of row below the others, of a matrix without gaps between rows.
func (m *Matrix) Append(row []float32) {
	same("Append", m.Cols, len(row), m.Stride)
	m.Data = append(m.Data[:m.Rows*m.Cols], row...)
	m.Rows++
}

// View returns rows from i up to but not including j as a matrix.
func (m Matrix) View(i, j int) Matrix {
	if uint(i) > uint(j) || uint(j) > uint(m.Rows) {
		panic(outside)
	}
	return Matrix{j - i, m.Cols, m.Stride, m.Data[i*m.Stride : max(i*m.Stride, (j-1)*m.Stride+m.Cols)]}
}

// Gather returns a copy of some rows.
func (m Matrix) Gather(rows []int) Matrix {
	out := New(len(rows), m.Cols)
	for i, row := range rows {
		copy(out.Row(i), m.Row(row))
	}
	return out
}

// Columns returns columns from i up to but not including j as a matrix.
func (m Matrix) Columns(i, j int) Matrix {
	if uint(i) > uint(j) || uint(j) > uint(m.Cols) {
		panic(outside)
	}
	return Matrix{m.Rows, j - i, m.Stride, m.Data[min(i, len(m.Data)):]}
}

const outside = "f32: view of rows or columns that a matrix does not have"

// check panics unless the data holds every element of the matrix.
func (m *Matrix) check() {
	if m.Rows < 0 || m.Cols < 0 || m.Stride < m.Cols || m.Rows > 0 && len(m.Data) < (m.Rows-1)*m.Stride+m.Cols {
		m.complain()
	}
}

// complain is apart so that check is inlined.
//
//go:noinline
func (m *Matrix) complain() {
	panic(fmt.Sprintf("f32: %d floats for a matrix of %d×%d with stride %d", len(m.Data), m.Rows, m.Cols, m.Stride))
}

// same panics unless all lengths are n.
func same(kernel string, n int, lengths ...int) {
	for _, l := range lengths {
		if l != n {
			panic(fmt.Sprintf("f32: %s of %d floats and %d", kernel, n, l))
		}
	}
}

// shape panics unless every matrix has the given shape and no gap between rows.
func shape(kernel string, rows, cols int, ms ...Matrix) {
	for _, m := range ms {
		if m.Rows != rows || m.Cols != cols || m.Stride != cols || len(m.Data) < rows*cols {
			panic(fmt.Sprintf("f32: %s needs %d×%d without gaps, got %d×%d with stride %d and %d floats",
				kernel, rows, cols, m.Rows, m.Cols, m.Stride, len(m.Data)))
		}
	}
}
