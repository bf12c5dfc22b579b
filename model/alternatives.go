package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"quotient/rnn"
)

// What is tried at most: so many readings, so many bytes that they read, and so many answers
// to a question of a file's, with other readings of each.
const (
	maxReadings = 5000
	maxReread   = 1 << 34
	maxAnswers  = 4
)

// A choice is an option, and the values that it may have beside the one it has.
type choice struct {
	set     func(o *Options, value string)
	values  []string
	guessed bool // there is a warning about it
}

// choices lists what is left open in this network. A graph says itself what its layers compute.
func (m *Model) choices(cases []saying) (list []choice) {
	if m.Tensors != nil {
		list = m.weightChoices()
	}
	if !m.Predicts() && slices.ContainsFunc(cases, func(r saying) bool { return r.Outputs != nil || r.Next != nil }) {
		list = append(list, choice{func(o *Options, v string) { o.As = v }, []string{asLanguage}, true})
	} else if !m.Predicts() {
		list = append(list, choice{func(o *Options, v string) { o.Yes = v }, []string{"0", "1"}, false})
		if slices.ContainsFunc(cases, func(r saying) bool { return r.Accepts != nil }) {
			list = append(list, choice{func(o *Options, v string) { o.Threshold = v }, []string{"0.5"}, false})
		}
		list = append(list, choice{setPad, m.paddings(cases), false})
	}
	around := []string{none}
	for i, t := range m.idle(cases) {
		if i < 8 {
			around = append(around, fmt.Sprint(t))
		}
	}
	for _, t := range []int32{m.Stack.Bos, m.Stack.Eos} {
		if t != rnn.None {
			around = append(around, fmt.Sprint(t))
		}
	}
	list = append(list,
		choice{func(o *Options, v string) { o.Bos = v }, around, false},
		choice{func(o *Options, v string) { o.Eos = v }, around, false})
	return slices.DeleteFunc(list, func(c choice) bool { return len(c.values) == 0 })
}

// weightChoices lists what a file of weights leaves open.
func (m *Model) weightChoices() []choice {
	s := m.Stack
	list := []choice{
		{func(o *Options, v string) { o.Pool = v }, []string{"mean", "max"}, false},
		{func(o *Options, v string) { o.Summary = v }, m.summaries(), s.Bidirectional()},
		{func(o *Options, _ string) { o.Reverse = !o.Reverse }, []string{"reverse"}, false},
		{func(o *Options, v string) { o.Gates = v }, recipes(m.hand), true},
		orderChoice(m.orders),
		keyChoice(m.beside),
	}
	if slices.ContainsFunc(s.Layers, func(y rnn.Layer) bool { return y.Cell == rnn.Elman }) {
		list = append(list, choice{func(o *Options, v string) { o.Nonlinearity = v }, []string{"tanh", "relu", none}, true})
	}
	if s.Embedding.Rows > 0 {
		list = append(list, choice{func(o *Options, v string) { o.Scale = v }, []string{"sqrt", "0.5", "2", "10"}, false})
	}
	for i := range len(s.Layers) - 1 {
		list = append(list, choice{func(o *Options, _ string) { o.Layer = i + 1 }, []string{"layer"}, false})
	}
	list = append(list, m.normChoices()...)
	if len(m.heads) > 1 {
		list = append(list, headChoice(m.heads))
	}
	if len(s.Head) > 1 {
		functions := []string{"relu", "tanh", none, "sigmoid", "gelu", "leaky_relu", "elu", "silu", "softplus"}
		list = append(list, choice{func(o *Options, v string) { o.Activation = v }, functions, true})
	}
	return list
}

// summaries lists what the decision may read of the last layer.
func (m *Model) summaries() (list []string) {
	if m.Stack.Bidirectional() {
		list = append(list, "final", "last")
	}
	if m.Stack.Layers[len(m.Stack.Layers)-1].Cell.Memory {
		list = append(list, "cell")
	}
	return list
}

// paddings lists ways in which words may have been filled up: with an unused token, on
// either side, to the length of the longest or to a usual one.
func (m *Model) paddings(cases []saying) (list []string) {
	longest := 0
	for _, r := range cases {
		if w, err := m.parse(r.Word); err == nil {
			longest = max(longest, len(w))
		}
	}
	usual := []int{10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 80, 100, 128, 200, 256}
	const more = 8 // a round number, or what stands around a word
	for i, token := range m.idle(cases) {
		for n := longest; n <= longest+more && i < 4; n++ {
			list = append(list, fmt.Sprintf("%d %d left", token, n), fmt.Sprintf("%d %d right", token, n))
		}
		for _, n := range usual {
			if i < 4 && n > longest+more {
				list = append(list, fmt.Sprintf("%d %d left", token, n), fmt.Sprintf("%d %d right", token, n))
			}
		}
	}
	return list
}

// idle lists the tokens that may stand around words: those that are never read and, behind
// them, those of symbols that no case has.
func (m *Model) idle(cases []saying) []int32 {
	list := m.unusedTokens()
	for _, i := range m.unasked(cases) {
		list = append(list, m.Stack.Token[i])
	}
	return list
}

// unasked lists the symbols that no case has.
func (m *Model) unasked(cases []saying) (list []int) {
	asked := make([]bool, m.Net.Alphabet().Len())
	for _, r := range cases {
		w, _ := m.parse(r.Word)
		for _, x := range w {
			asked[x] = true
		}
	}
	for i, yes := range asked {
		if !yes {
			list = append(list, i)
		}
	}
	return list
}

