package model

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quotient/internal/foreign"
	"quotient/oracle"
	"quotient/word"
)

// Language models made with PyTorch predict what they predict there, after every prefix, asked about
// words and in their states.
func TestLanguageModels(t *testing.T) {
	for _, file := range foreign.Files(t, "models", "lm", "*", "model.pt") {
		cases := strings.TrimSuffix(file, ".pt") + ".json"
		c, err := Compare(t.Context(), file, Options{}, cases)
		if err != nil || !c.Right || c.Largest > 1e-4 || c.Answers < 500 {
			t.Errorf("%s: %+v, %v", file, c, err)
			continue
		}
		m, err := Open(t.Context(), file, Options{Vocab: cases})
		if err != nil {
			t.Fatal(err)
		}
		sameInStates(t, m)
	}
}

// sameInStates compares what a language model says of words with what it says in their states.
func sameInStates(t *testing.T, m *Model) {
	t.Helper()
	q := oracle.Predict(t.Context(), m.Net)
	if !m.Predicts() || !q.ShowsStates() {
		t.Fatalf("%s: %s", m.Name, m)
	}
	w := word.Word{0, 1, 1, 0, 1}
	states := q.Start()
	for k := range len(w) + 1 {
		by, in := q.Next([]word.Word{w[:k]}), q.NextIn(states)
		sum := 0.0
		for i, p := range by.Row(0) {
			sum += float64(p)
			if math.Abs(float64(p-in.Row(0)[i])) > 1e-6 {
				t.Errorf("%s: after %v %v, in the state %v", m.Name, w[:k], by.Row(0), in.Row(0))
				break
			}
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("%s: after %v probabilities sum to %v", m.Name, w[:k], sum)
		}
		if k < len(w) {
			q.Step(states, w[k:k+1])
		}
	}
	if q.Err() != nil {
		t.Error(q.Err())
	}
}

// The language models of TAYSIR give words the probabilities that are recorded, as products of the
// network's own; the bidirectional one over the prefix read so far, as a black box.
func TestTaysirLanguageModels(t *testing.T) {
	for _, file := range foreign.Files(t, "models", "taysir-lm", "*", "model.pth") {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			bare, err := Open(t.Context(), file, Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := bare.Stack.Tokens
			m, err := Open(t.Context(), file, Options{Bos: strconv.Itoa(n - 2), Eos: strconv.Itoa(n - 1)})
			if err != nil {
				t.Fatal(err)
			}
			if _, states := m.Net.(oracle.Stepper); states == m.Stack.Bidirectional() || m.Net.Outputs() != n-1 {
				t.Errorf("states: %v, %s", states, m)
			}
			if !strings.Contains(m.Reading(), "output "+strconv.Itoa(n-2)+" left out, and the others renormalized") {
				t.Error(m.Reading())
			}
			compared, worst := wordProbabilities(t, m, filepath.Join(filepath.Dir(file), "outputs.jsonl"))
			if compared < 200 || !(worst < 1e-3) {
				t.Errorf("%d probabilities, of which one is off by %v of itself", compared, worst)
			}
		})
	}
}

// wordProbabilities compares those of all recorded prefixes, and returns how far the worst is off.
func wordProbabilities(t *testing.T, m *Model, path string) (compared int, worst float64) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	own, err := m.Own()
	if err != nil {
		t.Fatal(err)
	}
	q := oracle.Predict(t.Context(), own)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for k := 0; lines.Scan(); k++ {
		var c struct {
			Word    []int
			Outputs []float64 `json:"prefix_outputs"`
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
		next := q.Next(prefixes(w))
		for i, want := range c.Outputs {
			if want <= 1e-30 {
				break
			}
			compared++
			worst = max(worst, math.Abs(math.Exp(oracle.LogProbability(next, w[:i+1]))/want-1))
		}
	}
	if lines.Err() != nil || q.Err() != nil {
		t.Fatal(lines.Err(), q.Err())
	}
	return compared, worst
}

