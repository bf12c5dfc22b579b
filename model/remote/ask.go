package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// Outputs returns 1, for the probability that a word is in the language; of a language model, how
// many symbols there are, and one for the end.
func (c *Client) Outputs() int { return c.outputs }

// Answer writes for every word the probability that it is in the language or, of a language
// model, those of what comes next. Once a request was made its answer is waited for, whatever becomes of whoever asked, so that no later question
// gets it; only the model's own context ends that.
func (c *Client) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, err := c.ask(ctx, words, false)
	for i, r := range found {
		r.write(dst.Row(i))
	}
	return err
}

// Expect asks about words that somebody will ask about, as far as they fit into memory and the budget. They are in full batches then, where
// whoever asks goes step by step. What goes wrong is seen when they are asked about.
func (c *Client) Expect(ctx context.Context, words []word.Word, states bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	bytes := c.memory
	for i, w := range words {
		if bytes += size(len(w), c.numbers(states)); bytes > maxMemory {
			words = words[:i]
			break
		}
	}
	_, _ = c.ask(ctx, words, states)
}

// write copies the answer: zeros, if there is none.
func (r remembered) write(dst []float32) {
	clear(dst)
	copy(dst, r.answer)
}

// Asked implements [oracle.Metered]: it returns how many words the model was asked about.
func (c *Client) Asked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.words
}

// Limit implements [oracle.Metered].
func (c *Client) Limit(words int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.allowed = words
}

// Longest implements [oracle.Bounded]. The answer for a longer word is that of its longest
// prefix that the model reads.
func (c *Client) Longest() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limit.longest
}

// ReadsEmpty implements [oracle.Bounded]. If the model does not, the empty word has the
// probability 0, and a state of zeros.
func (c *Client) ReadsEmpty() bool { return c.empty }

// Err returns what has gone wrong, or nil.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Notes returns what is to be said of the answers.
func (c *Client) Notes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []string
	if c.limit.why != "" {
		list = append(list, fmt.Sprintf("the model reads words of at most %d symbols: of a longer one it said: %s", c.limit.longest, c.limit.why))
	}
	if c.journal != nil && c.journal.failed != nil {
		list = append(list, fmt.Sprintf("not all answers are remembered: %v", c.journal.failed))
	}
	return list
}

// Pace returns how long the model takes for a word of some length, for which it is asked twice about
// a few that are not known; 0 if all are. The faster time counts: the first may be one of warming up.
func (c *Client) Pace(ctx context.Context) (each time.Duration, err error) {
	const words, length = 8, 10
	c.mu.Lock()
	defer c.mu.Unlock()
	for round := range 2 {
		list := make([]word.Word, words)
		for i := range list {
			for j := range length {
				list[i] = append(list[i], word.Symbol((round+i+j/(i+1))%c.alphabet.Len()))
			}
		}
		before, begin := c.words, time.Now()
		if _, err := c.ask(ctx, list, false); err != nil {
			return 0, err
		}
		if n := c.words - before; n > 0 {
			if took := time.Since(begin) / time.Duration(n); each == 0 || took < each {
				each = took
			}
		}
	}
	return each, nil
}

// ask returns what the model says about words, from memory where it can. If something
// goes wrong it is zeros.
func (c *Client) ask(ctx context.Context, words []word.Word, states bool) ([]remembered, error) {
	found, err := make([]remembered, len(words)), c.err
	for longest := -1; err == nil && longest != c.limit.longest; { // again if it turns out that some are too long
		longest = c.limit.longest
		err = c.fill(ctx, found, words, states)
	}
	if err != nil {
		clear(found)
	}
	return found, err
}

// fill looks words up, and asks about the others.
func (c *Client) fill(ctx context.Context, found []remembered, words []word.Word, states bool) error {
	places := make(map[string][]int) // of words that must be asked about
	var open []word.Word
	for i, w := range words {
		w = w[:min(len(w), c.limit.longest)]
		key := w.Key()
		r, ok := c.known[key]
		switch {
		case len(w) == 0 && !c.empty:
			found[i] = remembered{state: make([]float32, c.dim)}
			continue
		case ok && (!states || r.state != nil):
			found[i] = r
			continue
		case places[key] == nil:
			open = append(open, w)
		}
		places[key] = append(places[key], i)
	}
	if len(open) > c.allowed {
		return &oracle.BudgetError{}
	}
	return c.batches(ctx, open, states, func(w word.Word, r remembered) {
		for _, at := range places[w.Key()] {
			found[at] = r
		}
	})
}

