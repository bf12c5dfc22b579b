// Package word holds symbols, words and alphabets, and how they are written.
//
// A symbol is a small number; an [Alphabet] gives it a name. Everything that
// computes works on numbers, everything that people read goes through the
// alphabet. The package imports nothing of the project.
package word

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Symbol is an index into an alphabet.
type Symbol uint16

// A Word is a sequence of symbols. The empty word is nil or has length zero.
type Word []Symbol

// MaxSymbols is the largest size of an alphabet. The one number that is left,
// 65,535, is free for markers such as automaton.Epsilon.
const MaxSymbols = 1<<16 - 1

// Empty is how the empty word is written.
const Empty = "ε"

// An Alphabet is an ordered set of symbol names. It is immutable.
type Alphabet struct {
	names   []string
	index   map[string]Symbol
	letters bool // every name is a single character, so words are written together
}

// NewAlphabet returns the alphabet whose symbol i is called names[i].
// Names may be of any length, but not empty, not repeated and valid UTF-8.
func NewAlphabet(names ...string) (*Alphabet, error) {
	if len(names) > MaxSymbols {
		return nil, fmt.Errorf("alphabet of %d symbols: at most %d are possible", len(names), MaxSymbols)
	}
	a := &Alphabet{
		names:   slices.Clone(names),
		index:   make(map[string]Symbol, len(names)),
		letters: true,
	}
	for i, name := range names {
		if name == "" {
			return nil, fmt.Errorf("symbol %d has an empty name", i)
		}
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("name of symbol %d, %q, is not valid UTF-8", i, name)
		}
		if _, seen := a.index[name]; seen {
			return nil, fmt.Errorf("two symbols are called %q", name)
		}
		a.index[name] = Symbol(i)
		a.letters = a.letters && utf8.RuneCountInString(name) == 1
	}
	return a, nil
}

// Letters returns the alphabet of the characters of s, in their order.
// It panics if a character is repeated; use it for literals.
func Letters(s string) *Alphabet {
	a, err := NewAlphabet(strings.Split(s, "")...)
	if err != nil {
		panic("word: " + err.Error())
	}
	return a
}

// Len returns the number of symbols.
func (a *Alphabet) Len() int { return len(a.names) }

// Name returns the name of a symbol.
func (a *Alphabet) Name(s Symbol) string { return a.names[s] }

// Names returns a copy of all names, in the order of their symbols.
func (a *Alphabet) Names() []string { return slices.Clone(a.names) }

// Symbol returns the symbol with the given name and reports whether there is one.
func (a *Alphabet) Symbol(name string) (Symbol, bool) {
	s, ok := a.index[name]
	return s, ok
}

// Of returns the alphabet of some of the symbols, each of which is given once.
func (a *Alphabet) Of(symbols []Symbol) *Alphabet {
	names := make([]string, len(symbols))
	for i, s := range symbols {
		names[i] = a.names[s]
	}
	b, err := NewAlphabet(names...)
	if err != nil {
		panic(err) // a symbol was given twice
	}
	return b
}

// Equal reports whether a and b have the same names in the same order.
func (a *Alphabet) Equal(b *Alphabet) bool {
	return a == b || slices.Equal(a.names, b.names)
}

// Union returns the alphabet that has the symbols of a, in their order and with
// their numbers, followed by those of b that a lacks. It returns a itself if
// nothing is added.
func (a *Alphabet) Union(b *Alphabet) (*Alphabet, error) {
	names := a.names[:len(a.names):len(a.names)]
	for _, name := range b.names {
		if _, ok := a.index[name]; !ok {
			names = append(names, name)
		}
	}
	if len(names) == len(a.names) {
		return a, nil
	}
	return NewAlphabet(names...)
}

// Format writes a word: single-character names together, others separated by
// spaces, the empty word as ε. A name that would be misread (one with spaces or
// quotes, or called ε itself) is quoted as in Go, so that [Alphabet.Parse]
// always returns the same word.
func (a *Alphabet) Format(w Word) string {
	if len(w) == 0 {
		return Empty
	}
	var b strings.Builder
	for i, s := range w {
		if i > 0 && !a.letters {
			b.WriteByte(' ')
		}
		b.WriteString(QuoteName(a.names[s]))
	}
	return b.String()
}

