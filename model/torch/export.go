package torch

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quotient/model/frugal"
	"quotient/rnn"
)

// A program of torch.export, a .pt2 file, has its weights in files of their own, which JSON
// describes, and a graph in JSON. The graph is not run: it tells the function of Elman layers,
// and which others it calls.

// The files of a program that are read, below its folder.
const (
	exportWeights = "data/weights/"
	exportConfig  = exportWeights + "model_weights_config.json"
	exportGraph   = "models/model.json"
)

// exported returns the folder of a program in an archive, and reports whether there is one.
func exported(files frugal.Archive) (string, bool) {
	for _, f := range files {
		if folder, ok := strings.CutSuffix(f.Name, exportConfig); ok {
			return folder, true
		}
	}
	return "", false
}

// An extent is a size, a stride or an offset; null if it is left open.
type extent struct {
	Value *int `json:"as_int"`
}

// weight is what a program says of a tensor.
type weight struct {
	File   string `json:"path_name"`
	Pickle bool   `json:"use_pickle"`
	Meta   struct {
		Type    int      `json:"dtype"`
		Sizes   []extent `json:"sizes"`
		Strides []extent `json:"strides"`
		Offset  extent   `json:"storage_offset"`
	} `json:"tensor_meta"`
}

// exportTypes are the types of numbers by their places in torch.export's list.
var exportTypes = map[int]string{1: "U8", 2: "I8", 3: "I16", 4: "I32", 5: "I64", 6: "F16", 7: "F32", 8: "F64", 12: "BOOL", 13: "BF16"}

// readExport reads a program whose files are in a folder of an archive.
func readExport(data []byte, files frugal.Archive, folder string) (*Model, error) {
	budget := frugal.New(len(data))
	read := func(name string) ([]byte, error) {
		f := files.Find(folder + name)
		if f == nil {
			return nil, fmt.Errorf("zip archive: %q is missing", folder+name)
		}
		content, err := frugal.Entry(data, f, budget.Spend)
		if err != nil {
			return nil, fmt.Errorf("zip archive: %q: %w", f.Name, err)
		}
		return content, nil
	}
	if files.Find(folder+"byteorder") != nil {
		if order, err := read("byteorder"); err != nil || string(order) != "little" {
			return nil, fmt.Errorf("the order of its bytes is not little (%v)", err)
		}
	}
	var list struct {
		Config map[string]weight `json:"config"`
	}
	var program struct {
		Module struct {
			Graph struct {
				Nodes []struct {
					Target string `json:"target"`
				} `json:"nodes"`
			} `json:"graph"`
		} `json:"graph_module"`
	}
	for name, value := range map[string]any{exportConfig: &list, exportGraph: &program} {
		content, err := read(name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(content, value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	m := &Model{Format: "PyTorch (torch.export)", Class: "ExportedProgram"}
	for name, w := range list.Config {
		t, err := w.tensor(read, budget)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w; save the model's state_dict, or export it as .onnx", name, err)
		}
		t.Name = name
		m.Tensors = append(m.Tensors, t)
	}
	slices.SortFunc(m.Tensors, func(a, b rnn.Tensor) int { // the files are numbered in the order in which the network was made
		x, y := list.Config[a.Name].File, list.Config[b.Name].File
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(a.Name, b.Name))
	})
	var targets []string
	for _, n := range program.Module.Graph.Nodes {
		targets = append(targets, n.Target)
	}
	return m, m.graphFacts(targets)
}

// tensor reads the numbers of a tensor, which must lie row by row.
func (w weight) tensor(read func(name string) ([]byte, error), budget *frugal.Budget) (t rnn.Tensor, err error) {
	if w.Pickle || strings.Contains(w.File, "/") || len(w.Meta.Sizes) != len(w.Meta.Strides) || w.Meta.Offset.Value == nil || *w.Meta.Offset.Value != 0 {
		return t, fmt.Errorf("it is pickled, or a part of another")
	}
	stride := 1
	for i := len(w.Meta.Sizes) - 1; i >= 0; i-- {
		size, got := w.Meta.Sizes[i].Value, w.Meta.Strides[i].Value
		if size == nil || got == nil || *size < 0 || *size > maxNumbers || *size > 1 && *got != stride || stride > maxNumbers {
			return t, fmt.Errorf("its numbers do not lie row by row")
		}
		t.Dims = append([]int{*size}, t.Dims...)
		stride *= max(*size, 1)
	}
	content, err := read(exportWeights + w.File)
	if err != nil {
		return t, err
	}
	kind := exportTypes[w.Meta.Type]
	if kind == "" {
		kind = fmt.Sprint("number ", w.Meta.Type)
	}
	t.Data, err = budget.Numbers(kind, binary.LittleEndian, t.Dims, content)
	return t, err
}

// maxNumbers is more than a dimension has.
const maxNumbers = 1 << 30

// countNorms refuses a program that calls norms without weights: of the others their tensors
// tell, and of those nothing.
func (m *Model) countNorms(calls []string) error {
	called, found := 0, 0
	for _, c := range calls {
		if slices.Contains(norms, c) {
			called++
		}
	}
	for _, t := range m.Tensors {
		if strings.HasSuffix(t.Name, ".weight") && len(t.Dims) == 1 {
			found++
		}
	}
	if called > found {
		return fmt.Errorf("the program normalizes %d times, and has weights for %d: where norms without weights stand is not read; save the module whole, or export it as .onnx", called, found)
	}
	return nil
}

// graphFacts adds what a graph says by the names of what it calls, such as
// torch.ops.aten.rnn_relu.input.
func (m *Model) graphFacts(targets []string) error {
	var calls []string
	nonlinearity := ""
	for _, target := range targets {
		name, _, _ := strings.Cut(strings.TrimPrefix(target, "torch.ops.aten."), ".")
		calls = append(calls, name)
		function, ok := strings.CutPrefix(name, "rnn_")
		if ok && nonlinearity != "" && function != nonlinearity {
			return errors.New("it has Elman layers with relu and others with tanh; save the module whole, or export it as .onnx")
		} else if ok {
			nonlinearity = function
		}
	}
	if err := m.countNorms(calls); err != nil {
		return err
	}
	facts := make(map[string]any)
	m.Parts = []Part{{"", Name(m.Class), facts}}
	for _, t := range m.Tensors {
		if path, ok := strings.CutSuffix(t.Name, ".weight_hh_l0"); ok && nonlinearity != "" {
			m.Parts = append(m.Parts, Part{path, "RNN", map[string]any{"nonlinearity": nonlinearity}})
		}
	}
	return m.called(calls, "the program", facts)
}
