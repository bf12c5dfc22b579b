package draw

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/word"
)

// groups returns the attributes of every group of a class, in their order.
func groups(t *testing.T, svg, class string) []map[string]string {
	t.Helper()
	var found []map[string]string
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "g" {
			attributes := map[string]string{}
			for _, a := range e.Attr {
				attributes[a.Name.Local] = a.Value
			}
			if attributes["class"] == class {
				found = append(found, attributes)
			}
		}
	}
}

// With Parts, every state is one group and every edge two, its line and its label;
// names and labels are those that were asked for, whatever is in them.
func TestParts(t *testing.T) {
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.SetNext(1, 0, 2)
	d.SetNext(2, 0, 1)
	d.SetNext(2, 1, 2)
	g, err := FromDFA(d, Options{Name: func(q automaton.State) string { return fmt.Sprintf(`<"%d`, 10*q) }})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range g.Edges {
		g.Edges[i].Label, g.Edges[i].Short = fmt.Sprintf("%d & %d", g.Nodes[e.From].ID, g.Nodes[e.To].ID), ""
	}
	var b strings.Builder
	if err := SVG(&b, g, Options{Parts: true}); err != nil {
		t.Fatal(err)
	}
	states := groups(t, b.String(), "state")
	if len(states) != 2 || states[0]["data-state"] != "1" || states[1]["data-name"] != `<"20` {
		t.Errorf("states %v", states)
	}
	if edges := groups(t, b.String(), "edge"); len(edges) != 6 || edges[0]["data-from"] != "1" || edges[0]["data-to"] != "2" {
		t.Errorf("edges %v", edges)
	}
	for _, text := range []string{`>&lt;"<tspan`, ">20</tspan>", ">1 &amp; 2</text>", ">2 &amp; 2</text>"} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("%s is not in\n%s", text, b.String())
		}
	}
	var plain strings.Builder
	if err := Automaton(&plain, d, Options{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(plain.String(), "class") || strings.Contains(plain.String(), "data-") {
		t.Errorf("unasked marks in\n%s", plain.String())
	}
}
