package model

import (
	"fmt"
	"strings"
	"testing"

	"quotient/rnn"
	"quotient/word"
)

func (v *vocabulary) String() string {
	var b strings.Builder
	for i, name := range v.names {
		fmt.Fprintf(&b, "%s=%d ", name, v.token[i])
	}
	fmt.Fprintf(&b, "bos %d eos %d", v.bos, v.eos)
	return b.String()
}

func TestParseVocabulary(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a": 0, "b": 1, "<bos>": 2}`, "a=0 b=1 bos 2 eos -1"},
		{`{"vocab": {"b": 0, "a": 1, "</S>": 3, "[BOS]": 2}, "cell": "GRU", "cases": [{}]}`, "b=0 a=1 bos 2 eos 3"},
		{`{"<pad>": 0, "x": 2, "<unk>": 1, "long name": 7}`, "x=2 long name=7 bos -1 eos -1"},
		{`["x", "<s>", "y"]`, "x=0 y=2 bos 1 eos -1"},
		{`{"START_TOKEN": 0, "a": 1, "EOW": 2, "PAD_TOKEN": 3}`, "a=1 bos 0 eos 2"},
		{`{"<bow>": 0, "a": 1, "<eow>": 2}`, "a=1 bos 0 eos 2"},
		{`{"stoi": {"a": 1}, "itos": ["", "a"]}`, "a=1 bos -1 eos -1"},
		{`{"0": "a", "1": "b", "2": "<bos>"}`, "a=0 b=1 bos 2 eos -1"},
		{`{"token": 0, "start": 1}`, "token=0 start=1 bos -1 eos -1"},
		{`{"vocab": ["x"]}`, "x=0 bos -1 eos -1"},
		{`{"vocab": 3, "a": 1}`, "a=1 vocab=3 bos -1 eos -1"},
		{`{}`, "no symbols"},
		{`{"<bos>": 0}`, "no symbols"},
		{`{"a": 0, "a": 1}`, `"a" occurs twice`},
		{`{"a": 1, "b": 1}`, `token 1 is both "a" and "b"`},
		{`{"a": -1}`, `symbol "a" maps to -1, not to a token`},
		{`{"a": 1.5}`, `symbol "a" maps to 1.5`},
		{`{"a": 99999999999}`, `symbol "a" maps to 99999999999`},
		{`{"a": "0"}`, "a=0 bos -1 eos -1"},
		{`{"a": "x"}`, `symbol "a" maps to x`},
		{`{"a": {}}`, `symbol "a" maps to {`},
		{`[1]`, "1 is not the name of a symbol"},
		{`{"<bos>": 0, "<s>": 1, "a": 2}`, "tokens 0 and 1 are both called as one that words begin with"},
		{`{"<eos>": 0, "</s>": 1, "a": 2}`, "tokens 0 and 1 are both called as one that words end with"},
		{`"a"`, "it is not JSON that maps symbols to tokens"},
		{``, "it is not JSON"},
		{`{"a": 0`, "it is not JSON: unexpected end"},
		{`{"a": 0} {"b": 1}`, "it is not JSON: invalid character '{' after top-level value"},
	} {
		v, err := parseVocabulary([]byte(c.text))
		got := fmt.Sprint(v)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestTold(t *testing.T) {
	for _, c := range []struct {
		tokens  int
		options Options
		want    string
	}{
		{3, Options{}, "0=0 1=1 2=2 bos -1 eos -1"},
		{18, Options{Bos: "16", Eos: "17"}, "15=15 bos 16 eos 17"},
		{4, Options{Bos: "0"}, "1=1 2=2 3=3 bos 0 eos -1"},
		{3, Options{Symbols: []string{"a", "b"}}, "a=0 b=1 bos 2 eos -1"},
		{2, Options{Symbols: []string{"a", "b"}}, "a=0 b=1 bos -1 eos -1"},
		{3, Options{Symbols: []string{"a", "b"}, Bos: "none"}, "a=0 b=1 bos -1 eos -1"},
		{3, Options{Symbols: []string{"a", "b"}, Bos: "1"}, "a=0 b=2 bos 1 eos -1"},
		{4, Options{Symbols: []string{"a", "b"}, Eos: "0"}, "a=1 b=2 bos 3 eos 0"},
		{4, Options{Symbols: []string{"a", "b"}, Eos: "3"}, "a=0 b=1 bos 2 eos 3"},
		{4, Options{Symbols: []string{"a", "b"}, Eos: "2"}, "a=0 b=1 bos 3 eos 2"},
		{9, Options{Symbols: []string{"a", "b"}, Bos: "8"}, "a=0 b=1 bos 8 eos -1"},
		{9, Options{Symbols: []string{"a", "b"}}, "9 tokens, but 2 symbols and <bos> are 3"},
		{1, Options{Symbols: []string{"a", "b"}}, "1 tokens, but 2 symbols and <bos> are 3"},
		{3, Options{Vocab: "testdata/lstm.json"}, "a=0 b=1 bos 2 eos -1"},
		{3, Options{Vocab: "testdata/lstm.json", Bos: "none"}, "a=0 b=1 bos -1 eos -1"},
		{3, Options{Vocab: "testdata/lstm.json", Bos: "none", Eos: "1"}, "a=0 bos -1 eos 1"},
		{3, Options{Vocab: "testdata/none.json"}, "none.json"},
		{3, Options{Vocab: "testdata/lstm.json", Symbols: []string{"a"}}, "give one of them"},
		{3, Options{Bos: "-1"}, "bos -1: it is the number of a token"},
		{3, Options{Eos: "x"}, "eos x: it is the number of a token"},
		{1, Options{Bos: "0"}, "none of them is a symbol"},
		{word.MaxSymbols + 1, Options{}, "say with the option vocab"},
	} {
		v, err := c.options.vocabulary(c.tokens, padding{})
		got := fmt.Sprint(v)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%d tokens, %+v: %s, want %s", c.tokens, c.options, got, c.want)
		}
	}
}

