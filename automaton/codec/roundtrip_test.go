package codec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quotient/automaton"
)

// What every format promises to keep is checked on automata with nasty names.
func TestRoundTrip(t *testing.T) {
	keepsAll := func(n *automaton.NFA) *automaton.NFA { return n }
	keepsUsed := func(n *automaton.NFA) *automaton.NFA { return usedAlphabet(withOneStart(n)) }
	for _, test := range []struct {
		format Format
		kept   func(*automaton.NFA) *automaton.NFA
	}{
		{jsonFormat, keepsAll},
		{dotFormat, keepsAll},
		{mataFormat, keepsAll},
		{attFormat, keepsUsed},
		{jffFormat, keepsUsed},
	} {
		t.Run(test.format.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := drawNFA(t)
				text := encode(t, test.format, n)
				want, got := plainly(test.kept(n)), plainly(decode(t, test.format, text))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("read differs from written (-want +got):\n%s\n%s", diff, text)
				}
			})
		})
	}
}

// JSON also keeps the order and the repetition of edges.
func TestJSONExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNFA(t)
		got := decode(t, jsonFormat, encode(t, jsonFormat, n))
		if diff := cmp.Diff(n.Edges, got.Edges, cmp.Transformer("nil", func(e []automaton.Edge) []automaton.Edge {
			return append([]automaton.Edge{}, e...)
		})); diff != "" {
			t.Fatalf("%s", diff)
		}
	})
}

// States are the same whether they are looked up in a table or in a map: empty
// lines make the file, and with it the table, larger.
func TestNumberedStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"0", "1", "2", "9", "10", "30", "31", "100", "00", "x"})
		if rapid.Bool().Draw(t, "numbers only") {
			name = rapid.SampledFrom([]string{"0", "1", "2", "9", "10", "30", "31", "100"})
		}
		var text strings.Builder
		for range rapid.IntRange(1, 20).Draw(t, "lines") {
			fmt.Fprintf(&text, "%s %s a\n", name.Draw(t, "from"), name.Draw(t, "to"))
		}
		fmt.Fprintf(&text, "%s\n", name.Draw(t, "final"))
		want := plainly(decode(t, attFormat, text.String()))
		got := plainly(decode(t, attFormat, text.String()+strings.Repeat("\n", 1000)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s", diff)
		}
	})
}

// A name written with escapes is read back, whatever is escaped.
func TestEscape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.SampledFrom(nasty), rapid.StringMatching(`[<U+0-9A-F>]{0,12}`)).Draw(t, "name")
		odd := rapid.Bool().Draw(t, "odd")
		escaped := escape(name, func(r rune) bool { return r%2 == 1 == odd })
		if got := unescape(escaped); got != name {
			t.Fatalf("%q is written %q and read %q", name, escaped, got)
		}
		if name != "" && !strings.Contains(name, "<U+") {
			if got := unescape(escapeFirst(name)); got != name {
				t.Fatalf("%q is read %q", name, got)
			}
		}
	})
}

// The DFA that AALpy gets has the same language, and every transition.
func TestAALpyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNFA(t)
		for _, name := range n.Alphabet.Names() {
			if checkAALpy(name) != nil {
				return
			}
		}
		got := decode(t, aalpyFormat, encode(t, aalpyFormat, n))
		d := determinize(t, got)
		if len(got.Start) != 1 || d.Len() != got.Len() || len(got.Edges) != d.Len()*d.Alphabet.Len() {
			t.Fatalf("not a complete DFA: %+v", got)
		}
		if d.Alphabet.Len() != n.Alphabet.Len() {
			t.Fatalf("alphabet %v, want the symbols of %v", d.Alphabet, n.Alphabet)
		}
		want, err := determinize(t, n).WithAlphabet(d.Alphabet)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if w, differ := automaton.Distinguish(want, d); differ {
			t.Fatalf("languages differ on %s", d.Alphabet.Format(w))
		}
	})
}
