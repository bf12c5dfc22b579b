package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/internal/foreign"
	"quotient/word"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// svg returns the picture of d as text.
func svg(t testing.TB, d *automaton.DFA, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Automaton(&b, d, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// laidOut returns the picture of d before it is written.
func laidOut(t testing.TB, d *automaton.DFA, o Options) *picture {
	t.Helper()
	g, err := FromDFA(d, o)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := newGraph(g)
	if err != nil {
		t.Fatal(err)
	}
	return best(ready)
}

func TestGolden(t *testing.T) {
	empty := automaton.NewDFA(word.Letters("ab"), 0)
	for i, d := range append(tomita[:len(tomita):len(tomita)], empty) {
		for _, dead := range []bool{false, true} {
			name := fmt.Sprintf("tomita%d", i+1)
			if d == empty {
				name = "empty"
			}
			if dead {
				name += "-dead"
			}
			t.Run(name, func(t *testing.T) {
				got := svg(t, d, Options{ShowDead: dead})
				golden(t, name, got)
			})
		}
	}
}

// golden compares a picture with the one in testdata, or replaces that.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the picture is not %s; if it is better, run go test ./draw -update", file)
	}
}

// faults counts what is wrong with a picture, by looking at nothing but places.
type faults struct {
	circles  int // pairs of states that touch
	through  int // edges that pass through a state
	detached int // ends of edges that are not on the circle
	onNode   int // labels over states
	onLabel  int // pairs of labels that overlap
	onEdge   int // labels that hide part of another edge
	crossing int // pairs of edges that cross
}

func inspect(p *picture) faults {
	var f faults
	for v, at := range p.at {
		for _, other := range p.at[:v] {
			if at.dist(other) < 2*radius+2 {
				f.circles++
			}
		}
		for _, b := range p.text {
			if b.dist(at) < radius {
				f.onNode++
			}
		}
	}
	for i, c := range p.curve {
		from, to := p.ends(i)
		first, last := c.path[0][0], c.path[len(c.path)-1][3]
		if math.Abs(last.dist(p.at[to])-reach) > 0.5 || i < len(p.Edges) && math.Abs(first.dist(p.at[from])-reach) > 0.5 {
			f.detached++
		}
		line := flatten(c.path, 2)
		for v, at := range p.at {
			limit := radius + 1
			if v == from || v == to {
				limit = radius - 2
			}
			for _, q := range line {
				if q.dist(at) < limit {
					f.through++
					break
				}
			}
		}
		for _, d := range p.curve[:i] {
			if c.box.overlaps(d.box) && meets(c.line, d.line) {
				f.crossing++
			}
		}
		for j, b := range p.text {
			if j == i {
				continue
			}
			for _, q := range line {
				if b.grow(-2).has(q) {
					f.onEdge++
					break
				}
			}
		}
	}
	for i, b := range p.text {
		for _, c := range p.text[:i] {
			if b.overlaps(c.box) {
				f.onLabel++
			}
		}
	}
	return f
}

func meets(a, b []point) bool {
	for i := 1; i < len(a); i++ {
		for j := 1; j < len(b); j++ {
			if cross(a[i-1], a[i], b[j-1], b[j]) {
				return true
			}
		}
	}
	return false
}

func TestTomitaHasNoFaults(t *testing.T) {
	for i, d := range tomita {
		for _, dead := range []bool{false, true} {
			if f := inspect(laidOut(t, d, Options{ShowDead: dead})); f != (faults{}) {
				t.Errorf("tomita%d, dead state shown %v: %+v", i+1, dead, f)
			}
		}
	}
}

// TestRandomFaults bounds the faults in pictures of random automata. What must
// never happen is zero; the rest is counted over all pictures of a size.
func TestRandomFaults(t *testing.T) {
	const pictures = 8
	for _, c := range []struct{ states, through, onNode, onLabel, onEdge, crossing int }{
		{2, 0, 0, 0, 0, 0},
		{4, 0, 0, 0, 1, 0},
		{6, 0, 0, 0, 1, 1},
		{8, 0, 0, 0, 1, 4},
		{12, 0, 0, 0, 1, 6},
		{16, 2, 0, 0, 2, 120},
		{30, 2, 0, 0, 3, 540},
	} {
		var sum faults
		for seed := range pictures {
			f := inspect(laidOut(t, random(rand.New(rand.NewPCG(uint64(seed), 7)), c.states, 2), Options{}))
			sum.circles += f.circles
			sum.detached += f.detached
			sum.through += f.through
			sum.onNode += f.onNode
			sum.onLabel += f.onLabel
			sum.onEdge += f.onEdge
			sum.crossing += f.crossing
		}
		t.Logf("%d states, %d pictures: %+v", c.states, pictures, sum)
		limit := faults{0, c.through, 0, c.onNode, c.onLabel, c.onEdge, c.crossing}
		if sum.circles > 0 || sum.detached > 0 || sum.through > c.through || sum.onNode > c.onNode ||
			sum.onLabel > c.onLabel || sum.onEdge > c.onEdge || sum.crossing > c.crossing {
			t.Errorf("%d states: %+v, at most %+v allowed", c.states, sum, limit)
		}
	}
}

