package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quotient/extract"
)

// startServe runs `quotient serve` until the test ends, and returns the address that
// it prints.
func startServe(t *testing.T, args ...string) *url.URL {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	root := newRoot()
	root.SetArgs(append([]string{"serve"}, args...))
	root.SetOut(w)
	root.SetErr(w)
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("it ends with %v", err)
		}
	})
	lines := bufio.NewReader(r)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)
	address, err := url.Parse(strings.TrimSpace(strings.TrimPrefix(line, "the page is at ")))
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func status(t *testing.T, address string) int {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func TestServe(t *testing.T) {
	at := startServe(t, "--listen", "127.0.0.1:0")
	if at.Hostname() != "127.0.0.1" || at.RawQuery != "" {
		t.Errorf("it is at %s", at)
	}
	if got := status(t, at.String()); got != 200 {
		t.Errorf("status %d", got)
	}
}

// On an address that others reach, the token that is printed is asked for.
func TestServeToOthers(t *testing.T) {
	at := startServe(t, "--listen", "0.0.0.0:0")
	token := at.Query().Get("token")
	if len(token) < 20 {
		t.Fatalf("no token in %s", at)
	}
	here := "http://127.0.0.1:" + at.Port() + "/api/about"
	if got := status(t, here); got != 401 {
		t.Errorf("status %d without the token", got)
	}
	request, _ := http.NewRequest("GET", here, nil)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != 200 {
		t.Errorf("with the token: %v %v", response, err)
	}
}

// The command line that the page gives for its settings is one that this program
// takes, and its automaton is the page's.
func TestCommandOfThePage(t *testing.T) {
	at := startServe(t, "--listen", "127.0.0.1:0")
	methods := extract.Names()
	if testing.Short() {
		methods = methods[:3]
	}
	for _, m := range methods {
		response, err := http.Get(at.String() + "api/extract?model=zoo:tomita2@3&kappa=0.2&strings=60&length=8&seed=3&method=" + m)
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Command, Error string
			States         int
		}
		err = json.NewDecoder(response.Body).Decode(&page)
		response.Body.Close()
		if err != nil || page.Command == "" {
			t.Errorf("%s: %v %s", m, err, page.Error)
			continue
		}
		var out, errs bytes.Buffer
		args := strings.Fields(page.Command)[1:]
		if code := run(append(args, "--json"), nil, &out, &errs); code != exitOK {
			t.Errorf("%s: %s", page.Command, errs.String())
			continue
		}
		var line struct{ States int }
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.States != page.States {
			t.Errorf("%s: %d states, the page shows %d (%v)", page.Command, line.States, page.States, err)
		}
	}
}

// The browser gets the address from a file that only the user reads, not from an argument.
func TestOpenHidesTheToken(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the browser is started in another way")
	}
	bin, cache := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\necho \"$@\" > " + bin + "/args\ncp \"$1\" " + bin + "/page\nls -l \"$1\" > " + bin + "/mode\ntouch " + bin + "/done\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", cache)
	done := openBrowser(io.Discard, "http://host:1/?model=live%3A&token=secret")
	for range 1000 {
		if _, err := os.Stat(filepath.Join(bin, "done")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	done()
	read := func(name string) string { data, _ := os.ReadFile(filepath.Join(bin, name)); return string(data) }
	if args := read("args"); args == "" || strings.Contains(args, "secret") {
		t.Errorf("arguments %q", args)
	}
	if page := read("page"); !strings.Contains(page, "url=http://host:1/?model=live%3A&amp;token=secret\"") {
		t.Errorf("page %q", page)
	}
	if mode := read("mode"); !strings.HasPrefix(mode, "-rw-------") {
		t.Errorf("mode %q", mode)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
