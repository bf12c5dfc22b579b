package regex

import (
	"math/rand/v2"
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

// anyExpr draws an expression of the form that Parse returns. What it draws from
// rapid is a depth and a seed, because rapid prefers small choices everywhere,
// and small expressions are mostly ∅ and ε.
func anyExpr(t *rapid.T, names []string, ops []op, depth int) *Expr {
	depth = rapid.SampledFrom([]int{depth, depth + 1, depth - 1}).Draw(t, "depth")
	seed := rapid.Uint64().Draw(t, "seed")
	return randomExpr(rand.New(rand.NewPCG(seed, 1)), names, ops, depth)
}

func randomExpr(r *rand.Rand, names []string, ops []op, depth int) *Expr {
	if depth == 0 || r.IntN(8) == 0 {
		return randomClass(r, names)
	}
	sub := func() *Expr { return randomExpr(r, names, ops, depth-1) }
	switch o := ops[r.IntN(len(ops))]; o {
	case complement:
		return newNode(complement, sub())
	case repeat:
		bounds := [][2]int{{0, unbounded}, {0, unbounded}, {1, unbounded}, {0, 1}, {0, 0}, {2, 2}, {2, unbounded}, {1, 3}}[r.IntN(8)]
		return newRepeat(sub(), bounds[0], bounds[1])
	default:
		subs := make([]*Expr, 1+r.IntN(3))
		for i := range subs {
			subs[i] = sub()
		}
		return join(o, subs)
	}
}

func randomClass(r *rand.Rand, names []string) *Expr {
	switch r.IntN(12) {
	case 0:
		return newNode(concat)
	case 1:
		return newClass(nil, r.IntN(3) > 0)
	case 2, 3:
		var list []string
		for range 1 + r.IntN(5) {
			list = append(list, names[r.IntN(len(names))])
		}
		return newClass(list, r.IntN(2) == 0)
	}
	return newClass([]string{names[r.IntN(len(names))]}, false)
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
