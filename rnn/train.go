package rnn

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"quotient/f32"
	"quotient/word"
)

// Defaults are PyTorch's settings of AdamW.
var Defaults = f32.AdamW{Rate: 1e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 0.01}

// A Trainer fits a network to labeled words, batch by batch.
//
// A batch is cut into shards whose size depends on the batch's alone, each with a
// gradient of its own; these are summed in order. So the parameters come out the
// same to the last bit whatever the number of threads. After the first batch of
// its size a step allocates nothing.
type Trainer struct {
	Network *Network
	AdamW   f32.AdamW

	threads int
	step    int
	mean    []float32 // AdamW's running means, like Params
	square  []float32

	grad    *Network // a gradient for every parameter
	weights *weights
	input   input
	shard   []shard
	desk    []desk // one for each thread
	crew    *crew
	next    atomic.Int32 // the next shard to do
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
func NewTrainer(n *Network, o f32.AdamW, threads int) *Trainer {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = min(threads, 64) // a batch has no more shards
	t := &Trainer{Network: n, AdamW: o, threads: threads}
	t.mean, t.square = f32.Slice(len(n.Params)), f32.Slice(len(n.Params))
	t.grad = empty(n.Shape)
	t.weights = newWeights(n.Shape)
	t.input = newInput(n.Shape)
	t.desk = make([]desk, threads)
	t.crew = newCrew(threads, func(worker int) {
		for i := int(t.next.Add(1)) - 1; i < len(t.shard); i = int(t.next.Add(1)) - 1 {
			t.pass(&t.shard[i], &t.desk[worker])
		}
	})
	return t
}

// maxMemory is the most that training may take, in bytes.
const maxMemory = 8 << 30

// Trainable reports whether training on batches of as many words of a length takes
// too much memory. Beside eight numbers for each parameter (the parameter, AdamW's
// means, gradients, and weights in two orders, with padding) it takes a gradient
// for each shard, and for each thread the gates and states of a shard.
func (s Shape) Trainable(batch, length, threads int) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("rnn: %w", err)
	}
	size := shardSize(batch)
	shards := float64(batch)/float64(size) + 1
	state := float64(s.Layers * (s.Cell.parts() + 4) * f32.Padded(s.Hidden))
	numbers := float64(s.params())*(8+shards) + state*float64(size)*(float64(length)+1)*min(float64(threads), shards)
	if bytes := 4 * numbers; bytes > maxMemory {
		return fmt.Errorf("batches of %d words of length %d for a network of %d parameters: training would take about %.3g GiB of memory, and at most %d are allowed; choose smaller figures",
			batch, length, s.params(), bytes/(1<<30), maxMemory>>30)
	}
	return nil
}

// Steps returns how many steps have been done.
func (t *Trainer) Steps() int { return t.step }

// Step does one step of training on a batch: labels[i][k] says whether the first
// k symbols of words[i] are in the language. It returns the mean loss of all
// prefixes before the step. Words may differ in length; time is spent as if all
// were as long as the longest of their shard.
func (t *Trainer) Step(words []word.Word, labels [][]bool) float64 {
	loss := t.gradient(words, labels)
	t.step++
	t.AdamW.Update(t.Network.Params, t.grad.Params, t.mean, t.square, t.step)
	return loss
}

// gradient sets t.grad and returns the loss.
func (t *Trainer) gradient(words []word.Word, labels [][]bool) float64 {
	t.weights.load(t.Network)
	t.input.load(t.Network, t.weights, words)
	t.cut(words, labels)

	t.next.Store(0)
	t.crew.run(min(t.threads, len(t.shard)))

	tokens := len(t.input.used)
	sum, loss := t.shard[0].grad, t.shard[0].loss
	for _, s := range t.shard[1:] {
		add(sum.live(tokens), s.grad.live(tokens))
		loss += s.loss
	}
	t.input.backward(sum, t.weights, t.grad)
	sum.store(t.grad)
	return loss
}

// cut divides a batch into shards of whole tiles of rows: small enough to stay
// in cache and to occupy several threads, large enough for the products' sake.
func (t *Trainer) cut(words []word.Word, labels [][]bool) {
	if len(words) == 0 || len(words) != len(labels) {
		panic(fmt.Sprintf("rnn: a batch of %d words and %d labels", len(words), len(labels)))
	}
	count := 0
	for i, w := range words {
		if len(labels[i]) != len(w)+1 {
			panic(fmt.Sprintf("rnn: %d labels for a word of %d symbols", len(labels[i]), len(w)))
		}
		count += len(labels[i])
	}
	size := shardSize(len(words))
	n := (len(words) + size - 1) / size
	for len(t.shard) < n {
		t.shard = append(t.shard, shard{})
	}
	t.shard = t.shard[:n]
	for i := range t.shard {
		s := &t.shard[i]
		end := min((i+1)*size, len(words))
		s.words, s.labels, s.scale = words[i*size:end], labels[i*size:end], 1/float32(count)
		if s.grad == nil || s.grad.table.Rows < len(t.input.used) {
			s.grad = newGradient(t.Network.Shape, t.input.room())
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
