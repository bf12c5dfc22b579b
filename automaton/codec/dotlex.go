package codec

import (
	"strings"
)

// A dotToken is a piece of a DOT file: an identifier (a name, a number or a
// quoted string) or a mark.
type dotToken struct {
	kind   dotKind
	text   string // of an identifier, without its quotes
	quoted bool   // so that it is no keyword
	line   int
}

type dotKind byte

const (
	dotEnd   dotKind = 0
	dotID    dotKind = 'a'
	dotArrow dotKind = '>' // ->
	dotLine  dotKind = '-' // --
	// All other kinds are the mark itself: { } [ ] ; , = : +
)

func (k dotKind) String() string {
	switch k {
	case dotEnd:
		return "the end of the file"
	case dotID:
		return "a name"
	case dotArrow:
		return "->"
	case dotLine:
		return "--"
	}
	return string(rune(k))
}

// A dotLexer cuts a file into tokens, following https://graphviz.org/doc/info/lang.html.
type dotLexer struct {
	text string
	pos  int
	line int
}

func (l *dotLexer) next() (dotToken, error) {
	if err := l.skipBlank(); err != nil {
		return dotToken{}, err
	}
	t := dotToken{line: l.line}
	if l.pos == len(l.text) {
		return t, nil
	}
	c := l.text[l.pos]
	switch {
	case strings.IndexByte("{}[];,=:+", c) >= 0:
		l.pos++
		t.kind = dotKind(c)
	case strings.HasPrefix(l.text[l.pos:], "->"):
		l.pos += 2
		t.kind = dotArrow
	case strings.HasPrefix(l.text[l.pos:], "--"):
		l.pos += 2
		t.kind = dotLine
	case c == '"':
		t.kind, t.quoted = dotID, true
		return t, l.quoted(&t)
	case c == '<':
		return t, errorAt(l.line, "HTML strings (<…>) are not supported; use a quoted string")
	default:
		t.kind, t.text = dotID, l.word()
		if t.text == "" {
			return t, errorAt(l.line, "unexpected character %s", shorten(l.text[l.pos:l.pos+1]))
		}
	}
	return t, nil
}

// skipBlank passes over white space and comments: // and # to the end of the
// line, and /* */. (Graphviz wants # at the beginning of a line; nothing else
// can be meant elsewhere.)
func (l *dotLexer) skipBlank() error {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		skip := 1
		switch {
		case rest[0] == '\n':
			l.line++
		case rest[0] == ' ', rest[0] == '\t', rest[0] == '\r', rest[0] == '\f', rest[0] == '\v':
		case strings.HasPrefix(rest, "//"), rest[0] == '#':
			if skip = strings.IndexByte(rest, '\n'); skip < 0 {
				skip = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return errorAt(l.line, "a comment does not end")
			}
			skip = end + 4
			l.line += strings.Count(rest[:skip], "\n")
		default:
			return nil
		}
		l.pos += skip
	}
	return nil
}

// word reads a name or a number; it is empty if there is none.
func (l *dotLexer) word() string {
	start := l.pos
	number := isDigit(l.text[start]) || l.text[start] == '.' || l.text[start] == '-'
	for ; l.pos < len(l.text); l.pos++ {
		c := l.text[l.pos]
		letter := isDigit(c) || c == '_' || c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && !(number && (c == '.' || c == '-' && l.pos == start)) {
			break
		}
	}
	return l.text[start:l.pos]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// quoted reads a quoted string. \" is a quote and a backslash at the end of a
// line joins it to the next; other backslashes are kept for whoever knows what
// the string is for.
func (l *dotLexer) quoted(t *dotToken) error {
	var b strings.Builder
	from := l.pos + 1
	for i := from; i < len(l.text); i++ {
		switch l.text[i] {
		case '\n':
			l.line++
		case '"':
			b.WriteString(l.text[from:i])
			t.text = b.String()
			l.pos = i + 1
			return nil
		case '\\':
			if i+1 == len(l.text) {
				continue
			}
			i++
			switch l.text[i] {
			case '"':
				b.WriteString(l.text[from : i-1])
				from = i
			case '\n':
				b.WriteString(l.text[from : i-1])
				from = i + 1
				l.line++
			}
		}
	}
	return errorAt(t.line, "a quoted string does not end")
}
