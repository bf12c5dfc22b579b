package torch

import (
	"fmt"
	"strings"
	"testing"
)

// Two views of 2 × 2 numbers.
var (
	straight = array("0", 4, 0, "K\x02K\x02", "K\x02K\x01")
	turned   = array("0", 4, 0, "K\x02K\x02", "K\x01K\x02")
)

// A key leads to what stands under it, through dictionaries, lists and numbers, and what is
// left of it begins the names of tensors.
func TestReadKey(t *testing.T) {
	weights := func(name, matrix string) string { return "}" + text(name) + matrix + "s" }
	file := "}(" + text("model") + weights("x", straight) + text("ema") + weights("y", turned) +
		text("runs") + "}(" + text("a") + weights("b.z", straight) + text("c") + "K\x01u" +
		text("shadow") + "](" + straight + turned + "e" + text("optimizer") + weights("w", straight) + "u"
	for key, want := range map[string]string{
		"":           "[x] beside [ema runs shadow]",
		"ema":        "[y] beside []",
		"runs.a":     "[b.z] beside []",
		"runs":       "[b.z] beside []",
		"runs.a.b":   "[b.z] beside [] rest b",
		"model.x.no": "there is neither a module nor a dictionary of tensors in it, but a tensor",
		"shadow":     "[0 1] beside []",
		"other":      "[x] beside [ema runs shadow] rest other",
	} {
		m, err := ReadKey(zipped(t, "\x80\x02"+file+"."), key)
		got := fmt.Sprint(err)
		if err == nil {
			var names []string
			for _, x := range m.Tensors {
				names = append(names, x.Name)
			}
			got = strings.TrimSuffix(fmt.Sprintf("%v beside %v rest %s", names, m.Beside, m.Rest), " rest ")
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	m, err := Read(zipped(t, "\x80\x02}(K\x00"+weights("x", straight)+"K\x01"+weights("y", turned)+"u."))
	if err != nil || len(m.Tensors) != 2 || m.Tensors[1].Name != "1.y" {
		t.Errorf("%v, %+v", err, m)
	}
}

// Beside a model, another is noted once, whatever there is beside that.
func TestBesideIsNotedOnce(t *testing.T) {
	weights := func(name string) string { return "}" + text(name) + straight + "s" }
	other := "}(" + text("model") + weights("y") + text("ema") + weights("z") + "u"
	m, err := Read(zipped(t, "\x80\x02}("+text("model")+weights("x")+text("teacher")+other+"u."))
	if err != nil || fmt.Sprint(m.Beside) != "[teacher]" {
		t.Errorf("%v, %+v", err, m)
	}
}

// Of what a dictionary is given twice under one name, the last counts, and what follows counts as well.
func TestNamesGivenTwice(t *testing.T) {
	m, err := Read(zipped(t, "\x80\x02}("+text("x")+straight+text("x")+turned+text("y")+straight+"u."))
	if err != nil || fmt.Sprint(m.Tensors) != "[{x [2 2] [1 3 2 4]} {y [2 2] [1 2 3 4]}]" {
		t.Errorf("%v, %+v", err, m)
	}
}

// A plain object does no harm, and a tensor with attributes is what its arguments make.
func TestObjects(t *testing.T) {
	typed := func(function, args string) string {
		return global("torch._tensor", "_rebuild_from_type_v2") + "(" + function + global("torch", "Tensor") + args + "NtR"
	}
	parameter := global("torch._utils", "_rebuild_parameter")
	for _, c := range []struct{ name, value, want string }{
		{"an object", global("builtins", "object") + ")\x81", "x"},
		{"a runner", global("subprocess", "Popen") + ")\x81", "subprocess.Popen"},
		{"a tensor with attributes", typed(parameter, turned+"\x85"), "x y"},
		{"arguments that are none", typed(parameter, "K\x01"), "torch._tensor._rebuild_from_type_v2"},
		{"a function that is none", typed("K\x01", ")"), "torch._tensor._rebuild_from_type_v2"},
		{"a tensor before its numbers", array("0", 4, 1<<64-1, "K\x01", "K\x01"), "arguments that make no tensor"},
		{"a tensor with more sizes than strides", array("0", 4, 0, "K\x01K\x01", "K\x01"), "arguments that make no tensor"},
		{"a tensor with strides of text", array("0", 4, 0, "K\x01", text("1")), "arguments that make no tensor"},
		{"a function within itself", typed(global("torch._tensor", "_rebuild_from_type_v2"), ")"), "torch._tensor._rebuild_from_type_v2"},
	} {
		m, err := bounded(t, zipped(t, "\x80\x02}("+text("x")+straight+text("y")+c.value+"u."))
		got := fmt.Sprint(err)
		if err == nil {
			var names []string
			for _, x := range m.Tensors {
				names = append(names, x.Name)
			}
			got = strings.Join(names, " ")
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Tensors without names in text are not passed over in silence.
func TestKeysThatAreNoText(t *testing.T) {
	for key, want := range map[string]string{"C\x01x": "are bytes, and names", "K\x01K\x02\x86": "are tuples, and names", "N": "are no text, and names", "\x88": "are numbers, and names"} {
		_, err := bounded(t, zipped(t, "\x80\x03}"+key+straight+"s."))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", key, err, want)
		}
	}
	m, err := bounded(t, zipped(t, "\x80\x03}(C\x01x"+straight+text("y")+turned+"u."))
	if err != nil || len(m.Tensors) != 1 || len(m.Notes) != 1 {
		t.Errorf("%v, %+v", err, m)
	}
}

// Arrays of NumPy are tensors; what only looks like one is none.
func TestArrays(t *testing.T) {
	call := func(shape, kind, order, bytes string) string {
		return "}" + text("x") + global("numpy.core.multiarray", "_reconstruct") + global("numpy", "ndarray") + "K\x00\x85C\x01b\x87R" +
			"(K\x01(" + shape + "t" + global("numpy", "dtype") + text(kind) + "\x89\x88\x87R" + "(K\x03" + text(order) + "tb" + "\x89" + bytes + "tbs"
	}
	ones := "C\x10" + strings.Repeat("\x00\x00\x80\x3f", 4)
	buffer := func(order string) string {
		dtype := global("numpy", "dtype") + text("f4") + "\x89\x88\x87R"
		counted := "C\x10" + number(4, 0x3f800000) + number(4, 0x40000000) + number(4, 0x40400000) + number(4, 0x40800000)
		return "}" + text("x") + global("numpy.core.numeric", "_frombuffer") + "(" + counted + dtype + "K\x02K\x02\x86" + text(order) + "tRs"
	}
	latin := global("_codecs", "encode") + text(strings.Repeat("\x00\x00\u0080\x3f", 4)) + text("latin1") + "\x86R"
	for _, c := range []struct{ pickle, want string }{
		{call("K\x02K\x02", "f4", "<", ones), "[{x [2 2] [1 1 1 1]}]"},
		{call("K\x02K\x02", "f4", "<", latin), "[{x [2 2] [1 1 1 1]}]"},
		{buffer("C"), "[{x [2 2] [1 2 3 4]}]"},
		{buffer("F"), "[{x [2 2] [1 3 2 4]}]"},
		{call("K\x02K\x02", "f4", ">", ones), "the highest byte first, which is not supported"},
		{call("K\x02K\x02", "O8", "<", ones), "numpy.O8, which is not supported"},
		{call("K\x02K\x03", "f4", "<", ones), "does not fit into 4 numbers"},
		{call("J\xff\xff\xff\x7fJ\xff\xff\xff\x7f", "f4", "<", ones), "there is neither a module nor a dictionary"},
		{call("K\x02K\x02", "f4", "<", global("_codecs", "encode")+text("\u20ac")+text("latin1")+"\x86R"), "are no bytes"},
	} {
		m, err := bounded(t, zipped(t, "\x80\x02"+c.pickle+"."))
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(m.Tensors)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
