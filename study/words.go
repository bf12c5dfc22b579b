package study

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"quotient/internal/processor"
	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/learn/stochastic"
	"quotient/probabilistic"
	"quotient/sample"
	"quotient/word"
)

// Words is everything that is known after learning a probabilistic automaton from words
// alone.
type Words struct {
	File      string                   `json:"file"`    // of the words
	Reading   labeled.Reading          `json:"reading"` // how the file was read
	Method    stochastic.Method        `json:"method"`
	Epsilon   float64                  `json:"epsilon,omitempty"` // of alergia
	Alpha     float64                  `json:"alpha,omitempty"`   // of mdi
	Chosen    bool                     `json:"chosen,omitempty"`  // whether held-out words chose alpha
	Notes     []string                 `json:"notes,omitempty"`
	Stats     stochastic.Stats         `json:"stats"`
	States    int                      `json:"states"`
	TestWords string                   `json:"test_words,omitempty"` // where those come from that were not learned from
	Models    []Predictor              `json:"models"`               // what was learned, and n-grams beside it
	Target    *Divergence              `json:"target,omitempty"`
	Seconds   float64                  `json:"seconds"`
	Processor float64                  `json:"processor_seconds"` // of learning alone; 0: the system does not tell
	Automaton *probabilistic.Automaton `json:"automaton"`

	Seed  uint64       `json:"-"` // of the choice of words that are held out
	Train *labeled.Set `json:"-"` // words to learn from
	Held  *labeled.Set `json:"-"` // words to test with; nil: none
}

// A Predictor is a model of words, and how well it predicts them.
type Predictor struct {
	Name     string      `json:"name"`
	States   int         `json:"states"`
	Training Prediction  `json:"training"`
	Test     *Prediction `json:"test,omitempty"`
}

// A Prediction says how well words are predicted.
type Prediction struct {
	probabilistic.Fit
	Perplexity *float64 `json:"perplexity"`         // nil: infinite, because of words of probability zero
	Rest       float64  `json:"perplexity_of_rest"` // without these words
}

func prediction(f probabilistic.Fit) Prediction {
	p := Prediction{Fit: f, Rest: f.PerplexityOfRest()}
	if x := f.Perplexity(); !math.IsInf(x, 1) {
		p.Perplexity = &x
	}
	if math.IsNaN(p.Rest) { // all words have probability zero, or there is none
		p.Rest = 0
	}
	return p
}

func (p Prediction) String() string {
	if p.Perplexity != nil {
		return fmt.Sprintf("%.4f", *p.Perplexity)
	}
	return fmt.Sprintf("∞ (%.4f without %d)", p.Rest, p.Zero)
}

// grams are the n-grams that stand beside what was learned: 1-grams to 4-grams.
const grams = 4

// Run learns and tests.
func (x *Words) Run(ctx context.Context, o stochastic.Options) error {
	begin := time.Now()
	x.Reading = x.Train.Reading
	x.Train = x.leaveOut(x.Train)
	if x.Held != nil {
		x.Held = x.leaveOut(x.Held)
	}
	if len(x.Train.Words) == 0 {
		return fmt.Errorf("%s: there is no word in it to learn from; every line has one", x.File)
	}
	a, words := x.Train.Alphabet, x.Train.Words
	if x.Method = o.Method; x.Method == stochastic.MDI {
		if o.Alpha == 0 {
			alpha, err := stochastic.ChooseAlpha(ctx, a, words, sample.Rand(x.Seed, sample.Levels))
			if err != nil {
				return err
			}
			o.Alpha, x.Chosen = alpha, true
		}
		x.Alpha = o.Alpha
	} else if x.Epsilon = o.Epsilon; x.Epsilon == 0 {
		x.Epsilon = stochastic.DefaultEpsilon
	}
	busy := processor.Time()
	r, err := stochastic.Learn(ctx, a, words, o)
	if err != nil {
		return err
	}
	x.Processor = (processor.Time() - busy).Seconds()
	x.Automaton, x.Stats, x.States = r.Automaton, r.Stats, r.Automaton.Len()
	err = x.judge()
	x.Seconds = time.Since(begin).Seconds()
	return err
}

// A Divergence says how far an automaton is from the one that it should be.
type Divergence struct {
	Name      string   `json:"name"`
	States    int      `json:"states"`
	KL        *float64 `json:"kl"`            // nats a word; nil: infinite
	PerSymbol *float64 `json:"kl_per_symbol"` // nats a symbol
	Witness   *string  `json:"witness"`       // a shortest word that only the target has; nil if KL is finite
}

func (d *Divergence) String() string {
	if d.KL == nil {
		return fmt.Sprintf("target %s, %s: the divergence from it is infinite; it has the word %s", d.Name, text.Plural(d.States, "state"), text.Shorten(*d.Witness, 60))
	}
	return fmt.Sprintf("target %s, %s: the divergence from it is %.4g nats a word, %.4g a symbol", d.Name, text.Plural(d.States, "state"), *d.KL, *d.PerSymbol)
}

