package quotient_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// forbidden says what packages must never see, directly or through others. A package is
// named with all below it. Everything else is allowed.
var forbidden = []struct{ of, sees, because string }{
	{"word f32", "automaton oracle rnn", "they are the ground"},
	{"automaton counter weighted probabilistic", "f32 language oracle rnn", "automata know nothing of networks"},
	{"rnn", "automaton language oracle train", "networks know nothing of automata, nor of who trains them"},
	{"oracle", "language sample prefix model rnn", "whoever is asked, it is asked in one way"},
	{"worth", "automaton oracle", "a price is a number"},
	{"merge", "language automaton/codec automaton/regex rnn learn", "merging sees a tree and nothing else"},
	{"learn", "language model rnn train extract faith", "a learner sees an inquiry, or labeled words"},
	{"extract faith", "model rnn train zoo study", "methods are for any oracle"},
	{"model", "extract faith study learn", "opening a network extracts nothing"},
	{"draw", "oracle extract study", "a picture is drawn of what there is"},
	{"study", "report web sweep paper", "a study is rendered by others"},
	{
		"word f32 automaton counter weighted probabilistic language oracle sample prefix merge learn worth extract faith study rnn train zoo model draw report",
		"web sweep paper cmd", "nothing below sees those who put it to use",
	},
}

// deps returns what every package of the project sees.
func deps(t *testing.T) map[string][]string {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], "quotient/")
		for _, d := range fields[1:] {
			if seen, ours := strings.CutPrefix(d, "quotient/"); ours {
				all[pkg] = append(all[pkg], seen)
			}
		}
		if all[pkg] == nil {
			all[pkg] = []string{}
		}
	}
	return all
}

// below reports whether a package is one of a list, or below it.
func below(pkg, list string) bool {
	for _, name := range strings.Fields(list) {
		if pkg == name || strings.HasPrefix(pkg, name+"/") {
			return true
		}
	}
	return false
}

func TestNobodySeesWhatMustNotBeSeen(t *testing.T) {
	all := deps(t)
	for _, rule := range forbidden {
		for _, names := range []string{rule.of, rule.sees} {
			for _, name := range strings.Fields(names) {
				met := false
				for pkg := range all {
					met = met || below(pkg, name)
				}
				if !met {
					t.Errorf("a rule is about %s, and there is no such package", name)
				}
			}
		}
		for pkg, seen := range all {
			for _, other := range seen {
				if below(pkg, rule.of) && below(other, rule.sees) && !below(other, rule.of) {
					t.Errorf("%s sees %s, but %s", pkg, other, rule.because)
				}
			}
		}
	}
}

// The table of packages in ARCHITECTURE.md has all of them but those under internal.
func TestTableOfPackages(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range deps(t) {
		if pkg != "quotient" && !strings.HasPrefix(pkg, "internal/") && !strings.Contains(string(text), "| `"+pkg+"` |") {
			t.Errorf("package %s is not in the table of ARCHITECTURE.md", pkg)
		}
	}
}

// What a function may be at most.
const (
	maxLines      = 60
	maxParameters = 5
)

// Functions stay short, and exported ones have few parameters. Tables of commands and
// flags, whose names begin with new, and kernels are excepted.
func TestShapeOfFunctions(t *testing.T) {
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "f32") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			lines := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1
			isTable := f.Name.Name == "init" || strings.HasPrefix(path, "cmd") && strings.HasPrefix(f.Name.Name, "new")
			if lines > maxLines && !isTable {
				t.Errorf("%s: %s has %d lines, and at most %d are good", path, f.Name.Name, lines, maxLines)
			}
			if n := f.Type.Params.NumFields(); f.Name.IsExported() && n > maxParameters {
				t.Errorf("%s: %s has %d parameters, and at most %d are good", path, f.Name.Name, n, maxParameters)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
