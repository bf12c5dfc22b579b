package codec

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"quotient/automaton"
	"quotient/word"
)

// The format of Mata (https://github.com/VeriFIT/mata), as far as explicit
// symbols go: one section @NFA-explicit, in it lines %Key values and transitions
// "from symbol to". White space separates tokens; a token in double quotes may
// contain anything (\" and \\ are escapes), # begins a comment, and a backslash
// at the end of a line joins it to the next. %Initial and %Final list states,
// with or without | between them; %Final may also be true, false, or a
// conjunction of negated states, which makes all others final.
//
// Mata has no name for ε, but the largest of its numbers, 4294967295: that is
// what reads nothing here. Symbols listed by %Epsilon read nothing too.
// Quotes, backslashes and unprintable characters in names are written as
// <U+0022>, since not every version of Mata reads its own escapes.
//
// Kept: everything. The alphabet and the states are listed (%Alphabet-enum,
// %States-enum) only where they would not come out the same without that.
var mataFormat = Format{
	Name:       "mata",
	Extensions: []string{".mata"},
	Doc:        "the text format of the Mata library (@NFA-explicit); keeps everything",
	read:       readMata,
	write:      writeMata,
}

const mataEpsilon = "4294967295"

// A mataToken is a name, an operator, or the end of a line.
type mataToken struct {
	kind mataKind
	text string // of a name, without its quotes
}

type mataKind byte

const (
	mataEnd  mataKind = 0
	mataName mataKind = 'a'
	mataWord mataKind = 'w' // a name without quotes, which may be a key
	mataLine mataKind = '\n'
	// All other kinds are the operator itself: & | ! ( )
)

func (k mataKind) isName() bool { return k == mataName || k == mataWord }

// ends reports whether the line is over.
func (k mataKind) ends() bool { return k == mataLine || k == mataEnd }

type mataLexer struct {
	text string
	pos  int
	line int
}

const mataSpecial = " \t\v\f\r\n#&|!()\""

func (l *mataLexer) next() (mataToken, error) {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch c := rest[0]; c {
		case ' ', '\t', '\v', '\f', '\r':
			l.pos++
		case '#':
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				l.pos += n
			} else {
				l.pos = len(l.text)
			}
		case '\n':
			l.pos++
			l.line++
			return mataToken{kind: mataLine}, nil
		case '&', '|', '!', '(', ')':
			l.pos++
			return mataToken{kind: mataKind(c)}, nil
		case '"':
			return l.quoted(rest)
		default:
			if joined := mataJoin(rest); joined > 0 {
				l.pos += joined
				l.line++
				continue
			}
			return l.word(rest)
		}
	}
	return mataToken{}, nil
}

// mataJoin returns the length of a backslash at the end of a line, or 0.
func mataJoin(s string) int {
	if strings.HasPrefix(s, "\\\n") {
		return 2
	}
	if strings.HasPrefix(s, "\\\r\n") {
		return 3
	}
	return 0
}

func (l *mataLexer) word(rest string) (mataToken, error) {
	n := 0
	for n < len(rest) && strings.IndexByte(mataSpecial, rest[n]) < 0 && mataJoin(rest[n:]) == 0 {
		n++
	}
	if n < len(rest) && rest[n] == '"' {
		return mataToken{}, errors.New("a quote in the middle of a name")
	}
	l.pos += n
	return mataToken{mataWord, rest[:n]}, nil
}

func (l *mataLexer) quoted(rest string) (mataToken, error) {
	n, escapes := 1, false
	for n < len(rest) && rest[n] != '"' && rest[n] != '\n' {
		if rest[n] == '\\' {
			escapes = true
			n++
		}
		n++
	}
	if n >= len(rest) || rest[n] != '"' {
		return mataToken{}, errors.New("a quoted name does not end")
	}
	if n+1 < len(rest) && (strings.IndexByte(mataSpecial, rest[n+1]) < 0 || rest[n+1] == '"') {
		return mataToken{}, errors.New("a quoted name is followed by something that is not a space")
	}
	name := rest[1:n]
	if escapes {
		name = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(name)
	}
	l.pos += n + 1
	return mataToken{mataName, name}, nil
}

type mataReader struct {
	*builder
	lexer   mataLexer
	tok     mataToken // the one to be looked at next
	section bool      // @NFA-explicit was seen
	epsilon map[string]bool

	allFinal  bool              // %Final is true, or negations only
	rejecting []automaton.State // the negated ones
}

