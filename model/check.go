package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"quotient/internal/text"
	"quotient/oracle"
	"quotient/word"
)

// A Check compares a network with what its owner's own code says of some words.
type Check struct {
	Model     string     `json:"model"`
	Reading   string     `json:"reading"`
	Notes     []string   `json:"notes,omitempty"` // what was guessed
	Answers   int        `json:"answers"`         // that were compared
	Wrong     int        `json:"wrong"`           // how many of them differ
	Largest   float64    `json:"largest_difference"`
	Spread    float64    `json:"spread"`              // of the recorded logits
	Decisions int        `json:"decisions,omitempty"` // answers of which only yes or no is compared
	Little    bool       `json:"little,omitempty"`    // what is recorded is so much alike that it shows little
	Word      string     `json:"word,omitempty"`      // the first that differs
	Got       float64    `json:"got"`
	Want      float64    `json:"want"`
	Right     bool       `json:"right"`
	Open      string     `json:"open,omitempty"`     // what has to be said before the file is read at all; then nothing was compared without
	Unasked   []string   `json:"unasked,omitempty"`  // symbols that no case has
	Tried     int        `json:"tried"`              // other readings
	Readings  [][]string `json:"readings,omitempty"` // those that are right, as flags; if this one is, those that are far nearer

	predicts bool    // the network is a language model, and logits are logarithms of probabilities
	what     string  // the first that differs is about, of a language model
	graph    bool    // the file says itself what its layers compute
	cut      bool    // there are more readings than were tried
	allowed  float64 // how far logits may be that are computed and recorded right
}

// near is how far a logit may be from the one that is recorded, as a share of what the recorded
// ones spread over: a logit of a misread network may be near, too, if all are alike. noise
// is what arithmetic with 32 bits adds.
const (
	near  = 1e-4
	noise = 2e-6
)

// Compare opens a network and compares it with recorded cases. If it differs, other readings
// of the same file are tried. The cases' file is the vocabulary, too, if it has one and
// nothing else is said.
func Compare(ctx context.Context, name string, o Options, cases string) (*Check, error) {
	data, err := readText(cases)
	if err != nil {
		return nil, err
	}
	var file struct {
		Vocab json.RawMessage
		Cases []saying
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s: it is not JSON of cases: %w", cases, err)
	}
	if len(file.Cases) == 0 {
		return nil, fmt.Errorf("%s: there are no cases in it, such as {\"cases\": [{\"word\": [\"a\", \"b\"], \"logit\": 1.5}]}", cases)
	}
	if file.Vocab != nil && !o.told() && !o.elsewhere() {
		o.Vocab = cases
	}
	m, err := Open(ctx, name, o)
	var q *question
	if errors.As(err, &q) {
		return settle(ctx, name, o, q, file.Cases)
	}
	if err != nil {
		return nil, err
	}
	defer m.Close()
	c, err := m.compare(ctx, file.Cases)
	var other *otherSymbols
	if errors.As(err, &other) && m.Stack != nil { // there may be a reading with as many symbols
		c, err = &Check{Model: m.Name, Open: fmt.Sprintf("%s: %v", cases, err)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cases, err)
	}
	if c.Right && (c.Largest <= near/10*c.Spread+c.allowed || c.Decisions == c.Answers) || m.Stack == nil {
		return c, nil
	}
	right, err := m.otherReadings(ctx, name, file.Cases, &c.Tried)
	c.cut = c.Tried >= m.budget()
	if c.Right { // but not as near as arithmetic is, so that another may be meant
		right = slices.DeleteFunc(right, func(r reading) bool { return r.off > c.Largest/10 })
	}
	c.Readings = nearest(right)
	return c, err
}

// compare checks all that is recorded.
func (m *Model) compare(ctx context.Context, cases []saying) (*Check, error) {
	claims, err := m.claims(cases)
	if err != nil {
		return nil, err
	}
	c, err := m.against(ctx, claims)
	if err != nil {
		return nil, err
	}
	for _, i := range m.unasked(cases) {
		c.Unasked = append(c.Unasked, m.Net.Alphabet().Names()[i])
	}
	return c, nil
}

