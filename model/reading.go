package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// Reading says in one line how the network is read, and reminds of what is not
// read: nothing in a file of weights tells of a sum of two layers, or of a function of them.
func (m *Model) Reading() string {
	if m.codeless {
		return m.readAs() + "; no forward function is read: quotient model FILE --check cases.json tells whether it does the same"
	}
	return m.readAs()
}

// readAs says what the tokens mean, what is read before and behind a word, what the decision
// looks at, and which answer is a yes.
func (m *Model) readAs() string {
	names := m.Net.Alphabet().Names()
	if m.Stack == nil {
		if m.Predicts() {
			return fmt.Sprintf("symbols %s; whoever is asked reads them; %s", few(names), m.predictsWhat())
		}
		return fmt.Sprintf("symbols %s; whoever is asked reads them; yes is a probability above one half", few(names))
	}
	s := m.Stack
	var symbols []string
	for i, name := range names {
		symbols = append(symbols, fmt.Sprintf("%s = %d", name, s.Token[i]))
	}
	var parts []string
	if m.options.Key != "" {
		parts = append(parts, "what is under "+m.options.Key)
	}
	parts = append(parts, "tokens "+few(symbols), fmt.Sprintf("before a word %s, behind it %s", tokenOr(s.Bos), tokenOr(s.Eos)))
	if s.Reverse {
		parts = append(parts, "read from its end")
	}
	if p := s.Pad; p.To > 0 {
		side := map[bool]string{true: "left", false: "right"}[p.Left]
		parts = append(parts, fmt.Sprintf("filled up with token %d on the %s to %d tokens", p.Token, side, p.To))
	}
	if unused := m.unusedTokens(); len(unused) > 0 {
		parts = append(parts, tokenList(unused)+" never read")
	}
	if m.options.Scale != "" {
		parts = append(parts, "embeddings times "+m.options.Scale)
	}
	if m.options.Gates != "" {
		parts = append(parts, "gates "+m.options.Gates)
	}
	if m.order != "" {
		parts = append(parts, "the recurrent layers are "+m.order)
	}
	if places := normalized(s); places != "" {
		parts = append(parts, "normalized "+places)
	}
	if m.head != "" {
		parts = append(parts, m.head)
	}
	if m.Predicts() {
		return strings.Join(append(parts, "the prediction reads "+m.decisionReads(), m.predictsWhat()), "; ")
	}
	return strings.Join(append(parts, "the decision reads "+m.decisionReads(), "yes is "+m.yes()), "; ")
}

// few lists texts, the first of many.
func few(list []string) string {
	const most = 8
	if len(list) > most {
		return fmt.Sprintf("%s, … (%d)", strings.Join(list[:most], ", "), len(list))
	}
	return strings.Join(list, ", ")
}

func tokenOr(t int32) string {
	if t == rnn.None {
		return "nothing"
	}
	return fmt.Sprintf("token %d", t)
}

func (m *Model) unusedTokens() (list []int32) {
	used := setOf(m.Stack.Token, []int32{m.Stack.Bos, m.Stack.Eos})
	if m.Stack.Pad.To > 0 {
		used[m.Stack.Pad.Token] = true
	}
	for t := range int32(m.Stack.Tokens) {
		if !used[t] {
			list = append(list, t)
		}
	}
	return list
}

func (m *Model) decisionReads() string {
	top := m.Stack.Layers[len(m.Stack.Layers)-1]
	if m.options.Layer > 0 {
		return fmt.Sprintf("layer %d's last state", m.options.Layer)
	}
	switch {
	case m.Stack.Summary == rnn.FinalCells:
		return "the last cell state c"
	case m.Stack.Pool == rnn.PoolMean:
		return "the mean of the outputs at all tokens"
	case m.Stack.Pool == rnn.PoolMax:
		return "the maximum of the outputs at all tokens"
	case top.Reverse != nil && m.Stack.Summary == rnn.FinalStates:
		return "the final state of either direction"
	case m.Stack.Bidirectional():
		return "the outputs at the last token"
	case top.Cell.Memory:
		return "the last hidden state h"
	}
	return "the last state"
}

// yes says which answer accepts.
func (m *Model) yes() string {
	o := m.options
	x, percent, _ := o.threshold()
	if o.Threshold != "" && !percent && !m.probabilities() {
		side := map[bool]string{true: "below", false: "above"}[o.Yes == "0"]
		return fmt.Sprintf("an output %s %g%s", side, x, shifted)
	}
	least := "one half"
	if o.Threshold != "" {
		least = fmt.Sprintf("%g%s", x, shifted)
	}
	switch {
	case m.apart && o.Threshold == "":
		yes := cmp.Or(o.Yes, "1")
		return fmt.Sprintf("class %s above class %s", yes, map[string]string{"0": "1", "1": "0"}[yes])
	case m.classes == 2:
		return fmt.Sprintf("class %s of 0 and 1, with a probability above %s", cmp.Or(o.Yes, "1"), least)
	case o.Yes == "0":
		return "class 0, one minus the output, with a probability above " + least
	}
	return "a probability above " + least
}

// shifted says what becomes of probabilities if they have another threshold.
const shifted = " (extractions shift probabilities so that this is one half)"

// probabilities reports whether the network's outputs are some, as its file or two classes
// say; otherwise they may be logits, or numbers of any kind.
func (m *Model) probabilities() bool { return m.probable || m.classes == 2 }

