package merge

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
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

// drawTree is the tree of some random words in a random noisy recognizer.
func drawTree(t *rapid.T) *prefix.Tree {
	seed := rapid.Uint64Range(0, 1<<20).Draw(t, "seed")
	noise := rapid.SampledFrom([]float32{0, 0.1, 0.5, 2}).Draw(t, "noise")
	words := rapid.IntRange(1, 60).Draw(t, "words")
	return noisyTree(seed, noise, words, 8)
}

func noisyTree(seed uint64, noise float32, words, length int) *prefix.Tree {
	rng := rand.New(rand.NewPCG(seed, 1))
	r := oracletest.Random(seed, 1+rng.IntN(5), noise)
	sample := make([]word.Word, words)
	for i := range sample {
		sample[i] = make(word.Word, rng.IntN(length+1))
		for j := range sample[i] {
			sample[i][j] = word.Symbol(rng.IntN(3))
		}
	}
	t, err := prefix.Build(oracle.Ask(context.Background(), r), sample)
	if err != nil {
		panic(err)
	}
	return t
}

func drawKappa(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{0.001, 0.01, 0.05, 0.2, 0.5, 1, 2}).Draw(t, "kappa")
}

func drawOrder(t *rapid.T, tree *prefix.Tree) (Order, []prefix.Node) {
	o := rapid.SampledFrom(Orders).Draw(t, "order")
	order, err := Enumerate(tree, o, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return o, order
}

func TestClusterAgainstPlainLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, kappa := drawTree(t), drawKappa(t)
		_, order := drawOrder(t, tree)
		got := ClusterLog(context.Background(), tree, kappa, order)
		if want := LogBy(tree, All(Consistent, Similar(kappa)), order); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// So many states are kept here that the index decides.
func TestClusterIndexAgainstPlainLoop(t *testing.T) {
	for seed := range uint64(6) {
		tree := noisyTree(seed, 0.3, 600, 12)
		order, _ := Enumerate(tree, Breadth, nil)
		for _, kappa := range []float64{0.0005, 0.002, 0.01, 0.05} {
			got := ClusterLog(context.Background(), tree, kappa, order)
			want := LogBy(tree, All(Consistent, Similar(kappa)), order)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, kappa %v: %d merges, want %d", seed, kappa, len(got), len(want))
			}
			if kept := tree.Len() - len(want); kappa < 0.001 && kept < 4*few {
				t.Errorf("seed %d: only %d states kept, too few for the index", seed, kept)
			}
		}
	}
}

// plain is folding without cleverness: every attempt works on a copy.
type plain struct {
	t        *prefix.Tree
	order    []prefix.Node
	red      []prefix.Node
	into     []prefix.Node
	children []map[word.Symbol]prefix.Node
}

func (p *plain) rank(n prefix.Node) int { return slices.Index(p.order, n) }

func (p *plain) find(n prefix.Node) prefix.Node {
	for p.into[n] != n {
		n = p.into[n]
	}
	return n
}

func (p *plain) clone() *plain {
	c := &plain{t: p.t, order: p.order, red: slices.Clone(p.red), into: slices.Clone(p.into)}
	for _, m := range p.children {
		c.children = append(c.children, maps.Clone(m))
	}
	return c
}

func (p *plain) merge(a, b prefix.Node) bool {
	a, b = p.find(a), p.find(b)
	if a == b {
		return true
	}
	if p.t.Accept[a] != p.t.Accept[b] {
		return false
	}
	if !slices.Contains(p.red, a) && p.rank(b) < p.rank(a) {
		a, b = b, a
	}
	p.into[b] = a
	for s, c := range p.children[b] {
		if other, ok := p.children[a][s]; !ok {
			p.children[a][s] = c
		} else if !p.merge(other, c) {
			return false
		}
	}
	return true
}

