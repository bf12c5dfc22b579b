package codec

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

// checkQuick fails unless the quick reader leaves a text alone or reads what the plain one reads.
// It reports whether it reads it.
func checkQuick(t testingT, text string) bool {
	quick, ok := readJSONQuickly(text)
	if !ok {
		return false
	}
	plain, err := readJSONPlainly(text)
	if err != nil {
		t.Fatalf("the quick reader reads what the plain one does not: %v\n%s", err, text)
	}
	if encode(t, jsonFormat, quick) != encode(t, jsonFormat, plain) || !slices.Equal(quick.Start, plain.Start) {
		t.Fatalf("the quick reader reads something else:\n%s", text)
	}
	return true
}

// Documents as we write them are read quickly, and so they are with other white space; whatever is
// done to their bytes, the two readers agree.
func TestQuickJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := encode(t, jsonFormat, drawNFA(t))
		if rapid.Bool().Draw(t, "dense") {
			text = strings.NewReplacer("\n", "", "  ", "").Replace(text)
		}
		if !checkQuick(t, text) && !strings.Contains(text, `\`) {
			t.Fatalf("left alone:\n%s", text)
		}
		for range 20 {
			at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			piece := rapid.SampledFrom([]string{"", "1", "0", "-", "{", "}", "]", ",", `"`, `\`, " ", "null", "true", ".", "\n", "\xff", "é", `"id": 1, `, `"on": "a", `}).Draw(t, "piece")
			checkQuick(t, text[:at]+piece+text[min(len(text), at+rapid.IntRange(0, 2).Draw(t, "gone")):])
		}
	})
}

func TestQuickJSONTable(t *testing.T) {
	for _, test := range slices.Concat(readTests, errorTests) {
		if test.format == jsonFormat.Name {
			checkQuick(t, test.text)
		}
	}
	large := `{"version": 1, "start": [9], "states": [{"id": 123456789012345678}, {"accept": true, "id": 9}], "format": "quotient-automaton", ` +
		`"alphabet": ["a"], "transitions": [{"to": 123456789012345678, "from": 9}, {"from": 9, "on": null, "to": 9}, {"on": "a", "from": 9, "to": 9}]}`
	if !checkQuick(t, large) {
		t.Error("fields in another order, large numbers and ε are left alone")
	}
	for _, wrong := range []string{`"id": 1, "id": 2`, `"id": 01`, `"id": 1.0`, `"id": 1e3`, `"ID": 1`, `"id": 1, "accept": null`, ``} {
		checkQuick(t, document("{"+wrong+"}", "", ""))
	}
}

func BenchmarkReadJSON(b *testing.B) {
	var text strings.Builder
	n := automaton.NewNFA(word.Letters("a"), 0)
	for q := range 500_000 {
		n.AddState(q%3 == 0)
	}
	n.Start = []automaton.State{1}
	for i := range 1_000_000 {
		n.AddEdge(automaton.State(1+i/2), 0, automaton.State(1+i*7919%500_000))
	}
	if err := Write(&text, n, jsonFormat); err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func(string) (*automaton.NFA, error){"quick": readJSON, "plain": readJSONPlainly} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := read(text.String()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
