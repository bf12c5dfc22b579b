// Package faith measures how far an automaton agrees with a network: on words
// drawn at random, with a bound on the true rate of disagreement; on all short
// words; by length; on words far longer than any seen; and by a search for a short
// word of disagreement that the network's own states guide.
package faith

import (
	"context"
	"fmt"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

// Options say how thoroughly to look. Zero values stand for the defaults.
type Options struct {
	Words      int     // words drawn; 1,000
	Low, High  int     // their lengths; 0 to 50
	Confidence float64 // of the bound; 0.99
	LongWords  int     // long words drawn; 100
	Long       int     // their length; 500
	Exhaustive int     // all words up to a length are tried, if they are no more than this; 50,000
	Search     int     // states that the search for a disagreement may keep; 5,000

	Known []word.Word // on which the two may disagree, as the extraction met them
}

func (o Options) orDefaults() Options {
	def := func(x *int, to int) {
		if *x == 0 {
			*x = to
		}
	}
	def(&o.Words, 1000)
	def(&o.High, 50)
	def(&o.LongWords, 100)
	def(&o.Long, 500)
	def(&o.Exhaustive, 50_000)
	def(&o.Search, 5_000)
	if o.Confidence == 0 {
		o.Confidence = 0.99
	}
	return o
}

// A Report is what was found. Of a word, the answer for the whole word counts.
type Report struct {
	Count                    // the words drawn
	Drawn      string        `json:"drawn"` // how they were drawn, in words
	Accuracy   float64       `json:"accuracy"`
	Bound      float64       `json:"bound"`      // the rate of disagreement is below this
	Confidence float64       `json:"confidence"` // with this confidence
	Shortest   word.Word     `json:"-"`          // the shortest word of disagreement found
	Found      bool          `json:"-"`          // whether there is one
	ByLength   []LengthCount `json:"by_length"`  // the words drawn, in ranges of lengths
	Exhaustive LengthCount   `json:"exhaustive"` // all words of these lengths
	Long       LengthCount   `json:"long"`       // long words
	Searched   int           `json:"searched"`   // prefixes that the search looked at
}

// A Count says how many of some words both answer alike.
type Count struct {
	Words int `json:"words"`
	Agree int `json:"agree"`
}

// A LengthCount is a count for a range of lengths.
type LengthCount struct {
	Low  int `json:"low"`
	High int `json:"high"`
	Count
}

// An Acceptor is any kind of automaton.
type Acceptor interface {
	Accepts(w word.Word) bool
}

// Check compares an automaton with a network. Words come from the sampler, drawn
// with rng. If the automaton is a finite one and the network shows its states, they
// guide a search for a word of disagreement. It stops with an error soon after ctx is
// done.
func Check(ctx context.Context, net prefix.Oracle, a Acceptor, s *prefix.Sampler, o Options, rng *rand.Rand) (*Report, error) {
	o = o.orDefaults()
	c := checker{net: net, a: a, level: func(int, int) bool { return ctx.Err() == nil }}
	if d, ok := a.(*automaton.DFA); ok {
		c.d = d
		c.r, _ = net.(prefix.Recognizer)
	}
	rep := &Report{
		Confidence: o.Confidence,
		Drawn:      fmt.Sprintf("lengths uniform from %d to %d, half of them uniform words, half %s", o.Low, o.High, s.Source),
	}

	drawn, err := s.Draw(o.Words, o.Low, o.High, rng)
	if err != nil {
		return nil, err
	}
	right := c.compare(drawn.Words)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	rep.Count = count(right)
	rep.Accuracy = float64(rep.Agree) / float64(rep.Words)
	rep.Bound = Bound(rep.Words, rep.Words-rep.Agree, o.Confidence)
	rep.ByLength = byLength(drawn.Words, right, o.Low, o.High)

	// Long words are uniform ones and those that the sampler's language makes.
	long, err := s.Draw(o.LongWords, o.Long, o.Long, rng)
	if err != nil {
		return nil, err
	}
	rep.Long = LengthCount{o.Long, o.Long, count(c.compare(long.Words))}

	rep.Exhaustive = c.exhaustive(o.Exhaustive)
	if c.r != nil && (!c.found || len(c.shortest) > rep.Exhaustive.High) {
		rep.Searched = c.search(o.Search)
	}
	c.compare(o.Known)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	rep.Shortest, rep.Found = c.shortest, c.found
	return rep, nil
}

// A checker collects the shortest word of disagreement as it goes.
type checker struct {
	net      prefix.Oracle
	a        Acceptor
	r        prefix.Recognizer // the network, if it shows its states and a is finite; nil otherwise
	d        *automaton.DFA    // a, if it is finite
	shortest word.Word
	found    bool

	// level is told how many words were looked at and how long the next ones are,
	// and says whether to go on; nil: always.
	level func(looked, length int) bool
}

// stop reports whether to look no further.
func (c *checker) stop(looked, length int) bool { return c.level != nil && !c.level(looked, length) }

// note records a word of disagreement.
func (c *checker) note(w word.Word) {
	if !c.found || len(w) < len(c.shortest) {
		c.shortest, c.found = append(word.Word(nil), w...), true
	}
}

// compare reports for every word whether both give the same answer. Prefixes do
// not count, but the shortest on which they differ is noted.
func (c *checker) compare(words []word.Word) []bool {
	right := make([]bool, len(words))
	if c.r == nil {
		for i, accept := range prefix.Accepts(c.net, words) {
			right[i] = c.a.Accepts(words[i]) == accept
			if !right[i] {
				c.note(words[i])
			}
		}
		return right
	}
	for i, labels := range prefix.Labels(c.r, words) {
		q := c.d.Start
		for j, label := range labels {
			if j > 0 {
				q = c.d.Next(q, words[i][j-1])
			}
			right[i] = c.d.Accept[q] == label
			if !right[i] {
				c.note(words[i][:j])
			}
		}
	}
	return right
}

func count(right []bool) Count {
	c := Count{Words: len(right)}
	for _, ok := range right {
		if ok {
			c.Agree++
		}
	}
	return c
}

// byLength counts in at most ten ranges of lengths.
func byLength(words []word.Word, right []bool, low, high int) []LengthCount {
	width := (high-low)/10 + 1
	var ranges []LengthCount
	for from := low; from <= high; from += width {
		ranges = append(ranges, LengthCount{Low: from, High: min(from+width-1, high)})
	}
	for i, w := range words {
		r := &ranges[(len(w)-low)/width]
		r.Words++
		if right[i] {
			r.Agree++
		}
	}
	return ranges
}
