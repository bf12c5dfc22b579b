// Package language names the languages that networks are trained on and
// automata are compared with, and draws words from them.
//
// One scheme of names serves every command:
//
//	tomita1 … tomita7   the Tomita languages, as the paper defines them
//	regex:(ab)*         a regular expression; see package regex
//	path.att            an automaton in a file of any format that codec reads
//	-                   an automaton on standard input
//
// Two more, anbn and dyck1, are not regular. [Load] refuses them; [LoadUpTo] returns
// automata that agree with them on words up to a length.
package language

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/automaton/regex"
	"quotient/word"
)

// Options say how names are read. The zero value is ready for use.
type Options struct {
	From    string    // format of standard input or, if that is not read, of files; empty: by extension, or JSON
	Symbols []string  // symbols that the alphabet has beside those that occur
	Limit   int       // states that an automaton may have; 0: automaton.DefaultLimit
	Stdin   io.Reader // what "-" reads; nil: os.Stdin
}

func (o Options) limit() int {
	if o.Limit == 0 {
		return automaton.DefaultLimit
	}
	return o.Limit
}

// Load returns automata for the named languages over their common alphabet, so
// that they can be compared: the symbols of the options, then those of the
// names, in their order. Expressions are read over all of these, so that in
// regex:~(.*aaa.*) beside tomita4 the complement is that over {a, b}.
func Load(o Options, names ...string) ([]*automaton.DFA, error) {
	common, err := word.NewAlphabet(o.Symbols...)
	if err != nil {
		return nil, err
	}
	sources := make([]source, len(names))
	for i, name := range names {
		if name != "-" && slices.Contains(names, "-") {
			sources[i], err = open(name, Options{}) // the format is that of standard input
		} else {
			sources[i], err = open(name, o)
		}
		if err != nil {
			return nil, err
		}
		if common, err = common.Union(sources[i].alphabet); err != nil {
			return nil, fmt.Errorf("%s: %w", short(name), err)
		}
	}
	automata := make([]*automaton.DFA, len(names))
	for i, name := range names {
		if automata[i], err = sources[i].compile(common, o.limit()); err != nil {
			return nil, fmt.Errorf("%s: %w", short(name), err)
		}
	}
	return automata, nil
}

// LoadNFA returns the automaton of one name as it stands in its file, without
// determinizing it. For other names it is the automaton that Load returns.
func LoadNFA(o Options, name string) (*automaton.NFA, error) {
	s, err := open(name, o)
	if err != nil {
		return nil, err
	}
	common, err := word.NewAlphabet(o.Symbols...)
	if err != nil {
		return nil, err
	}
	if common, err = common.Union(s.alphabet); err != nil {
		return nil, fmt.Errorf("%s: %w", short(name), err)
	}
	if s.nfa != nil {
		return s.nfa.WithAlphabet(common)
	}
	d, err := s.compile(common, o.limit())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", short(name), err)
	}
	return d.NFA(), nil
}

// A source is a language before its alphabet is settled: an automaton or an
// expression.
type source struct {
	alphabet *word.Alphabet
	nfa      *automaton.NFA // nil for an expression
	expr     *regex.Expr
}

func (s source) compile(a *word.Alphabet, limit int) (*automaton.DFA, error) {
	if s.expr != nil {
		return s.expr.Compile(a, limit)
	}
	d, err := automaton.Determinize(s.nfa, limit)
	if err != nil {
		return nil, err
	}
	return d.WithAlphabet(a)
}

func open(name string, o Options) (source, error) {
	if i := slices.IndexFunc(tomita, func(t Language) bool { return t.Name == name }); i >= 0 {
		return source{alphabet: letters, nfa: tomita[i].DFA().NFA()}, nil
	}
	if c, ok := FindCounting(name); ok {
		return source{}, notRegular(c)
	}
	if text, ok := strings.CutPrefix(name, "regex:"); ok {
		return openRegex(text)
	}
	return openFile(name, o)
}

func openRegex(text string) (source, error) {
	expr, err := regex.Parse(text)
	if err != nil {
		return source{}, fmt.Errorf("%s: %w", short("regex:"+text), err)
	}
	a, err := word.NewAlphabet(expr.Symbols()...)
	return source{alphabet: a, expr: expr}, err
}

func openFile(name string, o Options) (source, error) {
	format, err := fileFormat(name, o.From)
	if err != nil {
		return source{}, err
	}
	file, shown := o.Stdin, "standard input"
	switch {
	case name != "-":
		f, err := os.Open(name)
		if err != nil {
			return source{}, err
		}
		defer f.Close()
		file, shown = f, name
	case file == nil:
		file = os.Stdin
	}
	n, err := codec.Read(file, shown, format)
	if err != nil {
		return source{}, err
	}
	return source{alphabet: n.Alphabet, nfa: n}, nil
}

// fileFormat settles in which format a file is to be read.
func fileFormat(name, from string) (codec.Format, error) {
	format, err := codec.ByExtension(name)
	switch {
	case from != "":
		format, err = codec.ByName(from)
	case name == "-":
		format, err = codec.ByName("json")
	case err != nil:
		if _, statErr := os.Stat(name); statErr != nil {
			return format, unknown(name)
		}
	}
	if err == nil && !format.CanRead() {
		err = fmt.Errorf("%s: automata can be written as %s but not read; readable are %s",
			name, format.Name, strings.Join(readable(), ", "))
	}
	return format, err
}

func unknown(name string) error {
	hint := ""
	if filepath.Base(name) == name && strings.ContainsAny(name, "*|()") {
		hint = fmt.Sprintf("; for a regular expression write 'regex:%s'", name)
	}
	return fmt.Errorf("no language is called %q%s: there are tomita1 to tomita7, anbn, dyck1, regex:EXPRESSION, "+
		"and automaton files (%s)", name, hint, strings.Join(readable(), ", "))
}

// short is a name as errors show it.
func short(name string) string {
	const most = 60
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}

// readable lists the extensions of the formats that can be read.
func readable() []string {
	var list []string
	for _, f := range codec.Formats() {
		if f.CanRead() {
			list = append(list, f.Extensions...)
		}
	}
	return list
}

// CheckName returns an error unless a language is known by its name alone, without a file:
// for names that come from strangers, or go to other machines.
func CheckName(name string) error {
	if text, ok := strings.CutPrefix(name, "regex:"); ok {
		_, err := regex.Parse(text)
		return err
	}
	if _, ok := FindCounting(name); ok {
		return nil
	}
	for _, l := range Builtin() {
		if l.Name == name {
			return nil
		}
	}
	return fmt.Errorf("%q is no language that has a name, nor regex:EXPRESSION; files are not read here", name)
}
