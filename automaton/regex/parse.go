package regex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxSize is the largest expression that [Parse] takes: the number of its symbols
// with all repetitions written out, and also the number of names that its
// classes list.
const MaxSize = 1_000_000

// maxDepth is how deep groups, complements and repetitions may be nested.
const maxDepth = 10_000

// A SyntaxError says where a text stops being a regular expression.
type SyntaxError struct {
	Text   string
	Offset int    // in bytes
	Msg    string // what was expected, or what is wrong
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("regular expression, at character %d: %s",
		utf8.RuneCountInString(e.Text[:e.Offset])+1, e.Msg)
}

// Parse reads an expression; the package comment describes the syntax. Its
// errors are of type [*SyntaxError].
func Parse(text string) (e *Expr, err error) {
	p := &parser{text: text}
	defer func() {
		if r := recover(); r != nil {
			syntax, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			e, err = nil, syntax
		}
	}()
	if i := invalidUTF8(text); i >= 0 {
		p.fail(i, "invalid UTF-8")
	}
	e = p.alternation()
	if p.peek() != end {
		p.fail(p.at, "expected an operator or the end, found %s", p.found())
	}
	return e, nil
}

// MustParse is [Parse] for literals: it panics on an error.
func MustParse(text string) *Expr {
	e, err := Parse(text)
	if err != nil {
		panic("regex: " + err.Error())
	}
	return e
}

func invalidUTF8(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// A parser descends recursively. It reports an error by panicking with a
// *SyntaxError, as the packages of the standard library do within themselves.
type parser struct {
	text  string
	at    int // offset of what is read next
	depth int // of the recursion
	names int // listed in classes so far
}

// end is what peek returns at the end of the text. It is no valid character.
const end rune = -1

func (p *parser) fail(offset int, format string, args ...any) {
	panic(&SyntaxError{Text: p.text, Offset: offset, Msg: fmt.Sprintf(format, args...)})
}

// peek skips spaces and returns the next character.
func (p *parser) peek() rune {
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return r
		}
		p.at += n
	}
	return end
}

// accept skips r if it comes next, and reports whether it did.
func (p *parser) accept(r rune) bool {
	if p.peek() != r {
		return false
	}
	p.at += utf8.RuneLen(r)
	return true
}

// found describes the next character in an error message.
func (p *parser) found() string {
	if r := p.peek(); r != end {
		return strconv.Quote(string(r))
	}
	return "the end"
}

func (p *parser) alternation() *Expr {
	subs := []*Expr{p.intersection()}
	for p.accept('|') {
		subs = append(subs, p.intersection())
	}
	return p.check(p.at, join(alternate, subs))
}

func (p *parser) intersection() *Expr {
	subs := []*Expr{p.concatenation()}
	for p.accept('&') {
		subs = append(subs, p.concatenation())
	}
	return p.check(p.at, join(intersect, subs))
}

func (p *parser) concatenation() *Expr {
	subs := []*Expr{p.factor()}
	for !strings.ContainsRune("|&)", p.peek()) && p.peek() != end {
		subs = append(subs, p.factor())
	}
	return p.check(p.at, join(concat, subs))
}

// factor reads any number of ~, an atom, and its repetitions.
func (p *parser) factor() *Expr {
	if at := p.at; p.accept('~') {
		p.enter(at)
		x := p.factor()
		p.depth--
		return p.check(at, newNode(complement, x))
	}
	x := p.atom()
	for {
		p.peek() // errors point at the operator, not at a space before it
		at := p.at
		lo, hi, ok := p.repetition()
		if !ok {
			return x
		}
		x = p.check(at, newRepeat(x, lo, hi))
	}
}

// enter counts a level of nesting that begins at the given offset.
func (p *parser) enter(at int) {
	if p.depth++; p.depth > maxDepth {
		p.fail(at, "nested more than %d levels deep", maxDepth)
	}
}

// check returns x if it is within the limits.
func (p *parser) check(at int, x *Expr) *Expr {
	if x.weight > MaxSize {
		p.fail(at, "the expression has more than %d symbols with its repetitions written out", MaxSize)
	}
	if x.depth > maxDepth {
		p.fail(at, "nested more than %d levels deep", maxDepth)
	}
	return x
}

// repetition reads an operator that follows an atom, and reports whether there
// is one.
func (p *parser) repetition() (lo, hi int, ok bool) {
	switch {
	case p.accept('*'):
		return 0, unbounded, true
	case p.accept('+'):
		return 1, unbounded, true
	case p.accept('?'):
		return 0, 1, true
	case !p.accept('{'):
		return 0, 0, false
	}
	lo = p.number()
	hi = lo
	if p.accept(',') {
		hi = unbounded
		if p.peek() != '}' {
			at := p.at
			if hi = p.number(); hi < lo {
				p.fail(at, "expected a number of at least %d, found %d", lo, hi)
			}
		}
	}
	if !p.accept('}') {
		p.fail(p.at, `expected "}" after a count, found %s`, p.found())
	}
	return lo, hi, true
}

