package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/word"
)

// words returns words over two symbols, of which the third or later from the end decides.
// Some labels are flipped, and none is if the noise is 0.
func words(n int, noise float64) *labeled.Set {
	rng := rand.New(rand.NewPCG(3, 0))
	s := &labeled.Set{Alphabet: word.Letters("ab")}
	for len(s.Words) < n {
		w := make(word.Word, rng.IntN(16))
		for i := range w {
			w[i] = word.Symbol(rng.IntN(2))
		}
		s.Add(w, labeled.Of((len(w) > 2 && w[len(w)-3] == 1) != (rng.Float64() < noise)))
	}
	return s
}

func all(s *labeled.Set, l labeled.Label) *labeled.Set {
	for i := range s.Labels {
		s.Labels[i] = l
	}
	return s
}

// one returns words of which a single one has the label, and not the other.
func one(n int, l labeled.Label) *labeled.Set {
	s := all(words(n, 0), labeled.Accept+labeled.Reject-l)
	s.Labels[0] = l
	return s
}

func distinct(s *labeled.Set) *labeled.Set {
	seen := map[string]bool{}
	var indices []int
	for i, w := range s.Words {
		if key := fmt.Sprint(w); !seen[key] {
			seen[key] = true
			indices = append(indices, i)
		}
	}
	return s.Subset(indices)
}

// both adds a word with both labels.
func both(s *labeled.Set) *labeled.Set {
	for _, l := range []labeled.Label{labeled.Accept, labeled.Reject} {
		s.Add(word.Word{0, 1}, l)
	}
	return s
}

// Words with symbols that no word to learn from has say nothing about labels or how many words there are.
func TestStrangeSymbols(t *testing.T) {
	test := words(400, 0)
	test.Alphabet = word.Letters("abc")
	for i := range 100 {
		test.Add(word.Word{2, 1, word.Symbol(i % 2)}, labeled.Accept)
	}
	l := Learning{File: "f", Train: words(1500, 0), Held: test, TestWords: "words of more", Seed: 1}
	if err := l.Run(t.Context(), passive.Options{Method: passive.EDSM}, ""); err != nil {
		t.Fatal(err)
	}
	want := "of the words of more 100 have symbols that no word to learn from has, the first in word 401: what has such symbols is rejected"
	if len(l.Warnings) != 1 || l.Warnings[0] != want || *l.Test != (Score{400, 500}) {
		t.Errorf("%v right, %q, want %q", l.Test, l.Warnings, want)
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name   string
		set    *labeled.Set
		method passive.Method
		held   float64
		want   string // the beginnings, with | between them
	}{
		{"clean", words(1500, 0), passive.Auto, 0.2, ""},
		{"clean, nothing held out", words(1500, 0), passive.EDSM, 0, ""},
		{"noise", words(3000, 0.05), passive.Auto, 0.2, "47 words are both accepted and rejected|some labels look wrong: the automaton contradicts"},
		{"one word with both labels", both(words(200, 0)), passive.Auto, 0, "1 word is both accepted and rejected"},
		{"one word with both labels among few", both(words(60, 0)), passive.Auto, 0, "1 word is both accepted and rejected"},
		{"noise, and a method that follows it", distinct(words(3000, 0.05)), passive.EDSM, 0.2, "of the training words 100.00% are right, of the held-out words 8"},
		{"noise, nothing held out", distinct(words(3000, 0.05)), passive.EDSM, 0, "129 states for 1613 words are many"},
		{"nothing accepted", all(words(100, 0), labeled.Reject), passive.Auto, 0, "no word is accepted"},
		{"nothing rejected", all(words(100, 0), labeled.Accept), passive.Auto, 0, "no word is rejected: nothing shows"},
		{"nothing rejected, some held out", all(words(100, 0), labeled.Accept), passive.Auto, 0.2, "no word is rejected: nothing shows"},
		{"all rejected are held out", one(100, labeled.Reject), passive.Auto, 0.99, "no word that was learned from is rejected: of such words 1 was held out; hold out fewer, or add some"},
		{"all accepted are held out", one(100, labeled.Accept), passive.Auto, 0.99, "no word that was learned from is accepted: of such words 1 was held out; hold out fewer, or add some"},
	} {
		l := Learning{File: "f", Train: c.set, Seed: 1}
		if c.held > 0 {
			if err := l.HoldOut(c.held); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Run(t.Context(), passive.Options{Method: c.method}, ""); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "|")
		}
		ok := len(want) == len(l.Warnings)
		for i := range want {
			ok = ok && strings.HasPrefix(l.Warnings[i], want[i])
		}
		if !ok {
			t.Errorf("%s: %d states, %q, want %q", c.name, l.States, l.Warnings, want)
		}
	}
}

