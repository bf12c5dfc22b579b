package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"quotient/rnn"
	"quotient/word"
)

// A vocabulary says what a network's tokens mean.
type vocabulary struct {
	names    []string // of the symbols
	token    []int32  // of each
	bos, eos int32    // or rnn.None
	unused   []int32  // tokens that are known to be no part of words
	notes    []string // guesses
}

// special lists the names of tokens that are no symbols, in lower case and without
// brackets. Those in plain are known without brackets, too: nobody calls a symbol so.
var (
	special = map[string][]string{
		"bos":    {"bos", "sos", "s", "start", "begin", "go", "cls", "startoftext", "bow"},
		"eos":    {"eos", "/s", "end", "stop", "sep", "endoftext", "eow"},
		"unused": {"pad", "padding", "blank", "unk", "unknown", "oov", "mask", "null"},
	}
	plain = []string{"bos", "sos", "bow", "eos", "eow", "pad", "padding", "unk", "oov"}
)

// role returns which list of special names a token's name is in, or "".
func role(name string) string {
	bare := strings.ToLower(strings.Trim(name, "<>[]{}()|_#"))
	for _, suffix := range []string{"_token", "-token", "_tok"} { // START_TOKEN, which is as good as brackets
		bare = strings.TrimSuffix(bare, suffix)
	}
	if bare == strings.ToLower(name) && !slices.Contains(plain, bare) {
		return ""
	}
	for role, list := range special {
		if slices.Contains(list, bare) {
			return role
		}
	}
	return ""
}

// maxText bounds the bytes of a vocabulary or of cases.
const maxText = 16 << 20

// readVocabulary reads a file: JSON that maps symbols to tokens, or lists the symbols of
// the tokens 0, 1, ..., either bare or under the key "vocab".
func readVocabulary(path string) (*vocabulary, error) {
	data, err := readText(path)
	if err != nil {
		return nil, err
	}
	v, err := parseVocabulary(data)
	if err != nil {
		return nil, fmt.Errorf("vocabulary %s: %w", path, err)
	}
	return v, nil
}

// readText reads what the user tells in a file, if it is not too much.
func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(data) > maxText {
		err = fmt.Errorf("it has more than %d bytes", maxText)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

func parseVocabulary(data []byte) (*vocabulary, error) {
	entries, err := allEntries(data)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b vocabularyEntry) int {
		return cmp.Or(cmp.Compare(a.token, b.token), cmp.Compare(a.name, b.name))
	})
	v := &vocabulary{bos: rnn.None, eos: rnn.None}
	for i, e := range entries {
		if i > 0 && entries[i-1].token == e.token {
			return nil, fmt.Errorf("token %d is both %q and %q", e.token, entries[i-1].name, e.name)
		}
		switch role(e.name) {
		case "unused":
			v.unused = append(v.unused, e.token)
		case "bos":
			if v.bos != rnn.None {
				return nil, fmt.Errorf("tokens %d and %d are both called as one that words begin with", v.bos, e.token)
			}
			v.bos = e.token
		case "eos":
			if v.eos != rnn.None {
				return nil, fmt.Errorf("tokens %d and %d are both called as one that words end with", v.eos, e.token)
			}
			v.eos = e.token
		default:
			v.names, v.token = append(v.names, e.name), append(v.token, e.token)
		}
	}
	if len(v.names) == 0 {
		return nil, errors.New("there are no symbols in it")
	}
	return v, nil
}

// allEntries reads a vocabulary by itself, or under one of the keys that people have it under.
func allEntries(data []byte) ([]vocabularyEntry, error) {
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	var whole map[string]json.RawMessage
	if json.Unmarshal(data, &whole) == nil {
		for _, key := range []string{"vocab", "stoi"} {
			if inner := whole[key]; len(inner) > 0 && (inner[0] == '{' || inner[0] == '[') {
				return vocabularyEntries(inner)
			}
		}
	}
	return vocabularyEntries(data)
}

// numbers lets the options bos, eos and pad be names of the vocabulary, in place of numbers.
func (o Options) numbers() (Options, error) {
	for _, text := range []*string{&o.Bos, &o.Eos, &o.Pad} {
		if _, err := parseToken("", *text); err == nil || o.Vocab == "" {
			continue // also what is no number, which is said where it is read
		}
		data, err := readText(o.Vocab)
		if err != nil {
			return o, err
		}
		entries, err := allEntries(data)
		if err != nil {
			return o, fmt.Errorf("vocabulary %s: %w", o.Vocab, err)
		}
		if i := slices.IndexFunc(entries, func(e vocabularyEntry) bool { return e.name == *text }); i >= 0 {
			*text = strconv.Itoa(int(entries[i].token))
		}
	}
	return o, nil
}

