package model

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"quotient/internal/text"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/word"
)

// A Check compares a network with what its owner's own code says of some words.
type Check struct {
	Model     string     `json:"model"`
	Reading   string     `json:"reading"`
	Notes     []string   `json:"notes,omitempty"` // what was guessed
	Answers   int        `json:"answers"`         // that were compared
	Wrong     int        `json:"wrong"`           // how many of them differ
	Largest   float64    `json:"largest_difference"`
	Spread    float64    `json:"spread"`              // of the recorded logits
	Decisions int        `json:"decisions,omitempty"` // answers of which only yes or no is compared
	Little    bool       `json:"little,omitempty"`    // what is recorded is so much alike that it shows little
	Word      string     `json:"word,omitempty"`      // the first that differs
	Got       float64    `json:"got"`
	Want      float64    `json:"want"`
	Right     bool       `json:"right"`
	Open      string     `json:"open,omitempty"`     // what has to be said before the file is read at all; then nothing was compared without
	Unasked   []string   `json:"unasked,omitempty"`  // symbols that no case has
	Tried     int        `json:"tried"`              // other readings
	Readings  [][]string `json:"readings,omitempty"` // those that are right, as flags; if this one is, those that are far nearer

	graph   bool    // the file says itself what its layers compute
	cut     bool    // there are more readings than were tried
	allowed float64 // how far logits may be that are computed and recorded right
}

// near is how far a logit may be from the one that is recorded, as a share of what the recorded
// ones spread over: a logit of a misread network may be near, too, if all are alike. noise
// is what arithmetic with 32 bits adds.
const (
	near  = 1e-4
	noise = 2e-6
)

// What is tried at most: so many readings, so many bytes that they read, and so many answers
// to a question of a file's, with other readings of each.
const (
	maxReadings = 5000
	maxReread   = 1 << 34
	maxAnswers  = 4
)

// A saying is what is known of one word.
type saying struct {
	Word        json.RawMessage
	Logits      []*float64 // after every prefix, the empty one first; null where nothing is known
	Logit       *float64   // after the word
	Probability *float64
	Accepts     *bool
}

// A claim is one number or answer that the network should give.
type claim struct {
	word    word.Word
	logit   float64
	slack   float64 // how far the recorded number itself may be from the true one
	decides bool    // only whether it is above 0 counts
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
		if r.Probability != nil {
			probabilities = append(probabilities, *r.Probability)
		}
	}
	return logits, probabilities
}

// Compare opens a network and compares it with recorded cases. If it differs, other readings
// of the same file are tried. The cases' file is the vocabulary, too, if it has one and
// nothing else is said.
func Compare(ctx context.Context, name string, o Options, cases string) (*Check, error) {
	data, err := readText(cases)
	if err != nil {
		return nil, err
	}
	var file struct {
		Vocab json.RawMessage
		Cases []saying
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s: it is not JSON of cases: %w", cases, err)
	}
	if len(file.Cases) == 0 {
		return nil, fmt.Errorf("%s: there are no cases in it, such as {\"cases\": [{\"word\": [\"a\", \"b\"], \"logit\": 1.5}]}", cases)
	}
	if file.Vocab != nil && !o.told() && !o.elsewhere() {
		o.Vocab = cases
	}
	m, err := Open(ctx, name, o)
	var q *question
	if errors.As(err, &q) {
		return settle(ctx, name, o, q, file.Cases)
	}
	if err != nil {
		return nil, err
	}
	defer m.Close()
	c, err := m.compare(ctx, file.Cases)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cases, err)
	}
	if c.Right && (c.Largest <= near/10*c.Spread+c.allowed || c.Decisions == c.Answers) || m.Stack == nil {
		return c, nil
	}
	right, err := m.otherReadings(ctx, name, file.Cases, &c.Tried)
	c.cut = c.Tried >= m.budget()
	if c.Right { // but not as near as arithmetic is, so that another may be meant
		right = slices.DeleteFunc(right, func(r reading) bool { return r.off > c.Largest/10 })
	}
	c.Readings = nearest(right)
	return c, err
}

// compare checks all that is recorded.
func (m *Model) compare(ctx context.Context, cases []saying) (*Check, error) {
	claims, err := m.claims(cases)
	if err != nil {
		return nil, err
	}
	words := make([]word.Word, len(claims))
	for i, x := range claims {
		words[i] = x.word
	}
	logits, err := m.logits(ctx, words)
	if err != nil {
		return nil, err
	}
	c := &Check{Model: m.Name, Reading: m.readAs(), Notes: m.Notes, Answers: len(claims), Spread: spread(claims)}
	c.count(claims)
	c.graph = m.Tensors == nil
	for i, x := range claims {
		got, wrong := float64(logits[i]), false
		if x.decides {
			wrong = (got > 0) != (x.logit > 0)
		} else {
			got -= float64(m.offset)
			d := math.Abs(got - x.logit)
			c.Largest = max(c.Largest, d)
			allowed := noise*(1+math.Abs(x.logit)) + x.slack
			c.allowed = max(c.allowed, allowed)
			wrong = !(d <= near*c.Spread+allowed)
		}
		if wrong {
			if c.Wrong == 0 {
				c.Word, c.Got, c.Want = m.Net.Alphabet().Format(x.word), got, x.logit
			}
			c.Wrong++
		}
	}
	c.Right = c.Wrong == 0
	for _, i := range m.unasked(cases) {
		c.Unasked = append(c.Unasked, m.Net.Alphabet().Names()[i])
	}
	return c, nil
}

