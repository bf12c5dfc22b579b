package regex

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// special are the characters that do not stand for themselves outside of brackets.
const special = `|&~*+?{}()[]^$."\ε∅`

// binding says how tightly an operator holds its operands together.
type binding int

const (
	byAlternate binding = iota
	byIntersect
	byConcat
	byComplement
	byRepeat
	byNothing // an atom
)

func (e *Expr) binding() binding {
	switch {
	case e.op == class || len(e.subs) == 0:
		return byNothing
	case e.op == concat:
		return byConcat
	case e.op == alternate:
		return byAlternate
	case e.op == intersect:
		return byIntersect
	case e.op == complement:
		return byComplement
	}
	return byRepeat
}

// operand returns the loosest binding that an operand of o may have without
// parentheses.
func (o op) operand() binding {
	switch o {
	case alternate:
		return byIntersect
	case intersect:
		return byConcat
	case concat, complement:
		return byComplement
	}
	return byNothing
}

// width returns the cost of e as an operand, with its parentheses.
func width(e *Expr, at binding) int {
	if e.binding() < at {
		return e.cost + 2
	}
	return e.cost
}

// String writes the expression with as few parentheses as possible.
func (e *Expr) String() string {
	var b builder
	b.expr(e, byAlternate)
	return b.String()
}

// A builder collects the text of an expression. Because spaces mean nothing, it
// sets quoted names off with them where nothing else does.
type builder struct {
	strings.Builder
	quoted bool // the last thing written was a quoted name
}

func (b *builder) expr(e *Expr, at binding) {
	if e.binding() < at {
		b.write("(")
		b.expr(e, byAlternate)
		b.write(")")
		return
	}
	switch e.op {
	case class:
		b.atom(e.text)
	case concat, alternate, intersect:
		if len(e.subs) == 0 {
			b.write("ε")
		}
		sign := map[op]string{concat: "", alternate: "|", intersect: "&"}[e.op]
		for i, x := range e.subs {
			if i > 0 && sign != "" {
				b.write(sign)
			}
			b.expr(x, e.op.operand())
		}
	case repeat:
		b.expr(e.subs[0], byNothing)
		b.write(suffix(e.min, e.max))
	case complement:
		b.write("~")
		b.expr(e.subs[0], byComplement)
	}
}

func (b *builder) write(s string) {
	b.WriteString(s)
	b.quoted = false
}

// atom writes a symbol or class, with a space between it and a neighboring
// symbol if one of them is quoted.
func (b *builder) atom(s string) {
	quoted := s[0] == '"'
	if text := b.String(); text != "" && (b.quoted || quoted && !strings.ContainsRune("(|&~", rune(text[len(text)-1]))) {
		b.WriteByte(' ')
	}
	b.WriteString(s)
	b.quoted = quoted
}

// suffix returns the operator of a repetition.
func suffix(lo, hi int) string {
	switch {
	case lo == 0 && hi == unbounded:
		return "*"
	case lo == 1 && hi == unbounded:
		return "+"
	case lo == 0 && hi == 1:
		return "?"
	case hi == unbounded:
		return fmt.Sprintf("{%d,}", lo)
	case lo == hi:
		return fmt.Sprintf("{%d}", lo)
	}
	return fmt.Sprintf("{%d,%d}", lo, hi)
}

// classText writes a class: as a symbol, dot, ∅ or in brackets.
func classText(names []string, except bool) string {
	switch {
	case len(names) == 0 && except:
		return "."
	case len(names) == 0:
		return "∅"
	case len(names) == 1 && !except:
		return symbolText(names[0])
	}
	var b builder
	b.write("[")
	if except {
		b.write("^")
	}
	letters, others := split(names)
	for len(letters) > 0 {
		n := run(letters)
		if n > 3 {
			b.write(letterText(letters[0]) + "-" + letterText(letters[n-1]))
		} else {
			for _, r := range letters[:n] {
				b.write(letterText(r))
			}
		}
		letters = letters[n:]
	}
	for i, name := range others {
		if i > 0 {
			b.write(" ")
		}
		b.write(strconv.Quote(name))
	}
	b.write("]")
	return b.String()
}

// split separates the names that are one plain character from those that need
// quotes.
func split(names []string) (letters []rune, quoted []string) {
	for _, name := range names {
		if r, plain := letter(name); plain {
			letters = append(letters, r)
		} else {
			quoted = append(quoted, name)
		}
	}
	return letters, quoted
}

// letter reports whether name is one character that can be seen, and which.
func letter(name string) (rune, bool) {
	r, n := utf8.DecodeRuneInString(name)
	return r, n == len(name) && unicode.IsPrint(r) && !unicode.IsSpace(r)
}

// run returns how many characters at the beginning of letters follow each other.
func run(letters []rune) int {
	n := 1
	for n < len(letters) && letters[n] == letters[n-1]+1 {
		n++
	}
	return n
}

// letterText writes a character within brackets.
func letterText(r rune) string { return escape(r, `[]^-"\ε∅`) }

// symbolText writes a name outside of brackets.
func symbolText(name string) string {
	if r, plain := letter(name); plain {
		return escape(r, special)
	}
	return strconv.Quote(name)
}

func escape(r rune, special string) string {
	if strings.ContainsRune(special, r) {
		return `\` + string(r)
	}
	return string(r)
}