func plainFold(t *prefix.Tree, kappa float64, order []prefix.Node) *plain {
	p := &plain{t: t, order: order, red: []prefix.Node{0}}
	for n := range t.Len() {
		p.into = append(p.into, prefix.Node(n))
		m := map[word.Symbol]prefix.Node{}
		for c := t.First[n]; c < t.First[n+1]; c++ {
			m[t.On[c]] = c
		}
		p.children = append(p.children, m)
	}
	similar := func(r, b prefix.Node) float32 { return cosine(t, r, b) }
	for {
		blue := prefix.Node(-1)
		for _, r := range p.red {
			for _, c := range p.children[r] {
				if n := p.find(c); !slices.Contains(p.red, n) && (blue < 0 || p.rank(n) < p.rank(blue)) {
					blue = n
				}
			}
		}
		if blue < 0 {
			return p
		}
		candidates := slices.Clone(p.red)
		slices.SortStableFunc(candidates, func(x, y prefix.Node) int { return cmp.Compare(similar(y, blue), similar(x, blue)) })
		merged := false
		for _, r := range candidates {
			if !All(Consistent, Similar(kappa))(t, r, blue) {
				continue
			}
			if try := p.clone(); try.merge(r, blue) {
				p, merged = try, true
				break
			}
		}
		if !merged {
			p.red = append(p.red, blue)
		}
	}
}

func TestFoldAgainstPlainFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, kappa := drawTree(t), drawKappa(t)
		_, order := drawOrder(t, tree)
		want := plainFold(tree, kappa, order)
		got := make([]prefix.Node, tree.Len())
		for n := range got {
			got[n] = prefix.Node(n)
		}
		for _, s := range FoldLog(context.Background(), tree, kappa, order) {
			got[s.From] = s.Into
		}
		for n := range got {
			root := prefix.Node(n)
			for got[root] != root {
				root = got[root]
			}
			if root != want.find(prefix.Node(n)) {
				t.Fatalf("node %d is merged into %d, want %d", n, root, want.find(prefix.Node(n)))
			}
		}
	})
}

// Folding keeps the label of every prefix in the tree, and is deterministic.
func TestFoldKeepsLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, kappa := drawTree(t), drawKappa(t)
		o, order := drawOrder(t, tree)
		log := Log(context.Background(), tree, How{Fold, kappa, o}, order)
		n := Replay(tree, Fold, log)
		if !n.IsDeterministic() {
			t.Fatal("the folded automaton is not deterministic")
		}
		d, err := automaton.Determinize(n, tree.Len())
		if err != nil {
			t.Fatal(err)
		}
		m := automaton.Minimize(d)
		for node := range tree.Len() {
			w := tree.Word(prefix.Node(node))
			if d.Accepts(w) != tree.Accept[node] || m.Accepts(w) != tree.Accept[node] {
				t.Fatalf("%s lost its label %v", tree.Alphabet.Format(w), tree.Accept[node])
			}
		}
	})
}

// Union only adds: it accepts all that the tree accepts. Keep is deterministic.
func TestUnionAndKeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, kappa := drawTree(t), drawKappa(t)
		o, order := drawOrder(t, tree)
		log := Log(context.Background(), tree, How{Union, kappa, o}, order)
		union := Replay(tree, Union, log)
		for node, accept := range tree.Accept {
			if w := tree.Word(prefix.Node(node)); accept && !union.Accepts(w) {
				t.Fatalf("%s is no longer accepted", tree.Alphabet.Format(w))
			}
		}
		if keep := Replay(tree, Keep, log); !keep.IsDeterministic() || keep.Len() != union.Len() {
			t.Fatalf("keep: deterministic %v, %d states, want %d", keep.IsDeterministic(), keep.Len(), union.Len())
		}
	})
}

