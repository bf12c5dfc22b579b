package torch

import (
	"fmt"
	"strings"
	"testing"
)

// legacy is a file in the format before zip archives, with one storage of two numbers, 1 and 2, the lowest byte last.
func legacy(version byte, order, root string) []byte {
	pickle := func(s string) string { return "\x80\x02" + s + "." }
	numbers := number(8, 2) + "\x3f\x80\x00\x00\x40\x00\x00\x00"
	return []byte(pickle("\x8a\x0a"+string(magic)) + pickle("M"+string([]byte{version, 3})) + pickle("}"+text("little_endian")+order+"s") +
		pickle(root) + pickle("]"+text("0")+"a") + numbers)
}

// The older format is checked as the newer one is.
func TestLegacy(t *testing.T) {
	storage := func(key, view string) string {
		return global("torch._utils", "_rebuild_tensor_v2") + "((" + text("storage") + global("torch", "FloatStorage") + key +
			text("cpu") + "K\x02" + view + "tQK\x00(K\x01t(K\x01t\x89)tR"
	}
	whole := "}" + text("x") + storage(text("0"), "N") + "s"
	part := func(first, size string) string {
		return "}" + text("x") + storage(text("0"), "("+text("0")+first+size+"t") + "s"
	}
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"as it is", "[{x [1] [1]}]", legacy(233, "\x89", whole)},
		{"an order that is none", "neither little nor big", legacy(233, "N", whole)},
		{"another version", "of the format, not 1001", legacy(234, "\x89", whole)},
		{"a part", "[{x [1] [2]}]", legacy(233, "\x89", part("K\x01", "K\x01"))},
		{"a part from nowhere on", "a part that is none", legacy(233, "\x89", part("N", "K\x01"))},
		{"a part of no size", "a part that is none", legacy(233, "\x89", part("K\x01", "N"))},
		{"a storage without a name", "a storage without class, key and size", legacy(233, "\x89", "}"+text("x")+storage("K\x00", "N")+"s")},
	} {
		m, err := bounded(t, c.file)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(m.Tensors)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A key leads into the attributes of an object, too; and of many keys that lead nowhere, some are told.
func TestKeysOfObjects(t *testing.T) {
	holder := global("train", "Holder") + ")\x81}(" + text("first") + "}" + text("x") + straight + "s" + text("last") + "}" + text("y") + turned + "s" + "ub"
	m, err := ReadKey(zipped(t, "\x80\x02"+holder+"."), "last")
	if err != nil || len(m.Tensors) != 1 || m.Tensors[0].Name != "y" || m.Rest != "" {
		t.Errorf("%v, %+v", err, m)
	}
	notes := "}("
	for i := range 20 {
		notes += text(fmt.Sprint("note", i)) + "N"
	}
	_, err = Read(zipped(t, "\x80\x02"+notes+"u."))
	if err == nil || strings.Count(err.Error(), "…") != 1 || !strings.Contains(err.Error(), "note7") || strings.Contains(err.Error(), "note9") {
		t.Error(err)
	}
}

// Code that normalizes first of all is refused as that which does so later.
func TestScriptThatNormalizes(t *testing.T) {
	for _, body := range []string{"torch.layer_norm(x)", "torch.mean(torch.layer_norm(x))"} {
		code := "class Inner(Module):\n  def forward(self):\n    return " + body + "\n"
		if _, err := bounded(t, program(t, scripted(), code)); err == nil || !strings.Contains(err.Error(), "calls layer_norm itself") {
			t.Errorf("%s: %v", body, err)
		}
	}
}