// batches asks about words, as many at a time as the model answers well in time. It ends early
// if it turns out that words are too long.
func (c *Client) batches(ctx context.Context, open []word.Word, states bool, give func(word.Word, remembered)) error {
	for longest := c.limit.longest; len(open) > 0 && c.limit.longest == longest; {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case c.allowed <= 0:
			return &oracle.BudgetError{}
		}
		n := min(c.pace.batch(open), max(1, maxNumbers/c.numbers(states)), c.allowed)
		a, err := c.request(open[:n], states)
		if err != nil {
			if err = c.yield(open[:n], err); err != nil {
				return err
			}
			continue
		}
		for i, w := range open[:n] {
			r := remembered{answer: normalized(a.Probabilities.lists[i])}
			if states {
				r.state = narrow(a.States.lists[i])
			}
			c.remember(w.Key(), r)
			c.journal.add(w, r)
			c.limit.read(w)
			give(w, r)
		}
		c.journal.flush()
		open = open[n:]
	}
	return nil
}

// numbers returns how many are in the answer for a word.
func (c *Client) numbers(states bool) int {
	if states {
		return c.outputs + c.dim
	}
	return c.outputs
}

// yield makes the best of a refusal: fewer words are asked about at a time, and if one alone is
// refused, perhaps it is longer than the model reads. Otherwise the model has failed.
func (c *Client) yield(words []word.Word, err error) error {
	if r := (*refusal)(nil); errors.As(err, &r) {
		if len(words) > 1 {
			c.pace.most = len(words) / 2
			return nil
		}
		found, spent := c.findLimit(words[0], r)
		if found {
			c.pace.most = c.options.Batch
			return nil
		}
		if spent != nil {
			return spent
		}
	}
	c.err = c.explain(err)
	return c.err
}

// A pace is how many words are asked about at a time: few at first, and then as many as take
// a stated time by what the last ones took.
type pace struct {
	most int     // words
	last int     // the most words of a request that was answered in time
	room float64 // symbols, one more for each word, that take the stated time; 0: not known
}

// took learns from a request. One that was answered well in time shows that there is room, and never that there
// is less than before: of a few words, most of the time is that of asking at all.
func (p *pace) took(words []word.Word, d, goal time.Duration) {
	symbols := len(words)
	for _, w := range words {
		symbols += len(w)
	}
	room := float64(symbols) * goal.Seconds() / max(d.Seconds(), 1e-6)
	if d < goal/2 {
		p.last, p.room = max(p.last, len(words)), max(p.room, room)
	} else {
		p.last, p.room = len(words), room
	}
}

// batch returns how many words go into the next request, at most twice those of the last.
func (p *pace) batch(words []word.Word) int {
	symbols := 0
	for i, w := range words {
		symbols += len(w) + 1
		if i > 0 && (i >= min(p.most, max(8, 2*p.last)) || symbols > maxSymbols || p.room > 0 && float64(symbols) > p.room) {
			return i
		}
	}
	return len(words)
}

// A limit is how long words may be.
type limit struct {
	longest int
	why     string    // as the model said, if it was found out
	reached word.Word // the longest that was read
}

func (l *limit) read(w word.Word) {
	if len(w) > len(l.reached) {
		l.reached = slices.Clone(w)
	}
}

// findLimit finds out whether a word was refused because it is longer than any that was read
// so far: then longer ones are refused, too, whatever their symbols. Of a model with 64
// positions that takes some ten words. It is an error if the budget does not allow for them.
func (c *Client) findLimit(w word.Word, said *refusal) (bool, error) {
	low, high := len(c.limit.reached), len(w)
	if low == 0 || high <= low {
		return false, nil
	}
	if c.allowed < 2*bitsOf(high) {
		return false, &oracle.BudgetError{}
	}
	period := c.limit.reached
	refused := func(length int) bool {
		u := make(word.Word, length)
		for i := range u {
			u[i] = period[i%len(period)]
		}
		_, err := c.request([]word.Word{u}, false)
		return err != nil
	}
	if !refused(2*high) || !refused(high) {
		return false, nil
	}
	for high-low > 1 {
		if middle := (low + high) / 2; refused(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	c.limit.longest, c.limit.why = low, said.said
	c.journal.bound(low)
	return true, nil
}

// bitsOf returns about how many halvings lead from a length to 1, and a few more.
func bitsOf(length int) int { return 4 + int(math.Log2(float64(length))) }

// remember keeps an answer. When memory is full it starts anew.
func (c *Client) remember(key string, r remembered) {
	c.memory += size(len(key)/2, len(r.state)+len(r.answer))
	if c.memory > maxMemory {
		clear(c.known)
		c.memory = 0
	}
	c.known[key] = r
}

// size returns about how many bytes the answer for a word takes in memory.
func size(symbols, numbers int) int {
	const overhead = 100
	return 2*symbols + 4*numbers + overhead
}
