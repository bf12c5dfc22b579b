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
