package report

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/extract"
	"quotient/internal/oracletest"
	"quotient/model"
	"quotient/oracle"
	"quotient/study"
	"quotient/word"
)

var update = flag.Bool("update", false, "write the golden file anew")

// sample is a report about a recognizer that is known in every bit.
func sample(t *testing.T) Report {
	t.Helper()
	r := oracletest.Random(3, 4, 0.3)
	m := &model.Model{Name: "a <network> & more", Format: "noise around an automaton", Net: r, Notes: []string{"a <guess>"}}
	o := extract.Options{Method: extract.Fold, Strings: 40, Length: 6, Seed: 1}
	s, err := study.Run(t.Context(), m, study.Options{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	s.Target = &study.Target{Name: "<x>", Equal: true}
	q := oracle.Ask(t.Context(), r)
	p, err := extract.Prepare(q, o)
	if err != nil {
		t.Fatal(err)
	}
	trials, err := p.Sweep(q, []float64{0.01, 0.1, 1})
	if err != nil {
		t.Fatal(err)
	}
	return Report{Study: s, Command: "quotient extract 'x'", Version: "quotient test", Trials: trials}
}

func TestReport(t *testing.T) {
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := sample(t).Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same extraction gives another report")
	}
	text := first.String()
	for _, part := range []string{
		"a &lt;network&gt; &amp; more", "exactly &lt;x&gt;", "With confidence 99%", "Over κ", "The state space",
		"How it was made", "quotient test", "quotient extract", "40 words of length 6, seed 1",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing", part)
		}
	}
	frames := strings.Count(text, `<figure class="frame`)
	if n := strings.Count(text, "<svg") - strings.Count(text, `width="12"`) - frames; n != 3 || frames < 3 {
		t.Errorf("%d pictures, and %d of the merging", n, frames)
	}
	// Nothing beside it is needed or used, and no script runs but the one that its policy names.
	plain := strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")
	if n := strings.Count(plain, "<script"); n != 2 || !strings.Contains(html.UnescapeString(text), "script-src "+string(scriptHash)) {
		t.Errorf("%d scripts", n)
	}
	plain = strings.ReplaceAll(plain, script, "")
	if bad := regexp.MustCompile(`<link|\bsrc=|\bhref=|url\(|@import|https?:|\son\w+=`).FindString(plain); bad != "" {
		t.Errorf("%q is in the report", bad)
	}
	golden(t, "testdata/report.html", withoutNumbers(text))
}

// TestManySymbols: with 64 symbols there are still a table, the states, what was found, and words
// to try.
func TestManySymbols(t *testing.T) {
	r := oracletest.Random(7, 5, 0.05)
	var names []string
	for i := range 64 {
		names = append(names, fmt.Sprintf("s%d", i))
	}
	many, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(many, r.DFA.Len())
	d.Accept = r.DFA.Accept
	for q := automaton.State(1); int(q) <= d.Len(); q++ {
		for s := range 64 {
			d.SetNext(q, word.Symbol(s), r.DFA.Next(q, word.Symbol(s%3)))
		}
	}
	r.DFA = d
	m := &model.Model{Name: "many", Net: r}
	s, err := study.Run(t.Context(), m, study.Options{Options: extract.Options{Method: extract.Explore, Seed: 1, Budget: 4000}})
	if err != nil {
		t.Fatal(err)
	}
	s.Examples = append(s.Examples, study.Counterexample{Word: "s1 s2", Network: true})
	var b bytes.Buffer
	if err := (Report{Study: s}).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<title>many</title>", "<th>leads to</th>", "The automaton as a table", "Size against error", "<h2>Findings</h2>", `id="words"`} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is missing", part)
		}
	}
}

// withoutNumbers leaves out what rounding may change from machine to machine.
func withoutNumbers(text string) string {
	text = regexp.MustCompile(`(?s)<svg.*?</svg>`).ReplaceAllString(text, "<svg/>")
	return regexp.MustCompile(`\d+\.\d+|\d+% and \d+%`).ReplaceAllString(text, "#")
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("not as in %s; run with -update and look at the difference:\n%s", path, got)
	}
}

// A comparison of methods has a table and a chart; names and errors are escaped.
func TestMethods(t *testing.T) {
	r := sample(t)
	failed, exact, other := "no <states> & more", true, false
	r.Methods = []study.Entry{
		{Method: "ttt", States: 4, Accuracy: 1, Equal: &exact, Membership: 123456, CacheHits: 17, Equivalence: 2, Seconds: 0.25, Warnings: []string{"hard <words>"}},
		{Method: "rpni", States: 40, Accuracy: 0.5, Equal: &other, Membership: 600, Seconds: 0.001},
		{Method: "fold", Error: &failed, Seconds: 3},
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, part := range []string{
		"All methods side by side",
		"<td>ttt</td><td>4</td><td>100.00%</td><td>exact</td><td>123456</td><td>17</td><td>2</td><td>0.25</td>",
		"<td>rpni</td><td>40</td><td>50.00%</td><td>differs</td><td>600</td><td>·</td><td>·</td><td>0.00</td>",
		"<li>ttt: hard &lt;words&gt;</li>",
		"<td>fold</td><td>no &lt;states&gt; &amp; more</td>",
		`width="190.0" height="15" rx="2" fill="#4c78a8"/>`, // the most words
		`width="190.0" height="15" rx="2" fill="#c9cdd6"/>`, // the most states, and not exact
		">123456</text>", ">0.25</text>",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("a bar without a length")
	}
	b.Reset()
	r.Methods = nil
	if r.Write(&b) != nil || strings.Contains(b.String(), "All methods") {
		t.Error("nothing was compared, and the page has a section for it")
	}
}

// The user's words have a section of their own, with the words of difference in it.
func TestYourWords(t *testing.T) {
	r := sample(t)
	var text []byte
	for _, w := range word.Shortest(r.Study.Alphabet().Len(), 60) {
		text = append(text, r.Study.Alphabet().Format(w)+",1\n"...)
	}
	o := r.Study.Result.Options
	o.Method, o.Kappa, o.Limit, o.Data, o.DataText = extract.Union, 1.9, 10_000, "a <file>", text
	net := oracletest.Random(3, 4, 0.3)
	s, err := study.Run(t.Context(), &model.Model{Name: "x", Net: net}, study.Options{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (Report{Study: s}).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<h2>Your words</h2>", "a &lt;file&gt;: 60 words, 12 of them held out", "Network and automaton part on:", "; its label: accepted", "words such as those of a &lt;file&gt;."} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is missing", part)
		}
	}
}
