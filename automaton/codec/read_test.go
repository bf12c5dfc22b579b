package codec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/internal/foreign"
	"quotient/word"
)

// describe writes an automaton on one line: alphabet, start states, accepting
// states, edges.
func describe(n *automaton.NFA) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %d of %d", n.Alphabet, n.Start, n.Len())
	for q, accept := range n.Accept {
		if accept {
			fmt.Fprintf(&b, " (%d)", q)
		}
	}
	for _, e := range n.Edges {
		fmt.Fprintf(&b, " %d-%s-%d", e.From, display(n.Alphabet, e.On), e.To)
	}
	return b.String()
}

// readTests are what other programs, and people, write.
var readTests = []struct{ format, text, want string }{
	{"att", "", "{} [] of 0"},
	{"att", "0\n", "{} [1] of 1 (1)"},
	{"att", "\ufeff0 1 b b\r\n\r\n0  1\ta a\r\n1\r\n", "{a, b} [1] of 2 (2) 1-b-2 1-a-2"},
	{"att", "1\t0\ta\n0\t0.5\n", "{a} [2] of 2 (1) 2-a-1"},
	{"att", "0 1 a a 0.5\n0 1 b 0.5\n0 1 0.5 0.5\n1 2", "{0.5, a, b} [1] of 2 (2) 1-a-2 1-b-2 1-0.5-2"},
	{"att", "0 1 a a Infinity\n1 Infinity\n0 inf", "{a} [1] of 2"},
	{"att", "0 1 <eps> <eps>\n1 0 @0@ @0@\n1 1 <U+0020><U+41><U+110000>\n", `{" <U+41><U+110000>"} [1] of 2 1-ε-2 2-ε-1 2-" <U+41><U+110000>"-2`},
	{"att", "q p a a\np\n", "{a} [1] of 2 (2) 1-a-2"},
	{"att", "10 9 a a\n9\n08\n", "{a} [1] of 3 (2) (3) 1-a-2"},

	{"json", `{"version":1,"transitions":[{"to":7,"from":-3,"on":"x"},{"from":7,"to":7}],"states":[{"id":7,"accept":true},{"id":-3}],
			"start":[-3],"alphabet":["y","x"],"format":"quotient-automaton"}`, "{y, x} [2] of 2 (1) 2-x-1 1-ε-1"},

	{"dot", `strict DIGRAPH "a b" { // comment
			# another
			rankdir=LR; size="8,5"
			node [shape = doublecircle]; LR_0 LR_3;
			node [shape = circle];
			start [shape=point];
			start -> LR_0;
			LR_0:n -> LR_2:s:w [ label = "SS(B)" ];
			LR_2 -> LR_3 -> LR_0 [color=red][label = "a" + /* joined */ "b\
c"]
			edge [label=-1.5] LR_3 -> LR_3
			4 [peripheries=2]; 4->4->LR_0
			LR_2 -> LR_2 [label=ε];
			}`, "{-1.5, SS(B), abc} [1] of 4 (1) (2) (4) 1-SS(B)-3 3-abc-2 2-abc-1 2--1.5-2 4--1.5-4 4--1.5-1 3-ε-3"},
	{"dot", `digraph { __start0 -> "1"; 1 -> 1 [label="ε"] }`, `{"ε"} [1] of 1 1-"ε"-1`},
	{"dot", `digraph { i [style=invis]; i -> 1 [label=start]; 1 -> 1 [label="\"\\"] }`, `{"\"\\\\"} [1] of 1 1-"\"\\\\"-1`},
	{"dot", `digraph { 1 -> 2 [label="b,ε , \"ε\", \\"]; alphabet="\\, b , \"ε\""; 1 [shape=doublecircle] }`, `{\, b, "ε"} [] of 2 (1) 1-b-2 1-ε-2 1-"ε"-2 1-\-2`},
	{"dot", `digraph { alphabet="" }`, "{} [] of 0"},

	{"mata", "# c\n@NFA-explicit # c\n%Alphabet-auto\n%Initial q10 | q2\n%Final q2\nq2 b q10 # c\n\nq10 \\\n a q2", "{a, b} [2 1] of 2 (1) 1-b-2 2-a-1"},
	{"mata", "@NFA-explicit\n%Final !q0 & !\"q1\"\nq0 97 q1\nq1 4294967295 q2", "{97} [] of 3 (3) 1-97-2 2-ε-3"},
	{"mata", "@NFA-explicit\n%Final true\n%Initial \"(r,s)\"\n\"(r,s)\" \"a \\\" \\\\\" r\n%Epsilon e\nr e r", `{"a \" \\"} [1] of 2 (1) (2) 1-"a \" \\"-2 2-ε-2`},
	{"mata", "@NFA-explicit\n%Alphabet-enum b\n%Alphabet-enum a\n%States-enum s r\n%Final \\false\nr a s", "{b, a} [] of 2 2-a-1"},

	{"jff", `<?xml version="1.0" encoding="UTF-8" standalone="no"?><!--Created with JFLAP 7.1.--><structure>&#13;
			<type>fa</type>&#13;
			<automaton>&#13;
				<!--The list of states.-->&#13;
				<state id="1" name="q0">&#13;<x>8.0</x><y>9.0</y><label>first</label><initial/></state>
				<state id="0" name="q1"><final/></state>
				<transition><from>1</from><to>0</to><read>b</read></transition>
				<transition><from> 1 </from><to>0</to><read/></transition>
				<transition><from>0</from><to>0</to><read>&lt;<![CDATA[>]]> a</read></transition>
				<note><text>final</text><x>1</x></note>
			</automaton></structure>`, `{"<> a", b} [2] of 2 (1) 2-b-1 2-ε-1 1-"<> a"-1`},
	{"jff", `<structure type="editor_panel"><structure type="transition_graph"><structure><type>fa</type><state id="a"/></structure></structure></structure>`, "{} [] of 1"},
}

