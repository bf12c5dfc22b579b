package model

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quotient/language"
	"quotient/rnn"
	"quotient/train"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	s := train.Quick
	s.Language, s.Hidden, s.Epochs, s.Patience = "tomita1", 8, 2, 0
	s.Strings, s.Length, s.DevStrings, s.DevLength, s.LongStrings, s.LongLength = 64, 8, 10, 10, 10, 12
	d, err := language.Load(language.Options{}, s.Language)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "run")
	run, err := train.Create(folder, s, d[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), folder, Options{}); err == nil || !strings.Contains(err.Error(), "no epoch is complete") {
		t.Error(err)
	}
	if err := run.Train(context.Background(), train.Options{}); err != nil {
		t.Fatal(err)
	}

	for epoch, name := range []string{folder, folder + "@1", folder + "@2"} {
		want, rec, err := run.Network(epoch)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Open(t.Context(), name, Options{})
		if err != nil || !slices.Equal(got.Network.Params, want.Params) || *got.Record != rec || got.Language != "tomita1" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}

	// A file says what its tokens mean, and options can say otherwise.
	file := filepath.Join(folder, train.CheckpointFile(2))
	n, err := Open(t.Context(), file, Options{})
	if err != nil || n.Record != nil || n.Net.Alphabet().String() != "{a, b}" {
		t.Errorf("%+v, %v", n, err)
	}
	if n, err := Open(t.Context(), file, Options{Symbols: []string{"x", "y"}}); err != nil || n.Net.Alphabet().String() != "{x, y}" || n.Network.Bos != 2 {
		t.Error(err)
	}

	// A file that says nothing.
	var buf bytes.Buffer
	if err := rnn.EncodeTensors(&buf, rnn.TensorFile{Tensors: n.Network.Tensors()}); err != nil {
		t.Fatal(err)
	}
	mute := filepath.Join(dir, "mute.safetensors")
	os.WriteFile(mute, buf.Bytes(), 0o666)
	if n, err := Open(t.Context(), mute, Options{Symbols: []string{"a", "b"}, Bos: "0"}); err != nil || n.Network.Bos != 0 || n.Network.Token[0] != 1 || n.Network.Token[1] != 2 {
		t.Errorf("<bos> before the symbols: %v", err)
	}
	if n, err := Open(t.Context(), mute, Options{Symbols: []string{"a", "b"}, Bos: "2"}); err != nil || n.Network.Bos != 2 {
		t.Error(err)
	}
	os.WriteFile(filepath.Join(dir, "half.safetensors"), buf.Bytes()[:100], 0o666)
	os.WriteFile(filepath.Join(dir, "net.pt"), nil, 0o666)
	for _, c := range []struct {
		name    string
		options Options
		want    string
	}{
		{mute, Options{Symbols: []string{"a", "b", "c", "d"}}, "token"},
		{mute, Options{Symbols: []string{"a", "a"}, Bos: "2"}, "a"},
		{filepath.Join(dir, "half.safetensors"), Options{}, "half.safetensors"},
		{filepath.Join(dir, "net.pt"), Options{}, ".pt"},
		{filepath.Join(dir, "none"), Options{}, "none"},
		{dir, Options{}, "no run"},
		{folder + "@x", Options{}, "not an epoch"},
		{folder + "@3", Options{}, "it has 1 to 2"},
		{"zoo:nothing", Options{}, "no bundled network"},
		{"", Options{}, "empty"},
		{folder, Options{Symbols: []string{"a", "b"}, Bos: "2"}, "knows its symbols"},
		{"zoo:tomita1", Options{Symbols: []string{"a", "b"}, Bos: "2"}, "knows its symbols"},
		{"zoo:tomita1", Options{Activation: "relu"}, "what its layers compute"},
		{filepath.Join("onnx", "testdata", "outside.onnx"), Options{Summary: "last"}, "what its layers compute"},
		{mute, Options{Symbols: []string{"a"}}, "3 tokens, but 1 symbols and <bos> are 2"},
		{file + "@1", Options{}, "only runs have epochs"},
		{os.DevNull, Options{}, "neither a file nor a folder"},
	} {
		if _, err := Open(t.Context(), c.name, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
