package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quotient/oracle"
	"quotient/rnn"
	"quotient/word"
)

// This file settles what the outputs of a language model mean: which of them is each next
// symbol, and which the end.

// What the option as may say.
const (
	asRecognizer = "recognizer"
	asLanguage   = "lm"
)

// Predicts reports whether the network is a language model: its answers are the probabilities
// of each next symbol and, last, of the end.
func (m *Model) Predicts() bool { return oracle.Predicts(m.Net) }

// Decides returns an error unless the network is a recognizer, for whoever can do nothing with
// others.
func (m *Model) Decides() error {
	if !m.Predicts() {
		return nil
	}
	return fmt.Errorf("%s is a language model, which predicts the next symbol; only recognizers, which say of a word whether it is in a language, can be asked here", m.Name)
}

// speakNext is [Model.speak] for a language model.
func (m *Model) speakNext(o Options, metadata map[string]string) error {
	if o.decides() {
		return errors.New("the options yes and threshold are for recognizers, and this is a language model; the option as says otherwise")
	}
	if m.options = o; o.told() {
		m.Network = nil // it speaks otherwise than those that this program trains
	}
	last := &m.Stack.Head[len(m.Stack.Head)-1]
	rest, ends := undo(*last)
	last.Then, m.probable = rest, m.probable || ends
	if n := len(rest); n > 0 && rest[n-1] == rnn.Sigmoid && !m.probable {
		return fmt.Errorf("each of the %d outputs has a sigmoid of its own, so that together they are no distribution of the next symbol; %s", m.Stack.Outputs(), instead)
	}
	v, err := m.predicted(o, metadata)
	if err != nil {
		return err
	}
	a, err := word.NewAlphabet(v.names...)
	if err != nil {
		return err
	}
	m.look(o)
	if err := m.Stack.Speak(a, v.token, v.bos, rnn.None); err != nil {
		return err
	}
	if m.Stack.Next, err = v.outputs(m.Stack.Tokens, m.Stack.Outputs(), o.Eos == none); err != nil {
		return err
	}
	m.Notes = append(m.Notes, v.notes...)
	return m.run(o.Threads)
}

// predicted returns what the tokens mean: as the user tells or, if nothing is told, the file,
// or else by their number.
func (m *Model) predicted(o Options, metadata map[string]string) (*vocabulary, error) {
	tokens, outputs := m.Stack.Tokens, m.Stack.Outputs()
	a, token, bos, err := rnn.Meaning(metadata)
	switch {
	case err == nil && !o.told():
		return &vocabulary{names: a.Names(), token: token, bos: bos, eos: rnn.None}, nil
	case err != nil && !errors.Is(err, rnn.ErrNoSymbols) && !o.told():
		return nil, err
	}
	pad := m.padding(o)
	var v *vocabulary
	switch {
	case o.Vocab != "":
		v, err = o.vocabulary(tokens, pad)
	case o.Eos == "" && o.Bos == "" && len(o.Symbols) == 0:
		v, err = countedOutputs(tokens, outputs)
	default:
		v, err = o.listed(tokens, pad)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case v.bos == rnn.None && v.eos != rnn.None && o.Bos == "":
		v.bos = v.eos
		v.note("nothing is said of a token that begins words: it is taken to be that of the end, %d; the option bos says otherwise, or none", v.eos)
	case v.eos == rnn.None && v.bos != rnn.None && o.Eos == "" && tokens == outputs:
		v.note("nothing is said of the end of words: it is taken to be output %d, that of the token which begins them; the option eos says otherwise, or none", v.bos)
	}
	return v, nil
}

// countedOutputs is a guess where nothing is told: the symbols come first, and the last output is
// the end.
func countedOutputs(tokens, outputs int) (*vocabulary, error) {
	v := &vocabulary{bos: rnn.None, eos: rnn.None}
	symbols := outputs - 1
	switch tokens - outputs {
	case -1: // the end has no token
	case 0:
		v.eos = int32(tokens - 1)
	case 1:
		v.bos, v.eos = int32(tokens-2), int32(tokens-1)
	default:
		return nil, mismatch(tokens, outputs, "nothing is said of its symbols")
	}
	if symbols > word.MaxSymbols {
		return nil, fmt.Errorf("the network has %d tokens, and an alphabet at most %d symbols", tokens, word.MaxSymbols)
	}
	for t := range int32(symbols) {
		v.names, v.token = append(v.names, strconv.Itoa(int(t))), append(v.token, t)
	}
	v.note("the file does not say what its tokens mean: symbols are their numbers, and the last output is taken for the end; a vocabulary says more, or the options symbols, bos and eos")
	return v, nil
}

