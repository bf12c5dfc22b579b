package train

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"quotient/f32"
	"quotient/rnn"
	"quotient/rnn/backprop"
	"quotient/word"
)

// Settings are all figures that a run's result depends on.
type Settings struct {
	Language string `json:"language"`                 // its name; the automaton itself is kept beside
	As       string `json:"as,omitempty" sweep:"-"`   // "lm": the network predicts the next symbol; empty: it recognizes the language
	Data     string `json:"data,omitempty" sweep:"-"` // the name of a file with words, which are kept beside, in place of the language's

	Cell      string `json:"cell"`
	Layers    int    `json:"layers"`
	Embedding int    `json:"embedding"`
	Hidden    int    `json:"hidden"`

	Epochs   int `json:"epochs"`   // at most
	Patience int `json:"patience"` // epochs in a row with every dev and long string right after which to stop; 0: never
	Batch    int `json:"batch"`

	Words       Words `json:"words,omitempty"` // which strings
	Strings     int   `json:"strings"`         // in an epoch
	Length      int   `json:"length"`
	DevStrings  int   `json:"dev_strings"`
	DevLength   int   `json:"dev_length"`
	LongStrings int   `json:"long_strings"` // the generalization set
	LongLength  int   `json:"long_length"`

	Rate    float64 `json:"rate"` // AdamW's, as are the next four
	Beta1   float64 `json:"beta1"`
	Beta2   float64 `json:"beta2"`
	Epsilon float64 `json:"epsilon"`
	Decay   float64 `json:"decay"`
	Warmup  int     `json:"warmup"` // steps over which the rate rises to its value
	Anneal  float64 `json:"anneal"` // share of it to which it falls in a line by the last epoch; 1: it stays

	Seed uint64 `json:"seed"`
}

// Predictor is what a network is trained as that predicts the next symbol.
const Predictor = "lm"

// predicts reports whether the network is a language model.
func (s Settings) predicts() bool { return s.As == Predictor }

// Words says which strings a network learns from and is judged by.
type Words string

const (
	Half Words = ""     // half valid, half uniform
	Near Words = "near" // near the language; see [sample.Near]
)

// Paper is the recipe of Merrill and Tsilivis (2022). They do not state the batch
// size; with 64, all Tomita languages are learned.
var Paper = Settings{
	Cell: "elman", Layers: 1, Embedding: 10, Hidden: 100,
	Epochs: 22, Batch: 64,
	Strings: 100_000, Length: 100,
	DevStrings: 1000, DevLength: 200,
	LongStrings: 1000, LongLength: 400,
	Rate: backprop.Defaults.Rate, Beta1: backprop.Defaults.Beta1, Beta2: backprop.Defaults.Beta2,
	Epsilon: backprop.Defaults.Epsilon, Decay: backprop.Defaults.Decay,
	Anneal: 1,
	Seed:   1,
}

// Quick learns the Tomita languages in well under a minute on two cores: many
// small steps on short strings, and an end once everything has been right for a
// while. In the few runs that were tried, shorter strings made networks for Tomita 6
// that lose count on longer ones, PyTorch's β₂ of 0.999 made Tomita 7 take longer to
// stay right, and languages of more symbols and states wanted the falling rate.
var Quick = func() Settings {
	s := Paper
	s.Epochs, s.Patience = 60, 8
	s.Strings, s.Length, s.Batch = 5600, 60, 32
	s.LongStrings = 500
	s.Rate, s.Beta2, s.Warmup, s.Anneal = 0.002, 0.99, 100, 0.05
	return s
}()

// Counting is Quick for languages that count: an LSTM, which can, and words near the
// language, more of them, so that none is learned by heart. With 5,600 strings, two of
// six networks that were tried took aaababbb for a word of aⁿbⁿ.
var Counting = func() Settings {
	s := Quick
	s.Cell, s.Hidden = "lstm", 32
	s.Words, s.Strings = Near, 20_000
	s.Epochs, s.Patience = 20, 3
	s.DevLength, s.LongLength = 80, 120
	return s
}()

// Speaking is Quick for language models: words of many lengths, and no end before the last epoch,
// because the loss on held-out words still falls with the rate when it has not for a while: of
// the few runs that were tried for Tomita 5, a GRU of 64 units had found one of its two parities after
// 20 epochs, and Elman's both after 12.
var Speaking = func() Settings {
	s := Quick
	s.As = Predictor
	s.Epochs, s.Patience = 20, 0
	s.Strings, s.DevLength = 20_000, s.Length
	s.DevStrings = 2000
	return s
}()

// Longest returns the length of the longest strings.
func (s Settings) Longest() int { return max(s.Length, s.DevLength, s.LongLength) }

const (
	maxFigure = 1<<31 - 1 // of every whole number, so that products of two are numbers, too
	maxBytes  = 8 << 30   // of memory for the three sets of strings
)

