package hdf5

import (
	"bytes"
	"compress/zlib"
	"fmt"

	"quotient/model/frugal"
)

// IsArray reports whether an object is an array, and not a group.
func (o *Object) IsArray() bool {
	m, err := o.find(layout)
	return m != nil || err != nil
}

// Numbers returns an array of numbers and its shape.
func (o *Object) Numbers() (dims []int, numbers []float32, err error) {
	a, err := o.array()
	if err == nil {
		numbers, err = o.budget.Numbers(a.form.number, a.form.order, a.dims, a.bytes)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("hdf5: %s: %w", o.Path, err)
	}
	return a.dims, numbers, nil
}

// An array is the content of an object.
type array struct {
	form  form
	dims  []int
	bytes []byte
}

// array finds the bytes of an array, row by row.
func (o *Object) array() (*array, error) {
	var parts [3][]byte
	for i, kind := range []int{datatype, dataspace, layout} {
		m, err := o.find(kind)
		if err != nil {
			return nil, err
		}
		if m == nil {
			return nil, fmt.Errorf("it is not an array: message %#x is missing", kind)
		}
		parts[i] = m.data
	}
	t, err := o.form(parts[0])
	if err != nil {
		return nil, err
	}
	if t.number == "" {
		return nil, fmt.Errorf("it holds values of class %d and %d bytes, not numbers that are supported", t.class, t.size)
	}
	a := &array{form: t}
	if a.dims, err = o.shape(parts[1]); err != nil {
		return nil, err
	}
	c := o.part(parts[2])
	version, class := c.uint(1), c.uint(1)
	if c.err == nil && version != 3 && version != 4 {
		return nil, fmt.Errorf("a layout of version %d; %s", version, repack)
	}
	switch class {
	case 0: // in the header
		a.bytes = c.bytes(int(c.uint(2)))
	case 1: // in one piece
		address := c.uint(o.offset)
		size := c.size(o.length)
		if c.err == nil && !o.defined(address) {
			return nil, fmt.Errorf("its numbers were never written")
		}
		d := o.from(address, "")
		if a.bytes = d.bytes(size); c.err == nil {
			c.err = d.err
		}
	case 2:
		err = o.chunks(a, c, version)
	default:
		return nil, fmt.Errorf("a layout of class %d; %s", class, repack)
	}
	if err == nil {
		err = c.err
	}
	return a, err
}

// A chunking says how an array is cut into chunks.
type chunking struct {
	*Object
	*array
	dims    []int // of a chunk
	size    int   // of a chunk, in bytes
	filters []int
	found   int // bytes of the array that have been found
}

// chunks puts an array together.
func (o *Object) chunks(a *array, c *cursor, version uint64) error {
	if version == 4 {
		return fmt.Errorf("chunks in a layout of version 4; %s", repack)
	}
	rank, tree := int(c.uint(1))-1, c.uint(o.offset)
	if c.err == nil && rank != len(a.dims) {
		return fmt.Errorf("chunks of %d dimensions for an array of %d", rank, len(a.dims))
	}
	k := &chunking{Object: o, array: a}
	for range len(a.dims) {
		k.dims = append(k.dims, c.size(4))
	}
	if c.err != nil {
		return c.err
	}
	numbers, err := frugal.Count(k.dims, 1<<40)
	if err != nil || numbers == 0 {
		return fmt.Errorf("chunks of shape %v", k.dims)
	}
	k.size = numbers * a.form.size
	total, err := frugal.Count(a.dims, 1<<40)
	if err == nil {
		err = o.budget.Spend(total * a.form.size)
	}
	if err != nil {
		return err
	}
	a.bytes = make([]byte, total*a.form.size)
	if k.filters, err = o.filters(); err != nil {
		return err
	}
	if o.defined(tree) {
		err = k.tree(tree, maxLevels)
	}
	if err == nil && k.found < len(a.bytes) {
		err = fmt.Errorf("only %d of its %d bytes were written", k.found, len(a.bytes))
	}
	return err
}

