package predictive

import (
	"math"

	"quotient/f32"
	"quotient/internal/parallel"
)

// Points are compared with all centers in batches that fit into the first cache, several of which
// are the work of one thread.
const (
	batchRows = 48
	stretch   = 32 * batchRows
)

// lowest returns for every point x which of some functions, offset - slope·x, is the least there, the
// first of several. The logarithms of predictions as slopes give the prediction from which x diverges
// least; twice the centers of clusters, with their squares as offsets, the nearest center. Products are
// float32: between two that are as close as that, either will do.
func lowest(points [][]float32, slopes [][]float64, offsets []float64) []int32 {
	width, columns := len(points[0]), f32.Padded(len(slopes))
	table, start := f32.New(width, columns), f32.New(1, columns)
	for c := range columns {
		if c >= len(slopes) {
			start.Row(0)[c] = float32(math.Inf(1))
			continue
		}
		start.Row(0)[c] = float32(offsets[c])
		for i, x := range slopes[c] {
			table.Row(i)[c] = float32(-x)
		}
	}
	best := make([]int32, len(points))
	parallel.Stretches(len(points), stretch, func(from, to int) {
		batch, product := f32.New(batchRows, width), f32.New(batchRows, columns)
		zeros, first, second := make([]int32, batchRows), make([]float32, batchRows), make([]float32, batchRows)
		for ; from < to; from += batchRows {
			n := min(batchRows, to-from)
			for i := range n {
				copy(batch.Row(i), points[from+i])
			}
			f32.MulAddTo(product.View(0, n), f32.Lookup{Table: start, Index: zeros[:n]}, batch.View(0, n), table)
			f32.Least(best[from:][:n], first[:n], second[:n], product.View(0, n))
		}
	})
	return best
}