// TestTree: a prefix tree has no crossings and grows to the right.
func TestTree(t *testing.T) {
	for seed := range 5 {
		p := laidOut(t, tree(rand.New(rand.NewPCG(uint64(seed), 3)), 30, 7, 80), Options{})
		if f := inspect(p); f != (faults{}) {
			t.Errorf("seed %d: %+v", seed, f)
		}
		for _, e := range p.Edges {
			if p.at[e.From].x >= p.at[e.To].x {
				t.Errorf("seed %d: %s is not to the left of %s", seed, p.Nodes[e.From].Name, p.Nodes[e.To].Name)
			}
		}
	}
}

// TestProportions: whatever is drawn, the picture is neither a hair line nor a wall, and
// chains are folded into rows.
func TestProportions(t *testing.T) {
	for name, d := range map[string]*automaton.DFA{
		"a chain":                chain(30),
		"a longer chain":         chain(200),
		"a cycle":                cycle(40),
		"many states, many arcs": random(rand.New(rand.NewPCG(1, 1)), 199, 7),
	} {
		p := laidOut(t, d, Options{})
		b := p.bounds()
		width, height := b.x1-b.x0, b.y1-b.y0
		t.Logf("%s: %.0f × %.0f", name, width, height)
		if ratio := width / height; ratio > 6 || ratio < 1.0/3 {
			t.Errorf("%s: %.0f × %.0f", name, width, height)
		}
		if width*height > 60_000*float64(len(p.at))+4e6 {
			t.Errorf("%s: %.0f × %.0f is too large for %d states", name, width, height, len(p.at))
		}
		if len(d.Row(1)) > 2 {
			continue
		}
		if f := inspect(p); f != (faults{}) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// cycle returns an automaton that counts a's modulo n.
func cycle(n int) *automaton.DFA {
	d := chain(n)
	d.SetNext(automaton.State(n), 0, 1)
	return d
}

func TestLanguages(t *testing.T) {
	through, pictures := 0, 0
	for i, file := range foreign.Files(t, "languages", "mlregtest", "*.att") {
		if i%3 > 0 { // a third of them, to be done in a second
			continue
		}
		p := laidOut(t, readATT(t, file), Options{})
		f := inspect(p)
		if f.circles > 0 || f.detached > 0 {
			t.Errorf("%s: %+v", filepath.Base(file), f)
		}
		through += f.through
		pictures++
	}
	t.Logf("%d pictures, %d edges through states", pictures, through)
	if through > pictures {
		t.Errorf("%d edges through states in %d pictures", through, pictures)
	}
}

// nasty generates names that make trouble in XML and in labels.
func nasty() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"<", "&", ">", `"`, "'", "]]>", "<!--", "\x00", "\x1b", "\uFFFE", "\uFFFF", "\u2028", ",", "–", "Σ", "ε", " ", "\n", "漢字", "<s>", "NP", "é", "e\u0301", "🙂"}),
		rapid.StringN(1, 12, -1).Filter(func(s string) bool { return s != "" }),
	)
}

// TestWellFormed: whatever the names, the output is XML that holds every name.
func TestWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(nasty(), 1, 6, rapid.ID).Draw(t, "names")
		a, err := word.NewAlphabet(names...)
		if err != nil {
			t.Skip(err)
		}
		d := automaton.NewDFA(a, 2)
		for q := range 2 {
			for s := range names {
				d.SetNext(automaton.State(q+1), word.Symbol(s), automaton.State(rapid.IntRange(0, 2).Draw(t, "to")))
			}
		}
		var b bytes.Buffer
		title := rapid.String().Draw(t, "title")
		if err := Automaton(&b, d, Options{Title: title, ShowDead: true}); err != nil {
			t.Fatal(err)
		}
		text := characters(t, b.Bytes())
		for s, name := range names {
			to := d.Next(1, word.Symbol(s))
			if to != automaton.Dead && !strings.Contains(text, symbolName(name)) && !strings.Contains(text, "–") {
				t.Errorf("no %s in %q", symbolName(name), text)
			}
		}
	})
}

type fataler interface{ Fatalf(string, ...any) }

