package flax

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"quotient/model/frugal"
	"quotient/rnn"
)

// array is an extension of type 1: a list of a shape, a type and bytes.
func array(shape, kind, body string) string {
	content := "\x93" + shape + string([]byte{0xa0 | byte(len(kind))}) + kind + "\xc4" + string([]byte{byte(len(body))}) + body
	return "\xc7" + string([]byte{byte(len(content)), 1}) + content
}

func TestRead(t *testing.T) {
	two := array("\x92\x02\x01", "uint8", "\x05\x07")
	for _, c := range []struct{ content, want string }{
		{"\x81\xa1a\x81\xa1b" + two, "a.b [2 1] [5 7]"},
		{"\x82\xa4step\x03\xa6params\x81\xa1w" + two, "w [2 1] [5 7]"},
		{"\x83\xa1x\xc0\xa1y\xcb12345678\xa1w" + two, "w [2 1] [5 7]"},
		{"\x81\xa1w" + array("\x91\x03", "uint8", "\x05\x07"), "w: shape [3] has more"},
		{"\x81\xa1w" + array("\x91\x02", "object", "\x05\x07"), "of type object, which is not supported"},
		{"\x81\xa1w" + array("\x91\xa1x", "uint8", ""), "a shape with x in it"},
		{"\x81\xa1w\xc7\x02\x01\x90\x00", "shape, type and bytes are wanted"},
		{"\x81\xa1w\x81\xb9__msgpack_chunked_array__\xc3", "w is stored in chunks"},
		{"\xdf\x7f\xff\xff\xff", "cut off"},
		{"\xdf\xff\xff\xff\xff", "a length of 4294967295"},
		{"\xc6\x00\xff\xff\xff", "16777215 bytes are wanted"},
		{"\x81\x01\x02", "a key is a int, not text"},
		{"\xc1", "0xc1 begins no value"},
		{"\x90", "no dictionary"},
		{"\x80\x80", "1 bytes behind the end"},
		{strings.Repeat("\x91", 100), "more than 32 values in one another"},
		{"", "cut off"},
	} {
		list, err := Read([]byte(c.content))
		got := fmt.Sprint(err)
		if err == nil && len(list) > 0 {
			got = fmt.Sprint(list[0].Name, " ", list[0].Dims, " ", list[0].Data)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// Gates come in PyTorch's order, transposed, with zeros for the biases that a GRU has not.
func TestRename(t *testing.T) {
	var tensors []rnn.Tensor
	for i, gate := range []string{"hn", "hr", "hz", "in", "ir", "iz"} {
		x := float32(10 * i)
		tensors = append(tensors, rnn.Tensor{Name: "a/" + gate + "/kernel", Dims: []int{2, 1}, Data: []float32{x, x + 1}})
		if gate != "hr" && gate != "hz" {
			tensors = append(tensors, rnn.Tensor{Name: "a/" + gate + "/bias", Dims: []int{1}, Data: []float32{x + 2}})
		}
	}
	tensors = append(tensors, rnn.Tensor{Name: "d/kernel", Dims: []int{2, 3}, Data: []float32{1, 2, 3, 4, 5, 6}})
	list, found, err := Rename(tensors)
	const want = "[{d.weight [3 2] [1 4 2 5 3 6]} {a.weight_ih [3 2] [40 41 50 51 30 31]} {a.bias_ih [3] [42 52 32]}" +
		" {a.weight_hh [3 2] [10 11 20 21 0 1]} {a.bias_hh [3] [0 0 2]}]"
	if got := fmt.Sprint(list); err != nil || !found || got != want {
		t.Errorf("%v, %v:\n%s, want\n%s", err, found, got, want)
	}
	if _, _, err := Rename(tensors[:3]); err == nil {
		t.Error("half a cell")
	}
}

// FuzzRead reads anything without a panic and in little memory.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"flax-gru.msgpack", "flax-simple.msgpack"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "keras", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if list, err := Read(data); err == nil {
			Rename(list)
		}
		runtime.ReadMemStats(&after)
		if took, limit := after.TotalAlloc-before.TotalAlloc, uint64(4*frugal.Free+8*frugal.Factor*len(data)); took > limit {
			t.Errorf("%d bytes took %d bytes of memory, more than %d", len(data), took, limit)
		}
	})
}
