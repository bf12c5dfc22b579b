//go:build unix

package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quotient/f32"
	"quotient/word"
)

// script writes a Python program that finds the package in python/src, and returns its command.
func script(t *testing.T, text string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not tested: there is no python3")
	}
	module, err := filepath.Abs(filepath.Join("..", "..", "python", "src"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.py")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='%s' '%s' '%s'", module, python, path)
}

// asked starts a Python program and asks it.
func asked(t *testing.T, text string) (*Client, error) {
	t.Helper()
	c, err := Exec(context.Background(), script(t, text), Options{})
	if err == nil {
		t.Cleanup(c.Close)
	}
	return c, err
}

const evenFunction = `
def even(word):
    print("asked about", word)
    return 0.9 - 0.8 * (sum(s == "a" for s in word) % 2)
`

// What a function says of words is written as a comparison reads it.
func TestPythonCases(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cases.json")
	out, err := exec.Command("sh", "-c", script(t, fmt.Sprintf("import quotient\n%s\nquotient.cases(even, 'ab', ['', 'ab', 'aab'], %q)\n", evenFunction, file))).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(file)
	want := `{"cases": [{"word": [], "probability": 0.9}, {"word": ["a", "b"], "probability": 0.09999999999999998}, {"word": ["a", "a", "b"], "probability": 0.9}]}`
	if err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}

// Functions of words, with or without states, one word at a time or many.
func TestPythonFunctions(t *testing.T) {
	for _, serve := range []string{
		`quotient.serve(even, symbols="ab")`,
		`quotient.serve(even, symbols=["a", "b"], name="even")`,
		`quotient.serve(lambda words: [even(w) for w in words], symbols="ab", batch=True)`,
		`quotient.serve(even, symbols="ab", states=lambda w: [1 + w.count("a") % 2, 1])`,
	} {
		c, err := asked(t, "import quotient\nprint('loading')\n"+evenFunction+serve)
		if err != nil {
			t.Errorf("%s: %v", serve, err)
			continue
		}
		checkLetters(t, c)
		if r, ok := c.Stepper(); ok {
			state := f32.New(1, 2)
			r.Start(state.Row(0))
			r.Step(state, state, []word.Symbol{0})
			if !slices.Equal(state.Data, []float32{2, 1}) {
				t.Errorf("state %v", state.Data)
			}
		}
	}
}

// Errors within a model arrive with their last line, and what came before them.
func TestPythonErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"raise SystemError('no weights')", "SystemError: no weights"},
		{"print('hello')\nimport quotient\nquotient.serve(len, symbols='ab')", `no greeting such as`},
		{"import quotient\nquotient.serve(lambda w: 1 / len(w), symbols='ab')", "reports an error: \"ZeroDivisionError"},
		{"import quotient\nquotient.serve(lambda w: float('nan'), symbols='ab')", "the model gave nan"},
		{"import quotient\nquotient.serve(lambda w: 2, symbols='ab')", "the probability 2"},
		{"import quotient\nquotient.serve(lambda w: [1], symbols='ab', batch=True)", "1 probabilities for 4 words"},
	} {
		_, err := asked(t, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.text, err, c.want)
		}
	}
}

// The same over HTTP, on a port that the system chooses.
func TestPythonHTTP(t *testing.T) {
	cmd := shell("exec env " + script(t, "import quotient\n"+evenFunction+`quotient.serve(even, symbols="ab", http=0)`))
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		killTree(cmd)
		cmd.Wait()
	}()
	said, err := bufio.NewReader(stderr).ReadString('\n')
	address := regexp.MustCompile(`http://\S+`).FindString(said)
	if err != nil || address == "" {
		t.Fatalf("it said %q, %v", said, err)
	}
	go io.Copy(io.Discard, stderr) // what the model prints
	c, err := HTTP(context.Background(), address, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkLetters(t, c)
}

const torchModels = `
import json, os, sys, types
import torch
import quotient
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self, cell=nn.GRU, outputs=1, last=False, final=None):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.rnn = cell(4, 6, 2, batch_first=True, dropout=0.5)
        self.head = nn.Linear(6, outputs)
        self.last, self.final = last, final

    def forward(self, x):
        o, _ = self.rnn(self.embed(x))
        y = self.head(o[:, -1] if self.last else o)
        return self.final(y) if self.final else y

torch.manual_seed(1)
net, options, yes = CASE
for p in net.parameters():
    p.data *= 4
net.eval()
tokens = {"a": 3, "b": 1}
expected = []
with torch.no_grad():
    for w in ["", "a", "b", "ab", "ba", "aabba", "bbbbbab"]:
        frame = [0] + [tokens[s] for s in w]
        end = [2] if "eos" in options and net.head.out_features < 3 else []
        y = net(torch.tensor([frame + end]))
        y = y[0] if isinstance(y, tuple) else getattr(y, "logits", y)
        _, h = net.rnn(net.embed(torch.tensor([frame])))
        h = torch.cat([x.transpose(0, 1).reshape(1, -1) for x in (h if isinstance(h, tuple) else (h,))], 1)
        expected.append({"word": [0 if s == "a" else 1 for s in w], "p": yes(y.reshape(-1)).reshape(-1).tolist(), "state": h[0].tolist()})
json.dump(expected, open(os.path.join(os.path.dirname(__file__), "expected.json"), "w"))
net.train()
quotient.serve(net, symbols="ab", bos=0, tokens=tokens, states=True, size=3, **options)
`

