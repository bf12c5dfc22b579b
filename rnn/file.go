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
	stepKey    = "step"    // a trainer's steps
	vocabKey   = "vocab"   // "a=0 b=1 <bos>=2": how some other files say all of it
)

// ErrNoSymbols says that a file does not tell its tokens' meaning: [Network.Speak]
// must.
var ErrNoSymbols = errors.New("the file does not say which token is which symbol")

// Encode writes the network as .safetensors, with what its symbols mean and any
// other metadata.
func (n *Network) Encode(w io.Writer, metadata map[string]string) error {
	if err := n.Check(); err != nil {
		return err
	}
	return EncodeTensors(w, TensorFile{n.Tensors(), n.metadata(metadata)})
}

func (n *Network) metadata(more map[string]string) map[string]string {
	m := maps.Clone(more)
	if m == nil {
		m = make(map[string]string)
	}
	m["cell"] = n.Cell.String()
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
	n, err := assemble(f.Tensors)
	if err != nil {
		return nil, nil, fmt.Errorf("safetensors: %w", err)
	}
	if err := n.meaning(f.Metadata); err != nil {
		return n, f.Metadata, err
	}
	return n, f.Metadata, nil
}

// assemble makes a network of tensors with PyTorch's names.
func assemble(tensors []Tensor) (*Network, error) {
	byName := make(map[string]Tensor, len(tensors))
	for _, t := range tensors {
		byName[t.Name] = t
	}
	s, err := infer(byName)
	if err != nil {
		return nil, err
	}
	for _, want := range s.tensors(nil) {
		got, ok := byName[want.Name]
		if !ok {
			return nil, fmt.Errorf("no tensor %q, which a network with %d layers has", want.Name, s.Layers)
		}
		if fmt.Sprint(got.Dims) != fmt.Sprint(want.Dims) {
			return nil, fmt.Errorf("tensor %q has shape %v, not %v", want.Name, got.Dims, want.Dims)
		}
	}
	for _, t := range tensors {
		if !slices.ContainsFunc(s.tensors(nil), func(known Tensor) bool { return known.Name == t.Name }) {
			return nil, fmt.Errorf("tensor %q, which a network with %d layers does not have", t.Name, s.Layers)
		}
	}
	n := empty(s)
	for _, t := range n.Tensors() {
		copy(t.Data, byName[t.Name].Data)
	}
	return n, nil
}

// infer finds a network's shape from its tensors'.
func infer(t map[string]Tensor) (s Shape, err error) {
	embedding, hh := t["embedding.weight"], t["rnn.weight_hh_l0"]
	if len(embedding.Dims) != 2 || len(hh.Dims) != 2 {
		return s, errors.New(`no matrices "embedding.weight" and "rnn.weight_hh_l0"`)
	}
	s.Tokens, s.Embedding, s.Hidden = embedding.Dims[0], embedding.Dims[1], hh.Dims[1]
	found := false
	for _, c := range Cells {
		if s.Hidden > 0 && hh.Dims[0] == c.Gates()*s.Hidden {
			s.Cell, found = c, true
		}
	}
	if !found {
		return s, fmt.Errorf(`tensor "rnn.weight_hh_l0" has shape %v: rows must be 1, 3 or 4 times the columns`, hh.Dims)
	}
	for {
		if _, ok := t[fmt.Sprintf("rnn.weight_hh_l%d", s.Layers)]; !ok {
			break
		}
		s.Layers++
	}
	return s, s.check()
}

// meaning takes from a file's metadata which token is which symbol.
func (n *Network) meaning(m map[string]string) error {
	a, token, bos, err := Meaning(m)
	if err != nil {
		return err
	}
	return n.Speak(a, token, bos)
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

// A trainer's state is a file with the network's tensors and, under the same
// names with these prefixes, AdamW's running means.
const (
	meanPrefix   = "adamw.mean."
	squarePrefix = "adamw.square."
)

// Encode writes all that training needs to go on as if it had not stopped.
func (t *Trainer) Encode(w io.Writer, metadata map[string]string) error {
	if err := t.Network.Check(); err != nil {
		return err
	}
	m := t.Network.metadata(metadata)
	m[stepKey] = strconv.Itoa(t.step)
	list := append([]Tensor(nil), t.Network.Tensors()...)
	list = append(list, renamed(meanPrefix, t.Network.Shape, t.mean)...)
	list = append(list, renamed(squarePrefix, t.Network.Shape, t.square)...)
	return EncodeTensors(w, TensorFile{list, m})
}

func renamed(prefix string, s Shape, params []float32) []Tensor {
	list := s.tensors(params)
	for i := range list {
		list[i].Name = prefix + list[i].Name
	}
	return list
}

// Decode takes over the state that [Trainer.Encode] wrote, for a network of the
// same shape, and returns the file's metadata.
func (t *Trainer) Decode(data []byte) (map[string]string, error) {
	f, err := DecodeTensors(data)
	if err != nil {
		return nil, err
	}
	step, err := strconv.Atoi(f.Metadata[stepKey])
	if err != nil || step < 0 {
		return nil, fmt.Errorf("metadata %q: %q is not a number of steps", stepKey, f.Metadata[stepKey])
	}
	s := t.Network.Shape
	want := append([]Tensor(nil), t.Network.Tensors()...)
	want = append(want, renamed(meanPrefix, s, t.mean)...)
	want = append(want, renamed(squarePrefix, s, t.square)...)
	if len(f.Tensors) != len(want) {
		return nil, fmt.Errorf("%d tensors, not %d", len(f.Tensors), len(want))
	}
	for i, w := range want {
		if g := f.Tensors[i]; g.Name != w.Name || fmt.Sprint(g.Dims) != fmt.Sprint(w.Dims) {
			return nil, fmt.Errorf("tensor %q of shape %v where %q of shape %v should be", g.Name, g.Dims, w.Name, w.Dims)
		}
	}
	for i, w := range want {
		copy(w.Data, f.Tensors[i].Data)
	}
	t.step = step
	return f.Metadata, nil
}
