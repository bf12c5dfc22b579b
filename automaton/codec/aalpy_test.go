package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quotient/automaton"
)

func readFile(t *testing.T, f Format, path string) (*automaton.NFA, error) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return Read(file, path, f)
}

// The files in testdata/aalpy were written by AALpy 2.0.0. State i of the first
// three has symbol j lead to state (2i+j) mod n, and accepts if i is even.
func TestReadAALpy(t *testing.T) {
	for _, test := range []struct {
		file    string
		symbols []string // in the order of j
		states  int
	}{
		{"letters", []string{"a", "b"}, 3},
		{"names", []string{"<s>", "NP VP", "a-b", `a\n`, "->", "a,b", `"`}, 2},
		{"numbers", []string{"0", "1", "ε", "é"}, 3},
	} {
		for _, f := range []Format{dotFormat, aalpyFormat} {
			n, err := readFile(t, f, filepath.Join("testdata", "aalpy", test.file+".dot"))
			if err != nil {
				t.Errorf("%s: %v", test.file, err)
				continue
			}
			d := determinize(t, n)
			if d.Len() != test.states || n.Len() != test.states || d.Alphabet.Len() != len(test.symbols) || d.Start != 1 {
				t.Errorf("%s: got %+v", test.file, d)
				continue
			}
			for i := range test.states {
				if d.Accept[i+1] != (i%2 == 0) {
					t.Errorf("%s: accept of state %d is %t", test.file, i, d.Accept[i+1])
				}
				for j, name := range test.symbols {
					s, ok := d.Alphabet.Symbol(name)
					if want := automaton.State((2*i+j)%test.states + 1); !ok || d.Next(automaton.State(i+1), s) != want {
						t.Errorf("%s: %q leads from %d to %d, want %d", test.file, name, i+1, d.Next(automaton.State(i+1), s), want)
					}
				}
			}
		}
	}
	n, err := readFile(t, dotFormat, filepath.Join("testdata", "aalpy", "random.dot"))
	if err != nil || n.Len() != 12 || len(n.Edges) != 36 {
		t.Errorf("random: %v", err)
	}
	_, err = readFile(t, dotFormat, filepath.Join("testdata", "aalpy", "moore.dot"))
	if err == nil || !strings.HasSuffix(err.Error(), "moore.dot:2: a node is a record: this looks like a Moore machine, not an acceptor") {
		t.Errorf("a Moore machine: %v", err)
	}
}

// AALpy itself, where it is installed, reads what we write, with the same answer
// for every word, and what it then writes we read.
func TestAALpyReads(t *testing.T) {
	if exec.Command("python3", "-c", "import aalpy").Run() != nil {
		t.Skip("python3 with AALpy is not installed: it is not tested that AALpy reads what is written for it")
	}
	dir := t.TempDir()
	var questions, all bytes.Buffer
	var kept []program
	for _, p := range programs(t) {
		var b bytes.Buffer
		if Write(&b, p.nfa, aalpyFormat) != nil {
			continue // a name that AALpy cannot have
		}
		writeFile(t, filepath.Join(dir, fmt.Sprintf("p%d.dot", len(kept))), b.String())
		q, a := exam(t, p)
		questions.Write(q)
		questions.WriteString("null\n")
		fmt.Fprintln(&all, a)
		kept = append(kept, p)
	}
	if len(kept) < 6 {
		t.Fatalf("only %d automata could be written for AALpy", len(kept))
	}
	script := `
import json, sys, os
from aalpy.utils import load_automaton_from_file, save_automaton_to_file
out = sys.stdout
sys.stdout = sys.stderr
lines = iter(sys.stdin.buffer)
for i in range(int(sys.argv[1])):
    dfa = load_automaton_from_file("p%d.dot" % i, "dfa")
    assert dfa.is_input_complete()
    alphabet = set(dfa.get_input_alphabet())
    for line in lines:
        word = json.loads(line)
        if word is None:
            break
        word = [int(s) if s.isdigit() else s for s in word]
        if set(word) <= alphabet:
            dfa.reset_to_initial()
            answer = dfa.initial_state.is_accepting
            for s in word:
                answer = dfa.step(s)
        else:
            answer = False
        print(int(answer), end="", file=out)
    print(file=out)
    save_automaton_to_file(dfa, "back%d" % i)
`
	if got, want := run(t, dir, questions.Bytes(), "python3", "-c", script, fmt.Sprint(len(kept))), strings.TrimSpace(all.String()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i, p := range kept {
		n, err := readFile(t, dotFormat, filepath.Join(dir, fmt.Sprintf("back%d.dot", i)))
		if err != nil {
			t.Error(err)
			continue
		}
		got := determinize(t, n)
		want, err := determinize(t, p.nfa).WithAlphabet(got.Alphabet)
		if err != nil {
			t.Error(err)
			continue
		}
		if w, differ := automaton.Distinguish(want, got); differ {
			t.Errorf("program %d came back different on %s", i, got.Alphabet.Format(w))
		}
	}
}

// JSON is a field of other documents.
func TestJSONField(t *testing.T) {
	type document struct {
		States    int  `json:"states"`
		Automaton JSON `json:"automaton"`
	}
	text, err := json.Marshal(document{2, JSON{sample(t)}})
	if err != nil {
		t.Fatal(err)
	}
	var back document
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if got, want := encode(t, jsonFormat, back.Automaton.NFA), encode(t, jsonFormat, sample(t)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text, err = json.Marshal(document{})
	if err != nil || string(text) != `{"states":0,"automaton":null}` {
		t.Errorf("got %s, %v", text, err)
	}
	if err := json.Unmarshal(text, &back); err != nil || back.Automaton.Len() != 4 {
		t.Errorf("null is read as %+v, %v", back.Automaton, err)
	}
	err = json.Unmarshal([]byte(`{"automaton": {"version": 2}}`), &back)
	if err == nil || err.Error() != `automaton:1: field "format" is missing` {
		t.Errorf("got %v", err)
	}
}
