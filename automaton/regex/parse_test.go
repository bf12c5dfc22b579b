package regex

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestParse compares expressions with what they are when written again, with
// parentheses around everything.
func TestParse(t *testing.T) {
	for _, test := range []struct{ text, tree string }{
		{"a", "a"},
		{"ab", "cat(a b)"},
		{"a|bc", "alt(a cat(b c))"},
		{"a|b|c", "alt(a b c)"},
		{"(a|b)|c", "alt(a b c)"},
		{"a(bc)d", "cat(a b c d)"},
		{"a|b&cd", "alt(a and(b cat(c d)))"},
		{"a&b|c&d", "alt(and(a b) and(c d))"},
		{"~ab*", "cat(not(a) rep{0,-1}(b))"},
		{"~a*", "not(rep{0,-1}(a))"},
		{"(~a)*", "rep{0,-1}(not(a))"},
		{"~~a", "not(not(a))"},
		{"a~b&c", "and(cat(a not(b)) c)"},
		{"a*+?", "rep{0,1}(rep{1,-1}(rep{0,-1}(a)))"},
		{"a{3}", "rep{3,3}(a)"},
		{"a{3,}", "rep{3,-1}(a)"},
		{"a{0,12}", "rep{0,12}(a)"},
		{" a { 1 , 2 } b ", "cat(rep{1,2}(a) b)"},
		{"()", "cat()"},
		{"ε", "cat()"},
		{"( )|a", "alt(cat() a)"},
		{"aεb", "cat(a b)"},
		{"∅", "∅"},
		{".", "."},
		{"[c a b a]", "[abc]"},
		{"[a-f]", "[a-f]"},
		{"[a-a]", "a"},
		{"[^a]", "[^a]"},
		{`[\]\-\^x"NP" "-"]`, `[\-\]\^x"NP"]`},
		{`[*+.|]`, `[*+.|]`},
		{`["a"-"e"]`, "[a-e]"},
		{`"NP""VP"x`, `cat("NP" "VP" x)`},
		{`" "\ \"\\\*\ε`, `cat(" " " " \" \\ \* \ε)`},
		{`\n\t\r\x41\u00e9\U0001f600`, "cat(\"\\n\" \"\\t\" \"\\r\" A é 😀)"},
		{"é日", "cat(é 日)"},
		{"<-,#/=", "cat(< - , # / =)"},
	} {
		e, err := Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if got := tree(e); got != test.tree {
			t.Errorf("%s: got %s, want %s", test.text, got, test.tree)
		}
	}
}

