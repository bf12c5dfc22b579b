package text

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// on returns what a screen of a width shows.
func on(width int, color bool, write func(s *Screen)) string {
	var b bytes.Buffer
	s := &Screen{w: &b, width: width, color: color}
	write(s)
	s.Flush()
	return b.String()
}

func TestScreenWraps(t *testing.T) {
	for text, want := range map[string]string{
		"short\n": "short\n",
		"certificate: one two three four five six\n":   "certificate: one two\n  three four five\n  six\n",
		"  read  tokens a = 0, b = 1; nothing after\n": "  read  tokens a =\n        0, b = 1;\n        nothing\n        after\n",
		"aVeryLongWordThatHasNoEndAtAll and more\n":    "aVeryLongWordThatHasNoEndAtAll\n  and more\n",
		"without an end of the line it is shown":       "without an end of\n  the line it is\n  shown",
		"\n\n":                                         "\n\n",
	} {
		if got := on(20, false, func(s *Screen) { s.Write([]byte(text)) }); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := on(0, false, func(s *Screen) { s.Write([]byte(text)) }); got != text {
			t.Errorf("%q without a width: %q", text, got)
		}
	}
}

// TestNothingIsLost: whatever the width and however text comes, its words are shown in their
// order, and no line is too long that has two words.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ ]{0,5}[a-zκ界]{1,9}|\n){0,40}`).Draw(t, "text")
		width := rapid.IntRange(20, 60).Draw(t, "width")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		got := on(width, false, func(s *Screen) {
			s.Write([]byte(text[:cut]))
			s.Write([]byte(text[cut:]))
		})
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") {
			t.Fatalf("%q became %q", text, got)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if columnsOf(strings.TrimRight(line, " ")) > width && len(strings.Fields(line)) > 1 {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
	})
}

func TestColor(t *testing.T) {
	show := func(color bool) string {
		return on(0, color, func(s *Screen) {
			s.Write([]byte("warning: careful\n" + Verdict(s, true, "same") + "\n"))
		})
	}
	if got, want := show(true), "\x1b[33mwarning:\x1b[0m careful\n\x1b[1;32msame\x1b[0m\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := show(false), "warning: careful\nsame\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Strong(&bytes.Buffer{}, "file"); got != "file" {
		t.Errorf("%q in a file", got)
	}
}

func TestTableShrinks(t *testing.T) {
	grid := Table("name", "states", "what it is about", "seconds")
	grid.AppendRow(Row{"first", 4, "a long story of many words", 0.5})
	grid.AppendRow(Row{"second", 12, "aWordThatIsLongerThanAnyColumnShouldBe", 12})
	whole := on(0, false, func(s *Screen) { Print(s, grid) })
	if want := grid.Render() + "\n"; whole != want {
		t.Errorf("without a width:\n%s", whole)
	}
	for _, width := range []int{80, 60, 50, 40, 34} {
		got := on(width, false, func(s *Screen) { Print(s, grid) })
		for line := range strings.SplitSeq(got, "\n") {
			if columnsOf(line) > width {
				t.Errorf("%d columns: %q", width, line)
			}
		}
		for _, cell := range []string{"first", "second", "12", "story", "0.5"} {
			if !strings.Contains(got, cell) {
				t.Errorf("%d columns: no %s in\n%s", width, cell, got)
			}
		}
		if blocks := strings.Count(got, "name"); width >= 60 && blocks != 1 || width == 34 && blocks < 2 {
			t.Errorf("%d columns: the table has %d parts\n%s", width, blocks, got)
		}
	}
}

func TestReflow(t *testing.T) {
	const help = "One two three\nfour five six.\n\n  an example stays\n\nEnd."
	if got, want := Reflow(help, 20), "One two three four\nfive six.\n\n  an example stays\n\nEnd."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
