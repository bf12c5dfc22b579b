package codec

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"quotient/automaton"
)

// hostile are files made to cost more than they weigh, of about n bytes.
var hostile = []struct {
	name, format string
	text         func(n int) string
}{
	{"large numbers", "att", func(int) string { return "0\t2000000000\ta\ta\n999999999999999999\n" }},
	{"final states", "att", func(n int) string { return numbered(n, "%d\n") }},
	{"symbols", "att", func(n int) string { return numbered(min(n, 300_000), "0 1 %d\n") }},
	{"one long line", "att", func(n int) string { return "0 1 " + strings.Repeat("a", n) }},
	{"one long line of columns", "att", func(n int) string { return strings.Repeat("a ", n/2) }},
	{"empty lines", "att", func(n int) string { return strings.Repeat("\n", n) }},
	{"escapes", "att", func(n int) string { return "0 1 " + strings.Repeat("<U+0041>", n/8) }},
	{"open escapes", "att", func(n int) string { return "0 1 " + strings.Repeat("<U+", n/3) }},

	{"deep lists", "json", func(n int) string { return `{"states": ` + strings.Repeat("[", n) }},
	{"deep objects", "json", func(n int) string { return `{"states": ` + strings.Repeat(`{"a":`, n/5) }},
	{"empty states", "json", func(n int) string { return jsonHead + `"states": [` + strings.Repeat("{},", n/3) + "{}]}" }},
	{"many states", "json", func(n int) string {
		return jsonHead + `"start": [], "transitions": [], "states": [` + numbered(n, `{"id":%d},`) + `{"id":-1}]}`
	}},
	{"many starts", "json", func(n int) string {
		return jsonHead + `"states": [{"id": 1}], "transitions": [], "start": [` + strings.Repeat("1,", n/2) + "1]}"
	}},
	{"a billion states", "json", func(int) string {
		return jsonHead + `"start": [], "transitions": [], "states": [{"id": 1000000000}, {"id": 2000000000}]}`
	}},
	{"repeated fields", "json", func(n int) string { return "{" + strings.Repeat(`"start":1,`, n/10) }},

	{"nodes", "dot", func(n int) string { return "digraph { __start0 -> " + numbered(n, "%d;") + "}" }},
	{"a chain with a long label", "dot", func(n int) string {
		return `digraph { alphabet="a"; 1` + strings.Repeat("->1", n/6) + ` [label="a` + strings.Repeat(",a", n/4) + `"] }`
	}},
	{"a default with a long label", "dot", func(n int) string {
		return `digraph { alphabet="a"; edge [label="a` + strings.Repeat(",a", n/4) + `"]; ` + strings.Repeat("1->1;", n/10) + `}`
	}},
	{"attributes", "dot", func(n int) string { return "digraph { __start0 -> 1; 1 [" + strings.Repeat("a=b,", n/4) + "] }" }},
	{"joined strings", "dot", func(n int) string {
		return `digraph { __start0 -> 1; 1 -> 1 [label=""` + strings.Repeat(`+"a"`, n/4) + `] }`
	}},
	{"open braces", "dot", func(n int) string { return "digraph " + strings.Repeat("{", n) }},

	{"states", "mata", func(n int) string { return "@NFA-explicit\n%States-enum" + numbered(n, " q%d") }},
	{"finals", "mata", func(n int) string { return "@NFA-explicit\n" + strings.Repeat("%Final q\n", n/9) }},
	{"negations", "mata", func(n int) string { return "@NFA-explicit\n%Final !q" + strings.Repeat("&!q", n/3) }},
	{"joined lines", "mata", func(n int) string { return "@NFA-explicit\n" + strings.Repeat("a \\\n", n/4) }},

	{"deep elements", "jff", func(n int) string { return strings.Repeat("<a>", n/3) }},
	{"attributes", "jff", func(n int) string { return "<a" + strings.Repeat(` a=""`, n/5) + ">" }},
	{"short tags with attributes", "jff", func(n int) string {
		return "<a>" + strings.Repeat("<b"+strings.Repeat(` a=""`, 10_000)+"/>", n/50_000) + "</a>"
	}},
	{"entities", "jff", func(n int) string {
		return `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><a>` + strings.Repeat("&b;", n/3) + "</a>"
	}},
	{"states", "jff", func(n int) string { return "<a><type>fa</type>" + numbered(n, `<state id="%d"/>`) + "</a>" }},
	{"a long comment", "jff", func(n int) string { return "<!--" + strings.Repeat("<", n) + "--><type>fa</type>" }},
}

const jsonHead = `{"format": "quotient-automaton", "version": 1, "alphabet": [], `

// numbered repeats a format with rising numbers until there are n bytes.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Reading allocates in all, garbage included, at most 80 times the size of the
// file, and what is left of it is at most 20 times as large. Quadratic time would
// show as well: the test would take minutes.
func TestHostileMemory(t *testing.T) {
	const size = 400_000
	for _, test := range hostile {
		t.Run(test.format+"/"+test.name, func(t *testing.T) {
			f, err := ByName(test.format)
			if err != nil {
				t.Fatal(err)
			}
			text := test.text(size)
			var before, after, kept runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			n, err := Read(strings.NewReader(text), "f", f)
			runtime.ReadMemStats(&after)
			runtime.GC()
			runtime.ReadMemStats(&kept)

			const fixed = 100_000 // buffers
			allocated := int(after.TotalAlloc - before.TotalAlloc)
			live := int(kept.HeapAlloc) - int(before.HeapAlloc)
			t.Logf("%d bytes, allocated %.1f times as many, kept %.1f times, error: %.150v", len(text),
				float64(allocated)/float64(len(text)), float64(live)/float64(len(text)), err)
			if allocated > fixed+80*len(text) {
				t.Errorf("allocated %d bytes for a file of %d", allocated, len(text))
			}
			if live > fixed+20*len(text) {
				t.Errorf("kept %d bytes for a file of %d", live, len(text))
			}
			runtime.KeepAlive(n)
			runtime.KeepAlive(text)
		})
	}
}

// A state number is a name and costs nothing.
func TestLargeNumbers(t *testing.T) {
	n := decode(t, attFormat, "7\t2000000000\ta\ta\n2000000000\t3\tb\tb\n3\n")
	if n.Len() != 3 || n.Start[0] != 2 || !n.Accept[1] {
		t.Errorf("got %+v, want three states in the order 3, 7, 2000000000", n)
	}
}

func TestTooManySymbols(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf("0\t0\ts%d\ts%d\n", i, i) }
	var text strings.Builder
	for i := range 65_535 {
		text.WriteString(line(i))
	}
	n := decode(t, attFormat, text.String())
	if n.Alphabet.Len() != 65_535 {
		t.Errorf("%d symbols, want 65535", n.Alphabet.Len())
	}
	for _, e := range n.Edges {
		if e.On == automaton.Epsilon {
			t.Fatal("a symbol was taken for ε")
		}
	}
	text.WriteString(line(65_535))
	_, err := Read(strings.NewReader(text.String()), "f", attFormat)
	if err == nil || err.Error() != "f:65536: more than 65535 symbols, the most that an alphabet can have" {
		t.Errorf("got %v", err)
	}
}
