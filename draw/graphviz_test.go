package draw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quotient/internal/foreign"
)

// A tally is what a reader stumbles over in a picture.
type tally struct {
	Crossings int `json:"crossings"` // pairs of edges that cross
	Near      int `json:"near"`      // labels that touch an edge that is not theirs
	Overlaps  int `json:"overlaps"`  // labels that overlap another label, or a state
}

// A drawing is a picture by whomever, in the units of this package.
type drawing struct {
	at    []point   // centers of states
	lines [][]point // of the edges, finely cut
	text  []box     // of the letters of their labels
}

func (d drawing) tally() tally {
	var t tally
	for i, b := range d.text {
		for j, c := range d.text[:i] {
			if b.overlaps(c) {
				t.Overlaps++
			}
			if bounds(d.lines[i]).overlaps(bounds(d.lines[j])) && meets(d.lines[i], d.lines[j]) {
				t.Crossings++
			}
		}
		for _, at := range d.at {
			if b.dist(at) < radius {
				t.Overlaps++
			}
		}
		if d.nearForeign(i) {
			t.Near++
		}
	}
	return t
}

// nearForeign reports whether an edge other than its own comes within a unit of label i.
func (d drawing) nearForeign(i int) bool {
	for j, line := range d.lines {
		for _, q := range line {
			if j != i && d.text[i].grow(1).has(q) {
				return true
			}
		}
	}
	return false
}

// letters is where a label can be seen, whoever placed it.
func letters(label string, center point) box { return around(center, textWidth(label)-2, 12) }

func (p *picture) drawing() drawing {
	d := drawing{at: p.at}
	for i, e := range p.Edges {
		b := p.text[i]
		d.lines = append(d.lines, flatten(p.curve[i].path, 3))
		d.text = append(d.text, letters(e.Short, point{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2}))
	}
	return d
}

// graphviz lets dot draw the same graph: circles of the same size, letters of the same size.
func graphviz(t *testing.T, g *graph) drawing {
	var b bytes.Buffer
	fmt.Fprintf(&b, "digraph { rankdir=LR; node [shape=circle fixedsize=true width=%.3f]; edge [fontname=Times fontsize=%.0f];\n", 2*radius/72, fontSize)
	b.WriteString("s [shape=none width=0.01 height=0.01]; s -> 0;\n")
	for i, e := range g.Edges {
		fmt.Fprintf(&b, "%d -> %d [label=%q id=%d];\n", e.From, e.To, e.Short, i)
	}
	b.WriteString("}\n")
	cmd := exec.Command("dot", "-Tjson")
	cmd.Stdin = &b
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Objects []struct{ Name, Pos string }
		Edges   []struct{ ID, Pos, LP string }
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	d := drawing{at: make([]point, len(g.Nodes)), lines: make([][]point, len(g.Edges)), text: make([]box, len(g.Edges))}
	for _, o := range got.Objects {
		if v, err := strconv.Atoi(o.Name); err == nil {
			d.at[v] = parsePoint(o.Pos)
		}
	}
	for _, e := range got.Edges {
		if i, err := strconv.Atoi(e.ID); err == nil {
			d.lines[i] = parseSpline(e.Pos)
			d.text[i] = letters(g.Edges[i].Short, parsePoint(e.LP))
		}
	}
	return d
}

func parsePoint(s string) (p point) {
	x, y, _ := strings.Cut(s, ",")
	p.x, _ = strconv.ParseFloat(x, 64)
	p.y, _ = strconv.ParseFloat(y, 64)
	return p
}

// parseSpline reads the path of an edge: its tip, and then the points of its cubics.
func parseSpline(s string) []point {
	var tip, knots []point
	for _, f := range strings.Fields(s) {
		if rest, ok := strings.CutPrefix(f, "e,"); ok {
			tip = []point{parsePoint(rest)}
			continue
		}
		knots = append(knots, parsePoint(f))
	}
	var path []cubic
	for i := 0; i+3 < len(knots); i += 3 {
		path = append(path, cubic(knots[i:i+4]))
	}
	return append(flatten(path, 3), tip...)
}

// TestGraphviz: on every language there is, the picture has no more crossings, no more
// labels at foreign edges and no more overlapping labels than the one that dot draws of the
// same graph. What dot does was recorded with Graphviz 2.43; -update does so again where it
// is installed.
func TestGraphviz(t *testing.T) {
	if testing.Short() {
		t.Skip("takes many seconds")
	}
	files := append(foreign.Files(t, "languages", "mlregtest", "*.att"), foreign.Files(t, "languages", "r16.att")...)
	const record = "testdata/graphviz.json"
	theirs := map[string]tally{}
	data, err := os.ReadFile(record)
	if err == nil {
		err = json.Unmarshal(data, &theirs)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".att")
		p := laidOut(t, readATT(t, file), Options{})
		if *update {
			theirs[name] = graphviz(t, p.graph).tally()
		}
		ours, theirs := p.drawing().tally(), theirs[name]
		t.Logf("%-18s %3d states, ours %v, Graphviz %v", name, len(p.Nodes), ours, theirs)
		if ours.Crossings > theirs.Crossings || ours.Near > theirs.Near || ours.Overlaps > theirs.Overlaps {
			t.Errorf("%s: ours %+v, Graphviz %+v", name, ours, theirs)
		}
	}
	if *update {
		data, _ := json.MarshalIndent(theirs, "", " ")
		if err := os.WriteFile(record, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
