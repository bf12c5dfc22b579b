//go:build unix

package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// A teller is a model in this process: it accepts words with an even number of a's.
type teller struct {
	greeting string
	each     time.Duration // that a word takes
	most     int           // words that it takes at a time; 0: any number
	longest  int           // symbols that it reads; 0: any number
	odd      int           // a length that it cannot read
	asked    []word.Word
	largest  int // request
}

func (l *teller) greet(context.Context, int) ([]byte, error) {
	if l.greeting == "" {
		return []byte(`{"quotient": 1, "name": "even", "symbols": ["a", "b"], "states": true, "dim": 2}`), nil
	}
	return []byte(l.greeting), nil
}

func (l *teller) exchange(ctx context.Context, message []byte, _ int) ([]byte, error) {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		return nil, err
	}
	l.asked, l.largest = append(l.asked, r.Words...), max(l.largest, len(r.Words))
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-time.After(l.each * time.Duration(len(r.Words))):
	}
	for _, w := range r.Words {
		if l.longest > 0 && len(w) > l.longest || l.odd > 0 && len(w) == l.odd || l.most > 0 && len(r.Words) > l.most {
			return fmt.Appendf(nil, `{"id": %d, "error": "IndexError: position %d"}`, r.ID, len(w)), nil
		}
	}
	return json.Marshal(truth(r))
}

func (l *teller) wrong(err error) error { return err }

func (*teller) redact(text string) string { return text }
func (l *teller) close()                  {}