// count tells how many of the claims are about decisions alone, and whether they show much.
func (c *Check) count(claims []claim) {
	yes, largest := 0, 0.0
	for _, x := range claims {
		if x.logit > 0 {
			yes++
		}
		if x.decides {
			c.Decisions++
		} else {
			largest = max(largest, math.Abs(x.logit))
		}
	}
	if c.Decisions == c.Answers {
		c.Little = yes == 0 || yes == c.Answers
	} else {
		c.Little = c.Spread < 0.01*(1+largest)
	}
}

// logits asks for the logarithms of the odds of a yes, plus what a threshold adds.
func (m *Model) logits(ctx context.Context, words []word.Word) ([]float32, error) {
	if exact, ok := m.Net.(interface {
		Logits(words []word.Word) []float32
	}); ok {
		return exact.Logits(words), nil
	}
	q := oracle.Ask(ctx, m.Net)
	list := slices.Clone(q.Probabilities(words))
	for i, p := range list {
		list[i] = float32(math.Log(float64(p)) - math.Log1p(-float64(p)))
	}
	return list, q.Err()
}

// claims reads the cases over the network's alphabet.
func (m *Model) claims(cases []saying) (list []claim, err error) {
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
			const tiny = 1e-7 // what a probability of 32 bits still tells from 1
			x := min(max(*p, tiny), 1-tiny)
			list = append(list, claim{word: w, logit: math.Log(x / (1 - x)), slack: (share + tiny) / (x * (1 - x)), decides: x != *p})
		}
		if r.Accepts != nil {
			list = append(list, claim{word: w, logit: map[bool]float64{true: 1, false: -1}[*r.Accepts], decides: true})
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
	list = append(list, choice{func(o *Options, v string) { o.Yes = v }, []string{"0", "1"}, false})
	if slices.ContainsFunc(cases, func(r saying) bool { return r.Accepts != nil }) {
		list = append(list, choice{func(o *Options, v string) { o.Threshold = v }, []string{"0.5"}, false})
	}
	list = append(list, choice{setPad, m.paddings(cases), false})
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
			if errors.As(err, &next) && depth > 0 && ctx.Err() == nil {
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

// Tell writes the comparison for people.
func (c *Check) Tell(w io.Writer) {
	if c.Open != "" {
		fmt.Fprintf(w, "%s\n", c.Open)
		c.tellReadings(w)
		return
	}
	fmt.Fprintf(w, "%s\nread as: %s\n", c.Model, c.Reading)
	for _, note := range c.Notes {
		fmt.Fprintf(w, "warning: %s\n", note)
	}
	if len(c.Unasked) > 0 {
		fmt.Fprintf(w, "note: no case has %s\n", few(c.Unasked))
	}
	if c.Right {
		fmt.Fprintf(w, "right: all of %s are as recorded; %s\n", text.Plural(c.Answers, "answer"), c.compared())
		for _, flags := range c.Readings {
			fmt.Fprintf(w, "this reading is far nearer: %s\n", strings.Join(flags, " "))
		}
		return
	}
	fmt.Fprintf(w, "wrong: %d of %s differ; after %s the logit is %.5g, and %.5g was recorded\n", c.Wrong, text.Plural(c.Answers, "answer"), c.Word, c.Got, c.Want)
	c.tellReadings(w)
}

// compared says how much an agreement shows.
func (c *Check) compared() string {
	said := fmt.Sprintf("the largest difference of logits is %.2g", c.Largest)
	if c.Decisions == c.Answers {
		said = "only decisions were compared, no logits"
		if c.Little {
			said += ", and all are alike, which shows little"
		}
	} else if c.Little {
		said += fmt.Sprintf(", and the recorded ones hardly differ, by %.2g at most, which shows little", c.Spread)
	}
	return said
}

func (c *Check) tellReadings(w io.Writer) {
	for _, flags := range c.Readings {
		fmt.Fprintf(w, "this reading is right: %s\n", strings.Join(flags, " "))
	}
	if len(c.Readings) > 0 {
		return
	}
	if c.cut {
		fmt.Fprintf(w, "%s were tried, not all that there are: give flags for what you know, and fewer are left\n", text.Plural(c.Tried, "other reading"))
	}
	why := "the code does what a file of weights does not show, such as a sum of layers or attention; " + instead
	if c.graph {
		why = "whatever the graph computes, the cases are of other tokens or another network; the option exec asks any model as a black box"
	}
	fmt.Fprintf(w, "none of %s is right: %s\n", text.Plural(c.Tried, "other reading"), why)
}
