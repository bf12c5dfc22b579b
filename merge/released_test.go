package merge

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/word"
)

// plainReleased is the loop of the released code.
func plainReleased(t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	var log []Step
	gone := make([]bool, t.Len())
	may := All(Consistent, Similar(kappa))
	for k, i := range order {
		for _, j := range order[:k] {
			if !gone[j] && may(t, i, j) {
				gone[j] = true
				log = append(log, Step{Into: i, From: j})
			}
		}
	}
	return log
}

// A graph is what the released code merges the nodes of, one by one.
type graph struct {
	t     *prefix.Tree
	gone  []bool
	start prefix.Node
	next  []map[word.Symbol][]prefix.Node
}

func newGraph(t *prefix.Tree) *graph {
	g := &graph{t: t, gone: make([]bool, t.Len())}
	for n := range prefix.Node(t.Len()) {
		g.next = append(g.next, map[word.Symbol][]prefix.Node{})
		if n > 0 {
			from := g.next[t.Parent[n]]
			from[t.On[n]] = append(from[t.On[n]], n)
		}
	}
	return g
}

// merge merges j into i.
func (g *graph) merge(i, j prefix.Node, rule Rule) {
	g.gone[j] = true
	if g.start == j {
		g.start = i
	}
	for s, to := range g.next[j] {
		if rule == Union || len(g.next[i][s]) == 0 {
			g.next[i][s] = append(g.next[i][s], to...)
		}
	}
	for _, m := range g.next {
		for _, to := range m {
			for k := range to {
				if to[k] == j {
					to[k] = i
				}
			}
		}
	}
}

// edges returns the graph as text, the states that stand numbered in their order.
func (g *graph) edges() []string {
	number := map[prefix.Node]int{}
	for n := range prefix.Node(g.t.Len()) {
		if !g.gone[n] {
			number[n] = len(number) + 1
		}
	}
	list := []string{fmt.Sprint("start ", number[g.start])}
	for n, q := range number {
		list = append(list, fmt.Sprint(q, g.t.Accept[n]))
		for s, to := range g.next[n] {
			for _, m := range to {
				list = append(list, fmt.Sprint(q, s, number[m]))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func edges(n *automaton.NFA) []string {
	list := []string{fmt.Sprint("start ", n.Start[0])}
	for q := 1; q <= n.Len(); q++ {
		list = append(list, fmt.Sprint(q, n.Accept[q]))
	}
	for _, e := range n.Edges {
		list = append(list, fmt.Sprint(e.From, e.On, e.To))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// checkReleased compares log and automaton with those of the released code.
func checkReleased(t interface{ Fatalf(string, ...any) }, tree *prefix.Tree, kappa float64, order []prefix.Node) {
	plain := plainReleased(tree, kappa, order)
	for _, rule := range []Rule{Union, Keep} {
		log := Log(context.Background(), tree, How{rule, kappa, Released}, order)
		if !slices.Equal(log, plain) {
			t.Fatalf("%s merges %v, want %v", rule, log, plain)
		}
		want := newGraph(tree)
		for _, s := range plain {
			want.merge(s.Into, s.From, rule)
		}
		if got := edges(Replay(tree, rule, log)); !slices.Equal(got, want.edges()) {
			t.Fatalf("%s makes %v of %v, want %v", rule, got, log, want.edges())
		}
	}
}

func TestReleasedAgainstPlainLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, kappa := drawTree(t), drawKappa(t)
		_, order := drawOrder(t, tree)
		checkReleased(t, tree, kappa, order)
	})
}

// All states of three directions, of which neighbors are similar, and all labels, on
// a tree of five nodes, inserted in every order.
func TestReleasedExhaustively(t *testing.T) {
	aa, ab, b := word.Word{0, 0}, word.Word{0, 1}, word.Word{1}
	for _, words := range [][]word.Word{{aa, ab, b}, {aa, b, ab}, {ab, aa, b}, {ab, b, aa}, {b, aa, ab}, {b, ab, aa}} {
		tree, err := prefix.Build(oracle.Ask(context.Background(), oracletest.Random(1, 2, 0)), words)
		if err != nil {
			t.Fatal(err)
		}
		order, err := Enumerate(tree, Released, nil)
		if err != nil {
			t.Fatal(err)
		}
		tree.State = f32.New(5, 2)
		for c := range 243 * 32 {
			for n, rest := 0, c; n < 5; n, rest = n+1, rest/6 {
				sin, cos := math.Sincos(0.3 * float64(rest%3))
				copy(tree.State.Row(n), []float32{float32(cos), float32(sin)})
				tree.Accept[n] = rest/3%2 == 0
			}
			checkReleased(t, tree, 0.1, order)
		}
	}
}

// So many states stand here that the index decides.
func TestReleasedIndexAgainstPlainLoop(t *testing.T) {
	for seed := range uint64(4) {
		tree := noisyTree(seed, 0.3, 600, 12)
		order, _ := Enumerate(tree, Released, nil)
		for _, kappa := range []float64{0.0005, 0.002, 0.01, 0.05} {
			got := ReleasedLog(context.Background(), tree, kappa, order)
			want := plainReleased(tree, kappa, order)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, kappa %v: %d merges, want %d", seed, kappa, len(got), len(want))
			}
			if left := tree.Len() - len(want); kappa < 0.001 && left < 4*few {
				t.Errorf("seed %d: only %d states left, too few for the index", seed, left)
			}
		}
	}
}

// Nodes are numbered as the words bring them.
func TestReleasedOrder(t *testing.T) {
	words := []word.Word{{1, 0}, {0}, {}, {1, 1, 0}, {0}, {0, 1}}
	tree, err := prefix.Build(oracle.Ask(context.Background(), oracletest.Random(1, 2, 0)), words)
	if err != nil {
		t.Fatal(err)
	}
	order, err := Enumerate(tree, Released, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range order {
		got = append(got, fmt.Sprint(tree.Word(n)))
	}
	if want := []string{"[]", "[1]", "[1 0]", "[0]", "[1 1]", "[1 1 0]", "[0 1]"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
