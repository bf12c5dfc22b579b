package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quotient/rnn"
	"quotient/word"
	"quotient/zoo"
)

// A field of a form; a file if it has a name.
type field struct{ name, file, text string }

// send posts a form and decodes the answer.
func send[V any](t *testing.T, h *httptest.Server, status int, fields ...field) V {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for _, f := range fields {
		var w io.Writer
		var err error
		if f.file != "" {
			w, err = m.CreateFormFile(f.name, f.file)
		} else {
			w, err = m.CreateFormField(f.name)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(f.text))
	}
	m.Close()
	response, err := http.Post(h.URL+"/api/upload", m.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var v V
	if err := json.NewDecoder(response.Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != status {
		t.Fatalf("status %d, want %d: %+v", response.StatusCode, status, v)
	}
	return v
}

// weights returns a bundled network as a file, with what its tokens mean or without.
func weights(t *testing.T, name string) string {
	t.Helper()
	n, _, err := zoo.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := n.Encode(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestUpload(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	h := serve(t, Options{})
	data := weights(t, "zoo:tomita2-gru")
	n := send[network](t, h, 200, field{"file", "../../net.safetensors", data})
	if n.Cell != "gru" || !strings.HasPrefix(n.Name, "upload:") || n.Title != "net.safetensors" {
		t.Errorf("%+v", n)
	}
	v := ask[extractView](t, h, "/api/extract?model="+n.Name, 200)
	if v.States != 2 || v.Command != "quotient extract net.safetensors" || v.Target != nil {
		t.Errorf("%d states, %s", v.States, v.Command)
	}
	// The same file with other symbols is another network.
	other := send[network](t, h, 200, field{"symbols", "", "x, y"}, field{"bos", "", "2"}, field{"file", "net.safetensors", data})
	if other.Name == n.Name || strings.Join(other.Symbols, "") != "xy" {
		t.Errorf("%+v", other)
	}
	if v := ask[extractView](t, h, "/api/extract?model="+other.Name, 200); v.Command != "quotient extract net.safetensors --symbols x,y --bos 2" {
		t.Errorf("command %q", v.Command)
	}
	vocab := send[network](t, h, 200, field{"vocab", "", `{"u": 0, "v": 1, "<bos>": 2}`}, field{"file", "net.safetensors", data})
	if strings.Join(vocab.Symbols, "") != "uv" {
		t.Errorf("%+v", vocab)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Whoever sends slowly keeps nobody waiting, and is not waited for.
func TestSlowSenders(t *testing.T) {
	defer func(d time.Duration) { pieceTime = d }(pieceTime)
	pieceTime = 3 * time.Second
	t.Setenv("TMPDIR", t.TempDir())
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() { // after the senders have ended
		h.Close()
		s.Close()
	})
	begin := func() {
		body, in := io.Pipe()
		t.Cleanup(func() { in.Close() })
		go func() {
			if r, err := http.Post(h.URL+"/api/upload", "multipart/form-data; boundary=x", body); err == nil {
				r.Body.Close()
			}
		}()
		io.WriteString(in, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"slow.pt\"\r\n\r\n")
	}
	data := weights(t, "zoo:tomita2-gru")
	for range 6 {
		begin()
	}
	for len(s.sending) < 6 {
		time.Sleep(time.Millisecond)
	}
	send[network](t, h, 200, field{"file", "net.safetensors", data})
	for wait := 0; len(s.sending) > 0; wait++ { // they are sent away
		if time.Sleep(10 * time.Millisecond); wait == 3000 {
			t.Fatalf("%d slow senders are still waited for", len(s.sending))
		}
	}
}

// The answer that a file is too large arrives, also at those who send on and on.
func TestTooLargeArrives(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	h := serve(t, Options{MaxUpload: 1 << 20})
	head := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pt\"\r\n\r\n"
	body := head + strings.Repeat("x", 80<<20) + "\r\n--x--\r\n"
	c, err := net.Dial("tcp", h.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "POST /api/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n", len(body))
	if _, err := io.WriteString(c, body); err != nil {
		t.Fatalf("cut off while sending: %v", err)
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(line, " 413 ") {
		t.Errorf("the answer is %q, %v", line, err)
	}
}

// A file that is no network costs one clear message, and little else.
func TestHostileUploads(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	h := serve(t, Options{MaxUpload: 1 << 20})
	good := weights(t, "zoo:tomita2-gru")
	huge := append(bytes.Repeat([]byte{0xff}, 7), 0x00) // a header longer than any memory
	for name, test := range map[string]struct {
		status int
		fields []field
		want   string
	}{
		"nothing":             {400, nil, "no file"},
		"two files":           {400, []field{{"file", "a.safetensors", good}, {"file", "b.safetensors", good}}, "one file"},
		"too large":           {413, []field{{"file", "a.safetensors", strings.Repeat("x", 1<<20+1)}}, "larger than 1 MB"},
		"far too large":       {413, []field{{"file", "a.safetensors", strings.Repeat("x", 12<<20)}}, "larger than 1 MB"},
		"cut":                 {400, []field{{"file", "a.safetensors", good[:300]}}, "a.safetensors"},
		"a header of 2⁵⁶":     {400, []field{{"file", "a.safetensors", string(huge)}}, "a.safetensors"},
		"no network":          {400, []field{{"file", "a.txt", "hello"}}, "a.txt"},
		"a pickle that calls": {400, []field{{"file", "a.pt", "cos\nsystem\n(S'true'\ntR."}}, "a.pt"},
		"an empty graph":      {400, []field{{"file", "a.onnx", ""}}, "a.onnx"},
		"tokens too few":      {400, []field{{"symbols", "", "a,b,c,d,e"}, {"file", "a.safetensors", good}}, "tokens"},
		"a long field":        {400, []field{{"symbols", "", strings.Repeat("a,", 1<<20)}, {"file", "a.safetensors", good}}, "longer than"},
		"a bad vocabulary":    {400, []field{{"vocab", "", "{"}, {"file", "a.safetensors", good}}, "a.safetensors: the vocabulary: it is not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v := send[problem](t, h, test.status, test.fields...)
			runtime.ReadMemStats(&after)
			if !strings.Contains(v.Error, test.want) || strings.Contains(v.Error, temp) || strings.Contains(v.Error, "\n") {
				t.Errorf("%q, want one line with %q", v.Error, test.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
				t.Errorf("it took %d MB", took>>20)
			}
		})
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// Few bytes can be many symbols; exploring such a network would take gigabytes.
	many := make([]string, 50_000)
	for i := range many {
		many[i] = fmt.Sprint("s", i)
	}
	a, err := word.NewAlphabet(many...)
	if err != nil {
		t.Fatal(err)
	}
	n, err := rnn.New(rnn.Shape{Cell: rnn.Elman, Layers: 1, Embedding: 1, Hidden: 8}, a)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := n.Encode(&b, nil); err != nil {
		t.Fatal(err)
	}
	if v := send[problem](t, h, 400, field{"file", "wide.safetensors", b.String()}); !strings.Contains(v.Error, "50000 symbols") {
		t.Errorf("%q", v.Error)
	}
	// It still works after all that.
	send[network](t, h, 200, field{"file", "net.safetensors", good})
}

// No path outside the folder can be read, by whatever way.
func TestNothingOutsideTheFolder(t *testing.T) {
	root := t.TempDir()
	run := func(at string) {
		t.Helper()
		info, err := zoo.List()
		if err != nil {
			t.Fatal(err)
		}
		from := info[0].Run.Folder()
		if err := os.CopyFS(at, from); err != nil {
			t.Fatal(err)
		}
	}
	run(filepath.Join(root, "outside"))
	run(filepath.Join(root, "dir", "inside"))
	run(filepath.Join(root, "dir", "deep", "er", "inside"))
	if err := os.Symlink(filepath.Join(root, "outside"), filepath.Join(root, "dir", "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink("../outside", filepath.Join(root, "dir", "relative")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "dir", "files"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"settings.json", "language.json", "epochs.jsonl"} { // a folder whose files are links
		if err := os.Symlink(filepath.Join(root, "outside", name), filepath.Join(root, "dir", "files", name)); err != nil {
			t.Fatal(err)
		}
	}
	h := serve(t, Options{Dir: filepath.Join(root, "dir")})
	list := ask[struct{ Runs []network }](t, h, "/api/networks", 200)
	var names []string
	for _, n := range list.Runs {
		names = append(names, n.Name)
	}
	if got := strings.Join(names, " "); got != "run:deep/er/inside run:inside" {
		t.Errorf("runs %q", got)
	}
	ask[network](t, h, "/api/network?model=run:inside", 200)
	for _, name := range []string{
		"link", "relative", "files", "../outside", "inside/../../outside", filepath.Join(root, "outside"), "", ".", "/", "inside/../link", "..%2foutside", "none",
	} {
		v := ask[problem](t, h, "/api/network?model=run:"+name, 400)
		if v.Error == "" || strings.Contains(v.Error, root+"/outside") && name[:1] != "/" {
			t.Errorf("%s: %q", name, v.Error)
		}
	}
	for _, path := range []string{"/../web.go", "/..%2fweb.go", "/page/index.html", "//etc/passwd"} {
		response, err := http.Get(h.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode == 200 && response.Request.URL.Path != "/" {
			t.Errorf("%s is served", path)
		}
	}
}
