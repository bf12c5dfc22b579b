package onnx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quotient/f32"
	"quotient/internal/foreign"
	"quotient/rnn"
	"quotient/word"
)

func read(t *testing.T, path string) (*rnn.Stack, error) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := Read(data, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(filepath.Dir(path), name)) })
	return s, err
}

// logits runs a network on words of tokens.
func logits(t *testing.T, s *rnn.Stack, words [][]int32) []float64 {
	t.Helper()
	var names []string
	var tokens []int32
	for i := range s.Tokens {
		names, tokens = append(names, fmt.Sprint(i)), append(tokens, int32(i))
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Speak(a, tokens, rnn.None, rnn.None); err != nil {
		t.Fatal(err)
	}
	var out []float64
	for _, w := range words {
		out = append(out, logit(t, s, w))
	}
	return out
}

// logit runs a network on a word.
func logit(t *testing.T, s *rnn.Stack, tokens []int32) float64 {
	t.Helper()
	w := make(word.Word, len(tokens))
	for i, x := range tokens {
		w[i] = word.Symbol(x)
	}
	r, err := s.Reader(1)
	if err != nil {
		t.Fatal(err)
	}
	return float64(r.Logits([]word.Word{w})[0])
}

// Networks that PyTorch exported say what PyTorch says, or are refused with the name
// of the node; see testdata/make.py.
func TestReadPyTorch(t *testing.T) {
	text, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]struct {
		Refused string
		Cases   []struct {
			Word  []int32
			Logit float64
		}
	}
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		want := expected[name]
		s, err := read(t, filepath.Join("testdata", name+".onnx"))
		if want.Refused != "" {
			if err == nil || !strings.Contains(err.Error(), want.Refused) {
				t.Errorf("%s: error %v, want one with %q", name, err, want.Refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var words [][]int32
		for _, c := range want.Cases {
			words = append(words, c.Word)
		}
		for i, got := range logits(t, s, words) {
			if c := want.Cases[i]; math.Abs(got-c.Logit) > 1e-5 {
				t.Errorf("%s: %v has logit %v, want %v", name, c.Word, got, c.Logit)
			}
		}
	}
}

// What rnn.EncodeONNX writes comes back as the same stack, bit by bit.
func TestReadOurOwn(t *testing.T) {
	a, err := word.NewAlphabet("a", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range rnn.Cells {
		for layers := 1; layers <= 3; layers++ {
			n, err := rnn.New(rnn.Shape{Cell: cell, Layers: layers, Embedding: 3, Hidden: 5}, a)
			if err != nil {
				t.Fatal(err)
			}
			n.Init(rand.New(rand.NewPCG(1, uint64(layers))))
			var b bytes.Buffer
			if err := n.EncodeONNX(&b); err != nil {
				t.Fatal(err)
			}
			s, meta, err := Read(b.Bytes(), nil)
			if err != nil {
				t.Errorf("%s, %d layers: %v", cell, layers, err)
				continue
			}
			if meta["symbols"] != `["a","b","c"]` || meta["bos"] != "3" {
				t.Errorf("metadata %v", meta)
			}
			if got, want := weights(s), weights(n.Stack()); !slices.Equal(got, want) || s.Tokens != 4 {
				t.Errorf("%s, %d layers: other weights", cell, layers)
			}
			for i := range s.Layers {
				if y := s.Layers[i]; y.Cell != cell || y.ReLU || y.ResetBefore || y.Reverse != nil {
					t.Errorf("layer %d of %s: %+v", i, cell, y)
				}
			}
		}
	}
}

// weights lists a stack's numbers.
func weights(s *rnn.Stack) (list []float32) {
	add := func(m f32.Matrix) {
		for i := range m.Rows {
			list = append(list, m.Row(i)...)
		}
	}
	add(s.Embedding)
	for i := range s.Layers {
		y := &s.Layers[i]
		add(y.In)
		add(y.Rec)
		list = append(append(list, y.BiasIn...), y.BiasRec...)
	}
	for _, d := range s.Head {
		add(d.Weight)
		list = append(list, d.Bias...)
	}
	return list
}

// Networks trained elsewhere say what was recorded of them.
func TestReadTorchModels(t *testing.T) {
	for _, path := range foreign.Files(t, "models", "torch", "*", "model.onnx") {
		s, err := read(t, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "model.json"))
		if err != nil {
			t.Fatal(err)
		}
		var recorded struct {
			Vocab map[string]int32
			Cases []struct {
				Word   []string
				Logits []float64
			}
		}
		if err := json.Unmarshal(text, &recorded); err != nil {
			t.Fatal(err)
		}
		var words [][]int32
		var want []float64
		for _, c := range recorded.Cases[:min(50, len(recorded.Cases))] {
			w := []int32{recorded.Vocab["<bos>"]}
			for _, name := range c.Word {
				w = append(w, recorded.Vocab[name])
			}
			words, want = append(words, w), append(want, c.Logits[len(w)-1])
		}
		got := logits(t, s, words)
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-4 {
				t.Errorf("%s: %v has logit %v, want %v", path, words[i], got[i], want[i])
				break
			}
		}
	}
}

// What a file leaves open is not told by the numbers that stand for it.
func TestOpenSizesAreNotTold(t *testing.T) {
	if got := shapeText([]int{2, open[0], 6}); got != "[2 ? 6]" {
		t.Error(got)
	}
	for want, times := range map[string][]int{"number 2 from the end": {open[1] - 2}, "number 1": {0}, "2": {0, 1}} {
		if got := whichTime(times, open[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
