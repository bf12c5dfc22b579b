//go:build unix

package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// speaker serves a language model over a and b that ends after an a with a half, and otherwise never;
// spoil changes an answer.
func speaker(t *testing.T, greeting string, spoil func(list [][]any)) (*Client, error) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, greeting)
			return
		}
		var q request
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		var list [][]any
		for _, x := range q.Words {
			if len(x) > 0 && x[len(x)-1] == 0 {
				list = append(list, []any{0.25, 0.2500001, 0.5})
			} else {
				list = append(list, []any{0.5, 0.5, 0})
			}
		}
		spoil(list)
		json.NewEncoder(w).Encode(map[string]any{"id": q.ID, "probabilities": list})
	}))
	t.Cleanup(s.Close)
	return HTTP(t.Context(), s.URL, Options{})
}

const nextGreeting = `{"quotient": 1, "symbols": ["a", "b"], "outputs": "next"}`

// A language model answers with distributions, which sum to one.
func TestNext(t *testing.T) {
	c, err := speaker(t, nextGreeting, func([][]any) {})
	if err != nil {
		t.Fatal(err)
	}
	if c.Outputs() != 3 || !oracle.Predicts(c) {
		t.Fatalf("%d outputs", c.Outputs())
	}
	dst := f32.New(3, 3)
	if err := c.Answer(t.Context(), dst, []word.Word{nil, {1, 0}, {0, 1}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(dst.Row(0), []float32{0.5, 0.5, 0}) || !slices.Equal(dst.Row(2), dst.Row(0)) || dst.Row(1)[2] < 0.4999 || dst.Row(1)[2] >= 0.5 {
		t.Error(dst.Data)
	}
}

// Nothing that is no distribution is taken for one.
func TestNextRefused(t *testing.T) {
	for _, c := range []struct {
		greeting string
		spoil    func(list [][]any)
		want     string
	}{
		{nextGreeting, func(list [][]any) { list[0][0] = 0.4 }, "the model's probabilities of what comes after ε sum to 0.9, not to 1"},
		{nextGreeting, func(list [][]any) { list[0][0] = nil }, "null stands where a number is expected"},
		{nextGreeting, func(list [][]any) { list[0] = nil }, "null stands where a number is expected"},
		{nextGreeting, func(list [][]any) { list[1] = list[1][:2] }, `the model gave a 2 probabilities, and 3 were expected, for each next symbol and, last, the end`},
		{nextGreeting, func(list [][]any) { list[0][0], list[0][1] = 1.5, -0.5 }, "the probability 1.5, which is not between 0 and 1"},
		{`{"quotient": 1, "symbols": ["a", "b"]}`, func([][]any) {}, "the model gave ε 3 probabilities, and 1 were expected, for the word"},
		{`{"quotient": 1, "symbols": ["a", "b"], "outputs": "logits"}`, func([][]any) {}, "must be accept"},
	} {
		if _, err := speaker(t, c.greeting, c.spoil); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), `"null"`, "null"), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
