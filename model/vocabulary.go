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
}

// special lists the names of tokens that are no symbols, in lower case.
var special = map[string][]string{
	"bos":    {"<bos>", "<s>", "<sos>", "<start>", "<begin>", "[bos]", "[sos]", "[start]", "[cls]", "<|bos|>", "<|startoftext|>"},
	"eos":    {"<eos>", "</s>", "<end>", "<stop>", "[eos]", "[end]", "[sep]", "<|eos|>", "<|endoftext|>"},
	"unused": {"<pad>", "[pad]", "<blank>", "<unk>", "[unk]", "<oov>", "<mask>", "[mask]", "<|pad|>", "<|unk|>"},
}

// maxVocabulary bounds the bytes of a vocabulary file that are read.
const maxVocabulary = 16 << 20

// readVocabulary reads a file: JSON that maps symbols to tokens, or lists the symbols of
// the tokens 0, 1, ..., either bare or under the key "vocab".
func readVocabulary(path string) (*vocabulary, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxVocabulary+1))
	if err == nil && len(data) > maxVocabulary {
		err = fmt.Errorf("it has more than %d bytes", maxVocabulary)
	}
	if err != nil {
		return nil, fmt.Errorf("vocabulary %s: %w", path, err)
	}
	v, err := parseVocabulary(data)
	if err != nil {
		return nil, fmt.Errorf("vocabulary %s: %w", path, err)
	}
	return v, nil
}

func parseVocabulary(data []byte) (*vocabulary, error) {
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	var whole struct {
		Vocab json.RawMessage `json:"vocab"`
	}
	if json.Unmarshal(data, &whole) == nil && len(whole.Vocab) > 0 && (whole.Vocab[0] == '{' || whole.Vocab[0] == '[') {
		data = whole.Vocab
	}
	entries, err := vocabularyEntries(data)
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
		name := strings.ToLower(e.name)
		switch {
		case slices.Contains(special["unused"], name):
		case slices.Contains(special["bos"], name):
			if v.bos != rnn.None {
				return nil, fmt.Errorf("tokens %d and %d are both called as one that words begin with", v.bos, e.token)
			}
			v.bos = e.token
		case slices.Contains(special["eos"], name):
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
			number, ok := t.(json.Number)
			if token, err = strconv.ParseInt(number.String(), 10, 32); !ok || err != nil || token < 0 {
				return nil, fmt.Errorf("symbol %q maps to %v, not to a token, a number from 0 on", name, t)
			}
		}
		list = append(list, vocabularyEntry{name, int32(token)})
	}
	_, err = d.Token()
	return list, err
}

// vocabulary settles what the tokens of a network mean, from what the user says.
func (o Options) vocabulary(tokens int) (*vocabulary, error) {
	bos, err := parseToken("bos", o.Bos)
	if err != nil {
		return nil, err
	}
	eos, err := parseToken("eos", o.Eos)
	if err != nil {
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
		return v.override(o, bos, eos), nil
	}
	if len(o.Symbols) == 0 {
		return numbered(tokens, bos, eos)
	}
	if o.Bos == "" {
		if bos, err = o.spare(tokens, eos); err != nil {
			return nil, err
		}
	}
	v := &vocabulary{names: o.Symbols, bos: bos, eos: eos}
	for t := int32(0); len(v.token) < len(o.Symbols); t++ {
		if t != bos && t != eos {
			v.token = append(v.token, t)
		}
	}
	return v, nil
}

// override lets the user's own word about <bos> and <eos> count. A token that is one of
// them is no symbol.
func (v *vocabulary) override(o Options, bos, eos int32) *vocabulary {
	if o.Bos != "" {
		v.bos = bos
	}
	if o.Eos != "" {
		v.eos = eos
	}
	kept := &vocabulary{bos: v.bos, eos: v.eos}
	for i, t := range v.token {
		if t != v.bos && t != v.eos {
			kept.names, kept.token = append(kept.names, v.names[i]), append(kept.token, t)
		}
	}
	return kept
}

// spare returns the token of <bos> where only the symbols are told: the one after them
// if exactly one is left, or none if none is.
func (o Options) spare(tokens int, eos int32) (int32, error) {
	named := len(o.Symbols)
	if eos != rnn.None {
		named++
	}
	switch tokens - named {
	case 0:
		return rnn.None, nil
	case 1:
		bos := int32(len(o.Symbols))
		if eos != rnn.None && eos <= bos {
			bos++
		}
		return bos, nil
	}
	return 0, fmt.Errorf("the network has %d tokens, but %d symbols and <bos> are %d: name all symbols, or say with the option bos which token <bos> is, or none",
		tokens, len(o.Symbols), named+1)
}

// numbered makes symbols of the tokens themselves, called by their numbers.
func numbered(tokens int, bos, eos int32) (*vocabulary, error) {
	if tokens > word.MaxSymbols {
		return nil, fmt.Errorf("the network has %d tokens, and an alphabet at most %d symbols: say with the option vocab which of them are used", tokens, word.MaxSymbols)
	}
	v := &vocabulary{bos: bos, eos: eos}
	for t := range int32(tokens) {
		if t != bos && t != eos {
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
		return 0, fmt.Errorf("%s %s: it is the number of a token, counted from 0, or none", flag, text)
	}
	return int32(t), nil
}

// told reports whether the user says anything about tokens.
func (o Options) told() bool {
	return o.Vocab != "" || len(o.Symbols) > 0 || o.Bos != "" || o.Eos != ""
}
