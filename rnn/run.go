package rnn

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"quotient/f32"
	"quotient/word"
)

// A Runner steps a network through many words at once. It holds a copy of the
// parameters, and may be used by several goroutines at a time.
//
// A state is one row of Dim numbers: layer after layer its h, followed in an LSTM
// by its c. What becomes of a row does not depend on the other rows.
type Runner struct {
	shape   Shape
	letters *word.Alphabet
	token   []int32
	bos     int32
	threads int
	weights *weights
	embed   f32.Matrix // all embeddings
	table   f32.Matrix // their share of the first layer's gates, if tokens are few
	pool    sync.Pool  // of *scratch
}

// NewRunner returns a runner that uses as many threads, or one for every core if
// that is 0.
func NewRunner(n *Network, threads int) *Runner {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	r := &Runner{shape: n.Shape, letters: n.Alphabet, token: n.Token, bos: n.Bos, threads: threads, weights: newWeights(n.Shape)}
	r.weights.load(n)
	first := &r.weights.layer[0]
	r.embed = f32.New(n.Tokens, first.in.t.Cols)
	copyRows(r.embed, n.embedding().matrix())
	if n.Tokens <= 1024 {
		r.table = f32.New(n.Tokens, first.bias.Cols)
		r.weights.feed(first, r.table, r.embed)
	}
	r.pool.New = func() any { return newScratch(r.weights) }
	return r
}

// Alphabet returns the network's alphabet.
func (r *Runner) Alphabet() *word.Alphabet { return r.letters }

// Dim returns the number of columns of a state.
func (r *Runner) Dim() int { return r.shape.Layers * r.perLayer() }

// perLayer returns the number of columns of one layer's state.
func (r *Runner) perLayer() int {
	if r.shape.Cell == LSTM {
		return 2 * r.shape.Hidden
	}
	return r.shape.Hidden
}

// Start writes the state after the empty word.
func (r *Runner) Start(dst []float32) {
	if len(dst) != r.Dim() {
		panic(fmt.Sprintf("rnn: a state of %d numbers, not %d", len(dst), r.Dim()))
	}
	clear(dst)
	s := r.pool.Get().(*scratch)
	defer r.pool.Put(s)
	m := f32.Of(1, len(dst), dst)
	s.token[0] = r.bos
	r.step(s, m, m)
}

// Step writes for every row of src the state after reading the symbol on[i]
// there. dst may be src.
func (r *Runner) Step(dst, src f32.Matrix, on []word.Symbol) {
	if dst.Cols != r.Dim() || src.Cols != r.Dim() || dst.Rows != len(on) || src.Rows != len(on) {
		panic(fmt.Sprintf("rnn: step from %d×%d to %d×%d on %d symbols, with states of %d numbers",
			src.Rows, src.Cols, dst.Rows, dst.Cols, len(on), r.Dim()))
	}
	r.chunks(len(on), func(s *scratch, i, j int) {
		for k, x := range on[i:j] {
			s.token[k] = r.token[x]
		}
		r.step(s, dst.View(i, j), src.View(i, j))
	})
}

// Logit writes for every state how sure the network is that its word is in the
// language: the logarithm of the odds.
func (r *Runner) Logit(dst []float32, src f32.Matrix) {
	if src.Cols != r.Dim() {
		panic(fmt.Sprintf("rnn: states of %d numbers, not %d", src.Cols, r.Dim()))
	}
	top := (r.shape.Layers - 1) * r.perLayer()
	f32.Dots(dst, src.Columns(top, top+r.shape.Hidden), r.weights.head.Data[:r.shape.Hidden])
	for i := range dst {
		dst[i] += r.weights.headBias
	}
}

// Score writes for every state the probability that its word is in the language.
func (r *Runner) Score(dst []float32, src f32.Matrix) {
	r.Logit(dst, src)
	f32.Sigmoid(dst, dst)
}

// chunk is how many rows are computed together: they stay in cache.
const chunk = 64

// chunks calls f for stretches of n rows, on several threads if there are many.
func (r *Runner) chunks(n int, f func(s *scratch, i, j int)) {
	parallel(r.threads, (n+chunk-1)/chunk, func(k int) {
		s := r.pool.Get().(*scratch)
		f(s, k*chunk, min((k+1)*chunk, n))
		r.pool.Put(s)
	})
}

// parallel calls f for 0 to n-1 on as many threads.
func parallel(threads, n int, f func(k int)) {
	var next atomic.Int64
	work := func() {
		for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
			f(int(k))
		}
	}
	var wg sync.WaitGroup
	for range min(threads, n) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// A scratch is room for one chunk, in the layout of weights.
type scratch struct {
	token        []int32
	x            f32.Matrix // chunk × e: embeddings
	gates        f32.Matrix // chunk × parts*w
	h, before    f32.Matrix // chunk × w
	c, tc, cellB f32.Matrix // chunk × w: cell, its tanh, and the cell before
}

func newScratch(p *weights) *scratch {
	s := &scratch{token: make([]int32, chunk), x: f32.New(chunk, p.layer[0].in.t.Cols), gates: f32.New(chunk, p.layer[0].bias.Cols)}
	for _, m := range []*f32.Matrix{&s.h, &s.before, &s.c, &s.tc, &s.cellB} {
		*m = f32.New(chunk, p.w)
	}
	return s
}

// step reads the tokens of s from states src.
func (r *Runner) step(s *scratch, dst, src f32.Matrix) {
	p, n, hidden := r.weights, src.Rows, r.shape.Hidden
	gates, h, before := s.gates.View(0, n), s.h.View(0, n), s.before.View(0, n)
	for l := range p.layer {
		y := &p.layer[l]
		switch {
		case l > 0:
			p.feed(y, gates, h)
		case r.table.Rows > 0:
			f32.Gather(gates, r.table, s.token[:n])
		default:
			x := s.x.View(0, n)
			f32.Gather(x, r.embed, s.token[:n])
			p.feed(y, gates, x)
		}
		at := l * r.perLayer()
		copyRows(before, src.Columns(at, at+hidden))
		p.mulInto(gates, before, &y.rec, 0)
		switch r.shape.Cell {
		case Elman:
			f32.Tanh(h.Data, gates.Data)
		case GRU:
			f32.GRUForward(gates, h, before)
		case LSTM:
			c, cellB := s.c.View(0, n), s.cellB.View(0, n)
			copyRows(cellB, src.Columns(at+hidden, at+2*hidden))
			f32.LSTMForward(gates, h, c, s.tc.View(0, n), cellB)
			copyRows(dst.Columns(at+hidden, at+2*hidden), c)
		}
		copyRows(dst.Columns(at, at+hidden), h)
	}
}