// characters returns the text of an XML document, and fails if it is not one.
func characters(t fataler, document []byte) string {
	var text strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(document)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return text.String()
		}
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		if c, ok := token.(xml.CharData); ok {
			text.Write(c)
		}
	}
}

func TestDeterministic(t *testing.T) {
	for _, n := range []int{1, 5, 9, 20} {
		d := random(rand.New(rand.NewPCG(5, uint64(n))), n, 3)
		first, second := svg(t, d, Options{}), svg(t, d, Options{})
		if first != second {
			t.Errorf("two pictures of one automaton with %d states differ", n)
		}
	}
}

// TestNumbering: the numbers of the states do not matter, only their order of discovery.
func TestNumbering(t *testing.T) {
	for seed := range 5 {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		d := random(r, 9, 2)
		e := automaton.NewDFA(d.Alphabet, 9)
		number := []automaton.State{automaton.Dead}
		for _, i := range r.Perm(9) {
			number = append(number, automaton.State(i+1))
		}
		e.Start = number[d.Start]
		for q, accept := range d.Accept {
			e.Accept[number[q]] = accept
			for s, to := range d.Row(automaton.State(q)) {
				e.SetNext(number[q], word.Symbol(s), number[to])
			}
		}
		if svg(t, d, Options{}) != svg(t, e, Options{}) {
			t.Errorf("seed %d: renumbered by %v the picture is another", seed, number)
		}
	}
}

func TestDescription(t *testing.T) {
	unreachable := table("+10", "-00")
	for _, c := range []struct {
		d    *automaton.DFA
		o    Options
		want string
	}{
		{tomita[1], Options{}, "A deterministic finite automaton with 2 states over {a, b}. It starts in q0. Accepting: q0. The dead state and 2 transitions to it are not shown."},
		{tomita[1], Options{ShowDead: true}, "A deterministic finite automaton with 2 states over {a, b}. It starts in q0. Accepting: q0."},
		{tomita[4], Options{}, "A deterministic finite automaton with 4 states over {a, b}. It starts in q0. Accepting: q0."},
		{table("-00"), Options{}, "A deterministic finite automaton with 1 state over {a, b}. It starts in q0. No state accepts. The dead state and 2 transitions to it are not shown."},
		{unreachable, Options{ShowDead: true}, "A deterministic finite automaton with 2 states over {a, b}. It starts in q0. Accepting: q0. From the start 1 state cannot be reached."},
		{unreachable, Options{}, "A deterministic finite automaton with 2 states over {a, b}. It starts in q0. Accepting: q0. From the start 1 state cannot be reached. The dead state and 3 transitions to it are not shown."},
		{automaton.NewDFA(word.Letters("ab"), 0), Options{}, "A finite automaton over {a, b} that accepts nothing: the empty language, ∅."},
	} {
		if got := svg(t, c.d, c.o); !strings.Contains(got, "<desc>"+c.want+"</desc>") {
			t.Errorf("%s\nlacks %s", got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	dense := automaton.NewDFA(word.Letters("abcdefghijklmnopqrstuvwxyz"), 300)
	r := rand.New(rand.NewPCG(1, 1))
	for i := 26; i < len(dense.Table); i++ {
		dense.Table[i] = automaton.State(1 + r.IntN(300))
	}
	for _, c := range []struct {
		d    *automaton.DFA
		want string
	}{
		{chain(10_000), "drawing an automaton: more than 500 states; minimize the automaton, or write it as DOT for a layout program"},
		{dense, "drawing an automaton: more than 1500 edges; minimize the automaton, or write it as DOT for a layout program"},
	} {
		err := Automaton(io.Discard, c.d, Options{})
		var limit *automaton.LimitError
		if !errors.As(err, &limit) || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// TestLargest draws what the limits allow at the worst: many states, many edges,
// and long edges in many layers. It is here to end at all.
func TestLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	back := chain(MaxStates) // every state also leads back to the start
	for q := 1; q <= MaxStates; q++ {
		back.SetNext(automaton.State(q), 1, 1)
	}
	for name, d := range map[string]*automaton.DFA{
		"random": random(rand.New(rand.NewPCG(1, 1)), MaxStates, 2),
		"dense":  random(rand.New(rand.NewPCG(1, 1)), 70, 26),
		"back":   back,
	} {
		if picture := svg(t, d, Options{}); len(picture) == 0 {
			t.Errorf("%s: nothing was drawn", name)
		}
	}
}

func BenchmarkAutomaton(b *testing.B) {
	for _, n := range []int{4, 10, 50, 100, 200} {
		d := random(rand.New(rand.NewPCG(1, 1)), n, 2)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if err := Automaton(io.Discard, d, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
