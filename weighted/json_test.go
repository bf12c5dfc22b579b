package weighted

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quotient/automaton/codec"
	"quotient/word"
)

func written(t interface{ Fatal(...any) }, a *Automaton) string {
	var b bytes.Buffer
	if err := Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const fibonacciText = `{
  "format": "quotient-weights",
  "version": 1,
  "alphabet": ["a", "b"],
  "threshold": 2.5,
  "initial": [1, 0],
  "final": [0, 1],
  "matrices": [
    [
      [1, 1],
      [1, 0]
    ],
    [
      [0, 0],
      [0, 0]
    ]
  ]
}
`

func TestWrite(t *testing.T) {
	if diff := cmp.Diff(fibonacciText, written(t, fibonacci())); diff != "" {
		t.Error(diff)
	}
	a := fibonacci()
	a.Final[0] /= a.Final[0]
	if err := Write(&bytes.Buffer{}, a); err == nil {
		t.Error("a weight that is not a number was written")
	}
}

// What is written is read back the same, to the last bit.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`.{1,3}`), 0, 3, rapid.ID[string]).Draw(t, "names")
		alphabet, err := word.NewAlphabet(names...)
		if err != nil {
			t.Skip(err)
		}
		a := New(alphabet, rapid.IntRange(0, 3).Draw(t, "states"))
		for _, list := range [][]float64{a.Initial, a.Final, a.Weights} {
			for i := range list {
				list[i] = rapid.Float64().Draw(t, "weight")
			}
		}
		a.Threshold = rapid.Float64().Draw(t, "threshold")
		b, err := Read(strings.NewReader(written(t, a)), "f")
		if err != nil {
			t.Fatal(err)
		}
		if !same(a, b) {
			t.Fatalf("%+v was read back as %+v", a, b)
		}
	})
}

func same(a, b *Automaton) bool {
	return a.Alphabet.Equal(b.Alphabet) && a.Threshold == b.Threshold && slices.Equal(a.Initial, b.Initial) &&
		slices.Equal(a.Final, b.Final) && slices.Equal(a.Weights, b.Weights)
}

var badFiles = []struct{ old, new, want string }{
	{`"final": [0, 1]`, `"final": [0]`, `f:7: 2 initial weights, but 1 final ones`},
	{`"final": [0, 1]`, `"final": [0, null]`, `f:7: expected a number`},
	{`"final": [0, 1]`, `"final": {}`, `f:7: expected a list`},
	{`"final": [0, 1],`, ``, `f:18: field "final" is missing`},
	{`"final": [0, 1]`, `"final": [0, 1], "final": []`, `f:7: field "final" is there twice`},
	{`"final"`, `"finall"`, `f:7: unknown field "finall"`},
	{`[1, 0]
`, `[1, 0, 0]
`, `f:11: a row of 3 numbers; the first has 2`},
	{`[1, 1],
      [1, 0]`, `[1, 1]`, `f:11: matrix 1 has 1 rows of 2 numbers; it must be square, and as large as the others`},
	{`[1, 1],
      [1, 0]`, ``, `f:13: a row of 2 numbers; the first has 0`},
	{`["a", "b"]`, `["a"]`, `f:17: 2 matrices for 1 symbols`},
	{`["a", "b"]`, `["a", "a"]`, `f:4: two symbols are called "a"`},
	{`[1, 0],
  "final": [0, 1]`, `[1],
  "final": [0]`, `f:17: 1 initial weights, but matrices of 2 × 2`},
	{`"version": 1`, `"version": 2`, `f:3: version is 2; only version 1 can be read`},
	{`quotient-weights`, `quotient-automaton`, `f:2: format is "quotient-automaton", not "quotient-weights"`},
	{`2.5`, `1e999`, `f:5: invalid JSON: `},
	{`2.5`, `Infinity`, `f:5: `},
	{"}\n", "}\n1", `f:19: something follows the document`},
	{"  ]\n}\n", "", `f:16: the document ends too early`},
	{"{\n", "[\n", `f:1: expected a JSON object`},
	{"a", "\xff", `f:1: this is not UTF-8`},
}

func TestReadErrors(t *testing.T) {
	for _, test := range badFiles {
		text := strings.Replace(fibonacciText, test.old, test.new, 1)
		_, err := Read(strings.NewReader(text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q for %q: %v, want %s", test.new, test.old, err, test.want)
		}
	}
}

// Any text is an automaton or an error with a place and a reason.
func FuzzRead(f *testing.F) {
	f.Add(fibonacciText)
	for _, test := range badFiles {
		f.Add(strings.Replace(fibonacciText, test.old, test.new, 1))
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Read(strings.NewReader(text), "f")
		if err != nil {
			var syntax *codec.SyntaxError
			if !errors.As(err, &syntax) || syntax.File != "f" || syntax.Line < 1 || syntax.Line > 1+strings.Count(text, "\n") || syntax.Reason == "" {
				t.Fatalf("error without a place or a reason: %#v", err)
			}
			return
		}
		b, err := Read(strings.NewReader(written(t, a)), "f")
		if err != nil || !same(a, b) {
			t.Fatalf("%+v was read back as %+v, %v", a, b, err)
		}
	})
}

// Files made to cost more than they weigh cost no more than a small multiple.
func TestHostileMemory(t *testing.T) {
	const size = 400_000
	head := `{"format": "quotient-weights", "version": 1, `
	for name, text := range map[string]string{
		"numbers":  head + `"initial": [` + strings.Repeat("0,", size/2) + "0]}",
		"rows":     head + `"matrices": [` + strings.Repeat("[],", size/3) + "[]]}",
		"symbols":  head + `"alphabet": [` + strings.Repeat(`"",`, size/3) + `""]}`,
		"deep":     head + `"initial": ` + strings.Repeat("[", size),
		"one name": head + `"` + strings.Repeat("a", size) + `": 1}`,
		"matrices": head + `"matrices": [` + strings.Repeat("[[0]],", size/6) + "[[0]]]}",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			_, err := Read(strings.NewReader(text), "f")
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Error("no error")
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 80*size {
				t.Errorf("%d bytes were allocated for %d", used, len(text))
			}
		})
	}
	var size2 *codec.SizeError
	if _, err := Read(endless{}, "f"); !errors.As(err, &size2) {
		t.Errorf("an endless file gives %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
