package regex

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

// wordsUpTo returns all words over k symbols of length 0 to n.
func wordsUpTo(k, n int) []word.Word {
	words := []word.Word{nil}
	for i := 0; i < len(words) && len(words[i]) < n; i++ {
		for s := range k {
			words = append(words, append(words[i][:len(words[i]):len(words[i])], word.Symbol(s)))
		}
	}
	return words
}

func mustCompile(t testing.TB, e *Expr, a *word.Alphabet) *automaton.DFA {
	t.Helper()
	d, err := e.Compile(a, automaton.DefaultLimit)
	if err != nil {
		t.Fatalf("%s: %v", e, err)
	}
	return d
}

// TestAgainstRegexp compares with the standard library, whose syntax is the same
// but for the empty word, which it does not name.
func TestAgainstRegexp(t *testing.T) {
	a := word.Letters("abc")
	words := wordsUpTo(3, 7)
	texts := make([]string, len(words))
	for i, w := range words {
		for _, s := range w {
			texts[i] += a.Name(s)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		e := anyExpr(t, []string{"a", "b", "c"}, []op{concat, alternate, repeat}, 3)
		text := strings.NewReplacer("ε", "(?:)", "∅", `[^\x00-\x{10ffff}]`).Replace(e.String())
		oracle := regexp.MustCompile(`\A(?:` + text + `)\z`)
		d, err := e.Compile(a, automaton.DefaultLimit)
		if err != nil {
			t.Fatal(err)
		}
		if !d.Equal(automaton.Minimize(d)) {
			t.Fatalf("%s: the automaton is not minimal", e)
		}
		for i, w := range words {
			if got, want := d.Accepts(w), oracle.MatchString(texts[i]); got != want {
				t.Fatalf("%s: %q: got %v, want %v", e, texts[i], got, want)
			}
		}
	})
}

// TestAgainstSets compares all operators with sets of words, up to a length.
func TestAgainstSets(t *testing.T) {
	a := word.Letters("ab")
	words := wordsUpTo(2, 6)
	rapid.Check(t, func(t *rapid.T) {
		e := anyExpr(t, []string{"a", "b"}, []op{concat, alternate, intersect, repeat, complement}, 4)
		d, err := e.Compile(a, automaton.DefaultLimit)
		if err != nil {
			t.Fatal(err)
		}
		set := wordSet(e, a, words)
		for _, w := range words {
			if got, want := d.Accepts(w), set[a.Format(w)]; got != want {
				t.Fatalf("%s: %s: got %v, want %v", e, a.Format(w), got, want)
			}
		}
	})
}

// wordSet returns which of words are in the language of e, by definition. words
// must contain the parts of its words.
func wordSet(e *Expr, a *word.Alphabet, words []word.Word) map[string]bool {
	set := make(map[string]bool)
	var subs []map[string]bool
	for _, x := range e.subs {
		subs = append(subs, wordSet(x, a, words))
	}
	for _, w := range words {
		text := a.Format(w)
		switch e.op {
		case class:
			set[text] = len(w) == 1 && e.except != strings.Contains(strings.Join(e.names, ""), text)
		case concat:
			set[text] = inProduct(subs, a, w)
		case alternate:
			for _, s := range subs {
				set[text] = set[text] || s[text]
			}
		case intersect:
			set[text] = true
			for _, s := range subs {
				set[text] = set[text] && s[text]
			}
		case complement:
			set[text] = !subs[0][text]
		case repeat:
			most := e.max
			if most == unbounded {
				most = e.min + len(w) // more would repeat the empty word
			}
			for n := e.min; n <= most && !set[text]; n++ {
				var powers []map[string]bool
				for range n {
					powers = append(powers, subs[0])
				}
				set[text] = inProduct(powers, a, w)
			}
		}
	}
	return set
}

