//go:build unix

package web

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quotient/zoo"
)

// Whatever stands in the server's folder in place of a file, nobody waits for it: neither who lists what is there nor who
// asks for it, whether it is a pipe that nobody writes to or far too large.
func TestStrangeFiles(t *testing.T) {
	dir := t.TempDir()
	put := func(place string, write func(string) error) {
		t.Helper()
		path := filepath.Join(dir, place)
		os.MkdirAll(filepath.Dir(path), 0o777)
		os.Remove(path)
		if err := write(path); err != nil {
			t.Fatal(err)
		}
	}
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o666) }
	huge := func(path string) error { // which takes no room
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			return err
		}
		return os.Truncate(path, 3<<30)
	}
	info, err := zoo.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"good", "piped", "long"} {
		if err := os.CopyFS(filepath.Join(dir, name), info[0].Run.Folder()); err != nil {
			t.Fatal(err)
		}
	}
	put("pipe/settings.json", pipe)
	put("huge/settings.json", huge)
	put("piped/language.json", pipe)
	put("long/epochs.jsonl", huge)
	put("a.status.json", pipe)
	put("b.status.json", huge)
	put("a.sheet.jsonl", pipe)
	h := serve(t, Options{Dir: dir})
	client := http.Client{Timeout: 20 * time.Second}
	for path, want := range map[string]string{
		"/api/networks":                "run:good",
		"/api/sweeps":                  "[]",
		"/api/sheet?sweep=a":           "no results of the sweep a",
		"/api/network?model=run:good":  "run:good",
		"/api/network?model=run:pipe":  "this is no file",
		"/api/network?model=run:huge":  "3221225472 bytes",
		"/api/network?model=run:piped": "this is no file",
		"/api/extract?model=run:long":  "3221225472 bytes",
	} {
		answer, err := client.Get(h.URL + path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), dir) {
			t.Errorf("%s: %.300s, %v; want %s", path, text, err, want)
		}
	}
}
