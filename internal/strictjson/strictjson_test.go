package strictjson

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	type point struct{ X, Y int }
	for text, want := range map[string]string{
		`{"x": 1, "y": 2}`:        "",
		"{\n\"x\": 1,\n\"z\": 2}": "unknown field",
		"{\n\"x\": 1,\n]":         "line 3",
		"{\n\"x\": \"a\"}":        "line 2",
		`{"x": 1`:                 "ends too early",
		`{"x": 1} 2`:              "something follows",
		"\"\xff\"":                "UTF-8",
	} {
		var p point
		switch err := Decode([]byte(text), &p); {
		case want == "" && (err != nil || p != point{1, 2}):
			t.Errorf("%q: %v, %v", text, p, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}
