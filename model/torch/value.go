package torch

import "strings"

// The values that a pickle builds are nil, bool, int64, float64, string, and these.
// Whatever is shared in the file is shared here, too, so values can contain themselves:
// walks over them need bounds of their own.

// A Name is what a file calls a class or a function of Python: "torch.nn.modules.rnn.GRU".
// It is never looked up.
type Name string

// Base returns what follows the last dot.
func (n Name) Base() string { return string(n[strings.LastIndexByte(string(n), '.')+1:]) }

// A raw is bytes, or an integer of more than 64 bits as its bytes.
type raw string

type tuple []any

// A list is also what stands for a set.
type list struct{ items []any }

// A dict holds its entries in the order of the file. A key may occur several times: the
// last one counts.
type dict struct {
	keys, values []any
	places       map[string]int // of the keys that are text; made when it is needed
}

// get returns the value of a key and reports whether there is one.
func (d *dict) get(key string) (value any, ok bool) {
	if d.places == nil {
		d.places = make(map[string]int)
		for i, k := range d.keys {
			if text, ok := k.(string); ok {
				d.places[text] = i
			}
		}
	}
	i, ok := d.places[key]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

// A record is an instance of any class: inert, nothing but what the file says of it.
type record struct {
	class Name
	args  tuple
	state any
	items dict // of classes that are dictionaries
	list  list // of classes that are lists
}

// attributes returns the fields of the instance.
func (r *record) attributes() *dict {
	switch s := r.state.(type) {
	case *dict:
		return s
	case tuple: // those of the dictionary, and those in slots
		if len(s) > 0 {
			if d, ok := s[0].(*dict); ok {
				return d
			}
		}
	}
	return &dict{}
}

// A storage is a stretch of numbers that tensors are views of.
type storage struct {
	key   string
	kind  string // the class's name, as "FloatStorage"
	size  int    // how many numbers the pickle says there are
	first int    // where a storage that is a part of another begins there

	inline *inline // the numbers themselves, if they are in the pickle
}

// A tensor is a view of a storage.
type tensor struct {
	*storage
	kind          string // of numbers, as in storage
	offset        int
	dims, strides []int
}