// What outputs mean follows from what tokens do, and from how many there are.
func TestOutputs(t *testing.T) {
	symbols := func(from int32) []int32 { return []int32{from, from + 1} }
	for _, c := range []struct {
		v               vocabulary
		tokens, outputs int
		endless         bool
		want            string // the outputs of a, b and the end, or part of an error
	}{
		{vocabulary{token: symbols(0), bos: 2, eos: 3}, 4, 4, false, "[0 1 3]"},
		{vocabulary{token: symbols(0), bos: 2, eos: 3}, 4, 3, false, "[0 1 2]"},
		{vocabulary{token: symbols(1), bos: 3, eos: 0}, 4, 3, false, "[1 2 0]"},
		{vocabulary{token: symbols(2), bos: 1, eos: 4, unused: []int32{0}}, 5, 5, false, "[2 3 4]"},
		{vocabulary{token: symbols(2), bos: 1, eos: 4, unused: []int32{0}}, 5, 3, false, "[0 1 2]"},
		{vocabulary{token: symbols(2), bos: 1, eos: 4, unused: []int32{0}}, 5, 4, false, "[1 2 3]"},
		{vocabulary{token: symbols(0), bos: 2, eos: 2}, 3, 3, false, "[0 1 2]"},
		{vocabulary{token: symbols(0), bos: 2, eos: -1}, 3, 3, false, "[0 1 2]"},
		{vocabulary{token: symbols(1), bos: 0, eos: -1}, 3, 3, false, "[1 2 0]"},
		{vocabulary{token: symbols(0), bos: -1, eos: -1}, 2, 3, false, "[0 1 2]"},
		{vocabulary{token: symbols(0), bos: -1, eos: -1}, 2, 2, false, "[0 1 -1]"},
		{vocabulary{token: symbols(0), bos: 2, eos: 3}, 4, 4, true, "[0 1 -1]"},
		{vocabulary{token: symbols(0), bos: 2, eos: 3, names: []string{"a", "b"}}, 9, 7, false, "the head has 7 outputs, the network 9 tokens, and the vocabulary 2 symbols and an end"},
	} {
		next, err := c.v.outputs(c.tokens, c.outputs, c.endless)
		got := strings.ReplaceAll(strings.Trim(string(mustJSON(t, next)), "\n"), ",", " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v, %d tokens and %d outputs: %s, want %s", c.v, c.tokens, c.outputs, got, c.want)
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What is recorded of a language model must make sense.
func TestPredictedCases(t *testing.T) {
	file := filepath.Join("testdata", "lm", "tokens.pt")
	vocab := `"vocab": {"a": 0, "b": 1, "c": 2, "<bos>": 3, "<eos>": 4}`
	for _, c := range []struct{ cases, want string }{
		{`[{"word": "a", "next": [[0.2, 0.2, 0.2, 0.2], [0.25, 0.25, 0.25, 0.25]]}]`, "case 1, after ε: the probabilities sum to 0.8, not to 1"},
		{`[{"word": "", "next": [[-0.5, 0.5, 0.5, 0.5]]}]`, "-0.5 is no probability"},
		{`[{"word": "ab", "outputs": [[1, 2, 3, 4]]}]`, "a word of length 2 has 3 prefixes"},
		{`[{"word": "a", "logit": 1}]`, "it says nothing that a language model predicts"},
		{`[{"word": "a", "probability": 7}]`, "7 is no probability"},
		{`[{"word": "d", "probability": 0.1}]`, "d"},
	} {
		path := filepath.Join(t.TempDir(), "cases.json")
		if err := os.WriteFile(path, []byte("{"+vocab+`, "cases": `+c.cases+"}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Compare(t.Context(), file, Options{}, path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.cases, err, c.want)
		}
	}
}

// Probabilities of words and of what comes next are compared, too, and a wrong one is named.
func TestPredictedProbabilities(t *testing.T) {
	file, o := filepath.Join("testdata", "lm", "tokens.pt"), Options{Vocab: filepath.Join("testdata", "lm", "tokens.json")}
	m, err := Open(t.Context(), file, o)
	if err != nil {
		t.Fatal(err)
	}
	own, err := m.Own()
	if err != nil {
		t.Fatal(err)
	}
	w := word.Word{0, 2, 1}
	next := oracle.Predict(t.Context(), m.Net).Next(prefixes(w))
	p := math.Exp(oracle.Predict(t.Context(), own).LogProbabilities([]word.Word{w})[0])
	if renormalized := math.Exp(oracle.LogProbability(next, w)); !(renormalized > p*1.001) {
		t.Errorf("%v, renormalized %v", p, renormalized)
	}
	if oracle.Ask(t.Context(), m.Net).Err() == nil || m.Decides() == nil {
		t.Error("a language model is taken for a recognizer")
	}
	var rows [][]float32
	for i := range next.Rows {
		rows = append(rows, next.Row(i))
	}
	for _, c := range []struct {
		p    float64
		want string
	}{{p, "right: all of 17 answers"}, {p * 1.1, "wrong: 1 of 17 answers differ; the probability of the word acb is"}} {
		path := filepath.Join(t.TempDir(), "cases.json")
		text := mustJSON(t, map[string]any{"cases": []any{map[string]any{"word": "acb", "next": rows, "probability": c.p}}})
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		check, err := Compare(t.Context(), file, o, path)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		check.Tell(&out)
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s, want %q", out.String(), c.want)
		}
	}
}

// A description has the distribution after every prefix, and the probability of the word.
func TestDescribePredictions(t *testing.T) {
	m, err := Open(t.Context(), filepath.Join("testdata", "lm", "tokens.pt"), Options{Vocab: filepath.Join("testdata", "lm", "tokens.json")})
	if err != nil {
		t.Fatal(err)
	}
	d := m.Describe()
	if err := d.Read(t.Context(), m, "ab"); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	d.Tell(&out)
	for _, want := range []string{"a language model", "the end = 4; output 3 left out, and the others renormalized", "not renormalized"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
	if d.Outputs != "next" || len(d.Predicted) != 3 || len(d.Predicted[2].Next) != 4 || d.Prefixes != nil {
		t.Errorf("%+v", d)
	}
	if got := likeliest([]string{"a", "b", "c"}, []float32{0.2, 0.5, 0.3}, 2); got != "b 0.50000, c 0.30000" {
		t.Error(got)
	}
}
