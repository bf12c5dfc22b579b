package backprop

import (
	"fmt"

	"quotient/f32"
	"quotient/rnn"
	"quotient/word"
)

// input is the first layer's share of the work that depends on a token alone: a
// table of gates with a row for each token that a batch uses, made once a step.
// With two symbols it saves a product; with many, only those in use are paid for.
type input struct {
	used  []int32    // the tokens in use, in order of appearance
	row   []int32    // the table's row of each token, or -1
	embed f32.Matrix // rows × e: embeddings of the tokens in use
	table f32.Matrix // rows × parts*w: their share of the gates
	back  f32.Matrix // rows × e: the embeddings' gradient
}

// load fills the table for the tokens of a batch.
func (in *input) load(n *rnn.Stack, first *layer, words []word.Word) {
	for _, t := range in.used {
		in.row[t] = -1
	}
	in.used = in.used[:0]
	in.use(n.Bos)
	for _, w := range words {
		for _, s := range w {
			if int(s) >= len(n.Token) {
				panic(fmt.Sprintf("backprop: symbol %d of an alphabet of %d", s, len(n.Token)))
			}
			in.use(n.Token[s])
		}
	}
	if in.table.Rows < len(in.used) {
		rows, e := cap(in.used), f32.Padded(n.Embedding.Cols)
		in.embed, in.back = f32.New(rows, e), f32.New(rows, e)
		in.table = f32.New(rows, first.Bias.Cols)
	}
	for i, t := range in.used {
		copy(in.embed.Row(i), n.Embedding.Row(int(t)))
	}
	k := len(in.used)
	first.Feed(in.table.View(0, k), in.embed.View(0, k))
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
func (in *input) lay(token []int32, sign []float32, n *rnn.Stack, s *shard) {
	words := len(s.words)
	bos := in.row[n.Bos]
	for i, w := range s.words {
		at := i
		for k, yes := range s.labels[i] {
			t := bos
			if k > 0 {
				t = in.row[n.Token[w[k-1]]]
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
func (in *input) backward(g *gradient, first *layer, dst f32.Matrix) {
	k := len(in.used)
	table, back := g.table.View(0, k), in.back.View(0, k)
	for i := range k {
		add(g.layer[0].Bias.Data, table.Row(i))
	}
	first.In.AddGradient(&g.layer[0].In, table, in.embed.View(0, k))
	clear(back.Data)
	first.In.Backward(back, table)
	clear(dst.Data)
	for i, t := range in.used {
		copy(dst.Row(int(t)), back.Row(i))
	}
}
