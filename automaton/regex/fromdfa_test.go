package regex

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

// TestFromDFA lists what comes back for automata of well-known languages, so that
// a change for the worse is seen.
func TestFromDFA(t *testing.T) {
	for _, test := range []struct{ letters, text, want string }{
		// The languages of Tomita, 1 to 7.
		{"ab", "a*", "a*"},
		{"ab", "(ab)*", "(ab)*"},
		{"ab", "~((.*b)?a(aa)*b(bb)*(a.*)?)", "(b|aa)*(a|b(b(aa)+)*b)*"},
		{"ab", "~(.*aaa.*)", "a?a?(ba?a?)*"},
		{"ab", "(b*ab*a)*b*&(a*ba*b)*a*", "(aa|bb|(ab|ba)(aa|bb)*(ab|ba))*"},
		{"ab", "(ba|(a|bb)(ab)*(b|aa))*", "(ab|(b|aa)(ba)*(a|bb))*"},
		{"ab", "b*a*b*a*", "b*a*b*a*"},

		{"ab", "∅", "∅"},
		{"ab", "ε", "ε"},
		{"", "ε", "ε"},
		{"ab", ".", "."},
		{"abc", "a|b", "[ab]"},
		{"abcdefgh", "[^c]*", "[^c]*"},
		{"abcdefgh", "[a-d]*e", "[a-d]*e"},
		{"a", "a", "a"},
		{"ab", ".*", ".*"},
		{"ab", "a{5}", "a{5}"},
		{"ab", "a{6,}", "a{6,}"},
		{"ab", "(ab){4}", "(ab){4}"},
		{"ab", "a{2,4}b{3,}", "aaa?a?bbb+"},
		{"ab", ".{0,7}", ".{0,7}"},
		{"ab", "(a{3}){0,3}b", "(aaa){0,3}b"},
		{"ab", "(...)*", "(...)*"},
		{"ab", "a+b+", "a+b+"},
		{"ab", "b*|ab*", "a?b*"},
		{"ab", "a|b|ab|ε", "a?b?"},
		{"ab", "(a*b*)*", ".*"},
		{"ab", "a|aa|aaa", "aa?a?"},
		{"ab", ".*abb", ".*abb"},
		{"ab", "abb.*", "abb.*"},
		{"ab", ".*a..", ".*a.."},
		{"ab", ".*ab.*ba.*", ".*ab.*ba.*"},
		{"ab", "(ba?)*", "(ba?)*"},
		{"ab", "(ba|bb+)*", "(b(a|b+))*"},
		{"ab", "(aab|ba)*", "(ba|aab)*"},
		{"ab", "~(ab)", "~(ab)"},
		{"ab", "~((ab)*)", "~(ab)*"},
		{"abc", "~(.*abc.*)", "~(.*abc.*)"},
	} {
		a := letters(t, test.letters)
		d := mustCompile(t, MustParse(test.text), a)
		e, err := FromDFA(d, DefaultLength)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if e.String() != test.want {
			t.Errorf("%s: got %s, want %s", test.text, e, test.want)
		}
		if !mustCompile(t, e, a).Equal(d) {
			t.Errorf("%s: got %s, which is another language", test.text, e)
		}
	}
}

func letters(t *testing.T, s string) *word.Alphabet {
	t.Helper()
	var names []string
	for _, r := range s {
		names = append(names, string(r))
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func randomDFA(r *rand.Rand, a *word.Alphabet, n int) *automaton.DFA {
	d := automaton.NewDFA(a, n)
	for q := automaton.State(1); int(q) <= n; q++ {
		d.Accept[q] = r.IntN(2) == 0
		for s := range a.Len() {
			d.SetNext(q, word.Symbol(s), automaton.State(r.IntN(n+1)))
		}
	}
	return d
}

// checkFromDFA checks that the expression of d, if there is one, compiles to d,
// also after it is written and read.
func checkFromDFA(t interface{ Fatalf(string, ...any) }, d *automaton.DFA) {
	e, err := FromDFA(d, DefaultLength)
	if err != nil {
		t.Fatalf("%v", err)
	}
	again, err := Parse(e.String())
	if err != nil {
		t.Fatalf("%s: %v", e, err)
	}
	back, err := again.Compile(d.Alphabet, automaton.DefaultLimit)
	if err != nil {
		t.Fatalf("%s: %v", e, err)
	}
	if w, differ := automaton.Distinguish(back, d); differ {
		t.Fatalf("%s is wrong for %s", e, d.Alphabet.Format(w))
	}
	if !back.Equal(automaton.Minimize(d)) {
		t.Fatalf("%s does not compile to the minimal automaton", e)
	}
}

func TestFromDFARandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "symbols")
		a, err := word.NewAlphabet(rapid.SliceOfNDistinct(rapid.SampledFrom(names), k, k, rapid.ID[string]).Draw(t, "names")...)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		checkFromDFA(t, randomDFA(r, a, rapid.SampledFrom([]int{4, 3, 5, 2, 6, 7}).Draw(t, "states")))
	})
}

