package onnx

import (
	"errors"
	"strings"
	"testing"
)

// Tensors have their places in files beside the graph, and none of them outside of these.
func TestExternal(t *testing.T) {
	open := func(name string) ([]byte, error) {
		if name != "data" {
			return nil, errors.New("there is no " + name)
		}
		return []byte("0123456789"), nil
	}
	for _, c := range []struct{ location, offset, length, want string }{
		{"data", "", "", "0123456789"},
		{"data", "8", "", "89"},
		{"data", "2", "3", "234"},
		{"data", "10", "0", ""},
		{"data", "10", "1", `1 bytes at byte 10 of "data", which has 10`},
		{"data", "11", "", "0 bytes at byte 11"},
		{"data", "9223372036854775807", "9223372036854775807", "which has 10"},
		{"data", "-1", "1", "is no number"},
		{"data", "0", "many", "is no number"},
		{"other", "", "", "its numbers lie in another file: there is no other"},
	} {
		e := &external{open: open, files: make(map[string]*content)}
		got, err := e.read(map[string]string{"location": c.location, "offset": c.offset, "length": c.length})
		if err != nil && strings.Contains(err.Error(), c.want) && c.want != "" {
			continue
		}
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// Many tensors over the same numbers would take more memory than the files do.
func TestExternalOverlap(t *testing.T) {
	tensors := builder(nil)
	for range 3 {
		place := builder(nil).text(1, "location").text(2, "data")
		tensors = tensors.bytes(5, builder(nil).number(1, 4).number(2, kindFloat).text(8, "x").bytes(13, place).number(14, externalData))
	}
	_, _, err := Read(tensors.model("x"), func(string) ([]byte, error) { return make([]byte, 16), nil })
	if err == nil || !strings.Contains(err.Error(), `more bytes of "data" together than there are`) {
		t.Error(err)
	}
}
