package rnn

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"quotient/internal/foreign"
)

// initializers lists the contents of a model's float tensors with a leading 1
// among their dimensions: those of the recurrent layers, in order.
func initializers(t *testing.T, model []byte) (list [][]byte) {
	each(t, model, func(field protowire.Number, graph []byte) {
		if field != 7 {
			return
		}
		each(t, graph, func(field protowire.Number, tensor []byte) {
			if field != 5 {
				return
			}
			var raw []byte
			each(t, tensor, func(field protowire.Number, v []byte) {
				if field == 9 {
					raw = v
				}
			})
			list = append(list, raw)
		})
	})
	return list
}

// each calls f for every field of a message that holds bytes.
func each(t *testing.T, m []byte, f func(protowire.Number, []byte)) {
	for len(m) > 0 {
		field, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m = m[n:]
		if kind == protowire.BytesType {
			v, n := protowire.ConsumeBytes(m)
			if n < 0 {
				t.Fatal(protowire.ParseError(n))
			}
			f(field, v)
		}
		n = protowire.ConsumeFieldValue(field, kind, m)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m = m[n:]
	}
}

// Weights lie in the order that PyTorch's own export gives them: each tensor of
// ours that is larger than an axis is found in the export of the same network.
func TestONNXAgreesWithTorchModels(t *testing.T) {
	paths := foreign.Files(t, "models", "torch", "*", "model.onnx")
	for _, path := range paths {
		theirs, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := mute(t, filepath.Join(filepath.Dir(path), "model.safetensors"))
		var b bytes.Buffer
		if err := n.EncodeONNX(&b); err != nil {
			t.Fatal(err)
		}
		have := initializers(t, theirs)
		for i, ours := range initializers(t, b.Bytes()) {
			found := len(ours) == 8 // an axis
			for _, x := range have {
				found = found || bytes.Equal(x, ours)
			}
			if !found {
				t.Errorf("%s: tensor %d of %d bytes is not in it", path, i, len(ours))
			}
		}
	}
}