// Check reports the first figure that makes no sense.
func (s Settings) Check() error {
	if _, err := rnn.ParseCell(s.Cell); err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		value int
	}{
		{"layers", s.Layers},
		{"embedding", s.Embedding},
		{"hidden", s.Hidden},
		{"epochs", s.Epochs},
		{"batch", s.Batch},
		{"strings", s.Strings},
		{"length", s.Length},
		{"dev-strings", s.DevStrings},
		{"dev-length", s.DevLength},
		{"long-strings", s.LongStrings},
		{"long-length", s.LongLength},
	} {
		if f.value < 1 {
			return fmt.Errorf("%s %d: it must be at least 1", f.name, f.value)
		}
		if f.value > maxFigure {
			return fmt.Errorf("%s %d: it must be at most %d", f.name, f.value, maxFigure)
		}
	}
	bytes := 0.0 // a symbol and its label take 3, what holds a string together 56
	for _, set := range [][2]int{{s.Strings, s.Length}, {s.DevStrings, s.DevLength}, {s.LongStrings, s.LongLength}} {
		bytes += float64(set[0]) * (56 + 3*float64(set[1]))
	}
	switch {
	case s.As != "" && s.As != Predictor:
		return fmt.Errorf("as %s: it is lm or, for a recognizer, the empty name", s.As)
	case s.Data != "" && s.As != Predictor:
		return fmt.Errorf("data %s: words without labels train a language model, with as lm", s.Data)
	case s.Words != Half && s.Words != Near:
		return fmt.Errorf("words %s: there are near and, for half valid and half uniform ones, the empty name", s.Words)
	case bytes > maxBytes:
		return fmt.Errorf("strings: all of them together would take %.3g GiB of memory, and at most %d are allowed", bytes/(1<<30), maxBytes>>30)
	case s.Patience < 0:
		return fmt.Errorf("patience %d: it must be 0 (never stop early) or more", s.Patience)
	case s.Warmup < 0:
		return fmt.Errorf("warmup %d: it must be 0 or more steps", s.Warmup)
	case !(s.Anneal >= 0 && s.Anneal <= 1):
		return fmt.Errorf("anneal %v: it must be from 0 to 1", s.Anneal)
	case !(s.Rate > 0) || math.IsInf(s.Rate, 0):
		return fmt.Errorf("rate %v: it must be more than 0", s.Rate)
	case !(s.Decay >= 0) || math.IsInf(s.Decay, 0):
		return fmt.Errorf("decay %v: it must be 0 or more", s.Decay)
	case !(s.Beta1 >= 0 && s.Beta1 < 1):
		return fmt.Errorf("beta1 %v: it must be at least 0 and less than 1", s.Beta1)
	case !(s.Beta2 >= 0 && s.Beta2 < 1):
		return fmt.Errorf("beta2 %v: it must be at least 0 and less than 1", s.Beta2)
	case !(s.Epsilon > 0) || math.IsInf(s.Epsilon, 0):
		return fmt.Errorf("epsilon %v: it must be more than 0", s.Epsilon)
	}
	return nil
}

// Differences says in which figures the settings differ from a run's, one line
// each.
func (s Settings) Differences(run Settings) []string {
	var list []string
	a, b := reflect.ValueOf(s), reflect.ValueOf(run)
	for i := range a.NumField() {
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); x != y {
			name := strings.ReplaceAll(a.Type().Field(i).Tag.Get("json"), "_", "-")
			list = append(list, fmt.Sprintf("%s is %v there, not %v", name, y, x))
		}
	}
	return list
}

// shape returns the shape of the network for an alphabet.
func (s Settings) shape(a *word.Alphabet) rnn.Shape {
	cell, err := rnn.ParseCell(s.Cell)
	if err != nil {
		panic("train: " + err.Error()) // Check has seen it
	}
	shape := rnn.Shape{Cell: cell, Layers: s.Layers, Tokens: a.Len() + 1, Embedding: s.Embedding, Hidden: s.Hidden}
	if s.predicts() {
		shape.Outputs = a.Len() + 1
	}
	return shape
}

// adamW returns the optimizer for a step, counted from 0.
func (s Settings) adamW(step int) f32.AdamW {
	o := f32.AdamW{Rate: s.Rate, Beta1: s.Beta1, Beta2: s.Beta2, Epsilon: s.Epsilon, Decay: s.Decay}
	if step < s.Warmup {
		o.Rate *= float64(step+1) / float64(s.Warmup)
	}
	done := float64(step) / float64(s.Epochs*s.batches())
	o.Rate *= 1 - done*(1-s.Anneal)
	return o
}

// batches returns the number of steps of an epoch: one, if there are fewer strings
// than a batch has room for.
func (s Settings) batches() int { return (s.Strings + s.Batch - 1) / s.Batch }
