package web

import (
	"os"
	"path/filepath"
	"testing"

	"quotient/internal/foreign"
)

// Files that PyTorch wrote are taken as they are, in every format, with the vocabulary
// from the file beside them, and all formats of a network are one network.
func TestUploadsFromElsewhere(t *testing.T) {
	h := serve(t, Options{})
	for _, vocabulary := range foreign.Files(t, "models", "torch", "t*", "model.json") {
		text, err := os.ReadFile(vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		states := map[int]bool{}
		for _, name := range []string{"model.pt", "model.safetensors", "model.onnx"} {
			data, err := os.ReadFile(filepath.Join(filepath.Dir(vocabulary), name))
			if err != nil {
				t.Fatal(err)
			}
			n := send[network](t, h, 200, field{"vocab", "", string(text)}, field{"file", name, string(data)})
			v := ask[extractView](t, h, "/api/extract?method=fold&model="+n.Name, 200)
			if v.Agree != v.Fresh {
				t.Errorf("%s: agrees on %d of %d", filepath.Dir(vocabulary), v.Agree, v.Fresh)
			}
			states[v.States] = true
		}
		if len(states) != 1 {
			t.Errorf("%s: the formats give automata of %v states", filepath.Dir(vocabulary), states)
		}
	}
}
