package torch

import (
	"fmt"
	"strings"
	"testing"
)

// program is a TorchScript program: a pickle, and the code of its classes.
func program(t testing.TB, pickle, code string) []byte {
	return archive(t, entry{name: "m/data.pkl", content: pickle}, entry{name: "m/constants.pkl"}, entry{name: "m/code/__torch__.py", content: code},
		entry{name: "m/data/0", content: strings.Repeat("\x00", 16)})
}

// scripted is a module with a tensor, a child of class Inner, and one that is itself.
func scripted() string {
	inner := global("__torch__", "Inner") + ")\x81}" + text("mode") + "K\x01s" + "b"
	return "\x80\x02" + global("__torch__.___torch_mangle_3", "Net") + ")\x81" + put(1) + "}(" + text("w") + array("0", 4, 0, "K\x02K\x02", "K\x02K\x01") + text("a") + inner + "ub."
}

const code = `class Inner(Module):
  slope : Final[float] = 0.5
  kind : Final[str] = "GRU"
  def forward(self):
    return torch.rnn_relu(torch.mean(torch.select(x)))
class Other(Module):
  slope : Final[float] = 0.7
`

func TestScript(t *testing.T) {
	m, err := bounded(t, program(t, scripted(), code))
	if err != nil {
		t.Fatal(err)
	}
	inner := m.Parts[1]
	if m.Format != "PyTorch (TorchScript)" || m.Class != "Net" || len(m.Tensors) != 1 || m.Tensors[0].Name != "w" || inner.Path != "a" {
		t.Errorf("%+v", m)
	}
	if got := fmt.Sprint(inner.Facts); got != "map[activation:mean kind:GRU mode:1 nonlinearity:relu slope:0.5]" {
		t.Error(got)
	}
	if len(m.Notes) != 1 || !strings.Contains(m.Notes[0], "the code of Inner calls mean, and is not run") {
		t.Errorf("%q", m.Notes)
	}
	loop := "\x80\x02" + global("__torch__", "Net") + ")\x81" + put(1) + "}" + text("a") + get(1) + "sb."
	if _, err := bounded(t, program(t, loop, code)); err == nil || !strings.Contains(err.Error(), "nested more than") {
		t.Error(err)
	}
	if _, err := bounded(t, program(t, "\x80\x02}.", "")); err == nil || !strings.Contains(err.Error(), "TorchScript program that is no module") {
		t.Error(err)
	}
}

// FuzzScript reads any program without a panic and in little memory.
func FuzzScript(f *testing.F) {
	f.Add(scripted(), code)
	f.Add("\x80\x02"+global("__torch__", "Net")+")\x81"+put(1)+"}"+text("a")+get(1)+"sb.", strings.Repeat(code, 10))
	f.Fuzz(func(t *testing.T, pickle, code string) { bounded(t, program(t, pickle, code)) })
}

// export is a program of torch.export with a tensor of four numbers.
func export(t testing.TB, weights, graph string) []byte {
	return archive(t, entry{name: "m/" + exportConfig, content: weights}, entry{name: "m/" + exportGraph, content: graph},
		entry{name: "m/" + exportWeights + "0", content: number(8, 0) + number(8, 0x3f800000)})
}

// described is a tensor called rnn.weight_hh_l0 in a program.
func described(kind, sizes, strides string) string {
	return `{"config": {"rnn.weight_hh_l0": {"path_name": "0", "tensor_meta": {"dtype": ` + kind + `, "sizes": ` + sizes + `, "strides": ` + strides + `, "storage_offset": {"as_int": 0}}}}}`
}

const (
	two   = `[{"as_int": 2}, {"as_int": 2}]`
	rows  = `[{"as_int": 2}, {"as_int": 1}]`
	relus = `{"graph_module": {"graph": {"nodes": [{"target": "torch.ops.aten.rnn_relu.input"}]}}}`
)

func TestExport(t *testing.T) {
	m, err := bounded(t, export(t, described("7", two, rows), relus))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.Tensors, m.Parts[1]); got != "[{rnn.weight_hh_l0 [2 2] [0 0 1 0]}] {rnn RNN map[nonlinearity:relu]}" {
		t.Error(got)
	}
	for _, c := range []struct{ weights, graph, want string }{
		{described("7", two, two), relus, "do not lie row by row"},
		{described("7", `[{"as_int": 1073741824}, {"as_int": 1}]`, `[{"as_int": 1}, {"as_int": 1}]`), relus, "has more than the 4 numbers"},
		{described("7", `[{"as_name": "s0"}]`, `[{"as_int": 1}]`), relus, "do not lie row by row"},
		{described("99", two, rows), relus, "type number 99"},
		{described("8", `[{"as_int": 2}]`, rows), relus, "a part of another"},
		{strings.Replace(described("7", two, rows), `"0"`, `"../0"`, 1), relus, "a part of another"},
		{strings.Replace(described("7", two, rows), `"0"`, `"9"`, 1), relus, `"m/data/weights/9" is missing`},
		{described("7", two, rows), strings.Replace(relus, `[{`, `[{"target": "torch.ops.aten.rnn_tanh.input"}, {`, 1), "relu and others with tanh"},
		{described("7", two, rows), strings.Replace(relus, "rnn_relu", "gelu", 1), "calls gelu, whose settings are not read"},
		{described("7", two, rows), "x", exportGraph},
	} {
		if _, err := bounded(t, export(t, c.weights, c.graph)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// FuzzExport reads any program without a panic and in little memory.
func FuzzExport(f *testing.F) {
	f.Add(described("7", two, rows), relus)
	f.Fuzz(func(t *testing.T, weights, graph string) { bounded(t, export(t, weights, graph)) })
}
