package model

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// styleRow matches a row of the table of styles in docs/models.md.
var styleRow = regexp.MustCompile("(?m)^\\| (.+) \\| `([^`]+)` \\| (loads|warns|none|refused|`--[^`]+`)(?:: `([^`]+)`)? \\|$")

// What the table of styles in docs/models.md says of each is so: it loads and is equal, with
// or without a warning; or it is read otherwise, and the comparison finds the flags, or that
// there are none; or it is refused in these words. None is wrong in silence.
func TestStyles(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "models.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := styleRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 110 {
		t.Errorf("%d styles", len(rows))
	}
	seen := make(map[string]bool)
	for _, row := range rows {
		file := filepath.Join("testdata", filepath.FromSlash(row[2]))
		t.Run(row[2], func(t *testing.T) { checkStyle(t, file, row[3], row[4]) })
		seen[file] = true
	}
	files, _ := filepath.Glob(filepath.Join("testdata", "styles", "*"))
	for _, file := range files {
		if filepath.Ext(file) != ".json" && !seen[file] {
			t.Errorf("%s is no row of the table", file)
		}
	}
}

func checkStyle(t *testing.T, file, want, words string) {
	stem, _, _ := strings.Cut(filepath.Base(file), ".")
	cases := filepath.Join(filepath.Dir(file), stem+".json")
	o := told(t, cases)
	flags := strings.Trim(want, "`")
	check, err := Compare(t.Context(), file, o, cases)
	if want == "refused" {
		if err == nil || words == "" || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "--") {
			t.Errorf("%v, want %q", err, words)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(check.Notes, "\n")
	switch {
	case want == "loads" || want == "warns":
		if !check.Right || check.Largest > 1e-4 || (want == "warns") != (notes != "") {
			t.Errorf("right: %v, largest difference %v, notes %q", check.Right, check.Largest, notes)
		}
	case check.Right:
		t.Error("it is right as it is")
	case want == "none":
		var out bytes.Buffer
		check.Tell(&out)
		if len(check.Readings) > 0 || !strings.Contains(out.String(), instead) {
			t.Errorf("%q", out.String())
		}
	default:
		if len(check.Readings) == 0 || !strings.HasSuffix(strings.Join(check.Readings[0], " "), " "+flags) {
			t.Errorf("found %q, want %s", check.Readings, flags)
		}
	}
}

// told returns the symbols where the cases' own file has no vocabulary.
func told(t *testing.T, cases string) (o Options) {
	t.Helper()
	data, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vocab json.RawMessage }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if file.Vocab == nil && !strings.Contains(cases, "onehot") {
		o.Symbols = []string{"a", "b"}
	}
	return o
}
