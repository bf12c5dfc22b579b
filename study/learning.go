package study

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"quotient/automaton/codec"
	"quotient/internal/processor"
	"quotient/internal/text"
	"quotient/language"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/sample"
)

// A Learning is everything that is known after learning from labeled words alone: a study
// without a network.
type Learning struct {
	File      string               `json:"file"`    // of the words
	Reading   labeled.Reading      `json:"reading"` // how the file was read
	Method    passive.Method       `json:"method"`
	Auto      bool                 `json:"auto,omitempty"`         // whether the words chose the method
	Alpha     float64              `json:"alpha,omitempty"`        // of rpni-star
	Chosen    *passive.AlphaChoice `json:"alpha_chosen,omitempty"` // by held-out words; nil: it was given
	Noise     float64              `json:"noise,omitempty"`        // the share of training words that the automaton contradicts
	Warnings  []string             `json:"warnings,omitempty"`
	Accepted  int                  `json:"accepted"` // training words that are
	Stats     passive.Stats        `json:"stats"`
	States    int                  `json:"states"`
	Training  Score                `json:"training"`
	Test      *Score               `json:"test,omitempty"`
	TestWords string               `json:"test_words,omitempty"` // where they come from
	Target    *Target              `json:"target,omitempty"`
	Seconds   float64              `json:"seconds"`                   // by the clock, reading left out
	Processor float64              `json:"processor_seconds"`         // of learning alone; 0: the system does not tell
	Read      float64              `json:"reading_processor_seconds"` // of reading the words
	Scoring   float64              `json:"scoring_processor_seconds"` // of trying the automaton on words and comparing it
	Automaton codec.JSON           `json:"automaton"`

	Seed   uint64          `json:"-"` // of the choice of words that are held out
	Train  *labeled.Set    `json:"-"` // words to learn from
	Held   *labeled.Set    `json:"-"` // words to test with; nil: none
	Result *passive.Result `json:"-"`

	strange  []int // words to test with that have a symbol which no word to learn from has
	familiar Score // on the others
}

// without returns a set without the words of some indices, which ascend.
func without(s *labeled.Set, indices []int) *labeled.Set {
	var rest []int
	for i := range s.Words {
		if _, found := slices.BinarySearch(indices, i); !found {
			rest = append(rest, i)
		}
	}
	return s.Subset(rest)
}

// A Score says on how many words an automaton agrees with their labels.
type Score struct {
	Agree int `json:"agree"`
	Words int `json:"words"`
}

func (s Score) String() string {
	if s.Words == 0 {
		return "none has a label"
	}
	return fmt.Sprintf("%d of %d right (%s)", s.Agree, s.Words, text.Percent(float64(s.Agree)/float64(s.Words)))
}

// heldOutWords is what the words are called that HoldOut keeps, which come from the same file.
const heldOutWords = "held-out words"

// HoldOut keeps a share of the words to learn from for a test.
func (l *Learning) HoldOut(share float64) error {
	all := l.Train
	n := int(float64(len(all.Words)) * (1 - share))
	order := sample.Rand(l.Seed, sample.Split).Perm(len(all.Words))
	slices.Sort(order[:n])
	l.Train, l.Held = all.Subset(order).Split(n)
	l.TestWords = heldOutWords
	if n == 0 && len(all.Words) > 0 {
		return fmt.Errorf("to hold out %g leaves no word to learn from: %s has %d", share, l.File, len(all.Words))
	}
	return nil
}

