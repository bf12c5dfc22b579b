package draw

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Film is a tree whose nodes are merged one after the other, and at last the automaton that
// comes of it. What is not merged keeps its place from picture to picture.
type Film struct {
	Title string
	Nodes []FilmNode // parents come before their children; the first is the root
	Steps [][2]int   // in each, the second node is merged into the first; both stand for what was merged into them
	Last  *Graph     // the automaton; nil: the last step is the end
	At    []int      // the node at whose place each state of Last stands
}

// A FilmNode is a node of the tree.
type FilmNode struct {
	Parent int    // -1: none
	On     string // what leads to it from there
	Accept bool
	Color  string // as #rrggbb
}

// Len returns the number of pictures.
func (f *Film) Len() int {
	n := 1 + len(f.Steps)
	if f.Last != nil {
		n++
	}
	return n
}

// Frames lays out all pictures, which have the same size.
func (f *Film) Frames() (*Frames, error) {
	at := f.places()
	x := &Frames{film: f, at: at}
	into := make([]int, len(f.Nodes))
	for n := range into {
		into[n] = n
	}
	for k := range f.Len() {
		if k > 0 && k <= len(f.Steps) {
			step := f.Steps[k-1]
			for n, r := range into {
				if r == step[1] {
					into[n] = step[0]
				}
			}
		}
		g, places := f.merged(into, at)
		if k > len(f.Steps) {
			g, places = *f.Last, nil
			for _, n := range f.At {
				places = append(places, at[n])
			}
		}
		ready, err := newGraph(&g)
		if err != nil {
			return nil, err
		}
		p := plainPicture(ready, places, manyBends)
		if k == 0 {
			x.bounds = p.bounds()
		}
		x.pictures, x.bounds = append(x.pictures, p), x.bounds.union(p.bounds())
	}
	return x, nil
}

// merged returns the graph of the nodes that remain, and their places.
func (f *Film) merged(into []int, at []point) (Graph, []point) {
	g := Graph{Title: f.Title, Description: "A prefix tree that is being merged."}
	var places []point
	number := make([]int, len(into))
	for n, node := range f.Nodes {
		if into[n] == n {
			number[n] = len(places)
			g.Nodes, places = append(g.Nodes, Node{ID: n, Accept: node.Accept, Fill: node.Color}), append(places, at[n])
		}
	}
	labels := map[[2]int][]string{}
	for n, node := range f.Nodes[1:] {
		e := [2]int{number[into[node.Parent]], number[into[n+1]]}
		if labels[e] == nil {
			g.Edges = append(g.Edges, Edge{From: e[0], To: e[1]})
		}
		if !slices.Contains(labels[e], node.On) {
			labels[e] = append(labels[e], node.On)
		}
	}
	for i, e := range g.Edges {
		list := labels[[2]int{e.From, e.To}]
		slices.Sort(list)
		g.Edges[i].Label = strings.Join(list, ", ")
	}
	return g, places
}

// places puts the tree's leaves below each other, and every other node level with the middle
// of its children.
func (f *Film) places() []point {
	children := make([][]int, len(f.Nodes))
	at := make([]point, len(f.Nodes))
	for n, node := range f.Nodes[1:] {
		children[node.Parent] = append(children[node.Parent], n+1)
		at[n+1].x = at[node.Parent].x + 110
	}
	const down = 50
	next := 0.0
	var put func(n int)
	put = func(n int) { // no deeper than the tree, whose nodes are MaxStates at most
		for _, c := range children[n] {
			put(c)
		}
		if k := len(children[n]); k > 0 {
			at[n].y = (at[children[n][0]].y + at[children[n][k-1]].y) / 2
			return
		}
		at[n].y = next
		next += down
	}
	put(0)
	return at
}

// Frames are the pictures of a film.
type Frames struct {
	film     *Film
	at       []point // of the nodes of the tree
	pictures []*picture
	bounds   box
}

// Len returns their number.
func (x *Frames) Len() int { return len(x.pictures) }

