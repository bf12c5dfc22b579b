package web

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
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
	places string          // of whole: where states are wanted; see places.go
}

const (
	readable = 60  // states that are drawn as a whole unasked, with at most twice as many lines
	crowd    = 100 // transitions that a neighborhood has at most, about
)

func readLook(q url.Values) (look, error) {
	l := look{view: q.Get("view"), dead: q.Get("dead") == "1", focus: 1, places: q.Get("places")}
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
	SVG   string              `json:"svg"`
	View  string              `json:"view"`
	Cut   []automaton.State   `json:"cut,omitempty"`   // states with transitions to or from others that are not shown
	Parts [][]automaton.State `json:"parts,omitempty"` // of a collapsed picture: the states of each node
	Note  string              `json:"note,omitempty"`  // why the view is another one than was asked for
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
	l.focus = min(l.focus, automaton.State(d.Len()))
	if l.view != whole {
		l.places = ""
	}
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
	o := draw.Options{Parts: true}
	graph := func() (*draw.Graph, error) { return draw.FromDFA(d, draw.Options{ShowDead: l.dead, Name: stateName}) }
	var err error
	switch l.view {
	case whole:
		if o.Places, err = readPlaces(l.places, d); err != nil {
			return nil, err
		}
	case near: // without the dead state: transitions to what is not shown would seem to lead there
		most := min(max(crowd/max(d.Alphabet.Len(), 1), 8), 40) // states; with more the lines hide them
		states := d.Neighborhood(l.focus, l.radius, most)
		g.Cut = d.Boundary(states)
		graph = func() (*draw.Graph, error) {
			old := func(q automaton.State) string { return stateName(states[q-1]) }
			return draw.FromDFA(automaton.Restrict(d, states), draw.Options{Name: old})
		}
	case collapsed:
		g.Parts = groups(d, weight)
		graph = func() (*draw.Graph, error) { return collapse(d, g.Parts), nil }
	}
	g.SVG, err = s.pictures.Get(ctx, fmt.Sprint(l, fingerprint(d), g.Parts), func(context.Context) (string, error) {
		shown, err := graph()
		if err != nil {
			return "", err
		}
		var b strings.Builder
		err = draw.SVG(&b, shown, o)
		return b.String(), err
	})
	return g, err
}

// stateName returns what a state is called, in pictures and elsewhere on the page.
func stateName(q automaton.State) string { return fmt.Sprintf("q%d", q-1) }

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

// groups returns which states of an automaton are one node in a collapsed picture.
func groups(d *automaton.DFA, weight []int) [][]automaton.State {
	const few = 24 // states that are shown one by one
	components := d.Components()
	if n := len(components); n == 1 || n > few { // all in one says as little as all apart
		return d.Lump(weight, few)
	}
	return components
}

// collapse returns the graph of an automaton with one node for each group of states.
// Transitions within a group of several are not shown.
func collapse(d *automaton.DFA, groups [][]automaton.State) *draw.Graph {
	g := &draw.Graph{}
	of := make([]int, d.Len()+1)
	for i, group := range groups {
		n := draw.Node{ID: i + 1, Name: stateName(group[0])}
		if len(group) > 1 {
			n.Name = fmt.Sprintf("×%d", len(group))
		}
		for _, q := range group {
			of[q] = i
			n.Accept = n.Accept || d.Accept[q]
		}
		g.Nodes = append(g.Nodes, n)
	}
	for i, group := range groups {
		on := map[int][]string{} // symbols that lead to each group
		for s, symbol := range d.Alphabet.Names() {
			symbol = word.QuoteName(symbol)
			for _, q := range group {
				to := d.Next(q, word.Symbol(s))
				j := of[to]
				if to == automaton.Dead || i == j && len(group) > 1 {
					continue
				}
				if n := len(on[j]); n == 0 || on[j][n-1] != symbol {
					on[j] = append(on[j], symbol)
				}
			}
		}
		for _, j := range slices.Sorted(maps.Keys(on)) {
			g.Edges = append(g.Edges, draw.Edge{From: i, To: j, Label: strings.Join(on[j], ", ")})
		}
	}
	g.BreadthFirst(0)
	g.Title = fmt.Sprintf("A finite automaton with %d states in %d groups", d.Len(), len(groups))
	g.Description = "Nodes with a number stand for so many states. Transitions within such a group, and to the dead state, are not shown."
	return g
}
