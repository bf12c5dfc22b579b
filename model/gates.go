package model

import (
	"fmt"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// A recipe is what the option gates says of hand-written cells.
type recipe struct {
	order       string // of stacked gates, as ifgo or rzn; empty: that
	stateFirst  bool   // where input and state are read side by side
	resetBefore bool   // a GRU resets the state before the product with the candidate's weights
	resetAfter  bool   // it does so behind
	takesNew    bool   // a GRU's update gate is the share of the candidate, not of the old state
}

// parseGates reads the option: words with commas between.
func parseGates(text string) (r recipe, err error) {
	if text == "" {
		return r, nil
	}
	for w := range strings.SplitSeq(text, ",") {
		letters := []byte(w)
		slices.Sort(letters)
		switch {
		case string(letters) == "fgio" || string(letters) == "nrz":
			r.order = w
		case w == "hx":
			r.stateFirst = true
		case w == "before":
			r.resetBefore = true
		case w == "after":
			r.resetAfter = true
		case w == "new":
			r.takesNew = true
		case w == "xh" || w == "old":
		default:
			return r, fmt.Errorf("gates %s: %q is neither an order of the gates, as ifgo or rzn, nor xh, hx, before, after, old or new", text, w)
		}
	}
	return r, nil
}

// made makes the layer of a hand-written cell, and notes what was guessed.
func (s *source) made(c *handmade, r recipe) (rnn.Layer, error) {
	order := c.letters
	if c.stacked && len(r.order) == len(order) {
		order = r.order
	}
	c.order, c.negated = order, r.takesNew && strings.Contains(order, "z")
	y := rnn.Layer{Cell: cellOf(c.letters)}
	hidden, inputs := c.gates[0].in.Rows, c.gates[0].in.Cols
	rows := len(order) * hidden
	y.In, y.Rec = f32.New(rows, inputs), f32.New(rows, hidden)
	y.BiasIn, y.BiasRec = make([]float32, rows), make([]float32, rows)
	for i, letter := range c.letters { // where PyTorch has it
		g := c.gates[strings.IndexRune(order, letter)]
		at, sign := i*hidden, float32(1)
		if letter == 'z' && c.negated {
			sign = -1 // 1 - sigmoid(x) is sigmoid(-x)
		}
		add := func(dst, src []float32) {
			for k, x := range src {
				dst[k] = sign * x
			}
		}
		for k := range hidden {
			add(y.In.Row(at+k), g.in.Row(k))
			add(y.Rec.Row(at+k), g.rec.Row(k))
		}
		add(y.BiasIn[at:], g.biasIn)
		add(y.BiasRec[at:], g.biasRec)
	}
	// A candidate that reads both side by side, or whose share of the state has no bias of
	// its own, is most often that of a state that was reset before; unless norms, which make
	// biases needless, are about that share of all gates.
	normed := slices.ContainsFunc(s.norms, func(n *norm) bool { return n.size == rows && s.holds(c, n) })
	y.ResetBefore = y.Cell == rnn.GRU && !r.resetAfter && (r.resetBefore || c.joined || !c.twice && !normed)
	if s.options.Gates == "" {
		s.noteGuesses(c, &y)
	}
	return y, s.nonlinearity(&y, c.path)
}

// ordered returns a norm of all gates with these in PyTorch's order. An update gate that is
// meant the other way has negated weights; behind a norm it is the norm that is negated, since
// the gate's numbers are among those that it looks at.
func (c *handmade) ordered(n *rnn.Norm, weights f32.Matrix, bias []float32) *rnn.Norm {
	if c == nil {
		return n
	}
	hidden := c.gates[0].in.Rows
	turned := *n
	turned.Scale, turned.Shift = slices.Clone(n.Scale), slices.Clone(n.Shift)
	if turned.Scale == nil && c.negated {
		turned.Scale = slices.Repeat([]float32{1}, len(c.letters)*hidden)
	}
	for i, letter := range c.letters {
		at, from := i*hidden, strings.IndexRune(c.order, letter)*hidden
		if n.Scale != nil {
			copy(turned.Scale[at:at+hidden], n.Scale[from:])
		}
		if n.Shift != nil {
			copy(turned.Shift[at:at+hidden], n.Shift[from:])
		}
		if letter == 'z' && c.negated {
			for k := at; k < at+hidden; k++ {
				negate(weights.Row(k))
			}
			for _, list := range [][]float32{bias, turned.Scale, turned.Shift} {
				if list != nil {
					negate(list[at : at+hidden])
				}
			}
		}
	}
	return &turned
}

func negate(list []float32) {
	for i := range list {
		list[i] = -list[i]
	}
}

// noteGuesses says what is taken for granted of a hand-written cell.
func (s *source) noteGuesses(c *handmade, y *rnn.Layer) {
	var guesses []string
	if c.stacked && y.Cell != rnn.Elman {
		guesses = append(guesses, "its gates stand in the order "+c.letters)
	}
	if c.joined {
		guesses = append(guesses, "the input stands before the state (xh)")
	}
	if y.Cell == rnn.GRU {
		reset := map[bool]string{true: "before", false: "after"}[y.ResetBefore]
		guesses = append(guesses, fmt.Sprintf("the state is reset %s the product", reset), "the update gate is the share of the old state")
	}
	if c.unsure {
		guesses = append(guesses, "its square matrices are multiplied from the right, as in x @ W")
	}
	if len(guesses) == 0 {
		return
	}
	what := map[*rnn.Cell]string{rnn.Elman: "an Elman cell", rnn.GRU: "a GRU", rnn.LSTM: "an LSTM"}[y.Cell]
	guess := fmt.Sprintf("it is taken that %s; the option gates says otherwise", strings.Join(guesses, ", "))
	if slices.ContainsFunc(s.notes, func(n string) bool { return strings.HasSuffix(n, guess) }) {
		return // of a layer below
	}
	s.note("%s make %s that is not PyTorch's own, and its code says the rest: %s", few(c.names), what, guess)
}

// reachOut lets a network decide by a matrix over the last input and the state before it,
// as i2o of PyTorch's tutorial: the outputs become units without a function, which are read
// by nothing but the head.
func (s *source) reachOut(c *handmade, y *rnn.Layer) {
	if !c.joined || y.Cell != rnn.Elman {
		return
	}
	inputs, hidden := y.In.Cols, y.Hidden()
	var out *rnn.Tensor
	for i, t := range s.tensors {
		if len(t.Dims) != 2 || s.used[t.Name] || namesEmbedding(t.Name) {
			continue
		}
		if t.Dims[1] == hidden {
			return // the state is read as it is
		}
		if t.Dims[1] == inputs+hidden && t.Dims[0] <= 2 {
			out = &s.tensors[i]
		}
	}
	if out == nil {
		return
	}
	r, _ := parseGates(s.options.Gates) // it has been read before
	classes := out.Dims[0]
	in, rec := split(f32.Of(classes, out.Dims[1], out.Data), inputs, r.stateFirst)
	wider := rnn.Layer{Cell: rnn.Elman, ReLU: y.ReLU, Linear: y.Linear + classes}
	wider.In, wider.Rec = f32.New(hidden+classes, inputs), f32.New(hidden+classes, hidden+classes)
	wider.BiasIn, wider.BiasRec = make([]float32, hidden+classes), make([]float32, hidden+classes)
	for i := range hidden + classes {
		if i < hidden {
			copy(wider.In.Row(i), y.In.Row(i))
			copy(wider.Rec.Row(i), y.Rec.Row(i))
		} else {
			copy(wider.In.Row(i), in.Row(i-hidden))
			copy(wider.Rec.Row(i), rec.Row(i-hidden))
		}
	}
	copy(wider.BiasIn, y.BiasIn)
	s.used[out.Name] = true
	for _, t := range s.tensors {
		if len(t.Dims) == 1 && t.Dims[0] == classes && t.Name == parent(out.Name)+".bias" {
			copy(wider.BiasIn[hidden:], t.Data)
			s.used[t.Name] = true
		}
	}
	head := rnn.Tensor{Name: parent(out.Name) + ".read.weight", Dims: []int{classes, hidden + classes}, Data: make([]float32, classes*(hidden+classes))}
	for i := range classes {
		head.Data[i*(hidden+classes)+hidden+i] = 1
	}
	s.tensors = append(slices.Clone(s.tensors), head)
	*y = wider
}

// nameRest names the other raw matrices of a network and their biases as those of a Linear,
// and turns them where the cells stand as x @ W wants them, too.
func (s *source) nameRest(turned bool) {
	s.tensors = slices.Clone(s.tensors)
	for i, t := range s.tensors {
		base := lastName(t.Name)
		if s.used[t.Name] || len(t.Dims) != 2 || len(t.Data) == 0 || base == "weight" || namesEmbedding(t.Name) {
			continue
		}
		m := (&piece{tensor: t}).matrix(turned)
		s.tensors[i] = rnn.Tensor{Name: t.Name + ".weight", Dims: []int{m.Rows, m.Cols}, Data: m.Data}
		for k, b := range s.tensors {
			if !s.used[b.Name] && len(b.Dims) == 1 && b.Dims[0] == m.Rows && b.Name[len(b.Name)-1] == t.Name[len(t.Name)-1] {
				s.tensors[k].Name = t.Name + ".bias"
			}
		}
	}
}

// recipes lists what the option gates may say of the hand-written cells of a network.
func recipes(cells []*handmade) (list []string) {
	if len(cells) == 0 {
		return nil
	}
	c := cells[0]
	list = []string{""}
	and := func(choices ...string) {
		var longer []string
		for _, before := range list {
			for _, w := range choices {
				longer = append(longer, strings.TrimPrefix(before+","+w, ","))
			}
		}
		list = longer
	}
	if c.stacked && c.letters != "h" {
		var orders []string
		permute(len(c.letters), func(p []int) {
			var order []byte
			for _, i := range p {
				order = append(order, c.letters[i])
			}
			orders = append(orders, string(order))
		})
		and(orders...)
	}
	if c.joined {
		and("xh", "hx")
	}
	if c.letters == "rzn" {
		and("before", "after")
		and("old", "new")
	}
	if list[0] == "" {
		return nil
	}
	return list
}