// listed gives the tokens the user's symbols in their order, or their numbers as names. The first
// that is left over begins words, and the next ends them, unless the user says otherwise.
func (o Options) listed(tokens int, pad padding) (*vocabulary, error) {
	v := &vocabulary{bos: rnn.None, eos: rnn.None, names: o.Symbols}
	bos, errBos := parseToken("bos", o.Bos)
	eos, errEos := parseToken("eos", o.Eos)
	_, errPad := parseToken("pad", o.Pad)
	if err := errors.Join(errBos, errEos, errPad); err != nil {
		return nil, err
	}
	v.bos, v.eos = bos, eos
	taken := setOf([]int32{bos, eos})
	if pad.sure || len(o.Symbols) > 0 && tokens-len(o.Symbols)-len(taken) >= len(pad.tokens) {
		v.unused = pad.tokens
	}
	var free []int32
	unused := setOf(v.unused)
	for t := range int32(tokens) {
		if !taken[t] && !unused[t] {
			free = append(free, t)
		}
	}
	if len(o.Symbols) == 0 {
		if len(free) > word.MaxSymbols {
			return nil, fmt.Errorf("the network has %d tokens, and an alphabet at most %d symbols", tokens, word.MaxSymbols)
		}
		for _, t := range free {
			v.names = append(v.names, strconv.Itoa(int(t)))
		}
	}
	if len(free) < len(v.names) || len(v.names) == 0 {
		return nil, fmt.Errorf("the network has %d tokens, of which %d can be symbols, and there are %d symbols: name the symbols of this network", tokens, len(free), len(v.names))
	}
	v.token, free = free[:len(v.names)], free[len(v.names):]
	for _, x := range []struct {
		what, said string
		token      *int32
	}{{"begin", o.Bos, &v.bos}, {"end", o.Eos, &v.eos}} {
		if x.said == "" && len(free) > 0 {
			*x.token, free = free[0], free[1:]
			v.note("token %d is left over: it is taken to %s words; the options bos and eos say otherwise", *x.token, x.what)
		}
	}
	return v, nil
}

// mismatch is the error of a head that does not fit the tokens.
func mismatch(tokens, outputs int, said string) error {
	var pairs []string // that may begin and end words
	for _, bos := range []int{0, 1, tokens - 2, tokens - 1} {
		for _, eos := range []int{0, 1, tokens - 2, tokens - 1} {
			pairs = append(pairs, fmt.Sprintf("%d %d", bos, eos))
		}
	}
	ends := choice{func(o *Options, v string) { fmt.Sscan(v, &o.Bos, &o.Eos) }, pairs, true}
	return ask(ends, "the head has %d outputs, the network %d tokens, and %s: a language model has an output for each token, or for each symbol and the end, with or without the tokens that begin or fill words; a recognizer has one output or two; give the vocabulary of this network, or say with the options symbols, bos, eos and pad what its tokens are",
		outputs, tokens, said)
}

// outputs returns which output is each symbol and, last, the end. Outputs stand in the order of
// the tokens, some of which may have none: those that begin words, fill them or are never read.
func (v *vocabulary) outputs(tokens, outputs int, endless bool) ([]int32, error) {
	known := setOf(v.token, []int32{v.eos})
	var others []int32 // all tokens that need no output
	for t := range int32(tokens) {
		if !known[t] {
			others = append(others, t)
		}
	}
	bos := slices.DeleteFunc([]int32{v.bos}, func(t int32) bool { return t == rnn.None || known[t] })
	for _, dropped := range [][]int32{nil, bos, others, v.unused, slices.Concat(bos, v.unused)} {
		drop := setOf(dropped)
		place, kept := make(map[int32]int32), int32(0)
		for t := range int32(tokens) {
			if !drop[t] {
				place[t] = kept
				kept++
			}
		}
		end, fits := int32(rnn.None), int(kept) == outputs
		switch begin, has := place[v.bos]; {
		case v.eos != rnn.None && !endless:
			end = place[v.eos]
		case !fits && int(kept)+1 == outputs:
			end, fits = kept, !endless // behind the others, without a token
		case has && !endless:
			end = begin
		case !endless && fits:
			v.note("nothing is said of the end of words, and no output is left for it: words never end, with a probability of zero; the option eos names a token")
		}
		if fits {
			var next []int32
			for _, t := range v.token {
				next = append(next, place[t])
			}
			return append(next, end), nil
		}
	}
	said := fmt.Sprintf("the vocabulary %d symbols", len(v.names))
	if v.eos != rnn.None {
		said += " and an end"
	}
	return nil, mismatch(tokens, outputs, said)
}

// predictsWhat says which output is what, and what is left out.
func (m *Model) predictsWhat() string {
	if m.Stack == nil {
		return "it predicts the next symbol, or the end"
	}
	s := m.Stack
	var list []string
	for i, name := range m.Net.Alphabet().Names() {
		list = append(list, fmt.Sprintf("%s = %d", name, s.Next[i]))
	}
	end := "words never end"
	if k := s.Next[len(s.Next)-1]; k != rnn.None {
		end = fmt.Sprintf("the end = %d", k)
	}
	text := fmt.Sprintf("outputs %s; %s", few(list), end)
	if left := m.meaningless(); len(left) > 0 {
		text += fmt.Sprintf("; %s left out, and the others renormalized", strings.Replace(tokenList(left), "token", "output", 1))
	}
	return text
}

// meaningless lists the outputs that are neither a symbol nor the end.
func (m *Model) meaningless() (list []int32) {
	known := setOf(m.Stack.Next)
	for k := range int32(m.Stack.Outputs()) {
		if !known[k] {
			list = append(list, k)
		}
	}
	return list
}

// Own returns a language model with its own probabilities, which sum to less than one where
// outputs have no meaning: those of what begins words, for example.
func (m *Model) Own() (oracle.Oracle, error) {
	if m.Stack == nil || !m.Predicts() || len(m.meaningless()) == 0 {
		return m.Net, nil
	}
	own := *m.Stack
	own.Own = true
	other := Model{Stack: &own}
	err := other.run(m.options.Threads)
	return other.Net, err
}
