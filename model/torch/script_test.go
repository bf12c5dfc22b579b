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
