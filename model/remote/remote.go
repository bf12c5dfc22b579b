// Package remote asks models that run elsewhere: any program that speaks a few lines
// of JSON over its standard input and output, or over HTTP. docs/protocol.md describes
// the protocol; the Python package in python/ makes such a program of anything callable.
//
// Nothing that a program answers is taken on trust: the number of probabilities, their
// range, the size of states, the length of an answer and the time it took are checked,
// and an error says what was wrong and ends with what the program last wrote to its
// standard error.
//
// A [Client] keeps the first thing that goes wrong, and returns it from then on. Answers
// are remembered, so no word is asked about twice in a row; in a file, if that is wanted, so
// that another run does not ask either. How many words go into a request depends on how long
// the last ones took, and what is answered does not.
package remote

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"quotient/word"
)

// Options bound what a model may do. Zero values stand for the defaults.
type Options struct {
	Symbols []string      // names in place of those that the model tells
	Timeout time.Duration // for an answer; default 30 s
	Start   time.Duration // for the greeting, while it loads; default four times Timeout
	Batch   int           // most words in a request; default 1024
	Answers string        // file that remembers what was answered; empty: none
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Start <= 0 {
		o.Start = 4 * o.Timeout
	}
	if o.Batch <= 0 {
		o.Batch = 1024
	}
	return o
}

// A greeting is the first thing a model says.
type greeting struct {
	Version int      `json:"quotient"`
	Name    string   `json:"name"`
	Symbols []string `json:"symbols"`
	States  bool     `json:"states"`
	Dim     int      `json:"dim"`
	Outputs string   `json:"outputs"`    // "next" of a language model
	Longest *int     `json:"max_length"` // of the words that it can be asked about; nil: any
	Empty   *bool    `json:"empty"`      // whether it can be asked about the empty word; nil: it can
	Packed  bool     `json:"packed"`     // whether it writes numbers packed, if it is asked to
}

// A request asks about words, which are lists of indices of symbols.
type request struct {
	ID     int         `json:"id"`
	Words  []word.Word `json:"words"`
	States bool        `json:"states"`
	Packed bool        `json:"packed"`
}

// line returns the request as a line of JSON. Words have most of its bytes, and are written by hand because
// reflection takes longer than a small network.
func (r request) line() []byte {
	b := fmt.Appendf(nil, `{"id":%d,"words":[`, r.ID)
	for i, w := range r.Words {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendWord(b, w)
	}
	b = append(b, ']')
	for _, flag := range []struct {
		name string
		set  bool
	}{{"states", r.States}, {"packed", r.Packed}} {
		if flag.set {
			b = fmt.Appendf(b, `,"%s":true`, flag.name)
		}
	}
	return append(b, "}\n"...)
}

// appendWord appends a word as a list of symbols.
func appendWord(b []byte, w word.Word) []byte {
	b = append(b, '[')
	for i, s := range w {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(s), 10)
	}
	return append(b, ']')
}

// An answer has a probability for each word, or a language model's list of them, and a state if
// states were asked for.
type answer struct {
	ID            *int   `json:"id"`
	Probabilities rows   `json:"probabilities"`
	States        rows   `json:"states"`
	Error         string `json:"error"`
}

// rows are numbers for each word: lists of them, single ones or, packed, the 32 bits of each in base64.
// Of a small network, to write and to read digits would take longer than to run it.
type rows struct {
	lists  []numbers
	packed []byte
}

// UnmarshalJSON implements [json.Unmarshaler].
func (r *rows) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &r.packed)
	}
	return json.Unmarshal(text, &r.lists)
}

// unpack makes lists of packed numbers, so many for a word.
func (r *rows) unpack(width int) error {
	if r.packed == nil {
		return nil
	}
	if len(r.packed)%(4*width) != 0 {
		return fmt.Errorf("the model packed %d bytes, and %d were expected for every word", len(r.packed), 4*width)
	}
	all := make(numbers, len(r.packed)/4)
	for i := range all {
		all[i] = number(math.Float32frombits(binary.LittleEndian.Uint32(r.packed[4*i:])))
	}
	r.lists = slices.Collect(slices.Chunk(all, width))
	return nil
}

