package codec

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"quotient/automaton"
)

func document(states, start, transitions string) string {
	return `{"format": "quotient-automaton", "version": 1, "alphabet": ["a"],` + "\n" +
		`"states": [` + states + "],\n" + `"start": [` + start + "],\n" + `"transitions": [` + transitions + "]}"
}

func jff(body string) string {
	return "<structure>\n<type>fa</type>\n<automaton>\n" + body + "\n</automaton>\n</structure>\n"
}

// errorTests are malformed files, and what is said about them.
var errorTests = []struct{ format, text, want string }{
	{"json", "", "f:1: the document ends too early"},
	{"json", "[]", "f:1: expected a JSON object"},
	{"json", "{\n\"format\": x}", "f:2: invalid JSON: invalid character 'x' looking for beginning of value"},
	{"json", "{\n\"format\": \"quotient-automaton\",\n", "f:3: the document ends too early"},
	{"json", "{\n\"\xff\": 1}", "f:2: this is not UTF-8"},
	{"json", "{\n\"formt\": 1}", `f:2: unknown field "formt"`},
	{"json", "{\"start\": [],\n\"start\": []}", `f:2: field "start" is there twice`},
	{"json", "{}", `f:1: field "format" is missing`},
	{"json", document("", "", "") + "\n{}", "f:5: something follows the document"},
	{"json", strings.Replace(document("", "", ""), `n": 1`, `n": 2`, 1), "f:1: version is \"2\"; only version 1 can be read"},
	{"json", strings.Replace(document("", "", ""), `quotient-`, ``, 1), "f:1: format is \"\\\"automaton\\\"\", expected \"quotient-automaton\""},
	{"json", document(`1000000000`, "", ""), `f:2: in field "states": found number, expected an object`},
	{"json", document(`{"id": 1}, {"id": 1}`, "", ""), `f:2: in field "states": state 1 is there twice`},
	{"json", document(`{"id": "1"}`, "", ""), `f:2: in field "states": "id" is string, expected an integer`},
	{"json", document(`{"accept": true}`, "", ""), `f:2: in field "states": a state has no id`},
	{"json", document(`{"id": 1, "accpet": true}`, "", ""), `f:2: in field "states": json: unknown field "accpet"`},
	{"json", document("", "1000000000", ""), `f:3: in field "start": state 1000000000 is not among the states`},
	{"json", document("", "null", ""), `f:3: in field "start": no state is given as "start"`},
	{"json", document(`{"id": 1}`, "", `{"from": 1, "on": "b", "to": 1}`), `f:4: in field "transitions": symbol "b" is not in the declared alphabet`},
	{"json", document(`{"id": 1}`, "", `{"from": 1, "on": "a"}`), `f:4: in field "transitions": no state is given as "to"`},
	{"json", strings.Replace(document("", "", ""), `["a"]`, `["a", "a"]`, 1), `f:1: in field "alphabet": symbol "a" is in the alphabet twice`},
	{"json", strings.Replace(document("", "", ""), `["a"]`, `[""]`, 1), `f:1: in field "alphabet": a symbol has an empty name`},
	{"json", strings.Replace(document("", "", ""), `["a"]`, `[null]`, 1), `f:1: in field "alphabet": null is not a symbol`},
	{"json", strings.Replace(document("", "", ""), `["a"]`, `2`, 1), `f:1: field "alphabet" must be a list`},

	{"dot", "", "f:1: expected a DOT file that begins with digraph"},
	{"dot", "graph {}", "f:1: the graph is not directed; an automaton is a digraph"},
	{"dot", "digraph {\na -> b", "f:2: expected a name, found the end of the file"},
	{"dot", "digraph {\na -- b [label=x] }", "f:2: -- has no direction; an edge of a digraph is written ->"},
	{"dot", "digraph {\nsubgraph x { a } }", "f:2: subgraphs are not supported"},
	{"dot", "digraph {\n{ a } -> b }", "f:2: subgraphs are not supported"},
	{"dot", "digraph {\na -> { b } }", "f:2: subgraphs are not supported"},
	{"dot", "digraph {\na [label=<b>] }", "f:2: HTML strings (<…>) are not supported; use a quoted string"},
	{"dot", "digraph {\na [label=\"b\n\n] }", "f:2: a quoted string does not end"},
	{"dot", "digraph {\n/* a \n\n }", "f:2: a comment does not end"},
	{"dot", "digraph {\na [label=x; b=] }", "f:2: expected a name, found ]"},
	{"dot", "digraph {\na [shape=record] }", "f:2: a node is a record: this looks like a Moore machine, not an acceptor"},
	{"dot", "digraph {\n__start0 -> a;\na -> a }", "f:3: an edge has no label; one that reads nothing is labeled ε"},
	{"dot", "digraph {\na -> a [label=x]\n}", "f:3: no start state; mark it with an edge: __start0 -> state"},
	{"dot", "digraph {\na -> __start0\n}", "f:2: an edge leads to a node whose name or shape says that it only marks the start"},
	{"dot", "digraph {\na [label=\"a\" + b] }", "f:2: expected a quoted string after +"},
	{"dot", "digraph {\nedge a }", "f:2: unexpected edge"},
	{"dot", "digraph {\nstrict [a=b] }", "f:2: unexpected strict"},
	{"dot", "digraph {\na:b: }", "f:2: expected a name, found }"},
	{"dot", "digraph a b {}", `f:1: expected {, found "b"`},
	{"dot", "digraph { a\n= -> }", "f:2: expected a name, found ->"},
	{"dot", "digraph {\na [b = \"", "f:2: a quoted string does not end"},
	{"dot", "digraph {\ngraph [alphabet=\"a\"]; 1 -> 1 [label=\"a b, a\\\"\"] }", `f:2: symbol "a b" is not in the declared alphabet`},
	{"dot", "digraph {\nalphabet=\"\\\"a\\\" b\"; }", `f:2: in the alphabet: expected names separated by commas, as in: a, b, "c d"`},
	{"dot", "digraph {\nalphabet=\"\\\"a\"; }", `f:2: in the alphabet: expected names separated by commas, as in: a, b, "c d"`},
	{"dot", "digraph {\nalphabet=\"a,,b\"; }", `f:2: in the alphabet: expected names separated by commas, as in: a, b, "c d"`},
	{"dot", "digraph {}\ndigraph {}", "f:2: something follows the graph"},
	{"dot", "digraph { alphabet=\"a\";\n1 -> 1 [label=\"a, b\"] }", `f:2: symbol "b" is not in the declared alphabet`},
	{"dot", "digraph { alphabet=\"a\";\n1 -> 1 [label=\"a, \"] }", `f:2: expected names separated by commas, as in: a, b, "c d"`},
	{"dot", "digraph {\nalphabet=\"ε\" }", "f:2: in the alphabet: ε is not a symbol"},
	{"dot", "digraph {\nalphabet=\"a, a\" }", `f:2: in the alphabet: symbol "a" is in the alphabet twice`},
	{"dot", "digraph {\n_0 \x01 }", `f:2: unexpected character "\x01"`},
	{"dot", "digraph {\n__start0 -> a -> a [label=\"\xff\"] }", `f:2: symbol "\xff" is not valid UTF-8`},

	{"att", "0\t1\ta\tb\n", `f:1: in "a" and out "b" differ: transducers are not supported (a weight needs a decimal point, or a fifth column)`},
	{"att", "0\t1\ta\ta\n\n0\t1\ta\ta\t1\t1\n", "f:3: more than five columns; a transition is written: from, to, in, out, weight"},
	{"att", "0\t1\ta\ta\n0\tx\n", `f:2: weight "x" is not a number`},
	{"att", "0\t1\t\t\n", "f:1: a column is empty; a space in a name is written <U+0020>, no symbol at all <eps>"},
	{"att", "0 1 \xff\n", `f:1: symbol "\xff" is not valid UTF-8`},

	{"mata", "", "f:1: no section @NFA-explicit"},
	{"mata", "q a q\n", "f:1: expected @NFA-explicit first"},
	{"mata", "@NFA-bits\n", "f:1: symbols as bit vectors (@NFA-bits) are not supported; mintermize the automaton to @NFA-explicit with Mata first"},
	{"mata", "@AFA-explicit\n", `f:1: a section "@AFA-explicit" is not supported, only @NFA-explicit`},
	{"mata", "@NFA-explicit\n@NFA-explicit\n", "f:2: a second section: one file is one automaton"},
	{"mata", "@NFA-explicit x\n", `f:1: something follows "@NFA-explicit"`},
	{"mata", "@NFA-explicit\n\nq0 a\n", "f:3: a transition has three parts: from, symbol, to (formulas are not supported)"},
	{"mata", "@NFA-explicit\nq0 a|b q1\n", "f:2: a transition has three parts: from, symbol, to (formulas are not supported)"},
	{"mata", "@NFA-explicit\nq0 \"a q1\n", "f:2: a quoted name does not end"},
	{"mata", "@NFA-explicit\nq0 a\"b q1\n", "f:2: a quote in the middle of a name"},
	{"mata", "@NFA-explicit\nq0 \"a\"b q1\n", "f:2: a quoted name is followed by something that is not a space"},
	{"mata", "@NFA-explicit\n%Inital q0\n", `f:2: unknown key "%Inital"`},
	{"mata", "@NFA-explicit\n%Initial q0 & q1\n", "f:2: unexpected &: formulas are not supported here"},
	{"mata", "@NFA-explicit\n%Final !q0 | !q1\n", "f:2: a formula with ! must be of the form !p & !q & …"},
	{"mata", "@NFA-explicit\n%Final !q0 &\n", "f:2: a formula with ! must be of the form !p & !q & …"},
	{"mata", "@NFA-explicit\n%Alphabet-enum a a\n", `f:2: symbol "a" is in the alphabet twice`},
	{"mata", "@NFA-explicit\n%Alphabet-enum a\nq0 \\\nb q0", `f:3: symbol "b" is not in the declared alphabet`},

	{"jff", "", "f:1: not a JFLAP file: there is no <type>fa</type>"},
	{"jff", "<structure>\n<type>pda</type></structure>", `f:2: the type is "pda"; only finite automata (fa) are supported`},
	{"jff", "<structure>\n<type>fa</structure>", "f:2: invalid XML: element <type> closed by </structure>"},
	{"jff", "<a>\n&lol;</a>", "f:2: invalid XML: invalid character entity &lol;"},
	{"jff", jff(`<state id="0"/>` + "\n" + `<state id="0"/>`), `f:5: two states have the id "0"`},
	{"jff", jff(`<state name="q0"/>`), "f:4: a state has no id"},
	{"jff", jff(`<transition><from>0</from><read/></transition>`), "f:4: a transition has no from or no to"},
	{"jff", jff("\n<transition><from>0</from><to>1</to></transition>"), "f:5: a transition leads from or to a state that does not exist"},
	{"jff", strings.Repeat("<a>\n", 200), "f:101: elements are nested more than 100 deep"},
	{"jff", "<a\n" + strings.Repeat(` b=""`, 1<<14), "f:1: a tag is longer than 65536 bytes"},
}