// Two states that conflict, once with each rule, by hand. The words are aa and ba;
// a and b merge although aa is rejected and ba accepted.
func TestRulesOnAConflict(t *testing.T) {
	tree := &prefix.Tree{
		Alphabet: word.Letters("ab"),
		Parent:   []prefix.Node{-1, 0, 0, 1, 2}, // ε a b aa ba
		On:       []word.Symbol{0, 0, 1, 0, 0},
		First:    []prefix.Node{1, 3, 4, 5, 5, 5},
		Accept:   []bool{true, false, false, false, true},
		State:    f32.Of(5, 2, []float32{1, 0, 0, 1, 0, 1, -1, 0, 0.6, 0.8}),
	}
	order, _ := Enumerate(tree, Breadth, nil)
	aa, ba := word.Word{0, 0}, word.Word{1, 0}
	for _, c := range []struct {
		rule   Rule
		aa, ba bool
		states int
	}{
		// 0.6 is the cosine of ε and ba: they merge only at a kappa over 0.4.
		{Union, true, true, 4},
		{Keep, false, false, 4},
		{Fold, false, true, 5},
	} {
		n := Replay(tree, c.rule, Log(context.Background(), tree, How{c.rule, 0.1, Breadth}, order))
		if n.Accepts(aa) != c.aa || n.Accepts(ba) != c.ba || n.Len() != c.states {
			t.Errorf("%s: aa %v, ba %v, %d states; want %v, %v, %d",
				c.rule, n.Accepts(aa), n.Accepts(ba), n.Len(), c.aa, c.ba, c.states)
		}
	}
	// Folding a and b would merge aa with ba, whose labels clash.
	if log := FoldLog(context.Background(), tree, 0.5, order); !slices.Equal(log, []Step{{Into: 0, From: 4}}) {
		t.Errorf("fold merges %v, want ba into ε alone", log)
	}
}

func TestEnumerate(t *testing.T) {
	tree := noisyTree(1, 0, 20, 6)
	for _, o := range Orders {
		order, err := Enumerate(tree, o, rand.New(rand.NewPCG(1, 1)))
		if err != nil || order[0] != 0 {
			t.Errorf("%s: begins with %d, %v", o, order[0], err)
		}
		seen := slices.Sorted(slices.Values(order))
		for n := range seen {
			if seen[n] != prefix.Node(n) {
				t.Fatalf("%s: not every node once", o)
			}
		}
	}
	depth, _ := Enumerate(tree, Depth, nil)
	for i := 1; i < len(depth); i++ {
		if tree.Parent[depth[i]] != depth[i-1] && tree.First[depth[i-1]] != tree.First[depth[i-1]+1] {
			t.Errorf("depth first: %d does not follow its parent's line", depth[i])
		}
	}
	if _, err := Enumerate(tree, "best", nil); err == nil {
		t.Error("an order called best was taken")
	}
}

func TestCheckKappa(t *testing.T) {
	for kappa, ok := range map[float64]bool{-1: false, 0: false, 0.01: true, 2: true, 2.1: false} {
		if err := CheckKappa(kappa); (err == nil) != ok {
			t.Errorf("CheckKappa(%v) = %v", kappa, err)
		}
	}
}

func ExampleReplay() {
	tree := noisyTree(3, 0, 30, 6)
	order, _ := Enumerate(tree, Breadth, nil)
	log := Log(context.Background(), tree, How{Fold, 0.01, Breadth}, order)
	fmt.Println(Replay(tree, Fold, log).Len() == tree.Len()-len(log))
	// Output: true
}

// The index against comparing with all kept nodes, where many are kept.
func BenchmarkIndex(b *testing.B) {
	tree := noisyTree(4, 0.3, 5_000, 12)
	order, _ := Enumerate(tree, Breadth, nil)
	for _, kappa := range []float64{0.001, 0.01} {
		b.Run(fmt.Sprint("index/", kappa), func(b *testing.B) {
			for b.Loop() {
				ClusterLog(context.Background(), tree, kappa, order)
			}
		})
		b.Run(fmt.Sprint("plain/", kappa), func(b *testing.B) {
			for b.Loop() {
				LogBy(tree, All(Consistent, Similar(kappa)), order)
			}
		})
	}
}
