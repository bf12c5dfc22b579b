package model

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quotient/word"
)

// recordCases writes what a network says of some words when it is read with some options.
func recordCases(t *testing.T, file string, o Options, of string) string {
	t.Helper()
	m, err := Open(t.Context(), file, o)
	if err != nil {
		t.Fatal(err)
	}
	words := []word.Word{{0}, {1}, {0, 1}, {1, 0, 0}, {0, 1, 1, 0, 1}, {1, 1, 1, 1}}
	logits, err := m.logits(t.Context(), words)
	if err != nil {
		t.Fatal(err)
	}
	var cases []map[string]any
	for i, w := range words {
		var symbols []string
		for _, s := range w {
			symbols = append(symbols, m.Net.Alphabet().Names()[s])
		}
		value := map[string]any{"logit": logits[i], "accepts": logits[i] > 0}[of]
		cases = append(cases, map[string]any{"word": symbols, of: value})
	}
	data, err := json.Marshal(map[string]any{"cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cases.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Where a network is misread, the flags that read it right are found.
func TestCompareFindsTheReading(t *testing.T) {
	ab := []string{"a", "b"}
	for _, c := range []struct {
		file        string
		truth, user Options
		want        string // "": it is right
	}{
		{"lstm.pt", Options{Symbols: ab}, Options{Symbols: ab}, ""},
		{"onehot.pt", Options{Nonlinearity: "tanh"}, Options{}, "--nonlinearity tanh"},
		{"bidirectional.pt", Options{Summary: "last"}, Options{}, "--summary last"},
		{"silu.pt", Options{Symbols: ab, Activation: "silu"}, Options{Symbols: ab}, "--activation silu"},
		{"classes.pt", Options{Symbols: ab, Yes: "0"}, Options{Symbols: ab}, "--yes 0"},
		{"lstm.pt", Options{Symbols: ab, Bos: "none"}, Options{Symbols: ab}, "--bos none"},
		{"lstm.pt", Options{Symbols: ab}, Options{Symbols: ab, Bos: "none"}, "--bos 2"},
		{"bidirectional.pt", Options{Symbols: ab, Bos: "none", Eos: "2", Summary: "last"}, Options{Symbols: ab, Bos: "none"}, "--bos none --eos 2 --summary last"},
	} {
		file := filepath.Join("testdata", c.file)
		check, err := Compare(t.Context(), file, c.user, recordCases(t, file, c.truth, "logit"))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if c.want == "" {
			if !check.Right || check.Largest > 1e-5 {
				t.Errorf("%s: %+v", c.file, check)
			}
			continue
		}
		var found []string
		for _, flags := range check.Readings {
			found = append(found, strings.Join(flags, " "))
		}
		if check.Right || !strings.Contains(strings.Join(found, "\n"), c.want) {
			t.Errorf("%s as %+v: found %q, want %s", c.file, c.user, found, c.want)
		}
	}
}

// Cases that only say what is accepted find the class and the threshold.
func TestCompareAnswers(t *testing.T) {
	file := filepath.Join("testdata", "tomita4.pt")
	check, err := Compare(t.Context(), file, Options{Symbols: []string{"a", "b"}, Yes: "0"}, recordCases(t, file, Options{Symbols: []string{"a", "b"}}, "accepts"))
	if err != nil || check.Right || len(check.Readings) == 0 {
		t.Errorf("%+v, %v", check, err)
	}
}

func TestCompareErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                           "there are no cases in it",
		`{"cases": 1}`:                 "cannot unmarshal",
		`{"cases": [{"word": ["a"]}]}`: "case 1: it says nothing of its word",
		`{"cases": [{"word": 3}]}`:     "a word is a list of symbols, or a text",
		`{"cases": [{"word": "x"}]}`:   "case 1: ",
		`{"cases": [{"word": "a", "logits": [1]}]}`:    "has 2 prefixes, but there are 1 logits",
		`{"cases": [{"word": "a", "probability": 2}]}`: "2 is no probability",
		`{"cases": [{"word": "", "logits": [null]}]}`:  "the cases say nothing of any word",
		`[`: "unexpected end",
	} {
		path := filepath.Join(t.TempDir(), "cases.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Compare(t.Context(), filepath.Join("testdata", "lstm.pt"), Options{Symbols: []string{"a", "b"}}, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Networks whose files leave open what their code does: each is read right, or the flags that
// do are found, or it is said that there are none, or it is refused. None is wrong in silence.
func TestMisread(t *testing.T) {
	const nothing = "no reading is right"
	ab, abc := []string{"a", "b"}, []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		symbols []string // none: the cases name them
		want    string   // "": right; otherwise flags, or part of an error
	}{
		"relu":      {ab, "--nonlinearity relu"},
		"last":      {ab, "--summary last"},
		"class":     {ab, "--yes 0"},
		"threshold": {ab, "--threshold 0.5"},
		"padding":   {abc, ""},
		"begin":     {nil, "--bos 2"},
		"names":     {nil, ""},
		"norm":      {ab, ""},
		"scaled":    {ab, "--embedding-scale sqrt"},
		"reversed":  {ab, "--reverse"},
		"mean":      {ab, "--pool mean"},
		"max":       {ab, "--pool max"},
		"memory":    {ab, "--summary cell"},
		"first":     {ab, "--layer 1"},
		"left":      {ab, "--pad 0 --pad-to 12 --pad-side left"},
		"right":     {ab, "--pad 0 --pad-to 12 --pad-side right"},
	} {
		path := filepath.Join("testdata", "reading", name)
		check, err := Compare(t.Context(), path+".pt", Options{Symbols: c.symbols}, path+".json")
		got := nothing
		switch {
		case err != nil:
			got = err.Error()
		case check.Right:
			got = ""
		case len(check.Readings) > 0:
			got = strings.Join(check.Readings[0], " ")
		}
		if !strings.HasSuffix(got, c.want) && !strings.Contains(got, c.want+";") || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Symbols that no case has are tried as what is read around words and as padding, and may be
// called by their names.
func TestSymbolsAroundWords(t *testing.T) {
	const file = "testdata/reading/left.pt"
	data, err := os.ReadFile("testdata/reading/left.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string]any
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	cases["vocab"] = map[string]int{"~": 0, "a": 1, "b": 2}
	if data, err = json.Marshal(cases); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cases.json")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := Compare(t.Context(), file, Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(c.Unasked) != "[~]" || len(c.Readings) == 0 || !strings.HasSuffix(strings.Join(c.Readings[0], " "), "--pad 0 --pad-to 12 --pad-side left") {
		t.Errorf("%+v", c)
	}
	c, err = Compare(t.Context(), file, Options{Vocab: path, Pad: "~", PadTo: 12, PadSide: "left"}, path)
	if err != nil || !c.Right {
		t.Errorf("%+v, %v", c, err)
	}
}

// How near is right depends on what the recorded numbers spread over, and on their decimals.
func TestNear(t *testing.T) {
	const file = "testdata/lstm.pt"
	for _, c := range []struct {
		change func(x float64) float64
		little bool
		right  bool
	}{
		{func(x float64) float64 { return x }, false, true},
		{func(x float64) float64 { return math.Round(x*1e4) / 1e4 }, false, true},
		{func(x float64) float64 { return x * 1.0005 }, false, false},
	} {
		path := recordCases(t, file, Options{Vocab: "testdata/lstm.json"}, "logit")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var cases struct{ Cases []map[string]any }
		if err := json.Unmarshal(data, &cases); err != nil {
			t.Fatal(err)
		}
		for _, r := range cases.Cases {
			if x, ok := r["logit"].(float64); ok {
				r["logit"] = c.change(x)
			}
		}
		if data, err = json.Marshal(map[string]any{"cases": cases.Cases}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		check, err := Compare(t.Context(), file, Options{Vocab: "testdata/lstm.json"}, path)
		if err != nil || check.Right != c.right || check.Little != c.little {
			t.Errorf("%+v, %v", check, err)
		}
	}
	for _, c := range []struct {
		claims []claim
		want   string
	}{
		{[]claim{{logit: 1, decides: true}, {logit: 1, decides: true}}, "only decisions were compared, no logits, and all are alike, which shows little"},
		{[]claim{{logit: 1, decides: true}, {logit: -1, decides: true}}, "only decisions were compared, no logits"},
		{[]claim{{logit: 1}, {logit: 1.001}}, "the recorded ones hardly differ, by 0.001 at most, which shows little"},
		{[]claim{{logit: 1}, {logit: 2}}, "the largest difference of logits is 0"},
	} {
		check := Check{Answers: len(c.claims), Spread: spread(c.claims)}
		check.count(c.claims)
		if got := check.compared(); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
