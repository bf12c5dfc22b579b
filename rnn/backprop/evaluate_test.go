package backprop

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/rnn"
	"quotient/word"
)

func TestEvaluateCounts(t *testing.T) {
	for _, s := range shapes() {
		n := build(t, s, 4)
		words, labels := parity(rand.New(rand.NewPCG(3, 3)), 150, 0, 5, 9)
		e := Evaluate(n, 3, words, labels)
		var want Evaluation
		for i, logits := range logits(n, words) {
			right := 0
			for k, x := range logits {
				if (x > 0) == labels[i][k] {
					right++
				}
			}
			want.Words++
			want.Prefixes += len(logits)
			want.PrefixesRight += right
			if right == len(logits) {
				want.WordsRight++
			}
		}
		want.Loss = newTwin(n).loss(words, labels)
		if e.Words != want.Words || e.WordsRight != want.WordsRight || e.Prefixes != want.Prefixes || e.PrefixesRight != want.PrefixesRight {
			t.Errorf("%s: %+v, want %+v", name(s), e, want)
		}
		if math.Abs(e.Loss-want.Loss) > 1e-6 {
			t.Errorf("%s: loss %v, want %v", name(s), e.Loss, want.Loss)
		}
		if e.Saturation <= 0 || e.Saturation > e.MaxSaturation || e.MaxSaturation > math.Sqrt2 {
			t.Errorf("%s: saturation %v, at most %v", name(s), e.Saturation, e.MaxSaturation)
		}
		if alone := Evaluate(n, 1, words, labels); alone != e {
			t.Errorf("%s: one thread finds %+v, three %+v", name(s), alone, e)
		}
	}
}

// The largest alphabet trains and runs; a step pays for the symbols it meets.
func TestLargestAlphabet(t *testing.T) {
	names := make([]string, word.MaxSymbols)
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	n, err := rnn.New(rnn.Shape{Cell: rnn.GRU, Layers: 1, Embedding: 4, Hidden: 8}, a)
	if err != nil {
		t.Fatal(err)
	}
	n.Init(rand.New(rand.NewPCG(1, 1)))
	o := newTwin(n)
	words := []word.Word{{0, 65534, 7}, {65534, 12345}}
	labels := [][]bool{{true, false, true, true}, {false, false, true}}
	for i, logits := range logits(n, words) {
		for k, want := range o.logits(words[i]) {
			if math.Abs(float64(logits[k])-want) > 1e-5 {
				t.Errorf("word %d, prefix %d: %v, want %v", i, k, logits[k], want)
			}
		}
	}
	trainer := NewTrainer(n, Defaults, 1)
	if got, want := trainer.Step(words, labels), o.loss(words, labels); math.Abs(got-want) > 1e-6 {
		t.Errorf("loss %v, want %v", got, want)
	}
	if rows := trainer.input.table.Rows; rows > 16 {
		t.Errorf("a table of %d rows for 5 tokens", rows)
	}
}

func TestResumeGivesTheSameBytes(t *testing.T) {
	for _, s := range shapes() {
		r := rand.New(rand.NewPCG(1, 1))
		words, labels := parity(r, 20, 7)
		whole := NewTrainer(build(t, s, 2), Defaults, 1)
		for range 4 {
			whole.Step(words, labels)
		}
		first := NewTrainer(build(t, s, 2), Defaults, 2)
		first.Step(words, labels)
		first.Step(words, labels)
		var b bytes.Buffer
		if err := first.Encode(&b, nil); err != nil {
			t.Fatal(err)
		}
		second := NewTrainer(build(t, s, 99), Defaults, 2)
		if _, err := second.Decode(b.Bytes()); err != nil {
			t.Fatal(err)
		}
		second.Step(words, labels)
		second.Step(words, labels)
		if second.Steps() != 4 || !slices.Equal(second.Network.Params, whole.Network.Params) {
			t.Errorf("%s: resumed training went elsewhere", name(s))
		}
	}
}

// A network learns whether the number of b's is even.
func ExampleTrainer() {
	n, err := rnn.New(rnn.Shape{Cell: rnn.Elman, Layers: 1, Embedding: 10, Hidden: 32}, word.Letters("ab"))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 0))
	n.Init(r)
	trainer := NewTrainer(n, Defaults, 0)
	for range 1500 {
		trainer.Step(parity(r, 16, 12))
	}
	words, labels := parity(r, 500, 30)
	e := Evaluate(n, 0, words, labels)
	fmt.Printf("%d of %d words right\n", e.WordsRight, e.Words)
	// Output: 500 of 500 words right
}

// logits returns the logit of every prefix of every word, the empty one first.
func logits(n *rnn.Network, words []word.Word) [][]float32 {
	r, out := rnn.NewRunner(n, 2), make([][]float32, len(words))
	for i, w := range words {
		for k := range len(w) + 1 {
			out[i] = append(out[i], r.Logits([]word.Word{w[:k]})...)
		}
	}
	return out
}
