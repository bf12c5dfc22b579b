package oracle

import (
	"math"

	"quotient/f32"
	"quotient/word"
)

// A runner follows words through its states by itself, on several threads, and says what stepping and reading would say.
type runner interface {
	// AnswerAfter writes for each of some rows of states the answer after one more suffix.
	AnswerAfter(dst []float32, states f32.Matrix, rows []int, suffixes []word.Word)

	// AnswerAlong returns the answers for all prefixes of words: for every length those of all words that are so long, in the
	// order of [word.LongestFirst].
	AnswerAlong(words []word.Word) [][]float32

	// States writes the states after all prefixes of words, those of word i to the rows from begin[i] on.
	States(dst f32.Matrix, begin []int, words []word.Word)
}

// runs returns who follows words by itself, if the oracle does and every answer is free: a budget ends in between.
func (q *Inquiry) runs() (runner, bool) {
	r, ok := q.states.(runner)
	return r, ok && q.meter == nil && q.Left() == math.MaxInt
}

// together is how many words are followed side by side, to bound the memory and what is done for nobody when time is over.
const together = 1024

// After returns the decisions, for each of some rows of states, after one more suffix. Of an oracle that knows states by
// their words, as a model elsewhere does, nothing is asked but that; all others step.
func (q *Inquiry) After(states f32.Matrix, rows []int, suffixes []word.Word) []bool {
	p := make([]float32, len(rows))
	if r, ok := q.stepper().(reader); ok {
		q.ask(p, func() error { return r.ReadAfter(f32.Of(len(p), 1, p), states.Gather(rows), q.speech.words(suffixes)) })
		return q.decide(p)
	}
	for from := 0; from < len(rows) && q.Err() == nil; from += together {
		to := min(from+together, len(rows))
		q.after(p[from:to], states, rows[from:to], suffixes[from:to])
	}
	return q.decide(p)
}

type reader interface {
	ReadAfter(dst, states f32.Matrix, suffixes []word.Word) error
}

// after writes the probabilities.
func (q *Inquiry) after(dst []float32, states f32.Matrix, rows []int, suffixes []word.Word) {
	if r, ok := q.runs(); ok {
		q.read(suffixes)
		q.ask(dst, func() error {
			r.AnswerAfter(dst, states, rows, q.speech.words(suffixes))
			return nil
		})
		return
	}
	order := word.LongestFirst(suffixes)
	begin := make([]int, len(order))
	for i, k := range order {
		begin[i] = rows[k]
	}
	q.follow(states.Gather(begin), suffixes, order, func(states f32.Matrix, running []int, going int) {
		for i, p := range q.Sure(states.View(going, states.Rows)) {
			dst[running[going+i]] = p
		}
	})
}

// read counts the symbols of words.
func (q *Inquiry) read(words []word.Word) {
	for _, w := range words {
		q.record.steps += len(w)
	}
}

// LabelPaths returns words with the answers for all their prefixes.
func (q *Inquiry) LabelPaths(words []word.Word) Paths {
	p := Paths{words, make([][]bool, len(words))}
	for i, w := range words {
		p.Labels[i] = make([]bool, 0, len(w)+1)
	}
	q.ExpectPaths(words)
	const batch = 512 // words that are run together, to bound the memory
	for from := 0; from < len(words); from += batch {
		to := min(from+batch, len(words))
		if q.Err() != nil { // wide states need not be made for nobody
			for i, w := range words[from:to] {
				p.Labels[from+i] = make([]bool, len(w)+1)
			}
			continue
		}
		q.label(p.Labels[from:to], words[from:to])
	}
	return p
}

// label appends the answers for the prefixes of words.
func (q *Inquiry) label(labels [][]bool, words []word.Word) {
	order := word.LongestFirst(words)
	note := func(which []int, p []float32) {
		for k, accept := range q.decide(p) {
			labels[which[k]] = append(labels[which[k]], accept)
		}
	}
	if r, ok := q.runs(); ok {
		q.read(words)
		for _, p := range r.AnswerAlong(q.speech.words(words)) {
			q.ask(p, func() error { return nil })
			note(order[:len(p)], p)
		}
		return
	}
	states := f32.New(len(words), q.Dim())
	for i := range states.Rows {
		q.start(states.Row(i))
	}
	q.follow(states, words, order, func(states f32.Matrix, running []int, _ int) { note(running, q.Sure(states)) })
}

// States writes the states after all prefixes of words, those of word i to the rows from begin[i] on.
func (q *Inquiry) States(dst f32.Matrix, begin []int, words []word.Word) {
	for from := 0; from < len(words) && q.Err() == nil; from += together {
		to := min(from+together, len(words))
		q.writeStates(dst, begin[from:to], words[from:to])
	}
}

func (q *Inquiry) writeStates(dst f32.Matrix, begin []int, words []word.Word) {
	if r, ok := q.runs(); ok {
		q.read(words)
		q.ask(nil, func() error {
			r.States(dst, begin, q.speech.words(words))
			return nil
		})
		return
	}
	states := f32.New(len(words), q.Dim())
	for i := range states.Rows {
		q.start(states.Row(i))
	}
	order, depth := word.LongestFirst(words), 0
	q.follow(states, words, order, func(states f32.Matrix, running []int, _ int) {
		for row, i := range running {
			copy(dst.Row(begin[i]+depth), states.Row(row))
		}
		depth++
	})
}

// follow steps states through words side by side: row i is where the word order[i] begins, and order is that of
// [word.LongestFirst]. Before each step, visit is given the states that are left, which word each belongs to, and how many go on:
// the others, which are at the end of their words, stand behind those.
func (q *Inquiry) follow(states f32.Matrix, words []word.Word, order []int, visit func(states f32.Matrix, running []int, going int)) {
	on := make([]word.Symbol, len(order))
	for depth, going := 0, 0; len(order) > 0; depth++ {
		for going = 0; going < len(order) && depth < len(words[order[going]]); going++ {
			on[going] = words[order[going]][depth]
		}
		visit(states.View(0, len(order)), order, going)
		order = order[:going]
		q.Step(states.View(0, going), on[:going])
	}
}
