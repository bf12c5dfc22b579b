package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"quotient/word"
)

// A saying is what is known of one word.
type saying struct {
	Word        json.RawMessage
	Logits      []*float64 // after every prefix, the empty one first; null where nothing is known
	Logit       *float64   // after the word
	Probability *float64   // of a yes or, to a language model, of the word
	Accepts     *bool
	Outputs     [][]float64 // of a language model after every prefix: a logit for each symbol and the end, or for each output
	Next        [][]float64 // its probabilities of each symbol and the end after every prefix
}

// A claim is one number or answer that the network should give.
type claim struct {
	word    word.Word
	logit   float64
	slack   float64 // how far the recorded number itself may be from the true one
	decides bool    // only whether it is above 0 counts
	of      int     // of a language model's predictions, which; whole: the word's probability
}

// spread returns how far the logits of claims differ; of a single one, its size.
func spread(claims []claim) float64 {
	least, most, numbers := math.Inf(1), math.Inf(-1), 0
	for _, x := range claims {
		if !x.decides {
			least, most, numbers = min(least, x.logit), max(most, x.logit), numbers+1
		}
	}
	switch numbers {
	case 0:
		return 0
	case 1:
		return math.Abs(most)
	}
	return most - least
}

// rounding returns half of the last decimal that numbers are recorded with, from three on to
// six; more are as good as exact.
func rounding(numbers []float64) float64 {
	for digits := 3; digits <= 6; digits++ {
		unit := math.Pow(10, -float64(digits))
		if !slices.ContainsFunc(numbers, func(x float64) bool { return math.Abs(x-math.Round(x/unit)*unit) > 1e-9 }) {
			return 0.51 * unit
		}
	}
	return 0
}

// recorded lists the numbers of cases: logits, and probabilities.
func recorded(cases []saying) (logits, probabilities []float64) {
	for _, r := range cases {
		for _, x := range append(slices.Clone(r.Logits), r.Logit) {
			if x != nil {
				logits = append(logits, *x)
			}
		}
		logits = append(logits, slices.Concat(r.Outputs...)...)
		probabilities = append(probabilities, slices.Concat(r.Next...)...)
		if r.Probability != nil {
			probabilities = append(probabilities, *r.Probability)
		}
	}
	return logits, probabilities
}

// claims reads the cases over the network's alphabet.
func (m *Model) claims(cases []saying) (list []claim, err error) {
	if m.Predicts() {
		return m.predictedClaims(cases)
	}
	logits, probabilities := recorded(cases)
	slack, share := rounding(logits), rounding(probabilities)
	for i, r := range cases {
		w, err := m.parse(r.Word)
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", i+1, err)
		}
		if r.Logits != nil && len(r.Logits) != len(w)+1 {
			return nil, fmt.Errorf("case %d: a word of length %d has %d prefixes, but there are %d logits", i+1, len(w), len(w)+1, len(r.Logits))
		}
		before := len(list)
		for n, x := range r.Logits {
			if x != nil {
				list = append(list, claim{word: w[:n], logit: *x, slack: slack})
			}
		}
		if r.Logit != nil {
			list = append(list, claim{word: w, logit: *r.Logit, slack: slack})
		}
		if p := r.Probability; p != nil {
			if !(*p >= 0 && *p <= 1) {
				return nil, fmt.Errorf("case %d: %v is no probability", i+1, *p)
			}
			list = append(list, probable(w, *p, share))
		}
		if r.Accepts != nil {
			list = append(list, claim{word: w, logit: map[bool]float64{true: 1, false: -1}[*r.Accepts], decides: true})
		}
		if r.Outputs != nil || r.Next != nil {
			return nil, &otherSymbols{fmt.Errorf("case %d: outputs and next are about language models, and the network is read as a recognizer; the option as lm says otherwise", i+1)}
		}
		if len(list) == before && r.Logits == nil {
			return nil, fmt.Errorf("case %d: it says nothing of its word: there should be logits, logit, probability or accepts", i+1)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the cases say nothing of any word")
	}
	return list, nil
}

// probable is the claim that a yes to a word has a probability, which was rounded to a share of 1.
func probable(w word.Word, p, share float64) claim {
	const tiny = 1e-7 // what a probability of 32 bits still tells from 1
	x := min(max(p, tiny), 1-tiny)
	return claim{word: w, logit: math.Log(x / (1 - x)), slack: (share + tiny) / (x * (1 - x)), decides: x != p}
}

// parse reads a word: a list of symbols, or a text.
func (m *Model) parse(data json.RawMessage) (word.Word, error) {
	var symbols []any
	if err := json.Unmarshal(data, &symbols); err == nil {
		w := word.Word{}
		for _, x := range symbols {
			s, err := m.Net.Alphabet().Parse(fmt.Sprint(x))
			if err != nil {
				return nil, err
			}
			w = append(w, s...)
		}
		return w, nil
	}
	var spelled string
	if err := json.Unmarshal(data, &spelled); err != nil {
		return nil, errors.New("a word is a list of symbols, or a text")
	}
	return m.Net.Alphabet().Parse(spelled)
}
