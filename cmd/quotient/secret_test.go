package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What lets us in to a server stands in an address, and nowhere else: not on the screen, in errors, in
// JSON, in the report or in a file.
func TestNoPasswordIsShown(t *testing.T) {
	good, _ := slowServer(t)
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, fmt.Sprintf("no entry with %s, %s", r.URL, r.Header.Get("Authorization")), http.StatusForbidden)
	}))
	defer bad.Close()
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"quotient": 1, "symbols": ["a", "b"], "name": %q, "id": 1, "probabilities": [1, 1, 1, 1]}`, r.URL)
	}))
	defer echo.Close()
	report := filepath.Join(t.TempDir(), "report.html")
	with := func(address string) string {
		return strings.Replace(address, "http://", "http://u5er:pa55w0rd@", 1) + "/?key=s3cr3t-key"
	}
	for _, args := range [][]string{
		{"extract", "--http", with(good), "--method", "ttt", "--budget", "300", "--report", report},
		{"extract", "--http", with(good), "--method", "ttt", "--budget", "300", "--json"},
		{"model", "--http", with(good)},
		{"model", "--http", with(echo.URL)},
		{"extract", "--http", with(bad.URL)},
		{"extract", "--http", with(bad.URL), "--json"},
		{"extract", "--http", with("http://127.0.0.1:1")},
		{"extract", "--http", "ftp://u5er:pa55w0rd@host/?key=s3cr3t-key"},
		{"extract", "--http", "http://u5er:pa55w0rd@ho st/"},
	} {
		var out bytes.Buffer
		run(args, strings.NewReader(""), &out, &out)
		if out.Len() == 0 {
			t.Errorf("%q says nothing", args)
		}
		hidden(t, strings.Join(args[:2], " "), out.String())
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	hidden(t, "the report", string(text))
}

func hidden(t *testing.T, what, text string) {
	t.Helper()
	for _, s := range []string{"pa55w0rd", "s3cr3t-key", "dTVlcjpwYTU1dzByZA"} {
		if at := strings.Index(text, s); at >= 0 {
			t.Errorf("%s shows %s: ...%s", what, s, text[max(0, at-80):min(len(text), at+40)])
		}
	}
}
