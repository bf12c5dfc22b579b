package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	if v.States != 4 || v.Target == nil || !v.Target.Equal || v.Target.Words == "" || len(v.Automaton) != 5 || v.Agree != v.Fresh || v.Method != "fold" || v.Chosen == "" {
		t.Errorf("tomita5: %+v", v)
	}
	if v.Command != "quotient extract zoo:tomita5 --target tomita5" || !strings.HasPrefix(v.Drawing.SVG, "<svg") {
		t.Errorf("command %q, drawing %.20q", v.Command, v.Drawing.SVG)
	}
	for path, want := range map[string]string{
		"/api/extract?kappa=3":                "over 0 and at most 2",
		"/api/extract?kappa=x":                "a number in (0, 2], or auto",
		"/api/extract?strings=0":              "at least 1",
		"/api/extract?strings=9999&length=99": "the command line takes them",
		"/api/extract?seed=-1":                "whole number",
		"/api/extract?view=x":                 "no view is called",
		"/api/extract?model=x":                "is no network",
		"/api/extract?model=zoo:x":            "no bundled network",
		"/api/extract?model=run:x":            "no folder of runs",
		"/api/extract?model=upload:x":         "drop the file",
		"/api/extract?words-from=/etc/hosts":  "files are not read here",
		"/api/extract?limit=99999999":         "the command line takes more",
	} {
		if v := ask[problem](t, h, path, 400); !strings.Contains(v.Error, want) {
			t.Errorf("%s: %q, want %q", path, v.Error, want)
		}
	}
	if v := ask[problem](t, h, "/api/extract?method=x", 400); !strings.Contains(v.Error, "no method") {
		t.Errorf("method x: %q", v.Error)
	}
}

