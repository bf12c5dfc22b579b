package fold

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is known of a node in these tests: nothing, or one of two things. Nodes of
// which different things are known must not become one.
type known int8

func meet(a, b known) (known, bool) { return max(a, b), a == b || a == 0 || b == 0 }

// draw returns a random tree, its parents, and a folding of it in any order. Nodes of
// which nothing is known wait, if some are to wait.
func draw(t *rapid.T) (f *Folding[int32, known], parent []int32) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	f = &Folding[int32, known]{Meet: meet, Tree: Tree[int32, known]{Nodes: make([]Node[int32, known], 1)}}
	parent = []int32{-1}
	for n := 0; n < len(parent) && n < 25; n++ {
		for on := range int32(3) {
			if rng.IntN(5) < 3 {
				parent = append(parent, int32(n))
				f.Nodes = append(f.Nodes, Node[int32, known]{On: on, Data: known(max(0, rng.IntN(6)-3))})
			}
		}
	}
	if rapid.Bool().Draw(t, "wait") {
		f.Ready = func(k known) bool { return k != 0 }
	}
	if rapid.Bool().Draw(t, "ranked") {
		for _, rank := range rng.Perm(len(f.Nodes)) {
			f.Rank = append(f.Rank, int32(rank))
		}
	}
	f.Start(parent)
	return f, parent
}

// plainMerge returns which nodes are together if red and blue are, from scratch, and
// reports whether they may be.
func plainMerge(f *Folding[int32, known], parent []int32, data []known, red, blue int32) ([]int32, bool) {
	class := make([]int32, len(f.Nodes))
	for n := range class {
		class[n] = f.Find(int32(n))
	}
	unite := func(x, y int32) {
		for n := range class {
			if class[n] == y {
				class[n] = x
			}
		}
	}
	unite(red, blue)
	for changed := true; changed; {
		changed = false
		for n := 1; n < len(class); n++ {
			for m := 1; m < n; m++ {
				if f.Nodes[n].On == f.Nodes[m].On && class[parent[n]] == class[parent[m]] && class[n] != class[m] {
					unite(class[n], class[m])
					changed = true
				}
			}
		}
	}
	for n := range class {
		for m := range class {
			if _, ok := meet(data[n], data[m]); class[n] == class[m] && !ok {
				return nil, false
			}
		}
	}
	return class, true
}

// first returns the blue node that comes next, from scratch.
func first(f *Folding[int32, known], parent []int32) int32 {
	best := int32(0)
	for n := int32(1); int(n) < len(parent); n++ {
		x := f.Find(n)
		if slices.Contains(f.Red, x) || !slices.Contains(f.Red, f.Find(parent[n])) ||
			f.Ready != nil && !f.Ready(f.Nodes[x].Data) {
			continue
		}
		rank := func(n int32) int32 {
			if f.Rank == nil {
				return n
			}
			return f.Rank[n]
		}
		if best == 0 || rank(x) < rank(best) {
			best = x
		}
	}
	return best
}

// Every step is what it is from scratch, and an attempt that fails leaves no traces.
func TestFolding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, parent := draw(t)
		data := make([]known, len(f.Nodes))
		for n := range data {
			data[n] = f.Nodes[n].Data
		}
		for {
			want := first(f, parent)
			n := f.Next()
			if n != want {
				t.Fatalf("the next blue node is %d, want %d", n, want)
			}
			if n == 0 {
				return
			}
			merged := false
			for _, r := range f.Red {
				class, ok := plainMerge(f, parent, data, r, n)
				nodes, into, colors, log := slices.Clone(f.Nodes), slices.Clone(f.into), slices.Clone(f.color), slices.Clone(f.Log)
				if got := f.MergeIntoOne([]int32{r}, n); got != ok {
					t.Fatalf("%d into %d: %v, want %v", n, r, got, ok)
				}
				if merged = ok; ok {
					check(t, f, class, data)
					break
				}
				if !slices.Equal(nodes, f.Nodes) || !slices.Equal(into, f.into) || !slices.Equal(colors, f.color) || !slices.Equal(log, f.Log) {
					t.Fatal("an attempt left traces")
				}
			}
			if !merged {
				f.Redden(n)
			}
		}
	})
}

// check compares with a partition what is together, what is known of it, and which node
// stays.
func check(t *rapid.T, f *Folding[int32, known], class []int32, data []known) {
	for n := range class {
		x := f.Find(int32(n))
		if f.Find(class[n]) != x {
			t.Fatalf("%d and %d are not together", n, class[n])
		}
		if _, ok := meet(data[n], f.Nodes[x].Data); !ok || data[n] > f.Nodes[x].Data {
			t.Fatalf("%d is %v, but %d is %v", x, f.Nodes[x].Data, n, data[n])
		}
		for m := range class {
			if (f.Find(int32(m)) == x) != (class[m] == class[n]) {
				t.Fatalf("%d and %d: together %v", n, m, f.Find(int32(m)) == x)
			}
		}
		if f.Rank != nil && f.color[x] != red && f.Rank[n] < f.Rank[x] {
			t.Fatalf("%d stays, not %d", x, n)
		}
		for c := f.Nodes[x].Head; c != 0 && f.Nodes[c].Sibling != 0; c = f.Nodes[c].Sibling {
			if f.Rank == nil && f.Nodes[c].On >= f.Nodes[f.Nodes[c].Sibling].On {
				t.Fatalf("the children of %d are not in order", x)
			}
		}
	}
}
