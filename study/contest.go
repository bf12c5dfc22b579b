package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quotient/extract"
	"quotient/internal/text"
	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
	"quotient/worth"
)

// A Contest puts methods side by side on one network. Zero values stand for the
// defaults.
type Contest struct {
	Methods []string      // by their names; all of them
	Options Options       // of every method; Method itself does not count, and Budget is that of all together
	Words   int           // that judge the automata, at least, unless the budget has fewer; 1,000
	Time    time.Duration // for each method; 0: no limit
	Tell    func(method string)
}

// An Entry is what one method made of the network.
type Entry struct {
	Method      string  `json:"method"`
	States      int     `json:"states"`
	Accuracy    float64 `json:"accuracy"`            // the share of the words on which the network gives the same answer
	Equal       *bool   `json:"equal"`               // whether it is exactly the target; nil if none is known
	Membership  int     `json:"membership_queries"`  // words that the method asked for; distinct ones, but for explore, which keeps no answers
	Equivalence int     `json:"equivalence_queries"` // hypotheses that were put to the test
	Seconds     float64 `json:"seconds"`
	Error       *string `json:"error"` // why there is no automaton; nil if there is one

	// The share of the user's held-out words on which the network gives the same answer; nil if
	// there are none.
	Data *float64 `json:"data_accuracy,omitempty"`

	// What a study has under these names.
	Reading     string   `json:"reading"`
	Notes       []string `json:"notes,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	Stopped     string   `json:"stopped,omitempty"`
	Words       *Data    `json:"data,omitempty"`
	Interrupted bool     `json:"interrupted,omitempty"` // the comparison was: methods may be missing, and the last may have ended early

	CacheHits int    `json:"-"` // times that it asked for one of those words again
	Study     *Study `json:"-"` // without a certificate; nil if there is an error
}

// Winner returns the smallest finite automaton among the best: those that are exactly
// the target, or if none is, those that agree with the network on most words. Of equals
// it is the first. It returns nil if no method found any.
func Winner(entries []Entry) *Entry {
	exact := func(e *Entry) int {
		if e.Equal != nil && *e.Equal {
			return 1
		}
		return 0
	}
	score := func(e *Entry) worth.Score { return worth.Score{Error: 1 - e.Accuracy, States: e.States} }
	var best *Entry
	for i := range entries {
		e := &entries[i]
		if e.Study == nil || e.Study.Result.Automaton == nil {
			continue
		}
		if best == nil || exact(e) > exact(best) || exact(e) == exact(best) && worth.Kappa.Better(score(e), score(best)) {
			best = e
		}
	}
	return best
}

// Cells returns a row for a table: the method, states, agreement, target, words asked for,
// cache hits, hypotheses, seconds, and what else there is to say. A dot stands for nothing.
func (e *Entry) Cells() []string {
	const nothing = "·"
	cells := []string{e.Method, nothing, nothing, nothing, nothing, nothing, nothing, fmt.Sprintf("%.2f", e.Seconds), ""}
	if e.Error != nil {
		cells[8] = text.Shorten(*e.Error, 120)
		return cells
	}
	cells[1], cells[2] = strconv.Itoa(e.States), text.Percent(e.Accuracy)
	if e.Equal != nil {
		cells[3] = map[bool]string{true: "exact", false: "differs"}[*e.Equal]
	}
	for i, n := range []int{e.Membership, e.CacheHits, e.Equivalence} {
		if n > 0 {
			cells[4+i] = strconv.Itoa(n)
		}
	}
	var notes []string
	if e.Data != nil {
		notes = append(notes, text.Percent(*e.Data)+" of held-out data")
	}
	if e.Study != nil && e.Study.Result.Automaton == nil {
		notes = append(notes, "no finite automaton")
	}
	cells[8] = strings.Join(notes, "; ")
	return cells
}

// Remarks returns what there is to say about what a method found, in sentences.
func (e *Entry) Remarks() []string {
	list := slices.Clone(e.Warnings)
	if e.Stopped != "" {
		list = append(list, "the search ended because "+e.Stopped)
	}
	return list
}

// Lines says what there is to say about methods side by side, a line for each method, and once what is said of all of them.
func Lines(entries []Entry) []string {
	said, all := map[string]int{}, 0
	for i := range entries {
		if entries[i].Error == nil {
			all++
		}
		for _, remark := range entries[i].Remarks() {
			said[remark]++
		}
	}
	var lines []string
	told := map[string]bool{}
	for i := range entries {
		var own []string
		for _, remark := range entries[i].Remarks() {
			if all == 1 || said[remark] < all {
				own = append(own, remark)
			} else if !told[remark] {
				told[remark] = true
				lines = append(lines, "note: "+remark)
			}
		}
		if len(own) > 0 {
			lines = append(lines, entries[i].Method+": "+strings.Join(own, "; "))
		}
	}
	return append(lines, dataLines(entries)...)
}

// dataLines says which of the user's words judge all methods alike.
func dataLines(entries []Entry) []string {
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.Words != nil })
	if i < 0 {
		return nil
	}
	d := entries[i].Words
	lines := []string{"data: " + d.Parts(), "read as: " + d.Reading.String()}
	if d.Network != nil {
		lines = append(lines, fmt.Sprintf("the labels of held-out words: the network is right on %s of %d", text.Percent(*d.Network), d.HeldLabeled))
	}
	return lines
}

// longest is the length of the longest words that judge.
const longest = 50

// Run runs all methods. A method that fails has an error in its entry; Run itself
// returns one only if the context ends, or if the data cannot be read. If the user does not wait for the end,
// there are entries for what was found until then.
//
// All automata are judged on the same words, to which each finite one contributes the
// same number: half of them uniform, a quarter that it accepts and a quarter that it
// rejects, of lengths up to 50. So an automaton that misses something rare meets the
// words of one that does not.
func (c Contest) Run(ctx context.Context, m *model.Model) ([]Entry, error) {
	methods := c.Methods
	if len(methods) == 0 {
		methods = extract.Names()[1:]
	}
	if err := c.share(m, len(methods)); err != nil {
		return nil, err
	}
	if c.Options.Data != "" { // words that nobody can read are no fault of the methods'
		if _, err := extract.ReadData(c.Options.Options, m.Net.Alphabet(), nil); err != nil {
			return nil, err
		}
	}
	hurried, cancel := c.Options.hurry(ctx)
	defer cancel()
	var entries []Entry
	for _, name := range methods {
		if c.Options.stopped() {
			break
		}
		if c.Tell != nil {
			c.Tell(name)
		}
		e := c.enter(hurried, m, name)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if e.Study != nil {
			e.Study.Interrupted = c.Options.stopped()
		} else if c.Options.stopped() {
			break // which is no fault of the method's
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return nil, ErrInterrupted
	}
	for i := range entries {
		entries[i].Interrupted = c.Options.stopped()
	}
	return entries, c.judge(ctx, m, entries)
}

// share makes the budget of all that of each method, once the words that judge have their part.
func (c *Contest) share(m *model.Model, methods int) error {
	left := c.Options.Budget
	if left == 0 {
		return nil
	}
	if meter, ok := m.Net.(oracle.Metered); ok {
		left -= meter.Asked() // to greet it
	}
	c.Words = min(cmp.Or(c.Words, 1000), left/4)
	if c.Options.Budget = (left - c.Words) / methods; c.Options.Budget < 1 || c.Words < 1 {
		return fmt.Errorf("a budget of %s is too little for %s, and for words that judge what they find", text.Plural(left, "word"), text.Plural(methods, "method"))
	}
	return nil
}

// enter runs one method.
func (c Contest) enter(ctx context.Context, m *model.Model, name string) Entry {
	e := Entry{Method: name, Reading: m.Reading(), Notes: m.Notes}
	if c.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Time, fmt.Errorf("it takes more than %v", c.Time))
		defer cancel()
	}
	o := c.Options
	o.Method = name
	if o.Time == 0 {
		o.Time = c.Time * 3 / 4 // what searches until then has something to show, and time to choose it
	}
	if o.MaxStates == 0 && (name == extract.LStar || name == extract.TTT) {
		o.MaxStates = 1000 // it is the time that bounds these
	}
	if meter, ok := m.Net.(oracle.Metered); ok && o.Budget > 0 {
		o.Budget += meter.Asked() // by others before
	}
	begin := time.Now()
	s, err := Extract(ctx, m, o)
	e.Seconds = time.Since(begin).Seconds()
	if err != nil {
		why := err.Error()
		e.Error = &why
		return e
	}
	e.Study, e.States, e.Warnings, e.Words = s, s.States, s.Warnings, s.Data
	if s.Explored != nil {
		e.Stopped = s.Explored.Stopped
	}
	if s.Data != nil {
		e.Data = &s.Data.Agreement.Accuracy
	}
	if o.Target != "" {
		equal := s.Target != nil && s.Target.Equal // a weighted automaton is not compared
		e.Equal = &equal
	}
	switch res := s.Result; {
	case res.Queries != nil:
		e.Membership, e.Equivalence, e.CacheHits = res.Queries.Membership, res.Queries.Equivalence, res.Queries.CacheHits
	case res.Tree != nil:
		e.Membership = res.Tree.Len()
	case res.Counter != nil:
		e.Membership = res.Counter.Prefixes
	case res.Explored != nil:
		e.Membership, e.Equivalence = res.Explored.Asked, res.Explored.Hypotheses
	}
	return e
}

// judge fills in how far the automata agree with the network.
func (c Contest) judge(ctx context.Context, m *model.Model, entries []Entry) error {
	if meter, ok := m.Net.(oracle.Metered); ok && c.Options.Budget > 0 {
		meter.Limit(c.Words)
	}
	q := oracle.Ask(ctx, m.Judge())
	words, err := c.draw(q, entries)
	if err != nil {
		return err
	}
	if c.Options.Budget > 0 {
		words = words[:min(len(words), c.Words-1)] // and the empty one
	}
	q.Accepts([]word.Word{nil}) // a network that fails is an error, also where nothing was found
	set := q.Label(words)
	for i := range entries {
		if e := &entries[i]; e.Study != nil {
			e.Accuracy = float64(set.Agree(e.Study.Result.Acceptor())) / float64(len(set.Words))
		}
	}
	return q.Err()
}

// draw returns the words that judge.
func (c Contest) draw(q *oracle.Inquiry, entries []Entry) ([]word.Word, error) {
	var sources []*sample.Source
	for _, e := range entries {
		if e.Study == nil {
			continue
		}
		res := e.Study.Result
		source := res.Source // of any words, if there is no finite automaton
		if d := cmp.Or(res.Automaton, res.Unrolled); d != nil {
			source = sample.FromAutomaton(d)
		}
		sources = append(sources, source)
	}
	n := cmp.Or(c.Words, 1000)
	rng := sample.Rand(c.Options.Seed, sample.Contest)
	var words []word.Word
	for _, source := range sources {
		drawn, err := source.Draw(q, (n+len(sources)-1)/len(sources), 0, longest, rng)
		if err != nil {
			return nil, err
		}
		words = append(words, drawn.Words...)
	}
	return words, nil
}
