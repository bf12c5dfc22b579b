package extract

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/internal/oracletest"
	"quotient/learn/labeled"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// lines writes words of an oracle's, one a line, with labels or without.
func lines(r oracletest.Noisy, n int, labels bool) []byte {
	var text []byte
	for _, w := range sample.UniformWords(n, r.Alphabet().Len(), 0, 12, sample.Rand(1, 77)) {
		text = append(text, r.Alphabet().Format(w)...)
		if labels {
			text = fmt.Appendf(text, ",%t", r.DFA.Accepts(w))
		}
		text = append(text, '\n')
	}
	return text
}

// Every method takes words, with labels or without, says what it did with them, and gives
// the same answer again.
func TestDataWithEveryMethod(t *testing.T) {
	r := parity()
	for _, name := range Names() {
		m, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, labels := range []bool{true, false} {
			o := Options{Method: name, Seed: 2, Data: "words.csv", DataText: lines(r, 200, labels)}
			for _, blind := range []bool{false, true} {
				q := oracle.Ask(t.Context(), r)
				if blind {
					q = q.Blind()
				}
				if blind && m.NeedsStates() {
					continue
				}
				res, err := Run(q, o)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if w, differ := automaton.Distinguish(res.Automaton, r.DFA); differ {
					t.Errorf("%s: wrong on %v", name, w)
				}
				d := res.Data
				if d == nil || d.File != "words.csv" || d.Words != 200 || len(d.Seeds) == 0 || len(d.Held.Words) < 30 || labels != (d.Labeled == 200) {
					t.Fatalf("%s: %+v", name, d)
				}
				if res.Used == "" {
					t.Errorf("%s does not say what it did with the words", name)
				}
				before := runtime.GOMAXPROCS(1)
				again, err := Run(oracle.Ask(t.Context(), r), o)
				runtime.GOMAXPROCS(before)
				if err != nil || !blind && (!again.Automaton.Equal(res.Automaton) || !reflect.DeepEqual(again.Data, d) || again.Used != res.Used) {
					t.Errorf("%s: one seed, two results, %v", name, err)
				}
			}
		}
	}
}

