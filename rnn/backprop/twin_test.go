package backprop

import (
	"math"

	"quotient/rnn"
	"quotient/word"
)

// A twin is a network written down plainly in float64, one word at a time, as
// the oracle of the fast one.
type twin struct {
	*rnn.Network
	params []float64
}

func newTwin(n *rnn.Network) twin {
	t := twin{n, make([]float64, len(n.Params))}
	for i, x := range n.Params {
		t.params[i] = float64(x)
	}
	return t
}

// tensor returns the tensor's place among the parameters and its columns.
func (t twin) tensor(k int) (data []float64, cols int) {
	at := 0
	for _, x := range t.Tensors()[:k] {
		at += len(x.Data)
	}
	x := t.Tensors()[k]
	return t.params[at : at+len(x.Data)], x.Dims[len(x.Dims)-1]
}

// affine returns W x + b for rows [from, from+n) of W.
func affine(w []float64, b []float64, x []float64, from, n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = b[from+i]
		for j := range x {
			y[i] += w[(from+i)*len(x)+j] * x[j]
		}
	}
	return y
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// step returns the states of all layers after reading a token: h and c.
func (t twin) step(token int32, h, c [][]float64) (h2, c2 [][]float64) {
	e, cols := t.tensor(0)
	x := e[int(token)*cols : (int(token)+1)*cols]
	n := t.Hidden
	for l := range t.Layers {
		wi, _ := t.tensor(1 + 4*l)
		wh, _ := t.tensor(2 + 4*l)
		bi, _ := t.tensor(3 + 4*l)
		bh, _ := t.tensor(4 + 4*l)
		in := func(gate int) []float64 { return affine(wi, bi, x, gate*n, n) }
		rec := func(gate int) []float64 { return affine(wh, bh, h[l], gate*n, n) }
		hl, cl := make([]float64, n), make([]float64, n)
		var a, r [4][]float64
		for g := range t.Cell.Gates() {
			a[g], r[g] = in(g), rec(g)
		}
		for j := range n {
			switch t.Cell {
			case rnn.Elman:
				hl[j] = math.Tanh(a[0][j] + r[0][j])
			case rnn.GRU:
				reset, update := logistic(a[0][j]+r[0][j]), logistic(a[1][j]+r[1][j])
				cand := math.Tanh(a[2][j] + reset*r[2][j])
				hl[j] = (1-update)*cand + update*h[l][j]
			case rnn.LSTM:
				in, forget := logistic(a[0][j]+r[0][j]), logistic(a[1][j]+r[1][j])
				cand, out := math.Tanh(a[2][j]+r[2][j]), logistic(a[3][j]+r[3][j])
				cl[j] = forget*c[l][j] + in*cand
				hl[j] = out * math.Tanh(cl[j])
			}
		}
		h2, c2 = append(h2, hl), append(c2, cl)
		x = hl
	}
	return h2, c2
}

// logits returns the logit of every prefix.
func (t twin) logits(w word.Word) []float64 {
	var h, c [][]float64
	for range t.Layers {
		h, c = append(h, make([]float64, t.Hidden)), append(c, make([]float64, t.Hidden))
	}
	head, _ := t.tensor(len(t.Tensors()) - 2)
	bias, _ := t.tensor(len(t.Tensors()) - 1)
	out := make([]float64, len(w)+1)
	for k := range out {
		token := t.Bos
		if k > 0 {
			token = t.Token[w[k-1]]
		}
		h, c = t.step(token, h, c)
		out[k] = affine(head, bias, h[t.Layers-1], 0, 1)[0]
	}
	return out
}

// nextLogits returns a language model's logits after every prefix.
func (t twin) nextLogits(w word.Word) (out [][]float64) {
	var h, c [][]float64
	for range t.Layers {
		h, c = append(h, make([]float64, t.Hidden)), append(c, make([]float64, t.Hidden))
	}
	head, _ := t.tensor(len(t.Tensors()) - 2)
	bias, _ := t.tensor(len(t.Tensors()) - 1)
	for k := range len(w) + 1 {
		token := t.Bos
		if k > 0 {
			token = t.Token[w[k-1]]
		}
		h, c = t.step(token, h, c)
		out = append(out, affine(head, bias, h[t.Layers-1], 0, t.Outputs))
	}
	return out
}

// nextLoss returns the mean cross entropy of what comes next, over all prefixes.
func (t twin) nextLoss(words []word.Word) float64 {
	sum, n := 0.0, 0
	for _, w := range words {
		for k, logits := range t.nextLogits(w) {
			all := 0.0
			for _, x := range logits {
				all += math.Exp(x)
			}
			meant := t.Outputs - 1
			if k < len(w) {
				meant = int(w[k])
			}
			sum += math.Log(all) - logits[meant]
			n++
		}
	}
	return sum / float64(n)
}

// loss returns the mean binary cross-entropy over all prefixes.
func (t twin) loss(words []word.Word, labels [][]bool) float64 {
	var sum float64
	n := 0
	for i, w := range words {
		for k, x := range t.logits(w) {
			if labels[i][k] {
				x = -x
			}
			sum += max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
			n++
		}
	}
	return sum / float64(n)
}