// numbers are a list, or one number.
type numbers []number

// UnmarshalJSON implements [json.Unmarshaler].
func (x *numbers) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, (*[]number)(x))
	}
	*x = make(numbers, 1)
	return (*x)[0].UnmarshalJSON(text)
}

// A number is one: null, which is how JavaScript writes what is none, would count as 0.
type number float64

// UnmarshalJSON implements [json.Unmarshaler].
func (x *number) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("%s stands where a number is expected", excerpt(text))
	}
	*x = number(v)
	return nil
}

// Limits.
const (
	version     = 1
	maxGreeting = 8 << 20
	maxDim      = 1 << 16   // numbers of a state: methods keep hundreds of states, wherever they come from
	maxStep     = 1 << 26   // numbers of the states that all symbols lead to from one state: methods have them at once
	maxSymbols  = 1 << 20   // in the words of a request
	maxNumbers  = 1 << 20   // in the answers to a request
	maxMemory   = 256 << 20 // bytes of answers that are remembered
	perNumber   = 64        // bytes that a number may take in an answer
)

// A line is a way to exchange messages. An error says all there is to say about it.
type line interface {
	greet(ctx context.Context, limit int) ([]byte, error)
	exchange(ctx context.Context, message []byte, limit int) ([]byte, error)
	wrong(err error) error     // adds what the model last said to an error about its answer
	redact(text string) string // hides what lets us in, if the model repeats it
	close()
}

// A Client is a model elsewhere that answers for words. It may be used by several
// goroutines at a time.
type Client struct {
	name     string
	alphabet *word.Alphabet
	dim      int // of states; 0 if it has none
	outputs  int // numbers of an answer
	empty    bool
	packs    bool
	options  Options
	ctx      context.Context // of the model: it ends with it

	mu       sync.Mutex
	line     line
	asked    int // requests
	words    int // in them
	allowed  int // words that may still be asked
	err      error
	pace     pace
	limit    limit
	journal  *journal              // nil: there is no file
	known    map[string]remembered // by the symbols of a word
	memory   int                   // bytes of known
	states   map[fingerprint]word.Word
	reserved int // bytes of states
}

// remembered is what a model said about a word.
type remembered struct {
	answer []float32
	state  []float32 // nil unless it was asked for
}

