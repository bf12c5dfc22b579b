package word_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/word"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		names []string
		w     word.Word
		want  string
	}{
		{[]string{"a", "b"}, nil, "ε"},
		{[]string{"a", "b"}, word.Word{0, 1, 1}, "abb"},
		{[]string{"a", "NP"}, word.Word{0, 1, 0}, "a NP a"},
		{[]string{"<s>", "NP"}, word.Word{0}, "<s>"},
		{[]string{"ä", "日"}, word.Word{1, 0}, "日ä"},
		{[]string{"ε", "b"}, word.Word{0}, `"ε"`},
		{[]string{" ", "b"}, word.Word{1, 0, 1}, `b" "b`},
		{[]string{"two words", `say "hi"`}, word.Word{0, 1}, `"two words" "say \"hi\""`},
		{[]string{`\`, "n"}, word.Word{0, 1}, `\n`},
	} {
		a, err := word.NewAlphabet(c.names...)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Format(c.w); got != c.want {
			t.Errorf("Format(%v) over %v = %s, want %s", c.w, c.names, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	ab, np := word.Letters("ab"), must(word.NewAlphabet("a", "NP", "two words"))
	for _, c := range []struct {
		a    *word.Alphabet
		text string
		want string // of the word or, in part, of the error
	}{
		{ab, "", "[]"},
		{ab, "ε", "[]"},
		{ab, "abba", "[0 1 1 0]"},
		{ab, " a b\tb ", "[0 1 1]"},
		{ab, "abc", `no symbol is called "c"; the symbols are {a, b}`},
		{np, "a NP", "[0 1]"},
		{np, "aNP", `no symbol is called "aNP"`},
		{np, `"two words" a`, "[2 0]"},
		{np, `a "two`, "at byte 2: a quoted name does not end"},
		{np, ` a "two  `, "at byte 3: a quoted name does not end"},
	} {
		w, err := c.a.Parse(c.text)
		got := fmt.Sprint(w)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("Parse(%q) = %s, want %s", c.text, got, c.want)
		}
	}
}

func must(a *word.Alphabet, err error) *word.Alphabet {
	if err != nil {
		panic(err)
	}
	return a
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringN(1, 1, 4), rapid.StringN(1, 6, 24))
		if rapid.Bool().Draw(t, "letters") {
			name = rapid.StringN(1, 1, 4)
		}
		names := rapid.SliceOfNDistinct(name, 1, 6, rapid.ID[string]).Draw(t, "names")
		a, err := word.NewAlphabet(names...)
		if err != nil {
			t.Skip(err) // not UTF-8
		}
		symbols := rapid.SliceOfN(rapid.IntRange(0, len(names)-1), 0, 8).Draw(t, "word")
		var w word.Word
		for _, s := range symbols {
			w = append(w, word.Symbol(s))
		}
		text := a.Format(w)
		got, err := a.Parse(text)
		if err != nil || !slices.Equal(got, w) {
			t.Fatalf("%v is written %s and read %v, %v", w, text, got, err)
		}
	})
}

