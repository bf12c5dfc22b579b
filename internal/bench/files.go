package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quotient/internal/processor"
	"quotient/model/torch"
	"quotient/rnn"
)

// FilesOptions say what to measure.
type FilesOptions struct {
	Files  []string // none: a .safetensors file that is made
	Bytes  int      // of that file
	Rounds int
	Folder string // where it is made, if anywhere lasting
}

// Files measures reading files of weights, up to where every number is known to be finite.
func Files(ctx context.Context, o FilesOptions) ([]Figure, error) {
	if len(o.Files) == 0 {
		folder := o.Folder
		if folder == "" {
			made, err := os.MkdirTemp("", "quotient-")
			if err != nil {
				return nil, err
			}
			defer os.RemoveAll(made)
			folder = made
		}
		path := filepath.Join(folder, "weights.safetensors")
		if err := writeWeights(path, o.Bytes); err != nil {
			return nil, err
		}
		o.Files = []string{path}
		if o.Folder != "" {
			return []Figure{{Work: "write", Input: "safetensors", Size: o.Bytes, Files: o.Files}}, nil
		}
	}
	var figures []Figure
	for _, path := range o.Files {
		if ctx.Err() != nil {
			return figures, context.Cause(ctx)
		}
		info, err := os.Stat(path)
		if err != nil {
			return figures, err
		}
		f := Figure{Work: "read", Input: strings.TrimPrefix(filepath.Ext(path), "."), Size: int(info.Size()), Files: []string{path}}
		before := processor.Peak()
		if err := readWeights(path); err != nil {
			return figures, fmt.Errorf("%s: %w", path, err)
		}
		f.Memory = processor.Peak() - before
		f.Seconds = Best(o.Rounds, func() { _ = readWeights(path) })
		figures = append(figures, f)
	}
	return figures, nil
}

// readWeights reads the tensors of a file.
func readWeights(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if filepath.Ext(path) == ".safetensors" {
		_, err = rnn.DecodeTensors(data)
	} else {
		_, err = torch.Read(data)
	}
	return err
}

// writeWeights makes a file of so many bytes, or a few more, of what an LSTM could have.
func writeWeights(path string, bytes int) error {
	const units = 1024
	r, f := generator(units), rnn.TensorFile{}
	for left, layer := bytes, 0; left > 0; layer++ {
		for _, name := range []string{"ih", "hh"} {
			t := rnn.Tensor{Name: fmt.Sprintf("lstm.weight_%s_l%d", name, layer), Dims: []int{4 * units, units}}
			t.Data = make([]float32, 4*units*units)
			for i := range t.Data {
				t.Data[i] = r.Float32() - 0.5
			}
			f.Tensors = append(f.Tensors, t)
			left -= 4 * len(t.Data)
		}
	}
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	err = rnn.EncodeTensors(w, f)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return err
}
