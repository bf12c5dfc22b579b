package f32

import "fmt"

// MulAdd adds the product A·B to C:
//
//	for i, j, l { c[i][j] += a[i][l] * b[l][j] }
func MulAdd(c, a, b Matrix) {
	if a.Rows != c.Rows || a.Cols != b.Rows || b.Cols != c.Cols {
		panic(fmt.Sprintf("f32: %d×%d += %d×%d · %d×%d", c.Rows, c.Cols, a.Rows, a.Cols, b.Rows, b.Cols))
	}
	mulAdd(&c, &a, false, &b, nil)
}

// MulAddT adds the product Aᵀ·B to C:
//
//	for i, j, l { c[i][j] += a[l][i] * b[l][j] }
//
// A weight's gradient is such a product over all rows of a batch.
func MulAddT(c, a, b Matrix) {
	if a.Cols != c.Rows || a.Rows != b.Rows || b.Cols != c.Cols {
		panic(fmt.Sprintf("f32: %d×%d += (%d×%d)ᵀ · %d×%d", c.Rows, c.Cols, a.Rows, a.Cols, b.Rows, b.Cols))
	}
	mulAdd(&c, &a, true, &b, nil)
}

// FullRows returns how many rows it is as fast to multiply as n, or faster: a row that is left over takes as long as four.
// Whoever has room for them, whatever it holds, had better multiply so many.
func FullRows(n int) int {
	if n < 2 {
		return n
	}
	return fullRows(n)
}

// MulAddNT adds the product A·Bᵀ to C, the scalar products of rows:
//
//	for i, j, l { c[i][j] += a[i][l] * b[j][l] }
//
// It is for narrow C: whole blocks of columns are better made with [MulAdd] from
// the transpose of B.
func MulAddNT(c, a, b Matrix) {
	if a.Rows != c.Rows || a.Cols != b.Cols || b.Rows != c.Cols {
		panic(fmt.Sprintf("f32: %d×%d += %d×%d · (%d×%d)ᵀ", c.Rows, c.Cols, a.Rows, a.Cols, b.Rows, b.Cols))
	}
	mulAddNT(&c, &a, &b, nil)
}

// A Lookup is a row of a table for each of some rows.
type Lookup struct {
	Table Matrix
	Index []int32
}

// MulAddTo sets C to rows of a table plus the product A·B:
//
//	for i, j { c[i][j] = table[index[i]][j] }
//	MulAdd(c, a, b)
func MulAddTo(c Matrix, from Lookup, a, b Matrix) {
	from.check(&c)
	if a.Rows != c.Rows || a.Cols != b.Rows || b.Cols != c.Cols {
		panic(fmt.Sprintf("f32: %d×%d = lookup + %d×%d · %d×%d", c.Rows, c.Cols, a.Rows, a.Cols, b.Rows, b.Cols))
	}
	mulAdd(&c, &a, false, &b, &from)
}

// MulAddNTTo sets C to rows of a table plus the product A·Bᵀ, like [MulAddTo].
func MulAddNTTo(c Matrix, from Lookup, a, b Matrix) {
	from.check(&c)
	if a.Rows != c.Rows || a.Cols != b.Cols || b.Rows != c.Cols {
		panic(fmt.Sprintf("f32: %d×%d = lookup + %d×%d · (%d×%d)ᵀ", c.Rows, c.Cols, a.Rows, a.Cols, b.Rows, b.Cols))
	}
	mulAddNT(&c, &a, &b, &from)
}

// Gather copies to every row of dst the row of the table that its index names:
//
//	for i { dst[i] = table[index[i]] }
func Gather(dst, table Matrix, index []int32) {
	from := Lookup{table, index}
	from.check(&dst)
	mulAdd(&dst, &Matrix{Rows: dst.Rows}, false, &Matrix{Cols: dst.Cols, Stride: dst.Cols}, &from)
}

// check panics unless there is a row for every row of c.
func (f *Lookup) check(c *Matrix) {
	if len(f.Index) != c.Rows || f.Table.Cols != c.Cols {
		panic(fmt.Sprintf("f32: %d rows of a table of %d columns for %d×%d", len(f.Index), f.Table.Cols, c.Rows, c.Cols))
	}
	f.Table.check()
	within(f.Index, f.Table.Rows)
}

// copyTo sets the columns of c from j.
func (f *Lookup) copyTo(c *Matrix, j int) {
	for i, k := range f.Index {
		copy(c.Row(i)[j:], f.Table.Row(int(k))[j:])
	}
}

// mulAdd adds A·B or Aᵀ·B to C, or to what is looked up for it. Assembly does
// whole blocks of columns, plain Go the rest.
func mulAdd(c, a *Matrix, transposed bool, b *Matrix, from *Lookup) {
	a.check()
	b.check()
	c.check()
	if c.Rows == 0 {
		return
	}
	done := mulAddFast(c, a, transposed, b, from)
	if done == c.Cols {
		return
	}
	if from != nil {
		from.copyTo(c, done)
	}
	down, right := a.Stride, 1
	if transposed {
		down, right = 1, a.Stride
	}
	for i := range c.Rows {
		row := c.Row(i)[done:]
		for l := range b.Rows {
			axpyPlain(row, a.Data[i*down+l*right], b.Row(l)[done:])
		}
	}
}

// mulAddNT adds A·Bᵀ to C, or to what is looked up for it. Assembly does it all
// or nothing.
func mulAddNT(c, a, b *Matrix, from *Lookup) {
	a.check()
	b.check()
	c.check()
	if narrowFast(c, a, b, from) {
		return
	}
	if from != nil {
		from.copyTo(c, 0)
	}
	var sums [16]float32
	for i := range c.Rows {
		for j := 0; j < c.Cols; j += len(sums) {
			s := sums[:min(len(sums), c.Cols-j)]
			Dots(s, b.View(j, j+len(s)), a.Row(i))
			for k, x := range s {
				c.Row(i)[j+k] += x
			}
		}
	}
}

// Transpose writes the transpose of src to dst:
//
//	for i, j { dst[j][i] = src[i][j] }
func Transpose(dst, src Matrix) {
	if dst.Rows != src.Cols || dst.Cols != src.Rows {
		panic(fmt.Sprintf("f32: %d×%d = (%d×%d)ᵀ", dst.Rows, dst.Cols, src.Rows, src.Cols))
	}
	dst.check()
	src.check()
	// Eight columns at a time touch as many cache lines of src, and write whole
	// stretches of dst.
	const strip = 8
	for j0 := 0; j0 < src.Cols; j0 += strip {
		for i := range src.Rows {
			for j, x := range src.Row(i)[j0:min(j0+strip, src.Cols)] {
				dst.Data[(j0+j)*dst.Stride+i] = x
			}
		}
	}
}
