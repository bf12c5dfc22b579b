package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/word"
)

// A program is one automaton that generated code has to agree with, on words up
// to a length that keeps their number small.
type program struct {
	nfa    *automaton.NFA
	length int
}

func programs(t *testing.T) []program {
	var plainer []string // nasty enough, but possible for AALpy
	for _, name := range nasty {
		if checkAALpy(name) == nil {
			plainer = append(plainer, name)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	random := func(states int, names ...string) *automaton.NFA {
		n := automaton.NewNFA(mustAlphabet(t, names...), states)
		n.Start = []automaton.State{1, automaton.State(states)}
		for q := range states {
			n.Accept[q+1] = r.IntN(3) == 0
		}
		for range 2 * states * len(names) / 3 {
			n.AddEdge(automaton.State(r.IntN(states)+1), word.Symbol(r.IntN(len(names))), automaton.State(r.IntN(states)+1))
		}
		n.AddEdge(1, automaton.Epsilon, 2)
		return n
	}
	everything := automaton.NewNFA(mustAlphabet(t, "a"), 1)
	everything.Start, everything.Accept[1] = []automaton.State{1}, true
	everything.AddEdge(1, 0, 1)
	return []program{
		{automaton.NewNFA(mustAlphabet(t), 0), 3},
		{automaton.NewNFA(mustAlphabet(t, "a", "b"), 0), 3},
		{everything, 8},
		{evenAs(t), 8},
		{random(6, "a", "b"), 8},
		{random(5, "語", "é", `"`), 5},
		{random(4, `\`, "\n", "`", "'"), 4},
		{random(4, "NP VP", "<s>", "\x00"), 5},
		{random(3, nasty...), 2},
		{random(3, plainer...), 2},
	}
}

// words enumerates the words over k symbols up to a length.
func words(k, length int) iter.Seq[word.Word] {
	return func(yield func(word.Word) bool) {
		level := []word.Word{{}}
		for n := 0; ; n++ {
			var next []word.Word
			for _, w := range level {
				if !yield(w) {
					return
				}
				for s := range k {
					if n < length {
						next = append(next, append(w[:len(w):len(w)], word.Symbol(s)))
					}
				}
			}
			if len(next) == 0 {
				return
			}
			level = next
		}
	}
}

// exam writes the words of a program as JSON lists of names, one a line, and
// returns what the answers must be: one character a word. The last word has a
// symbol that is not in the alphabet.
func exam(t *testing.T, p program) (questions []byte, answers string) {
	t.Helper()
	d := determinize(t, p.nfa)
	var q bytes.Buffer
	var a strings.Builder
	ask := func(names []string, answer bool) {
		line, err := json.Marshal(names)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&q, "%s\n", line)
		a.WriteByte("01"[bit(answer)])
	}
	for w := range words(d.Alphabet.Len(), p.length) {
		names := make([]string, len(w))
		for i, s := range w {
			names[i] = d.Alphabet.Name(s)
		}
		ask(names, d.Accepts(w))
	}
	ask([]string{"no such symbol"}, false)
	return q.Bytes(), a.String()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func run(t *testing.T, dir string, stdin []byte, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out))
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The generated packages, compiled into one program, decide every word as the
// automata do.
func TestGoSource(t *testing.T) {
	dir := t.TempDir()
	var imports, cases, all strings.Builder
	var questions []byte
	for i, p := range programs(t) {
		source := encode(t, goFormat, p.nfa)
		if _, err := parser.ParseFile(token.NewFileSet(), "x.go", source, parser.ParseComments); err != nil {
			t.Fatalf("%v in\n%s", err, source)
		}
		if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
			t.Errorf("program %d is not as gofmt writes it: %v", i, err)
		}
		writeFile(t, filepath.Join(dir, fmt.Sprintf("p%d", i), "automaton.go"), source)
		fmt.Fprintf(&imports, "p%d \"exam/p%d\"\n", i, i)
		text := "nil"
		if letters(p.nfa.Alphabet) {
			text = fmt.Sprintf("p%d.AcceptsString", i)
		}
		fmt.Fprintf(&cases, "{p%d.Accepts, %s},\n", i, text)
		q, a := exam(t, p)
		questions = append(append(questions, q...), "null\n"...)
		all.WriteString(a + "\n")
	}
	writeFile(t, filepath.Join(dir, "go.mod"), "module exam\n\ngo 1.26\n")
	writeFile(t, filepath.Join(dir, "main.go"), `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
`+imports.String()+`)

var programs = []struct {
	list func([]string) bool
	text func(string) bool
}{
`+cases.String()+`}

func main() {
	dec := json.NewDecoder(os.Stdin)
	for _, p := range programs {
		for {
			var word []string
			if err := dec.Decode(&word); err != nil {
				panic(err)
			}
			if word == nil {
				break
			}
			answer := p.list(word)
			if p.text != nil && p.text(strings.Join(word, "")) != answer {
				panic("a string and a list differ")
			}
			if answer {
				fmt.Print("1")
			} else {
				fmt.Print("0")
			}
		}
		fmt.Println()
	}
}
`)
	if got, want := run(t, dir, questions, "go", "run", "."), strings.TrimSpace(all.String()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPythonSource(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed: the generated Python is not tested")
	}
	dir := t.TempDir()
	var all strings.Builder
	var questions []byte
	count := 0
	for i, p := range programs(t) {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("p%d.py", i)), encode(t, pythonFormat, p.nfa))
		q, a := exam(t, p)
		questions = append(append(questions, q...), "null\n"...)
		all.WriteString(a + "\n")
		count++
	}
	script := `
import importlib, json, sys
sys.path.insert(0, ".")
lines = iter(sys.stdin.buffer)
for i in range(int(sys.argv[1])):
    accepts = importlib.import_module("p%d" % i).accepts
    letters = all(len(s) == 1 for s in importlib.import_module("p%d" % i).SYMBOLS)
    for line in lines:
        word = json.loads(line)
        if word is None:
            break
        answer = accepts(word)
        if letters:
            assert accepts("".join(word)) == answer, word
        else:
            try:
                accepts("".join(word))
                assert False, "a string was accepted"
            except TypeError:
                pass
        print("1" if answer else "0", end="")
    print()
`
	got := run(t, dir, questions, "python3", "-c", script, fmt.Sprint(count))
	if want := strings.TrimSpace(all.String()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