// against checks claims.
func (m *Model) against(ctx context.Context, claims []claim) (*Check, error) {
	logits, err := m.said(ctx, claims)
	if err != nil {
		return nil, err
	}
	c := &Check{predicts: m.Predicts(), Model: m.Name, Reading: m.readAs(), Notes: m.Notes, Answers: len(claims), Spread: spread(claims)}
	c.count(claims)
	c.graph = m.Tensors == nil
	for i, x := range claims {
		got, wrong := logits[i], false
		if x.decides {
			wrong = (got > 0) != (x.logit > 0)
		} else {
			got -= float64(m.offset)
			d := math.Abs(got - x.logit)
			c.Largest = max(c.Largest, d)
			allowed := noise*(1+math.Abs(x.logit)) + x.slack
			c.allowed = max(c.allowed, allowed)
			wrong = !(d <= near*c.Spread+allowed)
		}
		if wrong {
			if c.Wrong == 0 {
				c.Word, c.Got, c.Want = m.Net.Alphabet().Format(x.word), got, x.logit
				c.what = m.claimed(x)
			}
			c.Wrong++
		}
	}
	c.Right = c.Wrong == 0
	return c, nil
}

// count tells how many of the claims are about decisions alone, and whether they show much.
func (c *Check) count(claims []claim) {
	yes, largest := 0, 0.0
	for _, x := range claims {
		if x.logit > 0 {
			yes++
		}
		if x.decides {
			c.Decisions++
		} else {
			largest = max(largest, math.Abs(x.logit))
		}
	}
	if c.Decisions == c.Answers {
		c.Little = yes == 0 || yes == c.Answers
	} else {
		c.Little = c.Spread < 0.01*(1+largest)
	}
}

// logits asks for the logarithms of the odds of a yes, plus what a threshold adds.
func (m *Model) logits(ctx context.Context, words []word.Word) ([]float32, error) {
	if exact, ok := m.Net.(interface {
		Logits(words []word.Word) []float32
	}); ok {
		return exact.Logits(words), nil
	}
	q := oracle.Ask(ctx, m.Net)
	list := slices.Clone(q.Probabilities(words))
	for i, p := range list {
		list[i] = float32(math.Log(float64(p)) - math.Log1p(-float64(p)))
	}
	return list, q.Err()
}

// Tell writes the comparison for people.
func (c *Check) Tell(w io.Writer) {
	if c.Open != "" {
		fmt.Fprintf(w, "%s\n", c.Open)
		c.tellReadings(w)
		return
	}
	fmt.Fprintf(w, "%s\nread as: %s\n", c.Model, c.Reading)
	for _, note := range c.Notes {
		fmt.Fprintf(w, "warning: %s\n", note)
	}
	if len(c.Unasked) > 0 {
		fmt.Fprintf(w, "note: no case has %s\n", few(c.Unasked))
	}
	if c.Right {
		fmt.Fprintf(w, "right: all of %s are as recorded; %s\n", text.Plural(c.Answers, "answer"), c.compared())
		for _, flags := range c.Readings {
			fmt.Fprintf(w, "this reading is far nearer: %s\n", strings.Join(flags, " "))
		}
		return
	}
	if c.predicts {
		fmt.Fprintf(w, "wrong: %d of %s differ; the probability of %s is %.5g, and %.5g was recorded\n", c.Wrong, text.Plural(c.Answers, "answer"), c.what, math.Exp(c.Got), math.Exp(c.Want))
	} else {
		fmt.Fprintf(w, "wrong: %d of %s differ; after %s the logit is %.5g, and %.5g was recorded\n", c.Wrong, text.Plural(c.Answers, "answer"), c.Word, c.Got, c.Want)
	}
	c.tellReadings(w)
}

// compared says how much an agreement shows.
func (c *Check) compared() string {
	said := fmt.Sprintf("the largest difference of logits is %.2g", c.Largest)
	if c.predicts {
		said = fmt.Sprintf("the largest difference of logarithms of probabilities is %.2g", c.Largest)
	}
	if c.Decisions == c.Answers {
		said = "only decisions were compared, no logits"
		if c.Little {
			said += ", and all are alike, which shows little"
		}
	} else if c.Little {
		said += fmt.Sprintf(", and the recorded ones hardly differ, by %.2g at most, which shows little", c.Spread)
	}
	return said
}

func (c *Check) tellReadings(w io.Writer) {
	for _, flags := range c.Readings {
		fmt.Fprintf(w, "this reading is right: %s\n", strings.Join(flags, " "))
	}
	if len(c.Readings) > 0 {
		return
	}
	if c.cut {
		fmt.Fprintf(w, "%s were tried, not all that there are: give flags for what you know, and fewer are left\n", text.Plural(c.Tried, "other reading"))
	}
	why := "the code does what a file of weights does not show, such as a sum of layers or attention; " + instead
	if c.graph {
		why = "whatever the graph computes, the cases are of other tokens or another network; the option exec asks any model as a black box"
	}
	fmt.Fprintf(w, "none of %s is right: %s\n", text.Plural(c.Tried, "other reading"), why)
}