// Run learns, tests and compares with a language, if one is named.
func (l *Learning) Run(ctx context.Context, o passive.Options, target string) error {
	begin, busy := time.Now(), processor.Time()
	if err := learnable(l.File, l.Train); err != nil && l.TestWords == heldOutWords && l.Held.Labeled() {
		return fmt.Errorf("%s: all words with a label are held out; hold out fewer", l.File)
	} else if err != nil {
		return err
	}
	if err := l.learn(ctx, o); err != nil {
		return err
	}
	d := l.Result.Automaton
	if l.Held != nil {
		over, err := d.WithAlphabet(l.Held.Alphabet)
		if err != nil {
			return err
		}
		l.Test = &Score{}
		l.Test.Agree, l.Test.Words = l.Held.Agree(over)
		if l.strange = strangers(l.Train, l.Held); len(l.strange) > 0 {
			l.familiar.Agree, l.familiar.Words = without(l.Held, l.strange).Agree(over)
		}
	}
	if target != "" {
		loaded, err := language.Load(language.Options{Symbols: d.Alphabet.Names()}, target)
		if err == nil {
			l.Target, err = Compare(target, loaded[0], d)
		}
		if err != nil {
			return err
		}
	}
	l.Warnings = l.suspect()
	l.Seconds = time.Since(begin).Seconds()
	l.Scoring = (processor.Time() - busy).Seconds() - l.Processor
	return nil
}

// learnable returns an error if there is no word with a label to learn from.
func learnable(file string, s *labeled.Set) error {
	switch {
	case len(s.Words) == 0:
		return fmt.Errorf("%s: there is no word in it; each stands there with its label, as in %s", file, s.Reading.Format.Example())
	case !s.Labeled():
		return fmt.Errorf("%s: no word has a label (read as: %s); labels say which words are in the language and which are not, as in %s",
			file, s.Reading, s.Reading.Format.Example())
	}
	return nil
}

// learn fills in what the training words tell.
func (l *Learning) learn(ctx context.Context, o passive.Options) error {
	busy := processor.Time()
	if o.Method == passive.RPNIStar && o.Alpha == 0 {
		choice, err := passive.ChooseAlpha(ctx, l.Train, sample.Rand(l.Seed, sample.Levels))
		if err != nil {
			return err
		}
		o.Alpha, l.Chosen = choice.Alpha, &choice
	}
	res, err := passive.Learn(ctx, l.Train, o)
	if err != nil {
		return err
	}
	l.Processor = (processor.Time() - busy).Seconds()
	d := res.Automaton
	l.Result, l.Stats, l.States, l.Automaton = res, res.Stats, d.Len(), codec.JSON{NFA: d.NFA()}
	l.Reading, l.Method, l.Auto = l.Train.Reading, res.Method, o.Method == passive.Auto
	if l.Method == passive.RPNIStar {
		l.Alpha = o.Alpha
	}
	l.Accepted, _ = classes(l.Train)
	l.Training.Agree, l.Training.Words = l.Train.Agree(d)
	l.Noise = float64(l.Training.Words-l.Training.Agree) / float64(l.Training.Words)
	return nil
}

// Tell writes the learning for people: first the answer, then how it was found.
func (l *Learning) Tell(w io.Writer) {
	text.Automaton(w, l.Result.Automaton)
	fmt.Fprintln(w)
	fmt.Fprintf(w, "training words: %s\n", l.Training)
	if l.Test != nil {
		fmt.Fprintf(w, "%s: %s\n", l.TestWords, l.Test)
	}
	if l.Target != nil {
		fmt.Fprintln(w, text.Verdict(w, l.Target.Equal, l.Target.String()))
	}
	for _, warning := range l.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	fmt.Fprintln(w)
	s := l.Stats
	fmt.Fprintf(w, "%s: %s with a label, %d of them accepted\n", l.File, text.Plural(s.Words, "word"), l.Accepted)
	fmt.Fprintf(w, "read as: %s\n", l.Reading)
	fmt.Fprintf(w, "prefix tree of %s, merged to %s (%s): %s tried, %d made\n", text.Plural(s.Nodes, "node"),
		text.Plural(1+s.Promoted, "state"), l.Method, text.Plural(s.Tried, "merge"), s.Merged)
	if c := l.Chosen; c != nil && c.Words > 0 {
		fmt.Fprintf(w, "alpha %g, chosen by %s that were held out for that: %s right\n", c.Alpha, text.Plural(c.Words, "word"), text.Percent(c.Accuracy))
	}
}
