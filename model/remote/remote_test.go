//go:build unix

package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quotient/f32"
	"quotient/word"
)

// serverMode makes the test binary a model that behaves in one way or another.
const serverMode = "QUOTIENT_TEST_MODEL"

func TestMain(m *testing.M) {
	if mode := os.Getenv(serverMode); mode != "" {
		model(mode)
		return
	}
	os.Exit(m.Run())
}

// model accepts words with an even number of a's; its state counts a's and b's modulo 2.
func model(mode string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	hello := `{"quotient": 1, "name": "even", "symbols": ["a", "b"], "states": true, "dim": 2}`
	switch mode {
	case "crash at start":
		fmt.Fprintln(os.Stderr, "Traceback (most recent call last):\nModuleNotFoundError: No module named 'torch'")
		os.Exit(3)
	case "silent":
		time.Sleep(time.Hour)
	case "a banner":
		hello = "Loading weights..."
	case "another version":
		hello = `{"quotient": 2, "symbols": ["a"]}`
	case "no symbols":
		hello = `{"quotient": 1}`
	case "equal symbols":
		hello = `{"quotient": 1, "symbols": ["a", "a"]}`
	case "no dimension":
		hello = `{"quotient": 1, "symbols": ["a"], "states": true}`
	case "a dimension of 65537":
		hello = `{"quotient": 1, "symbols": ["a"], "states": true, "dim": 65537}`
	case "wide states of many symbols":
		symbols := make([]string, 1025)
		for i := range symbols {
			symbols[i] = fmt.Sprintf(`"s%d"`, i)
		}
		hello = `{"quotient": 1, "symbols": [` + strings.Join(symbols, ", ") + `], "states": true, "dim": 65536}`
	case "no states":
		hello = `{"quotient": 1, "symbols": ["a", "b"]}`
	case "an endless greeting":
		for {
			fmt.Print(strings.Repeat(" ", 1<<16))
		}
	case "deaf":
		fmt.Println(hello)
		time.Sleep(time.Hour)
	case "ends at once":
		fmt.Println(hello)
		return
	case "hangs up":
		fmt.Println(hello)
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "wide":
		hello = `{"quotient": 1, "symbols": ["a", "b"], "states": true, "dim": 60000}`
	}
	fmt.Println(hello)
	for n := 0; in.Scan(); n++ {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			fmt.Printf(`{"id": 0, "error": %q}`+"\n", err.Error())
			continue
		}
		reply := truth(r)
		if mode == "wide" && r.States {
			widen(reply, 60_000)
		}
		if n > 0 || strings.HasPrefix(mode, "always ") {
			misbehave(mode, reply)
		}
		text, _ := json.Marshal(reply)
		fmt.Println(string(text))
	}
}

// truth is the honest answer.
func truth(r request) map[string]any {
	probabilities, states := []float64{}, [][]float64{}
	for _, w := range r.Words {
		count := [2]int{}
		for _, s := range w {
			count[s]++
		}
		probabilities = append(probabilities, 0.9-0.8*float64(count[0]%2))
		states = append(states, []float64{float64(1 + count[0]%2), float64(1 + count[1]%2)})
	}
	reply := map[string]any{"id": r.ID, "probabilities": probabilities}
	if r.States {
		reply["states"] = states
	}
	return reply
}

// widen makes states as wide as that, and gives up where they are more than a million numbers.
func widen(reply map[string]any, dim int) {
	states := reply["states"].([][]float64)
	if len(states)*dim > maxNumbers {
		fmt.Fprintf(os.Stderr, "%d states at once\n", len(states))
		os.Exit(1)
	}
	for i, s := range states {
		states[i] = append(s, make([]float64, dim-len(s))...)
	}
}

