package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refused are the networks that are no chain, with what is said of them.
var refused = map[string]string{
	"branches.keras.gz":  `layer "add", a Add, has 2 inputs`,
	"pooled.h5.gz":       `layer "global_max_pooling1d": layers of class GlobalMaxPooling1D are not supported here; export it with model.export(FILE, format="onnx")`,
	"trace-leaky.pt2.gz": `the program calls leaky_relu, whose settings are not read; save the model's state_dict`,
	"trace-leaky.pt.gz":  `head.1 is a LeakyReLU with negative_slope that its code does not name`,
}

// record returns what python/fixtures/fixtures_keras.py says of a network, and where.
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

// Networks that Keras and Flax made, in every format that they write, and programs of
// TorchScript and torch.export compute what they compute there.
func TestFormats(t *testing.T) {
	for folder, want := range map[string]int{"keras": 46, "script": 9} {
		files, _ := filepath.Glob(filepath.Join("testdata", folder, "*"))
		opened := 0
		for _, file := range files {
			if filepath.Ext(file) == ".json" || strings.Contains(file, "trace-pooled") {
				continue
			}
			f, vocab := record(t, file)
			m, err := Open(t.Context(), file, Options{Vocab: vocab})
			if want := refused[filepath.Base(file)]; want != "" {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %q", file, err, want)
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
		if opened != want {
			t.Errorf("%d networks in %s", opened, folder)
		}
	}
}

// The code of a TorchScript program is not run; what it calls is said.
func TestScriptNotes(t *testing.T) {
	for file, want := range map[string]string{
		"trace-pooled.pt2.gz":     "the program calls mean, and is not run",
		"trace-relu.pt2.gz":       "taken to be tanh, the only activation",
		"trace-pooled.pt.gz":      "the code of Pooled calls mean, and is not run",
		"script-functional.pt.gz": "taken to be tanh, the only activation that the module has",
	} {
		m, err := Open(t.Context(), filepath.Join("testdata", "script", file), Options{})
		if err != nil || !strings.Contains(strings.Join(m.Notes, "\n"), want) {
			t.Errorf("%s: %v, %+v", file, err, m)
		}
	}
	m, err := Open(t.Context(), filepath.Join("testdata", "script", "trace-relu.pt.gz"), Options{Bos: "2"})
	if err != nil || len(m.Notes) > 0 {
		t.Errorf("%v, notes %q where nothing is left to guess", err, m.Notes)
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
