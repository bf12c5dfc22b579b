package hdf5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"quotient/model/frugal"
)

// A form is a datatype.
type form struct {
	class, size int
	number      string // of numbers: a name of rnn.NumberTypes
	order       binary.ByteOrder
	text        bool // of variable length
}

// The classes of datatypes that are read.
const (
	integers = 0
	floats   = 1
	texts    = 3
	variable = 9
)

// form reads a datatype.
func (f *file) form(data []byte) (t form, err error) {
	c := f.part(data)
	class := c.uint(1)
	bits := c.uint(3)
	t = form{class: int(class & 15), size: c.size(4), order: binary.LittleEndian}
	if bits&1 != 0 {
		t.order = binary.BigEndian
	}
	switch t.class {
	case floats:
		c.skip(5) // the place of the fraction's first bit, how many bits there are, where the exponent begins
		switch exponent := c.uint(1); {
		case t.size == 8 && exponent == 11:
			t.number = "F64"
		case t.size == 4 && exponent == 8:
			t.number = "F32"
		case t.size == 2 && exponent == 5:
			t.number = "F16"
		case t.size == 2 && exponent == 8:
			t.number = "BF16"
		}
	case integers:
		t.number = map[int]string{8: "I64", 4: "I32", 2: "I16", 1: "I8"}[t.size]
		if bits&8 == 0 && t.size == 1 {
			t.number = "U8"
		}
	case variable:
		t.text = bits&15 == 1
	}
	if c.err == nil && (t.size < 1 || t.size > len(f.data)) {
		c.err = fmt.Errorf("a datatype of %d bytes", t.size)
	}
	return t, c.err
}

// shape reads a dataspace.
func (f *file) shape(data []byte) (dims []int, err error) {
	c := f.part(data)
	version, rank, flags := c.uint(1), int(c.uint(1)), c.uint(1)
	if version == 1 {
		c.skip(5)
	} else if kind := c.uint(1); kind == 2 {
		return []int{0}, c.err // there is nothing in it
	}
	if c.err == nil && (version < 1 || version > 2 || rank > maxRank || flags > 3) {
		return nil, fmt.Errorf("a dataspace of version %d with %d dimensions", version, rank)
	}
	dims = make([]int, rank)
	for i := range dims {
		dims[i] = c.size(f.length)
	}
	return dims, c.err
}

// maxRank is what HDF5 allows.
const maxRank = 32

// Text returns an attribute that is one text, and whether there is one of the name.
func (o *Object) Text(name string) (string, bool, error) {
	list, found, err := o.Texts(name)
	if err == nil && found && len(list) != 1 {
		err = fmt.Errorf("hdf5: %s: attribute %q has %d texts, not one", o.Path, name, len(list))
	}
	if err != nil || !found {
		return "", false, err
	}
	return list[0], true, nil
}

// Texts returns an attribute that is a list of texts, and whether there is one of the name.
func (o *Object) Texts(name string) (list []string, found bool, err error) {
	for _, m := range o.messages {
		switch {
		case m.kind == attribute && !m.shared:
			list, found, err = o.attribute(m.data, name)
		case m.kind == attributeInfo:
			err = o.sparse(m.data, 2, "attributes")
		}
		if err != nil {
			return nil, false, fmt.Errorf("hdf5: %s: attribute %q: %w", o.Path, name, err)
		}
		if found {
			return list, true, nil
		}
	}
	return nil, false, nil
}

// attribute reads an attribute if it has the name.
func (o *Object) attribute(data []byte, want string) (list []string, found bool, err error) {
	c := o.part(data)
	version, flags := c.uint(1), c.uint(1)
	sizes := [3]int{c.size(2), c.size(2), c.size(2)}
	var pieces [3][]byte // name, datatype, dataspace
	if version == 3 {
		c.skip(1)
	}
	for i, size := range sizes {
		pieces[i] = c.bytes(size)
		if version == 1 {
			c.skip(-size & 7)
		}
	}
	if c.err != nil || string(bytes.TrimRight(pieces[0], "\x00")) != want {
		return nil, false, c.err
	}
	if version < 1 || version > 3 || version > 1 && flags != 0 {
		return nil, false, fmt.Errorf("version %d with flags %d; %s", version, flags, repack)
	}
	t, err := o.form(pieces[1])
	if err != nil {
		return nil, false, err
	}
	dims, err := o.shape(pieces[2])
	if err != nil {
		return nil, false, err
	}
	n, err := frugal.Count(dims, (len(data)-c.at)/t.size)
	if err != nil {
		return nil, false, err
	}
	for range n {
		text, err := o.text(t, c.bytes(t.size))
		if err != nil {
			return nil, false, err
		}
		list = append(list, text)
	}
	return list, true, c.err
}

// text returns a text that lies in the file as it is, or in the heap of all texts.
func (o *Object) text(t form, data []byte) (string, error) {
	if t.class == texts {
		return strings.TrimRight(string(data), "\x00"), o.budget.Spend(2*len(data) + messageCost)
	}
	if !t.text {
		return "", fmt.Errorf("it is not text, but of class %d", t.class)
	}
	c := o.part(data)
	length, address, index := c.size(4), c.uint(o.offset), c.uint(4)
	if c.err != nil || length == 0 {
		return "", c.err
	}
	h := o.from(address, "GCOL")
	h.skip(4)
	end := h.at + h.size(o.length) - 8
	for h.err == nil && h.at < end {
		key := h.uint(2)
		h.skip(6)
		size := h.size(o.length)
		if key == 0 {
			break // what is free
		}
		content := h.bytes(size)
		if key == index && h.err == nil {
			if length > size {
				return "", fmt.Errorf("a text of %d bytes where %d are", length, size)
			}
			return strings.TrimRight(string(content[:length]), "\x00"), o.budget.Spend(2*length + messageCost)
		}
		h.skip(-size & 7)
	}
	if h.err != nil {
		return "", h.err
	}
	return "", fmt.Errorf("text %d of the heap at byte %d is missing", index, address)
}
