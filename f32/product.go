package f32

import "fmt"

// MulAdd adds the product A·B to C:
//
//	for i, j, l { c[i][j] += a[i][l] * b[l][j] }
func MulAdd(c, a, b Matrix) {
	if a.Rows != c.Rows || a.Cols != b.Rows || b.Cols != c.Cols {
		panic(fmt.Sprintf("f32: %d×%d += %d×%d · %d×%d", c.Rows, c.Cols, a.Rows, a.Cols, b.Rows, b.Cols))
	}
	mulAdd(&c, &a, false, &b)
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
	mulAdd(&c, &a, true, &b)
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
	a.check()
	b.check()
	c.check()
	i, j := narrowFast(&c, &a, &b)
	if i == c.Rows && j == c.Cols {
		return
	}
	mulAddDots(c.View(0, i).Columns(j, c.Cols), a.View(0, i), b.View(j, b.Rows))
	mulAddDots(c.View(i, c.Rows), a.View(i, a.Rows), b)
}

// mulAddDots is MulAddNT by scalar products, a few at a time.
func mulAddDots(c, a, b Matrix) {
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

func mulAdd(c, a *Matrix, transposed bool, b *Matrix) {
	a.check()
	b.check()
	c.check()
	if c.Rows == 0 || b.Rows == 0 {
		return
	}
	done := mulAddFast(c, a, transposed, b)
	if done == c.Cols {
		return
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
