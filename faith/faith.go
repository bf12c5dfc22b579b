// Package faith measures how far an automaton agrees with a network: on words
// drawn at random, with a bound on the true rate of disagreement; on all short
// words; by length; on words far longer than any seen; and by a search for a short
// word of disagreement that the network's own states guide.
package faith

import (
	"cmp"
	"fmt"
	"math"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Options say how thoroughly to look. Zero values stand for the defaults.
type Options struct {
	Source     *sample.Source // where words come from
	Seed       uint64         // of the words
	Words      int            // words drawn; 1,000
	Low, High  int            // their lengths; 0 to 50
	Confidence float64        // of the bound; 0.99
	LongWords  int            // long words drawn; 100
	Long       int            // their length; 500
	Exhaustive int            // all words up to a length are tried, if they are no more than this; 50,000
	Search     int            // states that the search for a disagreement may keep; 5,000

	Held  *Held       // what is known of words that somebody gave; nil: none were given
	Known []word.Word // on which the two may disagree, as the extraction met them
}

func (o Options) orDefaults() Options {
	o.Words = cmp.Or(o.Words, 1000)
	o.High = cmp.Or(o.High, 50)
	o.LongWords = cmp.Or(o.LongWords, 100)
	o.Long = cmp.Or(o.Long, 500)
	o.Exhaustive = cmp.Or(o.Exhaustive, 50_000)
	o.Search = cmp.Or(o.Search, 5_000)
	o.Confidence = cmp.Or(o.Confidence, 0.99)
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
	Scores     oracle.Scores `json:"scores"`     // of the network, on all these words
	Held       *Held         `json:"-"`          // as in the options
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

// Certificate says in words what the report proves.
func (r *Report) Certificate() string {
	text := fmt.Sprintf("with confidence %g%%, the two disagree on fewer than %.2g%% of all words drawn in this way",
		100*r.Confidence, 100*r.Bound)
	if h := r.Held; h != nil {
		text += fmt.Sprintf("; and with confidence %g%%, on fewer than %.2g%% of all words such as those of %s", 100*h.Confidence, 100*h.Bound, h.From)
	}
	return text
}

// Held says how far two agree on words that were not drawn here, but chosen by somebody, and
// that had no part in the extraction. The bound is about the distribution that they are a
// sample of, whatever it is.
type Held struct {
	Count
	Accuracy   float64 `json:"accuracy"`
	Bound      float64 `json:"bound"`
	Confidence float64 `json:"confidence"`
	From       string  `json:"-"` // where the words come from
}

// CheckHeld compares an automaton with a network's answers for words from somewhere.
func CheckHeld(set oracle.Set, a oracle.Acceptor, from string) *Held {
	h := &Held{Count: Count{len(set.Words), set.Agree(a)}, Accuracy: set.Accuracy(a), Confidence: Options{}.orDefaults().Confidence, From: from}
	h.Bound = Bound(h.Words, h.Words-h.Agree, h.Confidence)
	return h
}

// Check compares an automaton with a network. If the automaton is a finite one and the
// network shows its states, they guide a search for a word of disagreement. It is an error
// if the inquiry ends.
func Check(q *oracle.Inquiry, a oracle.Acceptor, o Options) (*Report, error) {
	o = o.orDefaults()
	c := newChecker(q, a)
	rng := sample.Rand(o.Seed, sample.Certificate)
	rep := &Report{
		Confidence: o.Confidence, Held: o.Held,
		Drawn: fmt.Sprintf("lengths uniform from %d to %d, half of them uniform words, half %s", o.Low, o.High, o.Source.About),
	}
	drawn, err := o.Source.Draw(q, o.Words, o.Low, o.High, rng)
	if err != nil {
		return nil, err
	}
	right := c.compare(drawn.Words)
	if err := q.Err(); err != nil {
		return nil, err
	}
	rep.Count = count(right)
	rep.Accuracy = float64(rep.Agree) / float64(rep.Words)
	rep.Bound = Bound(rep.Words, rep.Words-rep.Agree, o.Confidence)
	rep.ByLength = byLength(drawn.Words, right, o.Low, o.High)

	// Long words are uniform ones and those that the source's language makes.
	long, err := o.Source.Draw(q, o.LongWords, o.Long, o.Long, rng)
	if err != nil {
		return nil, err
	}
	rep.Long = LengthCount{o.Long, o.Long, count(c.compare(long.Words))}

	rep.Exhaustive = c.exhaustive(o.Exhaustive)
	if c.d != nil && q.ShowsStates() && (!c.found || len(c.shortest) > rep.Exhaustive.High) {
		rep.Searched = c.search(o.Search)
	}
	c.compare(o.Known)
	rep.Shortest, rep.Found, rep.Scores = c.shortest, c.found, q.Scores()
	return rep, q.Err()
}

// A checker collects the shortest word of disagreement as it goes.
type checker struct {
	q        *oracle.Inquiry
	a        oracle.Acceptor
	d        *automaton.DFA // a, if it is finite
	shortest word.Word
	found    bool

	// tell is told how many words were looked at and how long the next ones are, and says
	// whether to go on; nil: always.
	tell func(looked, length int) bool
}

func newChecker(q *oracle.Inquiry, a oracle.Acceptor) *checker {
	c := &checker{q: q, a: a}
	c.d, _ = a.(*automaton.DFA)
	return c
}

// stop reports whether to look no further.
func (c *checker) stop(looked, length int) bool {
	return c.q.Err() != nil || c.tell != nil && !c.tell(looked, length)
}

// note records words of disagreement.
func (c *checker) note(words ...word.Word) {
	for _, w := range words {
		if !c.found || len(w) < len(c.shortest) {
			c.shortest, c.found = append(word.Word(nil), w...), true
		}
	}
}

// compare reports for every word whether both give the same answer. Prefixes do not count,
// but where they can be looked at, the shortest on which the two differ is noted.
func (c *checker) compare(words []word.Word) []bool {
	var set oracle.Set
	if c.d != nil && c.q.ShowsStates() {
		paths := c.q.LabelPaths(words)
		c.note(paths.Mistakes(c.d)...)
		set = paths.Whole()
	} else {
		set = c.q.Label(words)
		c.note(set.Mistakes(c.a)...)
	}
	right := make([]bool, len(words))
	for i, w := range words {
		right[i] = c.a.Accepts(w) == set.Accept[i]
	}
	return right
}

// exhaustive tries all words, shorter ones first, up to the greatest length of which the
// words fit the budget.
func (c *checker) exhaustive(budget int) LengthCount {
	looked := 0
	short := c.q.Short(budget, math.MaxInt, func(s oracle.Short) bool {
		if n := len(s.Accept); n > 2*looked { // of one symbol, not after every length
			looked = n
			c.mistakes(s)
		}
		return !c.stop(len(s.Accept), s.Length+1)
	})
	return LengthCount{High: short.Length, Count: Count{len(short.Accept), len(short.Accept) - c.mistakes(short)}}
}

// mistakes notes the first of the short words on which the two disagree, and returns how
// many there are.
func (c *checker) mistakes(s oracle.Short) int {
	if c.d != nil {
		first, all := s.Mistakes(c.d, 1)
		c.note(first...)
		return all
	}
	all := oracle.Set{Words: word.Shortest(c.q.Alphabet().Len(), len(s.Accept)), Accept: s.Accept}.Mistakes(c.a)
	c.note(all...)
	return len(all)
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
