package oracle

import (
	"context"
	"errors"
	"fmt"

	"quotient/f32"
	"quotient/word"
)

// An Inquiry is one investigation of one oracle, by one goroutine.
//
// It ends when its context does, when the oracle fails or when more is asked than its budget
// allows. From then on it asks nothing more, and what its methods return is worth nothing;
// [Inquiry.Err] says why it ended. So an algorithm need not look after every question: it is
// enough to look before anything is concluded from the answers, as with a [bufio.Scanner].
type Inquiry struct {
	ctx    context.Context
	oracle Oracle
	states Stepper // the same, if it shows its states
	record *record
	meter  Metered            // the same, if it counts itself what it is asked
	bounds Bounded            // what cannot be asked; nil: everything can
	stop   context.Context    // whose end asks searches to come to an end; nil: nothing does
	end    func(cause error)  // ends this inquiry alone, if it is a search
	above  float32            // what the probability of an accepted word exceeds
	known  map[string]float32 // what was answered, by the symbols of the word; nil: nothing is remembered
	speech *speech            // in which words are spoken of; nil: the oracle's own
}

// A record is shared by inquiries that follow from one another.
type record struct {
	answers int   // asked for so far
	steps   int   // symbols that the oracle has read
	limit   int   // most answers since the limit was set; 0: any number
	before  int   // answers asked for until then
	err     error // of the oracle, or that the budget is spent
	scores  Scores
}

// Ask begins an inquiry.
func Ask(ctx context.Context, o Oracle) *Inquiry {
	q := &Inquiry{ctx: ctx, oracle: o, record: &record{}, above: Threshold}
	q.states, _ = o.(Stepper)
	q.meter, _ = o.(Metered)
	q.bounds, _ = o.(Bounded)
	if n := o.Outputs(); n != 1 {
		q.record.err = fmt.Errorf("answers of %d numbers: only recognizers, which give one, can be asked whether they accept words", n)
	}
	return q
}

// Under returns an inquiry into the same oracle, with the same record, that ends with
// another context.
func (q *Inquiry) Under(ctx context.Context) *Inquiry {
	p := *q
	p.ctx = ctx
	return &p
}

// Blind returns one that does not see the oracle's states.
func (q *Inquiry) Blind() *Inquiry {
	p := *q
	p.states = nil
	return &p
}

// Above returns one for which a word is accepted if its probability exceeds another
// threshold than one half.
func (q *Inquiry) Above(threshold float32) *Inquiry {
	p := *q
	p.above = threshold
	return &p
}

// Remembering returns one that asks for the probability of every word once.
func (q *Inquiry) Remembering() *Inquiry {
	p := *q
	p.known = map[string]float32{}
	return &p
}

// Known returns how many words an inquiry remembers.
func (q *Inquiry) Known() int { return len(q.known) }

// Err returns why the inquiry has ended, or nil if it has not.
func (q *Inquiry) Err() error {
	switch {
	case q.record.err != nil:
		return q.record.err
	case q.ctx.Err() != nil:
		return context.Cause(q.ctx)
	}
	return nil
}

// ask lets the oracle do something that fills in some answers, unless the inquiry has ended.
// If the context ends meanwhile, that is no failure of the oracle, whatever it says.
func (q *Inquiry) ask(answers []float32, f func() error) {
	q.pose(len(answers), func() error {
		if err := f(); err != nil {
			return err
		}
		return q.record.note(answers)
	})
}

// pose does so for a number of answers of any kind.
func (q *Inquiry) pose(answers int, f func() error) {
	r := q.record
	if q.Err() != nil || !q.affords(answers) {
		return
	}
	r.answers += answers
	if err := f(); err != nil && q.ctx.Err() == nil {
		q.fail(err)
	}
}

// fail ends the inquiry.
func (q *Inquiry) fail(err error) {
	var spent *BudgetError
	if errors.As(err, &spent) {
		q.spend()
	} else {
		q.record.err = err
	}
}

// Context returns the context with which the inquiry ends.
func (q *Inquiry) Context() context.Context { return q.ctx }

// Steps returns how many symbols the oracle has read, which is what its answers cost.
func (q *Inquiry) Steps() int { return q.record.steps }

// Alphabet returns the oracle's alphabet, or that of [Inquiry.Over].
func (q *Inquiry) Alphabet() *word.Alphabet {
	if q.speech != nil {
		return q.speech.alphabet
	}
	return q.oracle.Alphabet()
}

// ShowsStates reports whether the oracle does. Methods that take or return states are for
// those alone.
func (q *Inquiry) ShowsStates() bool { return q.states != nil }

// Dim returns how many numbers a state has.
func (q *Inquiry) Dim() int { return q.states.Dim() }

// Probabilities returns for every word that with which it is in the language.
func (q *Inquiry) Probabilities(words []word.Word) []float32 {
	if q.known != nil {
		return q.recall(words)
	}
	p := make([]float32, len(words))
	for _, w := range words {
		q.record.steps += len(w)
	}
	if len(words) > 0 {
		q.ask(p, func() error { return q.oracle.Answer(q.ctx, f32.Of(len(p), 1, p), q.speech.words(words)) })
	}
	return p
}

// recall asks for those of the words that are not known.
func (q *Inquiry) recall(words []word.Word) []float32 {
	keys := make([]string, len(words))
	var fresh []word.Word
	var at []string // the keys of the fresh words
	for i, w := range words {
		keys[i] = w.Key()
		if _, ok := q.known[keys[i]]; !ok {
			q.known[keys[i]] = 0
			fresh, at = append(fresh, w), append(at, keys[i])
		}
	}
	forgetful := *q
	forgetful.known = nil
	for i, p := range forgetful.Probabilities(fresh) {
		q.known[at[i]] = p
	}
	if q.Err() != nil { // perhaps nobody answered, and another inquiry with this memory goes on
		for _, key := range at {
			delete(q.known, key)
		}
	}
	values := make([]float32, len(words))
	for i, key := range keys {
		values[i] = q.known[key]
	}
	return values
}

// Accepts returns for every word whether the oracle accepts it.
func (q *Inquiry) Accepts(words []word.Word) []bool { return q.decide(q.Probabilities(words)) }

func (q *Inquiry) decide(p []float32) []bool {
	accept := make([]bool, len(p))
	for i, x := range p {
		accept[i] = x > q.above
	}
	return accept
}

// Scores say what the answers of a recognizer were like.
type Scores struct {
	Answers int     `json:"answers"`
	Yes     int     `json:"yes"`
	Near    int     `json:"near"` // within a tenth of the threshold
	Low     float32 `json:"low"`  // the least probability
	High    float32 `json:"high"` // and the greatest
}

// Scores returns what the answers so far were like.
func (q *Inquiry) Scores() Scores { return q.record.scores }

// near is how close to the threshold an answer is hardly one.
const near = 0.1

// note keeps what answers are like. One that is no number is a failure: it would count as
// a no.
func (r *record) note(p []float32) error {
	s := &r.scores
	for _, x := range p {
		if x != x {
			return errors.New("an answer of the network is not a number: its weights are too large, or damaged")
		}
		if s.Answers == 0 || x < s.Low {
			s.Low = x
		}
		if s.Answers == 0 || x > s.High {
			s.High = x
		}
		if x > Threshold {
			s.Yes++
		}
		if x > Threshold-near && x < Threshold+near {
			s.Near++
		}
		s.Answers++
	}
	return nil
}

// Label returns words with the oracle's answers.
func (q *Inquiry) Label(words []word.Word) Set { return Set{words, q.Accepts(words)} }
