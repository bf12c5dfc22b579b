package codec

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

// nasty are names that mean something in one format or another.
var nasty = []string{
	"a", "b", "0", "1", "01", "ab", "NP", "<s>", "</s>", "ε", "<eps>", "@0@", "<epsilon>", "4294967295", "Infinity",
	" ", "a b", " a", "a ", "\t", "\n", "\r", "\r\n", "\x00", "\x1b", "\u00a0", "\u2028", "\ufeff", "\ufffd", "é", "ǔ", "语", "👩‍👩‍👧", "\U0010ffff",
	`"`, `'`, "`", `\`, `\\`, `\"`, `"a"`, `a"b`, `a\`, `\n`, `\u0041`, `"""`, "'''",
	"<U+0020>", "<U+", "<U+D800>", "<<U+0041>", "%41", "&#10;", "&lt;", "<b>", "<!--", "]]>", "#35;", "#", "//", "/*", "*/",
	",", ", ", "a,b", ";", "=", "->", "--", "{", "}", "{a}", "[", "]", "(", ")", "|", "||", "&", "!", "%", "%Final", "@NFA-explicit", "$", "$$", "^", "_", "~", "-", "- a", "1. a", ":", ":::", "?`",
	"true", "null", "digraph", "node", "__start0", "__start0 ->", "label", "end", "None", "²", "٣",
}

func drawAlphabet(t *rapid.T) *word.Alphabet {
	name := rapid.OneOf(rapid.SampledFrom(nasty), rapid.StringN(1, 5, -1))
	names := rapid.SliceOfNDistinct(name, 0, 6, rapid.ID).Draw(t, "names")
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// drawNFA draws any automaton: without states, without a start, with several,
// with ε and repeated edges.
func drawNFA(t *rapid.T) *automaton.NFA {
	a := drawAlphabet(t)
	n := automaton.NewNFA(a, rapid.IntRange(0, 6).Draw(t, "states"))
	if n.Len() == 0 {
		return n
	}
	state := rapid.Custom(func(t *rapid.T) automaton.State {
		return automaton.State(rapid.IntRange(1, n.Len()).Draw(t, "state"))
	})
	n.Start = rapid.SliceOfNDistinct(state, 0, 2, rapid.ID).Draw(t, "start")
	for q := 1; q < len(n.Accept); q++ {
		n.Accept[q] = rapid.Bool().Draw(t, "accept")
	}
	for range rapid.IntRange(0, 12).Draw(t, "edges") {
		on := automaton.Epsilon
		if s := rapid.IntRange(0, a.Len()).Draw(t, "on"); s < a.Len() {
			on = word.Symbol(s)
		}
		n.AddEdge(state.Draw(t, "from"), on, state.Draw(t, "to"))
	}
	return n
}

// A plain is an automaton written so that two can be compared: edges sorted and
// without repetitions, symbols by name.
type plain struct {
	Alphabet string
	Start    []automaton.State
	Accept   []bool
	Edges    []plainEdge
}

type plainEdge struct {
	From automaton.State
	On   string // empty for ε
	To   automaton.State
}

func plainly(n *automaton.NFA) plain {
	p := plain{
		Alphabet: strings.Join(n.Alphabet.Names(), "\xff"),
		Start:    append([]automaton.State{}, n.Start...),
		Accept:   n.Accept,
		Edges:    []plainEdge{},
	}
	for _, e := range n.Edges {
		on := ""
		if e.On != automaton.Epsilon {
			on = n.Alphabet.Name(e.On)
		}
		p.Edges = append(p.Edges, plainEdge{e.From, on, e.To})
	}
	slices.SortFunc(p.Edges, func(x, y plainEdge) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.On, y.On), cmp.Compare(x.To, y.To))
	})
	p.Edges = slices.Compact(p.Edges)
	return p
}

// usedAlphabet returns n over the symbols that its edges use, sorted.
func usedAlphabet(n *automaton.NFA) *automaton.NFA {
	var names []string
	for _, e := range n.Edges {
		if e.On != automaton.Epsilon {
			names = append(names, n.Alphabet.Name(e.On))
		}
	}
	slices.Sort(names)
	a, err := word.NewAlphabet(slices.Compact(names)...)
	if err != nil {
		panic(err)
	}
	c := &automaton.NFA{Alphabet: a, Start: n.Start, Accept: n.Accept}
	for _, e := range n.Edges {
		on := automaton.Epsilon
		if e.On != automaton.Epsilon {
			on, _ = a.Symbol(n.Alphabet.Name(e.On))
		}
		c.AddEdge(e.From, on, e.To)
	}
	return c
}

// testingT is what a test and a property have in common.
type testingT interface {
	Helper()
	Fatalf(format string, args ...any)
}

func encode(t testingT, f Format, n *automaton.NFA) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, n, f); err != nil {
		t.Fatalf("write %s: %v", f.Name, err)
	}
	return b.String()
}

func decode(t testingT, f Format, text string) *automaton.NFA {
	t.Helper()
	n, err := Read(strings.NewReader(text), "test."+f.Name, f)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return n
}

func determinize(t testingT, n *automaton.NFA) *automaton.DFA {
	t.Helper()
	d, err := automaton.Determinize(n, 10_000)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return d
}

// evenAs is the language of words over {a, b} with an even number of a's.
func evenAs(t *testing.T) *automaton.NFA {
	t.Helper()
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.Accept[1] = true
	d.SetNext(1, 0, 2)
	d.SetNext(1, 1, 1)
	d.SetNext(2, 0, 1)
	d.SetNext(2, 1, 2)
	return d.NFA()
}

func mustAlphabet(t *testing.T, names ...string) *word.Alphabet {
	t.Helper()
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
