package train

import (
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quotient/rnn"
	"quotient/word"
)

// speaking is a small run of a language model.
func speaking(cell string) Settings {
	s := small()
	s.Language, s.As, s.Cell = "tomita3", Predictor, cell
	return s
}

var fewWords = []word.Word{nil, {0}, {0, 1}, {0, 1, 0, 1}, {1, 1}, {1, 1, 0}, {0, 1, 1, 0}, {0, 1}, {0, 1, 0}, {1}}

// begun begins a run of a language model: of a language, or of words.
func begun(t *testing.T, folder, cell string, fromWords bool) *Run {
	t.Helper()
	s := speaking(cell)
	if !fromWords {
		return create(t, folder, s)
	}
	s.Language, s.Data, s.Batch = "", "words.txt", 2
	r, err := CreateFrom(folder, s, word.Letters("ab"), fewWords)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// However often a run of a language model is stopped, it comes to the same files; and to others
// with another cell.
func TestSpeakingResumes(t *testing.T) {
	for _, cell := range []string{"elman", "gru", "lstm"} {
		for _, fromWords := range []bool{false, true} {
			whole, parts := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "run")
			if err := begun(t, whole, cell, fromWords).Train(t.Context(), Options{Threads: 1}); err != nil {
				t.Fatal(err)
			}
			begun(t, parts, cell, fromWords)
			stops := 0
			for done := false; !done; {
				ctx, stop := context.WithCancel(t.Context())
				steps := 0
				err := reopen(t, parts).Train(ctx, Options{Threads: 2, Progress: func(Progress) {
					if steps++; steps == 5 {
						stop()
					}
				}})
				var stopped *Interrupted
				if done = err == nil; errors.As(err, &stopped) {
					stops++
				} else if err != nil {
					t.Fatal(err)
				}
				stop()
			}
			if stops == 0 || !maps.Equal(content(t, whole), content(t, parts)) {
				t.Errorf("%s, of words %v: after %d stops other files", cell, fromWords, stops)
			}
			r := reopen(t, whole)
			n, best, err := r.Network(0)
			if err != nil || n.Outputs != 3 || rnn.NewRunner(n, 1).Outputs() != 3 {
				t.Fatalf("%+v, %v", n, err)
			}
			for _, rec := range r.Records {
				if rec.DevPerplexity < best.DevPerplexity || math.Abs(math.Log(rec.DevPerplexity)-rec.DevLoss) > 1e-9 {
					t.Errorf("%+v, the best is %+v", rec, best)
				}
			}
		}
	}
}

// A language model learns from valid words alone, of which some are held out.
func TestSpeakingWords(t *testing.T) {
	s := &session{Run: begun(t, filepath.Join(t.TempDir(), "run"), "gru", false)}
	if err := s.words(); err != nil {
		t.Fatal(err)
	}
	for _, part := range []set{s.train, s.dev} {
		for _, w := range part.words {
			if !s.Language.Accepts(w) || len(w) > s.Settings.DevLength {
				t.Errorf("%v", w)
			}
		}
	}
	if len(s.train.words) != 200 || len(s.dev.words) != 40 || s.train.labels != nil {
		t.Error(len(s.train.words), len(s.dev.words))
	}
	s = &session{Run: begun(t, filepath.Join(t.TempDir(), "run"), "gru", true)}
	if err := s.words(); err != nil || len(s.train.words) != 9 || len(s.dev.words) != 1 {
		t.Error(s.train, s.dev, err)
	}
	if !s.Language.IsUniversal() || s.Settings.Strings != 9 {
		t.Errorf("%+v", s.Settings)
	}
}

// Patience counts the epochs without a better one.
func TestSpeakingPatience(t *testing.T) {
	r := &Run{Settings: speaking("gru")}
	r.Settings.Epochs, r.Settings.Patience = 10, 2
	for i, perplexity := range []float64{3, 2, 2.5, 2.1} {
		if r.Done() {
			t.Errorf("it ends after %d epochs", i)
		}
		r.Records = append(r.Records, Record{Epoch: i + 1, DevPerplexity: perplexity})
	}
	if !r.Done() || Best(r.Records).Epoch != 2 {
		t.Error(Best(r.Records))
	}
}

// What cannot be trained is said, and a folder that was changed is not trusted.
func TestSpeakingErrors(t *testing.T) {
	s := speaking("gru")
	s.Data = "words.txt"
	for _, c := range []struct {
		words []word.Word
		a     *word.Alphabet
		want  string
	}{{fewWords[:1], word.Letters("ab"), "1 words; at least 2"}, {[]word.Word{nil, nil}, word.Letters(""), "all words are empty"}} {
		if _, err := CreateFrom(filepath.Join(t.TempDir(), "run"), s, c.a, c.words); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	s.As = ""
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "as lm") {
		t.Error(err)
	}
	s.As = "poet"
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "as poet") {
		t.Error(err)
	}
	for text, want := range map[string]string{`{"train": [[7]], "dev": []}`: "symbol 7", `{"train": [], "dev": []}`: "as many words", `[`: "words.json"} {
		folder := filepath.Join(t.TempDir(), "run")
		r := begun(t, folder, "gru", true)
		r.sealed = nil // a run of an older version
		if err := os.WriteFile(filepath.Join(folder, wordsFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Train(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
