package labeled

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quotient/word"
)

// list writes a set as "+abab -ε ?b".
func list(s *Set) string {
	var words []string
	for i, w := range s.Words {
		words = append(words, string("?-+"[s.Labels[i]])+s.Alphabet.Format(w))
	}
	return strings.Join(words, " ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want, alphabet string }{
		{"Abbadingo", "3 2\n1 3 0 1 1\n0 0\n-1 1 1\n", "+011 -ε ?1", "{0, 1}"},
		{"Abbadingo, more symbols than occur", "1 3\r\n\r\n1 2 0 1\r\n", "+01", "{0, 1, 2}"},
		{"CSV", "ab,1\nba,0\n,true\nε,?\n", "+ab -ba +ε ?ε", "{a, b}"},
		{"CSV with a header", "word,label\nab,accept\nba,Reject\n", "+ab -ba", "{a, b}"},
		{"CSV with the label first", "Label,Word\n+,ab\n-,ba\n", "+ab -ba", "{a, b}"},
		{"CSV with other columns", "id,class,text\n1,yes,ab\n2,no,ba\n", "+ab -ba", "{a, b}"},
		{"CSV with spaces", "a bc a,1\nbc,0\n", "+a bc a -bc", "{a, bc}"},
		{"CSV with quotes", "\"a,\"\"\"\"\"\",\",1\n", "", ""}, // the word a,""",  in which a name does not begin well
		{"a symbol that is a comma", "\"a,b\",1\n", "+a,b", "{,, a, b}"},
		{"a quoted name", "\"\"\"NP\"\"\",1\n", "+NP", "{NP}"},
		{"semicolons", "ab;1\nba;0\n", "+ab -ba", "{a, b}"},
		{"tabs", "0110\t1\n\t0\n", "+0110 -ε", "{0, 1}"},
		{"a byte order mark", "\uFEFFab,1\n", "+ab", "{a, b}"},
		{"plain", "+ abab\n- ε\n? b\n+\n", "+abab -ε ?b +ε", "{a, b}"},
		{"StaMinA", "+ 0 10 0\n- 10\n", "+0 10 0 -10", "{0, 10}"},
		{"JSON lines", `{"word":"ab","accept":true}` + "\n" + `{"symbols":["a","bc"],"label":0}` + "\n\n" + `{"word":"","label":"?"}`, "+a b -a bc ?ε", "{a, b, bc}"},
		{"lines that end with CR", "word,label\rab,1\rba,0\r", "+ab -ba", "{a, b}"},
		{"plain, with CR", "+ ab\r- ba", "+ab -ba", "{a, b}"},
		{"JSON lines, with CR", `{"word":"ab","label":1}` + "\r" + `{"word":"ba","label":0}` + "\r", "+ab -ba", "{a, b}"},
		{"nothing", "", "", "{}"},
	} {
		s, err := Read(strings.NewReader(c.text), "f", Options{})
		if c.alphabet == "" {
			if err == nil {
				t.Errorf("%s: no error, but %s", c.name, list(s))
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if list(s) != c.want || s.Alphabet.String() != c.alphabet {
			t.Errorf("%s: %s over %s, want %s over %s", c.name, list(s), s.Alphabet, c.want, c.alphabet)
		}
	}
}

// What people call columns and labels, and what is said about it.
func TestReading(t *testing.T) {
	for _, c := range []struct{ text, want, reading string }{
		{"text,target\nab,1.0\nba,-1\n", "+ab -ba", "csv with commas; words in column 1 (text); labels in column 2 (target) (1.0 accepts; -1 rejects); every character a symbol"},
		{"sequence\tclass\na b\tpositive\nb\tnegative\n", "+ab -b", "csv with tabs; words in column 1 (sequence); labels in column 2 (class) (positive accepts; negative rejects); symbols with blanks between them"},
		{"Label,Input\npos,ab\nneg,ba\n", "+ab -ba", "csv with commas; words in column 2 (Input); labels in column 1 (Label) (pos accepts; neg rejects); every character a symbol"},
		{"ab,yes\nba,no\n", "+ab -ba", "csv with commas; words in column 1; labels in column 2 (yes accepts; no rejects); every character a symbol"},
		{"TRUE;ab\nFALSE;ba\n", "+ab -ba", "csv with semicolons; words in column 2; labels in column 1 (TRUE accepts; FALSE rejects); every character a symbol"},
		{"foo,bar\nab,1\nba,0\n", "+ab -ba", "csv with commas; words in column 1 (foo); labels in column 2 (bar) (1 accepts; 0 rejects); every character a symbol; no column has a name that is known, so what stands in them decided"},
		{"id,text,length,y\n7,ab,2,1\n8,ba,2,0\n", "+ab -ba", "csv with commas; words in column 2 (text); labels in column 4 (y) (1 accepts; 0 rejects); every character a symbol; not used: column 1 (id), column 3 (length)"},
		{"x,1\nxx,0\n", "+x -xx", "csv with commas; words in column 1; labels in column 2 (1 accepts; 0 rejects); every character a symbol"},
		{"x,y\nxx,n\nxxx,y\n", "+x -xx +xxx", "csv with commas; words in column 1; labels in column 2 (y accepts; n rejects); every character a symbol"},
		{"x,y\nab,1\n", "+ab", "csv with commas; words in column 1 (x); labels in column 2 (y) (1 accepts); every character a symbol"},
		{"1,0\n10,1\n", "-1 +10", "csv with commas; words in column 1; labels in column 2 (1 accepts; 0 rejects); every character a symbol"},
		{"word\nab\nba\n", "?ab ?ba", "csv; words in column 1 (word); no labels; every character a symbol"},
		{"ab\nba\n", "?ab ?ba", "csv; words in column 1; no labels; every character a symbol"},
		{"a b a\nb b\n", "?aba ?bb", "csv; words in column 1; no labels; symbols with blanks between them"},
		{"\"a,b\",+\n\"b,a\",-\n", "+a,b -b,a", "csv with commas; words in column 1; labels in column 2 (+ accepts; - rejects); every character a symbol"},
		{`[{"text": "ab", "target": 1}, {"text": "ba", "target": -1}]`, "+ab -ba", `json; words in "text"; labels in "target" (1 accepts; -1 rejects); every character a symbol`},
		{`[["ab", true], ["ba", false]]`, "+ab -ba", "json; labels (true accepts; false rejects); every character a symbol"},
		{`["ab", "ba"]`, "?ab ?ba", "json; no labels; every character a symbol"},
		{"[\n  {\n    \"symbols\": [0, 1],\n    \"label\": \"accept\"\n  }\n]\n", "+01", `json; words in "symbols"; labels in "label" (accept accepts); lists of symbols`},
		{"[\"ab\", 1]\n[\"ba\", 0]\n", "+ab -ba", "jsonl; labels (1 accepts; 0 rejects); every character a symbol"},
		{`{"sequence": ["a", "b"], "output": "reject"}`, "-ab", `jsonl; words in "sequence"; labels in "output" (reject rejects); lists of symbols`},
		{"[[]],1\n[],1\n][,0\n", "+[[]] +[] -][", "csv with commas; words in column 1; labels in column 2 (1 accepts; 0 rejects); every character a symbol"},
		{"2 2\n1 1 0\n0 0\n", "+0 -ε", "abbadingo; labels"},
		{"+ ab\n- ba\n", "+ab -ba", "plain; labels (+ accepts; - rejects); every character a symbol"},
	} {
		s, err := Read(strings.NewReader(c.text), "f", Options{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := list(s); got != c.want || s.Reading.String() != c.reading {
			t.Errorf("%q: %s\nread as %s\nwant    %s", c.text, got, s.Reading, c.reading)
		}
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		w.Write([]byte(c.text))
		w.Close()
		again, err := Read(&zipped, "f.gz", Options{})
		if err != nil || list(again) != list(s) || !again.Reading.Gzip {
			t.Errorf("%q, compressed: %v", c.text, err)
		}
	}
}

func TestSymbols(t *testing.T) {
	for _, c := range []struct{ text, want, alphabet string }{
		{"1 2\n1 3 0 1 1\n", "+xyy", "{x, y}"},
		{"byx,1\n", "+byx", "{x, y, b}"},
	} {
		s, err := Read(strings.NewReader(c.text), "f", Options{Symbols: []string{"x", "y"}})
		if err != nil || list(s) != c.want || s.Alphabet.String() != c.alphabet {
			t.Errorf("%q: %v, %v", c.text, s, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"ab,1\nba,2\n", Options{}, `f:2: column 2: the label "2" is none of: ` + labelHelp},
		{"ab,1\nba\n", Options{}, `f:2: the line "ba" has no column for the label; a word and its label are needed, as in abab,1`},
		{"ab,1\n\"ba,0\nb,0\n", Options{}, `f:2: extraneous or missing " in quoted-field; a field with a quote in it stands in quotes, and the quote twice`},
		{"a,b\nc,d\n", Options{}, `f:1: column 2: the label "b" is none of: ` + labelHelp + "; a first line that names the columns calls them word and label"},
		{"# comment\n\na,b\nc,d\n", Options{}, `f:3: column 2: the label "b" is none of: ` + labelHelp + "; a first line that names the columns calls them word and label"},
		{"text,target\nab,1\nba,maybe\n", Options{}, `f:3: column 2 (target): the label "maybe" is none of: ` + labelHelp},
		{"ab,1\nba,0\nbb,-1\n", Options{}, "f:3: the label -1, where others are 0: one of them would mean unknown; write ? for that"},
		{strings.Repeat(",", 20_000) + "\n", Options{}, "f:1: more than 10000 columns; two are needed, for words and labels"},
		{"b,1\n" + strings.Repeat("a", MaxLength+1) + ",1\n", Options{}, "f:2: a word of more than 1048576 symbols, the most that is read; every line has one word"},
		{"[\n[\"ab\",1],\n[\"b\",\"x\"]\n", Options{}, "f:3: broken JSON behind character 9 of the line: the list does not end; the file is a list, and " + jsonHelp},
		{`[["ab",1],["b`, Options{}, "f:1: broken JSON behind character 13 of the line: the list does not end; the file is a list, and " + jsonHelp},
		{"[\n  [\"ab\",1] [\"b\",0]]", Options{}, "f:2: broken JSON behind character 11 of the line: expected comma after array element; the file is a list, and " + jsonHelp},
		{`[{"word":"ab","label":1},{"word":"b","la`, Options{}, "f:1: broken JSON behind character 40 of the line: the list does not end; the file is a list, and " + jsonHelp},
		{`["ab", "b` + "\n", Options{}, "f:1: broken JSON behind character 6 of the line: invalid character '\\n' in string literal; the file is a list, and " + jsonHelp},
		{`{"word":"ab","label":1` + "\n", Options{}, "f:1: broken JSON: unexpected end of JSON input; " + jsonHelp},
		{`[["ab","yes"],["b","maybe"]]`, Options{}, `f:1: the label "maybe" is none of: ` + labelHelp},
		{`[["a",1],["b","c"]]`, Options{}, `f:1: the label "c" is none of: ` + labelHelp},
		{`[["a",1],[0,1]]`, Options{}, "f:1: the word is neither a text nor a list of symbols; " + jsonHelp},
		{"Words of mine\nab,1\n", Options{}, `f:2: the line "ab,1" has 2 columns, and the first line has 1; a comma in a word stands in quotes, with the word`},
		{"[\n[\"ab\",1],\n[\"bb\",2]\n]", Options{}, `f:3: the label "2" is none of: ` + labelHelp},
		{"[\n{\"word\":\"ab\"}\n]\n[]", Options{}, "f:4: something follows the list; the file is one list, and " + jsonHelp},
		{"\x1f\x8bno", Options{}, "f: unexpected EOF"},
		{"\xff\xfea\x00", Options{}, "f:1: the byte 0xff is not UTF-8; save the file as text in UTF-8"},
		{"�,1\nab,\xe9\n", Options{}, "f:2: the byte 0xe9 is not UTF-8; save the file as text in UTF-8"},
		{"a\xffb,1\n", Options{}, "f:1: the byte 0xff is not UTF-8; save the file as text in UTF-8"},
		{"+ \"a\n", Options{}, `f:1: a quoted name does not end: "\"a"`},
		{"+ \"\"\n", Options{}, `f:1: no symbol can be called "": a name has characters, in UTF-8`},
		{"+ a\nb\n", Options{}, `f:2: a line begins with + or -, or with ? if the label is unknown, not with "b"`},
		{"2 2\n1 1 0\n", Options{}, "f:2: the number of words is 1, and the first line says 2"},
		{"1 2\n1 2 0\n", Options{}, "f:2: the length is given as 2, but there are 1 symbols"},
		{"1 2\n1 1 2\n", Options{}, `f:2: the symbol "2" is not a number from 0 to 1, as the first line promises`},
		{"1 2\n2 0\n", Options{}, `f:2: the label "2" is none of 1, 0 and, for unknown, -1`},
		{"1 2\n1\n", Options{}, "f:2: a line has a label, a length and the symbols"},
		{"1 100000\n", Options{}, "f:1: 1 words and 100000 symbols: two numbers are needed, the second up to 65535"},
		{"1 2 3\n", Options{Format: Abbadingo}, "f:1: the first line has the number of words and the number of symbols, not 3 fields"},
		{"", Options{Format: Abbadingo}, "f:1: the first line, with the numbers of words and symbols, is missing"},
		{"1 3\n1 0\n", Options{Symbols: []string{"a", "b"}}, "f:1: 3 symbols, but there are names for 2 only"},
		{"{\"word\": 3}\n", Options{}, "f:1: the word is neither a text nor a list of symbols; " + jsonHelp},
		{"\n{}\n", Options{}, `f:2: there is neither "symbols" nor "word", as in {"word":"abab","label":1}`},
		{"{\"symbols\": [\"\"]}\n", Options{}, `f:1: no symbol can be called "": a name has characters, in UTF-8`},
		{"{\"word\": \"a\", \"label\": []}\n", Options{}, `f:1: the label is a list or an object, and not one of: ` + labelHelp},
		{"a,1\n", Options{Format: "xml"}, `f: no format of words is called "xml"; there are csv, abbadingo, jsonl, json and plain`},
		{"a,1\n", Options{Symbols: []string{"a", "a"}}, `f: two symbols are called "a"`},
	} {
		_, err := Read(strings.NewReader(c.text), "f", c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
}

// What is written is read back, whatever the names.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.OneOf(rapid.StringN(1, 3, -1), rapid.SampledFrom([]string{
			"a", "b", "ε", "NP", " ", ",", "\"", "\n", "\r", "+", "0", "1", "word", "label",
		})), 1, 4, rapid.ID[string]).Draw(t, "names")
		slices.Sort(names)
		alphabet, err := word.NewAlphabet(names...)
		if err != nil {
			t.Fatal(err)
		}
		s := &Set{Alphabet: alphabet}
		for range rapid.IntRange(1, 5).Draw(t, "words") {
			w := rapid.SliceOfN(rapid.Uint16Range(0, uint16(len(names)-1)), 0, 4).Draw(t, "word")
			symbols := make(word.Word, len(w))
			for i, x := range w {
				symbols[i] = word.Symbol(x)
			}
			s.Add(symbols, Label(rapid.IntRange(0, 2).Draw(t, "label")))
		}
		for _, f := range Formats {
			var text bytes.Buffer
			if err := Write(&text, s, f); err != nil {
				t.Fatal(err)
			}
			for _, asked := range []Format{f, ""} { // told the format, and not
				back, err := Read(bytes.NewReader(text.Bytes()), "f", Options{Format: asked, Symbols: names})
				if err != nil {
					t.Fatalf("%s: %v\n%s", f, err, text.String())
				}
				if !back.Alphabet.Equal(alphabet) || fmt.Sprint(back.Words) != fmt.Sprint(s.Words) || !slices.Equal(back.Labels, s.Labels) {
					t.Fatalf("%s:\n%s\nread as %s", f, text.String(), list(back))
				}
			}
		}
	})
}