// Modules of PyTorch: one logit, two classes or a prediction, squashed or not, for every position or
// for the last one, with an end token, and with the states of their recurrent layers.
func TestPythonModules(t *testing.T) {
	if err := exec.Command("python3", "-c", "import torch").Run(); err != nil {
		t.Skip("not tested: python3 has no PyTorch")
	}
	one, two := "lambda y: torch.sigmoid(y[-1])", "lambda y: torch.softmax(y[-2:], 0)[1]"
	for _, model := range []string{
		"Net(), {}, " + one,
		"Net(nn.LSTM, last=True), {'eos': 2}, " + one,
		"Net(nn.RNN, 2), {}, " + two,
		"Net(outputs=2, final=nn.LogSoftmax(-1)), {'output': 'logits'}, " + two,
		"Net(outputs=2, last=True, final=nn.Softmax(-1)), {}, lambda y: y[-1]",
		"Net(final=lambda y: torch.sigmoid(y).squeeze(-1)), {}, lambda y: y[-1]",
		"Net(outputs=5), {'eos': 2}, lambda y: torch.softmax(y[-5:][[3, 1, 2]], 0)",                                  // of tokens
		"Net(outputs=5, last=True, final=nn.Softmax(-1)), {}, lambda y: y[-5:][[3, 1, 0]] / y[-5:][[3, 1, 0]].sum()", // bos ends words
		"Net(outputs=3, final=nn.LogSoftmax(-1)), {'eos': 4}, lambda y: torch.exp(y[-3:][[1, 0, 2]])",                // of b, a and the end
		"Net(outputs=5, final=lambda y: types.SimpleNamespace(logits=y)), {'eos': 2}, lambda y: torch.softmax(y[-5:][[3, 1, 2]], 0)",
	} {
		command := script(t, strings.Replace(torchModels, "CASE", "("+model+")", 1))
		c, err := Exec(context.Background(), command, Options{})
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		path := strings.TrimSuffix(command[strings.LastIndex(command, " '")+2:], "model.py'") + "expected.json"
		agrees(t, c, path)
		c.Close()
	}
}

// agrees compares a model with what it wrote to a file.
func agrees(t *testing.T, c *Client, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var expected []struct {
		Word  word.Word
		P     []float64
		State []float64
	}
	if err := json.Unmarshal(text, &expected); err != nil || len(expected) == 0 {
		t.Fatalf("%d words, %v", len(expected), err)
	}
	r, ok := c.Stepper()
	if !ok {
		t.Fatal("no states")
	}
	for _, want := range expected {
		p := f32.New(1, len(want.P))
		err := c.Answer(t.Context(), p, []word.Word{want.Word})
		for i, x := range want.P {
			if c.Outputs() != len(want.P) || err != nil || math.Abs(float64(p.Data[i])-x) > 1e-5 {
				t.Errorf("%v: probabilities %v, want %v (%v)", want.Word, p.Data, want.P, err)
				break
			}
		}
		state := f32.New(1, r.Dim())
		r.Start(state.Row(0))
		for _, s := range want.Word {
			r.Step(state, state, []word.Symbol{s})
		}
		for i, x := range state.Data {
			if math.Abs(float64(x)-want.State[i]) > 1e-5 {
				t.Errorf("%v: state %v, want %v", want.Word, state.Data, want.State)
				break
			}
		}
	}
}

// Language models may be functions that give lists.
func TestPythonLanguageModels(t *testing.T) {
	function := "import quotient\ndef next(word):\n    return [0.25, 0.25, 0.5] if word.endswith('a') else [0.5, 0.5, 0]\n"
	for _, serve := range []string{
		`quotient.serve(next, symbols="ab")`,
		`quotient.serve(lambda words: [next(w) for w in words], symbols="ab", batch=True)`,
		`quotient.serve(next, symbols="ab", kind="lm", states=lambda w: [1 + len(w[-1:].strip("b"))])`,
	} {
		c, err := asked(t, function+serve)
		if err != nil {
			t.Errorf("%s: %v", serve, err)
			continue
		}
		dst := f32.New(2, 3)
		if err := c.Answer(t.Context(), dst, []word.Word{{0, 1}, {1, 0}}); c.Outputs() != 3 || err != nil || !slices.Equal(dst.Data, []float32{0.5, 0.5, 0, 0.25, 0.25, 0.5}) {
			t.Errorf("%s: %v, %v", serve, dst.Data, err)
		}
	}
	file := filepath.Join(t.TempDir(), "cases.json")
	out, err := exec.Command("sh", "-c", script(t, function+fmt.Sprintf("quotient.cases(next, 'ab', ['a'], %q)\n", file))).CombinedOutput()
	data, _ := os.ReadFile(file)
	if want := `{"cases": [{"word": ["a"], "next": [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]}]}`; err != nil || string(data) != want {
		t.Errorf("%v: %s %s", err, data, out)
	}
	if _, err := asked(t, "import quotient\nquotient.serve(lambda w: [0.5, 0.4, 0], symbols='ab')"); err == nil || !strings.Contains(err.Error(), "sum to 0.9, not to 1") {
		t.Error(err)
	}
}
