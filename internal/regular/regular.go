// Package regular reads files in folders of other people's. What stands there may be no file, as a pipe
// that nobody writes to, or far too large: then it is not opened.
package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// ErrNoFile says that something else than a file has its name.
var ErrNoFile = errors.New("this is no file")

// ReadFile returns what is in a file of so many bytes at most.
func ReadFile(folder fs.FS, name string, most int64) ([]byte, error) {
	info, err := Stat(folder, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%d bytes, and there are %d at most", info.Size(), most)
	}
	return fs.ReadFile(folder, name)
}

// Stat describes a file, and is an error for anything else.
func Stat(folder fs.FS, name string) (fs.FileInfo, error) {
	info, err := fs.Stat(folder, name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNoFile}
	}
	return info, err
}

// Sub returns the file system below a folder. Unlike that of [fs.Sub] it describes files without opening them,
// which for a pipe would never end.
func Sub(root fs.FS, folder string) (fs.FS, error) {
	if !fs.ValidPath(folder) {
		return nil, fmt.Errorf("%q is no path below the folder", folder)
	}
	return below{root, folder}, nil
}

type below struct {
	root   fs.FS
	folder string
}

func (b below) Open(name string) (fs.File, error) {
	full, err := b.full("open", name)
	if err != nil {
		return nil, err
	}
	return b.root.Open(full)
}

func (b below) Stat(name string) (fs.FileInfo, error) {
	full, err := b.full("stat", name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(b.root, full)
}

// full returns a name as the root knows it.
func (b below) full(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return path.Join(b.folder, name), nil
}

// Find returns the files of a folder, and of those so many levels below it, whose names match: the nearest first, in
// the order of their names. [fs.Glob] would take a pipe for a folder, and open it.
func Find(folder fs.FS, levels int, match func(name string) bool) (found []string) {
	folders := []string{"."}
	for range levels + 1 {
		var below []string
		for _, dir := range folders {
			entries, _ := fs.ReadDir(folder, dir) // what cannot be read is not found
			for _, e := range entries {
				at := path.Join(dir, e.Name())
				switch kind := e.Type(); {
				case e.IsDir():
					below = append(below, at)
				case (kind.IsRegular() || kind == fs.ModeSymlink) && match(e.Name()):
					found = append(found, at)
				}
			}
		}
		folders = below
	}
	return found
}
