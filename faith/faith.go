// Package faith measures how far an automaton agrees with a network: on words
// drawn at random, with a bound on the true rate of disagreement; on all short
// words; by length; on words far longer than any seen; and by a search for a short
// word of disagreement that the network's own states guide.
package faith

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

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

	Guide *oracle.Inquiry // whose states guide the search for a disagreement; nil: those of whoever is asked

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

	// What the network cannot be asked about, and nothing is said of.
	Longest int  `json:"max_length,omitempty"` // the length beyond which words are too long; 0: none are
	NoEmpty bool `json:"no_empty_word,omitempty"`
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
	text := fmt.Sprintf("with confidence %g%%, the two disagree on fewer than %s of all words drawn in this way",
		100*r.Confidence, percent(r.Bound))
	if h := r.Held; h != nil {
		text += fmt.Sprintf("; and with confidence %g%%, on fewer than %s of all words such as those of %s", 100*h.Confidence, percent(h.Bound), h.From)
		if h.Different < h.Words {
			text += fmt.Sprintf(", each counted once: %d different ones say so", h.Different)
		}
	}
	if r.Longest > 0 {
		text += fmt.Sprintf("; nothing is said of words longer than %d, about which the network cannot be asked", r.Longest)
	}
	if r.NoEmpty {
		text += "; nor is anything said of the empty word, about which it cannot be asked"
		if r.Longest == 0 {
			text = strings.Replace(text, "; nor is anything said of", "; nothing is said of", 1)
		}
	}
	return text
}

// percent writes a bound with two digits, rounded up: what is promised holds.
func percent(bound float64) string {
	if bound >= 0.99 {
		return "100%"
	}
	digit := math.Pow(10, 1-math.Floor(math.Log10(100*bound)))
	return fmt.Sprintf("%.2g%%", math.Ceil(100*bound*digit-1e-9)/digit)
}

// Held says how far two agree on words that were not drawn here, but chosen by somebody, and
// that had no part in the extraction. The bound is about the distribution that they are a
// sample of, whatever it is. All copies of a word are held out together, so copies are no sample of
// anything, and the bound counts each word once.
type Held struct {
	Count
	Different  int     `json:"different"` // of the words, each counted once
	Accuracy   float64 `json:"accuracy"`
	Bound      float64 `json:"bound"`
	Confidence float64 `json:"confidence"`
	From       string  `json:"-"` // where the words come from
}

// CheckHeld compares an automaton with a network's answers for words from somewhere.
func CheckHeld(set oracle.Set, a oracle.Acceptor, from string) *Held {
	h := &Held{Count: Count{len(set.Words), set.Agree(a)}, Accuracy: set.Accuracy(a), Confidence: Options{}.orDefaults().Confidence, From: from}
	once := map[string]bool{} // whether the two disagree
	for i, w := range set.Words {
		once[w.Key()] = a.Accepts(w) != set.Accept[i]
	}
	wrong := 0
	for _, differ := range once {
		if differ {
			wrong++
		}
	}
	h.Different = len(once)
	h.Bound = Bound(h.Different, wrong, h.Confidence)
	return h
}

// Check compares an automaton with a network. If the automaton is a finite one and the
// network shows its states, they guide a search for a word of disagreement. It is an error
// if the inquiry ends; the report then has what is known, or is nil if nothing is.
func Check(q *oracle.Inquiry, a oracle.Acceptor, o Options) (rep *Report, err error) {
	o = o.orDefaults()
	var before Options
	for longest := -1; longest != q.Longest(); { // again if it turns out that words were too long
		longest = q.Longest()
		now := o.within(q)
		if before.High == now.High { // these words are the same, and known
			now.Words = before.Words
		}
		rep, err = look(q, a, now)
		before = now
	}
	if rep != nil && rep.Words == 0 {
		rep = nil
	}
	return rep, err
}

// within returns the options for what the network can be asked. Where every word has its price,
// fewer are tried: a budget buys more.
func (o Options) within(q *oracle.Inquiry) Options {
	longest := q.Longest()
	o.High, o.Long = min(o.High, longest), min(o.Long, longest)
	o.Low = min(o.Low, o.High)
	if !q.ReadsEmpty() {
		o.Low = max(o.Low, 1)
	}
	if q.Metered() && q.Left() == math.MaxInt {
		o.Exhaustive = min(o.Exhaustive, 2000)
		if o.Guide == nil {
			o.Search = min(o.Search, max(1, 1000/max(1, q.Alphabet().Len())))
		}
		if o.Guide == nil && q.ShowsStates() {
			o.Search = min(o.Search, max(1, searched/(q.Dim()*max(1, q.Alphabet().Len()))))
		}
	}
	o.Words, o.LongWords = q.AtMost(o.Words, 0.7), q.AtMost(o.LongWords, 0.1)
	o.Exhaustive, o.Search = q.AtMost(o.Exhaustive, 0.15), q.AtMost(o.Search, 0.05/float64(max(1, q.Alphabet().Len())))
	return o
}

// searched is how many numbers the states may have in all that a model elsewhere shows to a search: it takes seconds to
// write them, and to read them.
const searched = 4 << 20