// inProduct reports whether w is a word of each of sets in a row.
func inProduct(sets []map[string]bool, a *word.Alphabet, w word.Word) bool {
	ends := map[int]bool{0: true} // of the parts so far
	for _, set := range sets {
		next := make(map[int]bool)
		for i := range ends {
			for j := i; j <= len(w); j++ {
				if set[a.Format(w[i:j])] {
					next[j] = true
				}
			}
		}
		ends = next
	}
	return ends[len(w)]
}

func TestCompile(t *testing.T) {
	for _, test := range []struct {
		text, letters string
		states        int
	}{
		{"(ab)*", "ab", 2},
		{"∅", "ab", 0},
		{"~∅", "", 1},
		{"a&b", "ab", 0},
		{"~(.*aaa.*)", "ab", 3},
		{"(a|b)*a(a|b){9}", "ab", 1024},
		{"a{1000}", "a", 1001},
		{"((((a+)+)+)+)+", "a", 2},
		{"(~(.*aa.*)){1000}", "ab", 2000},
		{strings.Repeat("(", 200) + "a" + strings.Repeat("+)+", 200), "a", 2},
	} {
		var letters []string
		if test.letters != "" {
			letters = strings.Split(test.letters, "")
		}
		a, err := word.NewAlphabet(letters...)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustCompile(t, MustParse(test.text), a).Len(); got != test.states {
			t.Errorf("%.40s: got %d states, want %d", test.text, got, test.states)
		}
	}
}

func TestCompileUnknownSymbol(t *testing.T) {
	for _, text := range []string{`a"NP"`, `[^"NP"]`, `a&~"NP"`, `"NP"{0}`} {
		_, err := MustParse(text).Compile(word.Letters("ab"), 10)
		if want := "regular expression: the symbol NP is not in the alphabet {a, b}"; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestCompileLimits(t *testing.T) {
	for _, test := range []struct {
		text string
		what string
	}{
		{"(a|b)*a(a|b){30}", "states"},
		{"~((a|b)*a(a|b){30})b", "states"},
		{"a{999}&(a{1000}|b{1000})", "states"},
		{"(~(.*a.{8})){90000}", "edges"},
	} {
		_, err := MustParse(test.text).Compile(word.Letters("ab"), 1000)
		var limit *automaton.LimitError
		if !errors.As(err, &limit) || limit.What != test.what {
			t.Errorf("%s: got %v, want a limit of %s", test.text, err, test.what)
		}
	}
}

// TestCompileManySymbols has an alphabet far larger than the expression.
func TestCompileManySymbols(t *testing.T) {
	names := make([]string, word.MaxSymbols)
	for i := range names {
		names[i] = fmt.Sprintf("s%d", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	d := mustCompile(t, MustParse(`.*"s7"[^"s9" "s8"]{3}&~("s60000".*)`), a)
	if got := d.Len(); got != 17 {
		t.Errorf("got %d states, want 17", got)
	}
	for text, want := range map[string]bool{"s7 s1 s2 s65534": true, "s7 s1 s9 s1": false, "s60000 s7 s1 s2 s3": false, "s3 s7 s60000 s2 s3": true} {
		w, err := a.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Accepts(w); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	if !d.Equal(automaton.Minimize(d)) {
		t.Error("the automaton is not minimal, or numbered differently")
	}
}

// An expression that names very many symbols once is refused before a table of gigabytes is
// made of it.
func TestCompileManyNames(t *testing.T) {
	names, text := make([]string, 30_000), strings.Builder{}
	for i := range names {
		names[i] = fmt.Sprintf("s%d", i)
		fmt.Fprintf(&text, "%q ", names[i])
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = MustParse(text.String()).Compile(a, automaton.DefaultLimit)
	runtime.ReadMemStats(&after)
	var limit *automaton.LimitError
	if !errors.As(err, &limit) || limit.What != "table entries" {
		t.Errorf("got %v, want a limit of table entries", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<30 {
		t.Errorf("it took %d MB", took>>20)
	}
}
