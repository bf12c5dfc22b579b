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

// A mataToken is a word of a line; a quoted one is never an operator.
type mataToken struct {
	text   string
	quoted bool
}

func (t mataToken) is(operator string) bool { return t.text == operator && !t.quoted }

// name returns the name that a token stands for, or an error if it is an operator.
func (t mataToken) name() (string, error) {
	if !t.quoted && strings.ContainsAny(t.text, "&|!()") {
		return "", fmt.Errorf("unexpected %s: formulas are not supported here", t.text)
	}
	return unescape(t.text), nil
}

type mataReader struct {
	*builder
	section bool            // @NFA-explicit was seen
	epsilon map[string]bool // tokens that read nothing
	final   []mataToken
	endLine int // of the last %Final
}

func readMata(text string) (*automaton.NFA, error) {
	r := &mataReader{builder: newBuilder(), epsilon: map[string]bool{mataEpsilon: true}}
	if err := r.declareFirst(text); err != nil {
		return nil, err
	}
	err := mataLines(text, func(line int, tokens []mataToken) error {
		if r.section || !strings.HasPrefix(tokens[0].text, "@") {
			return r.body(line, tokens)
		}
		return r.header(tokens)
	})
	if err != nil {
		return nil, err
	}
	if !r.section {
		return nil, errorAt(1, "no section @NFA-explicit")
	}
	if err := r.setFinal(); err != nil {
		return nil, errorAt(r.endLine, "in %%Final: %v", err)
	}
	r.orderStates("q")
	return r.finish()
}

