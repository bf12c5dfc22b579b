package model

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quotient/model/frugal"
	"quotient/oracle"
	"quotient/word"
)

// A fixture is what testdata/make.py records of a network.
type fixture struct {
	Options struct{ Activation string }
	Vocab   map[string]int
	Cases   []struct {
		Word   []string
		Logits []*float64 // null where a network has read nothing
	}
}

// fixtureFiles returns the committed networks, with their records.
func fixtureFiles(t testing.TB) map[string]fixture {
	t.Helper()
	files := make(map[string]fixture)
	for _, extension := range []string{"pt", "safetensors"} {
		list, _ := filepath.Glob(filepath.Join("testdata", "*."+extension))
		for _, file := range list {
			data, err := os.ReadFile(strings.TrimSuffix(file, "."+extension) + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var f fixture
			if err := json.Unmarshal(data, &f); err != nil {
				t.Fatal(err)
			}
			files[file] = f
		}
	}
	if len(files) < 20 {
		t.Fatalf("%d networks in testdata", len(files))
	}
	return files
}

// options are those that the record asks for.
func (f fixture) options(file string) Options {
	o := Options{Activation: f.Options.Activation}
	if f.Vocab != nil {
		o.Vocab = strings.TrimSuffix(file, filepath.Ext(file)) + ".json"
	}
	return o
}

// Every way in which PyTorch saves networks of every kind, and what it says of them.
func TestFixtures(t *testing.T) {
	for file, f := range fixtureFiles(t) {
		m, err := Open(t.Context(), file, f.options(file))
		if err != nil {
			t.Error(err)
			continue
		}
		f.agrees(t, m, 2e-5)
	}
}

// agrees compares a network with what its record says.
func (f fixture) agrees(t *testing.T, m *Model, within float64) {
	t.Helper()
	compared := 0
	for _, c := range f.Cases {
		w, err := m.Net.Alphabet().Parse(strings.Join(c.Word, " "))
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range m.Net.(logits).Logits(prefixes(w)) {
			if c.Logits[i] == nil {
				continue
			}
			compared++
			if diff := math.Abs(float64(got) - *c.Logits[i]); !(diff < within) {
				t.Errorf("%s: logit %v after %v, the record says %v", m.Name, got, c.Word[:i], *c.Logits[i])
			}
		}
	}
	if compared < 10 {
		t.Errorf("%s: only %d logits were compared", m.Name, compared)
	}
}

// What the files do not say is noted.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"lstm.pt", "tokens mean"},
		{"mlp.pt", "taken to be relu, the usual one"},
		{"functional.pt", "taken to be tanh, the only activation that the module has"},
		{"bidirectional.pt", "final state of either direction"},
		{"strided.pt", "alias is another name of embedding"},
	} {
		m, err := Open(t.Context(), filepath.Join("testdata", c.file), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(strings.Join(m.Notes, "\n"), c.want) {
			t.Errorf("%s: notes %q, want one with %q", c.file, m.Notes, c.want)
		}
	}
	for _, c := range []struct {
		file    string
		options Options
	}{
		{"module.pt", Options{Vocab: "testdata/module.json"}},
		{"onehot.pt", Options{Symbols: []string{"x", "y", "z"}}},
		{"mlp.pt", Options{Vocab: "testdata/mlp.json", Activation: "relu"}},
		{"bidirectional.pt", Options{Vocab: "testdata/bidirectional.json", Summary: "final"}},
	} {
		m, err := Open(t.Context(), filepath.Join("testdata", c.file), c.options)
		if err != nil || len(m.Notes) > 0 {
			t.Errorf("%s: %v, notes %q where nothing is left to guess", c.file, err, m.Notes)
		}
	}
}

// A folder of MLflow's is the module in it.
func TestMLflow(t *testing.T) {
	folder := t.TempDir()
	data, err := os.ReadFile(filepath.Join("testdata", "module.pt"))
	if err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(folder, "data"), 0o777)
	os.WriteFile(filepath.Join(folder, "MLmodel"), nil, 0o666)
	os.WriteFile(filepath.Join(folder, "data", "model.pth"), data, 0o666)
	m, err := Open(t.Context(), folder, Options{Bos: "2"})
	if err != nil || m.Stack.Layers[0].Hidden() != 5 {
		t.Error(m, err)
	}
}

// Options change what is computed.
func TestOptionsMatter(t *testing.T) {
	p := func(file string, o Options) []float32 {
		m, err := Open(t.Context(), filepath.Join("testdata", file), o)
		if err != nil {
			t.Fatal(err)
		}
		return oracle.Ask(t.Context(), m.Net).Probabilities([]word.Word{{0, 1, 1}, {1}, {1, 1, 0, 0}, {0, 0, 0}})
	}
	for _, c := range []struct {
		file string
		a, b Options
	}{
		{"mlp.pt", Options{Bos: "2"}, Options{Bos: "2", Activation: "none"}},
		{"module.pt", Options{Bos: "2"}, Options{Bos: "2", Activation: "elu"}},
		{"bidirectional.pt", Options{Eos: "2"}, Options{Eos: "2", Summary: "last"}},
		{"lstm.pt", Options{Bos: "2"}, Options{Bos: "none"}},
		{"onehot.pt", Options{}, Options{Nonlinearity: "tanh"}},
		{"lstm.pt", Options{Bos: "2"}, Options{Eos: "2"}},
	} {
		if slices.Equal(p(c.file, c.a), p(c.file, c.b)) {
			t.Errorf("%s: %+v and %+v give the same", c.file, c.a, c.b)
		}
	}
}

// Archives may say where on whose machine they were made, which nobody needs to know.
func TestFixturesNameNoMachine(t *testing.T) {
	path := regexp.MustCompile(`/(home|root|tmp|Users)/|site-packages|File \\?"/`)
	err := filepath.WalkDir("testdata", func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if filepath.Ext(file) == ".gz" {
			if data, err = frugal.Gunzip(data); err != nil {
				return err
			}
		}
		parts := [][]byte{data}
		if files, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
			for _, f := range files.File {
				r, err := f.Open()
				if err != nil {
					return err
				}
				part, err := io.ReadAll(r)
				if err != nil {
					return err
				}
				parts = append(parts, part)
			}
		}
		for _, part := range parts {
			if found := path.Find(part); found != nil && filepath.Ext(file) != ".py" {
				t.Errorf("%s holds %q", file, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
