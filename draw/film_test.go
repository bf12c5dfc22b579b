package draw

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
)

// film returns a tree of seven nodes that becomes an automaton of two states.
func film(t *testing.T) *Film {
	g, err := FromDFA(table("+21", "-12"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := &Film{Title: "merging", Last: g, At: []int{0, 1}}
	for i := range 7 {
		f.Nodes = append(f.Nodes, FilmNode{Parent: (i+1)/2 - 1, On: []string{"b", "a"}[i%2], Accept: i%2 == 0, Color: "#aabbcc"})
	}
	f.Steps = [][2]int{{0, 2}, {1, 3}, {0, 4}}
	return f
}

// TestFilm: the pictures have one size, every node that remains keeps its place, and there are
// as many nodes as were not merged.
func TestFilm(t *testing.T) {
	f := film(t)
	frames, err := f.Frames()
	if err != nil {
		t.Fatal(err)
	}
	if frames.Len() != 5 || f.Len() != 5 {
		t.Fatalf("%d pictures", frames.Len())
	}
	circle := regexp.MustCompile(`<circle cx="([^"]+)" cy="([^"]+)" r="20"`)
	head := ""
	places := map[string]bool{}
	for k := range frames.Len() {
		var b bytes.Buffer
		if err := frames.Write(&b, k); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(b.String(), "\n")
		if k > 0 && first != head {
			t.Errorf("picture %d has another size: %s, not %s", k, first, head)
		}
		head = first
		nodes := circle.FindAllString(b.String(), -1)
		if want := []int{7, 6, 5, 4, 2}[k]; len(nodes) != want {
			t.Errorf("picture %d has %d nodes, want %d", k, len(nodes), want)
		}
		for _, n := range nodes {
			if k > 0 && !places[n] {
				t.Errorf("picture %d: %s was at no place before", k, n)
			}
			places[n] = true
		}
	}
	if got := frames.Caption(2); got != "After 2 merges: 5 nodes." {
		t.Error(got)
	}
}

// TestAnimate: all pictures are in it, it is XML, and it needs no script.
func TestAnimate(t *testing.T) {
	frames, err := film(t).Frames()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := frames.Animate(&b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(b.String(), `class="frame`); n != 5 || strings.Contains(b.String(), "<script") {
		t.Errorf("%d pictures", n)
	}
	if n := strings.Count(b.String(), `class="mover"`); n != 3 {
		t.Errorf("%d movements", n)
	}
	if n := strings.Count(b.String(), `class="frame" opacity="0"`); n != 4 {
		t.Errorf("without animation %d of 5 pictures are hidden", n)
	}
}
