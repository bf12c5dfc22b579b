package probabilistic

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quotient/word"
)

// write writes an automaton to a file.
func write(t *testing.T, f Format, a *Automaton, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.WriteFile(name, []byte(written(t, f, a)), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// OpenFst, where it is installed, reads what we write: the distance of all words together is
// -log 1, that of one word its probability, and what it prints we read.
func TestOpenFst(t *testing.T) {
	for _, program := range []string{"fstcompile", "fstshortestdistance", "fstcompose", "fstprint"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: it is not tested that OpenFst reads what is written for it", program)
		}
	}
	dir := t.TempDir()
	a := random(rand.New(rand.NewPCG(5, 5)), 8, 4, 0.1)
	symbols := "<eps> 0\n"
	for i, name := range a.Alphabet.Names() {
		symbols += name + " " + number(float64(i+1)) + "\n"
	}
	table := filepath.Join(dir, "symbols")
	if err := os.WriteFile(table, []byte(symbols), 0o666); err != nil {
		t.Fatal(err)
	}
	compile := func(text, name string) string {
		out := filepath.Join(dir, name+".fst")
		command(t, "fstcompile", "--arc_type=log64", "--isymbols="+table, "--osymbols="+table, text, out)
		return out
	}
	model := compile(write(t, format("att"), a, dir, "a.att"), "a")
	if d := total(t, model); math.Abs(d) > 1e-3 { // it stops when what it adds is small
		t.Errorf("all words together have the weight %g", d)
	}
	checked := 0
	for _, l := range a.MostProbable(20) {
		var acceptor strings.Builder
		for i, s := range l.Word {
			acceptor.WriteString(number(float64(i)) + " " + number(float64(i+1)) + " " + a.Alphabet.Name(s) + " " + a.Alphabet.Name(s) + "\n")
		}
		acceptor.WriteString(number(float64(len(l.Word))) + "\n")
		path := filepath.Join(dir, "word.att")
		if err := os.WriteFile(path, []byte(acceptor.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		both := filepath.Join(dir, "both.fst")
		command(t, "fstcompose", compile(path, "word"), model, both)
		if got := total(t, both); math.Abs(got+l.P) > 1e-4 {
			t.Errorf("%v has the weight %g, and the logarithm %g", l.Word, got, l.P)
		}
		checked++
	}
	if checked < 20 {
		t.Errorf("%d words were checked", checked)
	}
	printed := command(t, "fstprint", "--isymbols="+table, "--osymbols="+table, model)
	b, _, err := format("att").Read(strings.NewReader(printed), "printed")
	if err != nil {
		t.Fatal(err)
	}
	if d, err := Diverge(a, b); err != nil || d.KL > 1e-6 {
		t.Errorf("%+v, %v", d, err)
	}
}

// total returns the weight of all words of an automaton together.
func total(t *testing.T, path string) float64 {
	t.Helper()
	out := strings.Fields(command(t, "fstshortestdistance", "--reverse", "--delta=1e-9", path))
	x, err := probability(out[1]) // the line of state 0, the start
	if err != nil || out[0] != "0" {
		t.Fatal(out, err)
	}
	return x
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, errs.String())
	}
	return string(out)
}

// AALpy itself, where it is installed, loads what we write and gives words the same
// probabilities, and what it saves we read.
func TestAALpyReads(t *testing.T) {
	if exec.Command("python3", "-c", "import aalpy").Run() != nil {
		t.Skip("python3 with AALpy is not installed: it is not tested that AALpy reads what is written for it")
	}
	dir := t.TempDir()
	a := random(rand.New(rand.NewPCG(6, 6)), 7, 3, 0.15)
	write(t, format("aalpy"), a, dir, "mc.dot")
	write(t, format("aalpy-smm"), a, dir, "smm.dot")
	likely := a.MostProbable(40)
	var words [][]string
	for _, l := range likely {
		words = append(words, names(a.Alphabet, l.Word))
	}
	data, err := json.Marshal(words)
	if err != nil {
		t.Fatal(err)
	}
	const script = `
import json, sys
from aalpy.utils import load_automaton_from_file, save_automaton_to_file
folder, words = sys.argv[1], json.loads(sys.argv[2])
mc = load_automaton_from_file(folder + "/mc.dot", "mc")
smm = load_automaton_from_file(folder + "/smm.dot", "smm")
def chain(word):
    q, p = mc.initial_state, 1.0
    for s in word + ["end"]:
        q, step = next((t, x) for t, x in q.transitions if t.output == s)
        p *= step
    return p
def mealy(word):
    q, p = smm.initial_state, 1.0
    for s in word + ["end"]:
        q, step = next((t, x) for t, o, x in q.transitions["next"] if o == s)
        p *= step
    return p
print(json.dumps([[chain(w), mealy(w)] for w in words]), file=sys.stderr)
save_automaton_to_file(mc, folder + "/mc2")
save_automaton_to_file(smm, folder + "/smm2")
`
	cmd := exec.Command("python3", "-c", script, dir, string(data))
	var answer bytes.Buffer
	cmd.Stderr = &answer
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, answer.String())
	}
	var got [][2]float64
	if err := json.Unmarshal(answer.Bytes(), &got); err != nil || len(got) != len(likely) {
		t.Fatalf("%v\n%s", err, answer.String())
	}
	for i, l := range likely {
		for _, p := range got[i] {
			if math.Abs(p-math.Exp(l.P)) > 1e-12 {
				t.Errorf("%v: %g in AALpy, %g here", l.Word, p, math.Exp(l.P))
			}
		}
	}
	for _, name := range []string{"mc2.dot", "smm2.dot"} {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		b, _, err := format("aalpy").Read(file, name)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := TotalVariation(a, b, 0, 1000); err != nil || v.High > 1e-12 {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func names(a *word.Alphabet, w word.Word) []string {
	list := []string{}
	for _, s := range w {
		list = append(list, a.Name(s))
	}
	return list
}