// A vocabularyEntry is a symbol and its token.
type vocabularyEntry struct {
	name  string
	token int32
}

// vocabularyEntries reads a JSON object or list. What a symbol maps to must be a number.
func vocabularyEntries(data []byte) (list []vocabularyEntry, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	open, err := d.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return nil, errors.New(`it is not JSON that maps symbols to tokens, such as {"a": 0, "b": 1, "<bos>": 2}`)
	}
	seen := make(map[string]bool)
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		if !ok {
			return nil, fmt.Errorf("%v is not the name of a symbol", t)
		}
		if seen[name] {
			return nil, fmt.Errorf("%q occurs twice", name)
		}
		seen[name] = true
		token := int64(len(list))
		if open == json.Delim('{') {
			t, err := d.Token()
			if err != nil {
				return nil, err
			}
			if token, err = strconv.ParseInt(fmt.Sprint(t), 10, 32); err != nil || token < 0 { // in quotes, too
				if name, token, ok = inverse(name, t); !ok {
					return nil, fmt.Errorf("symbol %q maps to %v, not to a token, a number from 0 on; "+
						`a file that says more has the symbols under "vocab", as in {"vocab": {"a": 0, "b": 1}}`, name, t)
				}
			}
		}
		list = append(list, vocabularyEntry{name, int32(token)})
	}
	_, err = d.Token()
	return list, err
}

// inverse reads an entry of a table from tokens to symbols, such as "0": "a".
func inverse(key string, value json.Token) (name string, token int64, ok bool) {
	name, ok = value.(string)
	token, err := strconv.ParseInt(key, 10, 32)
	if !ok || err != nil || token < 0 {
		return key, 0, false
	}
	return name, token, true
}

// A padding is what the tokens are that no word has.
type padding struct {
	tokens []int32
	sure   bool // the file says so; otherwise their embedding is zero, and it is a guess
}

// setOf makes a set of tokens, because a network may have as many as it has bytes: looking
// through lists of them for each would take minutes.
func setOf(lists ...[]int32) map[int32]bool {
	set := make(map[int32]bool)
	for _, list := range lists {
		for _, t := range list {
			set[t] = true
		}
	}
	return set
}

// padding returns the tokens that the user or the file calls so, or else those whose
// embedding is zero.
func (m *Model) padding(o Options) padding {
	if t, _ := parseToken("pad", o.Pad); t != rnn.None {
		return padding{[]int32{t}, true}
	}
	if len(m.skipped) > 0 {
		return padding{m.skipped, true}
	}
	return padding{tokens: zeroRows(m.Stack.Embedding)}
}

// vocabulary settles what the tokens of a network mean, from what the user says. Those
// that are padding are none of the symbols, unless that is a guess and the user names them.
func (o Options) vocabulary(tokens int, pad padding) (*vocabulary, error) {
	v, err := o.meaning(tokens, pad)
	if err != nil || !pad.sure {
		return v, err
	}
	unused := setOf(pad.tokens)
	for _, t := range append([]int32{v.bos, v.eos}, v.token...) {
		if unused[t] {
			return nil, fmt.Errorf("token %d is padding: it can be neither a symbol nor <bos> or <eos>", t)
		}
	}
	return v, nil
}

func (o Options) meaning(tokens int, pad padding) (*vocabulary, error) {
	bos, err := parseToken("bos", o.Bos)
	if err != nil {
		return nil, err
	}
	eos, err := parseToken("eos", o.Eos)
	if err != nil {
		return nil, err
	}
	if _, err := parseToken("pad", o.Pad); err != nil {
		return nil, err
	}
	if o.Vocab != "" {
		if len(o.Symbols) > 0 {
			return nil, errors.New("the options vocab and symbols both name the symbols: give one of them")
		}
		v, err := readVocabulary(o.Vocab)
		if err != nil {
			return nil, err
		}
		return v.override(o, bos, eos).leftOver(tokens, pad), nil
	}
	pad.tokens = slices.DeleteFunc(slices.Clone(pad.tokens), func(t int32) bool { return t == bos || t == eos })
	if len(o.Symbols) == 0 {
		return numbered(tokens, pad, bos, eos)
	}
	return o.named(tokens, pad, bos, eos)
}

// leftOver notes what a vocabulary says nothing of, and what looks otherwise than it says.
func (v *vocabulary) leftOver(tokens int, pad padding) *vocabulary {
	known, zero := setOf(v.token, v.unused, []int32{v.bos, v.eos}), setOf(pad.tokens)
	var left []int32
	for t := range int32(tokens) {
		if !known[t] && !(pad.sure && zero[t]) {
			left = append(left, t)
		}
	}
	if len(left) > 0 {
		v.note("the vocabulary says nothing of %s, and words are read without; the options bos and eos say what stands before and behind them", tokenList(left))
	}
	for i, t := range v.token {
		if zero[t] {
			v.note("symbol %s is token %d, whose embedding is zero, as that of padding is", v.names[i], t)
		}
	}
	return v
}

