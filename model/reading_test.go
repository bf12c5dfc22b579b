package model

import (
	"slices"
	"strings"
	"testing"

	"quotient/oracle"
	"quotient/word"
)

// accepted returns which of all short words a network accepts, and what it says of itself.
func accepted(t *testing.T, file string, o Options) (answers []bool, m *Model) {
	t.Helper()
	m, err := Open(t.Context(), file, o)
	if err != nil {
		t.Fatal(err)
	}
	words := []word.Word{{}}
	for i := 0; len(words) < 200; i++ {
		for s := range m.Net.Alphabet().Len() {
			words = append(words, append(slices.Clone(words[i]), word.Symbol(s)))
		}
	}
	q := oracle.Ask(t.Context(), m.Net)
	for _, p := range q.Probabilities(words) {
		answers = append(answers, p > oracle.Threshold)
	}
	if q.Err() != nil {
		t.Fatal(q.Err())
	}
	return answers, m
}

// The class that accepts and the threshold are the user's to say, and the line says them.
func TestYesAndThreshold(t *testing.T) {
	for _, file := range []string{"testdata/tomita4.pt", "testdata/classes.pt", "testdata/module.pt"} {
		plain, m := accepted(t, file, Options{})
		if !strings.Contains(m.Reading(), "probability above one half") {
			t.Errorf("%s: %s", file, m.Reading())
		}
		turned, m := accepted(t, file, Options{Yes: "0"})
		for i := range plain {
			if plain[i] == turned[i] {
				t.Fatalf("%s: word %d is accepted by both classes or by none", file, i)
			}
		}
		if !strings.Contains(m.Reading(), "class 0") {
			t.Errorf("%s: %s", file, m.Reading())
		}
		before := len(plain)
		for _, threshold := range []string{"0.1%", "30%", "50%", "70%", "99.9%"} {
			some, m := accepted(t, file, Options{Threshold: threshold})
			n := 0
			for _, yes := range some {
				if yes {
					n++
				}
			}
			if n > before || threshold == "50%" && !slices.Equal(some, plain) {
				t.Errorf("%s: %d words above %s, %d above the one before", file, n, threshold, before)
			}
			if before = n; !strings.Contains(m.Reading(), "probability above 0.") {
				t.Errorf("%s: %s", file, m.Reading())
			}
		}
	}
}

// Without a sigmoid in the file, a threshold is about the last layer's own number.
func TestThresholdOfOutputs(t *testing.T) {
	_, plain := accepted(t, "testdata/tomita4.pt", Options{})
	w := []word.Word{{}, {0}, {0, 1}}
	logit := plain.Net.(logits).Logits(w)
	_, m := accepted(t, "testdata/tomita4.pt", Options{Threshold: "0.5"})
	for i, x := range m.Net.(logits).Logits(w) {
		if d := logit[i] - x; d < 0.4999 || d > 0.5001 {
			t.Errorf("word %d: %v, and %v with a threshold of 0.5", i, logit[i], x)
		}
	}
	if !strings.Contains(m.Reading(), "an output above 0.5") {
		t.Error(m.Reading())
	}
}

func TestStrict(t *testing.T) {
	if _, err := Open(t.Context(), "testdata/bidirectional.pt", Options{Strict: true}); err == nil || !strings.Contains(err.Error(), "strict allows no guess") {
		t.Errorf("a guess was allowed: %v", err)
	}
	if _, err := Open(t.Context(), "testdata/lstm.pt", Options{Vocab: "testdata/lstm.json", Strict: true}); err != nil {
		t.Error(err)
	}
}

func TestThresholdErrors(t *testing.T) {
	for _, o := range []Options{
		{Pool: "sum"},
		{PadTo: 5},
		{Pad: "0", PadTo: -1},
		{Pad: "0", PadSide: "left"},
		{Pad: "0", PadTo: 9, PadSide: "up"},
		{Pad: "x"},
		{Pad: "9", PadTo: 20},
		{Symbols: []string{"a", "b"}, Bos: "2", Pad: "2"},
		{Yes: "2"},
		{Threshold: "x"},
		{Threshold: "120%"},
		{Threshold: "NaN"},
		{Threshold: "0%"},
	} {
		if _, err := Open(t.Context(), "testdata/lstm.pt", o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if _, err := Open(t.Context(), "testdata/classes.pt", Options{Threshold: "3"}); err == nil || !strings.Contains(err.Error(), "between 0 and 1") {
		t.Errorf("a probability of 3: %v", err)
	}
	if _, err := Open(t.Context(), "zoo:tomita1", Options{Yes: "0"}); err == nil || !strings.Contains(err.Error(), "for files") {
		t.Errorf("zoo: %v", err)
	}
}

// What the network says itself is shown and compared, and the threshold decides.
func TestThresholdShowsOwnProbability(t *testing.T) {
	read := func(o Options) []Answer {
		m, err := Open(t.Context(), "testdata/classes.pt", o)
		if err != nil {
			t.Fatal(err)
		}
		d := m.Describe()
		if err := d.Read(t.Context(), m, "0110"); err != nil {
			t.Fatal(err)
		}
		return d.Prefixes
	}
	plain, high := read(Options{}), read(Options{Threshold: "99%"})
	for i := range plain {
		if diff := plain[i].Probability - high[i].Probability; diff > 1e-5 || diff < -1e-5 || high[i].Accepts != (plain[i].Probability > 0.99) {
			t.Errorf("%+v, and with a threshold of 99%% %+v", plain[i], high[i])
		}
	}
	ab := []string{"a", "b"}
	cases := recordCases(t, "testdata/classes.pt", Options{Symbols: ab}, "logit")
	check, err := Compare(t.Context(), "testdata/classes.pt", Options{Symbols: ab, Threshold: "30%"}, cases)
	if err != nil || !check.Right {
		t.Errorf("%+v, %v", check, err)
	}
}

// Of a file of weights the reading reminds that there is code, too, which is no guess; a graph
// and a network of this program's own have none.
func TestReadingReminds(t *testing.T) {
	for name, want := range map[string]bool{
		"testdata/styles/residual.pt": true, "testdata/module.pt": true, "testdata/lstm.safetensors": true, "testdata/keras/listed.npz": true,
		"testdata/norms/free.opset17.onnx": false, "testdata/keras/lstm1.h5.gz": false, "zoo:tomita4": false,
	} {
		m, err := Open(t.Context(), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(m.Reading(), "no forward function is read: quotient model FILE --check cases.json"); got != want {
			t.Errorf("%s: %s", name, m.Reading())
		}
	}
}
