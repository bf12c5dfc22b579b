package rnn

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"quotient/f32"
	"quotient/internal/parallel"
	"quotient/word"
)

// A Runner steps a network through many words at once. It holds a copy of the
// recurrent weights, and may be used by several goroutines at a time.
//
// A state is one row of Dim numbers: layer after layer its h, followed in an LSTM
// by its c. What becomes of a row does not depend on the other rows.
type Runner struct {
	stack   *Stack
	threads int
	dim     int
	layers  []runLayer
	input   tokenGates
	head    head
	start   []float32 // the state after the empty word
	pool    sync.Pool // of *scratch
}

// NewRunner returns a runner that uses as many threads, or one for every core if
// that is 0.
func NewRunner(n *Network, threads int) *Runner {
	r, err := n.Stack().Runner(threads)
	if err != nil {
		panic("rnn: " + err.Error()) // a Network fits together
	}
	return r
}

// ErrBidirectional says why some networks have no states to merge.
var ErrBidirectional = errors.New("the network is bidirectional: it reads words from their end as well, so that no state of it belongs to a prefix")

// ErrWholeWords says why others have none.
var ErrWholeWords = errors.New("the network looks at whole words, which are padded, read from their end, or whose outputs are pooled, so that no state of it belongs to a prefix")

// Runner returns a runner that uses as many threads, or one for every core if that
// is 0. A network that looks at whole words has none: see [Stack.Reader].
func (s *Stack) Runner(threads int) (*Runner, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	if s.Bidirectional() {
		return nil, ErrBidirectional
	}
	if s.Pool != PoolLast || s.Pad.To > 0 || s.Reverse {
		return nil, ErrWholeWords
	}
	r := &Runner{stack: s, threads: orAllCores(threads), head: newHead(s)}
	for i := range s.Layers {
		y := newRunLayer(&s.Layers[i])
		y.at = r.dim
		r.dim += s.Layers[i].width()
		r.layers = append(r.layers, y)
	}
	r.head.first = s.Layers[len(s.Layers)-1].Norm
	r.input = newTokenGates(s, &r.layers[0])
	r.pool.New = func() any { return r.newScratch() }
	r.begin()
	return r, nil
}

// begin reads <bos>, once for all words.
func (r *Runner) begin() {
	r.start = make([]float32, r.dim)
	if r.stack.Bos == None {
		return
	}
	s := r.newScratch()
	m := f32.Of(1, r.dim, r.start)
	s.token[0] = r.stack.Bos
	r.step(s, m, m)
}

func orAllCores(threads int) int {
	if threads <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}

// Alphabet returns the network's alphabet. With the other methods it makes a Runner an
// oracle.Stepper.
func (r *Runner) Alphabet() *word.Alphabet { return r.stack.Alphabet }

// Dim returns the number of columns of a state.
func (r *Runner) Dim() int { return r.dim }

// Start writes the state after the empty word: that after <bos>, or zeros if the
// network reads no such token.
func (r *Runner) Start(dst []float32) error {
	if len(dst) != r.Dim() {
		panic(fmt.Sprintf("rnn: a state of %d numbers, not %d", len(dst), r.Dim()))
	}
	copy(dst, r.start)
	return nil
}

// Step writes for every row of src the state after reading the symbol on[i]
// there. dst may be src.
func (r *Runner) Step(dst, src f32.Matrix, on []word.Symbol) error {
	if dst.Cols != r.Dim() || src.Cols != r.Dim() || dst.Rows != len(on) || src.Rows != len(on) {
		panic(fmt.Sprintf("rnn: step from %d×%d to %d×%d on %d symbols, with states of %d numbers",
			src.Rows, src.Cols, dst.Rows, dst.Cols, len(on), r.Dim()))
	}
	r.chunks(len(on), func(s *scratch, i, j int) {
		for k, x := range on[i:j] {
			s.token[k] = r.stack.Token[x]
		}
		r.step(s, dst.View(i, j), src.View(i, j))
	})
	return nil
}

// Logit writes for every state how sure the network is that its word is in the
// language: the logarithm of the odds. If there is an <eos> token, it is read
// first.
func (r *Runner) Logit(dst []float32, src f32.Matrix) {
	if src.Cols != r.Dim() || len(dst) != src.Rows {
		panic(fmt.Sprintf("rnn: %d states of %d numbers for %d logits, not of %d", src.Rows, src.Cols, len(dst), r.Dim()))
	}
	if r.stack.Eos == None {
		r.head.logit(dst, r.summary(src))
		return
	}
	r.chunks(src.Rows, func(_ *scratch, i, j int) { r.logit(dst[i:j], src.View(i, j)) })
}

// logit does so for up to a chunk of states.
func (r *Runner) logit(dst []float32, src f32.Matrix) {
	if src.Rows == 0 {
		return
	}
	if r.stack.Eos != None {
		s := r.pool.Get().(*scratch)
		defer r.pool.Put(s)
		for k := range src.Rows {
			s.token[k] = r.stack.Eos
		}
		end := f32.New(src.Rows, r.Dim())
		r.step(s, end, src)
		src = end
	}
	r.head.logit(dst, r.summary(src))
}

// summary returns what the head reads of states.
func (r *Runner) summary(states f32.Matrix) f32.Matrix {
	top := &r.layers[len(r.layers)-1]
	at := top.at
	if r.stack.Summary == FinalCells {
		at += top.Hidden
	}
	return states.Columns(at, at+top.Hidden)
}

// Read writes for every state the probability that its word is in the language or, of a
// language model, those of each next symbol and of the end.
func (r *Runner) Read(dst, states f32.Matrix) error {
	if r.stack.Next != nil {
		r.chunks(states.Rows, func(_ *scratch, i, j int) {
			r.head.next(dst.View(i, j), r.summary(states.View(i, j)), r.stack)
		})
		return nil
	}
	r.Logit(dst.Data[:dst.Rows], states)
	squash(dst.Data[:dst.Rows])
	return nil
}

