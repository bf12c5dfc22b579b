package model

import (
	"context"
	"fmt"
	"math"

	"quotient/f32"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/word"
)

// This file is about what is recorded of language models.

// whole is what a claim is about that is about a word's own probability.
const whole = -1

// least is the smallest probability that is compared.
const least = 1e-30

// otherSymbols says that what is recorded is of another kind, or has other symbols, than the network as
// it is read.
type otherSymbols struct{ error }

// predictedClaims reads the cases of a language model: logarithms of probabilities.
func (m *Model) predictedClaims(cases []saying) (list []claim, err error) {
	logits, probabilities := recorded(cases)
	slack, share := rounding(logits), rounding(probabilities)
	for i, r := range cases {
		w, err := m.parse(r.Word)
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", i+1, err)
		}
		before := len(list)
		for _, rows := range [][][]float64{r.Outputs, r.Next} {
			if rows != nil && len(rows) != len(w)+1 {
				return nil, fmt.Errorf("case %d: a word of length %d has %d prefixes, but there are predictions after %d", i+1, len(w), len(w)+1, len(rows))
			}
		}
		for n, row := range r.Outputs {
			p, err := m.distribution(row)
			if err != nil {
				return nil, fmt.Errorf("case %d: %w", i+1, err)
			}
			list = appendClaims(list, w[:n], p, func(float64) float64 { return 2 * slack })
		}
		for n, p := range r.Next {
			if err := checkDistribution(p, m.Net.Outputs()); err != nil {
				return nil, fmt.Errorf("case %d, after %s: %w", i+1, m.Net.Alphabet().Format(w[:n]), err)
			}
			const tiny = 1e-7
			list = appendClaims(list, w[:n], p, func(p float64) float64 { return (share + tiny) / max(p, tiny) })
		}
		if p := r.Probability; p != nil {
			if !(*p >= 0 && *p <= 1) {
				return nil, fmt.Errorf("case %d: %v is no probability", i+1, *p)
			}
			if *p > least {
				list = append(list, claim{word: w, logit: math.Log(*p), slack: share / *p, of: whole})
			}
		}
		if len(list) == before && r.Probability == nil {
			return nil, fmt.Errorf("case %d: it says nothing that a language model predicts, and by its %d outputs the network is one: there should be outputs, next or probability", i+1, m.Net.Outputs())
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the cases say nothing of any word")
	}
	return list, nil
}

// appendClaims adds what a distribution says that is not too small.
func appendClaims(list []claim, w word.Word, p []float64, slack func(p float64) float64) []claim {
	for k, x := range p {
		if x > least {
			list = append(list, claim{word: w, logit: math.Log(x), slack: slack(x), of: k})
		}
	}
	return list
}

// distribution turns recorded logits into probabilities of the symbols and the end. There is one for
// each of these, the end last, or for each output of the network.
func (m *Model) distribution(row []float64) ([]float64, error) {
	logits := row
	switch {
	case len(row) == m.Net.Outputs():
	case m.Stack != nil && len(row) == m.Stack.Outputs():
		logits = nil
		for _, k := range m.Stack.Next {
			if k == rnn.None {
				logits = append(logits, math.Inf(-1))
			} else {
				logits = append(logits, row[k])
			}
		}
	default:
		return nil, &otherSymbols{fmt.Errorf("%d outputs after a prefix: as it is read, the network predicts %d symbols and the end", len(row), m.Net.Outputs()-1)}
	}
	top, sum := math.Inf(-1), 0.0
	for _, x := range logits {
		top = max(top, x)
	}
	p := make([]float64, len(logits))
	for i, x := range logits {
		p[i] = math.Exp(x - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p, nil
}

// checkDistribution reports what is wrong with recorded probabilities.
func checkDistribution(p []float64, n int) error {
	if len(p) != n {
		return &otherSymbols{fmt.Errorf("%d probabilities: as it is read, the network predicts %d symbols and the end", len(p), n-1)}
	}
	sum := 0.0
	for _, x := range p {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("%v is no probability", x)
		}
		sum += x
	}
	if math.Abs(sum-1) > 1e-2 {
		return fmt.Errorf("the probabilities sum to %.6g, not to 1", sum)
	}
	return nil
}

// said returns what the network says of claims: logarithms of odds, plus what a threshold adds, or of
// a language model logarithms of probabilities.
func (m *Model) said(ctx context.Context, claims []claim) ([]float64, error) {
	got := make([]float64, len(claims))
	if m.Predicts() {
		return got, m.predictions(ctx, claims, got)
	}
	words := make([]word.Word, len(claims))
	for i, x := range claims {
		words[i] = x.word
	}
	logits, err := m.logits(ctx, words)
	for i, x := range logits {
		got[i] = float64(x)
	}
	return got, err
}

// predictions writes what a language model says of claims. A word's own probability is the network's
// own, as whoever multiplies its outputs has it.
func (m *Model) predictions(ctx context.Context, claims []claim, got []float64) error {
	own, err := m.Own()
	if err != nil {
		return err
	}
	q, p := oracle.Predict(ctx, m.Net), oracle.Predict(ctx, own)
	place := make(map[string]int)
	var words []word.Word
	for _, x := range claims {
		if _, known := place[x.word.Key()]; !known && x.of != whole {
			place[x.word.Key()] = len(words)
			words = append(words, x.word)
		}
	}
	var next f32.Matrix
	if len(words) > 0 {
		next = q.Next(words)
	}
	for i, x := range claims {
		if x.of == whole {
			got[i] = p.LogProbabilities([]word.Word{x.word})[0]
		} else {
			got[i] = math.Log(max(float64(next.Row(place[x.word.Key()])[x.of]), least))
		}
	}
	if err := q.Err(); err != nil {
		return err
	}
	return p.Err()
}

// claimed says what a language model's claim is about.
func (m *Model) claimed(x claim) string {
	a := m.Net.Alphabet()
	switch {
	case !m.Predicts():
		return ""
	case x.of == whole:
		return "the word " + a.Format(x.word)
	case x.of == a.Len():
		return "the end after " + a.Format(x.word)
	}
	return a.Name(word.Symbol(x.of)) + " after " + a.Format(x.word)
}
