package onnx

import (
	"errors"
	"fmt"
	"strconv"
)

// PyTorch's newer exporter writes the numbers of large tensors to a second file, beside
// the graph. A tensor then has, as texts, the name of that file and where in it the
// numbers lie: see ExternalData.md of ONNX.

// external gives access to the files beside a graph.
type external struct {
	open  func(name string) ([]byte, error)
	files map[string]*content
	size  int // of all of them
}

// content is a file beside the graph. Tensors may not take more of it than there is,
// so memory stays within a multiple of the sizes of the files.
type content struct {
	bytes []byte
	left  int
}

// maxFiles is how many files may lie beside a graph.
const maxFiles = 64

// read returns the bytes of a tensor, given its entries "location", "offset" and "length".
func (e *external) read(entries map[string]string) ([]byte, error) {
	name := entries["location"]
	if e.open == nil {
		return nil, fmt.Errorf("its numbers lie in another file, %q; export with external_data=False to have one file", name)
	}
	f := e.files[name]
	if f == nil {
		if len(e.files) == maxFiles {
			return nil, fmt.Errorf("more than %d files with numbers", maxFiles)
		}
		bytes, err := e.open(name)
		if err != nil {
			return nil, fmt.Errorf("its numbers lie in another file: %w", err)
		}
		f = &content{bytes, len(bytes)}
		e.files[name] = f
		e.size += len(bytes)
	}
	from, err := place(entries["offset"], 0)
	if err != nil {
		return nil, err
	}
	n, err := place(entries["length"], max(0, len(f.bytes)-from))
	if err != nil {
		return nil, err
	}
	if from > len(f.bytes) || n > len(f.bytes)-from {
		return nil, fmt.Errorf("%d bytes at byte %d of %q, which has %d", n, from, name, len(f.bytes))
	}
	if f.left -= n; f.left < 0 {
		return nil, fmt.Errorf("tensors have more bytes of %q together than there are", name)
	}
	return f.bytes[from : from+n], nil
}

// place reads an offset or a length.
func place(text string, absent int) (int, error) {
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errors.New("its place in another file is no number")
	}
	return n, nil
}
