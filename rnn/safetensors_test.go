package rnn

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// safetensors is a file with a header and so many bytes behind it.
func safetensors(header string, bytes int) []byte {
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(data, header...), make([]byte, bytes)...)
}

// Tensors may be named in any order, and no product of sizes makes up for one that is none.
func TestHeaders(t *testing.T) {
	entry := func(name, shape string, from, to int) string {
		return fmt.Sprintf(`%q: {"dtype": "F32", "shape": %s, "data_offsets": [%d, %d]}`, name, shape, from, to)
	}
	for _, c := range []struct {
		header string
		bytes  int
		want   string
	}{
		{entry("b", "[1]", 4, 8) + "," + entry("c", "[1]", 8, 12) + "," + entry("a", "[1]", 0, 4), 12, "a b c"},
		{entry("a", "[-2, -2]", 0, 16), 16, "shape [-2 -2] in 16 bytes"},
		{entry("a", "[4611686018427387904, 4]", 0, 0), 0, "shape [4611686018427387904 4] in 0 bytes"},
		{entry("a", "[0, 4]", 0, 0), 0, "a"},
		{entry("a", "[1]", 0, 4) + "," + entry("b", "[1]", 8, 12), 12, `tensor "b" starts at byte 8, not 4`},
	} {
		f, err := DecodeTensors(safetensors("{"+c.header+"}", c.bytes))
		got := fmt.Sprint(err)
		if err == nil {
			var names []string
			for _, x := range f.Tensors {
				names = append(names, x.Name)
			}
			got = strings.Join(names, " ")
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %s, want %s", c.header, got, c.want)
		}
	}
}
