package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refusedKeras are the networks that are no chain, with what is said of them.
var refusedKeras = map[string]string{
	"branches.keras.gz": `layer "add", a Add, has 2 inputs`,
	"pooled.h5.gz":      `layer "global_max_pooling1d": layers of class GlobalMaxPooling1D are not supported`,
}

// record returns what python/fixtures_keras.py says of a network, and where.
func record(t *testing.T, file string) (f fixture, path string) {
	t.Helper()
	stem, _, _ := strings.Cut(filepath.Base(file), ".")
	path = filepath.Join(filepath.Dir(file), stem+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f, path
}

// Networks that Keras and Flax made, in every format that they write, compute what they
// compute there.
func TestKeras(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("testdata", "keras", "*"))
	opened := 0
	for _, file := range files {
		if filepath.Ext(file) == ".json" {
			continue
		}
		f, vocab := record(t, file)
		m, err := Open(t.Context(), file, Options{Vocab: vocab})
		if want := refusedKeras[filepath.Base(file)]; want != "" {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "onnx") {
				t.Errorf("%s: %v, want %q and a way on", file, err, want)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		opened++
		f.agrees(t, m, 1e-4)
	}
	if opened < 35 {
		t.Errorf("%d networks", opened)
	}
}

// What a file does not say is noted, and padding is no symbol.
func TestKerasNotes(t *testing.T) {
	open := func(file string, o Options) (*Model, error) {
		return Open(t.Context(), filepath.Join("testdata", "keras", file), o)
	}
	for _, c := range []struct{ file, want string }{
		{"gru2.keras.gz", "token 0 is padding"},
		{"gru1.keras", "over 0 is a yes"},
		{"alone.weights.h5.gz", "padding"},
		{"relu1.h5.gz", "tokens mean"},
	} {
		m, err := open(c.file, Options{})
		if err != nil || !strings.Contains(strings.Join(m.Notes, "\n"), c.want) {
			t.Errorf("%s: %v, %+v", c.file, err, m)
		}
	}
	m, err := open("gru2.keras.gz", Options{Symbols: []string{"x", "y"}})
	if err != nil || !slices.Equal(m.Stack.Token, []int32{1, 2}) || m.Stack.Bos != 3 {
		t.Errorf("%v, %+v", err, m)
	}
	if m, err = open("gru2.h5.gz", Options{}); err != nil || m.Net.Alphabet().String() != "{1, 2, 3}" {
		t.Errorf("%v, %+v", err, m)
	}
	for _, o := range []Options{{Vocab: "testdata/keras/gru1.json"}, {Bos: "0"}, {Eos: "0"}} {
		if _, err = open("gru2.h5.gz", o); err == nil || !strings.Contains(err.Error(), "token 0 is padding") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err = open("gru2.h5.gz", Options{Activation: "relu"}); err == nil || !strings.Contains(err.Error(), "a Keras model says itself") {
		t.Error(err)
	}
}
