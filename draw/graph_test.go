package draw

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quotient/automaton"
)

// A graph is drawn with its own texts, wide labels cut, and stays as it was.
func TestSVG(t *testing.T) {
	long := strings.Repeat("long", 30)
	g := &Graph{
		Title:       "two & one",
		Description: "a group and a state",
		Nodes:       []Node{{ID: 7, Name: "×2"}, {ID: 9, Name: "q1", Accept: true, In: "0.5"}, {Name: "gone", Dead: true}},
		Edges:       []Edge{{From: 0, To: 1, Label: long}, {From: 1, To: 0, Label: long, Short: "l"}, {From: 1, To: 2, Label: "b", Negative: true}},
	}
	before := Graph{g.Title, g.Description, slices.Clone(g.Nodes), slices.Clone(g.Edges)}
	var b strings.Builder
	if err := SVG(&b, g, Options{Parts: true}); err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(before, *g); difference != "" {
		t.Errorf("the graph has changed: %s", difference)
	}
	for _, text := range []string{
		"<title>two &amp; one</title>", "<desc>a group and a state</desc>", ">longlonglonglongl…</text>", ">l</text>",
		"<title>×2 → q1: " + long, ">0.5</text>", ">gone</text>", `data-from="9" data-to="7"`,
	} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("%s is not in\n%s", text, b.String())
		}
	}
	b.Reset()
	if err := SVG(&b, &Graph{Title: "nothing"}, Options{Title: "none"}); err != nil || !strings.Contains(b.String(), "<title>none</title>") || !strings.Contains(b.String(), ">∅<") {
		t.Errorf("without nodes: %v\n%s", err, b.String())
	}
}

func TestSVGLimits(t *testing.T) {
	dense := &Graph{Nodes: make([]Node, 40)}
	for i := range 1600 {
		dense.Edges = append(dense.Edges, Edge{From: i / 40, To: i % 40})
	}
	for what, g := range map[string]*Graph{"states": {Nodes: make([]Node, MaxStates+1)}, "edges": dense} {
		var limit *automaton.LimitError
		if err := SVG(io.Discard, g, Options{}); !errors.As(err, &limit) || limit.What != what {
			t.Errorf("too many %s: %v", what, err)
		}
	}
}

// Breadth first, nodes are ranked by their order, all edges are kept, and what is lost
// comes last.
func TestBreadthFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &Graph{Nodes: make([]Node, rapid.IntRange(1, 8).Draw(t, "nodes"))}
		node := rapid.IntRange(0, len(g.Nodes)-1)
		var before []string
		for i := range g.Nodes {
			g.Nodes[i].ID = i
		}
		for range rapid.IntRange(0, 20).Draw(t, "edges") {
			e := Edge{From: node.Draw(t, "from"), To: node.Draw(t, "to")}
			g.Edges = append(g.Edges, e)
			before = append(before, fmt.Sprint(e.From, e.To))
		}
		start := node.Draw(t, "start")
		lost := g.BreadthFirst(start)
		var after []string
		reached := make([]bool, len(g.Nodes))
		reached[0] = true
		for _, e := range g.Edges {
			after = append(after, fmt.Sprint(g.Nodes[e.From].ID, g.Nodes[e.To].ID))
			reached[e.To] = reached[e.To] || reached[e.From]
		}
		slices.Sort(before)
		slices.Sort(after)
		if g.Nodes[0].ID != start || !slices.Equal(before, after) {
			t.Fatalf("from %d: %v became %v", start, before, after)
		}
		for i, yes := range reached {
			if yes != (i < len(g.Nodes)-lost) {
				t.Fatalf("node %d of %+v, %d lost", i, g, lost)
			}
		}
		if _, rank := g.search(0); !slices.IsSorted(rank[:len(rank)-lost]) {
			t.Fatalf("ranks %v of %+v", rank, g)
		}
	})
}
