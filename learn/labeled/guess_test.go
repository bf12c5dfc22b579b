package labeled

import (
	"fmt"
	"strings"
	"testing"
)

// guesses are files of which something is guessed: what is read, and what is said about it behind the first
// parts of the reading.
type guess struct{ text, want, said string }

func check(t *testing.T, all []guess) {
	t.Helper()
	for _, c := range all {
		s, err := Read(strings.NewReader(c.text), "f", Options{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := list(s); got != c.want || !strings.HasSuffix(s.Reading.String(), c.said) {
			t.Errorf("%q: %s, want %s\nread as %s\nwant …   %s", c.text, got, c.want, s.Reading, c.said)
		}
	}
}

// Lists of two are pairs in all of a file, or in none of it.
func TestPairs(t *testing.T) {
	const (
		pairs = "; every list of two is a word and its label"
		words = "no labels; lists of symbols; every list of two is a word of two symbols"
	)
	check(t, []guess{
		{`[["a","yes"],["ab","no"],["b","yes"]]`, "+a -ab +b", "labels (yes accepts; no rejects); every character a symbol" + pairs},
		{`[["a","yes"],["b","no"]]`, "+a -b", pairs},
		{`[["a","1"],["ab","0"],["","1"]]`, "+a -ab +ε", pairs},
		{`[["1","1"],["01","0"]]`, "+1 -01", pairs},
		{`[["1","1"],["0","0"]]`, "+1 -0", pairs},
		{`[["a",1],["b","yes"],["ab",true],["ba",null]]`, "+a +b +ab ?ba", "labels (1, yes, true accepts); every character a symbol"},
		{`[["b","yes"],["a",1]]`, "+b +a", "labels (yes, 1 accepts); every character a symbol"},
		{`[[["a","bc"],"yes"],[["a"],"no"]]`, "+a bc -a", "labels (yes accepts; no rejects); lists of symbols"},
		{"[\"a\",\"yes\"]\n[\"ab\",\"no\"]\n", "+a -ab", "labels (yes accepts; no rejects); every character a symbol" + pairs},
		{`[["abab","yes"],["ba","no"],["a","b","b"]]`, "+abab -ba ?abb", pairs},
		{`[["a","b"],["b","a"]]`, "?ab ?ba", "no labels; lists of symbols"},
		{`[["0","1"],["1","1","0"],["1"]]`, "?01 ?110 ?1", words},
		{`[["a","y"],["y","a"],["b","b"]]`, "?ay ?ya ?bb", words},
		{`[["push","in"],["pop","out","push"],["in"]]`, "?push in ?pop out push ?in", words},
		{`[["NP","VP"],["S","NP"],["S","no"]]`, "?NP VP ?S NP ?S no", words},
		{`[[0,1],[1,1],[1,"1"]]`, "?01 ?11 ?11", words},
		{`[[0,1],[1,1],[1]]`, "?01 ?11 ?1", "no labels; lists of symbols"},
	})
}

// A column that numbers the lines holds no words, and neither do comments.
func TestColumns(t *testing.T) {
	const unknown = "; no column has a name that is known, so what stands in them decided"
	check(t, []guess{
		{"seq_id;Utterance;Gold Standard\n1;abba;1\n2;ab;0\n", "+abba -ab", "words in column 2 (Utterance); labels in column 3 (Gold Standard) (1 accepts; 0 rejects); every character a symbol; not used: column 1 (seq_id)" + unknown},
		{"who,said,gold\n17,abba,1\n18,ab,0\n19,b,0\n", "+abba -ab -b", "words in column 2 (said); labels in column 3 (gold) (1 accepts; 0 rejects); every character a symbol; not used: column 1 (who)" + unknown},
		{"id,said,label\nx9,abba,1\nx3,ab,0\n", "+abba -ab", "words in column 2 (said); labels in column 3 (label) (1 accepts; 0 rejects); every character a symbol; not used: column 1 (id); no column is called as words are"},
		{",text,gold\n7,ab,1\n9,ba,0\n", "+ab -ba", "words in column 2 (text); labels in column 3 (gold) (1 accepts; 0 rejects); every character a symbol; not used: column 1 (); no column is called as labels are"},
		{"sample,string,label\n1,ab,1\n2,ba,0\n3,b,0\n", "+ab -ba -b", "words in column 2 (string); labels in column 3 (label) (1 accepts; 0 rejects); every character a symbol; not used: column 1 (sample)"},
		{"1,abba,1\n2,ab,0\n3,b,0\n", "+abba -ab -b", "words in column 2; labels in column 3 (1 accepts; 0 rejects); every character a symbol; not used: column 1"},
		{"word,label,split\n0,1,train\n1,0,test\n", "+0 -1", "words in column 1 (word); labels in column 2 (label) (1 accepts; 0 rejects); every character a symbol; not used: column 3 (split)"},
		{"1,1\n2,0\n3,1\n", "+1 -2 +3", "words in column 1; labels in column 2 (1 accepts; 0 rejects); every character a symbol"},
		{"id,label\n7,1\n9,0\n", "+7 -9", "words in column 1 (id); labels in column 2 (label) (1 accepts; 0 rejects); every character a symbol; no column is called as words are"},
		{"word,label" + strings.Repeat(",more", 12) + "\nab,1" + strings.Repeat(",x", 12) + "\n", "+ab", "column 11 (more), column 12 (more), others"},
		{"ab,1,\nba,0,\n", "+ab -ba", "labels in column 2 (1 accepts; 0 rejects); every character a symbol"},

		{"# comment\nab,1\nba,0\n", "+ab -ba", "labels in column 2 (1 accepts; 0 rejects); every character a symbol; the first line, which begins with #, is a comment"},
		{"# one, with a comma\n#\n\nword;label\nab;1\n", "+ab", "words in column 1 (word); labels in column 2 (label) (1 accepts); every character a symbol; the first 2 lines, which begin with #, are comments"},
		{"# word,label\nab,1\n", "+ab", "words in column 1 (# word); labels in column 2 (label) (1 accepts); every character a symbol; no column is called as words are"},
		{"# comment\n+ ab\n- ba\n", "+ab -ba", "plain; labels (+ accepts; - rejects); every character a symbol; the first line, which begins with #, is a comment"},
		{"# comment\n1 2\n1 1 0\n", "+0", "abbadingo; labels; the first line, which begins with #, is a comment"},
		{"#a#,1\nb,0\n", "+#a# -b", "labels in column 2 (1 accepts; 0 rejects); every character a symbol"},
		{"#a\nb\n", "?#a ?b", "no labels; every character a symbol"},
		{"#\n", "?#", "no labels; every character a symbol"},

		{`[{"text":"ab","foo":7},{"text":"ba","foo":0,"bar":2}]`, "?ab ?ba", `words in "text"; no labels; every character a symbol; not used: "foo", "bar"`},
		{`{"word":"ab","symbols":["a","b"],"accept":true,"prefixes":[true]}`, "+ab", `labels in "accept" (true accepts); lists of symbols; not used: "prefixes"`},
		{`{"id":7,"word":"ab","label":1}`, "+ab", `words in "word"; labels in "label" (1 accepts); every character a symbol; not used: "id"`},
	})
	s, err := Read(strings.NewReader("# comment\n\n# another\nab,1\n"), "f", Options{})
	if err != nil || s.Place(0) != "f:4" {
		t.Errorf("behind comments: %v, %v", s, err)
	}
}

// Words that have a blank and others that have none are said, whichever are the odd ones.
func TestBlanks(t *testing.T) {
	const names = "labels in column 2 (1 accepts; 0 rejects); symbols with blanks between them"
	check(t, []guess{
		{"ab,1\nb a,0\n", "+ab -b a", names + `; 1 word without a blank is one symbol, "ab" in line 1`},
		{"a b,1\nab,0\nbb,0\n", "+a b -ab -bb", names + `; 2 words without a blank are one symbol each, the first is "ab" in line 2`},
		{"push pop,1\npush,0\n", "+push pop -push", names},
		{"push pop,1\n\"\"\"up\"\"\",0\n", "+push pop -up", names},
		{strings.Repeat("ab,1\n", 10) + "b a,0\n", strings.Repeat("+ab ", 10) + "-ba", "every character a symbol; blanks in 1 word are passed over, in line 11"},
	})
	s, err := Read(strings.NewReader("ab\nb a\na b\n"), "f", Options{Symbols: []string{"a", "b"}})
	if want := "every character a symbol; blanks in 2 words are passed over, the first in line 2"; err != nil || !strings.HasSuffix(s.Reading.String(), want) {
		t.Errorf("%v, %v, want %s", s.Reading, err, want)
	}
	s, err = Read(strings.NewReader("up\ndown up\n"), "f", Options{Symbols: []string{"up", "down"}})
	if want := "symbols with blanks between them"; err != nil || !strings.HasSuffix(s.Reading.String(), want) {
		t.Errorf("%v, %v, want %s", s.Reading, err, want)
	}
}

// A column of labels may be called like a label of another kind than those in it, and if it is called as rejected words are, 1 rejects.
func TestColumnsCalledAsLabels(t *testing.T) {
	const (
		plain  = "labels in column 2 (%s) (1 accepts; 0 rejects); every character a symbol; no column is called as labels are"
		turned = "labels in column 2 (%s) (0 accepts; 1 rejects); every character a symbol; column 2 (%[1]s) says which words are rejected"
	)
	var all []guess
	for _, name := range []string{"pos", "yes", "true", "accepted "} {
		said := fmt.Sprintf(plain, strings.TrimSpace(name))
		if name == "accepted " { // which is known
			said = strings.TrimSuffix(said, "; no column is called as labels are")
		}
		all = append(all, guess{"word," + name + "\nab,1\nba,0\n", "+ab -ba", said})
	}
	for _, name := range []string{"rejected", "Reject", "invalid", "negative"} {
		all = append(all, guess{"text," + name + "\nab,1\nba,0\n", "-ab +ba", fmt.Sprintf(turned, name)})
	}
	check(t, append(all, []guess{
		{"word,rejected\nab,true\nba,false\n", "-ab +ba", "(false accepts; true rejects); every character a symbol; column 2 (rejected) says which words are rejected"},
		{"word,is_rejected\nab,rejected\nba,accepted\n", "-ab +ba", "(accepted accepts; rejected rejects); every character a symbol"},
		{"rejected,word\n1,ab\n,ba\n", "-ab ?ba", "labels in column 1 (rejected) (1 rejects); every character a symbol; column 1 (rejected) says which words are rejected"},
		{"word,score,rejected\nab,0,1\nba,1,0\n", "-ab +ba", "not used: column 2 (score); column 3 (rejected) says which words are rejected"},
		{"text,rejected\nba,accepted\nab,rejected\n", "-text +ba -ab", "labels in column 2 (accepted accepts; rejected rejects); every character a symbol"},
		{"text,yes\nba,no\n", "+text -ba", "labels in column 2 (yes accepts; no rejects); every character a symbol"},
		{"text,yes\nba,?\n", "+text ?ba", "labels in column 2 (yes accepts); every character a symbol"},
		{"x,yes\nba,1\n", "+x +ba", "labels in column 2 (yes, 1 accepts); every character a symbol"},
		{"text,1\nba,0\n", "+text -ba", "labels in column 2 (1 accepts; 0 rejects); every character a symbol"},
	}...))
	for text, want := range map[string]string{
		"word,rejected\nab,+\n":             `f:2: column 2 (rejected): the label "+" may mean either in a column of this name; call it label`,
		"word,rejected\nab,1\nb,0\nba,-1\n": "f:4: the label -1, where others are 0: one of them would mean unknown; write ? for that",
	} {
		if _, err := Read(strings.NewReader(text), "f", Options{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Keys of objects have names as well, or none that is known.
func TestKeys(t *testing.T) {
	check(t, []guess{
		{`{"tokens":["a","b"],"gold_label":1}` + "\n" + `{"tokens":["b"],"gold_label":0}`, "+ab -b", `labels in "gold_label" (1 accepts; 0 rejects); lists of symbols; no key is called as labels are`},
		{`[{"text":"ab","foo":true,"gold_label":0},{"text":"ba","foo":false,"gold_label":1}]`, "-ab +ba", `labels in "gold_label" (1 accepts; 0 rejects); every character a symbol; not used: "foo"; no key is called as labels are`},
		{`[{"text":"ab","id":1},{"text":"ba","id":0}]`, "?ab ?ba", `no labels; every character a symbol; not used: "id"`},
		{`{"input_ids":[0,1],"attention_mask":[1,1],"labels":1}`, "+01", `words in "input_ids"; labels in "labels" (1 accepts); lists of symbols; not used: "attention_mask"`},
		{`{"moves":[0,1],"by":"me","won":1}`, "+01", `words in "moves"; labels in "won" (1 accepts); lists of symbols; not used: "by"; no key is called as labels are; no key is called as words are`},
		{`{"utterance":"ab","label":1}`, "+ab", `words in "utterance"; labels in "label" (1 accepts); every character a symbol; no key is called as words are`},
		{`[{"text":"ab","rejected":1},{"text":"ba","rejected":false}]`, "-ab +ba", `labels in "rejected" (false accepts; 1 rejects); every character a symbol; "rejected" says which words are rejected`},
	})
	for text, want := range map[string]string{
		`{"one":"ab","other":"b","label":1}`: `f:1: there is neither "symbols" nor "word", as in {"word":"abab","label":1}`,
		`{"word":"ab","label":{"a":1}}`:      "f:1: the label is a list or an object, and not one of: " + labelHelp,
		`{"word":"ab","rejected":"-"}`:       `f:1: the label "-" may mean either under the key "rejected"; call it label`,
	} {
		if _, err := Read(strings.NewReader(text), "f", Options{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