// Every malformed file is refused with the line and the reason.
func TestErrors(t *testing.T) {
	for _, test := range errorTests {
		f, err := ByName(test.format)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(strings.NewReader(test.text), "f", f)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || err.Error() != test.want {
			t.Errorf("%s: %q\ngot  %v\nwant %s", test.format, test.text[:min(200, len(test.text))], err, test.want)
		}
	}
}

func TestReadLimits(t *testing.T) {
	_, err := readUpTo(10, strings.NewReader("0\t1\ta\ta\n1\n"), "f", attFormat)
	if err != nil {
		t.Errorf("ten bytes: %v", err)
	}
	var size *SizeError
	_, err = readUpTo(9, strings.NewReader("0\t1\ta\ta\n1\n"), "f", attFormat)
	if !errors.As(err, &size) || size.Limit != 9 || err.Error() != "f: longer than 9 bytes, the most that is read" {
		t.Errorf("ten bytes of nine: %v", err)
	}
	failure := errors.New("disk on fire")
	if _, err := Read(iotest.ErrReader(failure), "f", attFormat); !errors.Is(err, failure) {
		t.Errorf("error of the reader: %v", err)
	}
	if _, err := Read(strings.NewReader(""), "f", goFormat); err == nil || err.Error() != "f: go can only be written, not read" {
		t.Errorf("write-only: %v", err)
	}
}

