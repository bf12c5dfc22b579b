package tfevents

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestEvents(t *testing.T) {
	folder := t.TempDir()
	if err := Write(folder, []Scalar{{"train/loss", 1, 0.5}, {"train/loss", 2, 0.25}, {"train/norm", 2, -3}}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, "events.out.tfevents.0000000000.quotient"))
	if err != nil {
		t.Fatal(err)
	}
	// TensorBoard's own reader read the golden file when it was made.
	want, err := os.ReadFile(filepath.Join("testdata", "events"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, want) {
		t.Errorf("%d bytes that are not those of the golden file", len(data))
	}
}

// Event files begin with a record of 24 bytes, so that all of them have the same first
// twelve: 18 00 00 00 00 00 00 00 a3 7f 4b 22.
func TestMaskedChecksum(t *testing.T) {
	if got := masked([]byte{24, 0, 0, 0, 0, 0, 0, 0}); got != 0x224b7fa3 {
		t.Errorf("%#x", got)
	}
}
