package rnn

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quotient/word"
)

// Metadata that files carry beside the weights.
const (
	symbolsKey = "symbols" // JSON list of the symbols' names
	tokensKey  = "tokens"  // JSON list of their tokens
	bosKey     = "bos"     // the token of <bos>
	outputsKey = "outputs" // "next" of a language model
	vocabKey   = "vocab"   // "a=0 b=1 <bos>=2": how some other files say all of it
)

// ErrNoSymbols says that a file does not tell its tokens' meaning: [Network.Speak]
// must.
var ErrNoSymbols = errors.New("the file does not say which token is which symbol")

// Encode writes the network as .safetensors, with what its symbols mean and any
// other metadata, and more tensors behind its own.
func (n *Network) Encode(w io.Writer, metadata map[string]string, more ...Tensor) error {
	if err := n.Check(); err != nil {
		return err
	}
	return EncodeTensors(w, TensorFile{slices.Concat(n.tensors, more), n.metadata(metadata)})
}

func (n *Network) metadata(more map[string]string) map[string]string {
	m := make(map[string]string)
	maps.Copy(m, more)
	m["cell"] = n.Cell.String()
	if n.Outputs > 0 {
		m[outputsKey] = "next"
	}
	if n.Alphabet != nil {
		m[symbolsKey] = text(n.Alphabet.Names())
		m[tokensKey] = text(n.Token)
		m[bosKey] = strconv.Itoa(int(n.Bos))
	}
	return m
}

func text(v any) string {
	t, _ := json.Marshal(v)
	return string(t)
}

// Decode reads a network from the content of a .safetensors file, and returns
// the file's metadata with it. Cell, layers and sizes follow from the names and
// shapes of its tensors. If the file does not say what its tokens mean, the
// network comes with the error [ErrNoSymbols].
func Decode(data []byte) (*Network, map[string]string, error) {
	f, err := DecodeTensors(data)
	if err != nil {
		return nil, nil, err
	}
	n, err := assemble(f.Tensors, Predicts(f.Metadata))
	if err != nil {
		return nil, nil, fmt.Errorf("safetensors: %w", err)
	}
	a, token, bos, err := Meaning(f.Metadata)
	if err == nil {
		err = n.Speak(a, token, bos)
	}
	return n, f.Metadata, err
}

// Predicts reports whether a file's metadata say that its network is a language model.
func Predicts(metadata map[string]string) bool { return metadata[outputsKey] == "next" }

// assemble makes a network of tensors with PyTorch's names.
func assemble(tensors []Tensor, predicts bool) (*Network, error) {
	byName := make(map[string]Tensor, len(tensors))
	for _, t := range tensors {
		byName[t.Name] = t
	}
	s, err := infer(byName, predicts)
	if err != nil {
		return nil, err
	}
	list := s.tensors(nil)
	for _, want := range list {
		got, ok := byName[want.Name]
		if !ok {
			return nil, fmt.Errorf("no tensor %q, which a network with %d layers has", want.Name, s.Layers)
		}
		if !slices.Equal(got.Dims, want.Dims) {
			return nil, fmt.Errorf("tensor %q has shape %v, not %v", want.Name, got.Dims, want.Dims)
		}
	}
	for _, t := range tensors {
		if !slices.ContainsFunc(list, func(known Tensor) bool { return known.Name == t.Name }) {
			return nil, fmt.Errorf("tensor %q, which a network with %d layers does not have", t.Name, s.Layers)
		}
	}
	n := Zeros(s)
	for _, t := range n.Tensors() {
		copy(t.Data, byName[t.Name].Data)
	}
	return n, nil
}

// infer finds a network's shape from its tensors'.
func infer(t map[string]Tensor, predicts bool) (s Shape, err error) {
	embedding, hh := t["embedding.weight"], t["rnn.weight_hh_l0"]
	if len(embedding.Dims) != 2 || len(hh.Dims) != 2 {
		return s, errors.New(`no matrices "embedding.weight" and "rnn.weight_hh_l0"`)
	}
	s.Tokens, s.Embedding, s.Hidden = embedding.Dims[0], embedding.Dims[1], hh.Dims[1]
	s.Cell = CellOf(hh.Dims[0], s.Hidden)
	if s.Cell == nil {
		return s, fmt.Errorf(`tensor "rnn.weight_hh_l0" has shape %v: rows must be 1, 3 or 4 times the columns`, hh.Dims)
	}
	for ok := true; ok; _, ok = t[fmt.Sprintf("rnn.weight_hh_l%d", s.Layers)] {
		s.Layers++
	}
	if head := t["classifier.weight"]; predicts && len(head.Dims) == 2 {
		s.Outputs = head.Dims[0]
	}
	return s, s.Check()
}

// Meaning returns what a file's metadata say about its tokens: the alphabet, the token
// of each symbol and that of <bos>. It is [ErrNoSymbols] if they say nothing.
func Meaning(m map[string]string) (a *word.Alphabet, token []int32, bos int32, err error) {
	read := lists
	if m[symbolsKey] == "" {
		read = vocabulary
	}
	names, token, bos, err := read(m)
	if err != nil {
		return nil, nil, 0, err
	}
	a, err = word.NewAlphabet(names...)
	if err != nil {
		return nil, nil, 0, fmt.Errorf("metadata: %w", err)
	}
	return a, token, bos, nil
}

// lists reads the lists of symbols and of tokens.
func lists(m map[string]string) (names []string, token []int32, bos int32, err error) {
	for _, x := range []struct {
		key string
		v   any
	}{{symbolsKey, &names}, {tokensKey, &token}, {bosKey, &bos}} {
		if err := json.Unmarshal([]byte(m[x.key]), x.v); err != nil {
			return nil, nil, 0, fmt.Errorf("metadata %q: %w", x.key, err)
		}
	}
	return names, token, bos, nil
}

// vocabulary reads "a=0 b=1 <bos>=2".
func vocabulary(m map[string]string) (names []string, token []int32, bos int32, err error) {
	bos = -1
	for _, f := range strings.Fields(m[vocabKey]) {
		i := strings.LastIndexByte(f, '=')
		k, err := strconv.ParseInt(f[i+1:], 10, 32)
		switch {
		case i < 0 || err != nil:
			return nil, nil, 0, ErrNoSymbols
		case f[:i] == "<bos>":
			bos = int32(k)
		default:
			names, token = append(names, f[:i]), append(token, int32(k))
		}
	}
	if bos < 0 {
		return nil, nil, 0, ErrNoSymbols
	}
	return names, token, bos, nil
}