func TestByNameAndExtension(t *testing.T) {
	for path, want := range map[string]string{
		"x.json": "json", "a/b.DOT": "dot", "x.gv": "dot", "r16.att": "att", "x.mata": "mata", "x.jff": "jff",
		"x.mmd": "mermaid", "x.tex": "tikz", "x.go": "go", "x.py": "python",
	} {
		if f, err := ByExtension(path); err != nil || f.Name != want {
			t.Errorf("%s: %s, %v, want %s", path, f.Name, err, want)
		}
	}
	const formats = "there are json (.json), dot (.dot, .gv), aalpy, att (.att), mata (.mata), jff (.jff), " +
		"mermaid (.mmd, .mermaid), tikz (.tex), go (.go), python (.py)"
	for _, test := range []struct {
		err  error
		want string
	}{
		{second(ByExtension("-")), "-: no extension to tell the format by; " + formats},
		{second(ByExtension("x.png")), "x.png: no format has the extension .png; " + formats},
		{second(ByName("xml")), `no format is called "xml"; ` + formats},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("got %v, want %s", test.err, test.want)
		}
	}
	for _, f := range Formats() {
		if g, err := ByName(f.Name); err != nil || g.Name != f.Name || f.Doc == "" {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func second(_ Format, err error) error { return err }

// The errors of writing say which name is in the way; limits come through.
func TestWriteErrors(t *testing.T) {
	for name, want := range map[string]string{
		`a"b`:       "it contains a quote or a line break",
		`a\`:        "it ends in a backslash",
		"{a}":       "braces around a name are removed",
		"007":       "it would become another number",
		"²":         "it would become another number",
		"__start0x": "it contains __start0, the mark of the start state",
	} {
		n := automaton.NewNFA(mustAlphabet(t, name), 1)
		err := Write(&strings.Builder{}, n, aalpyFormat)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	if err := Write(failing{}, evenAs(t), attFormat); !errors.Is(err, errFull) {
		t.Errorf("error of the writer: %v", err)
	}
	names := make([]string, 60_000)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	n := automaton.NewNFA(mustAlphabet(t, names...), 5_000) // as a table: 300 million entries
	n.Start = []automaton.State{1}
	var limit *automaton.LimitError
	if err := Write(&strings.Builder{}, n, goFormat); !errors.As(err, &limit) {
		t.Errorf("too large a table: %v", err)
	}
}

var errFull = errors.New("disk full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
