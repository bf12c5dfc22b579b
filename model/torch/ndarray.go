package torch

import (
	"fmt"
	"slices"
)

// Arrays of NumPy are pickled as calls whose results are known: _reconstruct, and a state
// of (version, shape, type, whether it stands in Fortran's order, bytes), or _frombuffer of
// (bytes, type, shape, order).

// arrays are the functions that make one.
const (
	reconstruct = "numpy.core.multiarray._reconstruct"
	fromBuffer  = "numpy.core.numeric._frombuffer"
)

// tensorOf returns a value as a tensor if it is one, or an array of NumPy; otherwise nil.
func tensorOf(value any) *tensor {
	if t, ok := value.(*tensor); ok {
		return t
	}
	r, ok := value.(*record)
	if !ok {
		return nil
	}
	var shape, dtype, content any
	fortran := false
	switch state, _ := r.state.(tuple); {
	case r.class == reconstruct && len(state) == 5:
		shape, dtype, content, fortran = state[1], state[2], state[4], state[3] == true
	case r.class == fromBuffer && len(r.args) == 4:
		content, dtype, shape, fortran = r.args[0], r.args[1], r.args[2], r.args[3] == "F"
	default:
		return nil
	}
	dims, ok := integers(shape)
	data, ok2 := arrayBytes(content)
	if !ok || !ok2 {
		return nil
	}
	t := &tensor{storage: &storage{key: fmt.Sprintf("%p", r), inline: data}, kind: arrayKind(dtype), dims: dims, strides: make([]int, len(dims))}
	step := 1
	for i := range dims {
		k := i
		if !fortran {
			k = len(dims) - 1 - i
		}
		t.strides[k] = step
		if step *= max(dims[k], 1); step > 1<<40 {
			return nil
		}
	}
	return t
}

// arrayBytes returns the bytes of an array. Older pickles have no bytes, but text that
// would be encoded, and instances that would be made of it.
func arrayBytes(content any) (*inline, bool) {
	switch c := content.(type) {
	case raw:
		return &inline{text: string(c)}, true
	case *record:
		if c.class == "builtins.bytearray" && len(c.args) > 0 {
			return arrayBytes(c.args[0])
		}
		if c.class == "_codecs.encode" && len(c.args) == 2 && slices.Contains([]any{"latin1", "latin-1"}, c.args[1]) {
			text, ok := c.args[0].(string)
			return &inline{text: text, latin: true}, ok
		}
	}
	return nil, false
}

// arrayKind returns the class of storages whose numbers are of an array's type.
func arrayKind(dtype any) string {
	r, ok := dtype.(*record)
	if !ok || len(r.args) == 0 {
		return "unknown"
	}
	if state, ok := r.state.(tuple); ok && len(state) > 1 && state[1] == ">" {
		return "numpy.dtype with the highest byte first"
	}
	name, _ := r.args[0].(string)
	kind, ok := map[string]string{
		"f8": "DoubleStorage", "f4": "FloatStorage", "f2": "HalfStorage", "i8": "LongStorage", "i4": "IntStorage",
		"i2": "ShortStorage", "i1": "CharStorage", "u1": "ByteStorage", "b1": "BoolStorage",
	}[name]
	if !ok {
		return "numpy." + name
	}
	return kind
}

// An inline is a storage that is in the pickle.
type inline struct {
	text  string
	latin bool // each character is a byte
}

// bytes returns the numbers of a storage that is in the pickle.
func (c *inline) bytes(b *budget) ([]byte, error) {
	if err := b.spend(len(c.text)); err != nil {
		return nil, err
	}
	if !c.latin {
		return []byte(c.text), nil
	}
	data := make([]byte, 0, len(c.text))
	for _, x := range c.text {
		if x > 255 {
			return nil, fmt.Errorf("the bytes of an array are no bytes")
		}
		data = append(data, byte(x))
	}
	return data, nil
}
