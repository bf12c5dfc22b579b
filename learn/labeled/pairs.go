package labeled

import (
	"encoding/json"
	"unicode/utf8"
)

// Lists of two of a JSON file are words and their labels, or words of two symbols. Which they are is
// settled for all of them: one by one, ["ab","no"] would be a word and its label, and ["a","no"] two
// symbols.

// pairs reports whether they are words and their labels. A word is a list, or a label no text, in one
// of them: then it is clear, for symbols are neither. Otherwise labels are told by what they are called, which
// is a guess, and is said.
func (b *builder) pairs(entries []entry) bool {
	var t twos
	for _, e := range entries {
		switch list := e.list(); {
		case len(list) != 2:
			t.others = t.others || list != nil
		case t.add(list[0], list[1]):
			return true
		}
	}
	if len(t.labels) == 0 {
		return false
	}
	if t.symbols || t.withLabel < t.all && t.likeSymbols() || t.others && t.among(entries) {
		b.note("every list of two is a word of two symbols")
		return false
	}
	b.note("every list of two is a word and its label")
	return true
}

// twos are lists of two texts, so far.
type twos struct {
	all, withLabel int
	labels         map[string]bool // what stands second and is a label
	others         bool            // whether there are lists of other lengths
	symbols        bool            // whether one begins with what is no word
	long           bool            // whether a word or a label has several characters
}

// add looks at one more list, and reports whether it can only be a word and its label.
func (t *twos) add(word, label any) bool {
	name, isText := label.(string)
	switch word := word.(type) {
	case []any:
		return true
	case string:
		if !isText {
			return true
		}
		t.long = t.long || utf8.RuneCountInString(word) > 1
	default:
		t.symbols = true
	}
	t.all++
	if _, ok := parseLabel(name); !ok || !isText {
		return false
	}
	if t.labels == nil {
		t.labels = map[string]bool{}
	}
	t.withLabel++
	t.labels[name] = true
	t.long = t.long || utf8.RuneCountInString(name) > 1
	return false
}

// likeSymbols reports whether, where not all lists have a label, they look like words of two symbols, and not
// like pairs in some of which the label is a mistake, which is then told.
func (t *twos) likeSymbols() bool { return !t.long || 2*t.withLabel < t.all }

// among reports whether a label is among the symbols of lists of other lengths, and so is a symbol.
func (t *twos) among(entries []entry) bool {
	for _, e := range entries {
		list := e.list()
		if len(list) == 2 {
			continue
		}
		for _, x := range list {
			if name, ok := x.(string); ok && t.labels[name] {
				return true
			}
		}
	}
	return false
}

// list returns the list that an entry is; nil if it is none, or one that cannot be read.
func (e entry) list() (list []any) {
	if e.begin() != '[' || e.tooLong() || json.Unmarshal([]byte(e.text), &list) != nil {
		return nil
	}
	return list
}
