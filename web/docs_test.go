package web

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every request is documented, and every documented one works.
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for everything once")
	}
	data, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	source, err := os.ReadFile("web.go")
	if err != nil {
		t.Fatal(err)
	}
	routes := regexp.MustCompile(`"((GET|POST) /api/\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(routes) < 10 {
		t.Fatalf("%d routes", len(routes))
	}
	for _, r := range routes {
		if !strings.Contains(text, "\n### "+r[1]+"\n") {
			t.Errorf("%s is not in docs/api.md", r[1])
		}
	}
	h := serve(t, Options{Live: speaker(), Dir: swept(t)})
	examples := regexp.MustCompile(`curl 'http://127\.0\.0\.1:8421(/api/[^']*)'`).FindAllStringSubmatch(text, -1)
	if len(examples) != len(routes)-2 { // all but those that take files
		t.Errorf("%d examples for %d routes", len(examples), len(routes))
	}
	for _, e := range examples {
		response, err := http.Get(h.URL + e[1])
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != 200 || strings.Contains(string(body), `{"error"`) {
			t.Errorf("%s: %s %.200s", e[1], response.Status, body)
		}
	}
}

// swept returns a folder with a sweep called study, and a sheet of two rows.
func swept(t *testing.T) string {
	const automaton = `{"format":"quotient-automaton","version":1,"alphabet":["a"],"start":[1],"states":[{"id":1,"accept":true}],"transitions":[{"from":1,"on":"a","to":1}]}`
	row := `{"row": ["tomita1"], "automaton": ` + automaton + "}\n"
	folder := t.TempDir()
	for name, text := range map[string]string{
		"study.status.json": `{"name": "study", "state": "done"}`,
		"study.sheet.jsonl": `{"name": "study", "columns": [{"name": "language", "type": "text", "sets": true}]}` + "\n" + row + row,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