// tree writes an expression in prefix form.
func tree(e *Expr) string {
	if e.op == class {
		return e.text
	}
	name := [...]string{concat: "cat", alternate: "alt", intersect: "and", complement: "not", repeat: "rep"}[e.op]
	if e.op == repeat {
		name += "{" + strconv.Itoa(e.min) + "," + strconv.Itoa(e.max) + "}"
	}
	var subs []string
	for _, x := range e.subs {
		subs = append(subs, tree(x))
	}
	return name + "(" + strings.Join(subs, " ") + ")"
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "at character 1: expected a symbol or a group, found the end; the empty word is written ε"},
		{"a|", "at character 3: expected a symbol or a group, found the end"},
		{"a||b", `at character 3: expected a symbol or a group, found "|"`},
		{"(a", `at character 3: expected ")" for the "(" at character 1, found the end`},
		{"é(a]", `at character 4: expected a symbol, found ']'; write \] for the symbol`},
		{"a)", `at character 2: expected an operator or the end, found ")"`},
		{"*a", `at character 1: expected something to repeat before '*'; write \* for the symbol`},
		{"~", "at character 2: expected a symbol or a group, found the end"},
		{"a&*", "at character 3: expected something to repeat"},
		{"^a$", `at character 1: expressions describe whole words: leave out '^', or write \^ for the symbol`},
		{"a$", `at character 2: expressions describe whole words: leave out '$'`},
		{"a{", "at character 3: expected a number, found the end"},
		{"a{x}", `at character 3: expected a number, found "x"`},
		{"a{2", `at character 4: expected "}" after a count, found the end`},
		{"a{2,1}", "at character 5: expected a number of at least 2, found 1"},
		{"a{1000000000}", "at character 3: a count of more than 1000000"},
		{"a{99999999999999999999}", "at character 3: a count of more than 1000000"},
		{"((a{1000}){1000}){1000}", "at character 18: the expression has more than 1000000 symbols with its repetitions written out"},
		{"(a{600000}|b{600000})", "the expression has more than 1000000 symbols"},
		{"[", `at character 2: expected "]" for the "[" at character 1, found the end`},
		{"[]", "at character 2: expected a symbol in the class, found none; no symbol at all is written ∅"},
		{"[^]", "at character 3: expected a symbol in the class"},
		{"[-a]", `at character 2: expected a symbol, found '-'; write \- for the symbol`},
		{"[a-]", `at character 4: expected the last symbol of the range, found "]"`},
		{"[b-a]", `at character 2: the range from "b" to "a": expected two single characters in ascending order`},
		{`["NP"-a]`, `at character 2: the range from "NP" to "a"`},
		{`[\x00-\U0010ffff]`, "at character 2: the classes list more than 1000000 symbols"},
		{strings.Repeat(`[\x00-\uffff]`, 20), "the classes list more than 1000000 symbols"},
		{`"a`, "at character 1: expected a quoted name as in Go"},
		{`""`, `at character 1: expected a name, found "", which is empty or not valid UTF-8`},
		{`"\xff"`, `at character 1: expected a name, found "\xff", which is empty or not valid UTF-8`},
		{`a\`, `at character 2: expected a character after \, found the end`},
		{`\d`, `at character 1: expected \n, \t, \r, \xhh, \uhhhh, \Uhhhhhhhh or a sign after \, found 'd'`},
		{`\u12`, `at character 1: expected \n`},
		{"ab\xffc", "at character 3: invalid UTF-8"},
	} {
		_, err := Parse(test.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.40s: got %v, want a syntax error", test.text, err)
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40s: got %q, want %q", test.text, err, test.want)
		}
	}
}

// TestParseDeep nests each construct too deep and just not too deep.
func TestParseDeep(t *testing.T) {
	for _, part := range [][3]string{{"(", "a", ")"}, {"~", "a", ""}, {"", "a", "*"}, {"(a|b", "a", ")"}, {"(~", "a", ")*"}} {
		nested := func(n int) string {
			return strings.Repeat(part[0], n) + part[1] + strings.Repeat(part[2], n)
		}
		if _, err := Parse(nested(maxDepth / 4)); err != nil {
			t.Errorf("%q nested %d times: %v", part, maxDepth/4, err)
		}
		if _, err := Parse(nested(1_000_000)); err == nil || !strings.Contains(err.Error(), "nested more than 10000 levels deep") {
			t.Errorf("%q nested 1,000,000 times: got %v", part, err)
		}
	}
}

func TestSymbols(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"ba*|~c", "a b c"},
		{`.|[^x]|"NP"`, "NP x"},
		{"[c-e]d", "c d e"},
		{"ε|∅|.", ""},
	} {
		if got := strings.Join(MustParse(test.text).Symbols(), " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}

// FuzzParse checks that every text is either refused at a place within it, or
// read, written and read again as the same expression.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"(ab)*|~[^a-c]&\"NP\"{2,3}", `\u00e9.+?ε∅`, "a{1000}{1000}", "[", "((((a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) {
				t.Fatalf("%q: bad error %#v", text, err)
			}
			return
		}
		again, err := Parse(e.String())
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", text, e, err)
		}
		if !equal(e, again) {
			t.Fatalf("%q is written as %q, which is read as %q", text, e, again)
		}
		if names := e.Symbols(); !slices.IsSorted(names) || slices.ContainsFunc(names, func(s string) bool { return !utf8.ValidString(s) || s == "" }) {
			t.Fatalf("%q mentions %q", text, names)
		}
	})
}
