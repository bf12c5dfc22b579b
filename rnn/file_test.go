package rnn

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quotient/internal/foreign"
	"quotient/word"
)

func encode(t testing.TB, n *Network) []byte {
	var b bytes.Buffer
	if err := n.Encode(&b, map[string]string{"epoch": "3"}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFilesRoundTrip(t *testing.T) {
	for _, s := range shapes() {
		n := build(t, s, 1)
		data := encode(t, n)
		got, meta, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if got.Shape != n.Shape || !slices.Equal(got.Params, n.Params) || got.Bos != n.Bos ||
			!got.Alphabet.Equal(n.Alphabet) || !slices.Equal(got.Token, n.Token) || meta["epoch"] != "3" {
			t.Errorf("%s: read %+v, %v", s.name(), got.Shape, meta)
		}
		if again := encode(t, got); !bytes.Equal(again, data) {
			t.Errorf("%s: written again it differs", s.name())
		}
	}
}

// file returns a .safetensors file with this header and as many bytes of data.
func file(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestBadFiles(t *testing.T) {
	nan := build(t, shapes()[0], 1)
	var b bytes.Buffer
	nan.Tensors()[2].Data[1] = float32(math.NaN())
	if err := EncodeTensors(&b, TensorFile{Tensors: nan.Tensors()}); err != nil {
		t.Fatal(err)
	}
	if err := nan.Encode(&bytes.Buffer{}, nil); err == nil {
		t.Error("a NaN was written")
	}
	one := `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`
	for _, test := range []struct {
		data []byte
		want string
	}{
		{nil, "0 bytes are too few"},
		{binary.LittleEndian.AppendUint64(nil, 1<<62), "a header of"},
		{file("[]", 0), "not a JSON object"},
		{file(one+"}", 5), "1 bytes after the last tensor"},
		{file(one+"}", 3), "offsets [0 4] in 3 bytes"},
		{file(one+`,"a":{}}`, 4), `"a" appears twice`},
		{file(one+"} x", 4), "text after the object"},
		{file(`{"a":{"dtype":"F8_E5M2","shape":[1],"data_offsets":[0,1]}}`, 1), `type "F8_E5M2" is not supported`},
		{file(`{"a":{"dtype":"F32","shape":[1099511627776,1099511627776],"data_offsets":[0,4]}}`, 4), "shape"},
		{file(`{"a":{"dtype":"F32","shape":[0,4611686018427387904,16],"data_offsets":[0,0]}}`, 0), "no matrices"},
		{file(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, 4), "shape"},
		{file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8), "starts at byte 4, not 0"},
		{file(`{"__metadata__":{"x":1}}`, 0), "metadata"},
		{file(one+"}", 4), "no matrices"},
		{b.Bytes(), `tensor "rnn.weight_hh_l0" holds NaN`},
	} {
		if _, _, err := Decode(test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %q", test.data[:min(len(test.data), 90)], err, test.want)
		}
	}
}

func TestUnknownSymbols(t *testing.T) {
	n := build(t, shapes()[3], 1)
	var b bytes.Buffer
	if err := EncodeTensors(&b, TensorFile{Tensors: n.Tensors()}); err != nil {
		t.Fatal(err)
	}
	got, _, err := Decode(b.Bytes())
	if !errors.Is(err, ErrNoSymbols) || got == nil {
		t.Fatalf("error %v", err)
	}
	if err := got.Speak(word.Letters("ab"), []int32{0, 3}, 2); err == nil {
		t.Error("a token past the embedding was accepted")
	}
	for _, token := range [][]int32{{0, 0}, {0, 2}} {
		if err := got.Speak(word.Letters("ab"), token, 2); err == nil {
			t.Errorf("tokens %v and 2 are not different, and nobody minds", token)
		}
	}
	if err := got.Speak(word.Letters("ab"), []int32{1, 2}, 0); err != nil {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	n, err := New(Shape{Cell: GRU, Layers: 2, Embedding: 1, Hidden: 1}, word.Letters("ab"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encode(f, n))
	f.Add(file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, _, err := Decode(data); err == nil {
			encode(t, n)
			NewRunner(n, 1).Logits([]word.Word{nil})
		}
	})
}

// mute returns the network of a file that does not say what its tokens mean.
func mute(t *testing.T, path string) *Network {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, _, err := Decode(data)
	if !errors.Is(err, ErrNoSymbols) {
		t.Fatalf("%s: %v", path, err)
	}
	return n
}

// agree compares a network with what PyTorch computed for it.
func TestAgreesWithTorchModels(t *testing.T) {
	paths := foreign.Files(t, "models", "torch", "*", "model.json")
	for _, path := range paths {
		var about struct {
			Vocab map[string]int32
			Cases []struct {
				Word   []string
				Logits []float64
			}
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &about)
		}
		if err != nil {
			t.Fatal(err)
		}
		n := mute(t, filepath.Join(filepath.Dir(path), "model.safetensors"))
		var names []string
		for name := range about.Vocab {
			if name != "<bos>" {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		var token []int32
		for _, name := range names {
			token = append(token, about.Vocab[name])
		}
		a, err := word.NewAlphabet(names...)
		if err == nil {
			err = n.Speak(a, token, about.Vocab["<bos>"])
		}
		if err != nil {
			t.Fatal(err)
		}
		var words []word.Word
		for _, c := range about.Cases {
			var w word.Word
			for _, name := range c.Word {
				s, _ := a.Symbol(name)
				w = append(w, s)
			}
			words = append(words, w)
		}
		for i, got := range logits(n, words) {
			for k, want := range about.Cases[i].Logits {
				if math.Abs(float64(got[k])-want) > 1e-4 {
					t.Fatalf("%s, case %d, prefix %d: %v, want %v", path, i, k, got[k], want)
				}
			}
		}
	}
}

func TestReadsTomitaNetworks(t *testing.T) {
	paths := foreign.Files(t, "models", "tomita-srn", "*.safetensors")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n, _, err := Decode(data)
		if err != nil || n.Bos != 2 || n.Alphabet.Len() != 2 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A header costs memory in proportion to a file of reasonable size, whatever it says, and an error
// does not repeat it.
func TestHostileHeaders(t *testing.T) {
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one, n), ",") }
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	for name, c := range map[string]struct{ header, want string }{
		"tensors":  {"{" + numbered(200_000, `"%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},`) + "}", "more than 65536 entries"},
		"metadata": {`{"__metadata__":{` + numbered(500_000, `"%d":"",`) + "}}", "more than 65536 entries"},
		"shape":    {`{"a":{"dtype":"F32","shape":[` + many(4<<20, "1,") + `],"data_offsets":[0,4]}}`, "bytes describe it"},
		"rank":     {`{"a":{"dtype":"F32","shape":[` + many(17, "1,") + `],"data_offsets":[0,4]}}`, "17 dimensions"},
		"name":     {`{"` + strings.Repeat("x", 8<<20) + `":{}}`, "a name of 8388608 bytes"},
		"all":      {"{" + strings.Repeat(" ", 59<<20) + "}", "a header of"},
	} {
		data := file(c.header, 4)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := DecodeTensors(data)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 400 {
			t.Errorf("%s: error %.500v, want %q", name, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 16*uint64(len(data))+1<<20 {
			t.Errorf("%s: %d MB allocated for a file of %d MB", name, used>>20, len(data)>>20)
		}
	}
}
