package backprop

import (
	"fmt"
	"math"

	"quotient/f32"
	"quotient/rnn"
	"quotient/word"
)

// An Evaluation is how well a network knows the labels of some words.
type Evaluation struct {
	Words         int     `json:"words"`
	WordsRight    int     `json:"words_right"` // every prefix of the word right
	Prefixes      int     `json:"prefixes"`
	PrefixesRight int     `json:"prefixes_right"`
	Loss          float64 `json:"loss"`           // mean over prefixes
	Saturation    float64 `json:"saturation"`     // mean over prefixes of [rnn.Saturation]
	MaxSaturation float64 `json:"max_saturation"` // and the greatest
}

// WordAccuracy returns the share of words whose every prefix is right.
func (e Evaluation) WordAccuracy() float64 { return float64(e.WordsRight) / float64(max(1, e.Words)) }

// PrefixAccuracy returns the share of prefixes that are right.
func (e Evaluation) PrefixAccuracy() float64 {
	return float64(e.PrefixesRight) / float64(max(1, e.Prefixes))
}

// chunk is how many words are evaluated together: their states stay in cache.
const chunk = 64

// Evaluate runs words and compares with labels, labels[i][k] saying whether the
// first k symbols of words[i] are in the language. A logit above 0 is a yes. A language model
// has no labels, and is right where what comes next is what it finds most likely. It uses
// as many threads, or one for every core if that is 0.
func Evaluate(n *rnn.Network, threads int, words []word.Word, labels [][]bool) Evaluation {
	if n.Outputs > 0 {
		labels = make([][]bool, len(words))
	}
	if len(words) != len(labels) {
		panic(fmt.Sprintf("backprop: %d words and labels for %d", len(words), len(labels)))
	}
	r := rnn.NewRunner(n, 1)
	part := make([]Evaluation, (len(words)+chunk-1)/chunk)
	newCrew(min(threads, len(part)), func(_, k int) {
		i, j := k*chunk, min((k+1)*chunk, len(words))
		part[k] = evaluate(n, r, words[i:j], labels[i:j])
	}).run(len(part))
	// Sums in order, so that threads change nothing.
	var e Evaluation
	for _, p := range part {
		e.Words += p.Words
		e.WordsRight += p.WordsRight
		e.Prefixes += p.Prefixes
		e.PrefixesRight += p.PrefixesRight
		e.Loss += p.Loss
		e.Saturation += p.Saturation
		e.MaxSaturation = max(e.MaxSaturation, p.MaxSaturation)
	}
	e.Loss /= float64(max(1, e.Prefixes))
	e.Saturation /= float64(max(1, e.Prefixes))
	return e
}

// evaluate is Evaluate for up to a chunk of words, which step together; losses and
// saturations are sums.
func evaluate(n *rnn.Network, r *rnn.Runner, words []word.Word, labels [][]bool) Evaluation {
	e := Evaluation{Words: len(words), WordsRight: len(words)}
	state, logit := f32.New(len(words), r.Dim()), f32.New(len(words), r.Outputs())
	on, wrong := make([]word.Symbol, len(words)), make([]bool, len(words))
	h, longest := make([][]float32, n.Layers), 0
	for i, w := range words {
		r.Start(state.Row(i))
		longest = max(longest, len(w))
	}
	for k := 0; k <= longest; k++ {
		if k > 0 {
			for i, w := range words {
				on[i] = 0 // words at their end read on, to no effect
				if k <= len(w) {
					on[i] = w[k-1]
				}
			}
			r.Step(state, state, on)
		}
		if n.Outputs > 0 {
			r.Read(logit, state)
		} else {
			r.Logit(logit.Data, state)
		}
		for i, w := range words {
			if k > len(w) {
				continue
			}
			// A memory is left out: it has no bounds to saturate at.
			for l := range h {
				h[l] = state.Row(i)[l*r.Dim()/n.Layers:][:n.Hidden]
			}
			e.saturate(rnn.Saturation(h...))
			right := false
			if n.Outputs > 0 {
				right = e.next(logit.Row(i), following(n, w, k))
			} else {
				right = e.prefix(logit.Row(i)[0], labels[i][k])
			}
			if !right && !wrong[i] {
				wrong[i] = true
				e.WordsRight--
			}
		}
	}
	return e
}

// prefix counts one prefix and reports whether the network is right about it.
func (e *Evaluation) prefix(logit float32, label bool) bool {
	z := float64(logit)
	if label {
		z = -z
	}
	e.Prefixes++
	e.Loss += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
	if (logit > 0) != label {
		return false
	}
	e.PrefixesRight++
	return true
}

// following returns what a language model is to predict after the first k symbols of a word: a symbol,
// or the end, which counts as one more.
func following(n *rnn.Network, w word.Word, k int) word.Symbol {
	if k < len(w) {
		return w[k]
	}
	return word.Symbol(len(n.Token))
}

// next does so for what a language model predicts after a prefix, and what comes next.
func (e *Evaluation) next(p []float32, meant word.Symbol) bool {
	e.Prefixes++
	e.Loss -= math.Log(max(float64(p[meant]), math.SmallestNonzeroFloat32))
	for _, x := range p {
		if x > p[meant] {
			return false
		}
	}
	e.PrefixesRight++
	return true
}

func (e *Evaluation) saturate(saturation float64) {
	e.Saturation += saturation
	e.MaxSaturation = max(e.MaxSaturation, saturation)
}