func readMata(text string) (*automaton.NFA, error) {
	r := &mataReader{builder: newBuilder(len(text)), epsilon: map[string]bool{mataEpsilon: true}}
	// The first pass looks for the keys that say how transitions are to be read,
	// because they may come after these.
	for _, statement := range []func() error{r.declaration, r.statement} {
		r.lexer = mataLexer{text: text, line: 1}
		if err := r.lines(statement); err != nil {
			return nil, err
		}
	}
	if !r.section {
		return nil, errorAt(1, "no section @NFA-explicit")
	}
	if r.allFinal {
		for q := 1; q < len(r.nfa.Accept); q++ {
			r.nfa.Accept[q] = true
		}
		for _, q := range r.rejecting {
			r.nfa.Accept[q] = false
		}
	}
	r.orderStates("q")
	return r.finish()
}

// lines calls statement at the first token of every line; it must read to the
// end of the line.
func (r *mataReader) lines(statement func() error) error {
	line := 1
	err := r.advance()
	for err == nil && r.tok.kind != mataEnd {
		if r.tok.kind == mataLine {
			line = r.lexer.line
			err = r.advance()
		} else {
			err = statement()
		}
	}
	if err != nil {
		return errorAt(line, "%v", err)
	}
	return nil
}

func (r *mataReader) advance() (err error) {
	r.tok, err = r.lexer.next()
	return err
}

// take returns the next token and moves past it.
func (r *mataReader) take() (mataToken, error) {
	t := r.tok
	return t, r.advance()
}