// Write writes picture k as SVG.
func (x *Frames) Write(w io.Writer, k int) error {
	b := bufio.NewWriter(w)
	openSVG(b, x.bounds, "", x.film.Title, x.Caption(k))
	writePaper(b, x.bounds)
	writeGraph(b, x.pictures[k], false)
	b.WriteString("</svg>\n")
	return b.Flush()
}

// Caption says what picture k shows.
func (x *Frames) Caption(k int) string {
	switch {
	case k == 0:
		return fmt.Sprintf("The prefix tree: %s.", count(len(x.film.Nodes), "node"))
	case k > len(x.film.Steps):
		return fmt.Sprintf("The automaton, minimized: %s.", count(len(x.film.Last.Nodes), "state"))
	}
	return fmt.Sprintf("After %s: %s.", count(k, "merge"), count(len(x.film.Nodes)-k, "node"))
}

// Times of an animation, in seconds.
const (
	frameTime = 0.9 // of a picture, the movement to the next included
	moveTime  = 0.5
	restTime  = 3 // of the first and the last picture
)

// Animate writes all pictures as one that moves, over and over. It needs no script, so it
// moves where an SVG is shown as an image, too. Who prefers less motion, or uses a program that
// knows no animations, sees the last picture.
func (x *Frames) Animate(w io.Writer) error {
	b := bufio.NewWriter(w)
	openSVG(b, x.bounds, "", x.film.Title, "The nodes of a prefix tree are merged one after the other until the automaton is left.")
	starts, total := x.times()
	b.WriteString("<style>\n@media (prefers-reduced-motion: reduce) { .frame, .mover { animation: none !important; } }\n")
	for k := range x.pictures {
		from, to := 100*starts[k]/total, 100.0
		if k+1 < len(starts) {
			to = 100 * starts[k+1] / total
		}
		fmt.Fprintf(b, "@keyframes f%d { 0%% { opacity: %d } %.3f%% { opacity: 1 } %.3f%% { opacity: 0 } }\n", k, map[bool]int{true: 1}[k == 0], from, min(to, 100))
	}
	b.WriteString("</style>\n")
	writePaper(b, x.bounds)
	for k, p := range x.pictures {
		hidden := ` opacity="0"`
		if k == len(x.pictures)-1 {
			hidden = ""
		}
		fmt.Fprintf(b, `<g class="frame"%s style="animation: f%d %.1fs step-end infinite">`+"\n", hidden, k, total)
		writeGraph(b, p, false)
		b.WriteString("</g>\n")
	}
	for k := range x.film.Steps {
		x.writeMover(b, k, starts[k+1], total)
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// times returns when each picture begins, and how long all take.
func (x *Frames) times() (starts []float64, total float64) {
	for k := range x.pictures {
		starts = append(starts, total)
		total += frameTime
		if k == 0 || k == len(x.pictures)-1 {
			total += restTime - frameTime
		}
	}
	return starts, total
}

// writeMover writes the circle that slides to where it is merged just before the picture
// changes.
func (x *Frames) writeMover(w *bufio.Writer, k int, end, total float64) {
	step := x.film.Steps[k]
	a, b := x.at[step[1]], x.at[step[0]]
	leave, stop := 100*(end-moveTime)/total, 100*end/total
	place := func(p point) string { return fmt.Sprintf("transform: translate(%spx, %spx)", num(p.x), num(p.y)) }
	fmt.Fprintf(w, "<style>@keyframes m%d { 0%%, %.3f%% { opacity: 0; %s } %.3f%% { opacity: 0.9; %s } %.3f%% { opacity: 0.9; %s } %.3f%%, 100%% { opacity: 0; %s } }</style>",
		k, leave-0.01, place(a), leave, place(a), stop, place(b), min(stop+0.01, 100), place(b))
	fmt.Fprintf(w, `<g class="mover" opacity="0" style="animation: m%d %.1fs linear infinite"><circle r="%s" fill="%s" stroke="%s" stroke-width="2"/></g>`+"\n",
		k, total, num(radius), x.film.Nodes[step[1]].Color, minusInk)
}
