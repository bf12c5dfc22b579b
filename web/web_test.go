package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// serve starts a server for a test.
func serve(t *testing.T, o Options) *httptest.Server {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.Close()
		s.Close()
	})
	return h
}

// ask sends a GET request, checks its status and decodes the answer.
func ask[V any](t *testing.T, h *httptest.Server, path string, status int) V {
	t.Helper()
	response, err := http.Get(h.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var v V
	if err := json.NewDecoder(response.Body).Decode(&v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if response.StatusCode != status {
		t.Fatalf("%s: status %d, want %d: %+v", path, response.StatusCode, status, v)
	}
	return v
}

func TestExtract(t *testing.T) {
	h := serve(t, Options{})
	v := ask[extractView](t, h, "/api/extract?model=zoo:tomita5", 200)
	if v.States != 4 || v.Target == nil || !v.Target.Equal || len(v.Automaton) != 5 || v.Agree != v.Prefixes {
		t.Errorf("tomita5: %+v", v)
	}
	if v.Command != "quotient extract zoo:tomita5" || !strings.HasPrefix(v.Drawing.SVG, "<svg") {
		t.Errorf("command %q, drawing %.20q", v.Command, v.Drawing.SVG)
	}
	for path, want := range map[string]string{
		"/api/extract?kappa=3":                "over 0 and at most 2",
		"/api/extract?kappa=x":                "a number in (0, 2], or auto",
		"/api/extract?strings=0":              "from 1 to",
		"/api/extract?strings=9999&length=99": "the command line takes them",
		"/api/extract?seed=-1":                "whole number",
		"/api/extract?view=x":                 "no view is called",
		"/api/extract?model=x":                "is no network",
		"/api/extract?model=zoo:x":            "no bundled network",
		"/api/extract?model=run:x":            "--dir",
		"/api/extract?model=upload:x":         "drop the file",
	} {
		if v := ask[problem](t, h, path, 400); !strings.Contains(v.Error, want) {
			t.Errorf("%s: %q, want %q", path, v.Error, want)
		}
	}
	if v := ask[problem](t, h, "/api/extract?method=x", 422); !strings.Contains(v.Error, "no method") {
		t.Errorf("method x: %q", v.Error)
	}
}
