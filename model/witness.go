package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// This file is about models that run elsewhere while their weights are here.

// openWitnessed opens a model that runs elsewhere and the file of its weights. If, on some words, the file
// gives what the model says, Net computes with the weights, and the model itself is who judges. Otherwise
// it is asked throughout, and a note says why.
func openWitnessed(ctx context.Context, o Options) (*Model, error) {
	if o.Threshold != "" {
		return nil, errors.New("a model that runs elsewhere says itself what it accepts, a probability above one half: the option threshold does not apply")
	}
	far, err := openElsewhere(ctx, Options{Exec: o.Exec, HTTP: o.HTTP, Timeout: o.Timeout, Answers: o.Answers, Symbols: o.Symbols})
	if err != nil {
		return nil, err
	}
	here := o
	here.Exec, here.HTTP, here.Timeout, here.Answers, here.Weights = "", "", 0, "", ""
	m, err := Open(ctx, o.Weights, here)
	var words int
	if err == nil {
		words, err = m.confirm(ctx, far)
	}
	if failed := cmp.Or(context.Cause(ctx), far.remote.Err()); err != nil && failed != nil { // which is not the weights' fault
		far.Close()
		return nil, failed
	}
	if err != nil {
		far.Notes = append(far.Notes, fmt.Sprintf("the model is asked throughout, and its weights are not used: %v", err))
		return far, nil
	}
	m.Name, m.Format, m.options, m.remote = far.Name, far.Format, o, far.remote
	m.far, m.witness = far, oracle.NewWitness(far.remote, m.Net)
	// What was guessed about the file is not any more.
	m.Notes = []string{fmt.Sprintf("the search computes with the model's weights, which gave what the model itself said of %d words; "+
		"it was asked itself about the words of the certificate", words)}
	return m, nil
}

// ulps is how far a probability of 32 bits may be off: a sigmoid is right up to a few units in the last place.
const ulps = 2e-7

// fewest is how many words show something: over one symbol there are no more than lengths.
const fewest = 50

// confirm compares what weights give with what their model itself says of some words. It returns how many, or an error
// that says where the two differ.
func (m *Model) confirm(ctx context.Context, far *Model) (int, error) {
	switch {
	case m.Stack == nil || m.Predicts() || far.Predicts():
		return 0, errors.New("only those of recurrent recognizers are")
	case !slices.Equal(m.Net.Alphabet().Names(), far.Net.Alphabet().Names()):
		return 0, fmt.Errorf("their symbols are %s in this order, and those of the model %s", few(m.Net.Alphabet().Names()), few(far.Net.Alphabet().Names()))
	}
	q := oracle.Ask(ctx, far.remote)
	var claims []claim
	words := confirming(q)
	for i, p := range q.Probabilities(words) {
		if !q.Reads(words[i]) { // as may have turned out
			continue
		}
		x := float64(p)
		c := probable(words[i], x, ulps)
		c.decides = c.decides || x*(1-x) < 10*ulps // there rounding is all that differs
		claims = append(claims, c)
	}
	if q.Err() != nil {
		return 0, q.Err()
	}
	if len(claims) < fewest {
		return 0, fmt.Errorf("the model can be asked about %d words to compare with, which show little", len(claims))
	}
	c, err := m.against(ctx, claims)
	if err == nil && !c.Right {
		err = fmt.Errorf("of %d words %d have another probability; the logit of %s is %.5g, and the model itself says %.5g", c.Answers, c.Wrong, c.Word, c.Got, c.Want)
	}
	return len(claims), err
}

// confirming draws the words on which weights and their model are compared: more short ones than long ones, as a
// decision about a short one is rarely settled.
func confirming(q *oracle.Inquiry) []word.Word {
	const count, long = 300, 60
	rng := sample.Rand(1, sample.Confirming)
	words := make([]word.Word, count)
	for i := range words {
		w := make(word.Word, long*i*i/(count*count))
		for j := range w {
			w[j] = word.Symbol(rng.IntN(q.Alphabet().Len()))
		}
		words[i] = w
	}
	words = q.Readable(words)
	slices.SortFunc(words, word.Compare)
	return slices.CompactFunc(words, slices.Equal[word.Word])
}

// Judge returns who says how good an automaton is: a model that runs elsewhere itself, also where its weights are here.
func (m *Model) Judge() oracle.Oracle {
	if m.witness != nil {
		return m.witness
	}
	return m.Net
}

// Witnessed reports whether the model runs elsewhere while Net computes with its weights.
func (m *Model) Witnessed() bool { return m.witness != nil }

// Doubted returns the model as one that is asked throughout, if what it has said contradicts its weights too often; otherwise nil.
func (m *Model) Doubted() *Model {
	if m.witness == nil {
		return nil
	}
	said, against := m.witness.Contradictions()
	if against <= said/100 {
		return nil
	}
	m.far.Notes = append(m.far.Notes, fmt.Sprintf("the model is asked throughout: of %d words it gave %d another answer than its weights do", said, against))
	return m.far
}