// TestFromDFASmall tries all automata of two states over two symbols.
func TestFromDFASmall(t *testing.T) {
	a := word.Letters("ab")
	for code := range 3 * 3 * 3 * 3 * 4 {
		d := automaton.NewDFA(a, 2)
		d.Accept[1], d.Accept[2] = code&1 == 1, code&2 == 2
		for i, rest := 0, code/4; i < 4; i, rest = i+1, rest/3 {
			d.SetNext(automaton.State(1+i/2), word.Symbol(i%2), automaton.State(rest%3))
		}
		checkFromDFA(t, d)
	}
}

// TestFromDFANotLonger takes expressions to automata and back: what comes back is
// hardly ever longer. The count may be lowered when the algorithm gets better.
func TestFromDFANotLonger(t *testing.T) {
	a := word.Letters("ab")
	r := rand.New(rand.NewPCG(1, 2))
	longer := 0
	for range 100 {
		x := randomExpr(r, []string{"a", "b"}, []op{concat, alternate, repeat}, 3)
		e, err := FromDFA(mustCompile(t, x, a), DefaultLength)
		if err != nil {
			t.Fatal(err)
		}
		if e.cost > x.cost {
			t.Logf("%s comes back as %s", x, e)
			longer++
		}
	}
	if longer > 3 {
		t.Errorf("%d of 100 expressions come back longer", longer)
	}
}

func TestFromDFALimits(t *testing.T) {
	a := word.Letters("ab")
	r := rand.New(rand.NewPCG(3, 4))
	for _, test := range []struct {
		d     *automaton.DFA
		limit int
		what  string
	}{
		{randomDFA(r, word.Letters("abc"), 50), DefaultLength, "characters"},
		{randomDFA(r, a, 900), DefaultLength, "characters"},
		{randomDFA(r, a, 2000), DefaultLength, "states"},
		{mustCompile(t, MustParse("(ab)*"), a), 4, "characters"},
	} {
		e, err := FromDFA(test.d, test.limit)
		var limit *automaton.LimitError
		if !errors.As(err, &limit) || limit.What != test.what {
			t.Errorf("%d states, limit %d: got %v and %v, want a limit of %s", test.d.Len(), test.limit, e, err, test.what)
		}
	}
	if e, err := FromDFA(mustCompile(t, MustParse(".*a.."), a), 5); err != nil || e.String() != ".*a.." {
		t.Errorf("got %v and %v, want what has five characters at last though not on the way", e, err)
	}
}

// TestFromDFALong has a long chain, each state of which accepts: it nests deep.
func TestFromDFALong(t *testing.T) {
	d := automaton.NewDFA(word.Letters("abc"), 700)
	for q := 1; q <= 700; q++ {
		d.Accept[q] = true
		if q < 700 {
			d.SetNext(automaton.State(q), word.Symbol(q*q%3), automaton.State(q+1))
		}
	}
	checkFromDFA(t, d)
}

// TestFromDFAManySymbols has large blocks of symbols, and names of several
// characters.
func TestFromDFAManySymbols(t *testing.T) {
	var names []string
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("s%d", i))
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`[^"s8"]* "s7" .*`, `"s3"|"s1" "s2"`, `~("s1" "s2")`} {
		e, err := FromDFA(mustCompile(t, MustParse(text), a), DefaultLength)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if e.String() != text {
			t.Errorf("%s: got %.100s", text, e)
		}
	}
}

func TestFromDFADeterministic(t *testing.T) {
	a := word.Letters("abc")
	for seed := range uint64(5) {
		d := randomDFA(rand.New(rand.NewPCG(seed, 5)), a, 6)
		first, err := FromDFA(d, DefaultLength)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if again, err := FromDFA(d, DefaultLength); err != nil || again.String() != first.String() {
				t.Fatalf("got %s and then %v, %v", first, again, err)
			}
		}
	}
}

