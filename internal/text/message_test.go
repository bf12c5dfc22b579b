package text

import (
	"errors"
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	for text, want := range map[string]string{
		"plain: \"ä\"\tκ\n  more":    "plain: \"ä\"\tκ\n  more",
		"\x1b[31mred\x1b[0m\r\x00\a": `\x1b[31mred\x1b[0m\r\x00\a`,
		"half \xff\xfe é \u202egnp":  `half \xff\xfe é \u202egnp`,
	} {
		if got := Message(errors.New(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	long := Message(errors.New("begin " + strings.Repeat("x", 60<<20) + " end"))
	if len(long) > 800 || !strings.HasPrefix(long, "begin ") || !strings.HasSuffix(long, " end") {
		t.Errorf("%d bytes: %.100s", len(long), long)
	}
	if lines := strings.Count(Message(errors.New(strings.Repeat("x\n", 1e5))), "\n"); lines > mostLines {
		t.Errorf("%d lines", lines)
	}
}