// named gives the tokens the user's symbols in their order. Padding is left out where
// there is a token too many, and one that is still left over is taken for <bos>.
func (o Options) named(tokens int, pad padding, bos, eos int32) (*vocabulary, error) {
	v := &vocabulary{names: o.Symbols, bos: bos, eos: eos}
	special := 0
	for _, t := range []int32{bos, eos} {
		if t != rnn.None {
			special++
		}
	}
	spare := tokens - len(o.Symbols) - special
	if n := len(pad.tokens); n > 0 && (pad.sure || spare >= n) {
		v.unused, spare = pad.tokens, spare-n
		if !pad.sure {
			v.note("%s: the embedding is zero, so it is taken to be padding, and the symbols to be the others", tokenList(pad.tokens))
		}
	}
	unused := setOf(v.unused)
	for t := int32(0); len(v.token) < len(o.Symbols); t++ {
		if t != bos && t != eos && !unused[t] {
			v.token = append(v.token, t)
		}
	}
	if o.Bos != "" || spare == 0 {
		return v, nil
	}
	if spare != 1 {
		return nil, fmt.Errorf("the network has %d tokens, but %d symbols and <bos> are %d: name all symbols, or say with the option bos which token <bos> is, or none",
			tokens, len(o.Symbols), tokens-spare+1)
	}
	v.bos = v.token[len(v.token)-1] + 1
	for v.bos == eos || unused[v.bos] {
		v.bos++
	}
	v.note("token %d is left over: it is taken for <bos>, which is read before every word; the option bos says otherwise, or none", v.bos)
	return v, nil
}

func (v *vocabulary) note(format string, args ...any) {
	v.notes = append(v.notes, fmt.Sprintf(format, args...))
}

// tokenList names tokens, the first few of many.
func tokenList(tokens []int32) string {
	if len(tokens) == 1 {
		return fmt.Sprintf("token %d", tokens[0])
	}
	text := "tokens"
	for i, t := range tokens {
		if i == 8 {
			return fmt.Sprintf("%s and %d more", text, len(tokens)-i)
		}
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %d", t)
	}
	return text
}

// override lets the user's own word about <bos>, <eos> and padding count. A token that is one
// of them is no symbol.
func (v *vocabulary) override(o Options, bos, eos int32) *vocabulary {
	if o.Bos != "" {
		v.bos = bos
	}
	if o.Eos != "" {
		v.eos = eos
	}
	pad, _ := parseToken("pad", o.Pad)
	kept := &vocabulary{bos: v.bos, eos: v.eos, unused: v.unused}
	for i, t := range v.token {
		if t != v.bos && t != v.eos && t != pad {
			kept.names, kept.token = append(kept.names, v.names[i]), append(kept.token, t)
		}
	}
	return kept
}

// numbered makes symbols of the tokens themselves, called by their numbers, padding left out.
func numbered(tokens int, pad padding, bos, eos int32) (*vocabulary, error) {
	if tokens > word.MaxSymbols {
		return nil, fmt.Errorf("the network has %d tokens, and an alphabet at most %d symbols: say with the option vocab which of them are used", tokens, word.MaxSymbols)
	}
	v := &vocabulary{bos: bos, eos: eos, unused: pad.tokens}
	if len(pad.tokens) > 0 && !pad.sure {
		v.note("%s: the embedding is zero, so it is taken to be padding and no symbol; the option vocab says otherwise", tokenList(pad.tokens))
	}
	unused := setOf(pad.tokens)
	for t := range int32(tokens) {
		if t != bos && t != eos && !unused[t] {
			v.names, v.token = append(v.names, strconv.Itoa(int(t))), append(v.token, t)
		}
	}
	if len(v.names) == 0 {
		return nil, fmt.Errorf("the network has %d tokens, and none of them is a symbol", tokens)
	}
	return v, nil
}

// parseToken reads the number of a token, or "none".
func parseToken(flag, text string) (int32, error) {
	if text == "" || text == none {
		return rnn.None, nil
	}
	t, err := strconv.ParseInt(text, 10, 32)
	if err != nil || t < 0 {
		return 0, fmt.Errorf("%s %s: it is the number of a token, counted from 0, or its name in the vocabulary, or none", flag, text)
	}
	return int32(t), nil
}

// told reports whether the user says anything about tokens.
func (o Options) told() bool {
	return o.Vocab != "" || len(o.Symbols) > 0 || o.Bos != "" || o.Eos != "" || o.Pad != ""
}