// What is guessed about tokens is said.
func TestTokensThatAreNoSymbols(t *testing.T) {
	for _, c := range []struct {
		tokens  int
		zero    []int32
		options Options
		want    string
		note    string
	}{
		{4, []int32{0}, Options{Symbols: []string{"a", "b", "c"}}, "a=1 b=2 c=3 bos -1 eos -1", "token 0: the embedding is zero"},
		{4, []int32{3}, Options{Symbols: []string{"a", "b", "c"}}, "a=0 b=1 c=2 bos -1 eos -1", "token 3: the embedding is zero"},
		{5, []int32{0}, Options{Symbols: []string{"a", "b", "c"}}, "a=1 b=2 c=3 bos 4 eos -1", "token 4 is left over"},
		{3, []int32{0}, Options{Symbols: []string{"a", "b", "c"}}, "a=0 b=1 c=2 bos -1 eos -1", ""},
		{4, []int32{0}, Options{Symbols: []string{"a", "b", "c"}, Bos: "0"}, "a=1 b=2 c=3 bos 0 eos -1", ""},
		{4, nil, Options{Symbols: []string{"a", "b", "c"}}, "a=0 b=1 c=2 bos 3 eos -1", "token 3 is left over"},
		{3, []int32{0}, Options{}, "1=1 2=2 bos -1 eos -1", "token 0: the embedding is zero"},
		{5, nil, Options{Vocab: "testdata/lstm.json"}, "a=0 b=1 bos 2 eos -1", "the vocabulary says nothing of tokens 3, 4"},
		{3, []int32{1}, Options{Vocab: "testdata/lstm.json"}, "a=0 b=1 bos 2 eos -1", "symbol b is token 1, whose embedding is zero"},
	} {
		v, err := c.options.vocabulary(c.tokens, padding{tokens: c.zero})
		if err != nil {
			t.Error(err)
			continue
		}
		notes := strings.Join(v.notes, "; ")
		if got := fmt.Sprint(v); !strings.Contains(got, c.want) || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%d tokens, %v zero, %+v: %s, notes %q; want %s, %q", c.tokens, c.zero, c.options, got, notes, c.want, c.note)
		}
	}
}

func TestRole(t *testing.T) {
	for name, want := range map[string]string{
		"PAD": "unused", "_PAD_": "unused", "<pad>": "unused", "[UNK]": "unused", "<|pad|>": "unused", "Pad": "unused",
		"BOS": "bos", "<go>": "bos", "<s>": "bos", "[CLS]": "bos", "__start__": "bos", "SOS": "bos",
		"EOS": "eos", "</s>": "eos", "[SEP]": "eos", "<|endoftext|>": "eos",
		"s": "", "go": "", "end": "", "start": "", "a": "", "(": "", "<": "", "_": "", "[]": "", "mask": "", "/s": "",
	} {
		if got := role(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// FuzzVocabulary reads anything; what it takes for a vocabulary has each token once.
func FuzzVocabulary(f *testing.F) {
	f.Add([]byte(`{"vocab": {"a": 0, "b": 1, "<bos>": 2, "<eos>": 3}}`))
	f.Add([]byte(`["x", "[SEP]", "y"]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parseVocabulary(data)
		if err != nil {
			return
		}
		seen := map[int32]bool{v.bos: v.bos != rnn.None}
		for i, token := range append(v.token, v.eos) {
			if token != rnn.None && seen[token] || token < 0 && i < len(v.token) {
				t.Errorf("token %d", token)
			}
			seen[token] = true
		}
	})
}