// lines sends a GET request for a stream and returns its lines.
func lines(t *testing.T, h *httptest.Server, path string) []map[string]json.RawMessage {
	t.Helper()
	request, err := http.NewRequest("GET", h.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", ndjson)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if kind := response.Header.Get("Content-Type"); kind != ndjson {
		t.Fatalf("%s is %s", path, kind)
	}
	var all []map[string]json.RawMessage
	for d := json.NewDecoder(response.Body); d.More(); {
		var line map[string]json.RawMessage
		if err := d.Decode(&line); err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	return all
}

func TestSweep(t *testing.T) {
	h := serve(t, Options{})
	v := ask[struct {
		Trials  []struct{ Kappa float64 }
		Auto    float64
		Plateau []float64
	}](t, h, "/api/sweep?model=zoo:tomita3&kappa=0.3", 200)
	if len(v.Trials) != 34 || v.Auto != 0.005 || len(v.Plateau) != 2 {
		t.Errorf("%d trials, auto %v, plateau %v", len(v.Trials), v.Auto, v.Plateau)
	}
	ask[problem](t, h, "/api/sweep?method=kmeans", 422)
}

func TestWord(t *testing.T) {
	h := serve(t, Options{})
	v := ask[struct{ Rows []row }](t, h, "/api/word?model=zoo:tomita5&word=abba", 200)
	want := []bool{true, false, false, false, true}
	if len(v.Rows) != 5 {
		t.Fatalf("%d rows", len(v.Rows))
	}
	for i, r := range v.Rows {
		if r.Network != want[i] || r.Automaton != want[i] || (r.Probability > 0.5) != want[i] {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if v := ask[problem](t, h, "/api/word?word=abc", 400); !strings.Contains(v.Error, "c") {
		t.Errorf("%q", v.Error)
	}
	ask[problem](t, h, "/api/word?word="+strings.Repeat("a", 1001), 400)
}

func TestExpression(t *testing.T) {
	h := serve(t, Options{})
	if v := ask[map[string]string](t, h, "/api/expression?model=zoo:tomita1", 200); v["expression"] != "a*" {
		t.Errorf("%v", v)
	}
}

func TestCompare(t *testing.T) {
	type answer struct {
		Equal bool
		Word  *string
		A     bool `json:"a_accepts"`
		B     bool `json:"b_accepts"`
	}
	h := serve(t, Options{})
	if v := ask[answer](t, h, "/api/compare?model=zoo:tomita3&b.model=zoo:tomita3-gru", 200); !v.Equal || v.Word != nil {
		t.Errorf("%+v", v)
	}
	if v := ask[answer](t, h, "/api/compare?model=zoo:tomita3&b.model=zoo:tomita4", 200); v.Equal || *v.Word != "ab" || v.A || !v.B {
		t.Errorf("%+v", v)
	}
}

func TestPointsAndReplay(t *testing.T) {
	h := serve(t, Options{})
	p := ask[pointsView](t, h, "/api/points?model=zoo:tomita5&strings=60&length=8", 200)
	n := len(p.X)
	if n != p.Nodes || len(p.Y) != n || len(p.State) != n || len(p.Word) != n || p.Word[0] != "ε" || p.Depth[0] != 0 || p.Share[0] < p.Share[1] {
		t.Errorf("%d points of %d nodes, shares %v", n, p.Nodes, p.Share)
	}
	r := ask[replayView](t, h, "/api/replay?model=zoo:tomita5&strings=60&length=8", 200)
	left := map[int]bool{}
	for i := range r.Parent {
		left[i] = true
	}
	for i, from := range r.From {
		if !left[int(from)] || !left[int(r.Into[i])] || r.Accept[from] != r.Accept[r.Into[i]] {
			t.Fatalf("step %d: %d into %d", i, from, r.Into[i])
		}
		delete(left, int(from))
	}
	for n := range left { // what is left are states, each of one state of the minimal automaton
		for m := range left {
			if r.State[n] == r.State[m] && n != m && r.State[n] != 0 {
				t.Errorf("%d and %d are left and are one state", n, m)
			}
		}
	}
	if !strings.HasPrefix(r.SVG, "<svg") || !strings.HasPrefix(r.Last, "<svg") {
		t.Error("no drawings")
	}
	ask[problem](t, h, "/api/replay?method=kmeans", 400)
	ask[problem](t, h, "/api/replay?strings=2000&length=20", 400)
}

func TestStreams(t *testing.T) {
	h := serve(t, Options{})
	all := lines(t, h, "/api/epochs?model=zoo:tomita2@4&strings=30&length=6")
	if len(all) != 23 || all[22]["result"] == nil {
		t.Errorf("%d lines of epochs", len(all))
	}
	for i, line := range all[:22] {
		var e epochView
		if err := json.Unmarshal(line["progress"], &e); err != nil || e.Epoch != i+1 || e.States < 1 || e.Merged < e.States {
			t.Errorf("line %d: %s", i, line["progress"])
		}
	}
	all = lines(t, h, "/api/extract?model=zoo:tomita2&method=explore")
	var x extractView
	if err := json.Unmarshal(all[len(all)-1]["result"], &x); err != nil || x.States != 2 || x.TreeNodes != 0 || x.Kappa != 0 || x.Agree != x.Fresh {
		t.Errorf("explored: %s", all[len(all)-1])
	}
	if p := ask[pointsView](t, h, "/api/points?model=zoo:tomita2&method=explore", 200); len(p.X) == 0 {
		t.Error("no points without a tree")
	}
	all = lines(t, h, "/api/check?model=zoo:tomita2")
	var c struct {
		Words, Agree int
		Shortest     *string `json:"shortest_disagreement"`
	}
	if err := json.Unmarshal(all[len(all)-1]["result"], &c); err != nil || c.Words != 1000 || c.Agree != 1000 || c.Shortest != nil {
		t.Errorf("%s", all[len(all)-1])
	}
	all = lines(t, h, "/api/disagree?model=zoo:tomita7@2&method=union&kappa=0.9")
	var d struct{ Word *string }
	if err := json.Unmarshal(all[len(all)-1]["result"], &d); err != nil || d.Word == nil || len(all) < 2 {
		t.Errorf("%s", all[len(all)-1])
	}
	if all := lines(t, h, "/api/disagree?kappa=7"); all[0]["error"] == nil {
		t.Errorf("%s", all[0])
	}
}

// A stream ends soon after its reader has gone, and gives back its turn.
func TestStreamIsCanceled(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended := make(chan struct{})
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(w, r)
		close(ended)
	}))
	defer h.Close()
	ctx, cancel := context.WithCancel(context.Background())
	request, _ := http.NewRequestWithContext(ctx, "GET", h.URL+"/api/disagree?model=zoo:tomita6-lstm&method=fold&budget=1000000&strings=1000&length=100", nil)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := response.Body.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-ended
	if len(s.slots) != 0 {
		t.Error("a turn is still taken")
	}
}

