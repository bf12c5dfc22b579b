package f32

import "sync"

// Rows that are a power of two apart share a few places of the first caches, so that one drives out the other. So where there
// is work enough, what is multiplied is copied to where it lies together: a stretch of A's columns in the order in
// which tiles read it, and the rows of B that belong to it, a panel at a time ('quotient bench network' shows what it is worth). The sums go on where the last stretch left them, in the same order.
const (
	deep = 512  // of A's columns and B's rows
	many = 1024 // of A's rows, which bounds the room
)

// isLarge reports whether a product pays for copies.
func (f *factors) isLarge(rows int) bool {
	const few, apart = 24, 512
	return rows >= few && f.b.Stride >= apart && f.b.Rows >= few
}

// A room holds what is copied.
type room struct{ a, b []float32 }

var rooms = sync.Pool{New: func() any { return new(room) }}

// stretches multiplies by parts that have room.
func (f *factors) stretches(c *Matrix, columns int, from *Lookup) {
	room := rooms.Get().(*room)
	defer rooms.Put(room)
	for i := 0; i < c.Rows; i += many {
		end := min(i+many, c.Rows)
		rows, look := c.View(i, end), from
		if from != nil {
			look = &Lookup{from.Table, from.Index[i:end]}
		}
		for l := 0; l < f.b.Rows; l += deep {
			part := f.part(i, end, l, min(l+deep, f.b.Rows))
			part.panels(&rows, columns, look, room)
			look = nil
		}
	}
}

// part returns what of the factors makes rows i to j of C from rows l to m of B.
func (f *factors) part(i, j, l, m int) factors {
	if f.transposed {
		return factors{a: f.a.View(l, m).Columns(i, j), transposed: true, b: f.b.View(l, m)}
	}
	return factors{a: f.a.View(i, j).Columns(l, m), b: f.b.View(l, m)}
}

// packLeft copies A, tile by tile as high as t's, and in each of them column by column.
func (t *tiles) packLeft(f *factors, rows int, room *room) {
	k := f.b.Rows
	room.a = grown(room.a, rows*k)
	i := 0
	for h, n := range t.split(rows) {
		high := t.heights[h]
		for range n {
			to := room.a[i*k:][:high*k]
			if f.transposed {
				for l := range k {
					copy(to[l*high:][:high], f.a.Row(l)[i:])
				}
			} else {
				for r := range high {
					for l, x := range f.a.Row(i + r) {
						to[l*high+r] = x
					}
				}
			}
			i += high
		}
	}
}

// packRight copies a panel of B so that its rows follow one another.
func (r *room) packRight(m Matrix) Matrix {
	r.b = grown(r.b, m.Rows*m.Cols)
	packed := Of(m.Rows, m.Cols, r.b)
	for i := range m.Rows {
		copy(packed.Row(i), m.Row(i))
	}
	return packed
}

// grown returns x, or something longer if it has fewer than n floats.
func grown(x []float32, n int) []float32 {
	if len(x) < n {
		return Slice(n)
	}
	return x
}
