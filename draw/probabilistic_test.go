package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/probabilistic"
	"quotient/word"
)

func TestProbabilisticGolden(t *testing.T) {
	a := probabilistic.New(word.Letters("abc"), 3)
	a.Start = 2
	a.End[1], a.End[2], a.End[3] = 0.25, 0, 1
	a.SetNext(1, 0, 2, 0.5)
	a.SetNext(1, 1, 2, 0.125)
	a.SetNext(1, 2, 1, 0.125)
	a.SetNext(2, 0, 1, 0.9)
	a.SetNext(2, 1, 2, 0.05)
	a.SetNext(2, 2, 2, 0.05)
	for name, a := range map[string]*probabilistic.Automaton{
		"probabilistic": a, "probabilistic-empty": probabilistic.New(word.Letters("a"), 0),
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Probabilistic(&b, a, Options{}); err != nil {
				t.Fatal(err)
			}
			for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			golden(t, name, b.String())
		})
	}
}

func TestProbabilisticLimit(t *testing.T) {
	err := Probabilistic(io.Discard, probabilistic.New(word.Letters("a"), MaxStates+1), Options{})
	var limit *automaton.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("%v", err)
	}
}