// look compares with all kinds of words.
func look(q *oracle.Inquiry, a oracle.Acceptor, o Options) (*Report, error) {
	c := newChecker(q, a)
	c.guide = cmp.Or(o.Guide, q)
	rng := sample.Rand(o.Seed, sample.Certificate)
	rep := &Report{
		Confidence: o.Confidence, Held: o.Held, NoEmpty: !q.ReadsEmpty(),
		Drawn: fmt.Sprintf("lengths uniform from %d to %d, half of them uniform words, half %s", o.Low, o.High, o.Source.About),
	}
	if q.Longest() < math.MaxInt {
		rep.Longest = q.Longest()
	}
	drawn, err := o.Source.Draw(q, o.Words, o.Low, o.High, rng)
	if err != nil {
		return nil, err
	}
	right := c.compare(drawn.Words)
	rep.Count = count(right)
	rep.Accuracy = float64(rep.Agree) / float64(max(1, rep.Words))
	rep.Bound = Bound(rep.Words, rep.Words-rep.Agree, o.Confidence)
	rep.ByLength = byLength(drawn.Words[:len(right)], right, o.Low, o.High)

	// Long words are uniform ones and those that the source's language makes.
	if q.Err() == nil && (o.Long > o.High || rep.Longest == 0) {
		long, err := o.Source.Draw(q, o.LongWords, o.Long, o.Long, rng)
		if err != nil {
			return rep, err
		}
		rep.Long = LengthCount{o.Long, o.Long, count(c.compare(long.Words))}
	}
	if q.Err() == nil {
		rep.Exhaustive = c.exhaustive(o.Exhaustive)
	}
	if c.d != nil && c.guide.ShowsStates() && (!c.found || len(c.shortest) > rep.Exhaustive.High) && q.Err() == nil {
		rep.Searched = c.search(o.Search)
	}
	c.compare(q.Readable(o.Known))
	rep.Shortest, rep.Found, rep.Scores = c.shortest, c.found, q.Scores()
	return rep, q.Err()
}

// A checker collects the shortest word of disagreement as it goes.
type checker struct {
	q        *oracle.Inquiry
	a        oracle.Acceptor
	d        *automaton.DFA  // a, if it is finite
	guide    *oracle.Inquiry // whose states are followed
	shortest word.Word
	found    bool

	// tell is told how many words were looked at and how long the next ones are, and says
	// whether to go on; nil: always.
	tell func(looked, length int) bool
}

func newChecker(q *oracle.Inquiry, a oracle.Acceptor) *checker {
	c := &checker{q: q, a: a, guide: q}
	c.d, _ = a.(*automaton.DFA)
	return c
}

// stop reports whether to look no further.
func (c *checker) stop(looked, length int) bool {
	return c.q.Err() != nil || c.guide.Err() != nil || c.tell != nil && !c.tell(looked, length)
}

// note records words of disagreement.
func (c *checker) note(words ...word.Word) {
	for _, w := range words {
		if !c.found || len(w) < len(c.shortest) {
			c.shortest, c.found = append(word.Word(nil), w...), true
		}
	}
}

// compare reports for every word whether both give the same answer; if the inquiry ends, for
// the first of them. Prefixes do not count, but where they can be looked at for nothing, the
// shortest on which the two differ is noted.
func (c *checker) compare(words []word.Word) []bool {
	var right []bool
	paths := c.d != nil && c.q.ShowsStates() && !c.q.Metered() && c.q.Left() == math.MaxInt
	if !paths {
		c.q.Expect(words, false)
	}
	for some := range slices.Chunk(words, together) {
		var set oracle.Set
		var wrong []word.Word
		if paths {
			all := c.q.LabelPaths(some)
			set, wrong = all.Whole(), all.Mistakes(c.d)
		} else {
			set = c.q.Label(some)
			wrong = set.Mistakes(c.a)
		}
		if c.q.Err() != nil {
			break
		}
		c.note(wrong...)
		for i, w := range some {
			right = append(right, c.a.Accepts(w) == set.Accept[i])
		}
	}
	return right
}

// together is how many words are asked about together: if something comes between, what was
// answered until then counts.
const together = 100

// exhaustive tries all words, shorter ones first, up to the greatest length of which the
// words fit the budget.
func (c *checker) exhaustive(budget int) LengthCount {
	looked := 0
	asked := oracle.Short{} // all that was answered
	q := c.q
	if q.Metered() {
		q = q.Blind()      // states are many numbers, and say nothing more
		if c.tell == nil { // nobody waits to hear of every length
			q.Expect(slices.DeleteFunc(word.UpTo(q.Alphabet().Len(), budget), func(w word.Word) bool { return !q.Reads(w) }), false)
		}
	}
	short := q.Short(budget, math.MaxInt, func(s oracle.Short) bool {
		if c.q.Err() != nil {
			return false
		}
		asked = s
		if n := len(s.Accept); n > 2*looked { // of one symbol, not after every length
			looked = n
			c.mistakes(s)
		}
		return !c.stop(len(s.Accept), s.Length+1)
	})
	if c.q.Err() != nil {
		if short = asked; short.Accept == nil {
			return LengthCount{}
		}
	}
	n := LengthCount{High: short.Length, Count: Count{Words: len(short.Accept)}}
	wrong := c.mistakes(short)
	if !c.q.ReadsEmpty() {
		n.Low, n.Words = 1, n.Words-1
	}
	n.Agree = n.Words - wrong
	return n
}

// mistakes notes the first of the short words on which the two disagree, and returns how
// many there are.
func (c *checker) mistakes(s oracle.Short) int {
	if c.d != nil && c.q.ReadsEmpty() {
		first, all := s.Mistakes(c.d, 1)
		c.note(first...)
		return all
	}
	all := oracle.Set{Words: word.Shortest(c.q.Alphabet().Len(), len(s.Accept)), Accept: s.Accept}.Mistakes(c.a)
	all = slices.DeleteFunc(all, func(w word.Word) bool { return !c.q.Reads(w) })
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