// Compare says how far the automaton is from a target.
func (x *Words) Compare(name string, target *probabilistic.Automaton) (err error) {
	x.Target, err = divergeFrom(name, target, x.Automaton)
	return err
}

// divergeFrom says how far an automaton is from a target.
func divergeFrom(name string, target, a *probabilistic.Automaton) (*Divergence, error) {
	common, err := target.Alphabet.Union(a.Alphabet)
	if err != nil {
		return nil, err
	}
	p, err := target.WithAlphabet(common)
	if err != nil {
		return nil, err
	}
	q, err := a.WithAlphabet(common)
	if err != nil {
		return nil, err
	}
	d, err := probabilistic.Diverge(p, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &Divergence{Name: name, States: target.Len(), KL: &d.KL, PerSymbol: &d.PerSymbol}
	if math.IsInf(d.KL, 1) {
		witness := common.Format(d.Witness)
		x.KL, x.PerSymbol, x.Witness = nil, nil, &witness
	}
	return x, nil
}

// leaveOut leaves out words whose label says that they are not in the language.
func (x *Words) leaveOut(s *labeled.Set) *labeled.Set {
	if !slices.Contains(s.Labels, labeled.Reject) {
		return s
	}
	var keep []int
	for i, l := range s.Labels {
		if l != labeled.Reject {
			keep = append(keep, i)
		}
	}
	x.Notes = append(x.Notes, fmt.Sprintf("%s with a label that rejects are left out: %s learns from words of the language",
		text.Plural(len(s.Words)-len(keep), "word"), x.Method))
	return s.Subset(keep)
}

// judge puts the automaton beside n-grams.
func (x *Words) judge() error {
	over := x.Train.Alphabet
	if x.Held != nil {
		over = x.Held.Alphabet // which has the symbols of both
	}
	a, err := x.Automaton.WithAlphabet(over)
	if err != nil {
		return err
	}
	add := func(name string, states int, fit func([]word.Word) probabilistic.Fit) {
		p := Predictor{Name: name, States: states, Training: prediction(fit(x.Train.Words))}
		if x.Held != nil {
			test := prediction(fit(x.Held.Words))
			p.Test = &test
		}
		x.Models = append(x.Models, p)
	}
	add(string(x.Method), a.Len(), a.Fit)
	if x.Held == nil {
		return nil // n-grams are better the longer they are, on words that they have seen
	}
	for n := 1; n <= grams; n++ {
		g, err := stochastic.NGrams(over, x.Train.Words, n)
		if err != nil {
			x.Notes = append(x.Notes, fmt.Sprintf("%d-grams are left out: %v", n, err))
			break
		}
		if n == 1 {
			mixed := func(words []word.Word) probabilistic.Fit { return stochastic.Mixed(a, g, words) }
			add(string(x.Method)+" with 1% of 1-grams", a.Len()+g.Len(), mixed)
		}
		add(fmt.Sprintf("%d-grams", n), g.Len(), g.Fit)
	}
	x.noteZeros()
	return nil
}

// noteZeros says that words have probability zero.
func (x *Words) noteZeros() {
	f := x.Models[0].Test.Fit
	if f.Zero == 0 {
		return
	}
	first := x.Held.Words[f.First]
	x.Notes = append(x.Notes, fmt.Sprintf("%d of %s have probability zero, so that their perplexity is infinite: the first is %s (%s)",
		f.Zero, text.Plural(f.Words, "word")+" to test with", text.Shorten(x.Held.Alphabet.Format(first), 40), x.Held.Place(f.First)))
}

// Tell writes it for people.
func (x *Words) Tell(w io.Writer) {
	text.Probabilistic(w, x.Automaton)
	fmt.Fprintln(w)
	header := []string{"perplexity", "states", "training words"}
	if x.Held != nil {
		header = append(header, x.TestWords)
	}
	t := text.Table(header...)
	for _, m := range x.Models {
		row := text.Row{m.Name, m.States, m.Training}
		if m.Test != nil {
			row = append(row, m.Test)
		}
		t.AppendRow(row)
	}
	text.Print(w, t)
	if x.Held != nil {
		fmt.Fprintln(w, "n-grams are smoothed after Witten and Bell")
	}
	if x.Target != nil {
		fmt.Fprintln(w, x.Target)
	}
	fmt.Fprintln(w)
	s := x.Stats
	parameter := fmt.Sprintf("epsilon %g", x.Epsilon)
	if x.Method == stochastic.MDI {
		parameter = fmt.Sprintf("alpha %.3g", x.Alpha)
		if x.Chosen {
			parameter += ", chosen by a fifth of the words"
		}
	}
	fmt.Fprintf(w, "%s: %s, %d symbols with the ends of words\n", x.File, text.Plural(s.Words, "word"), s.Symbols)
	fmt.Fprintf(w, "read as: %s\n", x.Reading)
	fmt.Fprintf(w, "prefix tree of %s, merged to %s (%s, %s): %s tried, %d made\n", text.Plural(s.Nodes, "node"),
		text.Plural(x.States, "state"), x.Method, parameter, text.Plural(s.Tried, "merge"), s.Merged)
	for _, note := range x.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
}