// algebraOver returns an algebra over single symbols, and a converter of
// expressions into its form.
func algebraOver(a *word.Alphabet) (*algebra, func(*Expr) *Expr) {
	var blocks [][]word.Symbol
	for s := range a.Len() {
		blocks = append(blocks, []word.Symbol{word.Symbol(s)})
	}
	g := newAlgebra(a, blocks)
	var convert func(e *Expr) *Expr
	convert = func(e *Expr) *Expr {
		if e.op == class {
			var in []int
			for s := range a.Len() {
				if e.except != strings.Contains(strings.Join(e.names, ""), a.Name(word.Symbol(s))) {
					in = append(in, s)
				}
			}
			return g.class(in)
		}
		var subs []*Expr
		for _, x := range e.subs {
			subs = append(subs, convert(x))
		}
		if e.op != repeat {
			return g.rebuild(e, subs)
		}
		// Written out, because the algebra knows no counts.
		power := []*Expr{g.epsilon}
		for range e.min {
			power = append(power, subs[0])
		}
		for i := e.min; i < e.max; i++ {
			power = append(power, g.opt(subs[0]))
		}
		if e.max == unbounded {
			power = append(power, g.star(subs[0]))
		}
		return g.cat(power...)
	}
	return g, convert
}

// TestAlgebra checks that simplifying, counting and reversing keep languages, and
// that the judge sees it.
func TestAlgebra(t *testing.T) {
	a := word.Letters("ab")
	g, convert := algebraOver(a)
	rapid.Check(t, func(t *rapid.T) {
		x := anyExpr(t, []string{"a", "b"}, []op{concat, alternate, repeat}, 3)
		d, err := x.Compile(a, automaton.DefaultLimit)
		if err != nil {
			t.Fatal(err)
		}
		e := convert(x)
		for _, y := range []*Expr{e, g.count(e), g.reverse(g.reverse(e))} {
			if back, err := y.Compile(a, automaton.DefaultLimit); err != nil || !back.Equal(d) {
				t.Fatalf("%s becomes %s: %v", x, y, err)
			}
		}
		back, err := automaton.Determinize(automaton.Reverse(d.NFA()), automaton.DefaultLimit)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := g.reverse(e).Compile(a, automaton.DefaultLimit); err != nil || !got.Equal(automaton.Minimize(back)) {
			t.Fatalf("%s backwards is not %s", x, g.reverse(e))
		}
		other := convert(anyExpr(t, []string{"a", "b"}, []op{concat, alternate, repeat}, 2))
		otherDFA, err := other.Compile(a, automaton.DefaultLimit)
		if err != nil {
			t.Fatal(err)
		}
		// ∅ within an expression is a position from which nothing is accepted:
		// the algebra leaves none.
		j := newJudge(d, budget)
		if e.weight < maxPositions && e != g.none && !j.same(e) {
			t.Fatalf("the judge finds that %s is not %s", e, x)
		}
		if other.weight < maxPositions && other != g.none && j.same(other) != d.Equal(otherDFA) {
			t.Fatalf("the judge is wrong about %s and %s", other, x)
		}
	})
}

// TestSimplify lists laws and what they make of expressions.
func TestSimplify(t *testing.T) {
	_, convert := algebraOver(word.Letters("abc"))
	for _, test := range []struct{ text, want string }{
		{"a|b", "[ab]"},
		{"a|b|c", "."},
		{"a|a", "a"},
		{"a|∅", "a"},
		{"a∅b", "∅"},
		{"ab|ε", "(ab)?"},
		{"ε|aa*", "a*"},
		{"ε|ab(ab)*", "(ab)*"},
		{"(ab)*ab", "(ab)+"},
		{"aa*", "a+"},
		{"a*a", "a+"},
		{"a*a*", "a*"},
		{"a?a*", "a*"},
		{"a?a", "aa?"},
		{"a+a", "aa+"},
		{"(a*)*", "a*"},
		{"(a?)+", "a*"},
		{"(a*b*)*", "[ab]*"},
		{"(a*|b+|c?)*", ".*"},
		{"(a|aa|ab|b)*", "[ab]*"},
		{"ab|ac", "a[bc]"},
		{"ac|bc", "[ab]c"},
		{"abc|ac", "ab?c"},
		{"a|ab", "ab?"},
		{"b*a|a", "b*a"},
		{"a*|aa|a", "a*"},
		{"a+|(aa)*", "a+|(aa)*"},
		{"ab|.*", ".*"},
		{"ba|a+|ε", "ba|a*"},
		{"(a?[ab]b?)*", "[ab]*"},
		{"(a*b[ab]?)*", "(a*b[ab]?)*"},
		{"(a(ab)?b)*", "(a(ab)?b)*"},
		{"(ab(ab(ab)?)?)?", "(ab)?(ab)?(ab)?"},
	} {
		if got := convert(MustParse(test.text)).String(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
}