// A split depends on the seed and on which words there are, and on nothing else.
func TestSplit(t *testing.T) {
	a := word.Letters("abc")
	read := func(seed uint64, rows []string) *Data {
		d, err := ReadData(Options{Data: "x", Seed: seed, DataText: []byte(strings.Join(rows, "\n"))}, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	var rows []string
	for i := range 100 {
		rows = append(rows, fmt.Sprintf("%s,%d", a.Format(word.Shortest(3, 101)[i+1]), i%2))
	}
	d := read(1, rows)
	if len(d.Seeds) != 80 || len(d.Held.Words) != 20 || d.Labeled != 100 {
		t.Errorf("%d seeds, %d held out", len(d.Seeds), len(d.Held.Words))
	}
	mixed := slices.Clone(rows)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	if again := read(1, append(mixed, rows[:10]...)); !reflect.DeepEqual(again.Seeds, d.Seeds) {
		t.Error("the order, or words that are there twice, change the split")
	}
	if other := read(2, rows); reflect.DeepEqual(other.Seeds, d.Seeds) {
		t.Error("another seed, the same split")
	}
	twice := read(1, append(rows, rows...))
	for _, w := range twice.Seeds {
		if slices.ContainsFunc(twice.Held.Words, func(v word.Word) bool { return slices.Equal(v, w) }) {
			t.Fatalf("%v is on both sides", w)
		}
	}
	if len(twice.Held.Words) != 40 {
		t.Errorf("%d held out of 200", len(twice.Held.Words))
	}
	if one := read(1, []string{"ab"}); len(one.Seeds) != 0 || len(one.Held.Words) != 1 {
		t.Errorf("one word: %+v", one)
	}
}

func TestReadData(t *testing.T) {
	a := word.Letters("ab")
	atMost4 := func(w word.Word) bool { return len(w) <= 4 }
	for _, c := range []struct {
		text         string
		words, left  int
		labeled      int
		warning, err string
	}{
		{text: "abab,1\nb,0\n", words: 2, labeled: 2},
		{text: "word,label\nab,1\nba,0\n", words: 2, labeled: 2},
		{text: "+ ab\n- ba\n? b\n", words: 3, labeled: 2},
		{text: "2 2\n1 2 0 1\n0 1 1\n", words: 2, labeled: 2},
		{text: `{"word":"ab","accept":true}` + "\n" + `{"symbols":["b"],"accept":false}`, words: 2, labeled: 2},
		{text: "ab\n\nba\r\nε\n", words: 3},
		{text: "\uFEFFab\nb", words: 2},
		{text: "a b\nb a\n", words: 2},
		{text: "ab,1\nba,1\n", words: 2, labeled: 2, warning: "no word of x is labeled as rejected"},
		{text: "ab,0\nba,?\n", words: 2, labeled: 1, warning: "no word of x is labeled as accepted"},
		{text: "010,1\n,1\n1,0\nε,0\n", err: "x:1: the network has no symbol 0, and no other word of the file but the empty one is over its alphabet either, which is {a, b}; a symbol is a single character, or a name with spaces around it"},
		{text: "ababab\nε\ncab\n", err: "x:1: the network cannot be asked about words of 6 symbols, and it can be asked about no other word of the file but the empty one"},
		{text: "ab\nacb\nxx\n", words: 3, left: 2, warning: "of the 3 words of x 2 are left out: x:2: the network has no symbol c; its alphabet is {a, b}"},
		{text: "ab,1\nba,0\nab,0\nab,1\n", words: 4, labeled: 4, warning: "labels of x contradict each other: 1 word is in it both as accepted and as rejected"},
		{text: "ab\nb\nababa\n", words: 3, left: 1, warning: "of the 3 words of x 1 is left out: x:3: the network cannot be asked about words of 5 symbols"},
		{text: "ababa\nxy\n", err: "x:1: the network cannot be asked about words of 5 symbols, and it can be asked about no other word of the file"},
		{text: "", err: "x: there is no word in it"},
		{text: "\n \n", err: "x: there is no word in it"},
		{text: "xy\nz\n", err: "x:1: the network has no symbol x, and no other word of the file is over its alphabet either, which is {a, b}"},
		{text: "ab,1\nba,perhaps\n", err: `x:2: column 2: the label "perhaps" is none of`},
		{text: "ab,1\nba\n", err: "x:2: the line"},
		{text: "2 2\n1 2 0 1\n", err: "the first line says 2"},
		{text: "ab\n\xff\n", err: "not UTF-8"},
	} {
		wrong := c.err != "" && !strings.Contains(c.err, "the network") // whatever the network
		if err := CheckData("x", []byte(c.text)); wrong != (err != nil) {
			t.Errorf("%q: checked: %v", c.text, err)
		}
		d, err := ReadData(Options{Data: "x", DataText: []byte(c.text)}, a, atMost4)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: error %v, want %q", c.text, err, c.err)
			}
			continue
		}
		if err != nil || d.Words != c.words || d.LeftOut != c.left || d.Labeled != c.labeled || c.warning == "" != (len(d.Warnings) == 0) {
			t.Errorf("%q: %+v, %v", c.text, d, err)
		} else if c.warning != "" && !strings.Contains(d.Warnings[0], c.warning) {
			t.Errorf("%q: warning %q, want %q", c.text, d.Warnings[0], c.warning)
		}
	}
	file := filepath.Join(t.TempDir(), "words.csv")
	if _, err := ReadData(Options{Data: file}, a, nil); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(file, []byte("ab,1\nb,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if d, err := ReadData(Options{Data: file}, a, nil); err != nil || len(d.Held.Words) != 1 || d.Held.Labels[0] == labeled.Unknown {
		t.Errorf("%+v, %v", d, err)
	}
}

// Words that chance never meets are found if the user has some.
func TestDataShowsWhatIsRare(t *testing.T) {
	a := word.Letters("abc")
	d, err := regex.MustParse("abcabccbacba(a|b)*").Compile(a, automaton.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	r := oracletest.Noisy{DFA: d, Dims: 12}
	text := []byte("abcabccbacba\n")
	for _, w := range word.Shortest(2, 60) {
		text = fmt.Appendf(text, "abcabccbacba%s\n", strings.TrimPrefix(a.Format(w), word.Empty))
	}
	for _, m := range []string{TTT, LStar} {
		q := oracle.Ask(t.Context(), r).Blind()
		without, err := Run(q, Options{Method: m, Seed: 1})
		if err != nil || without.States() > 1 {
			t.Fatalf("%s finds it by itself: %v", m, err)
		}
		with, err := Run(q, Options{Method: m, Seed: 1, Data: "x", DataText: text})
		if err != nil {
			t.Fatal(err)
		}
		if w, differ := automaton.Distinguish(with.Automaton, d); differ {
			t.Errorf("%s: wrong on %v", m, w)
		}
	}
	// Folding meets them in the tree.
	res := run(t, r, Options{Method: Fold, Seed: 1, Data: "x", DataText: text})
	if w := res.Data.Seeds[0]; !res.Automaton.Accepts(w) {
		t.Errorf("fold rejects %v, which it was given", w)
	}
}

// Whoever has words and no states is told which methods take them.
func TestWordsWithoutStates(t *testing.T) {
	q := oracle.Ask(t.Context(), parity()).Blind()
	if _, err := Run(q, Options{Method: Fold, WordsFrom: "regex:a*"}); err == nil || !strings.Contains(err.Error(), "the methods ttt and lstar need only its answers") {
		t.Error(err)
	}
	for _, m := range []string{EDSM, RPNI, RPNIStar} {
		if res, err := Run(q, Options{Method: m, WordsFrom: "regex:a*", Data: "x", DataText: lines(parity(), 300, false)}); err != nil || res.Words != "words of regex:a*" {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// What is said of words that lead a method is what happened, also when it ends early.
func TestUsedIsWhatHappened(t *testing.T) {
	net := parity()
	text := lines(net, 60, false)
	for _, c := range []struct {
		method string
		budget int
		want   string
	}{
		{Explore, 40, "none leads the search, which ended before"},
		{Explore, 20_000, "up to 42 raise doubts, and all of them judge"},
		{Explore, 0, "42 raise doubts, and all of them judge"},
		{TTT, 7, unasked},
		{TTT, 2000, "42 are the first to be tried against every hypothesis"},
	} {
		q := oracle.Ask(t.Context(), net)
		q.Limit(c.budget)
		res, err := Run(q, Options{Method: c.method, Seed: 1, Budget: c.budget, Data: "words.txt", DataText: text})
		if err != nil {
			t.Fatal(err)
		}
		if res.Used != c.want {
			t.Errorf("%s, %d words: %s, want %s", c.method, c.budget, res.Used, c.want)
		}
	}
}