// filters returns what chunks went through before they were written.
func (o *Object) filters() (list []int, err error) {
	m, err := o.find(filters)
	if err != nil || m == nil {
		return nil, err
	}
	c := o.part(m.data)
	version, n := c.uint(1), int(c.uint(1))
	if version == 1 {
		c.skip(6)
	}
	for range n {
		id, name := int(c.uint(2)), 0
		if version == 1 || id >= 256 {
			name = int(c.uint(2))
		}
		c.skip(2)
		values := int(c.uint(2))
		c.skip(name + 4*values)
		if version == 1 {
			c.skip(4 * (values & 1))
		}
		if c.err != nil {
			return nil, c.err
		}
		if id != deflate && id != shuffle && id != checksum {
			return nil, fmt.Errorf("it is compressed by filter %d, and only gzip and shuffle are supported; h5repack -f NONE leaves it out", id)
		}
		list = append(list, id)
	}
	return list, c.err
}

// The filters that are undone.
const (
	deflate  = 1
	shuffle  = 2
	checksum = 3 // behind the chunk, and not checked
)

// tree collects the chunks below a node.
func (k *chunking) tree(address uint64, levels int) error {
	c := k.from(address, "TREE")
	if kind := c.uint(1); c.err == nil && kind != 1 || levels == 0 {
		return fmt.Errorf("a tree of kind %d where chunks should be, or of more than %d levels", kind, maxLevels)
	}
	leaf := c.uint(1) == 0
	entries := int(c.uint(2))
	c.skip(2 * k.offset)
	for range entries {
		size, mask := c.size(4), c.uint(4)
		place := make([]int, len(k.dims))
		for i := range place {
			place[i] = c.size(8)
		}
		c.skip(8)
		child := c.uint(k.offset)
		if c.err != nil {
			return c.err
		}
		var err error
		if leaf {
			err = k.chunk(child, size, mask, place)
		} else {
			err = k.tree(child, levels-1)
		}
		if err != nil {
			return err
		}
	}
	return c.err
}

// chunk copies a chunk to its place.
func (k *chunking) chunk(address uint64, size int, mask uint64, place []int) error {
	c := k.from(address, "")
	data := c.bytes(size)
	err := c.err
	for i := len(k.filters) - 1; i >= 0 && err == nil; i-- {
		if mask&(1<<i) != 0 {
			continue
		}
		switch k.filters[i] {
		case deflate:
			data, err = k.inflate(data)
		case shuffle:
			data, err = k.unshuffle(data)
		case checksum:
			data = data[:max(0, len(data)-4)]
		}
	}
	if err != nil {
		return err
	}
	if len(data) != k.size {
		return fmt.Errorf("a chunk of %d bytes, not %d", len(data), k.size)
	}
	return k.place(data, place)
}

func (k *chunking) inflate(data []byte) ([]byte, error) {
	if err := k.budget.Spend(2 * k.size); err != nil {
		return nil, err
	}
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	most := k.size
	if len(k.filters) > 0 && k.filters[0] == checksum {
		most += 4
	}
	return frugal.Exactly(r, most)
}

// unshuffle brings the bytes of each number together.
func (k *chunking) unshuffle(data []byte) ([]byte, error) {
	if err := k.budget.Spend(len(data)); err != nil {
		return nil, err
	}
	out, width := make([]byte, len(data)), k.form.size
	n := len(data) / width
	for i := range n {
		for b := range width {
			out[i*width+b] = data[b*n+i]
		}
	}
	copy(out[n*width:], data[n*width:])
	return out, nil
}

// place copies the rows of a chunk, as far as they are in the array.
func (k *chunking) place(data []byte, place []int) error {
	width, last := k.form.size, len(place)-1
	if last < 0 {
		return fmt.Errorf("a number in chunks")
	}
	if err := k.budget.Spend(len(data)); err != nil {
		return err
	}
	for i, at := range place {
		if at >= k.array.dims[i] {
			return fmt.Errorf("a chunk at %v of shape %v", place, k.array.dims)
		}
	}
	row := k.dims[last] * width
	length := min(k.dims[last], k.array.dims[last]-place[last]) * width
	within := make([]int, last) // the row, counted like an odometer
	for from := 0; from < len(data); from += row {
		to, inside := 0, true
		for i := range last {
			to = to*k.array.dims[i] + place[i] + within[i]
			inside = inside && place[i]+within[i] < k.array.dims[i]
		}
		if inside {
			to = (to*k.array.dims[last] + place[last]) * width
			k.found += copy(k.bytes[to:to+length], data[from:])
		}
		for axis := last - 1; axis >= 0; axis-- {
			if within[axis]++; within[axis] < k.dims[axis] {
				break
			}
			within[axis] = 0
		}
	}
	return nil
}