// QuoteName returns name as it stands in a written word: as it is where that
// can be read back, as a quoted Go string otherwise.
func QuoteName(name string) string {
	if name == Empty || strings.ContainsFunc(name, needsQuotes) {
		return strconv.Quote(name)
	}
	return name
}

func needsQuotes(r rune) bool {
	return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

// Parse reads a word as [Alphabet.Format] writes it. Spaces between symbols are
// allowed everywhere, and the empty string is the empty word too.
func (a *Alphabet) Parse(text string) (Word, error) {
	if strings.TrimSpace(text) == Empty {
		return nil, nil
	}
	var w Word
	for rest := trimLeft(text); rest != ""; {
		name, n, err := a.nextName(rest)
		if err != nil {
			return nil, fmt.Errorf("word %q, at byte %d: %w", text, len(text)-len(rest), err)
		}
		s, ok := a.index[name]
		if !ok {
			return nil, fmt.Errorf("word %q: no symbol is called %q; the symbols are %s", text, name, a)
		}
		w = append(w, s)
		rest = trimLeft(rest[n:])
	}
	return w, nil
}

func trimLeft(text string) string { return strings.TrimLeftFunc(text, unicode.IsSpace) }

// nextName returns the name that text begins with, and how many bytes it takes.
func (a *Alphabet) nextName(text string) (string, int, error) {
	if text[0] == '"' {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", 0, fmt.Errorf("a quoted name does not end")
		}
		name, err := strconv.Unquote(quoted)
		return name, len(quoted), err
	}
	if a.letters {
		_, n := utf8.DecodeRuneInString(text)
		return text[:n], n, nil
	}
	if n := strings.IndexFunc(text, unicode.IsSpace); n >= 0 {
		return text[:n], n, nil
	}
	return text, len(text), nil
}

// String lists the names, shortened where there are many.
func (a *Alphabet) String() string {
	const shown = 20
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range a.names[:min(len(a.names), shown)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(QuoteName(name))
	}
	if n := len(a.names) - shown; n > 0 {
		fmt.Fprintf(&b, ", and %d more", n)
	}
	b.WriteByte('}')
	return b.String()
}

// Shortest returns the first n words over so many symbols in shortlex order, the empty
// word first, or all of them if there are fewer.
func Shortest(symbols, n int) []Word {
	words := []Word{{}}
	for i := 0; i < len(words) && len(words) < n; i++ {
		for s := range symbols {
			words = append(words, append(slices.Clone(words[i]), Symbol(s)))
		}
	}
	return words[:min(n, len(words))]
}

// UpTo returns all words over so many symbols up to the greatest length of which there
// are, with the shorter ones, at most so many; in shortlex order.
func UpTo(symbols, most int) []Word {
	words := []Word{nil}
	for level := words; len(level) > 0 && len(words)+len(level)*symbols <= most; {
		level = Prolong(level, symbols)
		words = append(words, level...)
	}
	return words
}

// Prolong returns every word with every symbol behind it.
func Prolong(words []Word, symbols int) []Word {
	longer := make([]Word, 0, len(words)*symbols)
	for _, w := range words {
		for s := range symbols {
			longer = append(longer, w.With(Symbol(s)))
		}
	}
	return longer
}

// With returns w followed by v, in memory of its own.
func (w Word) With(v ...Symbol) Word { return slices.Concat(w, v) }

// Through returns the word with every symbol replaced by what a table has for it.
func (w Word) Through(table []Symbol) Word {
	v := make(Word, len(w))
	for i, s := range w {
		v[i] = table[s]
	}
	return v
}

// Compare orders words in shortlex order: shorter ones first, and those of one length as in
// a dictionary.
func Compare(v, w Word) int { return cmp.Or(cmp.Compare(len(v), len(w)), slices.Compare(v, w)) }

// LongestFirst returns the indices of words, the longest first: read side by side in this order, those that end stand behind
// those that go on.
func LongestFirst(words []Word) []int {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	longerFirst := func(i, j int) int { return cmp.Compare(len(words[j]), len(words[i])) }
	if !slices.IsSortedFunc(order, longerFirst) { // words are often all of one length
		slices.SortStableFunc(order, longerFirst)
	}
	return order
}

// Key returns the word as the key of a map.
func (w Word) Key() string {
	b := make([]byte, 0, 2*len(w))
	for _, s := range w {
		b = append(b, byte(s), byte(s>>8))
	}
	return string(b)
}