// decides reports whether the user says which answers accept.
func (o Options) decides() bool { return o.Yes != "" || o.Threshold != "" }

// threshold reads the option: a number, or a percentage, which is a probability.
func (o Options) threshold() (x float64, percent bool, err error) {
	if o.Threshold == "" {
		return 0, false, nil
	}
	number, percent := strings.CutSuffix(o.Threshold, "%")
	x, err = strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || percent && (x <= 0 || x >= 1) {
		return 0, false, fmt.Errorf("threshold %s: it is an output of the network, as 0.5, or a probability, as 30%%", o.Threshold)
	}
	return x, percent, nil
}

// decide turns the head so that its output is above zero where the user's class is above
// the user's threshold: a probability where the file or two classes say that outputs are,
// otherwise the last dense layer's own number.
func (m *Model) decide(o Options) error {
	m.options = o
	last := &m.Stack.Head[len(m.Stack.Head)-1]
	m.classes = last.Weight.Rows
	m.apart = m.classes == 2 && len(last.Then) > 0 && last.Then[len(last.Then)-1] == rnn.Sigmoid
	if m.apart && o.Yes == "" {
		m.Notes = append(m.Notes, "there are two outputs with a sigmoid each, which are no two classes of one decision: class 1 above class 0 is taken to be a yes; the option yes says which class is")
	}
	if !o.decides() {
		return nil
	}
	rest, ends := undo(*last)
	last.Then, m.probable, m.Network = rest, m.probable || ends, nil
	sign := float32(1)
	if o.Yes == "0" {
		sign = -1
	}
	x, percent, err := o.threshold()
	if err != nil {
		return err
	}
	offset := -sign * float32(x)
	if (percent || m.probabilities()) && o.Threshold != "" {
		if x <= 0 || x >= 1 {
			return fmt.Errorf("threshold %s: the network's outputs are probabilities, between 0 and 1", o.Threshold)
		}
		offset = -float32(math.Log(x / (1 - x)))
	}
	m.offset = offset
	d := rnn.Dense{Weight: f32.New(1, m.classes), Bias: []float32{offset}}
	d.Weight.Row(0)[m.classes-1] = sign
	if m.classes == 2 {
		d.Weight.Row(0)[0] = -sign
	}
	m.Stack.Head = append(m.Stack.Head, d)
	return nil
}

// scale returns what embeddings of a size are multiplied by.
func (o Options) scale(size int) (float64, error) {
	switch o.Scale {
	case "":
		return 1, nil
	case "sqrt":
		return math.Sqrt(float64(size)), nil
	}
	x, err := strconv.ParseFloat(o.Scale, 32)
	if err != nil || x-x != 0 || x == 0 {
		return 0, fmt.Errorf("embedding-scale %s: it is a number, or sqrt, the root of the embedding's size", o.Scale)
	}
	return x, nil
}

// scaled multiplies an embedding as the user says.
func (o Options) scaled(embedding *f32.Matrix) error {
	if o.Scale == "" {
		return nil
	}
	if embedding.Rows == 0 {
		return errors.New("embedding-scale is for networks with an embedding, and the inputs of this one are one-hot")
	}
	x, err := o.scale(embedding.Cols)
	m := f32.New(embedding.Rows, embedding.Cols)
	for i, v := range embedding.Data {
		m.Data[i] = float32(x) * v
	}
	*embedding = m
	return err
}

// maxPad bounds how many tokens words are filled up to.
const maxPad = 10_000

// checkPad reports options about padding that do not fit together.
func (o Options) checkPad() error {
	switch {
	case (o.PadTo != 0 || o.PadSide != "") && o.Pad == "":
		return errors.New("the options pad-to and pad-side say how words are filled up, and pad with which token")
	case o.PadTo < 0 || o.PadTo > maxPad:
		return fmt.Errorf("pad-to %d: it is a number of tokens, at most %d", o.PadTo, maxPad)
	case o.PadSide != "" && o.PadTo == 0:
		return errors.New("pad-side is for words that are filled up: pad-to says to how many tokens")
	case !slices.Contains([]string{"", "left", "right"}, o.PadSide):
		return fmt.Errorf("pad-side %s: it is left or right", o.PadSide)
	}
	return nil
}

// look lets the network look at whole words, padded and pooled as the user says.
func (m *Model) look(o Options) {
	m.Stack.Pool = map[string]rnn.Pool{"mean": rnn.PoolMean, "max": rnn.PoolMax}[o.Pool]
	if o.PadTo > 0 {
		token, _ := parseToken("pad", o.Pad) // checked with the vocabulary
		m.Stack.Pad = rnn.Pad{Token: token, To: o.PadTo, Left: o.PadSide == "left"}
	}
	m.Stack.Reverse = o.Reverse
	if m.Stack.Pool != rnn.PoolLast || o.PadTo > 0 || o.Reverse {
		m.Network = nil // it is no network of the kind that this program trains
	}
}

// zeroRows returns the tokens whose embedding is zero, as padding_idx makes it.
func zeroRows(embedding f32.Matrix) (list []int32) {
	for t := range embedding.Rows {
		if !slices.ContainsFunc(embedding.Row(t), func(x float32) bool { return x != 0 }) {
			list = append(list, int32(t))
		}
	}
	return list
}
