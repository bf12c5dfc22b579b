package discrimination_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/internal/discrimination"
	"quotient/word"
)

// A grown tree, and a plain map of what its states answer.
type grown struct {
	discrimination.Tree
	answers []map[string]bool // of each state, by suffix
}

// suffixes are all there are, the empty one first.
var suffixes = word.UpTo(2, 15)

// path returns the nodes that answers lead through from the root, and whether the last of
// them is a leaf.
func (g *grown) path(answers map[string]bool) (path []discrimination.Node, arrives bool) {
	n := discrimination.Root
	for path = append(path, n); g.State(n) < 0; path = append(path, n) {
		if n = g.Child(n, answers[g.Suffix(n).Key()]); n == discrimination.Root {
			return path, false
		}
	}
	return path, true
}

// insert makes a state of some answers, unless there is one that gives the same.
func (g *grown) insert(t *rapid.T) {
	answers := map[string]bool{}
	for _, v := range suffixes {
		answers[v.Key()] = rapid.Bool().Draw(t, "answer")
	}
	path, arrives := g.path(answers)
	if !arrives {
		if n := g.Add(answers[""]); n != g.Leaf(int32(len(g.answers))) {
			t.Fatalf("the new leaf is %d", n)
		}
		g.answers = append(g.answers, answers)
		return
	}
	leaf := path[len(path)-1]
	q := g.State(leaf)
	var differ []word.Word
	for _, v := range suffixes {
		if answers[v.Key()] != g.answers[q][v.Key()] {
			differ = append(differ, v)
		}
	}
	if len(differ) == 0 {
		return
	}
	v := rapid.SampledFrom(differ).Draw(t, "suffix")
	if n := g.Split(q, v, g.answers[q][v.Key()]); n != leaf {
		t.Fatalf("leaf %d is %d now", leaf, n)
	}
	if above := path[len(path)-2]; g.Temporary(above) || rapid.Bool().Draw(t, "temporary") {
		g.SetTemporary(leaf)
	}
	g.answers = append(g.answers, answers)
}

// replace puts another suffix in the place of a block. Two states that answer otherwise
// after it are told apart by it, two others as they were before; and of the nodes none is
// lost.
func (g *grown) replace(t *rapid.T) {
	blocks := g.Blocks()
	if len(blocks) == 0 {
		return
	}
	n := rapid.SampledFrom(blocks).Draw(t, "block")
	v := rapid.SampledFrom(suffixes).Draw(t, "suffix")
	states := g.States(n)
	answer := func(q int32) bool { return g.answers[q][v.Key()] }
	if !slices.ContainsFunc(states, answer) || !slices.ContainsFunc(states, func(q int32) bool { return !answer(q) }) {
		return
	}
	before, inner := g.Clone(), g.inner(n)
	g.Replace(n, v, func(q int32) bool { return answer(q) && g.Meet(n, g.Leaf(q)) == n })
	if g.Temporary(n) || !slices.Equal(slices.Sorted(slices.Values(inner)), slices.Sorted(slices.Values(g.inner(n)))) {
		t.Fatalf("the nodes %v are %v", inner, g.inner(n))
	}
	for p := range g.answers {
		for q := range p {
			p, q := int32(p), int32(q)
			want := before.Apart(p, q)
			if slices.Contains(states, p) && slices.Contains(states, q) && answer(p) != answer(q) {
				want = v
			}
			if got := g.Apart(p, q); !slices.Equal(got, want) {
				t.Fatalf("%v tells %d from %d, want %v", got, p, q, want)
			}
		}
	}
}

// inner returns the inner nodes from n on downwards.
func (g *grown) inner(n discrimination.Node) []discrimination.Node {
	if g.State(n) >= 0 || n == discrimination.Root && g.Len() == 0 {
		return nil
	}
	list := []discrimination.Node{n}
	for _, answer := range []bool{false, true} {
		if c := g.Child(n, answer); c != discrimination.Root {
			list = append(list, g.inner(c)...)
		}
	}
	return list
}

// check compares the tree with the answers.
func (g *grown) check(t *rapid.T) {
	if g.Len() != len(g.answers) {
		t.Fatalf("%d states, want %d", g.Len(), len(g.answers))
	}
	paths := make([][]discrimination.Node, g.Len())
	for q, answers := range g.answers {
		path, arrives := g.path(answers)
		if leaf := path[len(path)-1]; !arrives || leaf != g.Leaf(int32(q)) || g.State(leaf) != int32(q) {
			t.Fatalf("state %d arrives at %d", q, leaf)
		}
		paths[q] = path
		for p := range q {
			both := 0
			for path[both] == paths[p][both] {
				both++
			}
			if n := g.Meet(g.Leaf(int32(p)), g.Leaf(int32(q))); n != path[both-1] {
				t.Fatalf("%v and %v meet at %d", path, paths[p], n)
			}
			if v := g.Apart(int32(p), int32(q)).Key(); answers[v] == g.answers[p][v] {
				t.Fatalf("%q does not tell %d from %d", v, p, q)
			}
		}
	}
	var told []word.Word
	var blocks []discrimination.Node
	for _, n := range g.inner(discrimination.Root) {
		told = append(told, g.Suffix(n))
		var states []int32
		for q, path := range paths {
			if i := slices.Index(path, n); i >= 0 {
				states = append(states, int32(q))
				if g.Meet(n, path[len(path)-1]) != n || g.Meet(path[max(i-1, 0)], n) != path[max(i-1, 0)] {
					t.Fatalf("%d does not lie on the way %v", n, path)
				}
				if g.Temporary(n) && !g.Temporary(path[i-1]) && !slices.Contains(blocks, n) {
					blocks = append(blocks, n)
				}
			}
		}
		if got := g.States(n); !slices.Equal(slices.Sorted(slices.Values(got)), states) {
			t.Fatalf("below %d are %v, want %v", n, got, states)
		}
	}
	if len(told) > g.Len() || g.Len() > 0 && !slices.EqualFunc(told, g.Suffixes(), slices.Equal[word.Word]) {
		t.Fatalf("%d states, suffixes %v, want %v", g.Len(), g.Suffixes(), told)
	}
	if !slices.Equal(blocks, g.Blocks()) {
		t.Fatalf("blocks %v, want %v", g.Blocks(), blocks)
	}
}

// However a tree has grown, it explains all answers, and so does a clone that was left
// behind.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &grown{Tree: discrimination.New()}
		left := &grown{Tree: g.Clone()}
		t.Repeat(map[string]func(*rapid.T){
			"":        g.check,
			"insert":  g.insert,
			"replace": g.replace,
			"clone":   func(*rapid.T) { left = &grown{g.Clone(), slices.Clone(g.answers)} },
		})
		left.check(t)
	})
}
