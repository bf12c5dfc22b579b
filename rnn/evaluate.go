package rnn

import (
	"fmt"
	"math"

	"quotient/f32"
	"quotient/word"
)

// An Evaluation is how well a network knows the labels of some words.
type Evaluation struct {
	Words         int     `json:"words"`
	WordsRight    int     `json:"words_right"` // every prefix of the word right
	Prefixes      int     `json:"prefixes"`
	PrefixesRight int     `json:"prefixes_right"`
	Loss          float64 `json:"loss"`           // mean over prefixes
	Saturation    float64 `json:"saturation"`     // mean over prefixes of [Saturation]
	MaxSaturation float64 `json:"max_saturation"` // and the greatest
}

// WordAccuracy returns the share of words whose every prefix is right.
func (e Evaluation) WordAccuracy() float64 { return share(e.WordsRight, e.Words) }

// PrefixAccuracy returns the share of prefixes that are right.
func (e Evaluation) PrefixAccuracy() float64 { return share(e.PrefixesRight, e.Prefixes) }

func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// Evaluate runs words and compares with labels, labels[i][k] saying whether the
// first k symbols of words[i] are in the language. A logit above 0 is a yes.
func (r *Runner) Evaluate(words []word.Word, labels [][]bool) Evaluation {
	if len(words) != len(labels) {
		panic(fmt.Sprintf("rnn: %d words and labels for %d", len(words), len(labels)))
	}
	n := (len(words) + chunk - 1) / chunk
	part := make([]Evaluation, n)
	parallel(r.threads, n, func(k int) {
		i, j := k*chunk, min((k+1)*chunk, len(words))
		part[k] = r.evaluate(words[i:j], labels[i:j])
	})
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
	if e.Prefixes > 0 {
		e.Loss /= float64(e.Prefixes)
		e.Saturation /= float64(e.Prefixes)
	}
	return e
}

// evaluate is Evaluate for up to a chunk of words; losses and saturations are
// sums.
func (r *Runner) evaluate(words []word.Word, labels [][]bool) Evaluation {
	e := Evaluation{Words: len(words), WordsRight: len(words)}
	wrong := make([]bool, len(words))
	mark := func(i, k int, logit float32, state []float32) {
		e.Prefixes++
		e.Loss += softplus(logit, labels[i][k])
		sat := r.saturation(state)
		e.Saturation += sat
		e.MaxSaturation = max(e.MaxSaturation, sat)
		if (logit > 0) == labels[i][k] {
			e.PrefixesRight++
		} else if !wrong[i] {
			wrong[i] = true
			e.WordsRight--
		}
	}
	r.walk(words, mark)
	return e
}

// softplus is the loss of a logit.
func softplus(logit float32, label bool) float64 {
	z := float64(logit)
	if label {
		z = -z
	}
	return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
}

// walk steps up to a chunk of words together and shows each prefix's logit and
// state: visit(i, k, logit, state) for the first k symbols of words[i].
func (r *Runner) walk(words []word.Word, visit func(i, k int, logit float32, state []float32)) {
	s := r.pool.Get().(*scratch)
	defer r.pool.Put(s)
	longest := 0
	for _, w := range words {
		longest = max(longest, len(w))
	}
	state, logit := f32.New(len(words), r.Dim()), make([]float32, len(words))
	for i := range words {
		r.Start(state.Row(i))
	}
	for k := 0; k <= longest; k++ {
		if k > 0 {
			for i, w := range words {
				s.token[i] = r.stack.Token[0] // words at their end read on, to no effect
				if k <= len(w) {
					s.token[i] = r.stack.Token[w[k-1]]
				}
			}
			r.step(s, state, state)
		}
		r.Logit(logit, state)
		for i, w := range words {
			if k <= len(w) {
				visit(i, k, logit[i], state.Row(i))
			}
		}
	}
}

// saturation is that of the hidden layers of a state, side by side, without an
// LSTM's cells, which have no bounds to saturate at.
func (r *Runner) saturation(state []float32) float64 {
	var sum, squares float64
	units := 0
	for i := range r.layers {
		y := &r.layers[i]
		s, q := norms(state[y.at : y.at+y.Hidden])
		sum, squares, units = sum+s, squares+q, units+y.Hidden
	}
	return distance(sum, squares, units)
}

// Saturation returns how far a state is from its signs, both scaled to length 1:
//
//	‖ h/‖h‖ - sign(h)/√d ‖
//
// This is the ε of the proposition in Merrill and Tsilivis, "Extracting Finite
// Automata from RNNs Using State Merging" (2022): two ε-saturated states whose
// cosine is at least 1-κ have the same signs if √κ < √2 (1/√d - ε).
func Saturation(h []float32) float64 {
	sum, squares := norms(h)
	return distance(sum, squares, len(h))
}

// norms returns Σ|h| and Σh².
func norms(h []float32) (sum, squares float64) {
	var s, q float32
	for _, x := range h {
		s += max(x, -x)
		q += x * x
	}
	return float64(s), float64(q)
}

// distance is Saturation by way of the scalar product of the two, Σ|h|/(‖h‖√d).
// The zero vector counts as orthogonal to its signs.
func distance(sum, squares float64, d int) float64 {
	if squares == 0 {
		return math.Sqrt2
	}
	return math.Sqrt(max(0, 2-2*sum/math.Sqrt(squares*float64(d))))
}
