package draw_test

import (
	"fmt"
	"strings"

	"quotient/automaton"
	"quotient/draw"
	"quotient/word"
)

// The automaton of (ab)*, the first example of many textbooks.
func ExampleAutomaton() {
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.SetNext(1, 0, 2)
	d.SetNext(2, 1, 1)
	d.Accept[1] = true

	var svg strings.Builder
	if err := draw.Automaton(&svg, d, draw.Options{Title: "(ab)*"}); err != nil {
		fmt.Println(err)
	}
	for _, line := range strings.Split(svg.String(), "\n")[:3] {
		fmt.Println(line)
	}
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" role="img" width="209" height="82" viewBox="-65.5 -40.8 209 82">
	// <title>(ab)*</title>
	// <desc>A deterministic finite automaton with 2 states over {a, b}. It starts in q0. Accepting: q0. The dead state and 2 transitions to it are not shown.</desc>
}
