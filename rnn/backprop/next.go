package backprop

import (
	"math"

	"quotient/f32"
	"quotient/rnn"
)

// This file is the head of a language model: a linear unit for each next symbol and, last, for the
// end, and the cross entropy of what comes next after every prefix.

// next holds its weights as the products want them. p is the number of outputs in whole blocks; what
// stands beyond them is zero.
type next struct {
	outputs int
	weight  f32.Matrix // p × w
	t       f32.Matrix // w × p: transposed
	bias    []float32  // p
}

func newNext(s rnn.Shape) next {
	if s.Outputs == 0 {
		return next{}
	}
	p, w := f32.Padded(s.Outputs), f32.Padded(s.Hidden)
	return next{s.Outputs, f32.New(p, w), f32.New(w, p), f32.Slice(p)}
}

func (n *next) load(d rnn.Dense) {
	for i := range n.outputs {
		copy(n.weight.Row(i), d.Weight.Row(i))
	}
	f32.Transpose(n.t, n.weight)
	copy(n.bias, d.Bias)
}

// A nextDesk is room for what a shard's words predict.
type nextDesk struct {
	logit  f32.Matrix // T*R × p: then their gradient
	target []int32    // T*R: the output that was meant, or -1 past a word's end
}

func (d *nextDesk) fit(rows, p int) {
	if d.logit.Rows < rows {
		d.logit, d.target = f32.New(rows, p), make([]int32, rows)
	}
}

// passNext is [Trainer.pass] for a language model.
func (t *Trainer) passNext(s *shard, d *desk, steps int) {
	words := len(s.words)
	rows := steps * words
	d.next.fit(d.rows, t.next.weight.Rows)
	t.input.layNext(d.token[:rows], d.next.target[:rows], t.from, s)
	t.forward(d, steps, words)
	top := d.trace[len(t.layer)-1].h.View(words, rows+words)
	logit := d.next.logit.View(0, rows)
	for i := range rows {
		copy(logit.Row(i), t.next.bias)
	}
	f32.MulAdd(logit, top, t.next.t)

	clear(s.grad.live(len(t.input.used)))
	loss := 0.0
	for i, target := range d.next.target[:rows] {
		loss += crossEntropy(logit.Row(i)[:t.next.outputs], target, s.scale)
		add(s.grad.headBias, logit.Row(i))
	}
	s.loss = loss * float64(s.scale)
	t.backward(s.grad, d, steps, words, tip{
		above: func(k int, dh f32.Matrix) []float32 {
			f32.MulAdd(dh, logit.View(k, k+words), t.next.weight)
			return d.none[:words]
		},
		below: func(i, j int) {
			f32.MulAddT(s.grad.head, logit.View(i, j).Columns(0, t.next.outputs), top.View(i, j))
		},
	})
}

// crossEntropy returns minus the logarithm of the probability of the output that was meant, and turns
// logits into the gradient of that, times scale. If none was meant, all is zero.
func crossEntropy(logit []float32, meant int32, scale float32) float64 {
	if meant < 0 {
		clear(logit)
		return 0
	}
	top := logit[0]
	for _, x := range logit {
		top = max(top, x)
	}
	sum := 0.0
	for _, x := range logit {
		sum += math.Exp(float64(x - top))
	}
	loss := math.Log(sum) - float64(logit[meant]-top)
	for i, x := range logit {
		logit[i] = scale * float32(math.Exp(float64(x-top))/sum)
	}
	logit[meant] -= scale
	return loss
}

// layNext writes a shard's tokens as rows of the table, step by step, <bos> first, and what comes
// next at each: a symbol, the end, or -1 past it.
func (in *input) layNext(token, target []int32, n *rnn.Stack, s *shard) {
	words := len(s.words)
	bos := in.row[n.Bos]
	for i, w := range s.words {
		for at, k := i, 0; at < len(token); at, k = at+words, k+1 {
			token[at], target[at] = bos, -1
			if k > 0 && k <= len(w) {
				token[at] = in.row[n.Token[w[k-1]]]
			}
			switch {
			case k < len(w):
				target[at] = int32(w[k])
			case k == len(w):
				target[at] = int32(len(n.Token))
			}
		}
	}
}
