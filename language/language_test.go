package language

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/internal/foreign"
	"quotient/word"
)

// Each Tomita language stated once more, in other ways: a Go regexp, counting, a
// scan of the runs.
var independent = map[string]func(string) bool{
	"tomita1": regexp.MustCompile(`^a*$`).MatchString,
	"tomita2": regexp.MustCompile(`^(ab)*$`).MatchString,
	"tomita3": func(w string) bool {
		runs := regexp.MustCompile(`a+|b+`).FindAllString(w, -1)
		for i := 1; i < len(runs); i++ {
			if runs[i][0] == 'b' && len(runs[i-1])%2 == 1 && len(runs[i])%2 == 1 {
				return false
			}
		}
		return true
	},
	"tomita4": func(w string) bool { return !strings.Contains(w, "aaa") },
	"tomita5": func(w string) bool { return strings.Count(w, "a")%2 == 0 && strings.Count(w, "b")%2 == 0 },
	"tomita6": func(w string) bool { return (strings.Count(w, "a")-strings.Count(w, "b"))%3 == 0 },
	"tomita7": regexp.MustCompile(`^b*a*b*a*$`).MatchString,
}

func TestTomitaDefinitions(t *testing.T) {
	states := []int{1, 2, 4, 3, 4, 3, 4} // the column |Q| of the paper's Table 1
	for i, l := range Builtin() {
		d := l.DFA()
		if d.Len() != states[i] || !automaton.Minimize(d).Equal(d) {
			t.Errorf("%s: %d states, want %d, minimal and in canonical order", l.Name, d.Len(), states[i])
		}
		inLanguage := independent[l.Name]
		for n := 0; n <= 14; n++ {
			for code := range 1 << n {
				text := strings.NewReplacer("0", "a", "1", "b").Replace(fmt.Sprintf("%0*b", n, code))[:n]
				w, err := letters.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				if d.Accepts(w) != inLanguage(text) {
					t.Fatalf("%s: %q is accepted: %v", l.Name, text, d.Accepts(w))
				}
			}
		}
	}
}

func load(t *testing.T, names ...string) []*automaton.DFA {
	t.Helper()
	automata, err := Load(Options{}, names...)
	if err != nil {
		t.Fatal(err)
	}
	return automata
}

func TestExpressionsAreReadOverTheCommonAlphabet(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"tomita1", "regex:a*"},
		{"tomita2", "regex:(ab)*"},
		{"tomita4", "regex:~(.*aaa.*)"},
		{"regex:~(.*aaa.*)", "tomita4"},
		{"tomita7", "regex:b*a*b*a*"},
		{"regex:.*", "regex:(a|b|c)*"},
	} {
		d := load(t, c.a, c.b)
		if w, differ := automaton.Distinguish(d[0], d[1]); differ {
			t.Errorf("%s and %s differ on %s", c.a, c.b, d[0].Alphabet.Format(w))
		}
	}
	// Alone, an expression knows only its own symbols.
	if d := load(t, "regex:~(.*aaa.*)")[0]; d.Alphabet.Len() != 1 {
		t.Errorf("alphabet %s, want {a}", d.Alphabet)
	}
	d, err := Load(Options{Symbols: []string{"b", "a"}}, "regex:a.*")
	if err != nil || !slices.Equal(d[0].Alphabet.Names(), []string{"b", "a"}) {
		t.Errorf("the symbols of the options come first: %v, %v", d, err)
	}
}

func TestFilesAndStandardInput(t *testing.T) {
	text := "0\t1\ta\ta\n1\t0\tb\tb\n0\n"
	path := filepath.Join(t.TempDir(), "ab.att")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	stdin, err := Load(Options{From: "att", Stdin: strings.NewReader(text)}, "-", "tomita2")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range [][]*automaton.DFA{load(t, path, "tomita2"), stdin} {
		if w, differ := automaton.Distinguish(d[0], d[1]); differ {
			t.Errorf("they differ on %v", w)
		}
	}
	// The format given is that of standard input alone.
	both, err := Load(Options{From: "dot", Stdin: strings.NewReader("digraph { __start0 -> s0; s0 [shape=doublecircle]; s0 -> s0 [label=a]; }")}, path, "-")
	if err != nil {
		t.Fatal(err)
	}
	if w, _ := automaton.Distinguish(both[0], both[1]); len(w) != 1 {
		t.Errorf("they differ first on %v", w)
	}
	choice, err := LoadNFA(Options{From: "att", Symbols: []string{"b"}, Stdin: strings.NewReader("0 0 a\n0 1 a\n1\n")}, "-")
	if err != nil || choice.IsDeterministic() || choice.Alphabet.String() != "{b, a}" {
		t.Errorf("LoadNFA with a symbol more: %+v, %v", choice, err)
	}
	n, err := LoadNFA(Options{}, path)
	if err != nil || n.Len() != 2 || len(n.Edges) != 2 {
		t.Errorf("LoadNFA: %+v, %v", n, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, want := range map[string]string{
		"tomita8":                         `no language is called "tomita8": there are tomita1 to tomita7`,
		"(ab)*":                           "write 'regex:(ab)*'",
		"regex:(ab":                       "regex:(ab: regular expression, at character 4",
		"missing.att":                     "no such file",
		write("x.tex", "hello"):           "written as tikz but not read; readable are .json",
		write("x.unknown", "hello"):       "x.unknown",
		write("bad.att", "0\t1\ta\n0\tx"): "bad.att:2",
		"regex:(a|b)*a(a|b){40}":          "determinize: more than 1000 states",
	} {
		_, err := Load(Options{Limit: 1000}, name)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

func TestForeignLanguages(t *testing.T) {
	for _, file := range foreign.Files(t, "languages", "mlregtest", "*.att") {
		d := load(t, file)[0]
		var symbols int
		fmt.Sscanf(filepath.Base(file), "%d.", &symbols)
		if m := automaton.Minimize(d); d.Alphabet.Len() != symbols || m.Len() < 1 || m.Len() > d.Len() {
			t.Errorf("%s: %d symbols, %d states, %d when minimal", file, d.Alphabet.Len(), d.Len(), m.Len())
		}
	}
}

func ExampleLoad() {
	d, err := Load(Options{}, "tomita4", "regex:~(.*aa.*)")
	if err != nil {
		panic(err)
	}
	w, differ := automaton.Distinguish(d[0], d[1])
	fmt.Println(differ, d[0].Alphabet.Format(w))
	// Output: true aa
}

func ExampleLanguage_DFA() {
	d := Builtin()[4].DFA() // tomita5
	fmt.Println(d.Len(), d.Accepts(word.Word{0, 1, 1, 0}))
	// Output: 4 true
}
