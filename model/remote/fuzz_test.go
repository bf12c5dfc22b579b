package remote

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"quotient/f32"
	"quotient/word"
)

// A parrot says what it was told to say.
type parrot struct{ greeting, answer []byte }

func (p parrot) greet(context.Context, int) ([]byte, error)            { return p.greeting, nil }
func (p parrot) exchange(context.Context, []byte, int) ([]byte, error) { return p.answer, nil }
func (p parrot) wrong(err error) error                                 { return err }
func (p parrot) redact(text string) string                             { return text }
func (p parrot) close()                                                {}

// Whatever a model says, what reaches the caller is probabilities and finite states, or
// zeros and an error.
func FuzzClient(f *testing.F) {
	f.Add([]byte(`{"quotient": 1, "symbols": ["a", "b"], "states": true, "dim": 2}`), []byte(`{"id": 1, "probabilities": [0, 1, 0, 1]}`))
	f.Add([]byte(`{"quotient": 1, "symbols": ["a"], "states": true, "dim": 1}`), []byte(`{"id": 2, "probabilities": [0.5], "states": [[1e38]]}`))
	f.Add([]byte(`{"quotient": 1, "symbols": ["a", "b"], "outputs": "next"}`), []byte(`{"id": 1, "probabilities": [[0.25, 0.25, 0.5]]}`))
	f.Add([]byte(`{"quotient": 1, "symbols": ["a"], "outputs": "next"}`), []byte(`{"id": 1, "probabilities": [[null, 1]]}`))
	f.Add([]byte(`{"quotient": 1, "symbols": ["a"]}`), []byte(`{"id": 1, "probabilities": [[0.5], [0.5, 0.5]]}`))
	f.Add([]byte(`{"quotient": 1, "symbols": ["a"], "states": true, "dim": 2, "packed": true}`), []byte(`{"id": 2, "probabilities": "AACAPw==", "states": "AACAfwAAgD8="}`))
	f.Add([]byte(`{"quotient": 1, "symbols": ["x y", ""]}`), []byte(`{"id": 1, "error": "no"}`))
	f.Fuzz(func(t *testing.T, greeting, answer []byte) {
		c := newClient(context.Background(), parrot{greeting, answer}, Options{}.withDefaults())
		if c.greeted(greeting) != nil || c.dim > 1<<10 {
			return
		}
		for range 2 { // answers to the ids 1 and 2
			dst := f32.New(1, c.Outputs())
			err := c.Answer(t.Context(), dst, []word.Word{{0}})
			for _, p := range dst.Row(0) {
				if !(p >= 0 && p <= 1) || err != nil && p != 0 {
					t.Errorf("probability %v with error %v", p, err)
				}
			}
			c.err = nil
			clear(c.known)
		}
		if r, ok := c.Stepper(); ok {
			c.asked = 1
			m := f32.New(1, c.dim)
			r.Start(m.Row(0))
			for _, x := range m.Row(0) {
				if x-x != 0 {
					t.Errorf("a state with %v", x)
				}
			}
		}
	})
}

// Whatever stands in a file of answers, what is remembered of it is probabilities and finite
// states over the model's symbols; and what was no such file is left as it was.
func FuzzAnswers(f *testing.F) {
	head := `{"quotient_answers":1,"model":"","symbols":["a","b"]}` + "\n"
	f.Add(head + `{"word":[0,1],"probability":0.5,"state":[1,2]}` + "\n" + `{"word":[`)
	f.Add(head + `{"max_length":3}` + "\n")
	f.Add(head + `{"word":[9],"probability":2}` + "\n")
	f.Add("notes")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "answers")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		c := newClient(context.Background(), parrot{}, Options{}.withDefaults())
		if err := c.greeted([]byte(`{"quotient": 1, "symbols": ["a", "b"], "states": true, "dim": 2}`)); err != nil {
			t.Fatal(err)
		}
		err := c.recall(name)
		c.journal.close()
		if after, _ := os.ReadFile(name); err != nil && string(after) != text {
			t.Errorf("%v, and the file is changed", err)
		}
		for key, r := range c.known {
			if len(r.answer) != 1 || !(r.answer[0] >= 0 && r.answer[0] <= 1) || r.state != nil && len(r.state) != 2 || len(key)%2 != 0 {
				t.Errorf("%q: %+v", key, r)
			}
			for _, x := range r.state {
				if x-x != 0 {
					t.Errorf("%q has a state with %v", key, x)
				}
			}
		}
		if c.limit.longest < 1 {
			t.Errorf("words of %d symbols", c.limit.longest)
		}
	})
}