// open greets a model.
func open(ctx context.Context, l line, o Options) (*Client, error) {
	c := newClient(ctx, l, o)
	begin, cancel := context.WithTimeoutCause(ctx, o.Start, fmt.Errorf("the model did not greet within %v; a longer timeout allows for more", o.Start))
	defer cancel()
	text, err := l.greet(begin, maxGreeting)
	if err == nil {
		if err = c.greeted(text); err != nil {
			err = l.wrong(err)
		}
	}
	if err == nil && o.Answers != "" {
		err = c.recall(o.Answers)
	}
	if err == nil {
		err = c.probe()
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func newClient(ctx context.Context, l line, o Options) *Client {
	return &Client{
		line: l, options: o, ctx: ctx, empty: true, allowed: math.MaxInt, limit: limit{longest: math.MaxInt}, pace: pace{most: o.Batch},
		known: make(map[string]remembered), states: make(map[fingerprint]word.Word),
	}
}

// greeted reads the greeting.
func (c *Client) greeted(text []byte) error {
	var g greeting
	if err := json.Unmarshal(text, &g); err != nil || g.Version == 0 {
		return fmt.Errorf(`the model's first line is no greeting such as {"quotient": 1, "symbols": ["a", "b"]}: %s`, excerpt(text))
	}
	switch {
	case g.Version != version:
		return fmt.Errorf("the model speaks version %d of the protocol, and this program version %d", g.Version, version)
	case g.States && (g.Dim < 1 || g.Dim > maxDim):
		return fmt.Errorf("the model has states of %d numbers: must be 1 to %d; without states it can be asked, too", g.Dim, maxDim)
	case g.Longest != nil && *g.Longest < 1:
		return fmt.Errorf("the model reads words of at most %d symbols: max_length must be at least 1", *g.Longest)
	case len(c.options.Symbols) > 0 && len(g.Symbols) > 0 && len(g.Symbols) != len(c.options.Symbols):
		return fmt.Errorf("the model has %d symbols, and the option symbols names %d", len(g.Symbols), len(c.options.Symbols))
	case len(c.options.Symbols) > 0:
		g.Symbols = c.options.Symbols
	case len(g.Symbols) == 0:
		return errors.New(`the model does not name its symbols: its greeting should have "symbols", or the option symbols say them`)
	}
	a, err := word.NewAlphabet(g.Symbols...)
	if err != nil {
		return fmt.Errorf("the model's symbols: %w", err)
	}
	if g.States && a.Len() > maxStep/g.Dim {
		return fmt.Errorf("the model has %d symbols and states of %d numbers: the states after each symbol may have at most %d in all; without states it can be asked, too",
			a.Len(), g.Dim, maxStep)
	}
	c.alphabet, c.name, c.outputs = a, c.line.redact(g.Name), 1
	switch g.Outputs {
	case "", "accept":
	case "next":
		c.outputs = a.Len() + 1
	default:
		return fmt.Errorf("the model's outputs are %s, and must be accept, the probability that a word is accepted, or next, those of each next symbol and of the end", excerpt([]byte(g.Outputs)))
	}
	if g.States {
		c.dim = g.Dim
	}
	if g.Longest != nil {
		c.limit.longest = *g.Longest
	}
	c.empty, c.packs = g.Empty == nil || *g.Empty, g.Packed
	return nil
}

// probe asks about two words twice at once. A model that answers differently is one
// that throws dice, and no automaton describes it. One that answers otherwise than a file of
// answers has it is another one.
func (c *Client) probe() error {
	words := []word.Word{{}, {0}, {}, {0}}
	if !c.empty {
		last := word.Symbol(c.alphabet.Len() - 1)
		words = []word.Word{{0}, {last}, {0}, {last}}
	}
	a, err := c.request(words, false)
	if err != nil {
		return c.explain(err)
	}
	for i, w := range words[:2] {
		now, again := normalized(a.Probabilities.lists[i]), normalized(a.Probabilities.lists[i+2])
		if k := apart(now, again); k >= 0 {
			return c.line.wrong(fmt.Errorf("the model gives %s the probability %v, then %v: is it still in training mode?", c.alphabet.Format(w), now[k], again[k]))
		}
		r, ok := c.known[w.Key()]
		if !ok {
			c.remember(w.Key(), remembered{answer: now})
		} else if k := apart(now, r.answer); k >= 0 {
			return c.line.wrong(fmt.Errorf("the model gives %s the probability %v, and in %s it has %v: that file is of another model, or of an earlier state of this one",
				c.alphabet.Format(w), now[k], c.options.Answers, r.answer[k]))
		}
		c.limit.read(w)
	}
	return nil
}

// apart returns where two answers differ by more than rounding, or -1.
func apart(a, b []float32) int {
	for i, x := range a {
		if math.Abs(float64(x-b[i])) > 1e-3 {
			return i
		}
	}
	return -1
}

// Name returns what the model calls itself.
func (c *Client) Name() string { return c.name }

// Alphabet returns the model's symbols.
func (c *Client) Alphabet() *word.Alphabet { return c.alphabet }

// Close ends the model, if it is a process, or the connection to it.
func (c *Client) Close() {
	c.mu.Lock() // a question is answered first, or ends with its time or its context
	defer c.mu.Unlock()
	c.line.close()
	c.journal.close()
}

// request asks the model, and checks its answer.
func (c *Client) request(words []word.Word, states bool) (*answer, error) {
	c.asked++
	c.words, c.allowed = c.words+len(words), c.allowed-len(words)
	id := c.asked
	message := request{ID: id, Words: words, States: states, Packed: c.packs}.line()
	limit := 1<<16 + perNumber*len(words)*c.numbers(states)
	late := fmt.Errorf("the model did not answer for %d words within %v; a longer timeout allows for more", len(words), c.options.Timeout)
	ctx, cancel := context.WithTimeoutCause(c.ctx, c.options.Timeout, late)
	defer cancel()
	begin := time.Now()
	text, err := c.line.exchange(ctx, message, limit)
	if err != nil {
		return nil, err
	}
	c.pace.took(words, time.Since(begin), min(time.Second, c.options.Timeout/10))
	a := new(answer)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, c.line.wrong(fmt.Errorf("the model wrote what is no answer (%w); everything else belongs on standard error: %s", err, excerpt(text)))
	}
	if a.Error != "" {
		return nil, &refusal{"the model reports an error: " + excerpt([]byte(a.Error))}
	}
	if err := a.check(id, words, states, c); err != nil {
		return nil, c.line.wrong(err)
	}
	return a, nil
}

// A refusal is what a model says that goes on answering: about fewer words, or about others.
type refusal struct{ said string }

func (r *refusal) Error() string { return r.said }

// explain adds to a refusal what else the model has said. Other errors have it.
func (c *Client) explain(err error) error {
	if r := (*refusal)(nil); errors.As(err, &r) {
		return c.line.wrong(r)
	}
	return err
}

// check reports what is wrong with an answer.
func (a *answer) check(id int, words []word.Word, states bool, c *Client) error {
	if a.ID == nil || *a.ID != id {
		return fmt.Errorf("the model's answer does not have the id %d of the request", id)
	}
	if err := cmp.Or(a.Probabilities.unpack(c.outputs), a.States.unpack(max(1, c.dim))); err != nil {
		return err
	}
	if n := len(a.Probabilities.lists); n != len(words) {
		return fmt.Errorf("the model gave %d probabilities for %d words", n, len(words))
	}
	if n := len(a.States.lists); states && n != len(words) {
		return fmt.Errorf("the model gave %d states for %d words", n, len(words))
	}
	for i, list := range a.Probabilities.lists {
		if err := c.checkProbabilities(words[i], list); err != nil {
			return err
		}
	}
	if !states {
		return nil
	}
	for i, s := range a.States.lists {
		if len(s) != c.dim {
			return fmt.Errorf("the model gave %s a state of %d numbers, not %d", c.alphabet.Format(words[i]), len(s), c.dim)
		}
		for _, x := range s {
			if !(math.Abs(float64(x)) <= math.MaxFloat32) { // packed, it may be no number
				return fmt.Errorf("the model gave %s a state with the number %v", c.alphabet.Format(words[i]), x)
			}
		}
	}
	return nil
}

// tolerance is how far the probabilities of what comes next may be from one together.
const tolerance = 1e-3

// checkProbabilities reports what is wrong with what was answered about a word.
func (c *Client) checkProbabilities(w word.Word, list []number) error {
	if len(list) != c.outputs {
		return fmt.Errorf("the model gave %s %d probabilities, and %d were expected, for %s", c.alphabet.Format(w), len(list), c.outputs,
			map[bool]string{true: "the word", false: `each next symbol and, last, the end, since its outputs are "next"`}[c.outputs == 1])
	}
	sum := 0.0
	for _, p := range list {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("the model gave %s the probability %v, which is not between 0 and 1", c.alphabet.Format(w), p)
		}
		sum += float64(p)
	}
	if c.outputs > 1 && math.Abs(sum-1) > tolerance {
		return fmt.Errorf("the model's probabilities of what comes after %s sum to %.6g, not to 1", c.alphabet.Format(w), sum)
	}
	return nil
}

// normalized returns an answer; several probabilities sum to one, however they were rounded.
func normalized(list []number) []float32 {
	if len(list) == 1 {
		return narrow(list)
	}
	sum := number(0)
	for _, p := range list {
		sum += p
	}
	scaled := make([]number, len(list))
	for i, p := range list {
		scaled[i] = p / sum
	}
	return narrow(scaled)
}

func narrow(list []number) []float32 {
	out := make([]float32, len(list))
	for i, x := range list {
		out[i] = float32(x)
	}
	return out
}

// excerpt quotes the beginning of a text.
func excerpt(text []byte) string {
	const most = 200
	if len(text) > most {
		return fmt.Sprintf("%q ...", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
