package web

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"quotient/automaton"
	"quotient/draw"
	"quotient/word"
)

// Views of an automaton.
const (
	whole     = "whole"     // all states
	near      = "near"      // those around one of them
	collapsed = "collapsed" // one node for all states that lead to each other, or for those of little weight
)

// A look is how an automaton is drawn.
type look struct {
	view   string // empty: whole if it is small, near the start otherwise
	dead   bool
	focus  automaton.State // of near
	radius int             // of near: steps there or back
}

const (
	readable = 60  // states that are drawn as a whole unasked, with at most twice as many lines
	crowd    = 100 // transitions that a neighborhood has at most, about
)

func readLook(q url.Values) (look, error) {
	l := look{view: q.Get("view"), dead: q.Get("dead") == "1", focus: 1}
	if l.view != "" && l.view != whole && l.view != near && l.view != collapsed {
		return l, badf("no view is called %q; there are %s, %s and %s", l.view, whole, near, collapsed)
	}
	var err error
	if l.radius, err = count(q, "radius", 2, 20); err != nil {
		return l, err
	}
	focus, err := count(q, "focus", 1, automaton.DefaultLimit)
	l.focus = automaton.State(focus)
	return l, err
}

// A drawing is a picture, and how states of the picture are states of the automaton.
type drawing struct {
	SVG   string  `json:"svg"`
	View  string  `json:"view"`
	Cut   []int   `json:"cut,omitempty"`   // states with transitions to or from others that are not shown
	Parts [][]int `json:"parts,omitempty"` // of a collapsed picture: the states of each node
	Note  string  `json:"note,omitempty"`  // why the view is another one than was asked for
}

// draw draws an automaton; what is too large to be drawn whole is drawn in part. The
// weight of a state is how often words pass it.
func (s *Server) draw(ctx context.Context, d *automaton.DFA, weight []int, l look) (*drawing, error) {
	if l.view == "" {
		l.view = whole
		if d.Len() > readable || arrows(d) > 2*readable {
			l.view = near
		}
	}
	l.focus = min(l.focus, automaton.State(max(d.Len(), 1)))
	g, err := s.drawAs(ctx, d, weight, l)
	var limit *automaton.LimitError
	if errors.As(err, &limit) && l.view != near {
		note := fmt.Sprintf("%s is too large to be read: there are more than %d %s", l.view, limit.Limit, limit.What)
		l.view = near
		if g, err = s.drawAs(ctx, d, weight, l); g != nil {
			g.Note = note
		}
	}
	return g, err
}

func (s *Server) drawAs(ctx context.Context, d *automaton.DFA, weight []int, l look) (*drawing, error) {
	g := &drawing{View: l.view}
	o := draw.Options{ShowDead: l.dead, Parts: true, Name: func(q automaton.State) string { return fmt.Sprintf("q%d", q-1) }}
	switch l.view {
	case near:
		d, o.Name, g.Cut = neighborhood(d, l)
		o.ShowDead = false // transitions to what is not shown would seem to lead there
	case collapsed:
		d, o.Name, o.Label, g.Parts = collapse(d, weight)
		o.ShowDead = false
	}
	var err error
	g.SVG, err = s.pictures.get(ctx, fmt.Sprint(l, fingerprint(d)), func(context.Context) (string, error) {
		var b strings.Builder
		err := draw.Automaton(&b, d, o)
		return b.String(), err
	})
	return g, err
}

// arrows counts the pairs of states that a drawing joins.
func arrows(d *automaton.DFA) int {
	n := 0
	for q := automaton.State(1); int(q) <= d.Len(); q++ {
		row := slices.Clone(d.Row(q))
		slices.Sort(row)
		for _, to := range slices.Compact(row) {
			if to != automaton.Dead {
				n++
			}
		}
	}
	return n
}

