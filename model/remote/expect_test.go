//go:build unix

package remote

import (
	"testing"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// Words that will be asked about are asked about together; then they are known, and so are all prefixes of paths.
func TestExpected(t *testing.T) {
	l := &teller{}
	c := told(t, l, Options{})
	r, _ := c.Stepper()
	q := oracle.Ask(t.Context(), r)
	greeted := len(l.asked)
	words := []word.Word{{0, 1, 0, 0}, {0, 1, 1}, {1, 1, 0, 1, 0}, {0, 1}}
	q.ExpectPaths(words)
	before := len(l.asked)
	if got := before - greeted; got != 11 {
		t.Fatalf("%d words are asked about, and there are 11 prefixes: %v", got, l.asked[greeted:])
	}
	for _, w := range words {
		for n := range len(w) + 1 {
			if err := r.visit(f32.New(1, 2), []word.Word{w[:n]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(l.asked) != before {
		t.Errorf("more words are asked about: %v", l.asked[before:])
	}
}

// What the budget does not allow for is not asked about in advance, and is no error before somebody asks.
func TestExpectedBeyondTheBudget(t *testing.T) {
	l := &teller{}
	c := told(t, l, Options{})
	before := len(l.asked)
	c.Limit(2)
	words := []word.Word{{0, 0, 1}, {0, 1, 1}, {1, 0, 0, 1}}
	c.Expect(t.Context(), words, false)
	if len(l.asked) != before {
		t.Fatalf("%d words are asked about", len(l.asked)-before)
	}
	if err := c.Answer(t.Context(), f32.New(2, 1), words[:2]); err != nil {
		t.Error(err)
	}
}

// The answer after a state and a suffix is that for the state's word and the suffix, which is all that is asked about.
func TestReadAfter(t *testing.T) {
	l := &teller{}
	c := told(t, l, Options{})
	r, _ := c.Stepper()
	q := oracle.Ask(t.Context(), r)
	states := f32.New(2, 2)
	copy(states.Row(0), q.Start().Row(0))
	copy(states.Row(1), q.Successors(states.View(0, 1)).Row(0))
	before := len(l.asked)
	suffixes := []word.Word{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 0, 1}, {}}
	got := q.After(states, []int{0, 1, 0, 1}, suffixes)
	if len(l.asked) != before+3 {
		t.Errorf("%d words are asked about, not three", len(l.asked)-before)
	}
	for i, want := range []bool{true, false, false, false} {
		if got[i] != want {
			t.Errorf("after state %d and %v: %v", i%2, suffixes[i], got[i])
		}
	}
	if err := q.Err(); err != nil {
		t.Error(err)
	}
}