// declareFirst looks for the keys that say how transitions are to be read,
// because they may come after these.
func (r *mataReader) declareFirst(text string) error {
	listed := false
	err := mataLines(text, func(line int, tokens []mataToken) error {
		switch {
		case tokens[0].is("%Epsilon"):
			for _, t := range tokens[1:] {
				r.epsilon[t.text] = true
			}
		case tokens[0].is("%Alphabet-enum"):
			listed = true
			for _, t := range tokens[1:] {
				name, err := t.name()
				if err == nil {
					err = r.declare(name)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	r.declared = listed
	return err
}

// mataLines calls visit with the tokens of every line that has some. The slice
// is used again for the next line.
func mataLines(text string, visit func(line int, tokens []mataToken) error) error {
	var tokens []mataToken
	first := 1 // of the lines that belong together
	for line := 1; text != ""; line++ {
		row, rest, _ := strings.Cut(text, "\n")
		text = rest
		row = strings.TrimSuffix(row, "\r")
		row, joined := strings.CutSuffix(row, `\`)
		var err error
		if tokens, err = mataTokens(tokens, row); err != nil {
			return errorAt(line, "%v", err)
		}
		if joined && text != "" {
			continue
		}
		if len(tokens) > 0 {
			if err := visit(first, tokens); err != nil {
				return errorAt(first, "%v", err)
			}
		}
		tokens, first = tokens[:0], line+1
	}
	return nil
}

// mataTokens appends the tokens of a line. Operators are tokens of their own.
func mataTokens(tokens []mataToken, row string) ([]mataToken, error) {
	for {
		row = strings.TrimLeft(row, " \t\v\f\r")
		switch {
		case row == "" || row[0] == '#':
			return tokens, nil
		case row[0] == '"':
			end := mataQuoteEnd(row)
			if end < 0 {
				return nil, errors.New("a quoted name does not end")
			}
			name := row[1:end]
			if strings.Contains(name, `\`) {
				name = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(name)
			}
			tokens = append(tokens, mataToken{name, true})
			row = row[end+1:]
			if row != "" && strings.IndexByte(" \t\v\f\r#&|!()", row[0]) < 0 {
				return nil, errors.New("a quoted name is followed by something that is not a space")
			}
		case strings.IndexByte("&|!()", row[0]) >= 0:
			tokens = append(tokens, mataToken{text: row[:1]})
			row = row[1:]
		default:
			end := strings.IndexAny(row, " \t\v\f\r#&|!()\"")
			if end < 0 {
				end = len(row)
			} else if row[end] == '"' {
				return nil, errors.New("a quote in the middle of a name")
			}
			tokens = append(tokens, mataToken{text: row[:end]})
			row = row[end:]
		}
	}
}

// mataQuoteEnd returns where the name ends that begins with a quote, or -1.
func mataQuoteEnd(row string) int {
	for i := 1; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

func (r *mataReader) header(tokens []mataToken) error {
	switch kind := tokens[0].text; {
	case len(tokens) > 1:
		return fmt.Errorf("something follows %s", shorten(kind))
	case kind == "@NFA-bits":
		return errors.New("symbols as bit vectors (@NFA-bits) are not supported; mintermize the automaton to @NFA-explicit with Mata first")
	case kind != "@NFA-explicit":
		return fmt.Errorf("a section %s is not supported, only @NFA-explicit", shorten(kind))
	}
	r.section = true
	return nil
}

// body adds what a line of the section says.
func (r *mataReader) body(line int, tokens []mataToken) error {
	if !r.section {
		return errors.New("expected @NFA-explicit first")
	}
	key := tokens[0]
	if key.quoted || key.text[0] != '%' && key.text[0] != '@' {
		return r.transition(tokens)
	}
	switch key.text {
	case "%Initial":
		return r.initial(tokens[1:])
	case "%Final":
		if len(r.final) > 0 {
			r.final = append(r.final, mataToken{text: "|"})
		}
		r.final = append(r.final, tokens[1:]...)
		r.endLine = line
	case "%States-enum":
		return r.eachState(tokens[1:], func(automaton.State) {})
	case "%Alphabet-auto", "%Alphabet-enum", "%Alphabet-marked", "%Alphabet-markers",
		"%States-auto", "%States-marked", "%States-markers", "%Epsilon":
	default:
		if key.text[0] == '@' {
			return errors.New("a second section: one file is one automaton")
		}
		return fmt.Errorf("unknown key %s", shorten(key.text))
	}
	return nil
}

func (r *mataReader) transition(tokens []mataToken) error {
	if len(tokens) != 3 {
		return fmt.Errorf("a transition has %d parts, expected three: from, symbol, to", len(tokens))
	}
	var names [3]string
	for i, t := range tokens {
		var err error
		if names[i], err = t.name(); err != nil {
			return err
		}
	}
	on := automaton.Epsilon
	if !r.epsilon[tokens[1].text] {
		var err error
		if on, err = r.symbol(names[1]); err != nil {
			return err
		}
	}
	r.nfa.AddEdge(r.state(names[0]), on, r.state(names[2]))
	return nil
}

// eachState visits the states of a list in which | may stand between them.
func (r *mataReader) eachState(tokens []mataToken, visit func(automaton.State)) error {
	for _, t := range tokens {
		if t.is("|") || t.is("(") || t.is(")") {
			continue
		}
		name, err := t.name()
		if err != nil {
			return err
		}
		visit(r.state(name))
	}
	return nil
}

func (r *mataReader) initial(tokens []mataToken) error {
	return r.eachState(tokens, func(q automaton.State) { r.nfa.Start = append(r.nfa.Start, q) })
}

// setFinal is called at the end, when all states are known.
func (r *mataReader) setFinal() error {
	if len(r.final) == 1 && (r.final[0].is("false") || r.final[0].is(`\false`)) {
		return nil
	}
	if len(r.final) == 1 && (r.final[0].is("true") || r.final[0].is(`\true`)) {
		r.acceptAll()
		return nil
	}
	if !slices.ContainsFunc(r.final, func(t mataToken) bool { return t.is("!") }) {
		return r.eachState(r.final, func(q automaton.State) { r.nfa.Accept[q] = true })
	}
	// !p & !q & …: all but these.
	var rejecting []automaton.State
	for i, t := range r.final {
		switch place := i % 3; {
		case place == 0 && t.is("!"), place == 2 && t.is("&"):
		case place == 1 && (t.quoted || !strings.ContainsAny(t.text, "&|!()")):
			rejecting = append(rejecting, r.state(unescape(t.text)))
		default:
			return errors.New("a formula with ! must be of the form !p & !q & …")
		}
	}
	if len(r.final)%3 != 2 {
		return errors.New("the formula is not complete")
	}
	r.acceptAll()
	for _, q := range rejecting {
		r.nfa.Accept[q] = false
	}
	return nil
}

func (r *mataReader) acceptAll() {
	for q := 1; q < len(r.nfa.Accept); q++ {
		r.nfa.Accept[q] = true
	}
}

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
