package numpy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"quotient/model/frugal"
)

// npy is an array under a header.
func npy(header, body string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + body
}

// long is an array in the second version of the format, under a header that is filled up to so many bytes.
func long(header string, length int, body string) string {
	size := binary.LittleEndian.AppendUint32(nil, uint32(length))
	return "\x93NUMPY\x02\x00" + string(size) + header + strings.Repeat(" ", length-len(header)) + body
}

func archive(t testing.TB, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("x.npy")
	if err == nil {
		_, err = f.Write([]byte(content))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	const six = "\x00\x01\x02\x03\x04\x05"
	head := func(kind, order, shape string) string {
		return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }  \n", kind, order, shape)
	}
	for _, c := range []struct{ content, want string }{
		{npy(head("|u1", "False", "(2, 3)"), six), "x [2 3] [0 1 2 3 4 5]"},
		{npy(head("|u1", "True", "(2, 3)"), six), "x [2 3] [0 2 4 1 3 5]"},
		{npy(head("|u1", "True", "(6,)"), six), "x [6] [0 1 2 3 4 5]"},
		{npy(head(">i2", "False", "(3,)"), six), "x [3] [1 515 1029]"},
		{npy(head("<f2", "False", "()"), "\x00\x3c"), "x [] [1]"},
		{npy(head("|u1", "False", "(0,)"), ""), "x [0] []"},         // the header is all there is
		{npy(head("|u1", "True", "(0, 1, 2)"), ""), "x [0 1 2] []"}, // nothing has no order
		{long(head("|u1", "False", "(6,)"), 1<<16, six), "x [6] [0 1 2 3 4 5]"},
		{long(head("|u1", "False", "(6,)"), 1<<16+1, six), "a header of 65537 bytes"},
		{npy(head("|u1", "False", "(2, 4)"), six), "x.npy: shape [2 4] has more"},
		{npy(head("|u1", "False", "(2, 2)"), six), "takes 4 bytes, but there are 6"},
		{npy(head("|u1", "True", "(99999999, 99999999999)"), six), "has more than"},
		{npy(head("|u1", "True", "(99999999999999999999,)"), six), "shape ("},
		{npy(head("|u1", "True", "(1, 2, 3)"), six), "ascontiguousarray"},
		{npy(head("<f2", "False", "(1,)"), "\x00\x7c"), "+Inf at position 0"},
		{npy(head("|O", "False", "(1,)"), "cos\nsystem\n"), "objects, texts and records are not supported"},
		{"\x93NUMPY\x02\x00\xff\xff\xff\x7f......", "a header of 2147483647 bytes"},
		{npy(head("|u1", "False", "(6,)"), "")[:60], "a header of 60 bytes in 60"},
		{npy("{}", ""), `its header "{}" is not that of numbers`},
		{"nothing at all", "does not begin"},
	} {
		list, err := Read(archive(t, c.content))
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(list[0].Name, " ", list[0].Dims, " ", list[0].Data)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if _, err := Read([]byte("PK\x03\x04")); err == nil {
		t.Error("an archive that ends at once")
	}
}

// FuzzRead reads anything without a panic and in little memory.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"listed.npz", "flax-simple.npz"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "keras", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(archive(f, npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1), }", "12345678")))
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Read(data)
		runtime.ReadMemStats(&after)
		if took, limit := after.TotalAlloc-before.TotalAlloc, uint64(4*frugal.Free+4*frugal.Factor*len(data)); took > limit {
			t.Errorf("%d bytes took %d bytes of memory, more than %d", len(data), took, limit)
		}
	})
}

// Only an archive whose files are arrays is one; others have weights of other kinds.
func TestIsArchive(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if _, err := w.Create("data.pkl"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var empty bytes.Buffer
	if err := zip.NewWriter(&empty).Close(); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		data []byte
		want bool
	}{
		"arrays":     {archive(t, ""), true},
		"no arrays":  {b.Bytes(), false},
		"no files":   {empty.Bytes(), false},
		"no archive": {[]byte("x.npy"), false},
	} {
		if IsArchive(c.data) != c.want {
			t.Errorf("%s: %v", what, !c.want)
		}
	}
}
