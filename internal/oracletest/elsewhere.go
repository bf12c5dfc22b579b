package oracletest

import (
	"context"
	"errors"
	"math"
	"slices"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// Elsewhere is a recognizer as one that runs elsewhere is: it counts the words that it is
// asked about, each once, stops at a limit, and reads no word that is too long.
type Elsewhere struct {
	Noisy
	Max     int  // symbols that it reads; 0: any number
	Late    bool // that this is so turns out when a longer word is asked about
	NoEmpty bool // it cannot be asked about the empty word

	Seen map[string]word.Word
	Fail func(w word.Word) error // if not nil, what asking about a word leads to

	allowed int
	limited bool // a longer word was met
}

// NewElsewhere returns one without limits.
func NewElsewhere(r Noisy) *Elsewhere {
	return &Elsewhere{Noisy: r, Seen: map[string]word.Word{}, allowed: math.MaxInt}
}

// Asked implements oracle.Metered, as does Limit.
func (e *Elsewhere) Asked() int { return len(e.Seen) }

// Limit bounds the words that are asked about from now on.
func (e *Elsewhere) Limit(words int) { e.allowed = words }

// Longest implements oracle.Bounded, as does ReadsEmpty.
func (e *Elsewhere) Longest() int {
	if e.Max == 0 || e.Late && !e.limited {
		return math.MaxInt
	}
	return e.Max
}

// ReadsEmpty reports whether it can be asked about the empty word.
func (e *Elsewhere) ReadsEmpty() bool { return !e.NoEmpty }

// Answer counts the words, and answers for a long one as for its prefix.
func (e *Elsewhere) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	fresh := map[string]word.Word{}
	read := make([]word.Word, len(words))
	for i, w := range words {
		if e.Max > 0 && len(w) > e.Max {
			e.limited = true
			w = w[:e.Max]
		}
		read[i] = w
		if _, ok := e.Seen[w.Key()]; !ok && (len(w) > 0 || !e.NoEmpty) {
			fresh[w.Key()] = slices.Clone(w)
		}
		if e.Fail != nil {
			if err := e.Fail(w); err != nil {
				return err
			}
		}
	}
	if len(fresh) > e.allowed {
		return &oracle.BudgetError{}
	}
	e.allowed -= len(fresh)
	for key, w := range fresh {
		e.Seen[key] = w
	}
	if err := e.Noisy.Answer(ctx, dst, read); err != nil {
		return err
	}
	for i, w := range read {
		if len(w) == 0 && e.NoEmpty {
			dst.Row(i)[0] = 0
		}
	}
	return nil
}

// ErrGone is a failure for tests.
var ErrGone = errors.New("the model has gone")

// Stateless is one that shows no states.
type Stateless struct{ *Elsewhere }

// Step hides the method of the same name, and with it the states.
func (Stateless) Step() {}