func TestNewAlphabetErrors(t *testing.T) {
	many := make([]string, word.MaxSymbols+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a", ""}, "symbol 1 has an empty name"},
		{[]string{"a", "b", "a"}, `two symbols are called "a"`},
		{[]string{"a", "\xff"}, "not valid UTF-8"},
		{many, "at most 65535"},
	} {
		if _, err := word.NewAlphabet(c.names...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
	if _, err := word.NewAlphabet(many[:word.MaxSymbols]...); err != nil {
		t.Errorf("the largest alphabet: %v", err)
	}
}

func TestUnion(t *testing.T) {
	ab, bc := word.Letters("ab"), word.Letters("bc")
	u, err := ab.Union(bc)
	if err != nil || !slices.Equal(u.Names(), []string{"a", "b", "c"}) {
		t.Errorf("union is %v, %v", u, err)
	}
	if same, _ := u.Union(ab); same != u {
		t.Error("a union that adds nothing should be the alphabet itself")
	}
	if !slices.Equal(ab.Names(), []string{"a", "b"}) {
		t.Errorf("the union changed its operand: %v", ab)
	}
}

func ExampleAlphabet_Format() {
	a := word.Letters("ab")
	fmt.Println(a.Format(word.Word{0, 1, 1}))
	fmt.Println(a.Format(nil))
	np, _ := word.NewAlphabet("the", "cat", "sleeps")
	fmt.Println(np.Format(word.Word{0, 1, 2}))
	// Output:
	// abb
	// ε
	// the cat sleeps
}

func TestShortest(t *testing.T) {
	for _, c := range []struct {
		symbols, n int
		want       string
	}{
		{2, 0, ""},
		{2, 1, "ε"},
		{2, 5, "ε a b aa ab"},
		{2, 8, "ε a b aa ab ba bb aaa"},
		{1, 3, "ε a aa"},
		{0, 3, "ε"},
	} {
		var got []string
		for _, w := range word.Shortest(c.symbols, c.n) {
			got = append(got, word.Letters("ab").Format(w))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("the first %d words over %d symbols: %q, want %q", c.n, c.symbols, got, c.want)
		}
	}
}

// drawWord draws a short word of small symbols and of large ones.
func drawWord(t *rapid.T, name string) word.Word {
	return rapid.SliceOfN(rapid.SampledFrom([]word.Symbol{0, 1, 255, 256, 257, word.MaxSymbols - 1}), 0, 4).Draw(t, name)
}

// UpTo lists whole lengths, the first words of all, and not one length less than fits.
func TestUpTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, most := rapid.IntRange(0, 4).Draw(t, "symbols"), rapid.IntRange(1, 300).Draw(t, "most")
		words := word.UpTo(k, most)
		if !slices.EqualFunc(words, word.Shortest(k, len(words)), slices.Equal[word.Word]) {
			t.Fatalf("UpTo(%d, %d) lists %v", k, most, words)
		}
		longest := words[len(words)-1]
		if slices.ContainsFunc(longest, func(s word.Symbol) bool { return int(s) != k-1 }) {
			t.Fatalf("UpTo(%d, %d) ends with %v, which is not the last of its length", k, most, longest)
		}
		more := 0
		for _, w := range words {
			if len(w) == len(longest) {
				more += k
			}
		}
		if len(words) > most || k > 0 && len(words)+more <= most {
			t.Fatalf("UpTo(%d, %d) lists %d words, and the next length has %d", k, most, len(words), more)
		}
	})
}

func TestProlong(t *testing.T) {
	if got := fmt.Sprint(word.Prolong([]word.Word{{1}, nil}, 2)); got != "[[1 0] [1 1] [0] [1]]" {
		t.Errorf("prolonged by two symbols: %s", got)
	}
	if got := word.Prolong([]word.Word{{1}}, 0); len(got) != 0 {
		t.Errorf("prolonged by no symbol: %v", got)
	}
}

// What With returns can be changed and prolonged, and so can the word that it came from,
// without one changing the other.
func TestWith(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, v := drawWord(t, "w"), drawWord(t, "v")
		before := slices.Clone(w)
		roomy := append(make(word.Word, 0, 20), w...)
		long := roomy.With(v...)
		if !slices.Equal(long, slices.Concat(w, v)) {
			t.Fatalf("%v with %v is %v", w, v, long)
		}
		other := append(roomy, 7, 7, 7, 7, 7)
		for i := range long {
			long[i]++
		}
		long = append(long, 9)
		if !slices.Equal(roomy, before) || !slices.Equal(other, append(before, 7, 7, 7, 7, 7)) {
			t.Fatalf("changing %v changed %v", long, roomy)
		}
	})
}

// The order is that of UpTo, and words are equal where they have the same key.
func TestCompareAndKey(t *testing.T) {
	words := word.UpTo(3, 40)
	for i, v := range words {
		for j, w := range words {
			if got := word.Compare(v, w); got != cmp.Compare(i, j) {
				t.Errorf("Compare(%v, %v) = %d", v, w, got)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v, w := drawWord(t, "v"), drawWord(t, "w")
		equal := slices.Equal(v, w)
		if (word.Compare(v, w) == 0) != equal || (v.Key() == w.Key()) != equal || word.Compare(v, w) != -word.Compare(w, v) {
			t.Fatalf("%v and %v: compared %d, keys %q and %q", v, w, word.Compare(v, w), v.Key(), w.Key())
		}
	})
}

func TestThrough(t *testing.T) {
	w := word.Word{0, 1, 0}
	if got := w.Through([]word.Symbol{2, 3}); !slices.Equal(got, word.Word{2, 3, 2}) || w[0] != 0 {
		t.Errorf("%v became %v", w, got)
	}
}

func TestAlphabetOf(t *testing.T) {
	a := word.Letters("abc")
	if got := a.Of([]word.Symbol{2, 0}); !got.Equal(word.Letters("ca")) {
		t.Errorf("the alphabet of c and a is %v", got)
	}
}
