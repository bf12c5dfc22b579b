package frugal

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// zipped and gzipped pack so many zeros.
func zipped(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("zeros")
	if err == nil {
		_, err = f.Write(make([]byte, n))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(make([]byte, n))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What inflates to far more than it is long is refused.
func TestBombs(t *testing.T) {
	for _, c := range []struct {
		size int
		want error
	}{{1000, nil}, {50 << 20, ErrLarge}} {
		content, err := Gunzip(gzipped(t, c.size))
		if !errors.Is(err, c.want) || err == nil && len(content) != c.size {
			t.Errorf("%d bytes in gzip: %d, %v", c.size, len(content), err)
		}
		data := zipped(t, c.size)
		files, err := OpenArchive(data)
		if err != nil {
			t.Fatal(err)
		}
		if content, err = Entry(data, files.Find("zeros"), New(len(data)).Spend); !errors.Is(err, c.want) || err == nil && len(content) != c.size {
			t.Errorf("%d bytes in zip: %d, %v", c.size, len(content), err)
		}
	}
	whole := gzipped(t, 1000)
	if _, err := Gunzip(whole[:20]); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Error(err)
	}
	if _, err := Gunzip(nil); err == nil {
		t.Error("nothing is no gzip")
	}
}

func TestNumbers(t *testing.T) {
	b := New(0)
	if x, err := b.Numbers("I16", binary.BigEndian, []int{2, 1}, []byte{0, 1, 1, 0}); err != nil || x[0] != 1 || x[1] != 256 {
		t.Error(x, err)
	}
	for _, c := range []struct {
		kind string
		dims []int
		want string
	}{
		{"F32", []int{1}, "NaN at position 0"},
		{"F32", []int{2}, "has more than the 1 numbers"},
		{"U8", []int{3}, "takes 3 bytes, but there are 4"},
		{"U8", []int{-4}, "has more"},
		{"C64", []int{1}, "type C64"},
		{"U8", []int{1 << 62, 4}, "has more"},
	} {
		if _, err := b.Numbers(c.kind, binary.LittleEndian, c.dims, []byte{255, 255, 255, 255}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// A budget is spent to its last byte, and no further.
func TestSpend(t *testing.T) {
	b := New(1)
	for _, c := range []struct {
		n    int
		want error
	}{{-1, ErrLarge}, {Free + Factor + 1, ErrLarge}, {Free + Factor, nil}, {0, nil}, {1, ErrLarge}} {
		if err := b.Spend(c.n); !errors.Is(err, c.want) {
			t.Errorf("%d of %d bytes: %v", c.n, b.left, err)
		}
	}
}

// stored returns an archive with the file "five" of five bytes, which says that it has so many.
func stored(t *testing.T, method uint16, claimed int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "five", Method: method, CompressedSize64: 5, UncompressedSize64: uint64(claimed)})
	if err == nil {
		_, err = f.Write([]byte("12345"))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What an archive says of the place of its files is held against its length.
func TestEntry(t *testing.T) {
	const at = 30 + len("five") // of the file's bytes
	length := len(stored(t, zip.Store, 5))
	for _, c := range []struct {
		name          string
		method        uint16
		claimed, skip int // skip: so many bytes before the file, by its own header
		want          string
	}{
		{"as it is", zip.Store, 5, 0, "12345"},
		{"up to the end", zip.Store, length - at, 0, ""},
		{"beyond the end", zip.Store, length - at + 1, 0, "bytes at byte"},
		{"nothing at the end", zip.Store, 0, length - at, ""},
		{"nothing beyond the end", zip.Store, 0, length - at + 1, "bytes at byte"},
		{"a method of the future", 99, 5, 0, "unsupported compression"},
	} {
		data := stored(t, c.method, c.claimed)
		binary.LittleEndian.PutUint16(data[28:], uint16(c.skip))
		files, err := OpenArchive(data)
		if err != nil {
			t.Fatal(err)
		}
		content, err := Entry(data, files.Find("five"), New(len(data)).Spend)
		switch {
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", c.name, err)
		case err == nil && (len(content) != c.claimed || !strings.HasPrefix(string(content), c.want)):
			t.Errorf("%s: %q", c.name, content)
		}
	}
	data := stored(t, zip.Store, 5)
	files, err := OpenArchive(data)
	if err != nil {
		t.Fatal(err)
	}
	data[0] = 'Q' // no longer the header of a file
	if content, err := Entry(data, files[0], New(len(data)).Spend); err == nil {
		t.Errorf("a file without a header: %q", content)
	}
}

func TestNamesOccurOnce(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a", "b", "a"} {
		if _, err := w.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenArchive(b.Bytes()); err == nil || !strings.Contains(err.Error(), `"a" occurs twice`) {
		t.Error(err)
	}
}

// A file may inflate to a multiple of its length, to the byte.
func TestGunzipLimit(t *testing.T) {
	n := Free / 4
	for range 10 { // a little longer content is compressed to as many bytes
		n = Free/4 + Factor/4*len(gzipped(t, n))
	}
	if n != Free/4+Factor/4*len(gzipped(t, n)) {
		t.Fatal("no length is the limit of itself")
	}
	if content, err := Gunzip(gzipped(t, n)); err != nil || len(content) != n {
		t.Errorf("%d bytes: %d, %v", n, len(content), err)
	}
	if _, err := Gunzip(gzipped(t, n+1)); !errors.Is(err, ErrLarge) {
		t.Errorf("one byte more: %v", err)
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.NoCompression)
	w.Write(make([]byte, Free))
	w.Close()
	if content, err := Gunzip(b.Bytes()); err != nil || len(content) != Free {
		t.Errorf("a long file: %d bytes, %v", len(content), err)
	}
}