// each calls visit for the tokens up to the end of the line.
func (r *mataReader) each(visit func(mataToken) error) error {
	for !r.tok.kind.ends() {
		t, err := r.take()
		if err == nil {
			err = visit(t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachState calls visit for the states up to the end of the line, between which
// there may be |.
func (r *mataReader) eachState(visit func(automaton.State)) error {
	return r.each(func(t mataToken) error {
		switch t.kind {
		case mataName, mataWord:
			visit(r.state(t.text))
		case '|', '(', ')':
		default:
			return fmt.Errorf("unexpected %c: formulas are not supported here", t.kind)
		}
		return nil
	})
}

func skipMata(mataToken) error { return nil }

// declaration reads a line in the first pass.
func (r *mataReader) declaration() error {
	key, err := r.take()
	if err != nil {
		return err
	}
	switch key {
	case mataToken{mataWord, "%Epsilon"}:
		return r.each(func(t mataToken) error {
			r.epsilon[t.text] = true
			return nil
		})
	case mataToken{mataWord, "%Alphabet-enum"}:
		r.declared = false // it may take several lines
		err := r.each(func(t mataToken) error {
			if !t.kind.isName() {
				return fmt.Errorf("unexpected %c in the alphabet", t.kind)
			}
			return r.declare(unescape(t.text))
		})
		r.declared = true
		return err
	}
	return r.each(skipMata)
}

// statement reads a line in the second pass.
func (r *mataReader) statement() error {
	first := r.tok
	isKey := first.kind == mataWord && (first.text[0] == '%' || first.text[0] == '@')
	if !r.section {
		if !isKey || first.text[0] != '@' {
			return errors.New("expected @NFA-explicit first")
		}
		return r.header()
	}
	if !isKey {
		return r.transition()
	}
	if err := r.advance(); err != nil {
		return err
	}
	switch first.text {
	case "%Initial":
		return r.eachState(func(q automaton.State) { r.nfa.Start = append(r.nfa.Start, q) })
	case "%Final":
		return r.final()
	case "%States-enum":
		return r.eachState(func(automaton.State) {})
	case "%Alphabet-auto", "%Alphabet-enum", "%Alphabet-marked", "%Alphabet-markers",
		"%States-auto", "%States-marked", "%States-markers", "%Epsilon":
		return r.each(skipMata)
	}
	if first.text[0] == '@' {
		return errors.New("a second section: one file is one automaton")
	}
	return fmt.Errorf("unknown key %s", shorten(first.text))
}

func (r *mataReader) header() error {
	kind, err := r.take()
	switch {
	case err != nil:
		return err
	case !r.tok.kind.ends():
		return fmt.Errorf("something follows %s", shorten(kind.text))
	case kind.text == "@NFA-bits":
		return errors.New("symbols as bit vectors (@NFA-bits) are not supported; mintermize the automaton to @NFA-explicit with Mata first")
	case kind.text != "@NFA-explicit":
		return fmt.Errorf("a section %s is not supported, only @NFA-explicit", shorten(kind.text))
	}
	r.section = true
	return nil
}

func (r *mataReader) transition() error {
	var parts [3]string
	for i := range parts {
		t, err := r.take()
		if err != nil {
			return err
		}
		if !t.kind.isName() {
			return errTransition
		}
		parts[i] = t.text
	}
	if !r.tok.kind.ends() {
		return errTransition
	}
	on := automaton.Epsilon
	if !r.epsilon[parts[1]] {
		var err error
		if on, err = r.symbol(unescape(parts[1])); err != nil {
			return err
		}
	}
	r.nfa.AddEdge(r.state(parts[0]), on, r.state(parts[2]))
	return nil
}

var errTransition = errors.New("a transition has three parts: from, symbol, to (formulas are not supported)")

// final reads the states, a constant, or negated states joined by &, which means
// all but these.
func (r *mataReader) final() error {
	switch r.tok {
	case mataToken{mataWord, "true"}, mataToken{mataWord, `\true`}:
		r.allFinal = true
		return r.each(skipMata)
	case mataToken{mataWord, "false"}, mataToken{mataWord, `\false`}:
		return r.each(skipMata)
	}
	if r.tok.kind != '!' {
		return r.eachState(func(q automaton.State) { r.nfa.Accept[q] = true })
	}
	r.allFinal = true
	expected := "!a&" // in turn: !, a name, &
	i := 0
	err := r.each(func(t mataToken) error {
		if t.kind == mataKind(expected[i%3]) || t.kind == mataWord && i%3 == 1 {
			if i%3 == 1 {
				r.rejecting = append(r.rejecting, r.state(t.text))
			}
			i++
			return nil
		}
		return errNegation
	})
	if err == nil && i%3 != 2 {
		return errNegation
	}
	return err
}

var errNegation = errors.New("a formula with ! must be of the form !p & !q & …")

// writeMata calls the states q0, q1, …, as Mata does.
func writeMata(w *bufio.Writer, n *automaton.NFA) error {
	names := make([]string, n.Alphabet.Len())
	for i := range names {
		names[i] = quoteMata(n.Alphabet.Name(word.Symbol(i)))
	}
	w.WriteString("@NFA-explicit\n")
	if alphabetShows(n) {
		w.WriteString("%Alphabet-auto\n")
	} else {
		w.WriteString("%Alphabet-enum")
		for _, name := range names {
			fmt.Fprintf(w, " %s", name)
		}
		w.WriteString("\n")
	}
	if !statesShow(n) {
		w.WriteString("%States-enum")
		for q := range n.Len() {
			fmt.Fprintf(w, " q%d", q)
		}
		w.WriteString("\n")
	}
	if len(n.Start) > 0 {
		w.WriteString("%Initial")
		for _, q := range n.Start {
			fmt.Fprintf(w, " q%d", q-1)
		}
		w.WriteString("\n")
	}
	if slices.Contains(n.Accept, true) {
		w.WriteString("%Final")
		for q, accept := range n.Accept {
			if accept {
				fmt.Fprintf(w, " q%d", q-1)
			}
		}
		w.WriteString("\n")
	}
	for _, e := range n.Edges {
		name := mataEpsilon
		if e.On != automaton.Epsilon {
			name = names[e.On]
		}
		fmt.Fprintf(w, "q%d %s q%d\n", e.From-1, name, e.To-1)
	}
	return nil
}

// alphabetShows reports whether the edges alone show the alphabet: all symbols
// are used, and they are sorted.
func alphabetShows(n *automaton.NFA) bool {
	used := make([]bool, n.Alphabet.Len())
	for _, e := range n.Edges {
		if e.On != automaton.Epsilon {
			used[e.On] = true
		}
	}
	return !slices.Contains(used, false) && slices.IsSorted(n.Alphabet.Names())
}

// statesShow reports whether every state is mentioned without being listed.
func statesShow(n *automaton.NFA) bool {
	shown := slices.Clone(n.Accept)
	shown[automaton.Dead] = true
	for _, q := range n.Start {
		shown[q] = true
	}
	for _, e := range n.Edges {
		shown[e.From], shown[e.To] = true, true
	}
	return !slices.Contains(shown, false)
}

// quoteMata returns a name as a token: in quotes unless it is a plain word.
func quoteMata(name string) string {
	if name == mataEpsilon {
		return escapeFirst(name)
	}
	name = escape(name, func(r rune) bool { return r == '"' || r == '\\' || !unicode.IsPrint(r) })
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		return `"` + name + `"`
	}
	return name
}