func told(t *testing.T, l *teller, o Options) *Client {
	t.Helper()
	c, err := open(t.Context(), l, o.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// checkEven asks about words, and expects what a word that is too long gets from its prefix.
func checkEven(t *testing.T, c *Client, words []word.Word) {
	t.Helper()
	got := f32.New(len(words), 1)
	if err := c.Answer(t.Context(), got, words); err != nil {
		t.Fatal(err)
	}
	for i, w := range words {
		a := 0
		for _, s := range w[:min(len(w), c.Longest())] {
			a += 1 - int(s)
		}
		if got.Data[i] > 0.5 != (a%2 == 0) {
			t.Errorf("word %d, %v, has %v", i, w, got.Data[i])
		}
	}
}

// However slow a model is, what it is asked at a time is answered in time.
func TestBatchesFollowThePace(t *testing.T) {
	words := word.UpTo(2, 127)
	for _, each := range []time.Duration{0, 2 * time.Millisecond} {
		l := &teller{each: each}
		c := told(t, l, Options{Timeout: 100 * time.Millisecond})
		checkEven(t, c, words)
		if each == 0 && l.largest < 32 || each > 0 && l.largest > 20 {
			t.Errorf("%v a word: up to %d words at a time", each, l.largest)
		}
		if c.Asked() != len(l.asked) || c.Asked() != len(words)+2 { // the two of the probe were asked twice
			t.Errorf("%d words were asked, and %d counted", len(l.asked), c.Asked())
		}
	}
}

// A model that refuses many words at a time is asked about fewer.
func TestRefusedBatches(t *testing.T) {
	l := &teller{most: 5}
	checkEven(t, told(t, l, Options{}), word.UpTo(2, 63))
	if l.largest > 16 {
		t.Errorf("%d words at a time", l.largest)
	}
}

// A model that reads 64 symbols is found out, and nothing longer is asked from then on.
func TestLongestIsFoundOut(t *testing.T) {
	for _, longest := range []int{1, 2, 63, 64, 100} {
		l := &teller{longest: longest}
		c := told(t, l, Options{})
		words := append(word.UpTo(2, 31), make(word.Word, 101), make(word.Word, 500))
		checkEven(t, c, words)
		if c.Longest() != longest || len(c.Notes()) != 1 || !strings.Contains(c.Notes()[0], "IndexError") {
			t.Errorf("longest %d, want %d; %v", c.Longest(), longest, c.Notes())
		}
		l.asked = nil
		checkEven(t, c, []word.Word{make(word.Word, 101), append(make(word.Word, 300), 1)})
		r, _ := c.Stepper()
		state := f32.New(1, 2)
		r.Start(state.Row(0))
		for range longest + 2 {
			if err := r.Step(state, state, []word.Symbol{0}); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range l.asked {
			if len(w) > longest {
				t.Errorf("asked about %d symbols", len(w))
			}
		}
	}
}

// What is refused for another reason is an error as before.
func TestRefusalIsNoLimit(t *testing.T) {
	c := told(t, &teller{odd: 7}, Options{})
	err := c.Answer(t.Context(), f32.New(2, 1), []word.Word{make(word.Word, 3), make(word.Word, 7)})
	if err == nil || !strings.Contains(err.Error(), "IndexError") || c.Answer(t.Context(), f32.New(1, 1), nil) != err {
		t.Errorf("error %v", err)
	}
}

// The greeting says what cannot be asked about, and it never is.
func TestGreetingBounds(t *testing.T) {
	l := &teller{greeting: `{"quotient": 1, "symbols": ["a", "b"], "states": true, "dim": 2, "max_length": 3, "empty": false}`}
	c := told(t, l, Options{})
	checkEven(t, c, []word.Word{{0}, {0, 0, 0, 0}, {1, 0, 1, 0}})
	got, start := f32.New(1, 1), f32.New(1, 2)
	r, _ := c.Stepper()
	if err := errors.Join(c.Answer(t.Context(), got, []word.Word{nil}), r.Start(start.Row(0))); err != nil || got.Data[0] != 0 {
		t.Errorf("the empty word: %v, %v", got.Data, err)
	}
	r.Step(start, start, []word.Symbol{0})
	if c.ReadsEmpty() || c.Longest() != 3 || !slices.Equal(start.Data, []float32{2, 1}) {
		t.Errorf("%v, %d, %v", c.ReadsEmpty(), c.Longest(), start.Data)
	}
	for _, w := range l.asked {
		if len(w) == 0 || len(w) > 3 {
			t.Errorf("asked about %v", w)
		}
	}
	if _, err := open(t.Context(), &teller{greeting: `{"quotient": 1, "symbols": ["a"], "max_length": 0}`}, Options{}.withDefaults()); err == nil {
		t.Error("no word can be asked about")
	}
}

// No more words are asked than are allowed, and what is remembered costs nothing.
func TestLimitOfWords(t *testing.T) {
	l := &teller{}
	c := told(t, l, Options{})
	words := word.UpTo(2, 15)
	checkEven(t, c, words)
	asked := c.Asked()
	c.Limit(3)
	checkEven(t, c, words)
	var spent *oracle.BudgetError
	if err := c.Answer(t.Context(), f32.New(31, 1), word.UpTo(2, 31)); !errors.As(err, &spent) || c.Asked() != asked {
		t.Errorf("error %v after %d words", err, c.Asked())
	}
	checkEven(t, c, []word.Word{{1, 1, 1, 1}, {1, 1, 1, 0}, {1, 1, 1, 1}})
	if c.Asked() != asked+2 || len(l.asked) != c.Asked() {
		t.Errorf("%d words, want %d", c.Asked(), asked+2)
	}
}

// What is in the file is not asked again, states included, whatever ended the run before.
func TestAnswersFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answers.jsonl")
	l := &teller{longest: 20}
	c := told(t, l, Options{Answers: name})
	words := append(word.UpTo(2, 31), make(word.Word, 30))
	checkEven(t, c, words)
	r, _ := c.Stepper()
	state := f32.New(1, 2)
	r.Start(state.Row(0))
	r.Step(state, state, []word.Symbol{0})
	c.Close()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, 30} { // at the end, as if the program had been killed
		if err := os.WriteFile(name, text[:len(text)-cut], 0o666); err != nil {
			t.Fatal(err)
		}
		again := &teller{longest: 20}
		d := told(t, again, Options{Answers: name})
		checkEven(t, d, words)
		if s, _ := d.Stepper(); s.Step(state, f32.Of(1, 2, []float32{1, 1}), []word.Symbol{0}) == nil && cut == 0 {
			t.Error("a step from a state that was not shown yet") // known are words, not what leads to a state
		}
		if n := len(again.asked); cut == 0 && n != 4 || n > 6 { // the probe, and what was cut off
			t.Errorf("%d bytes less: %d words are asked", cut, n)
		}
		d.Close()
	}
	for text, want := range map[string]string{
		"my notes\n": "no file of answers",
		"my notes":   "no file of answers",
		`{"quotient_answers":1,"model":"other","symbols":["a","b"]}` + "\n":                                                               `answers of "other"`,
		`{"quotient_answers":1,"model":"even","symbols":["a","b"]}` + "\n" + `{"word":[7],"probability":1}` + "\n":                        ":2: this is no answer",
		`{"quotient_answers":1,"model":"even","symbols":["a","b"]}` + "\n" + `{"word":[1],"probability":null}` + "\n":                     ":2: this is no answer",
		`{"quotient_answers":1,"model":"even","symbols":["a","b"]}` + "\n" + `{"word":[0],"probability":0.9}` + "\n":                      "another model",
		`{"quotient_answers":1,"model":"even","symbols":["a","b"]}` + "\n" + `{"word":[0],"probability":0.1,"state":[1,2,3]}` + "\n" + "": ":2: this is no answer",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := open(t.Context(), &teller{}, Options{Answers: name}.withDefaults())
		after, _ := os.ReadFile(name)
		if err == nil || !strings.Contains(err.Error(), want) || string(after) != text {
			t.Errorf("%s: error %v, want one with %q; then it is %s", text, err, want, after)
		}
	}
}

// The pace is that of a word, and what is in a file of answers tells nothing of it.
func TestPace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answers.jsonl")
	c := told(t, &teller{each: 2 * time.Millisecond}, Options{Answers: name})
	if each, err := c.Pace(t.Context()); err != nil || each < 2*time.Millisecond || each > time.Second || c.Asked() > 4+16 {
		t.Errorf("%v, %v, %d words", each, err, c.Asked())
	}
	c.Close()
	if each, err := told(t, &teller{}, Options{Answers: name}).Pace(t.Context()); each != 0 || err != nil {
		t.Errorf("%v, %v", each, err)
	}
}

// A model is not asked on behalf of somebody who has gone.
func TestNobodyWaits(t *testing.T) {
	l := &teller{each: time.Millisecond}
	c := told(t, l, Options{Timeout: 100 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := c.Answer(ctx, f32.New(1023, 1), word.UpTo(2, 1023)); !errors.Is(err, context.Canceled) || len(l.asked) > 500 {
		t.Errorf("%v after %d words", err, len(l.asked))
	}
	checkEven(t, c, word.UpTo(2, 31)) // and goes on answering others
}
