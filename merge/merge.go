// Package merge decides which states of a prefix tree may merge, and what becomes
// of their transitions.
//
// There are three rules for transitions that conflict, that is, lead from merged
// states by one symbol to different states:
//
//   - [Union], the paper's text, keeps them all, which makes an NFA;
//   - [Keep], the code its authors released, keeps that of the node that is merged
//     into and drops the other;
//   - [Fold] merges the targets too, and so on down, and undoes all of it if
//     labels clash. It alone keeps the label of every prefix in the tree.
//
// [Log] says which nodes merge, and [Replay] makes the automaton of that.
package merge

import (
	"context"
	"fmt"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/fold"
	"quotient/prefix"
	"quotient/word"
)

// A Rule says what becomes of conflicting transitions.
type Rule string

const (
	Fold  Rule = "fold"
	Union Rule = "union"
	Keep  Rule = "keep"
)

// A Step of the merge log: From is given up in favor of Into. Both are nodes that
// stand for themselves and all that was merged into them before.
type Step = fold.Step[prefix.Node]

// threshold is what a cosine must exceed. With kappa = 2 nothing is excluded, not
// even a cosine that rounding pushes below -1.
func threshold(kappa float64) float32 {
	if kappa >= 2 {
		return -2
	}
	return float32(1 - kappa)
}

// CheckKappa returns an error unless kappa is in (0, 2].
func CheckKappa(kappa float64) error {
	if kappa > 0 && kappa <= 2 {
		return nil
	}
	return fmt.Errorf("kappa %v: states merge if their cosine is over 1-kappa, so it must be over 0 and at most 2; 0.01 is the paper's", kappa)
}

// direction writes the state of a node, scaled to length 1. All states scaled would be the tree once
// more in memory, and few methods look at all of them.
func direction(dst []float32, t *prefix.Tree, n prefix.Node) {
	copy(dst, t.State.Row(int(n)))
	f32.Normalize(f32.Of(1, len(dst), dst))
}

// How says how nodes are merged.
type How struct {
	Rule  Rule
	Kappa float64
	Order Order
}

// Log merges the tree's nodes in the order of how, which [Enumerate] made a list of, and
// returns what was merged. If no two of many are similar, that takes minutes: it ends early with
// the context, and what it returns then is worth nothing.
func Log(ctx context.Context, t *prefix.Tree, how How, nodes []prefix.Node) []Step {
	switch {
	case how.Rule == Fold:
		return FoldLog(ctx, t, how.Kappa, nodes)
	case how.Order == Released:
		return ReleasedLog(ctx, t, how.Kappa, nodes)
	}
	return ClusterLog(ctx, t, how.Kappa, nodes)
}

// Replay makes the automaton of a merge log: its states are the nodes that were
// never given up, in the order of their numbers. With Union it can be
// nondeterministic; otherwise it is deterministic.
func Replay(t *prefix.Tree, rule Rule, log []Step) *automaton.NFA {
	into := make([]prefix.Node, t.Len()) // what each node was merged into, itself if nothing
	for n := range into {
		into[n] = prefix.Node(n)
	}
	for _, s := range log {
		into[s.From] = s.Into
	}
	// A node is given up once, so following into ends at one that remains. Steps
	// are short: it pays to shorten the way for those who come after.
	root := func(n prefix.Node) prefix.Node {
		for into[n] != n {
			into[n] = into[into[n]]
			n = into[n]
		}
		return n
	}
	state := make([]automaton.State, t.Len())
	d := automaton.NewNFA(t.Alphabet, 0)
	for n := range state {
		if into[n] == prefix.Node(n) {
			state[n] = d.AddState(t.Accept[n])
		}
	}
	d.Start = []automaton.State{state[root(0)]}
	if rule == Keep {
		addFirst(d, t, log, state, root)
		return d
	}
	seen := map[automaton.Edge]bool{}
	for n := prefix.Node(1); int(n) < t.Len(); n++ {
		e := automaton.Edge{From: state[root(t.Parent[n])], To: state[root(n)], On: t.On[n]}
		if !seen[e] {
			seen[e] = true
			d.Edges = append(d.Edges, e)
		}
	}
	return d
}

// addFirst adds the transitions that remain if of two that conflict the one of the
// node that is merged into is kept.
func addFirst(d *automaton.NFA, t *prefix.Tree, log []Step, state []automaton.State, root func(prefix.Node) prefix.Node) {
	type key struct {
		from prefix.Node
		on   word.Symbol
	}
	to := make(map[key]prefix.Node, t.Len())
	symbols := make([][]word.Symbol, t.Len()) // of the transitions of each node, in the order of their coming
	add := func(n prefix.Node, s word.Symbol, target prefix.Node) {
		if _, taken := to[key{n, s}]; !taken {
			to[key{n, s}] = target
			symbols[n] = append(symbols[n], s)
		}
	}
	for n := prefix.Node(1); int(n) < t.Len(); n++ {
		add(t.Parent[n], t.On[n], n)
	}
	for _, step := range log {
		for _, s := range symbols[step.From] {
			add(step.Into, s, to[key{step.From, s}])
		}
	}
	for n := range state {
		for _, s := range symbols[n] {
			if state[n] != automaton.Dead {
				d.AddEdge(state[n], s, state[root(to[key{prefix.Node(n), s}])])
			}
		}
	}
}
