package web

import (
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/word"
)

func TestReadPlaces(t *testing.T) {
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.SetNext(1, 0, 2)
	d.SetNext(2, 0, 1)
	p, err := readPlaces("held_0.0_0.0.112.-5_1.0.9.9_0.1.3.4_0.7.1.1", d)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.At) != 3 || p.At[1].X != 0 || p.At[2].X != 112 || p.At[2].Y != -5 || p.At[0].Y != 4 || !p.Held {
		t.Errorf("%+v", p)
	}
	for _, text := range []string{
		"x", "_", "held_", "1.2.3.4", "0.0_0.0", "0.0_1.0.5.5", "0.0_-1.0.5.5", "0.0_0.-1.5.5", "0.0_0.0.5", "0.0_0.0.5.1e3",
		"0.0_0.0.5.99999999999999999999", strings.Repeat("0.0_", maxPlaces),
	} {
		if _, err := readPlaces(text, d); err == nil {
			t.Errorf("%.20q is taken", text)
		}
	}
}
