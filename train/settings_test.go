package train

import (
	"math"
	"slices"
	"strings"
	"testing"

	"quotient/language"
)

func TestPresetsAreSound(t *testing.T) {
	for _, s := range []Settings{Quick, Paper, Counting} {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestCheck(t *testing.T) {
	for name, change := range map[string]func(*Settings){
		"cell":         func(s *Settings) { s.Cell = "cnn" },
		"layers":       func(s *Settings) { s.Layers = 0 },
		"embedding":    func(s *Settings) { s.Embedding = -1 },
		"hidden":       func(s *Settings) { s.Hidden = 0 },
		"epochs":       func(s *Settings) { s.Epochs = 0 },
		"patience":     func(s *Settings) { s.Patience = -1 },
		"batch":        func(s *Settings) { s.Batch = 0 },
		"strings":      func(s *Settings) { s.Strings = 0 },
		"length":       func(s *Settings) { s.Length = 0 },
		"dev-strings":  func(s *Settings) { s.DevStrings = 0 },
		"dev-length":   func(s *Settings) { s.DevLength = 0 },
		"long-strings": func(s *Settings) { s.LongStrings = 0 },
		"long-length":  func(s *Settings) { s.LongLength = 0 },
		"length 9":     func(s *Settings) { s.Length = math.MaxInt },
		"batch 9":      func(s *Settings) { s.Batch = math.MaxInt },
		"strings:":     func(s *Settings) { s.Strings = maxFigure },
		"rate":         func(s *Settings) { s.Rate = 0 },
		"decay":        func(s *Settings) { s.Decay = -1 },
		"beta1":        func(s *Settings) { s.Beta1 = 1 },
		"beta2":        func(s *Settings) { s.Beta2 = math.NaN() },
		"epsilon":      func(s *Settings) { s.Epsilon = math.Inf(1) },
		"warmup":       func(s *Settings) { s.Warmup = -1 },
		"anneal":       func(s *Settings) { s.Anneal = 2 },
	} {
		s := Quick
		change(&s)
		if err := s.Check(); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestDifferences(t *testing.T) {
	a, b := Quick, Quick
	b.Rate, b.DevLength = 0.5, 7
	if got, want := a.Differences(b), []string{"dev-length is 7 there, not 200", "rate is 0.5 there, not 0.002"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := a.Differences(a); got != nil {
		t.Errorf("%q", got)
	}
}

func TestRateRisesAndFalls(t *testing.T) {
	s := Settings{Rate: 1, Warmup: 4, Anneal: 0.5, Epochs: 10, Strings: 100, Batch: 10}
	for _, c := range []struct {
		step int
		want float64
	}{{0, 0.25}, {3, 0.985}, {4, 0.98}, {50, 0.75}, {100, 0.5}} {
		if got := s.adamW(c.step).Rate; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("step %d: rate %v, want %v", c.step, got, c.want)
		}
	}
}

// Words near a language that counts have the right labels, and many are valid
// somewhere.
func TestNearStrings(t *testing.T) {
	d, err := language.LoadUpTo(language.Options{}, 50, "anbn")
	if err != nil {
		t.Fatal(err)
	}
	s, err := draw(d, Near, 200, 50, generator(1, streamDev))
	if err != nil {
		t.Fatal(err)
	}
	valid := 0
	for i, w := range s.words {
		for k, label := range s.labels[i] {
			if label != d.Accepts(w[:k]) {
				t.Fatalf("string %d, prefix %d: label %v", i, k, label)
			}
		}
		if slices.Contains(s.labels[i][1:], true) {
			valid++
		}
	}
	if valid < 40 || valid == len(s.words) {
		t.Errorf("%d of %d strings have a valid prefix that is not empty", valid, len(s.words))
	}
	settings := Counting
	if missing, err := settings.Missing(d); missing != nil || err != nil {
		t.Errorf("missing: %v, %v", missing, err)
	}
	if err := settings.Check(); err != nil {
		t.Error(err)
	}
	settings.Words = "far"
	if err := settings.Check(); err == nil {
		t.Error("words far: no error")
	}
}

func TestStrings(t *testing.T) {
	d := load(t, "tomita4")
	s, err := draw(d, Half, 101, 50, generator(1, streamDev))
	if err != nil {
		t.Fatal(err)
	}
	valid := 0
	for i, w := range s.words {
		if len(w) != 50 || len(s.labels[i]) != 51 {
			t.Fatalf("string %d has %d symbols and %d labels", i, len(w), len(s.labels[i]))
		}
		for k := range s.labels[i] {
			if s.labels[i][k] != d.Accepts(w[:k]) {
				t.Fatalf("string %d, prefix %d: label %v", i, k, s.labels[i][k])
			}
		}
		if s.labels[i][50] {
			valid++
		}
	}
	// Half of them are valid, and of 50 uniform ones about one more.
	if valid < 51 || valid > 60 {
		t.Errorf("%d of 101 strings are valid", valid)
	}
}

func TestOrderIsAnotherEveryEpoch(t *testing.T) {
	s := small()
	one, two := s.order(1), s.order(2)
	if slices.Equal(one, two) || !slices.Equal(one, s.order(1)) {
		t.Error("the order of the strings is wrong")
	}
	slices.Sort(one)
	for i, k := range one {
		if i != k {
			t.Fatal("not every string once")
		}
	}
}

func TestMissing(t *testing.T) {
	s := Quick
	s.Length = 41
	missing, err := s.Missing(load(t, "tomita2"))
	if err != nil || !slices.Equal(missing, []int{41}) {
		t.Errorf("%v, %v", missing, err)
	}
	if _, err := s.Missing(load(t, "regex:ε")); err == nil {
		t.Error("strings over no symbols")
	}
}
