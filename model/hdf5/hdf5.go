// Package hdf5 reads the part of HDF5 that h5py and Keras write: groups in symbol tables or
// in headers, attributes that are text, and arrays of numbers in one piece or in chunks,
// also deflated and shuffled.
//
// Files come from strangers. Every structure is held against the length of the file, each
// step and each byte is paid for out of a budget, and what is not understood is refused by
// its name. Objects are looked up by path, so that links in a circle lead nowhere.
//
// The format is that of the HDF5 File Format Specification, versions 0 to 3.
package hdf5

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"quotient/model/frugal"
)

// Signature is what a file begins with.
const Signature = "\x89HDF\r\n\x1a\n"

// repack is what remains to be done with a file that uses another part of the format.
const repack = "h5repack --low=0 --high=0 writes it in the usual one"

// A file is what all objects of it share.
type file struct {
	data           []byte
	offset, length int // bytes of an address, and of a length
	budget         *frugal.Budget
}

// Open returns the root group of a file.
func Open(data []byte) (*Object, error) {
	if !bytes.HasPrefix(data, []byte(Signature)) {
		return nil, errors.New("hdf5: it does not begin as an HDF5 file does")
	}
	f := &file{data: data, budget: frugal.New(len(data))}
	c := f.from(0, Signature)
	version := c.uint(1)
	switch version {
	case 0, 1:
		c.skip(4)
	case 2, 3:
	default:
		return nil, fmt.Errorf("hdf5: version %d of the format is not supported; %s", version, repack)
	}
	f.offset, f.length = int(c.uint(1)), int(c.uint(1))
	for _, size := range []int{f.offset, f.length} {
		if size != 4 && size != 8 {
			return nil, fmt.Errorf("hdf5: addresses of %d and lengths of %d bytes", f.offset, f.length)
		}
	}
	if version < 2 {
		c.skip(1 + 4 + 4 + 4*int(version))
	} else {
		c.skip(1)
	}
	if base := c.uint(f.offset); base != 0 {
		return nil, fmt.Errorf("hdf5: addresses count from byte %d; %s", base, repack)
	}
	c.skip(2 * f.offset)
	if version < 2 {
		c.skip(2 * f.offset) // of the driver, and of the root's name
	}
	root := c.uint(f.offset)
	if c.err != nil {
		return nil, fmt.Errorf("hdf5: superblock: %w", c.err)
	}
	o, err := f.object("/", root)
	if err != nil {
		return nil, fmt.Errorf("hdf5: %w", err)
	}
	return o, nil
}

// An Object is a group or an array.
type Object struct {
	*file
	Path     string // from the root
	messages []message
	links    []link // of a group
	listed   bool   // links have been read
}

// A link leads to an object of a group.
type link struct {
	name    string
	address uint64
}

// Names returns the names of what is in a group, in the order of the file; none for an array.
func (o *Object) Names() (names []string, err error) {
	if err := o.list(); err != nil {
		return nil, fmt.Errorf("hdf5: %s: %w", o.Path, err)
	}
	if err := o.budget.Spend(16 * len(o.links)); err != nil {
		return nil, fmt.Errorf("hdf5: %s: %w", o.Path, err)
	}
	names = make([]string, len(o.links))
	for i, l := range o.links {
		names[i] = l.name
	}
	return names, nil
}

// Find returns what stands under a path, such as layers/dense/vars, or nil.
func (o *Object) Find(path string) (*Object, error) {
	for _, name := range strings.Split(path, "/") {
		if name == "" {
			continue
		}
		if err := o.list(); err != nil {
			return nil, fmt.Errorf("hdf5: %s: %w", o.Path, err)
		}
		if err := o.budget.Spend(findCost + len(o.links)); err != nil {
			return nil, fmt.Errorf("hdf5: %s: %w", o.Path, err)
		}
		var next *Object
		for _, l := range o.links {
			if l.name != name {
				continue
			}
			var err error
			if next, err = o.object(strings.TrimSuffix(o.Path, "/")+"/"+name, l.address); err != nil {
				return nil, fmt.Errorf("hdf5: %w", err)
			}
			break
		}
		if next == nil {
			return nil, nil
		}
		o = next
	}
	return o, nil
}

// findCost is what looking for an object takes: the object, or an error that says why not.
// Many links may lead to one place.
const findCost = 1024

// A cursor reads a file from a place on, or a part of it. After the first error there are
// only zeros.
type cursor struct {
	*file
	data []byte
	at   int
	err  error
}

// part is a cursor over bytes of the file.
func (f *file) part(data []byte) *cursor { return &cursor{file: f, data: data} }

// from is a cursor at an address that must have a signature.
func (f *file) from(address uint64, signature string) *cursor {
	c := f.part(f.data)
	if address > uint64(len(f.data)) {
		c.err = fmt.Errorf("address %d in a file of %d bytes; it may have been cut off", address, len(f.data))
		return c
	}
	c.at = int(address)
	if got := c.bytes(len(signature)); c.err == nil && string(got) != signature {
		c.err = fmt.Errorf("byte %d should begin with %q", address, signature)
	}
	return c
}

func (c *cursor) bytes(n int) []byte {
	if c.err == nil {
		c.err = c.budget.Spend(stepCost)
	}
	if c.err == nil && (n < 0 || n > len(c.data)-c.at) {
		c.err = fmt.Errorf("%d bytes are wanted at byte %d of %d; it may have been cut off", n, c.at, len(c.data))
	}
	if c.err != nil {
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at : c.at]
}

// stepCost is what reading a value costs: little, but no file has a circle that is free.
const stepCost = 1

func (c *cursor) skip(n int) { c.bytes(n) }

// uint reads a number of up to eight bytes.
func (c *cursor) uint(size int) uint64 {
	var wide [8]byte
	copy(wide[:], c.bytes(size))
	return binary.LittleEndian.Uint64(wide[:])
}

// size reads a number of so many bytes that counts something in the file, or of it.
func (c *cursor) size(bytes int) int {
	n := c.uint(bytes)
	if c.err == nil && n > 1<<40 {
		c.err = fmt.Errorf("a size of %d at byte %d", n, c.at-bytes)
	}
	if c.err != nil {
		return 0
	}
	return int(n)
}

// defined reports whether an address leads anywhere.
func (f *file) defined(address uint64) bool {
	return address != 1<<(8*f.offset)-1 // shifting by 64 leaves 0
}
