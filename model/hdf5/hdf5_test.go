package hdf5

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quotient/model/frugal"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// all reads whatever is in a file, links in a circle a few times.
func all(o *Object, depth int, f func(o *Object, dims []int, numbers []float32)) error {
	if depth == 0 {
		return nil
	}
	for _, name := range []string{"model_config", "layer_names", "weight_names"} {
		if _, _, err := o.Texts(name); err != nil {
			return err
		}
	}
	if o.IsArray() {
		dims, numbers, err := o.Numbers()
		if err == nil {
			f(o, dims, numbers)
		}
		return err
	}
	names, err := o.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		inner, err := o.Find(name)
		if err == nil && inner != nil {
			err = all(inner, depth-1, f)
		}
		if errors.Is(err, frugal.ErrLarge) {
			return err
		}
	}
	return nil
}

// Arrays count from 0 on, in every type and layout.
func TestArrays(t *testing.T) {
	for file, want := range map[string]int{"usual.h5": 72, "latest.h5": 8} {
		root, err := Open(read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		err = all(root, 8, func(o *Object, dims []int, numbers []float32) {
			found++
			n := 1
			for _, d := range dims {
				n *= d
			}
			if n != len(numbers) {
				t.Errorf("%s: %s: %v has %d numbers", file, o.Path, dims, len(numbers))
			}
			for i, x := range numbers {
				if x != float32(i) {
					t.Errorf("%s: %s: number %d is %v", file, o.Path, i, x)
					break
				}
			}
		})
		if err != nil || found != want {
			t.Errorf("%s: %d arrays, %v", file, found, err)
		}
	}
}

func TestAttributes(t *testing.T) {
	for _, file := range []string{"usual.h5", "latest.h5"} {
		root, err := Open(read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]string{
			"one": {"a text"}, "fixed": {"of fixed length"}, "list": {"a", "bcd", ""}, "texts": {"α", "", strings.Repeat("b", 300)}, "none": nil,
		} {
			got, found, err := root.Texts(name)
			if err != nil || found != (want != nil) || !slices.Equal(got, want) {
				t.Errorf("%s: %s is %q, %v", file, name, got, err)
			}
		}
		if _, _, err := root.Text("number"); err == nil || !strings.Contains(err.Error(), "not text") {
			t.Error(err)
		}
		if _, _, err := root.Text("list"); err == nil || !strings.Contains(err.Error(), "3 texts") {
			t.Error(err)
		}
	}
}

// What is not supported is named, with a way on.
func TestRefused(t *testing.T) {
	root, err := Open(read(t, "usual.h5"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"chunks/lzf": "h5repack", "chunks/missing": "only 0 of its 252 bytes", "many": "not an array"} {
		o, err := root.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := o.Numbers(); err == nil || !strings.Contains(err.Error(), "hdf5: /"+path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if o, err := root.Find("many/17"); o == nil || err != nil {
		t.Errorf("an array among many: %v", err)
	}
	if o, err := root.Find("many/60/x"); o != nil || err != nil {
		t.Errorf("%v, %v", o, err)
	}
	if _, err := Open([]byte("none")); err == nil {
		t.Error("a file of four bytes")
	}
}

// bounded reads all of a file, and fails if that takes more than a small multiple of its length.
func bounded(t testing.TB, data []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if root, err := Open(data); err == nil {
		all(root, 8, func(*Object, []int, []float32) {})
	}
	runtime.ReadMemStats(&after)
	if took, limit := after.TotalAlloc-before.TotalAlloc, uint64(4*frugal.Free+4*frugal.Factor*len(data)); took > limit {
		t.Errorf("%d bytes took %d bytes of memory, more than %d", len(data), took, limit)
	}
}

// A file that was cut off, or in which a byte is another, gives errors and no more.
func TestDamaged(t *testing.T) {
	for _, file := range []string{"usual.h5", "latest.h5"} {
		data := read(t, file)
		for n := 0; n < len(data); n += 97 {
			bounded(t, data[:n])
			for _, b := range []byte{0, 1, 0x7f, 0xff} {
				changed := slices.Clone(data)
				changed[n] = b
				bounded(t, changed)
			}
		}
	}
}

// FuzzOpen reads anything without a panic and in little memory.
func FuzzOpen(f *testing.F) {
	for _, file := range []string{"usual.h5", "latest.h5"} {
		f.Add(read(f, file))
	}
	f.Fuzz(func(t *testing.T, data []byte) { bounded(t, data) })
}