func TestRead(t *testing.T) {
	for _, test := range readTests {
		f, err := ByName(test.format)
		if err != nil {
			t.Fatal(err)
		}
		n, err := Read(strings.NewReader(test.text), "f", f)
		if err != nil {
			t.Errorf("%v in\n%s", err, test.text)
		} else if got := describe(n); got != test.want {
			t.Errorf("%s\n%s\ngot  %s\nwant %s", test.format, test.text, got, test.want)
		}
	}
}

// The languages of other benchmarks are read, and have the alphabets that their
// names say.
func TestReadLanguages(t *testing.T) {
	files := foreign.Files(t, "languages", "mlregtest", "*.att")
	for _, path := range append(files, foreign.Files(t, "languages", "r16.att")...) {
		n, err := readFile(t, attFormat, path)
		if err != nil {
			t.Error(err)
			continue
		}
		want := 2
		if name := filepath.Base(path); name != "r16.att" {
			fmt.Sscanf(name, "%02d", &want)
		}
		d := determinize(t, n)
		if d.Alphabet.Len() != want || automaton.Minimize(d).Len() == 0 || d.Len() != n.Len() {
			t.Errorf("%s: %d symbols, want %d; %d of %d states when deterministic", path, d.Alphabet.Len(), want, d.Len(), n.Len())
		}
	}
}

// million is an AT&T file of a million transitions.
func million() string {
	var b strings.Builder
	const states = 500_000
	for q := range states {
		for s, name := range []string{"a", "b"} {
			fmt.Fprintf(&b, "%d\t%d\t%s\t%s\n", q, (q*7919+s*104729+1)%states, name, name)
		}
	}
	b.WriteString("0\n")
	return b.String()
}

func BenchmarkReadATT(b *testing.B) {
	text := million()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(strings.NewReader(text), "f", attFormat); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleRead() {
	file := strings.NewReader("0\t1\ta\ta\n1\t0\tb\tb\n0\n")
	format, err := ByExtension("ab.att")
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := Read(file, "ab.att", format)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Accepts(word.Word{0, 1, 0, 1}), n.Accepts(word.Word{0}))
	_, err = Read(strings.NewReader("0\t1\ta\tb\n"), "ab.att", format)
	fmt.Println(err)
	// Output:
	// true false
	// ab.att:1: in "a" and out "b" differ: transducers are not supported (a weight needs a decimal point, or a fifth column)
}

func ExampleWrite() {
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.Accept[1] = true
	d.SetNext(1, 0, 2)
	d.SetNext(2, 1, 1)
	dot, err := ByName("dot")
	if err == nil {
		err = Write(os.Stdout, d.NFA(), dot)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// digraph {
	// 	rankdir=LR;
	// 	alphabet="a, b";
	// 	node [shape=circle];
	// 	__start0 [shape=point, style=invis, label=""];
	// 	q0 [shape=doublecircle];
	// 	q1;
	// 	__start0 -> q0;
	// 	q0 -> q1 [label="a"];
	// 	q1 -> q0 [label="b"];
	// }
}

// The example in the documentation is what is written, and its error is real.
func TestJSONDocumentation(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "automaton-json.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```json\n")
	example, rest, _ := strings.Cut(rest, "```")
	n := decode(t, jsonFormat, example)
	if got, want := describe(n), "{a, b} [1] of 2 (1) 1-a-2 2-b-1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := encode(t, jsonFormat, n); got != example {
		t.Errorf("got\n%s\nwant\n%s", got, example)
	}
	_, err = Read(strings.NewReader(strings.Replace(example, `"on": "a"`, `"on": "c"`, 1)), "ab.json", jsonFormat)
	if err == nil || !strings.Contains(rest, err.Error()) {
		t.Errorf("the documentation shows another error than %v", err)
	}
}