func TestWrite(t *testing.T) {
	s := &Set{Alphabet: word.Letters("ab")}
	s.Add(word.Word{0, 1}, Accept)
	s.Add(nil, Reject)
	s.Add(word.Word{1}, Unknown)
	for f, want := range map[Format]string{
		Abbadingo: "3 2\n1 2 0 1\n0 0\n-1 1 1\n",
		CSV:       "word,label\nab,1\nε,0\nb,?\n",
		JSONL:     "{\"symbols\":[\"a\",\"b\"],\"accept\":true}\n{\"symbols\":[],\"accept\":false}\n{\"symbols\":[\"b\"]}\n",
		JSON:      "[\n{\"symbols\":[\"a\",\"b\"],\"accept\":true}\n,{\"symbols\":[],\"accept\":false}\n,{\"symbols\":[\"b\"]}\n]\n",
		Plain:     "+ ab\n- ε\n? b\n",
	} {
		var text bytes.Buffer
		if err := Write(&text, s, f); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, text.String()); diff != "" {
			t.Errorf("%s: %s", f, diff)
		}
	}
	if Write(&bytes.Buffer{}, s, "xml") == nil {
		t.Error("no error for a format that does not exist")
	}
}

func TestParts(t *testing.T) {
	s, err := Read(strings.NewReader("a,1\n\nb,0\nab,1\nε,?\n"), "words.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, rest := s.Split(1)
	if list(first) != "+a" || list(rest) != "-b +ab ?ε" || rest.Place(0) != "words.csv:3" {
		t.Errorf("%s and %s, from %s", list(first), list(rest), rest.Place(0))
	}
	sub := s.Subset([]int{2, 0})
	if list(sub) != "+ab +a" || sub.Place(0) != "words.csv:4" {
		t.Errorf("%s, the first from %s", list(sub), sub.Place(0))
	}
	sub.Lines = nil
	if sub.Place(1) != "word 2" {
		t.Errorf("%s, want word 2", sub.Place(1))
	}
}

// Files made to cost more than they weigh.
func TestMemory(t *testing.T) {
	const size = 400_000
	for name, text := range map[string]string{
		"short words":     strings.Repeat("a,1\n", size/4),
		"empty words":     strings.Repeat("+\n", size/2),
		"one long word":   strings.Repeat("a", size) + ",1\n",
		"spaced":          strings.Repeat("a ", size/2) + ",1\n",
		"many columns":    strings.Repeat("a,1"+strings.Repeat(",", 1000)+"\n", size/1000),
		"quotes":          strings.Repeat("\"\"\"a\"\"\",1\n", size/10),
		"objects":         strings.Repeat("{\"word\":\"\"}\n", size/12),
		"lists":           strings.Repeat("{\"symbols\":[\"a\",\"a\",\"a\",\"a\"]}\n", size/30),
		"commas":          strings.Repeat(",", size),
		"a JSON list":     "[" + strings.Repeat("[\"a\",1],", size/8) + "\"\"]",
		"a million words": "1000000 2\n" + strings.Repeat("1 0\n", size/4),
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s, err := Read(strings.NewReader(text), "f", Options{})
		runtime.GC()
		runtime.ReadMemStats(&after)
		kept, all := int(after.HeapAlloc)-int(before.HeapAlloc), int(after.TotalAlloc-before.TotalAlloc)
		t.Logf("%s: %d bytes, allocated %.1f times as many, kept %.1f times, error: %v",
			name, len(text), float64(all)/float64(len(text)), float64(kept)/float64(len(text)), err)
		if all > 100*len(text) || kept > 30*len(text) {
			t.Errorf("%s: allocated %d bytes, kept %d, for a file of %d", name, all, kept, len(text))
		}
		runtime.KeepAlive(s)
	}
}

// No input makes the reader panic, and what it has read it can write and read
// again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"3 2\n1 3 0 1 1\n0 0\n-1 1 1\n", "word,label\nab,1\nε,0\n", "a b\t+\n", "+ abab\n- \"NP\" b\n",
		`{"symbols":["a","bc"],"label":0}`, "\"a\"\"b\",1\r\n", "text,x\nab,c,1\nb,d,0\n",
	} {
		f.Add([]byte(text), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		o := Options{}
		if n := int(choice) % (len(Formats) + 1); n > 0 {
			o.Format = Formats[n-1]
		}
		s, err := Read(bytes.NewReader(text), "f", o)
		if err != nil {
			return
		}
		for _, format := range Formats {
			var out bytes.Buffer
			if err := Write(&out, s, format); err != nil {
				t.Fatal(err)
			}
			back, err := Read(&out, "f", Options{Format: format, Symbols: s.Alphabet.Names()})
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if fmt.Sprint(back.Words) != fmt.Sprint(s.Words) || !slices.Equal(back.Labels, s.Labels) {
				t.Fatalf("%s: %s is read as %s", format, list(s), list(back))
			}
		}
	})
}

