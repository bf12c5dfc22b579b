package backprop

import "quotient/f32"

// A desk is a thread's room for one shard at a time.
type desk struct {
	rows   int // steps times words there is room for
	words  int
	trace  []trace
	above  f32.Matrix // T*R × w: the gradient that a layer passes to the one below
	dh, dc f32.Matrix // R × w
	token  []int32    // T*R: the table's row for each step and word
	none   []float32  // R zeros

	logit, dlogit, loss, sign []float32 // T*R each
	next                      nextDesk  // in place of them, for a language model
}

// fit makes room.
func (d *desk) fit(layers []layer, steps, words int) {
	if d.rows >= steps*words && d.words >= words {
		return
	}
	d.rows, d.words = max(d.rows, steps*words), max(d.words, words)
	d.trace = nil
	for l := range layers {
		d.trace = append(d.trace, layers[l].newTrace(d.rows, d.words))
	}
	w := f32.Padded(layers[0].Hidden)
	if len(layers) > 1 {
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
	d.fit(t.layer, steps, words)
	if t.Network.Outputs > 0 {
		t.passNext(s, d, steps)
		return
	}
	t.input.lay(d.token[:rows], d.sign[:rows], t.from, s)
	t.forward(d, steps, words)
	top := d.trace[len(t.layer)-1].h.View(words, rows+words)
	f32.Dots(d.logit[:rows], top, t.head)
	for i := range d.logit[:rows] {
		d.logit[i] += t.headBias
	}

	n := f32.Padded(rows)
	clear(d.sign[rows:n])
	clear(d.logit[rows:n])
	f32.Logistic(d.dlogit[:n], d.loss[:n], d.logit[:n], d.sign[:n], s.scale)
	s.loss = 0
	for _, x := range d.loss[:rows] {
		s.loss += float64(x)
	}
	s.loss *= float64(s.scale)
	clear(s.grad.live(len(t.input.used)))
	dlogit := f32.Of(rows, 1, d.dlogit[:rows])
	for _, x := range dlogit.Data {
		s.grad.headBias[0] += x
	}
	t.backward(s.grad, d, steps, words, tip{
		above: func(k int, _ f32.Matrix) []float32 { return dlogit.Data[k : k+words] },
		below: func(i, j int) { f32.MulAddT(s.grad.head, dlogit.View(i, j), top.View(i, j)) },
	})
}

// forward fills the traces.
func (t *Trainer) forward(d *desk, steps, words int) {
	rows := steps * words
	from := source{table: t.input.table, token: d.token[:rows]}
	for l := range t.layer {
		t.layer[l].forward(&d.trace[l], steps, words, from)
		from = source{below: d.trace[l].h.View(words, rows+words)}
	}
}

// A tip is where gradients begin: the head above the last layer.
type tip struct {
	above func(k int, dh f32.Matrix) (dy []float32) // of the step at row k: adds to dh, or returns the logits' gradient
	below func(i, j int)                            // adds to the head's gradient for rows i to j of a span
}

// backward adds to the gradient, from the head's down to the table's.
func (t *Trainer) backward(grad *gradient, d *desk, steps, words int, head tip) {
	b := back{dh: d.dh.View(0, words), dc: d.dc.View(0, words), head: t.head}
	top := len(t.layer) - 1
	for l := top; l >= 0; l-- {
		g, y := &grad.layer[l], &t.layer[l]
		above := func(k int) []float32 {
			if l == top {
				return head.above(k, b.dh)
			}
			add(b.dh.Data, d.above.View(k, k+words).Data)
			return d.none[:words]
		}
		below := func(gates f32.Matrix, i, j int) {
			if l == top {
				head.below(i, j)
			}
			if l == 0 {
				f32.ScatterAdd(grad.table, gates, d.token[i:j])
				return
			}
			for k := range gates.Rows {
				add(g.Bias.Data, gates.Row(k))
			}
			y.In.AddGradient(&g.In, gates, d.trace[l-1].h.View(i+words, j+words))
			clear(d.above.View(i, j).Data)
			y.In.Backward(d.above.View(i, j), gates)
		}
		y.backward(g, &d.trace[l], steps, b, above, below)
	}
}

func add(dst, x []float32) { f32.Axpy(dst, 1, x) }