// Outputs returns 1, for the probability that a word is in the language; of a language
// model, how many symbols there are, and one for the end.
func (r *Runner) Outputs() int { return r.stack.numbers() }

// numbers returns how many an answer has.
func (s *Stack) numbers() int { return max(1, len(s.Next)) }

// squash turns logits into probabilities. The kernel may be wrong by 1e-6 and more, but
// a probability is over 1/2 exactly if the logit is over 0: small ones are moved away
// from 0 first.
func squash(logit []float32) {
	const small = 1e-5
	for i, x := range logit {
		switch {
		case x > 0 && x < small:
			logit[i] = small
		case x < 0 && x > -small:
			logit[i] = -small
		}
	}
	f32.Sigmoid(logit, logit)
}

// Answer writes for every word the probability that it is in the language or, of a language
// model, those of what comes next.
func (r *Runner) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	if r.stack.Next != nil {
		r.finals(words, func(which []int, states f32.Matrix) {
			out := f32.New(len(which), dst.Cols)
			r.head.next(out, r.summary(states), r.stack)
			for i, w := range which {
				copy(dst.Row(w), out.Row(i))
			}
		})
		return nil
	}
	answer(dst, r.Logits(words))
	return nil
}

// answer writes the probabilities of logits.
func answer(dst f32.Matrix, logits []float32) {
	squash(logits)
	copy(dst.Data, logits)
}

// Logits returns for every word how sure the network is that it is in the language.
func (r *Runner) Logits(words []word.Word) []float32 {
	p := make([]float32, len(words))
	r.finals(words, func(which []int, states f32.Matrix) {
		out := make([]float32, len(which))
		r.logit(out, states)
		for i, w := range which {
			p[w] = out[i]
		}
	})
	return p
}

// finals calls yield with the states of words, chunk after chunk, each given by the indices
// of its words, on several threads.
func (r *Runner) finals(words []word.Word, yield func(which []int, states f32.Matrix)) {
	order := word.LongestFirst(words)
	rows := min(chunk, r.share(len(words), 4)) // the first words are the longest
	parallel.Do(r.threads, (len(words)+rows-1)/rows, func(k int) {
		which := order[k*rows : min((k+1)*rows, len(words))]
		yield(which, r.run(words, which, r.begins, nil))
	})
}

// chunk is how many rows are computed together: they stay in cache. The weights of large layers do not, and
// more rows share them, and the copies that large products make of them.
const (
	chunk      = 64
	fewRows    = 16 // worth handing to another thread
	largeChunk = 512
	large      = 512 // units
)

// rows returns how many rows are computed together at most.
func (r *Runner) rows() int {
	for i := range r.layers {
		if r.layers[i].Hidden >= large {
			return largeChunk
		}
	}
	return chunk
}

// share returns how many of n rows are computed together if every thread is to do them in so many parts: no more than stay in
// cache, and not so few that handing them out costs more than it saves.
func (r *Runner) share(n, parts int) int {
	if r.threads == 1 {
		return r.rows()
	}
	each := (n + r.threads - 1) / r.threads
	parts = max(parts, (each+r.rows()-1)/r.rows())
	return min(r.rows(), max(fewRows, f32.FullRows((each+parts-1)/parts)))
}

// chunks calls f for stretches of n rows, on several threads if there are many.
func (r *Runner) chunks(n int, f func(s *scratch, i, j int)) {
	rows := r.share(n, 1)
	parallel.Do(r.threads, (n+rows-1)/rows, func(k int) {
		s := r.pool.Get().(*scratch)
		f(s, k*rows, min((k+1)*rows, n))
		r.pool.Put(s)
	})
}

// A scratch is room for one chunk.
type scratch struct {
	token []int32
	x     f32.Matrix // chunk × e: embeddings
	layer []layerScratch
}

func (r *Runner) newScratch() *scratch {
	rows := r.rows()
	s := &scratch{token: make([]int32, rows), x: f32.New(rows, r.input.embed.Cols)}
	for i := range r.layers {
		y := &r.layers[i]
		if i == 0 || !y.sharesRoom(&r.layers[i-1]) {
			s.layer = append(s.layer, y.newScratch(rows))
			continue
		}
		t := s.layer[i-1] // which is done when this layer begins, but for what it passes on
		t.h = f32.New(t.h.Rows, t.h.Cols)
		s.layer = append(s.layer, t)
	}
	return s
}

// step reads the tokens of s from states src. What else is in the scratch is computed as well where that costs nothing, and
// nobody reads it.
func (r *Runner) step(s *scratch, dst, src f32.Matrix) {
	n := f32.FullRows(src.Rows)
	for l := range r.layers {
		y, t := &r.layers[l], s.layer[l].first(n)
		var from f32.Lookup
		if l == 0 {
			from = r.input.feed(y, t.gates, s.token[:n], s.x)
		} else {
			below := s.layer[l-1].h.View(0, n)
			r.layers[l-1].norm.apply(below.Columns(0, r.layers[l-1].Hidden)) // its state is copied already
			y.Feed(t.gates, below)
		}
		h, c := y.at+y.Hidden, y.at+2*y.Hidden
		copyRows(t.before, src.Columns(y.at, h))
		if y.Cell.Memory {
			copyRows(t.cellBefore, src.Columns(h, c))
		}
		y.step(t, from)
		copyRows(dst.Columns(y.at, h), t.h.View(0, src.Rows))
		if y.Cell.Memory {
			copyRows(dst.Columns(h, c), t.c.View(0, src.Rows))
		}
	}
}
