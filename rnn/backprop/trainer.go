// Package backprop trains the networks of package rnn: gradients by backpropagation
// through time, steps of AdamW, how well a network knows some labels, and how fast
// all that is. A cell has a file here for its way back, beside its file in rnn.
//
// Results depend on the parameters, the data and the seed, never on the number of
// threads.
package backprop

import (
	"fmt"
	"slices"

	"quotient/f32"
	"quotient/rnn"
	"quotient/rnn/gates"
	"quotient/word"
)

// Defaults are PyTorch's settings of AdamW.
var Defaults = f32.AdamW{Rate: 1e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 0.01}

// A Trainer fits a network to labeled words or, if it is a language model, to words, batch by batch.
//
// A batch is cut into shards whose size depends on the batch's alone, each with a
// gradient of its own; these are summed in order. So the parameters come out the
// same to the last bit whatever the number of threads. After the first batch of
// its size a step allocates nothing.
type Trainer struct {
	Network *rnn.Network
	AdamW   f32.AdamW

	step         int
	mean, square *rnn.Network // AdamW's running means, one for every parameter
	grad         *rnn.Network // a gradient for every parameter
	from, to     *rnn.Stack   // views of the parameters, and of grad

	layer    []layer
	head     []float32 // w
	headBias float32
	next     next // the head of a language model, in place of the two
	input    input
	shard    []shard
	desk     []desk // one for each thread
	crew     *crew
}

// A shard is some words of a batch, and what comes of them.
type shard struct {
	words  []word.Word
	labels [][]bool
	grad   *gradient
	loss   float64
	scale  float32 // one over the labels in the whole batch
}

// NewTrainer returns a trainer at step 0 that uses as many threads, or one for
// every core if that is 0.
func NewTrainer(n *rnn.Network, o f32.AdamW, threads int) *Trainer {
	t := &Trainer{
		Network: n, AdamW: o, mean: rnn.Zeros(n.Shape), square: rnn.Zeros(n.Shape), grad: rnn.Zeros(n.Shape),
		from: n.Stack(), head: f32.Slice(f32.Padded(n.Hidden)), input: input{row: slices.Repeat([]int32{-1}, n.Tokens)},
	}
	t.to, t.next = t.grad.Stack(), newNext(n.Shape)
	for _, y := range t.from.Layers {
		t.layer = append(t.layer, layer{gates.New(n.Cell.Layout, y.In.Cols, n.Hidden), n.Cell, rules[n.Cell]})
	}
	// A batch has no more than 64 shards.
	t.crew = newCrew(min(threads, 64), func(worker, k int) { t.pass(&t.shard[k], &t.desk[worker]) })
	t.desk = make([]desk, len(t.crew.state))
	return t
}

// maxMemory is the most that training may take, in bytes.
const maxMemory = 8 << 30

// Trainable reports whether training on batches of as many words of a length takes
// too much memory. Beside eight numbers for each parameter (the parameter, AdamW's
// means, gradients, and weights in two orders, with padding) it takes a gradient
// for each shard, and for each thread the gates and states of a shard.
func Trainable(s rnn.Shape, batch, length, threads int) error {
	if err := s.Check(); err != nil {
		return fmt.Errorf("rnn: %w", err)
	}
	size := shardSize(batch)
	shards := float64(batch)/float64(size) + 1
	state := float64(s.Layers*(s.Cell.Parts()+4)*f32.Padded(s.Hidden) + 2*f32.Padded(s.Outputs))
	numbers := float64(s.Params())*(8+shards) + state*float64(size)*(float64(length)+1)*min(float64(threads), shards)
	if bytes := 4 * numbers; bytes > maxMemory {
		return fmt.Errorf("batches of %d words of length %d for a network of %d parameters: training would take about %.3g GiB of memory, and at most %d are allowed; choose smaller figures",
			batch, length, s.Params(), bytes/(1<<30), maxMemory>>30)
	}
	return nil
}

// Steps returns how many steps have been done.
func (t *Trainer) Steps() int { return t.step }

// Step does one step of training on a batch: labels[i][k] says whether the first
// k symbols of words[i] are in the language. It returns the mean loss of all
// prefixes before the step. Words may differ in length; time is spent as if all
// were as long as the longest of their shard. A language model has no labels: it is to
// predict each symbol of a word and its end.
func (t *Trainer) Step(words []word.Word, labels [][]bool) float64 {
	loss := t.gradient(words, labels)
	t.step++
	t.AdamW.Update(t.Network.Params, t.grad.Params, t.mean.Params, t.square.Params, t.step)
	return loss
}

// gradient sets t.grad and returns the loss.
func (t *Trainer) gradient(words []word.Word, labels [][]bool) float64 {
	for l, y := range t.from.Layers {
		t.layer[l].Load(y.In, y.Rec, y.BiasIn, y.BiasRec)
	}
	if t.Network.Outputs > 0 {
		t.next.load(t.from.Head[0])
	} else {
		copy(t.head, t.from.Head[0].Weight.Data)
		t.headBias = t.from.Head[0].Bias[0]
	}
	t.input.load(t.from, &t.layer[0], words)
	t.cut(words, labels)
	t.crew.run(len(t.shard))

	tokens := len(t.input.used)
	sum, loss := t.shard[0].grad, t.shard[0].loss
	for _, s := range t.shard[1:] {
		add(sum.live(tokens), s.grad.live(tokens))
		loss += s.loss
	}
	t.input.backward(sum, &t.layer[0], t.to.Embedding)
	sum.store(t.to, t.layer)
	return loss
}

// cut divides a batch into shards of whole tiles of rows: small enough to stay
// in cache and to occupy several threads, large enough for the products' sake.
func (t *Trainer) cut(words []word.Word, labels [][]bool) {
	labeled := t.Network.Outputs == 0
	if len(words) == 0 || labeled && len(words) != len(labels) || !labeled && labels != nil {
		panic(fmt.Sprintf("backprop: a batch of %d words and %d labels", len(words), len(labels)))
	}
	count := 0
	for i, w := range words {
		if labeled && len(labels[i]) != len(w)+1 {
			panic(fmt.Sprintf("backprop: %d labels for a word of %d symbols", len(labels[i]), len(w)))
		}
		count += len(w) + 1
	}
	size := shardSize(len(words))
	n := (len(words) + size - 1) / size
	t.shard = append(t.shard, make([]shard, max(0, n-len(t.shard)))...)[:n]
	for i := range t.shard {
		s := &t.shard[i]
		end := min((i+1)*size, len(words))
		s.words, s.scale = words[i*size:end], 1/float32(count)
		if labeled {
			s.labels = labels[i*size : end]
		}
		if s.grad == nil || s.grad.table.Rows < len(t.input.used) {
			s.grad = newGradient(t.layer, t.Network.Outputs, cap(t.input.used))
		}
	}
}

// shardSize returns how many words of a batch make a shard.
func shardSize(batch int) int {
	switch {
	case batch < 64:
		return 8
	case batch <= 16*64:
		return 16
	}
	return (batch/64 + 7) &^ 7
}
