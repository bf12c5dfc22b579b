package web

import (
	"strconv"
	"strings"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/draw"
	"quotient/word"
)

// Places of states are said by words, not by numbers of states: the same words lead to the
// states that stand for them in another automaton over the same symbols, whatever kappa,
// epoch or method it is of. A word is written as an earlier one and a symbol behind it:
//
//	0.0_0.0.112.0_1.1.112.106
//
// puts the state that is reached by ε at (0, 0), that of the first symbol at (112, 0), and
// that of the first and then the second symbol at (112, 106). "held_" before it says that
// somebody put them there, so that they stay whatever the picture looks like.

// maxPlaces bounds the text.
const maxPlaces = 64 << 10

// readPlaces returns where the states of an automaton are wanted. Where several words lead to
// one state the first one counts.
func readPlaces(text string, d *automaton.DFA) (draw.Places, error) {
	p := draw.Places{At: map[int]codec.Point{}}
	if text == "" {
		return p, nil
	}
	if len(text) > maxPlaces {
		return p, badf("places have %d bytes, and %d are read at most", len(text), maxPlaces)
	}
	text, p.Held = strings.CutPrefix(text, "held_")
	var reached []automaton.State // by each word
	for entry := range strings.SplitSeq(text, "_") {
		before, on, at, ok := readPlace(entry, len(reached))
		if !ok {
			return p, badf("places say %q where a place is expected: two numbers for ε, and behind a word before and a symbol for any other", entry)
		}
		q := d.Start
		if before >= 0 {
			q = automaton.Dead
			if on < d.Alphabet.Len() { // that of another network may have more
				q = d.Next(reached[before], word.Symbol(on))
			}
		}
		reached = append(reached, q)
		if _, ok := p.At[int(q)]; !ok {
			p.At[int(q)] = at
		}
	}
	return p, nil
}

// readPlace reads the place of a word, and the earlier of so many words and the symbol that it
// is made of. The first is ε, whose number before is -1.
func readPlace(entry string, words int) (before, on int, at codec.Point, ok bool) {
	var n []int
	for number := range strings.SplitSeq(entry, ".") {
		i, err := strconv.Atoi(number)
		if err != nil {
			return 0, 0, at, false
		}
		n = append(n, i)
	}
	switch {
	case words == 0 && len(n) == 2:
		return -1, 0, codec.Point{X: float64(n[0]), Y: float64(n[1])}, true
	case words > 0 && len(n) == 4:
		ok = n[0] >= 0 && n[0] < words && n[1] >= 0
		return n[0], n[1], codec.Point{X: float64(n[2]), Y: float64(n[3])}, ok
	}
	return 0, 0, at, false
}