// sketch returns the drawing of a whole automaton, or nothing if it is too large.
func (s *Server) sketch(ctx context.Context, d *automaton.DFA) string {
	g, err := s.drawAs(ctx, d, nil, look{view: whole})
	if err != nil {
		return ""
	}
	return g.SVG
}

// fingerprint names an automaton for the cache.
func fingerprint(d *automaton.DFA) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q", d.Alphabet.Names())
	binary.Write(h, binary.LittleEndian, d.Start)
	binary.Write(h, binary.LittleEndian, d.Accept)
	binary.Write(h, binary.LittleEndian, d.Table)
	return [sha256.Size]byte(h.Sum(nil))
}

// neighborhood returns the part of an automaton that lies within some steps of a
// state, there or back, what its states are called, and which of them have
// transitions to states outside or from there.
func neighborhood(d *automaton.DFA, l look) (part *automaton.DFA, name func(automaton.State) string, cut []int) {
	back := make([][]automaton.State, d.Len()+1) // the states before each
	for q := 1; q <= d.Len(); q++ {
		for _, to := range d.Row(automaton.State(q)) {
			back[to] = append(back[to], automaton.State(q))
		}
	}
	number := map[automaton.State]automaton.State{} // in the part
	var states []automaton.State
	most := min(max(crowd/max(d.Alphabet.Len(), 1), 8), 40) // states; with more the lines hide them
	add := func(q automaton.State) {
		if _, met := number[q]; !met && q != automaton.Dead && len(states) < most {
			states = append(states, q)
			number[q] = automaton.State(len(states))
		}
	}
	add(l.focus)
	for step, from := 0, 0; step < l.radius; step++ {
		for upTo := len(states); from < upTo; from++ {
			for _, q := range d.Row(states[from]) {
				add(q)
			}
			for _, q := range back[states[from]] {
				add(q)
			}
		}
	}
	part = automaton.NewDFA(d.Alphabet, len(states))
	for i, q := range states {
		p := automaton.State(i + 1)
		part.Accept[p] = d.Accept[q]
		outside := func(r automaton.State) bool { return r != automaton.Dead && number[r] == 0 }
		for s, to := range d.Row(q) {
			part.SetNext(p, word.Symbol(s), number[to])
		}
		if slices.ContainsFunc(d.Row(q), outside) || slices.ContainsFunc(back[q], outside) {
			cut = append(cut, int(q))
		}
	}
	return part, func(q automaton.State) string { return fmt.Sprintf("q%d", states[q-1]-1) }, cut
}

