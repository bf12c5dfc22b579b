package web

import (
	"context"
	"net/http"

	"quotient/automaton"
	"quotient/extract"
	"quotient/f32"
	"quotient/internal/plane"
	"quotient/merge"
	"quotient/prefix"
)

// Bounds on what is sent to be drawn point by point.
const (
	maxPoints = 5000
	maxReplay = 6000 // nodes of the tree
)

// states returns the sample of options that settings led to, with the network's states, until
// done is called.
func (s *Server) states(ctx context.Context, n *network, set settings, o extract.Options) (p *extract.Prepared, done func(), err error) {
	bytes, sample := s.need(n, set, o)
	if done, err = s.compute(ctx, bytes, sample); err != nil {
		return nil, nil, err
	}
	if p, err = s.prepared(ctx, n, set, o); err != nil {
		done()
	}
	return p, done, err
}

// A pointsView is the state space in the plane: a list for each property of the points.
type pointsView struct {
	X      []float32 `json:"x"`
	Y      []float32 `json:"y"`
	Depth  []int     `json:"depth"`
	Accept []bool    `json:"accept"` // by the network
	State  []int     `json:"state"`  // of the automaton
	Word   []string  `json:"word"`
	Share  []float64 `json:"share"`          // of the variance, along x and y
	Nodes  int       `json:"nodes"`          // of the tree; there are fewer points if these are too many
	Into   []int     `json:"into,omitempty"` // of each merge: the point that remains, -1 if it is left out
	From   []int     `json:"from,omitempty"` // and the one that is given up
	Cosine []float32 `json:"cosine,omitempty"`
}

// points shows the network's states over the tree on their first two principal
// components.
func (s *Server) points(r *http.Request) (*pointsView, error) {
	set, n, res, err := s.askedAny(r)
	if err != nil {
		return nil, err
	}
	of, o := res.of, res.Result.Options
	if of == nil { // a method without a tree: one is drawn to show the states
		o = extract.Options{Method: extract.Fold, Seed: set.Seed}.Normal()
		set.Options = o
	}
	p, done, err := s.states(r.Context(), n, set, o)
	if err != nil {
		return nil, err
	}
	defer done()
	t := p.Tree()
	if of == nil {
		of = res.statesOf(t)
	}
	nodes := plane.Spread(t.Len(), maxPoints)
	at, share := plane.Project(t.State.Gather(nodes))
	v := &pointsView{Share: share[:], Nodes: t.Len()}
	for i, n := range nodes {
		w := t.Word(prefix.Node(n))
		v.X, v.Y = append(v.X, at.Row(i)[0]), append(v.Y, at.Row(i)[1])
		v.Depth = append(v.Depth, len(w))
		v.Accept = append(v.Accept, t.Accept[n])
		v.State = append(v.State, int(of[n]))
		v.Word = append(v.Word, t.Alphabet.Format(w))
	}
	if res.Result.UsedKappa() > 0 {
		v.merges(t, nodes, res.Result.Log)
	}
	return v, nil
}

// merges adds what was merged, as pairs of points.
func (v *pointsView) merges(t *prefix.Tree, nodes []int, log []merge.Step) {
	point := make([]int, t.Len())
	for n := range point {
		point[n] = -1
	}
	for i, n := range nodes {
		point[n] = i
	}
	v.Cosine = cosines(t, log)
	for _, step := range log {
		v.Into, v.From = append(v.Into, point[step.Into]), append(v.From, point[step.From])
	}
}

// cosines returns how near the states are that were merged, step by step.
func cosines(t *prefix.Tree, log []merge.Step) (all []float32) {
	unit := f32.Unit(t.State)
	for _, step := range log {
		all = append(all, f32.Dot(unit.Row(int(step.Into)), unit.Row(int(step.From))))
	}
	return all
}

// A replayView is a prefix tree and how it was merged, step by step.
type replayView struct {
	Parent  []prefix.Node `json:"parent"`
	On      []int         `json:"on"`
	Accept  []bool        `json:"accept"`
	Into    []prefix.Node `json:"into"` // of each step: the node that remains
	From    []prefix.Node `json:"from"` // and the one that is given up
	Cosine  []float32     `json:"cosine"`
	Symbols []string      `json:"symbols"`
	State   []int         `json:"state"`   // of each node in the merged automaton
	SVG     string        `json:"svg"`     // of the merged automaton; empty if it is too large
	Minimal []int         `json:"minimal"` // of each node in the minimal automaton
	Last    string        `json:"last"`    // the drawing of that one; empty if it is too large
}

func (s *Server) replay(r *http.Request) (*replayView, error) {
	set, n, res, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	t, log, merged := res.Result.Tree, res.Result.Log, res.Result.Merged
	switch {
	case res.Result.UsedKappa() == 0:
		return nil, badf("the method %s merges no states one by one, so there is nothing to replay", res.Method)
	case t.Len() > maxReplay:
		return nil, badf("the tree has %d nodes, and a replay shows %d at most; take fewer or shorter strings", t.Len(), maxReplay)
	}
	v := &replayView{Parent: t.Parent, Accept: t.Accept, Symbols: n.Symbols, State: make([]int, t.Len())}
	for i, on := range t.On {
		v.On = append(v.On, int(on))
		q := merged.Start
		if i > 0 {
			q = merged.Next(automaton.State(v.State[t.Parent[i]]), on)
		}
		v.State[i] = int(q)
	}
	p, done, err := s.states(r.Context(), n, set, res.Result.Options)
	if err != nil {
		return nil, err
	}
	defer done()
	v.Cosine = cosines(p.Tree(), log)
	for _, step := range log {
		v.Into, v.From = append(v.Into, step.Into), append(v.From, step.From)
	}
	for _, q := range res.of {
		v.Minimal = append(v.Minimal, int(q))
	}
	v.SVG, v.Last = s.sketch(r.Context(), merged), s.sketch(r.Context(), res.d)
	return v, nil
}
