package rnn

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// The .safetensors format: eight bytes with the length of a header, the header
// in JSON, which gives every tensor's type, shape and place, and the numbers.
// Files are read strictly: tensors must fill the data without gap or overlap,
// and what a header claims is checked against the file's size before any memory
// is asked for.

// A TensorFile is the content of a .safetensors file.
type TensorFile struct {
	Tensors  []Tensor // as they lie in the file
	Metadata map[string]string
}

// entry is what a header says of a tensor.
type entry struct {
	name    string
	Type    string `json:"dtype"`
	Dims    []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"`
}

const metadataKey = "__metadata__"

// Limits on a header, which are far from those of any network that this package can run. JSON
// takes many times its size when it is parsed, so they are held against its bytes.
const (
	maxHeader = 16 << 20
	maxFields = 1 << 16 // tensors, and entries of the metadata
	maxEntry  = 4 << 10 // bytes that describe a tensor
	maxRank   = 16
	maxName   = 1 << 10
)

// EncodeTensors writes tensors in their order. The same content gives the same
// bytes.
func EncodeTensors(w io.Writer, f TensorFile) error {
	var header bytes.Buffer
	header.WriteByte('{')
	field := func(name string, value any) {
		if header.Len() > 1 {
			header.WriteByte(',')
		}
		key, _ := json.Marshal(name)
		text, _ := json.Marshal(value) // maps come out sorted
		fmt.Fprintf(&header, "%s:%s", key, text)
	}
	if len(f.Metadata) > 0 {
		field(metadataKey, f.Metadata)
	}
	at := 0
	for _, t := range f.Tensors {
		if t.Name == metadataKey || t.size() != len(t.Data) {
			return fmt.Errorf("safetensors: tensor %q of shape %v has %d numbers", t.Name, t.Dims, len(t.Data))
		}
		field(t.Name, entry{t.Name, "F32", t.Dims, []int{at, at + 4*len(t.Data)}})
		at += 4 * len(t.Data)
	}
	header.WriteByte('}')
	for header.Len()%8 != 0 {
		header.WriteByte(' ')
	}
	out := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+header.Len()+at), uint64(header.Len()))
	out = append(out, header.Bytes()...)
	for _, t := range f.Tensors {
		for _, x := range t.Data {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	_, err := w.Write(out)
	return err
}

// DecodeTensors reads the content of a file, whose tensors must be of one of the
// NumberTypes and hold neither NaN nor infinity. They may share the memory of data.
func DecodeTensors(data []byte) (f TensorFile, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("safetensors: %w", err)
		}
	}()
	if len(data) < 8 {
		return f, fmt.Errorf("%d bytes are too few", len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	if n > uint64(len(data)-8) {
		return f, fmt.Errorf("a header of %d bytes in a file of %d", n, len(data))
	}
	if n > maxHeader {
		return f, fmt.Errorf("a header of %d bytes: more than %d is no network's", n, maxHeader)
	}
	header, body := data[8:8+n], data[8+n:]
	names, values, err := fields(header)
	if err != nil {
		return f, fmt.Errorf("header: %w", err)
	}
	var list []entry
	for i, name := range names {
		if name == metadataKey {
			if f.Metadata, err = readMetadata(values[i]); err != nil {
				return f, fmt.Errorf("metadata: %w", err)
			}
			continue
		}
		p, err := readEntry(name, values[i], len(body))
		if err != nil {
			return f, fmt.Errorf("tensor %q: %w", name, err)
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.Offsets[0] - b.Offsets[0] })
	at := 0
	for _, p := range list {
		if p.Offsets[0] != at {
			return f, fmt.Errorf("tensor %q starts at byte %d, not %d", p.name, p.Offsets[0], at)
		}
		number, _ := NumberTypeOf(p.Type) // check has found it
		t := Tensor{Name: p.name, Dims: p.Dims, Data: number.Numbers(body[at:p.Offsets[1]], binary.LittleEndian)}
		if err := t.check(); err != nil {
			return f, err
		}
		f.Tensors = append(f.Tensors, t)
		at = p.Offsets[1]
	}
	if at != len(body) {
		return f, fmt.Errorf("%d bytes after the last tensor", len(body)-at)
	}
	return f, nil
}

// readMetadata reads texts by their names.
func readMetadata(object []byte) (map[string]string, error) {
	names, values, err := fields(object)
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, len(names))
	for i, name := range names {
		var text string
		if err := json.Unmarshal(values[i], &text); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		m[name] = text
	}
	return m, nil
}

// readEntry reads what a header says of a tensor, of which there are as many bytes at most.
func readEntry(name string, value []byte, bytes int) (entry, error) {
	p := entry{name: name}
	if len(value) > maxEntry {
		return p, fmt.Errorf("%d bytes describe it: more than %d are no tensor's", len(value), maxEntry)
	}
	if err := json.Unmarshal(value, &p); err != nil {
		return p, err
	}
	return p, p.check(bytes)
}

// check holds an entry against the bytes there are.
func (e entry) check(bytes int) error {
	number, known := NumberTypeOf(e.Type)
	if !known {
		return fmt.Errorf("type %q is not supported; float64, float32, float16, bfloat16 and integers are", e.Type)
	}
	if len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > bytes {
		return fmt.Errorf("offsets %v in %d bytes of data", e.Offsets, bytes)
	}
	if len(e.Dims) > maxRank {
		return fmt.Errorf("%d dimensions: more than %d are not supported", len(e.Dims), maxRank)
	}
	size := number.Bytes
	for _, d := range e.Dims {
		if d < 0 || d > 0 && size > bytes/d {
			return fmt.Errorf("shape %v in %d bytes of data", e.Dims, bytes)
		}
		size *= d
	}
	if size != e.Offsets[1]-e.Offsets[0] {
		return fmt.Errorf("shape %v takes %d bytes, offsets %v have another number", e.Dims, size, e.Offsets)
	}
	return nil
}

// fields returns the names and values of a JSON object, in order. No name may
// appear twice, and there are limits.
func fields(object []byte) (names []string, values []json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("not a JSON object")
	}
	seen := make(map[string]bool)
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		name := t.(string) // a key, or Token would have failed
		if len(name) > maxName {
			return nil, nil, fmt.Errorf("a name of %d bytes, which begins with %q: at most %d are expected", len(name), name[:40], maxName)
		}
		if len(names) == maxFields {
			return nil, nil, fmt.Errorf("more than %d entries", maxFields)
		}
		if seen[name] {
			return nil, nil, fmt.Errorf("%q appears twice", name)
		}
		seen[name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		names, values = append(names, name), append(values, value)
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	if rest := bytes.TrimSpace(object[d.InputOffset():]); len(rest) > 0 {
		return nil, nil, fmt.Errorf("text after the object")
	}
	return names, values, nil
}
