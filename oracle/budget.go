package oracle

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// A Metered oracle is asked at a price, as one that runs elsewhere: it counts the words that
// it was really asked about, each once where it remembers answers, and stops at a limit.
type Metered interface {
	Asked() int
	Limit(words int) // that may be asked from now on; beyond that, answers are a [BudgetError]
}

// A BudgetError says that more words were asked for than are allowed.
type BudgetError struct{ Words int }

func (e *BudgetError) Error() string { return fmt.Sprintf("its budget of %d words is spent", e.Words) }

// A TimeError says that the time of a search is over.
type TimeError struct{ Time time.Duration }

func (e *TimeError) Error() string { return fmt.Sprintf("the time of %v is spent", e.Time) }

// ErrStopped is why a search ends that is asked to.
var ErrStopped = errors.New("it was interrupted")

// Metered reports whether every word has its price.
func (q *Inquiry) Metered() bool { return q.meter != nil }

// Asked returns how many answers were asked for, of words or of states; of a metered oracle,
// how many words.
func (q *Inquiry) Asked() int {
	if q.meter != nil {
		return q.meter.Asked()
	}
	return q.record.answers
}

// Limit bounds the answers that are asked for from now on; 0: any number. A question with
// which they would be more is not asked, and ends the inquiry.
func (q *Inquiry) Limit(answers int) { q.record.limit, q.record.before = answers, q.Asked() }

// Left returns how many answers may still be asked for.
func (q *Inquiry) Left() int {
	r := q.record
	if r.limit <= 0 {
		return math.MaxInt
	}
	return max(0, r.limit-(q.Asked()-r.before))
}

// AtMost returns n, or a share of what may still be asked for if that is less, but at least 1.
func (q *Inquiry) AtMost(n int, share float64) int {
	if left := q.Left(); left < math.MaxInt {
		n = min(n, max(1, int(share*float64(left))))
	}
	return n
}

// affords reports whether there is budget for so many answers. A metered oracle knows better
// which of them it has to be asked for, and is told what is left.
func (q *Inquiry) affords(answers int) bool {
	left := q.Left()
	if q.meter != nil {
		q.meter.Limit(left)
		return true
	}
	if answers > left {
		q.spend()
		return false
	}
	return true
}

// spend ends the inquiry; if it is a search, none but itself.
func (q *Inquiry) spend() {
	err := &BudgetError{q.record.limit}
	if q.end != nil {
		q.end(err)
		return
	}
	q.record.err = err
}

// Until returns an inquiry whose searches end with a context, while it goes on itself, to say
// what they have found.
func (q *Inquiry) Until(stop context.Context) *Inquiry {
	p := *q
	p.stop = stop
	return &p
}

// Stopped returns why there is no time to look further, or nil if there is.
func (q *Inquiry) Stopped() error {
	if q.stop != nil && q.stop.Err() != nil {
		return ErrStopped
	}
	return q.Err()
}

// Search returns an inquiry for a search, and what frees it. It ends after a time, unless that is
// 0, when [Inquiry.Until] says so, or when the budget is spent. The inquiry that it comes from
// goes on, so that the search can be concluded.
func (q *Inquiry) Search(d time.Duration) (*Inquiry, context.CancelFunc) {
	p, done := q.Alone()
	free := []func() bool{}
	if d > 0 {
		free = append(free, time.AfterFunc(d, func() { p.end(&TimeError{d}) }).Stop)
	}
	if q.stop != nil {
		free = append(free, context.AfterFunc(q.stop, func() { p.end(ErrStopped) }))
	}
	return p, func() {
		for _, f := range free {
			f()
		}
		done()
	}
}

// Alone returns an inquiry that ends alone when the budget is spent, and what frees it. The inquiry that
// it comes from goes on: what was found before is worth something.
func (q *Inquiry) Alone() (*Inquiry, context.CancelFunc) {
	ctx, end := context.WithCancelCause(q.ctx)
	p := q.Under(ctx)
	p.end = end
	return p, func() { end(context.Canceled) }
}
