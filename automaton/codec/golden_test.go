package codec

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"quotient/automaton"
	"quotient/word"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample has two start states, ε, a loop, edges both ways, an isolated state, an
// unused symbol and names that need quoting.
func sample(t *testing.T) *automaton.NFA {
	t.Helper()
	a, err := word.NewAlphabet("b", "a", "NP VP", `"\`, "ε", "é", "unused", "<s>")
	if err != nil {
		t.Fatal(err)
	}
	n := automaton.NewNFA(a, 4)
	n.Start = []automaton.State{2, 1}
	n.Accept[1], n.Accept[3] = true, true
	for s := range word.Symbol(6) {
		n.AddEdge(1, s, 2)
	}
	n.AddEdge(2, 7, 1)
	n.AddEdge(2, automaton.Epsilon, 3)
	n.AddEdge(3, 0, 3)
	return n
}

func TestGolden(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			n := sample(t)
			if f.Name == "aalpy" { // cannot hold all of these names
				n = evenAs(t)
				n.Edges = n.Edges[1:]
			}
			got := encode(t, f, n)
			path := filepath.Join("testdata", "golden", f.Name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s\n(-update accepts the new output)", got, want)
			}
		})
	}
}
