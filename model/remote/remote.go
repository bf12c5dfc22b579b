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
// are remembered, so no word is asked about twice in a row.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"quotient/f32"
	"quotient/word"
)

// Options bound what a model may do. Zero values stand for the defaults.
type Options struct {
	Symbols []string      // names in place of those that the model tells
	Timeout time.Duration // for an answer; default 30 s
	Start   time.Duration // for the greeting, while it loads; default four times Timeout
	Batch   int           // most words in a request; default 1024
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
}

// A request asks about words, which are lists of indices of symbols.
type request struct {
	ID     int         `json:"id"`
	Words  []word.Word `json:"words"`
	States bool        `json:"states,omitempty"`
}

// An answer has a probability for each word, and a state if states were asked for.
type answer struct {
	ID            *int       `json:"id"`
	Probabilities []number   `json:"probabilities"`
	States        [][]number `json:"states"`
	Error         string     `json:"error"`
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
	maxDim      = 1 << 20
	maxSymbols  = 1 << 20   // in the words of a request
	maxMemory   = 256 << 20 // bytes of answers that are remembered
	perNumber   = 64        // bytes that a number may take in an answer
)

// A line is a way to exchange messages. An error says all there is to say about it.
type line interface {
	greet(ctx context.Context, limit int) ([]byte, error)
	exchange(ctx context.Context, message []byte, limit int) ([]byte, error)
	wrong(err error) error // adds what the model last said to an error about its answer
	close()
}

// A Client is a model elsewhere that answers for words. It may be used by several
// goroutines at a time.
type Client struct {
	name     string
	alphabet *word.Alphabet
	dim      int // of states; 0 if it has none
	options  Options
	ctx      context.Context // of the model: it ends with it

	mu       sync.Mutex
	line     line
	asked    int // requests
	err      error
	known    map[string]remembered // by the symbols of a word
	memory   int                   // bytes of known
	states   map[fingerprint]word.Word
	reserved int // bytes of states
}

// remembered is what a model said about a word.
type remembered struct {
	probability float32
	state       []float32 // nil unless it was asked for
}

// open greets a model.
func open(ctx context.Context, l line, o Options) (*Client, error) {
	c := &Client{
		line: l, options: o, ctx: ctx,
		known: make(map[string]remembered), states: make(map[fingerprint]word.Word),
	}
	begin, cancel := context.WithTimeoutCause(ctx, o.Start, fmt.Errorf("the model did not greet within %v; a longer timeout allows for more", o.Start))
	defer cancel()
	text, err := l.greet(begin, maxGreeting)
	if err == nil {
		if err = c.greeted(text); err != nil {
			err = l.wrong(err)
		}
	}
	if err == nil {
		err = c.probe()
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return c, nil
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
		return fmt.Errorf("the model has states of %d numbers: must be 1 to %d", g.Dim, maxDim)
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
	c.alphabet, c.name = a, g.Name
	if g.States {
		c.dim = g.Dim
	}
	return nil
}

// probe asks about two words twice at once. A model that answers differently is one
// that throws dice, and no automaton describes it.
func (c *Client) probe() error {
	words := []word.Word{{}, {0}, {}, {0}}
	a, err := c.request(words, false)
	if err != nil {
		return err
	}
	for i, w := range words[:2] {
		if p, q := a.Probabilities[i], a.Probabilities[i+2]; math.Abs(float64(p-q)) > 1e-3 {
			return c.line.wrong(fmt.Errorf("the model gives %s the probability %v, then %v: is it still in training mode?", c.alphabet.Format(w), p, q))
		}
	}
	return nil
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
}

// Outputs returns 1: the probability that a word is in the language.
func (c *Client) Outputs() int { return 1 }

// Answer writes for every word the probability that it is in the language. What was asked is
// waited for whatever becomes of whoever asked, so that no later question gets its answer;
// only the model's own context ends that.
func (c *Client) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, r := range c.ask(words, false) {
		dst.Row(i)[0] = r.probability
	}
	return c.err
}