// Folds are the same whatever the number of threads, and hold every word once.
func TestCrossValidation(t *testing.T) {
	run := func(threads int) CrossValidation {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		c := CrossValidation{File: "f", Folds: 3, Seed: 5, Set: words(1000, 0.05)}
		if err := c.Run(t.Context(), passive.Methods, passive.Options{}); err != nil {
			t.Fatal(err)
		}
		for i := range c.Methods {
			c.Methods[i].Seconds = 0
			for f := range c.Methods[i].Folds {
				c.Methods[i].Folds[f].Seconds = 0
			}
		}
		return c
	}
	one, two := run(1), run(2)
	if !reflect.DeepEqual(one.Methods, two.Methods) || one.Best != two.Best {
		t.Errorf("%+v\nwith two threads: %+v", one, two)
	}
	for _, m := range one.Methods {
		if !m.Method.Tolerates() {
			if m.Error == nil || !strings.Contains(*m.Error, "both accepted") {
				t.Errorf("%s: no error in words that contradict each other", m.Method)
			}
			continue
		}
		held := 0
		for _, f := range m.Folds {
			held += f.Test.Words
			if f.Test.Words+f.Training.Words != 1000 {
				t.Errorf("%s: %+v", m.Method, f)
			}
		}
		if held != 1000 {
			t.Errorf("%s: %d words held out", m.Method, held)
		}
	}
	if one.Best != passive.EDSMStar {
		t.Errorf("best is %s: %+v", one.Best, one.Methods)
	}
	c := CrossValidation{File: "f", Folds: 20, Set: words(10, 0)}
	if err := c.Run(t.Context(), passive.Methods, passive.Options{}); err == nil || !strings.Contains(err.Error(), "10 words with a label in 20 folds") {
		t.Error(err)
	}
}

// What is wrong with the words is said of a comparison, too, and why methods have no automaton, once and whole.
func TestComparisonTells(t *testing.T) {
	both := words(60, 0)
	both.Add(both.Words[0], labeled.Accept+labeled.Reject-both.Labels[0])
	for _, c := range []struct {
		name string
		set  *labeled.Set
		want []string
	}{
		{"clean", words(300, 0), nil},
		{"nothing accepted", all(words(60, 0), labeled.Reject), []string{"warning: no word is accepted: "}},
		{"nothing rejected", all(words(60, 0), labeled.Accept), []string{"warning: no word is rejected: "}},
		{"a word with both labels", both, []string{"edsm and rpni: the word ", "; the methods edsm-star and rpni-star put up with that\n", "warning: 1 word is both accepted and rejected"}},
	} {
		v := CrossValidation{File: "f", Folds: 3, Seed: 5, Set: c.set}
		if err := v.Run(t.Context(), passive.Methods, passive.Options{}); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var told strings.Builder
		v.Tell(&told)
		for _, want := range c.want {
			if strings.Count(told.String(), want) != 1 {
				t.Errorf("%s: %q is not said once in\n%s", c.name, want, &told)
			}
		}
		if strings.Contains(told.String(), "warning") != (c.want != nil) || strings.Contains(told.String(), " … ") {
			t.Errorf("%s:\n%s", c.name, &told)
		}
	}
	for _, c := range []struct {
		set  *labeled.Set
		want string
	}{
		{all(words(10, 0), labeled.Unknown), "f: no word has a label"},
		{&labeled.Set{Alphabet: word.Letters("ab")}, "f: there is no word in it"},
	} {
		v := CrossValidation{File: "f", Folds: 5, Set: c.set}
		if err := v.Run(t.Context(), passive.Methods, passive.Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		l := Learning{File: "f", Train: c.set}
		if err := l.Run(t.Context(), passive.Options{Method: passive.Auto}, ""); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Whoever does not wait for the end has the methods that were done until then.
func TestCrossValidationIsInterrupted(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // one fold after the other
	run := func(most int, methods ...passive.Method) (c CrossValidation, told int, err error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c = CrossValidation{File: "f", Folds: 3, Seed: 5, Set: words(1000, 0)}
		err = c.Run(ctx, methods, passive.Options{Progress: func(passive.Progress) {
			if told++; told > most {
				cancel()
			}
		}})
		return c, told, err
	}
	alone, first, err := run(math.MaxInt, passive.EDSM)
	if err != nil || alone.Interrupted || first == 0 {
		t.Fatalf("%+v, told %d times, %v", alone, first, err)
	}
	c, _, err := run(first, passive.EDSM, passive.EDSMStar, passive.RPNI)
	if err != nil || !c.Interrupted || len(c.Methods) != 1 || c.Best != passive.EDSM || c.Methods[0].Accuracy != alone.Methods[0].Accuracy {
		t.Errorf("%+v, %v", c, err)
	}
	if c, _, err := run(0, passive.EDSM, passive.EDSMStar); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", c, err)
	}
}
