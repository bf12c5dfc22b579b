package quotient_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport says which packages of the project each package may import. The
// arrows all point one way; ARCHITECTURE.md has the picture.
var mayImport = map[string]string{
	"word":              "",
	"internal/foreign":  "",
	"internal/fold":     "",
	"internal/lock":     "",
	"internal/parquet":  "",
	"internal/tfevents": "",
	"f32":               "",
	"automaton":         "word",
	"automaton/regex":   "word automaton",
	"automaton/codec":   "word automaton",
	"counter":           "word automaton",
	"language":          "word automaton automaton/regex automaton/codec counter",
	"draw":              "word automaton weighted counter",
	"rnn/gates":         "f32",
	"rnn":               "word f32 rnn/gates",
	"rnn/backprop":      "word f32 rnn/gates rnn",
	"train":             "internal/lock word f32 automaton automaton/codec language rnn rnn/backprop",
	"zoo":               "rnn train",
	"zoo/retrain":       "language rnn train zoo",
	"model/onnx":        "f32 rnn",
	"model/remote":      "word f32",
	"model/torch":       "rnn",
	"model":             "word f32 prefix rnn model/onnx model/remote model/torch train zoo",
	"prefix":            "word f32 automaton language",
	"prefix/prefixtest": "word f32 automaton",
	"merge":             "internal/fold word f32 automaton prefix",
	"explore":           "word f32 automaton prefix",
	"extract":           "word f32 automaton prefix merge explore counter learn/active learn/labeled learn/passive learn/spectral learn/tally",
	"faith":             "word f32 automaton prefix",
	"learn/labeled":     "word automaton",
	"learn/passive":     "internal/fold word automaton learn/labeled",
	"learn/active":      "word f32 automaton prefix",
	"weighted":          "word automaton automaton/codec",
	"learn/tally":       "internal/fold word f32 automaton counter language prefix",
	"learn/spectral":    "word automaton prefix weighted",
	"report":            "word f32 automaton automaton/regex draw prefix extract faith",
	"web":               "word f32 automaton automaton/regex automaton/codec draw rnn train zoo model prefix merge explore extract faith report sweep/queue",
	"sweep/plan":        "f32 automaton/regex automaton/codec language train zoo model merge extract",
	"sweep/queue":       "internal/lock word automaton automaton/codec language rnn train prefix extract sweep/plan",
	"sweep/results":     "internal/parquet internal/tfevents draw train sweep/plan",
	"paper":             "word automaton language draw prefix merge extract sweep/plan sweep/results",
}

// onTop may import everything, and nothing imports it.
const onTop = "cmd/quotient"

func TestImportsPointOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	met := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg, imports := strings.TrimPrefix(fields[0], "quotient/"), fields[1:]
		allowed, known := mayImport[pkg]
		if !known && pkg != onTop && pkg != "quotient" {
			t.Errorf("package %s is not in the table of this test", pkg)
			continue
		}
		met++
		for _, path := range imports {
			used, ours := strings.CutPrefix(path, "quotient/")
			if ours && pkg != onTop && !slices.Contains(strings.Fields(allowed), used) {
				t.Errorf("package %s imports %s", pkg, used)
			}
		}
	}
	if met < len(mayImport)/2 {
		t.Errorf("only %d packages were met", met)
	}
}

// The table of packages in ARCHITECTURE.md has all of them, and each stands behind
// those that it may import.
func TestTableOfPackages(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| package | what it knows |")
	table, _, _ = strings.Cut(table, "\n\n")
	row := map[string]int{}
	for i, match := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(table, -1) {
		row[match[1]] = i + 1
	}
	for pkg, imports := range mayImport {
		if strings.HasPrefix(pkg, "internal/") || pkg == "prefix/prefixtest" || pkg == "zoo/retrain" {
			continue // in the text, or beside another
		}
		if row[pkg] == 0 {
			t.Errorf("package %s is not in the table", pkg)
		}
		for _, used := range strings.Fields(imports) {
			if row[used] > row[pkg] {
				t.Errorf("package %s stands before %s, which it may import", pkg, used)
			}
		}
	}
	for pkg := range row {
		if _, known := mayImport[pkg]; !known && pkg != onTop {
			t.Errorf("there is no package %s", pkg)
		}
	}
}
