package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quotient/study"
)

// sendData posts a file of words, and returns what it is called.
func sendData(t *testing.T, h *httptest.Server, status int, file, text string) (f dataFile, p problem) {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	w, err := m.CreateFormFile("file", file)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	m.Close()
	response, err := http.Post(h.URL+"/api/data", m.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		dataFile
		problem
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != status {
		t.Fatalf("status %d, want %d: %+v, %v", response.StatusCode, status, answer, err)
	}
	return answer.dataFile, answer.problem
}

// Words that were sent lead and judge, under the name that their owner gave them.
func TestData(t *testing.T) {
	h := serve(t, Options{})
	var words strings.Builder
	for i := range 64 {
		fmt.Fprintf(&words, "%06b,%d\n", i, i%2)
	}
	text := strings.NewReplacer("0", "a", "1", "b").Replace(words.String())
	f, _ := sendData(t, h, 200, "../words.csv", strings.NewReplacer(",a", ",0", ",b", ",1").Replace(text))
	if !strings.HasPrefix(f.Name, "data:") || f.Title != "words.csv" {
		t.Fatalf("%+v", f)
	}
	for _, method := range []string{"fold", "ttt", "edsm"} {
		v := ask[extractView](t, h, "/api/extract?model=zoo:tomita4&method="+method+"&data="+f.Name, 200)
		if d := v.Data; d == nil || d.File != "words.csv" || d.Words != 64 || d.HeldOut != 13 || d.Labeled != 64 || d.Network == nil {
			t.Fatalf("%s: %+v", method, d)
		}
		if v.Settings.Data != f.Name {
			t.Errorf("the settings name %q", v.Settings.Data)
		}
		if want := "quotient extract zoo:tomita4 --method " + method + " --data words.csv --target tomita4"; v.Command != want {
			t.Errorf("command %q", v.Command)
		}
	}
	s := ask[struct {
		Settings map[string]string
		Data     study.Data
	}](t, h, "/api/study?model=zoo:tomita4&method=fold&data="+f.Name, 200)
	if s.Settings["data"] != "words.csv" || s.Data.HeldOut != 13 || s.Data.Agreement.Words != 13 {
		t.Errorf("%+v", s)
	}
	ask[any](t, h, "/api/sweep?model=zoo:tomita4&method=fold&data="+f.Name, 200)
	ask[any](t, h, "/api/points?model=zoo:tomita4&method=ttt&data="+f.Name, 200)

	// Other words are another result.
	other, _ := sendData(t, h, 200, "words.csv", "ab\nba\nbb\nxy\n")
	v := ask[extractView](t, h, "/api/extract?model=zoo:tomita4&method=fold&data="+other.Name, 200)
	if other.Name == f.Name || v.Data.Words != 4 || v.Data.LeftOut != 1 || v.Data.Network != nil || len(v.Warnings) == 0 {
		t.Errorf("%+v, %v", v.Data, v.Warnings)
	}
}

func TestDataIsRefused(t *testing.T) {
	h := serve(t, Options{})
	odd, _ := sendData(t, h, 200, "odd.txt", "xyz\n")
	if v := ask[problem](t, h, "/api/extract?data="+odd.Name, 422); !strings.Contains(v.Error, "odd.txt:1: the network has no symbol x") {
		t.Error(v.Error)
	}
	if _, p := sendData(t, h, 422, "broken.csv", "\xff,1\n"); !p.Data || !strings.Contains(p.Error, "broken.csv:1: ") {
		t.Errorf("%+v", p)
	}
	if v := ask[problem](t, h, "/api/extract?data="+odd.Name, 422); !v.Data {
		t.Errorf("%+v", v)
	}
	for path, want := range map[string]string{"/etc/hosts": "files are not read here", "data:x": "choose the file of words again"} {
		if v := ask[problem](t, h, "/api/extract?data="+path, 400); !strings.Contains(v.Error, want) {
			t.Errorf("%s: %s", path, v.Error)
		}
	}
	if _, p := sendData(t, h, 413, "long.txt", strings.Repeat("ab\n", maxData/3+1)); !strings.Contains(p.Error, "larger than 4 MB") {
		t.Error(p.Error)
	}
	response, err := http.Post(h.URL+"/api/data", "text/plain", strings.NewReader("ab"))
	if err != nil || response.StatusCode != 400 {
		t.Errorf("no form: %v, %v", response.Status, err)
	}
}