func TestFiles(t *testing.T) {
	h := serve(t, Options{Version: "quotient of the test"})
	about := ask[struct {
		Formats []struct{ Name, Extension string }
		Methods []string
	}](t, h, "/api/about", 200)
	if len(about.Methods) == 0 {
		t.Error("no methods")
	}
	fetch := func(path, name string) string {
		t.Helper()
		response, err := http.Get(h.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		if want := "attachment; filename=" + name; err != nil || response.StatusCode != 200 || response.Header.Get("Content-Disposition") != want {
			t.Fatalf("%s: %s, %q, %v: %.200s", path, response.Status, response.Header.Get("Content-Disposition"), err, data)
		}
		return string(data)
	}
	for _, f := range about.Formats {
		if text := fetch("/api/file?format="+f.Name, "tomita5"+f.Extension); len(text) < 40 {
			t.Errorf("%s: %q", f.Name, text)
		}
	}
	if text := fetch("/api/file?format=svg&dead=1", "tomita5.svg"); !strings.HasPrefix(text, "<svg") || strings.Contains(text, "data-") {
		t.Errorf("%.100s", text)
	}
	ask[problem](t, h, "/api/file?format=x", 400)
	if text := fetch("/api/report", "tomita5.html"); !strings.Contains(text, "quotient of the test") || !strings.Contains(text, "quotient extract zoo:tomita5") || !strings.Contains(text, "exactly tomita5") {
		t.Errorf("%.400s", text)
	}
}

func TestViews(t *testing.T) {
	h := serve(t, Options{})
	const large = "/api/extract?model=zoo:tomita3@1&method=fold"
	v := ask[extractView](t, h, large, 200)
	if v.States <= 12 {
		t.Fatalf("only %d states", v.States)
	}
	all := ask[extractView](t, h, large+"&view=whole", 200)
	if all.Drawing.View != whole || strings.Count(all.Drawing.SVG, `class="state"`) != v.States {
		t.Errorf("%d states are drawn", strings.Count(all.Drawing.SVG, `class="state"`))
	}
	part := ask[extractView](t, h, large+"&view=near&focus=7&radius=1", 200)
	if n := strings.Count(part.Drawing.SVG, `class="state"`); n >= v.States || n < 2 || len(part.Drawing.Cut) == 0 || !strings.Contains(part.Drawing.SVG, `data-name="q6"`) {
		t.Errorf("%d of %d states, %v are cut", n, v.States, part.Drawing.Cut)
	}
	if part = ask[extractView](t, h, large+"&view=near&radius=1&dead=1", 200); strings.Contains(part.Drawing.SVG, "∅") {
		t.Error("transitions to states that are not shown seem to lead to the dead one")
	}
	folded := ask[extractView](t, h, large+"&view=collapsed", 200)
	states := 0
	for _, part := range folded.Drawing.Parts {
		states += len(part)
	}
	if states != v.States {
		t.Errorf("%d states in the parts", states)
	}
}

// The benchmark asks, gets answers, and leaves nothing behind.
func TestBenchmark(t *testing.T) {
	b, err := Benchmark(context.Background(), BenchOptions{Clients: 2, Time: 300 * time.Millisecond, Models: []string{"zoo:tomita1"}})
	if err != nil || b.Answers == 0 || b.Errors != 0 || b.Median <= 0 || b.Idle > b.Before+20<<20 {
		t.Errorf("%+v, %v", b, err)
	}
}

// Sweeps are listed by what they wrote last, and hostile files are left out.
func TestSweeps(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"study":  `{"name": "study", "state": "done", "extract": {"total": 3, "done": 2, "failed": 1}}`,
		"broken": `{"name": "bro`,
		"odd":    `{"name": "<script>", "state": "done"}`,
	} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, name+".status.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for where, want := range map[string]string{dir: `{"sweeps":[{"name":"study","state":"done",`, "": `{"sweeps":[]}`} {
		h := serve(t, Options{Dir: where})
		response, err := http.Get(h.URL + "/api/sweeps")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || !strings.HasPrefix(string(body), want) || strings.Contains(string(body), "script") {
			t.Errorf("%s, %v", body, err)
		}
	}
}
