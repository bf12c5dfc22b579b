package train

import (
	"errors"
	"fmt"
	"math"

	"quotient/automaton"
	"quotient/word"
)

// dataWords are the words of a file, as a run keeps them: lists of symbols.
type dataWords struct {
	Train []word.Word `json:"train"`
	Dev   []word.Word `json:"dev"` // held out
}

// HeldOut is the share of a file's words that a language model is not trained on, but judged by.
const HeldOut = 0.1

// CreateFrom makes the folder of a new run of a language model that learns from words, in place of a
// language. Settings are given their number and length.
func CreateFrom(folder string, s Settings, a *word.Alphabet, words []word.Word) (*Run, error) {
	if len(words) < 2 {
		return nil, fmt.Errorf("data %s: %d words; at least 2 are needed, one of them to be held out", s.Data, len(words))
	}
	if a.Len() == 0 {
		return nil, fmt.Errorf("data %s: all words are empty", s.Data)
	}
	var parts dataWords
	held := max(1, int(math.Round(HeldOut*float64(len(words)))))
	s.Length, s.DevLength = 1, 1
	for k, i := range generator(s.Seed, streamDev).Perm(len(words)) {
		w := append(word.Word{}, words[i]...) // never nil, which JSON would write as null
		if k < held {
			parts.Dev, s.DevLength = append(parts.Dev, w), max(s.DevLength, len(w))
		} else {
			parts.Train, s.Length = append(parts.Train, w), max(s.Length, len(w))
		}
	}
	s.Strings, s.DevStrings = len(parts.Train), len(parts.Dev)
	all := automaton.NewDFA(a, 1) // the language of all words, over the symbols of these
	all.Accept[1] = true
	for x := range a.Len() {
		all.SetNext(1, word.Symbol(x), 1)
	}
	return begin(folder, s, all, &parts)
}

// readWords reads the words of a run that were a file's.
func (s *session) readWords() error {
	data, err := s.intact(wordsFile, maxData)
	if err != nil {
		return s.errorf(wordsFile, err)
	}
	var parts dataWords
	if err := decodeJSON(data, &parts); err != nil {
		return s.errorf(wordsFile, err)
	}
	for _, part := range [][]word.Word{parts.Train, parts.Dev} {
		for _, w := range part {
			for _, x := range w {
				if int(x) >= s.Language.Alphabet.Len() {
					return s.errorf(wordsFile, fmt.Errorf("symbol %d of an alphabet of %d", x, s.Language.Alphabet.Len()))
				}
			}
		}
	}
	if len(parts.Train) != s.Settings.Strings || len(parts.Dev) != s.Settings.DevStrings {
		return s.errorf(wordsFile, errors.New("it has not as many words as the settings say"))
	}
	s.train.words, s.dev.words = parts.Train, parts.Dev
	return nil
}