// setPad reads one of them.
func setPad(o *Options, value string) {
	fmt.Sscan(value, &o.Pad, &o.PadTo, &o.PadSide)
}

// A reading is a way to read a network, and how far its logits are from what is recorded.
type reading struct {
	flags []string
	off   float64
}

// otherReadings tries what the file leaves open, the fewest changes first, and returns those
// with the fewest that are right. Of three and more, those come first that are guesses, any of
// which may be wrong, while few networks have more than two things that are not even warned of. Of as many changes those with few values come first, so that
// none of the long lists, such as of paddings, uses up what may be tried. Every reading reads
// the file again, so that there are fewer of a large one.
func (m *Model) otherReadings(ctx context.Context, name string, cases []saying, tried *int) (right []reading, err error) {
	choices := m.choices(cases)
	most := *tried + m.budget()
	var vary func(o Options, left []choice) error
	vary = func(o Options, left []choice) error {
		if *tried >= most || ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(left) == 0 {
			*tried++
			if other, err := Open(ctx, name, o); err == nil {
				right, _ = other.ifRight(ctx, cases, right)
			}
			return nil // what cannot be read so is no reading
		}
		for _, v := range left[0].values {
			changed := o
			left[0].set(&changed, v)
			if err := vary(changed, left[1:]); err != nil {
				return err
			}
		}
		return nil
	}
	guesses := slices.DeleteFunc(slices.Clone(choices), func(c choice) bool { return !c.guessed })
	all := func(choices []choice, from, to int) error {
		for changes := from; changes <= min(to, len(choices)) && right == nil && *tried < most; changes++ {
			for _, some := range subsets(choices, changes) {
				if err := vary(m.options, some); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err = cmp.Or(all(choices, 1, 2), all(guesses, 3, len(guesses)), all(choices, 3, len(choices)))
	return right, err
}

// budget is how many readings are tried at most.
func (m *Model) budget() int { return min(maxReadings, maxReread/max(1, m.size)) }

// ifRight adds the reading to those that are right, if it is.
func (m *Model) ifRight(ctx context.Context, cases []saying, right []reading) ([]reading, error) {
	c, err := m.compare(ctx, cases)
	if err != nil || !c.Right {
		return right, err
	}
	return append(right, reading{m.Arguments()[1:], c.Largest}), nil
}

// subsets lists all sets of n choices, those with the fewest values to try first.
func subsets(choices []choice, n int) (list [][]choice) {
	var extend func(from int, some []choice)
	extend = func(from int, some []choice) {
		if len(some) == n {
			list = append(list, slices.Clone(some))
			return
		}
		for i := from; i < len(choices); i++ {
			extend(i+1, append(some, choices[i]))
		}
	}
	extend(0, nil)
	values := func(some []choice) (product int) {
		product = 1
		for _, c := range some {
			product *= len(c.values)
		}
		return product
	}
	slices.SortStableFunc(list, func(a, b []choice) int { return cmp.Compare(values(a), values(b)) })
	return list
}

// nearest returns the flags of the readings that are right, the nearest first.
func nearest(right []reading) (flags [][]string) {
	slices.SortStableFunc(right, func(a, b reading) int { return cmp.Compare(a.off, b.off) })
	for _, r := range right {
		if slices.ContainsFunc(flags, func(known []string) bool { return slices.Equal(known, r.flags) }) {
			continue
		}
		if r.off <= max(10*right[0].off, 1e-5) { // others are right by chance, such as more padding
			flags = append(flags, r.flags)
		}
	}
	return flags
}

// A question is an error that an option answers: which of several heads decides, for example.
type question struct {
	error
	choice
}

func ask(c choice, format string, args ...any) error {
	return &question{fmt.Errorf(format, args...), c}
}

// settle lets the cases answer what a file asks: all answers are tried as they are and, if none
// is right, with what else is open.
func settle(ctx context.Context, name string, o Options, q *question, cases []saying) (*Check, error) {
	c := &Check{Model: name, Open: fmt.Sprintf("%s: %s", name, q)}
	var right []reading
	var wrong []*Model
	var failed error
	var try func(o Options, q *question, depth int)
	try = func(o Options, q *question, depth int) {
		for _, v := range q.values {
			changed := o
			q.set(&changed, v)
			m, err := Open(ctx, name, changed)
			var next *question
			if errors.As(err, &next) && depth > 0 && ctx.Err() == nil && next.Error() != q.Error() {
				try(changed, next, depth-1)
			}
			if err != nil {
				failed = cmp.Or(failed, err)
				continue
			}
			c.Tried++
			before := len(right)
			if right, err = m.ifRight(ctx, cases, right); err != nil {
				failed = cmp.Or(failed, err) // of the cases
			} else if len(right) == before && len(wrong) < maxAnswers {
				wrong = append(wrong, m)
			}
		}
	}
	try(o, q, 2)
	for _, m := range wrong {
		if right != nil {
			break
		}
		found, err := m.otherReadings(ctx, name, cases, &c.Tried)
		if err != nil {
			return nil, err
		}
		right = append(right, found...)
	}
	if right == nil && len(wrong) == 0 && failed != nil {
		return nil, failed
	}
	c.Readings = nearest(right)
	return c, context.Cause(ctx)
}
