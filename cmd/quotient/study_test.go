package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quotient/extract"
	"quotient/model"
	"quotient/study"
	"quotient/sweep/plan"
	"quotient/sweep/queue"
	"quotient/web"
	"quotient/word"
)

// oneStudy are settings that all who make studies are given: every kind of method, a
// kappa that is chosen and one that is given, a target, a file, words of the user's.
var oneStudy = []struct {
	model, target string
	said          string // settings
}{
	{"zoo:tomita5", "tomita5", "method=fold"},
	{"zoo:tomita4", "tomita4", "method=fold kappa=0.001 strings=50 length=8 seed=3"},
	{"zoo:tomita7", "tomita7", "method=union kappa=0.01 words-from=tomita7"},
	{"zoo:tomita3", "tomita3", "method=keep kappa=0.01 words-from=tomita3 order=first"},
	{"zoo:tomita6", "tomita6", "method=kmeans clusters=12"},
	{"zoo:tomita2", "tomita2", "method=auto time=1000h"},
	{"zoo:tomita6@2", "tomita6", "method=explore time=1000h max-states=20 lengths=0-20"},
	{"zoo:tomita7-gru", "tomita7", "method=ttt time=1000h"},
	{"zoo:tomita4", "tomita4", "method=lstar equivalence=sample time=1000h"},
	{"zoo:tomita5", "tomita5", "method=edsm strings=300"},
	{"zoo:tomita3", "tomita3", "method=spectral rank=4"},
	{"zoo:dyck1-lstm", "dyck1", "method=counter"},
	{"run:tomita1", "tomita1", "method=rpni"},
	{"upload:net.safetensors", "", "method=auto time=1000h"},
	{"run:ten", "regex:[a-j]*j", "method=auto time=1000h max-states=20"},
	{"upload:guessed.pt", "", "method=fold strings=20 length=5"},
	{"zoo:tomita4", "tomita4", "method=fold data=words.csv seed=2"},
	{"zoo:tomita7", "tomita7", "method=ttt data=words.txt time=1000h"},
	{"zoo:tomita6@2", "tomita6", "method=auto data=words.txt time=1000h max-states=20"},
}

// The command line, the page, a sweep and the library make the same study of the same
// settings, to the last byte but for times.
func TestOneStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("it extracts fifty times")
	}
	testdata, err := filepath.Abs("../../model/testdata/mlp.pt") // in which something is guessed
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, command := range []string{
		"train tomita1 --hidden 20 --strings 2000 --epochs 4 --dev-strings 50 -o tomita1", "export tomita1 net.safetensors",
		"train regex:[a-j]*j --hidden 12 --strings 500 --epochs 1 --dev-strings 20 --long-strings 20 -o ten",
	} {
		if code := run(strings.Fields(command), nil, &bytes.Buffer{}, t.Output()); code != 0 {
			t.Fatalf("%s ended with %d", command, code)
		}
	}
	guessed, err := os.ReadFile(testdata)
	if err == nil {
		err = os.WriteFile("guessed.pt", guessed, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	var labels, plain []byte
	for i, w := range word.Shortest(2, 200) {
		labels = fmt.Appendf(labels, "%s,%d\n", word.Letters("ab").Format(w), i%2)
		plain = fmt.Appendf(plain, "%s\n", word.Letters("ab").Format(w))
	}
	for name, text := range map[string][]byte{"words.csv": labels, "words.txt": append(plain, "abx\n"...)} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	server, err := web.New(web.Options{Dir: "."})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	store, err := queue.Embedded(t.Context(), "sweep")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for i, c := range oneStudy {
		said := map[string]string{}
		for _, pair := range strings.Fields(c.said) {
			name, value, _ := strings.Cut(pair, "=")
			said[name] = value
		}
		t.Run(c.model+" "+c.said, func(t *testing.T) {
			want := byLibrary(t, c.model, c.target, said)
			all := map[string]map[string]any{
				"command line": byCommand(t, c.model, c.target, said),
				"page":         byPage(t, server, c.model, said),
			}
			if guesses := want["notes"] != nil; guesses != (c.model == "upload:guessed.pt") {
				t.Errorf("notes: %v", want["notes"])
			} else if !guesses { // sweeps take no files of others
				all["sweep"] = bySweep(t, store, fmt.Sprint("study-", i), c.model, said)
			}
			for by, got := range all {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("the %s differs from the library:\n%s", by, diff)
				}
			}
		})
	}
}

