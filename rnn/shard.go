package rnn

import (
	"fmt"

	"quotient/f32"
	"quotient/word"
)

// A desk is a thread's room for one shard at a time.
type desk struct {
	rows   int // steps times words there is room for
	words  int
	trace  []trace
	above  f32.Matrix // T*R × w: the gradient that a layer passes to the one below
	dh, dc f32.Matrix // R × w
	token  []int32    // T*R: the table's row for each step and word
	logit  []float32  // T*R each
	dlogit []float32
	loss   []float32
	sign   []float32
	none   []float32 // R zeros
}

// fit makes room.
func (d *desk) fit(s Shape, steps, words int) {
	if d.rows >= steps*words && d.words >= words {
		return
	}
	d.rows, d.words = max(d.rows, steps*words), max(d.words, words)
	d.trace = nil
	for range s.Layers {
		d.trace = append(d.trace, newTrace(s, d.rows, d.words))
	}
	w := f32.Padded(s.Hidden)
	if s.Layers > 1 {
		d.above = f32.New(d.rows, w)
	}
	d.dh, d.dc = f32.New(d.words, w), f32.New(d.words, w)
	d.token, d.none = make([]int32, d.rows), make([]float32, d.words)
	n := f32.Padded(d.rows)
	d.logit, d.dlogit, d.loss, d.sign = f32.Slice(n), f32.Slice(n), f32.Slice(n), f32.Slice(n)
}

// pass runs a shard forward and backward and leaves its gradient and loss in it.
func (t *Trainer) pass(s *shard, d *desk) {
	steps := 0
	for _, w := range s.words {
		steps = max(steps, len(w)+1)
	}
	words := len(s.words)
	rows := steps * words
	d.fit(t.Network.Shape, steps, words)
	t.input.lay(d.token[:rows], d.sign[:rows], s)
	t.forward(d, steps, words)

	n := f32.Padded(rows)
	clear(d.sign[rows:n])
	clear(d.logit[rows:n])
	f32.Logistic(d.dlogit[:n], d.loss[:n], d.logit[:n], d.sign[:n], s.scale)
	s.loss = 0
	for _, x := range d.loss[:rows] {
		s.loss += float64(x)
	}
	s.loss *= float64(s.scale)
	t.backward(s.grad, d, steps, words)
}

// forward fills the traces and the logits.
func (t *Trainer) forward(d *desk, steps, words int) {
	p, rows := t.weights, steps*words
	for l := range d.trace {
		from := source{table: t.input.table, token: d.token[:rows]}
		if l > 0 {
			from = source{below: d.trace[l-1].h.View(words, rows+words)}
		}
		p.forward(&p.layer[l], &d.trace[l], steps, words, from)
	}
	top := d.trace[len(d.trace)-1].h.View(words, rows+words)
	f32.Dots(d.logit[:rows], top, p.head.Data)
	for i := range d.logit[:rows] {
		d.logit[i] += p.headBias
	}
}

// backward sets the gradient, from the logits' down to the table's.
func (t *Trainer) backward(grad *gradient, d *desk, steps, words int) {
	p, rows := t.weights, steps*words
	clear(grad.live(len(t.input.used)))
	dlogit := f32.Of(rows, 1, d.dlogit[:rows])
	for _, x := range dlogit.Data {
		grad.headBias[0] += x
	}
	top, first := len(d.trace)-1, p.Cell.firstInput()
	for l := top; l >= 0; l-- {
		g, y := &grad.layer[l], &p.layer[l]
		above := func(dh f32.Matrix, k int) []float32 {
			if l == top {
				return dlogit.Data[k : k+words]
			}
			add(dh.Data, d.above.View(k, k+words).Data)
			return d.none[:words]
		}
		below := func(gates f32.Matrix, i, j int) {
			if l == top {
				f32.MulAddT(grad.head, dlogit.View(i, j), d.trace[l].h.View(i+words, j+words))
			}
			if l == 0 {
				f32.ScatterAdd(grad.table, gates, d.token[i:j])
				return
			}
			for k := range gates.Rows {
				add(g.bias.Data, gates.Row(k))
			}
			p.gradient(&g.in, gates, d.trace[l-1].h.View(i+words, j+words), &y.in, first)
			clear(d.above.View(i, j).Data)
			p.mulOutOf(d.above.View(i, j), gates, &y.in, first)
		}
		p.backward(g, y, &d.trace[l], steps, d.dh.View(0, words), d.dc.View(0, words), above, below)
	}
}

