package text

import "testing"

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{"": "''", "zoo:tomita5@3": "zoo:tomita5@3", "my net": "'my net'", "it's": `'it'\''s'`, "$x": "'$x'"} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	if got, want := Wrap("one two three  four", 10, 2), "one two\n  three\n  four"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPercentNeverRoundsUp(t *testing.T) {
	for x, want := range map[float64]string{1: "100.00%", 0.99999: "99.99%", 0.5: "50.00%"} {
		if got := Percent(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}