func (p *parser) number() int {
	p.peek()
	at := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	if p.at == at {
		p.fail(at, "expected a number, found %s", p.found())
	}
	n, err := strconv.Atoi(p.text[at:p.at])
	if err != nil || n > MaxSize {
		p.fail(at, "a count of more than %d", MaxSize)
	}
	return n
}

func (p *parser) atom() *Expr {
	r := p.peek()
	at := p.at
	switch {
	case p.accept('('):
		return p.group(at)
	case p.accept('['):
		return p.class(at)
	case p.accept('.'):
		return newClass(nil, true)
	case p.accept('ε'):
		return newNode(concat)
	case p.accept('∅'):
		return newClass(nil, false)
	case r == '^' || r == '$':
		p.fail(at, `expressions describe whole words: leave out %q, or write \%c for the symbol`, r, r)
	case r == ']' || r == '}':
		p.fail(at, `expected a symbol, found %q; write \%c for the symbol`, r, r)
	case r == '*' || r == '+' || r == '?' || r == '{':
		p.fail(at, `expected something to repeat before %q; write \%c for the symbol`, r, r)
	case r == end || strings.ContainsRune("|&)", r):
		p.fail(at, "expected a symbol or a group, found %s; the empty word is written ε", p.found())
	}
	return newClass([]string{p.name()}, false)
}

// group reads what follows an opening parenthesis.
func (p *parser) group(at int) *Expr {
	if p.accept(')') {
		return newNode(concat)
	}
	p.enter(at)
	x := p.alternation()
	p.depth--
	if !p.accept(')') {
		p.fail(p.at, `expected ")" for the "(" at character %d, found %s`,
			utf8.RuneCountInString(p.text[:at])+1, p.found())
	}
	return x
}

// class reads what follows an opening bracket.
func (p *parser) class(at int) *Expr {
	except := p.accept('^')
	var names []string
	for len(names) == 0 || !p.accept(']') {
		items := p.classItem(at)
		names = append(names, items...)
		p.names += len(items)
	}
	return newClass(names, except)
}

// classItem reads a name or a range of characters.
func (p *parser) classItem(class int) []string {
	switch r := p.peek(); r {
	case end:
		p.fail(p.at, `expected "]" for the "[" at character %d, found the end`,
			utf8.RuneCountInString(p.text[:class])+1)
	case ']':
		p.fail(p.at, "expected a symbol in the class, found none; no symbol at all is written ∅")
	case '[', '^', '-', 'ε', '∅':
		p.fail(p.at, `expected a symbol, found %q; write \%c for the symbol`, r, r)
	}
	at := p.at
	from := p.name()
	if p.names >= MaxSize {
		p.fail(at, "the classes list more than %d symbols", MaxSize)
	}
	if !p.accept('-') {
		return []string{from}
	}
	if r := p.peek(); r == ']' || r == '-' || r == end {
		p.fail(p.at, `expected the last symbol of the range, found %s; write \- for the symbol -`, p.found())
	}
	to := p.name()
	first, n := utf8.DecodeRuneInString(from)
	last, m := utf8.DecodeRuneInString(to)
	if n < len(from) || m < len(to) || first > last {
		p.fail(at, "the range from %q to %q: expected two single characters in ascending order", from, to)
	}
	if p.names+int(last-first) >= MaxSize {
		p.fail(at, "the classes list more than %d symbols", MaxSize)
	}
	var names []string
	for r := first; r <= last; r++ {
		if utf8.ValidRune(r) { // the surrogates in the middle are no characters
			names = append(names, string(r))
		}
	}
	return names
}

// name reads a symbol: a character, an escaped character or a quoted name.
func (p *parser) name() string {
	switch r := p.peek(); r {
	case '"':
		return p.quoted()
	case '\\':
		return p.escaped()
	default:
		p.at += utf8.RuneLen(r)
		return string(r)
	}
}

func (p *parser) quoted() string {
	quoted, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil {
		p.fail(p.at, "expected a quoted name as in Go, found one that does not end or has an unknown escape")
	}
	name, err := strconv.Unquote(quoted)
	if err != nil || name == "" || !utf8.ValidString(name) {
		p.fail(p.at, "expected a name, found %s, which is empty or not valid UTF-8", quoted)
	}
	p.at += len(quoted)
	return name
}

// escaped reads \n, \t, \r and the numeric escapes of Go, or any other character
// that is not a letter or digit of ASCII, which then stands for itself.
func (p *parser) escaped() string {
	rest := p.text[p.at:]
	if len(rest) == 1 {
		p.fail(p.at, `expected a character after \, found the end`)
	}
	r, n := utf8.DecodeRuneInString(rest[1:])
	if r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		p.at += 1 + n
		return string(r)
	}
	code, _, tail, err := strconv.UnquoteChar(rest, 0)
	if err != nil || !slices.Contains([]rune("ntrxuU"), r) {
		p.fail(p.at, `expected \n, \t, \r, \xhh, \uhhhh, \Uhhhhhhhh or a sign after \, found %q`, r)
	}
	p.at += len(rest) - len(tail)
	return string(code)
}