// collapse returns the automaton with groups of its states as one node each, and which
// states each stands for. Its symbol j leads to node j+1, whatever is read; the labels
// are the symbols that are.
func collapse(d *automaton.DFA, weight []int) (c *automaton.DFA, name func(automaton.State) string, label func(from, to automaton.State) string, parts [][]int) {
	of := components(d)
	if n := slices.Max(of); n == 1 || n > few { // all in one says as little as all apart
		of = remainders(d, weight)
	}
	for q := 1; q <= d.Len(); q++ {
		for len(parts) < of[q] {
			parts = append(parts, nil)
		}
		parts[of[q]-1] = append(parts[of[q]-1], q)
	}
	names := make([]string, len(parts))
	for i := range names {
		names[i] = fmt.Sprint("part ", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		panic("web: " + err.Error())
	}
	c = automaton.NewDFA(a, len(parts))
	on := map[[2]int]map[word.Symbol]bool{}
	for q := 1; q <= d.Len(); q++ {
		from := of[q]
		c.Accept[from] = c.Accept[from] || d.Accept[q]
		for s, to := range d.Row(automaton.State(q)) {
			if to == automaton.Dead || of[to] == from && len(parts[from-1]) > 1 {
				continue
			}
			c.SetNext(automaton.State(from), word.Symbol(of[to]-1), automaton.State(of[to]))
			pair := [2]int{from, of[to]}
			if on[pair] == nil {
				on[pair] = map[word.Symbol]bool{}
			}
			on[pair][word.Symbol(s)] = true
		}
	}
	name = func(q automaton.State) string {
		if states := parts[q-1]; len(states) > 1 {
			return fmt.Sprintf("×%d", len(states))
		}
		return fmt.Sprintf("q%d", parts[q-1][0]-1)
	}
	label = func(from, to automaton.State) string {
		var symbols []string
		for s := range d.Alphabet.Len() {
			if on[[2]int{int(from), int(to)}][word.Symbol(s)] {
				symbols = append(symbols, word.QuoteName(d.Alphabet.Name(word.Symbol(s))))
			}
		}
		return strings.Join(symbols, ", ")
	}
	return c, name, label, parts
}

// few is how many states a collapsed drawing shows one by one.
const few = 24

// remainders groups states: the start and those of greatest weight stay alone, and the
// others are together where transitions join them. Groups are numbered from 1 in the
// order of their first states.
func remainders(d *automaton.DFA, weight []int) []int {
	order := make([]automaton.State, 0, d.Len())
	for q := 1; q <= d.Len(); q++ {
		order = append(order, automaton.State(q))
	}
	slices.SortStableFunc(order, func(p, q automaton.State) int {
		if (p == d.Start) != (q == d.Start) {
			if p == d.Start {
				return -1
			}
			return 1
		}
		return weight[q] - weight[p]
	})
	alone := make([]bool, d.Len()+1)
	for _, q := range order[:min(few, len(order))] {
		alone[q] = true
	}
	group := make([]automaton.State, d.Len()+1) // union-find
	for q := range group {
		group[q] = automaton.State(q)
	}
	find := func(q automaton.State) automaton.State {
		for group[q] != q {
			group[q] = group[group[q]]
			q = group[q]
		}
		return q
	}
	for q := automaton.State(1); int(q) <= d.Len(); q++ {
		for _, to := range d.Row(q) {
			if to != automaton.Dead && !alone[q] && !alone[to] {
				group[find(to)] = find(q)
			}
		}
	}
	of, number := make([]int, d.Len()+1), map[automaton.State]int{}
	for q := 1; q <= d.Len(); q++ {
		root := find(automaton.State(q))
		if number[root] == 0 {
			number[root] = len(number) + 1
		}
		of[q] = number[root]
	}
	return of
}

// components returns the strongly connected component of every state, numbered from
// 1 in the order of their first states. It is the algorithm of Tarjan (1972), with a
// stack of its own, since paths can be long.
func components(d *automaton.DFA) []int {
	n := d.Len() + 1
	of, low, met := make([]int, n), make([]int, n), make([]int, n)
	type visit struct {
		q    automaton.State
		next int // the symbol to follow
	}
	var calls []visit
	var open []automaton.State
	clock := 0
	enter := func(q automaton.State) {
		clock++
		met[q], low[q] = clock, clock
		open = append(open, q)
		calls = append(calls, visit{q, 0})
	}
	const closed = -1
	for root := 1; root < n; root++ {
		if met[root] > 0 {
			continue
		}
		enter(automaton.State(root))
		for len(calls) > 0 {
			v := &calls[len(calls)-1]
			row := d.Row(v.q)
			if v.next < len(row) {
				to := row[v.next]
				v.next++
				switch {
				case to == automaton.Dead:
				case met[to] == 0:
					enter(to)
				case of[to] != closed:
					low[v.q] = min(low[v.q], met[to])
				}
				continue
			}
			q := v.q
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				caller := calls[len(calls)-1].q
				low[caller] = min(low[caller], low[q])
			}
			if low[q] == met[q] {
				for {
					last := open[len(open)-1]
					open = open[:len(open)-1]
					of[last], low[last] = closed, met[q] // low now names the component
					if last == q {
						break
					}
				}
			}
		}
	}
	number := map[int]int{}
	for q := 1; q < n; q++ {
		if number[low[q]] == 0 {
			number[low[q]] = len(number) + 1
		}
		of[q] = number[low[q]]
	}
	return of
}