// misbehave spoils an answer.
func misbehave(mode string, reply map[string]any) {
	p := reply["probabilities"].([]float64)
	switch mode {
	case "crash midway":
		fmt.Fprintln(os.Stderr, "CUDA out of memory")
		os.Exit(1)
	case "slow":
		time.Sleep(time.Hour)
	case "noise":
		fmt.Println("50%|#####     |")
	case "too few":
		reply["probabilities"] = p[1:]
	case "beyond one":
		p[0] = 1.5
	case "no number":
		fmt.Printf("{\"id\": %v, \"probabilities\": [NaN]}\n", reply["id"])
	case "null for one":
		reply["probabilities"] = []any{nil}
	case "null in a state":
		reply["states"] = [][]any{{nil, 1}}
	case "null for a state":
		reply["states"] = []any{nil}
	case "null":
		reply["probabilities"] = nil
	case "another id":
		reply["id"] = 77
	case "no id":
		delete(reply, "id")
	case "an error":
		for k := range reply {
			delete(reply, k)
		}
		reply["error"] = "RuntimeError: shape mismatch"
	case "too many":
		reply["more"] = strings.Repeat("x", 1<<22)
	case "endless":
		for {
			fmt.Print("1,")
		}
	case "wrong dimension":
		reply["states"] = [][]float64{{1, 2, 3}}
	case "missing states":
		delete(reply, "states")
	case "huge states":
		reply["states"] = [][]float64{{1, 1e300}}
	case "always dice":
		p[0] = 1 - p[0]
	}
}

// command returns a shell command for the test binary in a mode.
func command(t *testing.T, mode string) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(serverMode, mode)
	return `exec "` + path + `"`
}

var letters = []word.Word{nil, {0}, {0, 1, 0}, {1, 1}, {0}, {1, 0, 1}}

func checkLetters(t *testing.T, c *Client) {
	t.Helper()
	want := []float32{0.9, 0.1, 0.9, 0.9, 0.1, 0.1}
	got := f32.New(len(letters), 1)
	if err := c.Answer(t.Context(), got, letters); err != nil {
		t.Error(err)
	}
	if !slices.EqualFunc(got.Data, want, func(x, y float32) bool { return x-y < 1e-6 && y-x < 1e-6 }) {
		t.Errorf("probabilities %v, want %v", got.Data, want)
	}
}

