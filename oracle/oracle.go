// Package oracle is about who is asked: anything that answers for words, and how an
// investigation asks it.
//
// An [Oracle] answers for whole words. A [Stepper] shows its states as well, which is what
// the paper asks of a network. Both give numbers: a recognizer one, the probability that
// the word is in its language.
//
// Nobody asks an oracle directly. An [Inquiry] is one investigation of it: it counts and
// batches questions, ends with its context, its time or its budget, and keeps the first
// error. Answers that were given are kept as a [Set], as [Paths] or as [Short] words, which
// say how far an automaton agrees with them.
package oracle

import (
	"context"

	"quotient/f32"
	"quotient/word"
)

// An Oracle answers for words. One that runs elsewhere can fail, and says so.
type Oracle interface {
	Alphabet() *word.Alphabet

	// Outputs is the number of numbers in an answer: 1 is the probability that the word is
	// in the language; one more than there are symbols are the probabilities of each next
	// symbol, and of the end.
	Outputs() int

	// Answer writes a row of Outputs numbers for each word. It keeps none of the words, which change when it has returned.
	Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error
}

// Predicts reports whether an oracle is a language model: it gives the probabilities of each next
// symbol and, last, of the end.
func Predicts(o Oracle) bool { n := o.Outputs(); return n > 1 && n == o.Alphabet().Len()+1 }

// A Stepper is an oracle with a state for every prefix. It is deterministic, and what
// becomes of a row does not depend on the others. Only a stepper that runs elsewhere
// returns errors.
type Stepper interface {
	Oracle
	Dim() int                                         // numbers of a state
	Start(dst []float32) error                        // the state after the empty word
	Step(dst, src f32.Matrix, on []word.Symbol) error // a row for each prefix; dst may be src
	Read(dst, states f32.Matrix) error                // the answers in these states, a row of Outputs numbers each
}

// An Acceptor says which words are in a language: an automaton of any kind.
type Acceptor interface {
	Accepts(w word.Word) bool
}

// Threshold is what the probability of an accepted word exceeds.
const Threshold = 0.5
