package codec

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fuzz checks a reader on any text: it gives an automaton or an error with a
// line, and what was read is kept by JSON, and by the format itself from the
// second time on.
func fuzz(f *testing.F, format Format) {
	golden, err := os.ReadFile(filepath.Join("testdata", "golden", format.Name+".txt"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(golden))
	for _, test := range slices.Concat(readTests, errorTests) {
		if test.format == format.Name {
			f.Add(test.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Read(strings.NewReader(text), "f", format)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.File != "f" || syntax.Line < 1 || syntax.Line > 1+strings.Count(text, "\n") || syntax.Reason == "" {
				t.Fatalf("error without a place or a reason: %#v", err)
			}
			return
		}
		want := plainly(n)
		if diff := cmp.Diff(want, plainly(decode(t, jsonFormat, encode(t, jsonFormat, n)))); diff != "" {
			t.Fatalf("JSON differs from what was read:\n%s", diff)
		}
		m := decode(t, format, encode(t, format, n))
		if diff := cmp.Diff(plainly(m), plainly(decode(t, format, encode(t, format, m)))); diff != "" {
			t.Fatalf("read differs from written:\n%s", diff)
		}
	})
}

func FuzzJSON(f *testing.F) { fuzz(f, jsonFormat) }
func FuzzDOT(f *testing.F)  { fuzz(f, dotFormat) }
func FuzzATT(f *testing.F)  { fuzz(f, attFormat) }
func FuzzMata(f *testing.F) { fuzz(f, mataFormat) }
func FuzzJFF(f *testing.F)  { fuzz(f, jffFormat) }
