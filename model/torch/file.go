// Package torch reads the files that torch.save writes: a state_dict, a dictionary that
// has one in it, or a whole module, in the zip format of PyTorch 1.6 and later or in the
// older one. It also reads the weights of programs of TorchScript and torch.export, and what
// their code or graph shows of functions.
//
// Such a file is a pickle, which is a program. It is interpreted here by a machine that
// calls nothing and imports nothing: classes are only names, and instances are records
// of what the file says of them. A file that wants to call anything that is not known
// to be mere data gives a [CallError] with the name of it.
//
// Files come from strangers. Nothing is allocated before it has been held against the
// length of the file, and all of it is less than a small multiple of that.
//
// The formats are those of torch/serialization.py and CPython's Lib/pickle.py.
package torch

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"strings"

	"quotient/model/frugal"
)

// A container finds the numbers of a storage.
type container struct {
	order  binary.ByteOrder
	budget *budget
	format string
	root   any
	kinds  map[string]string                           // of numbers, by the key of the storage
	bytes  func(s *storage, width int) ([]byte, error) // all of its numbers, each of so many bytes
	code   func(name string) ([]byte, error)           // of a TorchScript program: a file of code, empty if there is none; nil for others
}

// What a file may take of memory: so much, and so many times its length.
const (
	freeMemory   = 8 << 20
	memoryFactor = 16
)

// open interprets a file.
func open(data []byte) (*container, error) {
	c := &container{
		order:  binary.LittleEndian,
		budget: &budget{freeMemory + memoryFactor*len(data)},
		kinds:  make(map[string]string),
	}
	switch {
	case len(data) == 0:
		return nil, fmt.Errorf("the file is empty")
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return c, c.openZip(data)
	case data[0] == 0x80:
		return c, c.openLegacy(data)
	case len(data) > 262 && string(data[257:262]) == "ustar":
		return nil, fmt.Errorf("it is a tar archive, as PyTorch wrote them before 0.1.10: save it again with a newer one")
	}
	if bytes.HasPrefix(data, []byte("version https://git-lfs")) {
		return nil, fmt.Errorf("it is not the file, but a pointer of Git LFS to it: git lfs pull fetches it")
	}
	return nil, fmt.Errorf("it is not a file of torch.save: it begins neither as a zip archive nor as a pickle")
}

// openZip reads the format of PyTorch 1.6: data.pkl, and each storage as an entry data/KEY.
func (c *container) openZip(data []byte) error {
	c.format = "PyTorch (zip)"
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("zip archive: %w; it may have been cut off", err)
	}
	files, folder, err := contents(archive)
	if err != nil {
		return fmt.Errorf("zip archive: %w", err)
	}
	inflated := make(map[string][]byte)
	read := func(name string) ([]byte, error) {
		f := files[folder+name]
		if f == nil {
			return nil, fmt.Errorf("zip archive: %q is missing", folder+name)
		}
		if content, ok := inflated[name]; ok {
			return content, nil
		}
		content, err := frugal.Entry(data, f, c.budget.spend)
		if err != nil {
			return nil, fmt.Errorf("zip archive: %q: %w", folder+name, err)
		}
		inflated[name] = content
		return content, nil
	}
	if files[folder+"byteorder"] != nil {
		text, err := read("byteorder")
		if err != nil {
			return err
		}
		if err := c.setOrder(string(text) == "little", string(text) == "big"); err != nil {
			return err
		}
	}
	c.bytes = func(s *storage, width int) ([]byte, error) {
		content, err := read("data/" + s.key)
		if err != nil {
			return nil, err
		}
		return part(content, s, width)
	}
	if files[folder+"constants.pkl"] != nil {
		c.format = "PyTorch (TorchScript)"
		c.code = func(name string) ([]byte, error) {
			if files[folder+name] == nil {
				return nil, nil
			}
			return read(name)
		}
	}
	program, err := read("data.pkl")
	if err == nil {
		c.root, _, err = unpickle(program, c.budget, c.persistent)
	}
	if err != nil && c.code != nil {
		return fmt.Errorf("TorchScript program: %w; save the model's state_dict, or export it as .onnx", err)
	}
	return err
}

// contents returns the files of an archive by name, and the folder that holds data.pkl.
func contents(archive *zip.Reader) (files map[string]*zip.File, folder string, err error) {
	files = make(map[string]*zip.File, len(archive.File))
	found := false
	for _, f := range archive.File {
		if files[f.Name] != nil {
			return nil, "", fmt.Errorf("%q occurs twice", f.Name)
		}
		files[f.Name] = f
		if path.Base(f.Name) == "data.pkl" {
			if found {
				return nil, "", fmt.Errorf("both %q and %q could be the model", folder+"data.pkl", f.Name)
			}
			folder, found = strings.TrimSuffix(f.Name, "data.pkl"), true
		}
	}
	if !found {
		return nil, "", errors.New("it has no data.pkl, so it is not a file of torch.save")
	}
	return files, folder, nil
}

