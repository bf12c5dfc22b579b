package keras

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"quotient/model/frugal"
	"quotient/rnn"
)

// fixture returns a network that python/fixtures/fixtures_keras.py made.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "keras", name))
	if err == nil && strings.HasSuffix(name, ".gz") {
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(r)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// archive packs a configuration with the weights of gru1.keras.
func archive(t testing.TB, config string) []byte {
	t.Helper()
	data := fixture(t, "gru1.keras")
	files, err := frugal.OpenArchive(data)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := frugal.Entry(data, files.Find(weightsEntry), frugal.New(len(data)).Spend)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range map[string][]byte{"config.json": []byte(config), weightsEntry: weights} {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The layers of gru1.keras, and others in their place.
const (
	embedding = `{"class_name": "Embedding", "config": {"name": "embedding"}}`
	gru       = `{"class_name": "GRU", "config": {"name": "gru", "activation": "tanh", "recurrent_activation": "sigmoid"}}`
	decision  = `{"class_name": "Dense", "config": {"name": "dense", "activation": "linear"}}`
)

func sequential(layers ...string) string {
	return `{"class_name": "Sequential", "config": {"layers": [` + strings.Join(layers, ",") + `]}}`
}

func functional(output string, layers ...string) string {
	return `{"class_name": "Functional", "config": {"output_layers": ` + output + `, "layers": [` + strings.Join(layers, ",") + `]}}`
}

// node is a layer of a functional model.
func node(layer, inputs string) string {
	return strings.TrimSuffix(layer, "}") + `, "inbound_nodes": ` + inputs + `}`
}

const input = `{"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [null, 20]}, "inbound_nodes": []}`

// Configurations of older versions, in their own ways of writing them.
func TestConfigurations(t *testing.T) {
	for _, config := range []string{
		sequential(embedding, gru, decision),
		`{"class_name": "Sequential", "config": [` + strings.Join([]string{embedding, gru, decision}, ",") + `]}`,
		functional(`[["dense", 0, 0]]`, input, node(decision, `[[["gru", 0, 0, {}]]]`), node(gru, `[[["embedding", 0, 0, {"training": false}]]]`), node(embedding, `[[["x", 0, 0, {}]]]`)),
	} {
		m, err := ReadArchive(archive(t, config))
		if err != nil {
			t.Error(err)
			continue
		}
		if s := m.Stack; s.Tokens != 4 || len(s.Layers) != 1 || s.Layers[0].Cell != rnn.GRU || s.Layers[0].ResetBefore || len(s.Head) != 1 {
			t.Errorf("%+v", s)
		}
		if fixed := strings.Contains(config, "20"); fixed != strings.Contains(strings.Join(m.Notes, " "), "its input has 20 tokens") {
			t.Errorf("notes %q", m.Notes)
		}
	}
}

// What is not supported is refused by the name of the layer, with a way on.
func TestRefused(t *testing.T) {
	replaced := func(layer, old, new string) string { return strings.Replace(layer, old, new, 1) }
	other := func(class string) string { return `{"class_name": "` + class + `", "config": {"name": "other"}}` }
	for _, c := range []struct{ config, want string }{
		{sequential(embedding, other("Conv1D"), gru, decision), `layer "other": layers of class Conv1D are not supported`},
		{sequential(embedding, other("Lambda"), gru, decision), `layers of class Lambda`},
		{sequential(embedding, gru, other("GroupNormalization"), decision), `layers of class GroupNormalization`},
		{sequential(embedding, gru, other("LayerNormalization"), decision), `there are no weights`},
		{sequential(embedding, gru, `{"class_name": "LayerNormalization", "config": {"axis": [0, 1]}}`, decision), `only one axis`},
		{sequential(embedding, gru, `{"class_name": "BatchNormalization", "config": {"axis": 7}}`, decision), `along axis 7; only the last is supported`},
		{sequential(embedding, decision, gru), `a Dense before the recurrent layers`},
		{sequential(embedding, gru, gru, decision), `behind one that does not return sequences`},
		{sequential(embedding, other("Masking"), gru, decision), `mask_zero`},
		{sequential(embedding, replaced(gru, "sigmoid", "hard_sigmoid"), decision), `the function hard_sigmoid where sigmoid`},
		{sequential(embedding, replaced(gru, `"tanh"`, `{"config": "mine"}`), decision), `not one of Keras' own`},
		{sequential(embedding, replaced(gru, `"name"`, `"go_backwards": true, "name"`), decision), `go_backwards`},
		{sequential(embedding, replaced(gru, `"name"`, `"return_state": true, "name"`), decision), `return_state`},
		{sequential(embedding, replaced(gru, "GRU", "LSTM"), decision), `no weights layers/lstm`},
		{sequential(embedding, gru, replaced(decision, "linear", "leaky_relu")), `the function leaky_relu`},
		{sequential(embedding), `no recurrent layer`},
		{sequential(embedding, gru), `no dense layer`},
		{`{"class_name": "MyModel", "config": {"layers": [` + gru + `]}}`, `a model of class "MyModel"`},
		{`{}`, `a model of class ""`},
		{`x`, `configuration: invalid`},
		{functional(`[["dense", 0, 0], ["gru", 0, 0]]`, decision), `several outputs`},
		{functional(`["dense", 0, 0]`, node(decision, `[[["dense", 0, 0, {}]]]`)), `lead in a circle`},
		{functional(`["dense", 0, 0]`, input, node(decision, `[[["gru", 0, 0, {}]], [["x", 0, 0, {}]]]`)), `it is used 2 times`},
		{functional(`["dense", 0, 0]`, input, node(decision, `[[["x", 0, 0, {"initial_state": ["gru", 0, 0]}]]]`)), `it is given initial_state`},
		{sequential(embedding, replaced(gru, `"gru"`, `"mine"`), decision), `are those of layer "gru"`},
		{functional(`["dense", 0, 0]`, input, gru, node(decision, `[[["x", 0, 0, {}]]]`)), `layer "gru", a GRU, is not part of the chain`},
	} {
		if _, err := ReadArchive(archive(t, c.config)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// bounded reads a file, and fails if that takes more than a small multiple of its length.
func bounded(t testing.TB, data []byte, read func([]byte) (*Model, error)) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := read(data)
	runtime.ReadMemStats(&after)
	if took, limit := after.TotalAlloc-before.TotalAlloc, uint64(8*frugal.Free+8*frugal.Factor*len(data)); took > limit {
		t.Errorf("%d bytes took %d bytes of memory, more than %d", len(data), took, limit)
	}
	if err == nil && m.Stack != nil && m.Stack.Check() != nil {
		t.Errorf("a network that cannot run: %v", m.Stack.Check())
	}
}

// FuzzConfiguration reads any configuration of a model.
func FuzzConfiguration(f *testing.F) {
	f.Add(sequential(embedding, gru, decision))
	f.Add(functional(`["dense", 0, 0]`, input, node(decision, `[{"args": [[{"config": {"keras_history": ["gru", 0, 0]}}]], "kwargs": {"mask": {}}}]`),
		node(gru, `[[["embedding", 0, 0, {}]]]`), node(embedding, `[[["x", 0, 0]]]`)))
	f.Add(sequential(embedding, `{"class_name": "Bidirectional", "config": {"layer": `+gru+`, "merge_mode": "concat"}}`, decision))
	f.Add(sequential(embedding, `{"class_name": "LayerNormalization", "config": {"axis": [-1], "scale": false, "center": false}}`, gru, decision))
	f.Fuzz(func(t *testing.T, config string) { bounded(t, archive(t, config), ReadArchive) })
}

// FuzzHDF5 reads anything as a .h5 file.
func FuzzHDF5(f *testing.F) {
	for _, name := range []string{"tanh1.h5.gz", "layernorm.h5.gz", "normalone.weights.h5.gz", "alone.old.h5.gz", "alone.weights.h5.gz"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) { bounded(t, data, ReadHDF5) })
}

// A file in which a byte is another gives an error or a network, and no more.
func TestDamaged(t *testing.T) {
	data := fixture(t, "tanh1.h5.gz")
	for n := range data {
		if n%13 != 0 {
			continue
		}
		changed := bytes.Clone(data)
		changed[n] ^= 0x81
		bounded(t, changed, ReadHDF5)
	}
}
