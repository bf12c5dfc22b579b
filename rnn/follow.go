package rnn

import (
	"quotient/f32"
	"quotient/internal/parallel"
	"quotient/word"
)

// Words that are read side by side could be stepped one symbol at a time, all of them, and read where they end. But a step of a few
// hundred rows is over before a second thread has got hold of its share, and in between all states go through memory. So
// each thread follows some of the words to their end.

// AnswerAfter writes for each of some rows of states the probability that the network accepts after one more suffix: to the last bit
// what [Runner.Step] and [Runner.Read] say if the longest suffixes come first and those of one length are read together.
func (r *Runner) AnswerAfter(dst []float32, states f32.Matrix, rows []int, suffixes []word.Word) {
	order := word.LongestFirst(suffixes)
	p := make([]float32, len(order))
	r.follow(suffixes, order, func(i int) []float32 { return states.Row(rows[i]) }, func(at, _ int, states f32.Matrix, going int) {
		r.logit(p[at+going:at+states.Rows], states.View(going, states.Rows))
	})
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && len(suffixes[order[to]]) == len(suffixes[order[from]]) {
			to++
		}
		squash(p[from:to])
		from = to
	}
	for k, i := range order {
		dst[i] = p[k]
	}
}

// AnswerAlong returns the probabilities for all prefixes of words: for every length those of all words that are so long, in the order
// of [word.LongestFirst].
func (r *Runner) AnswerAlong(words []word.Word) [][]float32 {
	order := word.LongestFirst(words)
	var p [][]float32
	for n := len(order); n > 0; {
		p = append(p, make([]float32, n))
		for n > 0 && len(words[order[n-1]]) < len(p) {
			n--
		}
	}
	r.follow(words, order, r.begins, func(at, depth int, states f32.Matrix, _ int) {
		r.logit(p[depth][at:at+states.Rows], states)
	})
	for _, ofLength := range p {
		squash(ofLength)
	}
	return p
}

// States writes the states after all prefixes of words, those of word i to the rows from begin[i] on.
func (r *Runner) States(dst f32.Matrix, begin []int, words []word.Word) {
	order := word.LongestFirst(words)
	r.follow(words, order, r.begins, func(at, depth int, states f32.Matrix, _ int) {
		for k := range states.Rows {
			copy(dst.Row(begin[order[at+k]]+depth), states.Row(k))
		}
	})
}

// begins returns the state in which a word begins.
func (r *Runner) begins(int) []float32 { return r.start }

// follow reads words in the given order, the longest first, and from given states. Before each symbol, and at the end, visit is given the
// states of words from one on in this order, how many symbols were read, and how many of these words go on. Several threads call it, for different words.
func (r *Runner) follow(words []word.Word, order []int, begin func(i int) []float32, visit func(at, depth int, states f32.Matrix, going int)) {
	rows := r.share(len(order), 2)
	parallel.Do(r.threads, (len(order)+rows-1)/rows, func(k int) {
		at := k * rows
		r.run(words, order[at:min(at+rows, len(order))], begin, func(depth int, states f32.Matrix, going int) {
			visit(at, depth, states, going)
		})
	})
}

// run returns the states of up to a chunk of words, given by their indices, the longest first. It calls visit, if that is not nil, as follow does.
func (r *Runner) run(words []word.Word, which []int, begin func(i int) []float32, visit func(depth int, states f32.Matrix, going int)) f32.Matrix {
	s := r.pool.Get().(*scratch)
	defer r.pool.Put(s)
	states := f32.New(len(which), r.Dim())
	for i, w := range which {
		copy(states.Row(i), begin(w))
	}
	for depth, running := 0, len(which); running > 0; depth++ {
		going := running
		for going > 0 && len(words[which[going-1]]) == depth {
			going--
		}
		if visit != nil {
			visit(depth, states.View(0, running), going)
		}
		for i, w := range which[:going] {
			s.token[i] = r.stack.Token[words[w][depth]]
		}
		if running = going; running > 0 {
			r.step(s, states.View(0, running), states.View(0, running))
		}
	}
	return states
}