// comparable reads a study without its times, and with the name that is only the page's
// replaced.
func comparable(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	delete(s, "seconds")
	delete(s, "times")
	if s["agreement"] == nil || s["automaton"] == nil || s["settings"] == nil {
		t.Errorf("something is missing: %.300s", data)
	}
	return s
}

// onDisk is what the page's name of a network is elsewhere.
func onDisk(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "run:"), "upload:")
}

// upload sends a file to the page, and returns what it is called there.
func upload(t *testing.T, server *web.Server, path, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", file)
	if err != nil {
		t.Fatal(err)
	}
	part.Write(data)
	form.Close()
	r := httptest.NewRequest("POST", path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Host = "localhost"
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	var badge struct{ Name string }
	if err := json.Unmarshal(w.Body.Bytes(), &badge); err != nil || w.Code != 200 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return badge.Name
}

func byLibrary(t *testing.T, name, target string, said map[string]string) map[string]any {
	t.Helper()
	o, err := extract.Read(said)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Open(t.Context(), onDisk(name), model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.Run(t.Context(), m, study.Options{Options: o, Target: target})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return comparable(t, data)
}

func byCommand(t *testing.T, name, target string, said map[string]string) map[string]any {
	t.Helper()
	args := []string{"extract", onDisk(name), "--json"}
	if target != "" {
		args = append(args, "--target", target)
	}
	for setting, value := range said {
		args = append(args, "--"+setting, value)
	}
	var out, errs bytes.Buffer
	if code := run(args, nil, &out, &errs); code != 0 {
		t.Fatalf("%v: %s", args, errs.String())
	}
	return comparable(t, out.Bytes())
}

func byPage(t *testing.T, server *web.Server, name string, said map[string]string) map[string]any {
	t.Helper()
	if file, ok := strings.CutPrefix(name, "upload:"); ok {
		name = upload(t, server, "/api/upload", file)
	}
	q := url.Values{"model": {name}}
	for setting, value := range said {
		if setting == "data" {
			value = upload(t, server, "/api/data", value)
		}
		q.Set(setting, value)
	}
	r := httptest.NewRequest("GET", "/api/study?"+q.Encode(), nil)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	if w.Code != 200 {
		t.Fatalf("%s: %s", r.URL, w.Body)
	}
	return comparable(t, w.Body.Bytes())
}

func bySweep(t *testing.T, store *queue.Store, id, name string, said map[string]string) map[string]any {
	t.Helper()
	lines := []string{"name: " + id, "model: " + onDisk(name), "extract:", "  study: true", "  words-from: network"}
	for setting, value := range said {
		switch setting {
		case "words-from":
			lines[4] = "  words-from: language"
		case "time": // sweeps have no clock
		default:
			lines = append(lines, fmt.Sprintf("  %s: %s", setting, value))
		}
	}
	file, err := plan.Read("study.yaml", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- (&queue.Worker{Slots: 1}).Run(ctx, store) }()
	status, err := store.Run(ctx, file, queue.Options{})
	stop()
	<-ended
	if err != nil || status.Extract.Done != 1 {
		t.Fatalf("%v, %+v", err, status)
	}
	for r, err := range store.Results(t.Context(), file) {
		if err != nil {
			t.Fatal(err)
		}
		return comparable(t, r.Study)
	}
	return nil
}
