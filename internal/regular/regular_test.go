package regular

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// opened is a file system that tells what was opened.
type opened struct {
	fstest.MapFS
	names *[]string
}

func (o opened) Open(name string) (fs.File, error) {
	*o.names = append(*o.names, name)
	return o.MapFS.Open(name)
}

func (o opened) ReadFile(name string) ([]byte, error) {
	*o.names = append(*o.names, name)
	return o.MapFS.ReadFile(name)
}

var files = fstest.MapFS{
	"a.x":       {Data: []byte("12345")},
	"pipe.x":    {Mode: fs.ModeNamedPipe},
	"b/a.x":     {},
	"b/c/link":  {Data: []byte("../../a.x"), Mode: fs.ModeSymlink},
	"b/c/d/e.x": {},
	"b/other":   {},
}

// What is no file, or too large, is an error without being opened, also below a folder.
func TestReadFile(t *testing.T) {
	var names []string
	all := opened{files, &names}
	below, err := Sub(opened{fstest.MapFS{"deep/a.x": files["a.x"], "deep/pipe.x": files["pipe.x"]}, &names}, "deep")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []fs.FS{all, below} {
		names = nil
		if _, err := ReadFile(folder, "pipe.x", 100); !errors.Is(err, ErrNoFile) {
			t.Errorf("a pipe: %v", err)
		}
		if _, err := ReadFile(folder, "a.x", 4); err == nil || !strings.Contains(err.Error(), "5 bytes, and there are 4 at most") {
			t.Errorf("a long file: %v", err)
		}
		if _, err := ReadFile(folder, "none", 100); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("nothing: %v", err)
		}
		if len(names) > 0 {
			t.Errorf("%v are opened", names)
		}
		if data, err := ReadFile(folder, "a.x", 5); err != nil || string(data) != "12345" {
			t.Errorf("a file: %q, %v", data, err)
		}
	}
}

func TestSub(t *testing.T) {
	for _, folder := range []string{"", "/", "..", "b/../c", "b/"} {
		if _, err := Sub(files, folder); err == nil {
			t.Errorf("%q is a folder", folder)
		}
	}
	below, err := Sub(files, "b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(below, "../a.x"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a name outside: %v", err)
	}
	if _, err := below.Open("../a.x"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a name outside: %v", err)
	}
	if list, err := fs.ReadDir(below, "c"); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}

// The nearest come first, and nothing is opened but folders.
func TestFind(t *testing.T) {
	var names []string
	match := func(name string) bool { return strings.HasSuffix(name, ".x") || name == "link" }
	if found := Find(opened{files, &names}, 2, match); !slices.Equal(found, []string{"a.x", "b/a.x", "b/c/link"}) {
		t.Errorf("%v", found)
	}
	if slices.ContainsFunc(names, match) {
		t.Errorf("%v are opened", names)
	}
}
