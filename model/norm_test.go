package model

import (
	"path/filepath"
	"strings"
	"testing"
)

// compareFixture compares a network of python/fixtures/fixtures_norms.py with what it says of some
// words: what comes of it, as flags that read it right, or as part of an error.
func compareFixture(t *testing.T, file string, o Options) string {
	t.Helper()
	name, _, _ := strings.Cut(file, ".")
	folder := filepath.Join("testdata", "norms")
	check, err := Compare(t.Context(), filepath.Join(folder, file), o, filepath.Join(folder, name+".json"))
	switch {
	case err != nil:
		return err.Error()
	case check.Right && check.Largest > 1e-4:
		return "it is near, and not right"
	case check.Right:
		return "right"
	case len(check.Readings) == 0:
		return "no reading is right"
	}
	return strings.Join(check.Readings[0], " ")
}

// Networks with norms, saved in all ways: each is read right, or the flags that do so are
// found, or it is refused.
func TestNorms(t *testing.T) {
	for file, want := range map[string]string{
		"batch.module.pt":            "right",
		"batch.opset14.onnx":         "right",
		"batch.opset17.onnx":         "right",
		"batch.pt":                   "right",
		"batch.pt2.gz":               "right",
		"batch.trace.pt.gz":          "right",
		"before.module.pt":           "right",
		"before.pt":                  "right",
		"behind.pt":                  "--norm norm=activation1",
		"between.module.pt":          "right",
		"between.opset14.onnx":       "right",
		"between.opset17.onnx":       "right",
		"between.pt":                 "right",
		"between.pt2.gz":             "right",
		"between.trace.pt.gz":        "right",
		"both.opset17.onnx":          "right",
		"cell-elman.pt":              "right",
		"cell-gru.pt":                "right",
		"cell-lstm-output.module.pt": "--norm layernorm_c=output",
		"cell-lstm-output.pt":        "--norm layernorm_c=output",
		"cell-lstm.pt":               "right",
		"cell-state.pt":              "--norm norm=state1",
		"free.module.pt":             "right",
		"free.opset14.onnx":          "right",
		"free.opset17.onnx":          "right",
		"free.pt2.gz":                "where norms without weights stand is not read",
		"free.script.pt.gz":          "right",
		"group.module.pt":            "norm_out is a torch.nn.modules.normalization.GroupNorm, which is not supported",
		"hand-elman.pt":              "right",
		"hand-gru.pt":                "--gates rzn,after,new",
		"hand-joined.pt":             "right",
		"hand-lstm.pt":               "--gates ofig",
		"hand-reset.pt":              "right",
		"pooled.pt":                  "--pool mean --norm norm_out=layer1",
		"rms.module.pt":              "right",
		"rms.pt":                     "right",
		"sequential.module.pt":       "right",
		"sequential.opset17.onnx":    "right",
	} {
		if got := compareFixture(t, file, Options{}); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// What a file leaves open about norms is a warning, and what the user says of it is not.
func TestNormNotes(t *testing.T) {
	ab := []string{"a", "b"}
	for _, c := range []struct {
		file, norm, want string
	}{
		{"between.pt", "", "layer norms are taken for granted: between, norm_in, norm_out; the option norm, as between=layer"},
		{"between.pt", "", "where between stands, a layer norm: it is taken to be at layer1, and may be at summary"},
		{"between.module.pt", "", "where norm_out stands, a layer norm: it is taken to be at summary, and may be at layer1"},
		{"between.module.pt", "between=layer1,norm_out=summary", ""},
		{"before.pt", "", "where head.norm stands, a layer norm: it is taken to be at dense1, and may be at activation1"},
		{"cell-lstm.pt", "", "where cells.0.layernorm_c stands, a layer norm: it is taken to be at memory, and may be at output, state"},
		{"cell-lstm.pt", "layernorm_c=memory", ""},
		{"rms.pt", "", "it has a scale and no shift, and is taken to be a rms norm"},
		{"rms.pt", "rms", ""},
		{"group.pt", "", "layer norms are taken for granted: norm_out"},
		{"free.module.pt", "", ""},
		{"sequential.module.pt", "", ""},
		{"free.opset14.onnx", "", ""},
	} {
		m, err := Open(t.Context(), filepath.Join("testdata", "norms", c.file), Options{Symbols: ab, Pad: "2", Norm: c.norm})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, c.want) || c.want == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q", c.file, notes, c.want)
		}
		if !strings.Contains(m.Reading(), "normalized ") {
			t.Errorf("%s is read as: %s", c.file, m.Reading())
		}
	}
}

func TestNormErrors(t *testing.T) {
	for _, c := range []struct{ file, norm, want string }{
		{"norms/between.pt", "nowhere", "a place is one of embedding"},
		{"norms/between.pt", "norm_out=dense1", "can stand at layer1, layer2, summary"},
		{"norms/between.pt", "other=layer1", "there is no such norm"},
		{"norms/sequential.module.pt", "dense1", "there is no such norm in the file whose place is open"},
		{"lstm.pt", "layer1", "there is no such norm"},
		{"norms/between.opset17.onnx", "layer1", "says itself"},
	} {
		if _, err := Open(t.Context(), filepath.Join("testdata", c.file), Options{Norm: c.norm}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with norm %s: %v, want %q", c.file, c.norm, err, c.want)
		}
	}
}

// Of several heads the user names one; one that is called auxiliary, or that decides nothing,
// is left out with a warning.
func TestHeads(t *testing.T) {
	for _, c := range []struct {
		file, head, want string
	}{
		{"heads.module.pt", "", "right"},
		{"heads.module.pt", "classifier", "right"},
		{"heads.module.pt", "aux_head", "--head classifier"},
		{"heads.pt", "class", "--activation tanh"},
		{"heads.pt", "third", "head third: there is no such head; there is aux_head, classifier"},
		{"heads-two.pt", "", "--head second"},
		{"heads-key.pt", "", "--key student --head yes"},
		{"heads-two.pt", "second", "right"},
		{"heads-two.pt", "first", "--head second"},
		{"heads-lm.pt", "", "right"},
		{"cell-gru.pt", "fc", "right"},
		{"cell-gru.pt", "head", "there is no such head; there is fc"},
		{"between.opset17.onnx", "x", `there is no output "x"`},
	} {
		if got := compareFixture(t, c.file, Options{Head: c.head}); !strings.Contains(got, c.want) {
			t.Errorf("%s with head %q: %s, want %s", c.file, c.head, got, c.want)
		}
	}
	for head, want := range map[string]string{"": "classifier is taken to decide, and aux_head is left out", "classifier": ""} {
		m, err := Open(t.Context(), filepath.Join("testdata", "norms", "heads.module.pt"), Options{Symbols: []string{"a", "b"}, Pad: "2", Head: head})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, want) || want == "" && notes != "" {
			t.Errorf("head %q: notes %q, want %q", head, notes, want)
		}
		if !strings.Contains(m.Reading(), "the head is classifier, and aux_head is left out") {
			t.Error(m.Reading())
		}
	}
}
