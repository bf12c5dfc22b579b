package rnn

import (
	"context"
	"slices"

	"quotient/f32"
	"quotient/internal/parallel"
	"quotient/word"
)

// A Reader answers for whole words, also where a network is bidirectional and has
// no state that belongs to a prefix.
type Reader struct {
	stack   *Stack
	threads int
	layers  []twoWay
	input   [2]tokenGates // forward, backward
	head    head
}

// twoWay is a layer in one direction or in both.
type twoWay struct{ forward, backward *runLayer }

// Reader returns a reader that uses as many threads, or one for every core if that
// is 0.
func (s *Stack) Reader(threads int) (*Reader, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	r := &Reader{stack: s, threads: orAllCores(threads), head: newHead(s)}
	for i := range s.Layers {
		forward := newRunLayer(&s.Layers[i])
		y := twoWay{forward: &forward}
		if s.Layers[i].Reverse != nil {
			backward := newRunLayer(s.Layers[i].Reverse)
			y.backward = &backward
		}
		r.layers = append(r.layers, y)
	}
	if top := r.layers[len(r.layers)-1]; s.Summary == FinalCells {
		top.forward.cells = true
		if top.backward != nil {
			top.backward.cells = true
		}
	}
	r.input[0] = newTokenGates(s, r.layers[0].forward)
	if b := r.layers[0].backward; b != nil {
		r.input[1] = newTokenGates(s, b)
	}
	return r, nil
}

// Alphabet returns the network's alphabet.
func (r *Reader) Alphabet() *word.Alphabet { return r.stack.Alphabet }

// Outputs returns as many as a [Runner] does.
func (r *Reader) Outputs() int { return r.stack.numbers() }

// Answer writes for every word the probability that it is in the language or, of a language
// model, those of what comes next.
func (r *Reader) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	if r.stack.Next != nil {
		r.groups(words, func(which []int, summary f32.Matrix) {
			out := f32.New(len(which), dst.Cols)
			r.head.next(out, summary, r.stack)
			for i, w := range which {
				copy(dst.Row(w), out.Row(i))
			}
		})
		return nil
	}
	answer(dst, r.Logits(words))
	return nil
}

// Logits returns for every word how sure the network is that it is in the language.
// Words of the same length run together.
func (r *Reader) Logits(words []word.Word) []float32 {
	dst := make([]float32, len(words))
	r.groups(words, func(which []int, summary f32.Matrix) {
		out := make([]float32, len(which))
		r.head.logit(out, summary)
		for i, w := range which {
			dst[w] = out[i]
		}
	})
	return dst
}

// groups calls yield with what the head reads of words, those of one length together, on
// several threads.
func (r *Reader) groups(words []word.Word, yield func(which []int, summary f32.Matrix)) {
	order := word.LongestFirst(words)
	var groups [][]int
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && to-from < chunk && len(words[order[to]]) == len(words[order[from]]) {
			to++
		}
		groups = append(groups, order[from:to])
		from = to
	}
	parallel.Do(r.threads, len(groups), func(k int) {
		yield(groups[k], r.run(words, groups[k]))
	})
}

// run returns what the head reads of words of one length.
func (r *Reader) run(words []word.Word, which []int) f32.Matrix {
	tokens := r.tokens(words, which)
	top := r.layers[len(r.layers)-1]
	summary := f32.New(len(which), r.head.inputs())
	if len(tokens) == 0 { // nothing is read, and all states are zero
		top.forward.norm.apply(summary)
		return summary
	}
	var below []f32.Matrix // of each time: rows × outputs of the layer below
	for l, y := range r.layers {
		hidden := y.forward.Hidden
		width := hidden
		if y.backward != nil {
			width += y.backward.Hidden
		}
		out := make([]f32.Matrix, len(tokens))
		for t := range out {
			out[t] = f32.New(len(which), f32.Padded(width))
		}
		feed := func(way int, y *runLayer) func(gates f32.Matrix, t int) f32.Lookup {
			return func(gates f32.Matrix, t int) f32.Lookup {
				if l > 0 {
					y.Feed(gates, below[t])
					return f32.Lookup{}
				}
				return r.input[way].feed(y, gates, tokens[t], f32.New(len(which), r.input[way].embed.Cols))
			}
		}
		sweep(y.forward, out, 0, false, feed(0, y.forward))
		if y.backward != nil {
			sweep(y.backward, out, hidden, true, feed(1, y.backward))
		}
		for t := range out {
			y.forward.norm.apply(out[t].Columns(0, width))
		}
		below = out
	}
	if r.stack.Pool != PoolLast {
		pool(summary, below, r.stack.Pool)
		return summary
	}
	copyRows(summary, below[len(below)-1].Columns(0, summary.Cols))
	if top.backward != nil && r.stack.Summary != LastOutput {
		copyRows(summary.Columns(top.forward.Hidden, summary.Cols), below[0].Columns(top.forward.Hidden, summary.Cols))
	}
	return summary
}

// pool writes the mean or the maximum over time.
func pool(dst f32.Matrix, outputs []f32.Matrix, how Pool) {
	for i := range dst.Rows {
		row := dst.Row(i)
		copy(row, outputs[0].Row(i))
		for _, m := range outputs[1:] {
			for k, x := range m.Row(i)[:len(row)] {
				if how == PoolMax {
					row[k] = max(row[k], x)
				} else {
					row[k] += x
				}
			}
		}
		for k := range row {
			if how == PoolMean {
				row[k] /= float32(len(outputs))
			}
		}
	}
}

// tokens returns what is read at each time, <bos>, <eos> and padding included.
func (r *Reader) tokens(words []word.Word, which []int) [][]int32 {
	var tokens [][]int32
	all := func(token int32) {
		if token == None {
			return
		}
		row := make([]int32, len(which))
		for i := range row {
			row[i] = token
		}
		tokens = append(tokens, row)
	}
	pad := r.stack.Pad
	missing := pad.To - len(words[which[0]])
	for _, token := range []int32{r.stack.Bos, r.stack.Eos} {
		if token != None {
			missing--
		}
	}
	for k := 0; pad.Left && k < missing; k++ {
		all(pad.Token)
	}
	all(r.stack.Bos)
	for k := range words[which[0]] {
		row := make([]int32, len(which))
		for i, w := range which {
			row[i] = r.stack.Token[words[w][k]]
		}
		tokens = append(tokens, row)
	}
	all(r.stack.Eos)
	for k := 0; !pad.Left && k < missing; k++ {
		all(pad.Token)
	}
	if r.stack.Reverse {
		slices.Reverse(tokens)
	}
	return tokens
}

// sweep runs a layer through time in one direction and writes its states to the
// columns of out from at on.
func sweep(y *runLayer, out []f32.Matrix, at int, backward bool, feed func(gates f32.Matrix, t int) f32.Lookup) {
	s := y.newScratch(out[0].Rows)
	for k := range out {
		t := k
		if backward {
			t = len(out) - 1 - k
		}
		y.step(s, feed(s.gates, t))
		state := s.h
		if y.cells {
			state = s.c
		}
		copyRows(out[t].Columns(at, at+y.Hidden), state)
		s.h, s.before = s.before, s.h
		s.c, s.cellBefore = s.cellBefore, s.c
	}
}