func (c *container) setOrder(little, big bool) error {
	switch {
	case little:
		c.order = binary.LittleEndian
	case big:
		c.order = binary.BigEndian
	default:
		return fmt.Errorf("the order of its bytes is neither little nor big")
	}
	return nil
}

// magic is the number that the older format begins with, as the bytes of an integer.
const magic = raw("l\xfc\x9cF\xf9 j\xa8P\x19")

// openLegacy reads the older format: pickles of a magic number, a version, the machine,
// the model, and the keys of the storages; then the storages, each behind its length.
func (c *container) openLegacy(data []byte) error {
	c.format = "PyTorch (before 1.6)"
	rest := data
	next := func() (any, error) {
		value, n, err := unpickle(rest, c.budget, c.persistent)
		rest = rest[n:]
		return value, err
	}
	first, err := next()
	if err == nil && first != any(magic) {
		err = fmt.Errorf("it is a pickle, but not one of torch.save: the magic number is missing; torch.save(model.state_dict(), FILE) writes what is read, and so does numpy.savez(FILE, **arrays)")
	}
	if err != nil {
		return err
	}
	if version, err := next(); err != nil || version != any(int64(1001)) {
		return fmt.Errorf("version %v of the format, not 1001 (%v)", describe(version), err)
	}
	system, err := next()
	if err != nil {
		return err
	}
	if facts, ok := system.(*dict); ok {
		if little, ok := facts.get("little_endian"); ok {
			if err := c.setOrder(little == true, little == false); err != nil {
				return err
			}
		}
	}
	if c.root, err = next(); err != nil {
		return err
	}
	keys, err := next()
	if err != nil {
		return err
	}
	return c.legacyStorages(sequence(keys), rest)
}

// legacyStorages finds the storages: the lengths before them count numbers, whose type
// the model has told.
func (c *container) legacyStorages(keys []any, rest []byte) error {
	content := make(map[string][]byte, len(keys))
	for _, k := range keys {
		key, ok := k.(string)
		if !ok {
			return fmt.Errorf("a storage is named by %s", describe(k))
		}
		if len(rest) < 8 {
			return fmt.Errorf("the file ends before storage %q", key)
		}
		n := binary.LittleEndian.Uint64(rest)
		rest = rest[8:]
		number, ok := numberType(c.kinds[key])
		if !ok {
			return fmt.Errorf("storage %q has numbers of an unknown type, %q", key, c.kinds[key])
		}
		if n > uint64(len(rest)/number.Bytes) {
			return fmt.Errorf("storage %q has %d numbers, but only %d bytes follow", key, n, len(rest))
		}
		size := int(n) * number.Bytes
		content[key], rest = rest[:size], rest[size:]
	}
	c.bytes = func(s *storage, w int) ([]byte, error) {
		if content[s.key] == nil {
			return nil, fmt.Errorf("storage %q is missing", s.key)
		}
		return part(content[s.key], s, w)
	}
	return nil
}

// part returns the numbers of a storage out of the bytes that it, or the one that it is
// a part of, has in the file.
func part(content []byte, s *storage, width int) ([]byte, error) {
	total := len(content) / width
	if s.first > total || s.size > total-s.first {
		return nil, fmt.Errorf("storage %q should have %d numbers from %d on, but has %d", s.key, s.size, s.first, total)
	}
	return content[s.first*width : (s.first+s.size)*width], nil
}

// persistent returns what a pickle's persistent id stands for: a storage, or in the older
// format a class that comes with its source.
func (c *container) persistent(id any) (any, error) {
	items, _ := id.(tuple)
	if len(items) > 1 && items[0] == "module" {
		if class, ok := items[1].(Name); ok {
			return class, nil
		}
	}
	if len(items) < 5 || items[0] != "storage" {
		return nil, fmt.Errorf("a reference to %s outside the pickle, where a storage should be", describe(id))
	}
	class, ok := items[1].(Name)
	key, ok2 := items[2].(string)
	size, ok3 := items[4].(int64)
	if !ok || !ok2 || !ok3 || size < 0 {
		return nil, fmt.Errorf("a storage without class, key and size")
	}
	s := &storage{key: key, kind: class.Base(), size: int(size)}
	if before, ok := c.kinds[key]; ok && before != s.kind {
		return nil, fmt.Errorf("storage %q holds both %s and %s", key, before, s.kind)
	}
	c.kinds[key] = s.kind
	if len(items) > 5 {
		if view := sequence(items[5]); len(view) == 3 { // (key, offset, size) of a part
			first, ok := view[1].(int64)
			size, ok2 := view[2].(int64)
			if !ok || !ok2 || first < 0 || size < 0 {
				return nil, fmt.Errorf("storage %q: a part that is none", key)
			}
			s.first, s.size = int(first), int(size)
		}
	}
	return s, nil
}
