package model

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quotient/word"
	"quotient/zoo"
)

// An exported network is opened with the symbols it was exported with, and with others
// if they are told; it computes what it did before.
func TestOpenONNX(t *testing.T) {
	n, _, err := zoo.Open("zoo:tomita4")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := n.EncodeONNX(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "net.onnx")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Format != "ONNX" || m.Net.Alphabet().String() != "{a, b}" || m.Stack.Bos != n.Bos {
		t.Errorf("%+v over %s", m, m.Net.Alphabet())
	}
	words := []word.Word{nil, {0}, {0, 0, 0}, {1, 0, 0, 1, 0}}
	want, err := n.Stack().Runner(1)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range m.Net.(logits).Logits(words) {
		if w := want.Logits(words)[i]; got != w {
			t.Errorf("%v: logit %v, want %v", words[i], got, w)
		}
	}
	m, err = Open(context.Background(), path, Options{Symbols: []string{"x", "y"}, Bos: "2"})
	if err != nil || m.Net.Alphabet().String() != "{x, y}" {
		t.Errorf("%+v, %v", m, err)
	}
	if err := os.WriteFile(path, []byte("none"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), path, Options{}); err == nil || !strings.Contains(err.Error(), "net.onnx: onnx: it is no ONNX file") {
		t.Error(err)
	}
}

// The numbers of a graph may lie in a second file beside it, and nowhere else.
func TestOpenONNXOutside(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("onnx", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write := func(path string, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	graph, numbers := read("outside.onnx"), read("outside.onnx.data")
	folder := t.TempDir()
	inner := filepath.Join(folder, "inner")
	if err := os.Mkdir(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(inner, "net.onnx")
	write(path, graph)
	if _, err := Open(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), "outside.onnx.data") {
		t.Error(err)
	}
	write(filepath.Join(inner, "outside.onnx.data"), numbers)
	if _, err := Open(t.Context(), path, Options{}); err != nil {
		t.Error(err)
	}
	write(filepath.Join(folder, "up.onnx.da"), numbers)
	write(path, bytes.ReplaceAll(graph, []byte("outside.onnx.data"), []byte("../././up.onnx.da"))) // as long
	if _, err := Open(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), "escapes") {
		t.Error(err)
	}
}