// A space in one word does not make a symbol of every other one: not where the symbols are known, and not where hardly any word has a space.
func TestStraySpace(t *testing.T) {
	many := strings.Repeat("abb,1\nbba,0\n", 5)
	for text, want := range map[string]int{
		many + "ab b,0\n":               2, // a and b
		"abb,1\nbba,0\nab b,0\n":        4, // abb, bba, ab, b
		"push pop,1\npush,0\n":          2,
		"a,1\nb,0\n" + "a b,1\na a,0\n": 2,
	} {
		s, err := Read(strings.NewReader(text), "words", Options{})
		if err != nil || s.Alphabet.Len() != want {
			t.Errorf("%q: %v %v, want %d symbols", text, s.Alphabet, err, want)
		}
	}
	for text, want := range map[string]string{"abb,1\nab b,0\nbb,1\n": "characters", "a b b,1\nab,0\nb b,1\n": "characters", "ab b,1\nb,0\n": "characters"} {
		s, err := Read(strings.NewReader(text), "words", Options{Symbols: []string{"a", "b"}})
		if err != nil || s.Reading.Symbols != want || s.Alphabet.Len() != 2 {
			t.Errorf("%q: %v %v, want %s", text, s.Reading, err, want)
		}
	}
	s, err := Read(strings.NewReader("ab b,1\nb,0\n"), "words", Options{Symbols: []string{"ab", "b"}})
	if err != nil || s.Reading.Symbols != "names" || s.Alphabet.Len() != 2 {
		t.Errorf("names: %v %v", s, err)
	}
}
