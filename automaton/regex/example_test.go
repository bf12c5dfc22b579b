package regex_test

import (
	"fmt"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/word"
)

func ExampleParse() {
	e, err := regex.Parse(`~(.* "NP" "NP" .*) & ("VP" | "NP")*`)
	fmt.Println(e, err)
	_, err = regex.Parse("(a|b]*")
	fmt.Println(err)
	// Output:
	// ~(.* "NP" "NP" .*)&("VP"|"NP")* <nil>
	// regular expression, at character 5: expected a symbol, found ']'; write \] for the symbol
}

func ExampleExpr_Compile() {
	e := regex.MustParse("~(.*aaa.*)")
	d, err := e.Compile(word.Letters("ab"), automaton.DefaultLimit)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Len(), "states")

	e = regex.MustParse("(a|b)*a(a|b){30}")
	_, err = e.Compile(word.Letters("ab"), 10_000)
	fmt.Println(err != nil)
	// Output:
	// 3 states
	// true
}

// An expression may be read over the symbols that it mentions itself.
func ExampleExpr_Symbols() {
	e := regex.MustParse("a[^b]*c")
	a, err := word.NewAlphabet(e.Symbols()...)
	fmt.Println(a, err)
	// Output: {a, b, c} <nil>
}

func ExampleFromDFA() {
	// No three a's in a row.
	d := automaton.NewDFA(word.Letters("ab"), 3)
	for q := automaton.State(1); q <= 3; q++ {
		d.Accept[q] = true
		d.SetNext(q, 1, 1)
	}
	d.SetNext(1, 0, 2)
	d.SetNext(2, 0, 3)
	e, err := regex.FromDFA(d, regex.DefaultLength)
	fmt.Println(e, err)
	// Output: a?a?(ba?a?)* <nil>
}