// input is the first layer's share of the work that depends on a token alone: a
// table of gates with a row for each token that a batch uses, made once a step.
// With two symbols it saves a product; with many, only those in use are paid for.
type input struct {
	used  []int32    // the tokens in use, in order of appearance
	row   []int32    // the table's row of each token, or -1
	embed f32.Matrix // rows × e: embeddings of the tokens in use
	table f32.Matrix // rows × parts*w: their share of the gates
	back  f32.Matrix // rows × e: the embeddings' gradient
	code  []int32    // the token of each symbol
	bos   int32
}

func newInput(s Shape) input {
	in := input{row: make([]int32, s.Tokens)}
	for i := range in.row {
		in.row[i] = -1
	}
	return in
}

// room returns how many tokens there is room for.
func (in *input) room() int { return cap(in.used) }

// load fills the table for the tokens of a batch.
func (in *input) load(n *Network, p *weights, words []word.Word) {
	for _, t := range in.used {
		in.row[t] = -1
	}
	in.code, in.bos = n.Token, n.Bos
	in.used = in.used[:0]
	in.use(n.Bos)
	for _, w := range words {
		for _, s := range w {
			if int(s) >= len(n.Token) {
				panic(fmt.Sprintf("rnn: symbol %d of an alphabet of %d", s, len(n.Token)))
			}
			in.use(n.Token[s])
		}
	}
	e := p.layer[0].in.t.Cols
	if in.table.Rows < len(in.used) {
		rows := cap(in.used)
		in.embed, in.back = f32.New(rows, e), f32.New(rows, e)
		in.table = f32.New(rows, p.layer[0].bias.Cols)
	}
	embedding := n.embedding().matrix()
	for i, t := range in.used {
		copy(in.embed.Row(i), embedding.Row(int(t)))
	}
	k := len(in.used)
	p.feed(&p.layer[0], in.table.View(0, k), in.embed.View(0, k))
}

// use gives a token a row.
func (in *input) use(t int32) {
	if in.row[t] < 0 {
		in.row[t] = int32(len(in.used))
		in.used = append(in.used, t)
	}
}

// lay writes a shard's tokens as rows of the table and its labels as signs, step
// by step, <bos> first. Past a word's end the sign is 0, so that whatever is read
// there changes nothing.
func (in *input) lay(token []int32, sign []float32, s *shard) {
	words := len(s.words)
	bos := in.row[in.bos]
	for i, w := range s.words {
		at := i
		for k, yes := range s.labels[i] {
			t := bos
			if k > 0 {
				t = in.row[in.code[w[k-1]]]
			}
			x := int32(-1)
			if yes { // a conditional move: labels are hard to predict
				x = 1
			}
			token[at], sign[at] = t, float32(x)
			at += words
		}
		for ; at < len(token); at += words {
			token[at], sign[at] = bos, 0
		}
	}
}

// backward turns the table's gradient into those of the first layer's biases and
// input matrix, and of the embedding, which it writes to dst.
func (in *input) backward(g *gradient, p *weights, dst *Network) {
	k := len(in.used)
	table, first := g.table.View(0, k), p.Cell.firstInput()
	for i := range k {
		add(g.layer[0].bias.Data, table.Row(i))
	}
	p.gradient(&g.layer[0].in, table, in.embed.View(0, k), &p.layer[0].in, first)
	back := in.back.View(0, k)
	clear(back.Data)
	p.mulOutOf(back, table, &p.layer[0].in, first)
	embedding := dst.embedding()
	clear(embedding.Data)
	for i, t := range in.used {
		copy(embedding.matrix().Row(int(t)), back.Row(i))
	}
}
