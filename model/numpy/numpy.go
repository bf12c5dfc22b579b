// Package numpy reads the arrays of .npz files, as numpy.savez writes them. Arrays of Python
// objects would have to be unpickled, and are refused.
package numpy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"quotient/f32"
	"quotient/model/frugal"
	"quotient/rnn"
)

// IsArchive reports whether a zip archive holds arrays.
func IsArchive(data []byte) bool {
	files, err := frugal.OpenArchive(data)
	return err == nil && len(files) > 0 && strings.HasSuffix(files[0].Name, extension)
}

const extension = ".npy"

// Read returns the arrays of an .npz file, in their order.
func Read(data []byte) ([]rnn.Tensor, error) {
	files, err := frugal.OpenArchive(data)
	if err != nil {
		return nil, fmt.Errorf("numpy: %w", err)
	}
	budget := frugal.New(len(data))
	var list []rnn.Tensor
	for _, f := range files {
		content, err := frugal.Entry(data, f, budget.Spend)
		t := rnn.Tensor{Name: strings.TrimSuffix(f.Name, extension)}
		if err == nil {
			t.Dims, t.Data, err = array(content, budget)
		}
		if err != nil {
			return nil, fmt.Errorf("numpy: %s: %w", f.Name, err)
		}
		list = append(list, t)
	}
	return list, nil
}

// header matches what stands before the numbers:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3), }
var header = regexp.MustCompile(`^\{\s*'descr':\s*'([<>|=])(\w+)',\s*'fortran_order':\s*(True|False),\s*'shape':\s*\(([\d,\s]{0,200})\),?\s*\}\s*$`)

// kinds are the types of numbers by numpy's names.
var kinds = map[string]string{
	"f2": "F16", "f4": "F32", "f8": "F64", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "b1": "BOOL",
}

// array reads an .npy file.
func array(data []byte, budget *frugal.Budget) (dims []int, numbers []float32, err error) {
	text, body, err := split(data)
	if err != nil {
		return nil, nil, err
	}
	match := header.FindStringSubmatch(text)
	if match == nil || kinds[match[2]] == "" {
		return nil, nil, fmt.Errorf("its header %.100q is not that of numbers; objects, texts and records are not supported", text)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if match[1] == ">" {
		order = binary.BigEndian
	}
	for _, d := range strings.FieldsFunc(match[4], func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(d)
		if err != nil {
			return nil, nil, fmt.Errorf("shape (%s)", match[4])
		}
		dims = append(dims, n)
	}
	columns := match[3] == "True" && len(dims) > 1 && len(body) > 0 // column by column
	if columns && len(dims) > 2 {
		return nil, nil, fmt.Errorf("an array of %d dimensions in Fortran's order; numpy.ascontiguousarray changes it", len(dims))
	}
	if numbers, err = budget.Numbers(kinds[match[2]], order, dims, body); err != nil || !columns {
		return dims, numbers, err
	}
	m := f32.New(dims[0], dims[1])
	f32.Transpose(m, f32.Of(dims[1], dims[0], numbers))
	return dims, m.Data, nil
}

// split returns the header of an .npy file and what follows it.
func split(data []byte) (header string, body []byte, err error) {
	const magic = "\x93NUMPY"
	if len(data) < 12 || string(data[:6]) != magic {
		return "", nil, errors.New("it does not begin as arrays of numpy do")
	}
	at, length := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] > 1 {
		at, length = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if length > len(data)-at || length > 1<<16 {
		return "", nil, fmt.Errorf("a header of %d bytes in %d", length, len(data))
	}
	return string(data[at : at+length]), data[at+length:], nil
}
