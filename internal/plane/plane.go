// Package plane shows states of a network in the plane.
package plane

import (
	"math"

	"quotient/f32"
)

// Spread returns at most most of the numbers from 0 to n-1, evenly spread.
func Spread(n, most int) []int {
	m := min(n, most)
	out := make([]int, m)
	for i := range out {
		out[i] = i * n / m
	}
	return out
}

// Project returns the rows of m on their first two principal components, a row of two
// numbers each, and what share of the variance each component has. Rows may be any
// states; the columns of a matrix that does not vary give zeros.
//
// The components come from orthogonal iteration on the covariance (Golub and Van
// Loan, Matrix Computations, 8.2.4) from a fixed start, so the same states always
// give the same picture. Of the two directions that a component has, the one in
// which its greatest coordinate is positive is taken.
func Project(m f32.Matrix) (at f32.Matrix, share [2]float64) {
	at = f32.New(m.Rows, 2)
	if m.Rows == 0 || m.Cols == 0 {
		return at, share
	}
	centered := center(m)
	covariance := f32.New(m.Cols, m.Cols)
	f32.MulAddT(covariance, centered, centered)
	total := 0.0
	for i := range m.Cols {
		total += float64(covariance.Row(i)[i])
	}
	if total == 0 {
		return at, share
	}
	axes := principal(covariance)
	for k, axis := range axes {
		for i := range m.Rows {
			x := dot(axis, centered.Row(i))
			at.Row(i)[k] = float32(x)
			share[k] += x * x / total
		}
	}
	return at, share
}

// center returns a copy of m from whose columns their means are taken.
func center(m f32.Matrix) f32.Matrix {
	mean := make([]float64, m.Cols)
	for i := range m.Rows {
		for j, x := range m.Row(i) {
			mean[j] += float64(x) / float64(m.Rows)
		}
	}
	out := f32.New(m.Rows, m.Cols)
	for i := range m.Rows {
		for j, x := range m.Row(i) {
			out.Row(i)[j] = float32(float64(x) - mean[j])
		}
	}
	return out
}

// rounds of the iteration. Where two variances are so close that it has not
// converged by then, any direction between the two shows as much.
const rounds = 300

// principal returns the two leading eigenvectors of a symmetric matrix.
func principal(c f32.Matrix) [2][]float64 {
	var axes [2][]float64
	for k := range axes {
		axes[k] = make([]float64, c.Cols)
		for j := range axes[k] {
			axes[k][j] = math.Cos(float64((k + 1) * (j + 1))) // any start that is not orthogonal to the answer
		}
	}
	orthonormalize(axes)
	for range rounds {
		for k := range axes {
			axes[k] = times(c, axes[k])
		}
		orthonormalize(axes)
	}
	rotate(c, &axes)
	for _, axis := range axes {
		greatest := 0.0
		for _, x := range axis {
			if math.Abs(x) > math.Abs(greatest) {
				greatest = x
			}
		}
		if greatest < 0 {
			for j := range axis {
				axis[j] = -axis[j]
			}
		}
	}
	return axes
}

// rotate turns two axes within their plane to the eigenvectors there.
func rotate(c f32.Matrix, axes *[2][]float64) {
	p, q := times(c, axes[0]), times(c, axes[1])
	a, b, d := dot(axes[0], p), dot(axes[0], q), dot(axes[1], q)
	sin, cos := math.Sincos(math.Atan2(2*b, a-d) / 2)
	for j := range axes[0] {
		x, y := axes[0][j], axes[1][j]
		axes[0][j], axes[1][j] = cos*x+sin*y, cos*y-sin*x
	}
}

// orthonormalize makes the axes orthogonal and of length 1; one that vanishes stays
// zero.
func orthonormalize(axes [2][]float64) {
	scale(axes[0])
	along := dot(axes[0], axes[1])
	for j := range axes[1] {
		axes[1][j] -= along * axes[0][j]
	}
	scale(axes[1])
}

func scale(x []float64) {
	if n := math.Sqrt(dot(x, x)); n > 0 {
		for j := range x {
			x[j] /= n
		}
	}
}

func times(c f32.Matrix, x []float64) []float64 {
	out := make([]float64, len(x))
	for i := range out {
		out[i] = dot(x, c.Row(i))
	}
	return out
}

func dot[T float32 | float64](x []float64, y []T) float64 {
	sum := 0.0
	for j := range x {
		sum += x[j] * float64(y[j])
	}
	return sum
}
