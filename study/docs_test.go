package study_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program in docs/library.md runs, and does what it says.
func TestLibraryDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(text), "```go\n")
	program, _, found := strings.Cut(program, "```")
	if !found {
		t.Fatal("there is no program in the document")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", file)
	var svg strings.Builder
	cmd.Stderr = &svg
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, svg.String())
	}
	for _, want := range []string{"4 states; with confidence 99%", "target tomita5: exactly this language", "abab: true"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if !strings.Contains(svg.String(), "<svg") {
		t.Error("nothing was drawn")
	}
}
