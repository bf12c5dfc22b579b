package codec

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"quotient/automaton"
	"quotient/word"
)

// Formats without quoting of their own (AT&T), or with one that cannot hold
// every character (Mata, XML), write such characters as <U+0020>: the code point
// in four to six hexadecimal digits. A name that looks so itself has its first
// character written this way. Files of other programs hardly contain it.

// escape writes the characters of which bad reports true as <U+…>.
func escape(name string, bad func(rune) bool) string {
	if !strings.Contains(name, "<U+") && !strings.ContainsFunc(name, bad) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		if bad(r) || strings.HasPrefix(name[i:], "<U+") {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeFirst writes the first character of a name as <U+…>: for a name that
// would be taken for something else.
func escapeFirst(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return fmt.Sprintf("<U+%04X>%s", r, name[size:])
}

// unescape undoes escape. What does not stand for a character stays as it is.
func unescape(name string) string {
	if !strings.Contains(name, "<U+") {
		return name
	}
	var b strings.Builder
	b.Grow(len(name))
	for {
		before, after, found := strings.Cut(name, "<U+")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		digits, _, closed := strings.Cut(after[:min(len(after), 7)], ">")
		r, err := strconv.ParseUint(digits, 16, 32)
		if closed && err == nil && len(digits) >= 4 && utf8.ValidRune(rune(r)) {
			b.WriteRune(rune(r))
			name = after[len(digits)+1:]
		} else {
			b.WriteString("<U+")
			name = after
		}
	}
}

// Lists of names, as edges are labeled in pictures: separated by commas, a name
// that would be misread quoted as in Go, ε for the edge that reads nothing.

// label writes the symbols of a bundle of edges.
func label(a *word.Alphabet, symbols []word.Symbol) string {
	var b strings.Builder
	for i, s := range symbols {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(display(a, s))
	}
	return b.String()
}

// display writes one symbol of a list.
func display(a *word.Alphabet, s word.Symbol) string {
	if s == automaton.Epsilon {
		return word.Empty
	}
	name := a.Name(s)
	quoted := word.QuoteName(name)
	if quoted == name && strings.Contains(name, ",") {
		return strconv.Quote(name)
	}
	return quoted
}

var errList = errors.New(`expected names separated by commas, as in: a, b, "c d"`)

// eachName calls visit for every name of a list that label has written, and says
// of each whether it was quoted: only an unquoted ε reads nothing.
func eachName(list string, visit func(name string, quoted bool) error) error {
	rest := strings.TrimSpace(list)
	for rest != "" {
		var name string
		quoted := rest[0] == '"'
		if quoted {
			prefix, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return errList
			}
			if name, err = strconv.Unquote(prefix); err != nil {
				return errList
			}
			rest = strings.TrimSpace(rest[len(prefix):])
		} else {
			end := strings.IndexByte(rest, ',')
			if end < 0 {
				end = len(rest)
			}
			name, rest = strings.TrimSpace(rest[:end]), rest[end:]
		}
		if name == "" {
			return errList
		}
		if err := visit(name, quoted); err != nil {
			return err
		}
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return errList
		}
		rest = strings.TrimSpace(rest[1:])
		if rest == "" {
			return errList
		}
	}
	return nil
}