// opened starts an honest model.
func opened(t *testing.T, mode string, o Options) *Client {
	t.Helper()
	c, err := Exec(context.Background(), command(t, mode), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestExec(t *testing.T) {
	c := opened(t, "honest", Options{Batch: 2})
	if c.Name() != "even" || c.Alphabet().String() != "{a, b}" {
		t.Errorf("%s over %s", c.Name(), c.Alphabet())
	}
	checkLetters(t, c)
	asked := c.asked
	checkLetters(t, c)
	if asked != c.asked {
		t.Error("words are asked about again")
	}
	if asked != 1+2 { // the probe, and three of five different words, those that it was not about, by twos
		t.Errorf("%d requests", asked)
	}
	c.Close()
	p := f32.New(1, 1)
	err := c.Answer(t.Context(), p, []word.Word{{1, 1, 1, 1}})
	if again := c.Answer(t.Context(), f32.New(6, 1), letters); p.Data[0] != 0 || err == nil || again != err {
		t.Errorf("after it is closed: %v, %v, then %v", p.Data, err, again)
	}
}

// The symbols that the user names stand for those of the model, in order.
func TestSymbols(t *testing.T) {
	c := opened(t, "no symbols", Options{Symbols: []string{"x", "y"}})
	if c.Alphabet().String() != "{x, y}" {
		t.Error(c.Alphabet())
	}
	checkLetters(t, c)
}

func TestStates(t *testing.T) {
	c := opened(t, "honest", Options{})
	r, ok := c.Stepper()
	if !ok || r.Dim() != 2 {
		t.Fatal("no states")
	}
	m := f32.New(2, 2)
	r.Start(m.Row(0))
	r.Start(m.Row(1))
	r.Step(m, m, []word.Symbol{0, 1})
	if want := []float32{2, 1, 1, 2}; !slices.Equal(m.Data, want) {
		t.Errorf("states %v, want %v", m.Data, want)
	}
	next, score := f32.New(2, 2), f32.New(2, 1)
	r.Step(next, m, []word.Symbol{1, 0})
	if err := r.Read(score, next); err != nil {
		t.Error(err)
	}
	if want := []float32{2, 2, 2, 2}; !slices.Equal(next.Data, want) || score.Data[0] > 0.5 || score.Data[1] > 0.5 {
		t.Errorf("states %v with scores %v", next.Data, score.Data)
	}
	err := r.Step(next, f32.Of(2, 2, []float32{1, 1, 0.5, 0.5}), []word.Symbol{0, 0})
	if err == nil || r.Start(m.Row(0)) != err || !slices.Equal(next.Data, make([]float32, 4)) {
		t.Errorf("a step from nowhere: %v, %v", err, next.Data)
	}
	if c := opened(t, "no states", Options{}); c.dim != 0 {
		t.Error("states of a model without")
	}
}

// However wide states are, an answer has no more numbers than memory is for.
func TestWideStates(t *testing.T) {
	r, _ := opened(t, "wide", Options{}).Stepper()
	states := f32.New(8, r.Dim())
	for i := range states.Rows {
		if err := r.Start(states.Row(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Step(states, states, []word.Symbol{0, 1, 0, 1, 0, 1, 0, 1}); err != nil {
		t.Fatal(err)
	}
	next := f32.New(8, r.Dim())
	var words []word.Word
	for i := range 8 {
		words = append(words, word.Word{0, 1, word.Symbol(i & 1), word.Symbol(i >> 1 & 1), word.Symbol(i >> 2)})
	}
	if err := r.visit(next, words); err != nil {
		t.Fatal(err)
	}
}

// Whatever a model does, there is an error that says so, in time, with its last words.
func TestMisbehavior(t *testing.T) {
	for _, c := range []struct {
		mode string
		want []string // in the error
	}{
		{"crash at start", []string{"it ended with exit status 3", "Its last words:\n  Traceback", "No module named 'torch'"}},
		{"silent", []string{"did not greet within 300ms"}},
		{"a banner", []string{"no greeting", `"Loading weights..."`}},
		{"another version", []string{"version 2"}},
		{"no symbols", []string{"the option symbols"}},
		{"equal symbols", []string{"symbols"}},
		{"no dimension", []string{"states of 0 numbers"}},
		{"a dimension of 65537", []string{"states of 65537 numbers: must be 1 to 65536", "without states it can be asked, too"}},
		{"wide states of many symbols", []string{"1025 symbols and states of 65536 numbers", "at most 67108864 in all"}},
		{"an endless greeting", []string{"more than 8388608 bytes"}},
		{"deaf", []string{"did not answer for 4 words within 1s", "a longer timeout"}},
		{"hangs up", []string{"does not answer: it closed its standard output and went on"}},
		{"ends at once", []string{"does not answer: it ended"}},
		{"always dice", []string{"then 0.9", "training mode"}},
		{"crash midway", []string{"it ended with exit status 1", "  CUDA out of memory"}},
		{"slow", []string{"did not answer for", "words within 1s"}},
		{"noise", []string{"no answer", `"50%|#####     |"`}},
		{"too few", []string{"0 probabilities for 1 words"}},
		{"null for one", []string{`"null" stands where a number is expected`}},
		{"null in a state", []string{`"null" stands where a number is expected`}},
		{"null for a state", []string{`"null" stands where a number is expected`}},
		{"null", []string{"0 probabilities for 1 words"}},
		{"beyond one", []string{"the probability 1.5"}},
		{"no number", []string{"no answer", "NaN"}},
		{"another id", []string{"does not have the id 2"}},
		{"no id", []string{"does not have the id 2"}},
		{"an error", []string{"reports an error", "shape mismatch"}},
		{"too many", []string{"more than"}},
		{"endless", []string{"more than"}},
		{"wrong dimension", []string{"a state of 3 numbers, not 2"}},
		{"missing states", []string{"0 states for 1 words"}},
		{"huge states", []string{"the number 1e+300"}},
	} {
		t.Run(c.mode, func(t *testing.T) {
			var o Options
			if slices.Contains([]string{"silent", "deaf", "slow"}, c.mode) {
				o = Options{Timeout: time.Second, Start: 300 * time.Millisecond}
			}
			if c.mode != "silent" { // the binary itself may take a while
				o.Start = 0
			}
			client, err := Exec(context.Background(), command(t, c.mode), o)
			if err == nil {
				state := make([]float32, 2)
				r, _ := client.Stepper()
				err = r.Start(state)
				if again := client.Answer(t.Context(), f32.New(1, 1), letters[:1]); again != err || state[0] != 0 {
					t.Errorf("it says %v, then %v, the state %v", err, again, state)
				}
				client.Close()
			}
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want one with %q", err, want)
				}
			}
		})
	}
}

// Processes that the command started end with it.
func TestNothingIsLeftBehind(t *testing.T) {
	file := t.TempDir() + "/pid"
	c, err := Exec(context.Background(), fmt.Sprintf("sleep 1000 & echo $! > %s; %s", file, command(t, "honest")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkLetters(t, c)
	c.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if gone(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

// gone reports whether there is no such process, or only its remains, which belong to
// whoever adopted them.
func gone(pid int) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// handler is the model as a server.
func handler(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"quotient": 1, "name": "even", "symbols": ["a", "b"], "states": true, "dim": 2}`)
		return
	}
	var q request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(truth(q))
}

func TestHTTP(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(handler))
	defer s.Close()
	c, err := HTTP(context.Background(), s.URL, Options{Batch: 3})
	if err != nil {
		t.Fatal(err)
	}
	checkLetters(t, c)
	r, _ := c.Stepper()
	state := f32.New(1, 2)
	r.Start(state.Row(0))
	r.Step(state, state, []word.Symbol{0})
	if !slices.Equal(state.Data, []float32{2, 1}) {
		t.Error(state.Data)
	}
}

func TestHTTPMisbehavior(t *testing.T) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/good", handler)
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
	})
	mux.HandleFunc("/near", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/good", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round", http.StatusFound)
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no such model", http.StatusInternalServerError)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, strings.Repeat(" ", 1<<16))
		}
	})
	mux.HandleFunc("/liar", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			handler(w, r)
			return
		}
		fmt.Fprint(w, `{"id": 1, "probabilities": [2, 2, 2, 2]}`)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	defer close(release)
	for _, c := range []struct{ path, want string }{
		{"/good", ""},
		{"/near", ""},
		{"/away", "redirects to http://192.0.2.1/, another server"},
		{"/round", "again and again"},
		{"/broken", `the server answered 500 Internal Server Error: "no such model"`},
		{"/page", "no greeting"},
		{"/nothing", "404"},
		{"/slow", "did not greet within 300ms"},
		{"/endless", "more than 8388608 bytes"},
		{"/liar", "the probability 2"},
	} {
		o := Options{}
		if c.path == "/slow" {
			o.Start = 300 * time.Millisecond
		}
		client, err := HTTP(context.Background(), s.URL+c.path, o)
		if c.want == "" {
			if err != nil {
				t.Error(err)
				continue
			}
			checkLetters(t, client)
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), s.URL) > 1 {
			t.Errorf("%s: error %v, want one with %q", c.path, err, c.want)
		}
	}
	for _, address := range []string{"", "localhost:80", "ftp://localhost/", "http://"} {
		if _, err := HTTP(context.Background(), address, Options{}); err == nil || !strings.Contains(err.Error(), "no address") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
