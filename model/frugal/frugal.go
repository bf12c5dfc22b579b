// Package frugal reads what strangers wrote: archives are inflated and numbers are made at
// the expense of a budget, which is a small multiple of the file's length.
package frugal

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"quotient/f32"
	"quotient/rnn"
)

// What a file may take of memory: so many bytes, and so many times its length.
const (
	Free   = 8 << 20
	Factor = 16
)

// ErrLarge says that a file claims more than it can have.
var ErrLarge = errors.New("it would take far more memory than the file is long")

// A Budget is how many bytes of memory a file may still take.
type Budget struct{ left int }

// New returns the budget of a file of so many bytes.
func New(length int) *Budget { return &Budget{Free + Factor*length} }

// Spend takes so many bytes of it.
func (b *Budget) Spend(n int) error {
	if n < 0 || n > b.left {
		return ErrLarge
	}
	b.left -= n
	return nil
}

// An Archive is a zip archive, its files in their order.
type Archive []*zip.File

// OpenArchive opens an archive, in which no name may occur twice.
func OpenArchive(data []byte) (Archive, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("zip archive: %w; it may have been cut off", err)
	}
	seen := make(map[string]bool, len(archive.File))
	for _, f := range archive.File {
		if seen[f.Name] {
			return nil, fmt.Errorf("zip archive: %q occurs twice", f.Name)
		}
		seen[f.Name] = true
	}
	return archive.File, nil
}

// Find returns the file of a name, or nil.
func (a Archive) Find(name string) *zip.File {
	for _, f := range a {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Entry returns what a file of an archive holds: if it is stored, a part of data itself,
// otherwise inflated at the expense of a budget.
func Entry(data []byte, f *zip.File, spend func(n int) error) ([]byte, error) {
	at, err := f.DataOffset()
	if err != nil {
		return nil, err
	}
	if f.Method == zip.Store {
		size := f.UncompressedSize64
		if at < 0 || at > int64(len(data)) || size > uint64(int64(len(data))-at) {
			return nil, fmt.Errorf("%d bytes at byte %d of a file of %d", size, at, len(data))
		}
		return data[at : at+int64(size)], nil
	}
	if f.UncompressedSize64 > math.MaxInt/2 {
		return nil, spend(-1)
	}
	size := int(f.UncompressedSize64)
	if err := spend(2 * size); err != nil { // slices grow
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return Exactly(r, size)
}

// Exactly reads all that there is, which must be so many bytes.
func Exactly(r io.Reader, size int) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, int64(size)+1))
	if err != nil {
		return nil, err
	}
	if len(content) != size {
		return nil, fmt.Errorf("it does not have the %d bytes that the archive says", size)
	}
	return content, nil
}

// Gunzip inflates a file, unless it becomes longer than weights do.
func Gunzip(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	limit := Free/4 + Factor/4*len(data)
	content, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w; it may have been cut off", err)
	}
	if len(content) > limit {
		return nil, fmt.Errorf("gzip: %w: %d bytes inflate to more than %d; gunzip it if you trust it", ErrLarge, len(data), limit)
	}
	return content, nil
}

// Numbers makes a tensor of the bytes of its numbers, none of which may be NaN or infinite.
// The type has one of the names of [rnn.NumberTypes].
func (b *Budget) Numbers(kind string, order binary.ByteOrder, dims []int, data []byte) ([]float32, error) {
	number, ok := rnn.NumberTypeOf(kind)
	if !ok {
		return nil, fmt.Errorf("its numbers are of type %s, which is not supported; float64, float32, float16 and integers are", kind)
	}
	n, err := Count(dims, len(data)/number.Bytes)
	if err == nil && n*number.Bytes != len(data) {
		err = fmt.Errorf("shape %v takes %d bytes, but there are %d", dims, n*number.Bytes, len(data))
	}
	if err == nil {
		err = b.Spend(4 * n)
	}
	if err != nil {
		return nil, err
	}
	out := number.Numbers(data, order)
	if i := f32.Finite(out); i < n {
		return nil, fmt.Errorf("it holds %v at position %d", out[i], i)
	}
	return out, nil
}

// Count returns how many numbers a shape has, if they are not more than a limit.
func Count(dims []int, limit int) (int, error) {
	n := 1
	for _, d := range dims {
		if d < 0 || d > 0 && n > limit/d {
			return 0, fmt.Errorf("shape %v has more than the %d numbers that there are", dims, limit)
		}
		n *= d
	}
	return n, nil
}
