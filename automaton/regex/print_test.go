package regex

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestString(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"((ab)*)", "(ab)*"},
		{"(a)(b)|((c))", "ab|c"},
		{"(a|b)&c", "(a|b)&c"},
		{"(a&b)|c", "a&b|c"},
		{"(a&b)c", "(a&b)c"},
		{"~(a)", "~a"},
		{"~(ab)", "~(ab)"},
		{"(~a)b", "~ab"},
		{"(~a)*", "(~a)*"},
		{"~(a*)", "~a*"},
		{"a**", "(a*)*"},
		{"a{2}{3}", "(a{2}){3}"},
		{"a{1,}b{0,}c{0,1}", "a+b*c?"},
		{"()|a", "ε|a"},
		{"()*", "ε*"},
		{"[a][ab][a-c][a-d]", "a[ab][abc][a-d]"},
		{"[^ab]", "[^ab]"},
		{`"NP""VP"*a("V" "VP")`, `"NP" "VP"*aV "VP"`},
		{`"NP"|("VP"a)*`, `"NP"|("VP" a)*`},
		{`["NP""VP"ab]`, `[ab"NP" "VP"]`},
		{`"*" "\"" " " "ε" "\t" "\u200b"`, `\*\" " " \ε "\t" "\u200b"`},
	} {
		if got := MustParse(test.text).String(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
}

// names that are hard to write.
var names = []string{
	"a", "b", "c", "d", "e", "NP", "<s>", " ", "  ", "\t", "\n", `"`, `\`, `\\`, "'", "ε", "∅", "εε", "é", "日本", "😀",
	"|", "&", "~", "*", "+", "?", "{", "}", "(", ")", "[", "]", "^", "$", ".", "-", ",", "a b", "\u200b", "\ufffd", "\x00", "0", "a{2}",
}

// anyExpr draws an expression of the form that Parse returns.
func anyExpr(t *rapid.T, names []string, ops []op, depth int) *Expr {
	o := class
	if depth > 0 {
		o = rapid.SampledFrom(append(ops, class)).Draw(t, "op")
	}
	sub := func() *Expr { return anyExpr(t, names, ops, depth-1) }
	switch o {
	case class:
		list := rapid.SliceOfN(rapid.SampledFrom(names), 0, 3).Draw(t, "names")
		return newClass(slices.Clone(list), rapid.Bool().Draw(t, "except"))
	case complement:
		return newNode(complement, sub())
	case repeat:
		lo := rapid.IntRange(0, 3).Draw(t, "min")
		hi := rapid.SampledFrom([]int{unbounded, lo, lo + 1, lo + 2}).Draw(t, "max")
		return newRepeat(sub(), lo, hi)
	}
	var subs []*Expr
	least := 1
	if o == concat {
		least = 0
	}
	for range rapid.IntRange(least, 3).Draw(t, "subs") {
		subs = append(subs, sub())
	}
	return join(o, subs)
}

func TestPrintParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anyExpr(t, names, []op{concat, alternate, intersect, repeat, complement}, 4)
		text := e.String()
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !equal(e, again) {
			t.Fatalf("%s is read as %s", tree(e), tree(again))
		}
		if n := utf8.RuneCountInString(text); n < e.cost || n != e.cost && !strings.Contains(text, `"`) {
			t.Fatalf("%s has %d characters, not %d", text, n, e.cost)
		}
	})
}

// TestMinimalParentheses takes out each pair of parentheses that was written: the
// rest must mean something else.
func TestMinimalParentheses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anyExpr(t, []string{"a", "b"}, []op{concat, alternate, intersect, repeat, complement}, 3)
		text := e.String()
		for i := range text {
			if text[i] != '(' {
				continue
			}
			j := closing(text, i)
			// Parentheses around x in x*+ are for the reader's eyes.
			if inner := text[i+1 : j]; strings.HasSuffix(inner, "*") || strings.HasSuffix(inner, "+") ||
				strings.HasSuffix(inner, "?") || strings.HasSuffix(inner, "}") {
				continue
			}
			if bare, err := Parse(text[:i] + text[i+1:j] + text[j+1:]); err == nil && equal(bare, e) {
				t.Fatalf("%s has superfluous parentheses at %d", text, i)
			}
		}
	})
}

// closing returns where the parenthesis at i is closed.
func closing(text string, i int) int {
	depth := 0
	for j := i; ; j++ {
		switch text[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j
			}
		}
	}
}
