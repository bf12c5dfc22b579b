package f32

// A tile is a kernel that adds A·B to n stretches of some rows of C, one below
// the other, or to what an index looks up in a table. Strides are in bytes; an leads from one
// stretch's A to the next's.
type tile func(c *float32, cs int, a *float32, as, an int, b *float32, bs int, k, n int, table *float32, ts int, index *int32)

// tiles holds the kernels of one width, the highest first.
type tiles struct {
	heights    [3]int
	plain      [3]tile
	transposed [3]tile // for Aᵀ·B
}

// split returns how many tiles of each height make up the rows. One high tile
// less is better where two lower ones then leave nothing over: 8 is 4+4, not 6+1+1.
func (t *tiles) split(rows int) [3]int {
	if t.heights[0] == 8 {
		return [3]int{rows / 8, rows % 8 / 4, rows % 4}
	}
	high := rows / 6
	if rows%6 == 2 && high > 0 {
		high--
	}
	rest := rows - 6*high
	return [3]int{high, rest / 4, rest % 4}
}

// Kernels for one block of columns and more. See internal/asm for the choice.
var (
	avx2Tiles = []tiles{
		{[3]int{6, 4, 1}, [3]tile{tile6x1AVX2, tile4x1AVX2, tile1x1AVX2}, [3]tile{ttile6x1AVX2, ttile4x1AVX2, ttile1x1AVX2}},
	}
	avx512Tiles = []tiles{
		{[3]int{8, 4, 1}, [3]tile{tile8x1AVX512, tile4x1AVX512, tile1x1AVX512}, [3]tile{ttile8x1AVX512, ttile4x1AVX512, ttile1x1AVX512}},
		{[3]int{8, 4, 1}, [3]tile{tile8x2AVX512, tile4x2AVX512, tile1x2AVX512}, [3]tile{ttile8x2AVX512, ttile4x2AVX512, ttile1x2AVX512}},
		{[3]int{8, 4, 1}, [3]tile{tile8x3AVX512, tile4x3AVX512, tile1x3AVX512}, [3]tile{ttile8x3AVX512, ttile4x3AVX512, ttile1x3AVX512}},
		{[3]int{6, 4, 1}, [3]tile{tile6x4AVX512, tile4x4AVX512, tile1x4AVX512}, [3]tile{ttile6x4AVX512, ttile4x4AVX512, ttile1x4AVX512}},
	}
)

// factors are what is multiplied: A or its transpose, and B.
type factors struct {
	a          Matrix
	transposed bool
	packed     bool // A is as packLeft leaves it
	b          Matrix
}

// mulAddFast returns how many columns are done.
func mulAddFast(c, a *Matrix, transposed bool, b *Matrix, from *Lookup) int {
	columns := c.Cols / Block * Block
	if isa == Plain || columns == 0 {
		return 0
	}
	f := factors{a: *a, transposed: transposed, b: *b}
	if f.isLarge(c.Rows) {
		f.stretches(c, columns, from)
	} else {
		f.panels(c, columns, from, nil)
	}
	return columns
}

// panels takes a few blocks of columns at a time, so that the part of B it reads stays in the
// first caches while the rows pass by, and as many rows as the highest tile has. With room, that part
// is copied there, and A is, once for all panels whose tiles are as high.
func (f *factors) panels(c *Matrix, columns int, from *Lookup, room *room) {
	sets := avx512Tiles
	if isa == AVX2 {
		sets = avx2Tiles
	}
	high := 0
	for j := 0; j < columns; {
		left := (columns - j) / Block
		blocks := left // panels of like widths
		if most := len(sets); left > 2*most {
			blocks = most
		} else if left > most {
			blocks = (left + 1) / 2
		}
		end, set := j+blocks*Block, &sets[blocks-1]
		part := factors{f.a, f.transposed, false, f.b.Columns(j, end)}
		if room != nil {
			if high != set.heights[0] {
				high = set.heights[0]
				set.packLeft(f, c.Rows, room)
			}
			part = factors{a: Matrix{Data: room.a}, packed: true, b: room.packRight(part.b)}
		}
		to, look := c.Columns(j, end), from
		if from != nil {
			look = &Lookup{from.Table.Columns(j, end), from.Index}
		}
		set.panel(&to, &part, look)
		j = end
	}
}

// panel does as many columns as the tiles are wide.
func (t *tiles) panel(c *Matrix, f *factors, from *Lookup) {
	var ap, bp, table *float32
	var index *int32
	ts := 0
	if f.b.Rows > 0 {
		bp = &f.b.Data[0]
	}
	if from != nil {
		table, ts = &from.Table.Data[0], 4*from.Table.Stride
	}
	kernels := &t.plain
	if f.transposed || f.packed {
		kernels = &t.transposed
	}
	i := 0
	for h, n := range t.split(c.Rows) {
		if n == 0 {
			continue
		}
		down, stride := f.apart(t.heights[h])
		if f.b.Rows > 0 {
			ap = &f.a.Data[i*down]
		}
		if from != nil {
			index = &from.Index[i]
		}
		kernels[h](&c.Data[i*c.Stride], 4*c.Stride, ap, 4*stride, 4*t.heights[h]*down, bp, 4*f.b.Stride, f.b.Rows, n, table, ts, index)
		i += n * t.heights[h]
	}
}

// apart returns how many floats of A a row takes from one tile to the next, and the stride in which tiles of that height read it.
func (f *factors) apart(high int) (down, stride int) {
	switch {
	case f.packed:
		return f.b.Rows, high
	case f.transposed:
		return 1, f.a.Stride
	}
	return f.a.Stride, f.a.Stride
}

// fullRows returns how many rows tiles other than those of a single one make up.
func fullRows(n int) int {
	switch {
	case isa == AVX512:
		return (n + 3) / 4 * 4
	case isa == AVX2:
		return max(4, (n+1)/2*2)
	}
	return n
}

// narrowFast reports whether it has done the product.
func narrowFast(c, a, b *Matrix, from *Lookup) bool {
	if c.Rows == 0 || c.Cols == 0 || c.Cols%4 > 0 || a.Cols == 0 || a.Cols%Block > 0 {
		return false
	}
	switch {
	case isa == AVX2:
		narrowDots(c, a, b, from)
		return true
	case isa != AVX512 || c.Rows%4 > 0:
		return false
	}
	var table *float32
	var index *int32
	ts := 0
	for j := 0; j < c.Cols; j += 4 {
		if from != nil {
			table, ts, index = &from.Table.Data[j], 4*from.Table.Stride, &from.Index[0]
		}
		narrowAVX512(&c.Data[j], 4*c.Stride, &a.Data[0], 4*a.Stride, &b.Data[j*b.Stride], 4*b.Stride, 4*a.Cols, c.Rows/4, table, ts, index)
	}
	return true
}

// narrowDots makes a row at a time, which are the same sums.
func narrowDots(c, a, b *Matrix, from *Lookup) {
	if from != nil {
		from.copyTo(c, 0)
	}
	var sums [4]float32
	for i := range c.Rows {
		row, x := c.Row(i), &a.Data[i*a.Stride]
		for j := 0; j < len(row); j += 4 {
			dots4AVX2(&sums[0], &b.Data[j*b.Stride], 4*b.Stride, x, 4*a.Cols, 1)
			for k, y := range sums {
				row[j+k] += y
			}
		}
	}
}
