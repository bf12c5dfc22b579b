package train

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// unseal makes a run as older versions wrote it.
func unseal(t testing.TB, folder string) {
	t.Helper()
	r, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(folder, settingsFile, func(w io.Writer) error { return encodeJSON(w, r.Settings, "  ") }); err != nil {
		t.Fatal(err)
	}
}

// A bit that is flipped anywhere in a file of a run is noticed by whoever reads it, and the file is named.
func TestFlippedBits(t *testing.T) {
	folder := t.TempDir()
	s := small()
	s.Epochs = 2
	if err := create(t, folder, s).Train(t.Context(), Options{}); err != nil {
		t.Fatal(err)
	}
	files := content(t, folder)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for name := range files {
		path := filepath.Join(folder, name)
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			continue
		}
		for range 30 {
			broken := append([]byte{}, data...)
			bit := rng.IntN(8 * len(broken))
			broken[bit/8] ^= 1 << (bit % 8)
			if err := os.WriteFile(path, broken, 0o666); err != nil {
				t.Fatal(err)
			}
			if name == bestFile { // which nobody reads but people
				err := resume(t, folder)
				if anew, _ := os.ReadFile(path); err != nil || !bytes.Equal(anew, data) {
					t.Errorf("%s is not written anew: %v", name, err)
				}
				continue
			}
			for what, err := range map[string]error{"resumes": resume(t, folder), "reads": readAll(t, folder)} {
				if err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%s: bit %d of %d is flipped, and who %s is told: %v", name, bit, 8*len(broken), what, err)
				}
			}
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := readAll(t, folder); err != nil {
		t.Fatal(err)
	}
	unseal(t, folder)
	if err := readAll(t, folder); err != nil {
		t.Errorf("a run of an older version: %v", err)
	}
}

// resume goes on with a run.
func resume(t *testing.T, folder string) error {
	r, err := Open(folder)
	if err != nil {
		return err
	}
	return r.Train(t.Context(), Options{})
}

// readAll reads every file of a run, and goes on with it.
func readAll(t *testing.T, folder string) error {
	r, err := Open(folder)
	if err != nil {
		return err
	}
	for epoch := 1; epoch <= 2; epoch++ {
		if _, _, err := r.Network(epoch); err != nil {
			return err
		}
	}
	return resume(t, folder)
}