// ask returns what the model says about words, from memory where it can. If something
// goes wrong it is zeros.
func (c *Client) ask(words []word.Word, states bool) []remembered {
	found := make([]remembered, len(words))
	keys := make([]string, len(words))
	places := make(map[string][]int) // of words that must be asked about
	var open []word.Word
	for i, w := range words {
		keys[i] = w.Key()
		r, ok := c.known[keys[i]]
		if ok && (!states || r.state != nil) {
			found[i] = r
			continue
		}
		if places[keys[i]] == nil {
			open = append(open, w)
		}
		places[keys[i]] = append(places[keys[i]], i)
	}
	for len(open) > 0 && c.err == nil {
		n := c.batch(open)
		a, err := c.request(open[:n], states)
		if err != nil {
			c.err = err
			break
		}
		for i, w := range open[:n] {
			r := remembered{probability: float32(a.Probabilities[i])}
			if states {
				r.state = narrow(a.States[i])
			}
			c.remember(w.Key(), r)
			for _, at := range places[w.Key()] {
				found[at] = r
			}
		}
		open = open[n:]
	}
	if c.err != nil {
		clear(found)
	}
	return found
}

// batch returns how many words go into the next request.
func (c *Client) batch(words []word.Word) int {
	symbols := 0
	for i, w := range words {
		symbols += len(w)
		if i == c.options.Batch || i > 0 && symbols > maxSymbols {
			return i
		}
	}
	return len(words)
}

// remember keeps an answer. When memory is full it starts anew.
func (c *Client) remember(key string, r remembered) {
	const overhead = 100
	c.memory += len(key) + 4*len(r.state) + overhead
	if c.memory > maxMemory {
		clear(c.known)
		c.memory = 0
	}
	c.known[key] = r
}

// request asks the model, and checks its answer.
func (c *Client) request(words []word.Word, states bool) (*answer, error) {
	c.asked++
	id := c.asked
	r := request{ID: id, Words: slices.Clone(words), States: states}
	for i, w := range r.Words {
		if w == nil {
			r.Words[i] = word.Word{} // which JSON writes as a list, not as null
		}
	}
	message, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	limit := 1<<16 + perNumber*len(words)
	if states {
		limit += perNumber * len(words) * c.dim
	}
	late := fmt.Errorf("the model did not answer for %d words within %v; a longer timeout allows for more", len(words), c.options.Timeout)
	ctx, cancel := context.WithTimeoutCause(c.ctx, c.options.Timeout, late)
	defer cancel()
	text, err := c.line.exchange(ctx, append(message, '\n'), limit)
	if err != nil {
		return nil, err
	}
	a := new(answer)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, c.line.wrong(fmt.Errorf("the model wrote what is no answer (%w); everything else belongs on standard error: %s", err, excerpt(text)))
	}
	if err := a.check(id, words, states, c); err != nil {
		return nil, c.line.wrong(err)
	}
	return a, nil
}

// check reports what is wrong with an answer.
func (a *answer) check(id int, words []word.Word, states bool, c *Client) error {
	switch {
	case a.Error != "":
		return fmt.Errorf("the model reports an error: %s", excerpt([]byte(a.Error)))
	case a.ID == nil || *a.ID != id:
		return fmt.Errorf("the model's answer does not have the id %d of the request", id)
	case len(a.Probabilities) != len(words):
		return fmt.Errorf("the model gave %d probabilities for %d words", len(a.Probabilities), len(words))
	case states && len(a.States) != len(words):
		return fmt.Errorf("the model gave %d states for %d words", len(a.States), len(words))
	}
	for i, p := range a.Probabilities {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("the model gave %s the probability %v, which is not between 0 and 1", c.alphabet.Format(words[i]), p)
		}
	}
	if !states {
		return nil
	}
	for i, s := range a.States {
		if len(s) != c.dim {
			return fmt.Errorf("the model gave %s a state of %d numbers, not %d", c.alphabet.Format(words[i]), len(s), c.dim)
		}
		for _, x := range s {
			if math.Abs(float64(x)) > math.MaxFloat32 {
				return fmt.Errorf("the model gave %s a state with the number %v", c.alphabet.Format(words[i]), x)
			}
		}
	}
	return nil
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
