package backprop

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quotient/rnn"
	"quotient/word"
)

// Logits, gradients and a step of AdamW agree with PyTorch's. The files are made
// by testdata/make.py.
func TestAgreesWithTorch(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "torch-*.safetensors"))
	if len(paths) != 6 {
		t.Fatalf("%d files, not 6", len(paths))
	}
	forEachISA(t, func(t *testing.T) {
		for _, path := range paths {
			t.Run(filepath.Base(path), func(t *testing.T) { agreeWithTorch(t, path) })
		}
	})
}

func agreeWithTorch(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := rnn.DecodeTensors(data)
	if err != nil {
		t.Fatal(err)
	}
	var own []rnn.Tensor
	want := make(map[string][]float32)
	for _, x := range f.Tensors {
		want[x.Name] = x.Data
		if strings.HasPrefix(x.Name, "rnn.") || strings.HasPrefix(x.Name, "embedding.") || strings.HasPrefix(x.Name, "classifier.") {
			own = append(own, x)
		}
	}
	var b bytes.Buffer
	if err := rnn.EncodeTensors(&b, rnn.TensorFile{Tensors: own}); err != nil {
		t.Fatal(err)
	}
	n, _, err := rnn.Decode(b.Bytes())
	if !errors.Is(err, rnn.ErrNoSymbols) {
		t.Fatal(err)
	}
	a := word.Letters("ab")
	if err := n.Speak(a, []int32{0, 1}, 2); err != nil {
		t.Fatal(err)
	}
	var texts []string
	var labels [][]bool
	if json.Unmarshal([]byte(f.Metadata["words"]), &texts) != nil || json.Unmarshal([]byte(f.Metadata["labels"]), &labels) != nil {
		t.Fatal("words or labels are unreadable")
	}
	var words []word.Word
	for _, text := range texts {
		w := word.Word{}
		for _, c := range text {
			w = append(w, word.Symbol(c-'a'))
		}
		words = append(words, w)
	}
	compare := func(what string, got, want []float32, tolerance float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d numbers, not %d", what, len(got), len(want))
		}
		for i := range got {
			if math.Abs(float64(got[i]-want[i])) > tolerance {
				t.Fatalf("%s[%d] = %v, PyTorch has %v", what, i, got[i], want[i])
			}
		}
	}
	for i, got := range logits(n, words) {
		compare("logits", got, want["logits."+strconv.Itoa(i)], 2e-6)
	}
	trainer := NewTrainer(n, Defaults, 2)
	loss := trainer.Step(words, labels)
	if want, _ := strconv.ParseFloat(f.Metadata["loss"], 64); math.Abs(loss-want) > 1e-6 {
		t.Errorf("loss %v, PyTorch has %v", loss, want)
	}
	for i, x := range n.Tensors() {
		compare("gradient of "+x.Name, trainer.grad.Tensors()[i].Data, want["grad."+x.Name], 1e-6)
		// The first step of AdamW divides a gradient by its size, whose error
		// a tiny gradient magnifies.
		compare("stepped "+x.Name, x.Data, want["after."+x.Name], 2e-5)
	}
}
