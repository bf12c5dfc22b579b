// Package flax reads the weights of networks that Flax made: .msgpack files, as
// flax.serialization writes them, and its cells under their names in any file.
package flax

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"quotient/model/frugal"
	"quotient/rnn"
)

// Read returns the arrays of a .msgpack file. Their names are the keys on the way to them,
// with dots between. Where there are params among other things, as in a TrainState, only
// those count.
func Read(data []byte) ([]rnn.Tensor, error) {
	d := &decoder{data: data, budget: frugal.New(len(data))}
	root, err := d.value(maxDepth)
	if err == nil && d.at < len(data) {
		err = fmt.Errorf("%d bytes behind the end", len(data)-d.at)
	}
	if err != nil {
		return nil, fmt.Errorf("flax: msgpack: byte %d: %w", d.at, err)
	}
	m, ok := root.(dictionary)
	if !ok {
		return nil, errors.New("flax: msgpack: there is no dictionary in it; flax.serialization.to_bytes(params) writes one")
	}
	if params, ok := m.get("params").(dictionary); ok {
		m = params
	}
	if err := d.collect(m, ""); err != nil {
		return nil, fmt.Errorf("flax: msgpack: %w", err)
	}
	return d.tensors, nil
}

// maxDepth bounds dictionaries in dictionaries.
const maxDepth = 32

// A dictionary keeps the order of the file.
type dictionary []entry

type entry struct {
	key   string
	value any
}

func (d dictionary) get(key string) any {
	for _, e := range d {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

// An extension is a value of a type of its own.
type extension struct {
	kind    byte
	content []byte
}

// A decoder reads values: dictionaries, lists, text and bytes, integers from 0 on, true and
// extensions. Everything else is nil.
type decoder struct {
	data    []byte
	at      int
	budget  *frugal.Budget
	tensors []rnn.Tensor
}

// valueCost is the memory that a value takes, and room for slices to grow.
const valueCost = 128

func (d *decoder) take(n int) ([]byte, error) {
	if n < 0 || n > len(d.data)-d.at {
		return nil, fmt.Errorf("%d bytes are wanted, and %d are left; it may have been cut off", n, len(d.data)-d.at)
	}
	d.at += n
	return d.data[d.at-n : d.at], nil
}

func (d *decoder) number(bytes int) (int, error) {
	b, err := d.take(bytes)
	if err != nil {
		return 0, err
	}
	var wide [8]byte
	copy(wide[8-bytes:], b)
	n := binary.BigEndian.Uint64(wide[:])
	if n > math.MaxInt32 && bytes <= 4 {
		return 0, fmt.Errorf("a length of %d", n)
	}
	return int(n), nil
}

func (d *decoder) value(depth int) (any, error) {
	if err := d.budget.Spend(valueCost); err != nil {
		return nil, err
	}
	head, err := d.take(1)
	if err != nil {
		return nil, err
	}
	if depth == 0 {
		return nil, fmt.Errorf("more than %d values in one another", maxDepth)
	}
	switch h := head[0]; {
	case h < 0x80:
		return int(h), nil
	case h < 0x90:
		return d.dictionary(int(h&15), depth)
	case h < 0xa0:
		return d.list(int(h&15), depth)
	case h < 0xc0:
		b, err := d.take(int(h & 31))
		return string(b), err
	case h == 0xc3:
		return true, nil
	case h >= 0xe0, h == 0xc0, h == 0xc2: // small negative numbers, nil, false
		return nil, nil
	case h >= 0xd4 && h <= 0xd8:
		return d.extension(1 << (h - 0xd4))
	case h == 0xca || h == 0xcb: // floats
		_, err = d.take(4 << (h - 0xca))
		return nil, err
	case h >= 0xcc && h <= 0xcf:
		return d.number(1 << (h - 0xcc))
	case h >= 0xd0 && h <= 0xd3: // negative numbers
		_, err = d.take(1 << (h - 0xd0))
		return nil, err
	default:
		return d.long(h, depth)
	}
}

// long reads a value with its length before it.
func (d *decoder) long(head byte, depth int) (any, error) {
	width, ok := map[byte]int{
		0xc4: 1, 0xc5: 2, 0xc6: 4, 0xc7: 1, 0xc8: 2, 0xc9: 4, 0xd9: 1, 0xda: 2, 0xdb: 4, 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4,
	}[head]
	if !ok {
		return nil, fmt.Errorf("%#x begins no value", head)
	}
	n, err := d.number(width)
	if err != nil {
		return nil, err
	}
	switch head {
	case 0xc4, 0xc5, 0xc6:
		return d.take(n)
	case 0xc7, 0xc8, 0xc9:
		return d.extension(n)
	case 0xd9, 0xda, 0xdb:
		b, err := d.take(n)
		if err == nil {
			err = d.budget.Spend(n)
		}
		return string(b), err
	case 0xdc, 0xdd:
		return d.list(n, depth)
	}
	return d.dictionary(n, depth)
}

func (d *decoder) extension(n int) (any, error) {
	b, err := d.take(1 + n)
	if err != nil {
		return nil, err
	}
	return extension{b[0], b[1:]}, nil
}

func (d *decoder) list(n, depth int) (any, error) {
	var list []any
	for range n {
		v, err := d.value(depth - 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (d *decoder) dictionary(n, depth int) (any, error) {
	m := dictionary{}
	for range n {
		key, err := d.value(depth - 1)
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, fmt.Errorf("a key is a %T, not text", key)
		}
		v, err := d.value(depth - 1)
		if err != nil {
			return nil, err
		}
		m = append(m, entry{name, v})
	}
	return m, nil
}

// collect makes tensors of the arrays in a dictionary.
func (d *decoder) collect(m dictionary, path string) error {
	for _, e := range m {
		name := path + e.key
		if err := d.budget.Spend(len(name)); err != nil {
			return err
		}
		switch v := e.value.(type) {
		case dictionary:
			if v.get("__msgpack_chunked_array__") != nil {
				return fmt.Errorf("%s is stored in chunks, as arrays of a gigabyte are; that is not supported", name)
			}
			if err := d.collect(v, name+"."); err != nil {
				return err
			}
		case extension:
			if v.kind != 1 {
				continue // a number
			}
			t, err := d.array(v.content)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			t.Name = name
			d.tensors = append(d.tensors, t)
		}
	}
	return nil
}

// kinds are the types of numbers by numpy's names.
var kinds = map[string]string{
	"float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64",
	"int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8", "bool": "BOOL",
}

// array reads (shape, type, bytes), which are packed once more.
func (d *decoder) array(content []byte) (t rnn.Tensor, err error) {
	inner := &decoder{data: content, budget: d.budget}
	v, err := inner.value(maxDepth)
	if err != nil {
		return t, err
	}
	list, _ := v.([]any)
	if len(list) != 3 {
		return t, errors.New("it is no array: shape, type and bytes are wanted")
	}
	shape, _ := list[0].([]any)
	kind, _ := list[1].(string)
	body, ok := list[2].([]byte)
	if !ok {
		return t, errors.New("it is no array: there are no bytes in it")
	}
	for _, s := range shape {
		n, ok := s.(int)
		if !ok {
			return t, fmt.Errorf("a shape with %v in it", s)
		}
		t.Dims = append(t.Dims, n)
	}
	if kinds[kind] != "" {
		kind = kinds[kind]
	}
	t.Data, err = d.budget.Numbers(kind, binary.LittleEndian, t.Dims, body)
	return t, err
}
