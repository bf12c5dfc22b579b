package model

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"quotient/f32"
	"quotient/internal/foreign"
	"quotient/oracle"
	"quotient/word"
)

// logits is what every network that runs here can say of words.
type logits interface {
	Logits(words []word.Word) []float32
}

// prefixes returns all prefixes of a word, the empty one first.
func prefixes(w word.Word) []word.Word {
	var list []word.Word
	for i := range len(w) + 1 {
		list = append(list, w[:i])
	}
	return list
}

// Networks made with PyTorch compute what they compute there, in every format.
func TestTorchModels(t *testing.T) {
	for _, vocab := range foreign.Files(t, "models", "torch", "*", "model.json") {
		for _, extension := range []string{".pt", ".safetensors", ".onnx"} {
			file := filepath.Join(filepath.Dir(vocab), "model"+extension)
			m, err := Open(context.Background(), file, Options{Vocab: vocab})
			if err != nil {
				t.Error(err)
				continue
			}
			agreesWithCases(t, m, vocab)
		}
	}
}

// agreesWithCases compares a network with recorded logits.
func agreesWithCases(t *testing.T, m *Model, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Word   []string
			Logits []float64
		}
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%s: %d cases, %v", path, len(file.Cases), err)
	}
	for _, c := range file.Cases {
		var w word.Word
		for _, name := range c.Word {
			s, ok := m.Net.Alphabet().Symbol(name)
			if !ok {
				t.Fatalf("%s: no symbol %q", m.Name, name)
			}
			w = append(w, s)
		}
		for i, got := range m.Net.(logits).Logits(prefixes(w)) {
			if diff := math.Abs(float64(got) - c.Logits[i]); !(diff < 1e-4) {
				t.Errorf("%s: %v after %d symbols of %v, PyTorch says %v", m.Name, got, i, c.Word, c.Logits[i])
				return
			}
		}
	}
}

// The public models of TAYSIR, whole modules pickled with classes of their own, agree
// with their recorded answers on every prefix of every word.
func TestTaysir(t *testing.T) {
	for _, file := range foreign.Files(t, "models", "taysir", "*", "model.pth") {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			bare, err := Open(context.Background(), file, Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := bare.Stack.Tokens
			m, err := Open(context.Background(), file, Options{Bos: strconv.Itoa(n - 2), Eos: strconv.Itoa(n - 1)})
			if err != nil {
				t.Fatal(err)
			}
			if _, states := m.Net.(oracle.Stepper); states == m.Stack.Bidirectional() || m.Net.Alphabet().Len() != n-2 {
				t.Errorf("states: %v, %s", states, m)
			}
			agreesWithOutputs(t, m, filepath.Join(filepath.Dir(file), "outputs.jsonl"))
		})
	}
}

// answers returns a network's answers for the prefixes of words, the empty one left
// out: step by step, if the network can.
func answers(m *Model, words []word.Word) [][]bool {
	out := make([][]bool, len(words))
	q := oracle.Ask(context.Background(), m.Net)
	if !q.ShowsStates() {
		for i, w := range words {
			out[i] = q.Accepts(prefixes(w)[1:])
		}
		return out
	}
	states := f32.New(len(words), q.Dim())
	for i := range words {
		copy(states.Row(i), q.Start().Row(0))
	}
	for k := 0; ; k++ {
		var which []int
		var on []word.Symbol
		for i, w := range words {
			if k < len(w) {
				which, on = append(which, i), append(on, w[k])
			}
		}
		if len(which) == 0 {
			return out
		}
		now := q.StepFrom(states, which, on)
		for row, yes := range q.Read(now) {
			i := which[row]
			copy(states.Row(i), now.Row(row))
			out[i] = append(out[i], yes)
		}
	}
}

func agreesWithOutputs(t *testing.T, m *Model, path string) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Skipf("no outputs are recorded beside %s", m.Name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var words []word.Word
	var outputs [][]int
	for k := 0; lines.Scan(); k++ {
		var c struct {
			Word    []int
			Outputs []int `json:"prefix_outputs"`
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if testing.Short() && k%20 != 0 {
			continue
		}
		var w word.Word
		for _, x := range c.Word[1 : len(c.Word)-1] {
			w = append(w, word.Symbol(x))
		}
		words, outputs = append(words, w), append(outputs, c.Outputs)
	}
	if lines.Err() != nil || len(words) == 0 {
		t.Fatalf("%d words, %v", len(words), lines.Err())
	}
	wrong := 0
	for i, list := range answers(m, words) {
		for k, yes := range list {
			if yes != (outputs[i][k] == 1) {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d answers are wrong", wrong)
	}
}
