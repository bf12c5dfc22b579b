package draw

import (
	"math"
	"strings"
	"testing"

	"quotient/automaton/codec"
	"quotient/language"
)

// Wishes that make a picture hardly worse are granted, others are not; what is held is held.
func TestPlaces(t *testing.T) {
	all, err := language.Load(language.Options{}, "tomita5")
	if err != nil {
		t.Fatal(err)
	}
	d := all[0]
	own, err := Layout(d.NFA(), Places{})
	if err != nil {
		t.Fatal(err)
	}
	shifted := map[int]codec.Point{}
	for q := 1; q <= d.Len(); q++ {
		shifted[q] = codec.Point{X: math.Round(own.States[q].X) + 30, Y: math.Round(own.States[q].Y)}
	}
	delete(shifted, d.Len()) // the last finds a place of its own
	line := map[int]codec.Point{1: {X: 0}, 2: {X: 30}, 3: {X: 9e9}, 4: {X: 60}}
	for _, c := range []struct {
		name   string
		places Places
		kept   bool
	}{
		{"none", Places{}, false},
		{"shifted", Places{At: shifted}, true},
		{"in a line, one far away", Places{At: line}, false},
		{"in a line, held", Places{At: line, Held: true}, true},
		{"nowhere", Places{At: map[int]codec.Point{1: {X: math.NaN()}}, Held: true}, true},
	} {
		var b strings.Builder
		if err := Automaton(&b, d, Options{Parts: true, Places: c.places}); err != nil {
			t.Fatal(err)
		}
		if kept := strings.Contains(b.String(), `data-kept="true"`); kept != c.kept {
			t.Errorf("%s: kept is %v", c.name, kept)
		}
		if strings.Contains(b.String(), "NaN") {
			t.Errorf("%s: a coordinate is no number", c.name)
		}
		l, err := Layout(d.NFA(), c.places)
		if err != nil {
			t.Fatal(err)
		}
		for q, at := range c.places.At {
			if c.name == "shifted" && l.States[q] != at {
				t.Errorf("%s: state %d is at %v, not at %v", c.name, q, l.States[q], at)
			}
		}
		for p := 1; p <= d.Len(); p++ {
			for q := 1; q < p; q++ {
				if a, b := l.States[p], l.States[q]; math.Hypot(a.X-b.X, a.Y-b.Y) < 2*radius {
					t.Errorf("%s: states %d and %d overlap", c.name, q, p)
				}
			}
		}
	}
}
