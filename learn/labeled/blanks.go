package labeled

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// strays is how many words of several characters there are for each with a space where that is a slip.
const strays = 10

// spaced reports whether symbols have spaces between them. Of symbols that are given more words must be made then than of single characters; where none
// are, words with spaces must not be so few among others that each of those would be a symbol of its own.
func (b *builder) spaced(symbols []string) bool {
	given := map[string]bool{}
	for _, name := range symbols {
		given[name] = true
	}
	names, characters := 0, 0 // words that are made of what is given
	for i, text := range b.texts {
		if isSpaced(text) {
			b.blanks.add(b.lines[i])
		} else if isLong(text) {
			b.blanks.without++
		}
	}
	if with := b.blanks.words; with == 0 || len(given) == 0 {
		return with > 0 && b.blanks.without < strays*with
	}
	for _, text := range b.texts {
		if made(text, true, given) {
			names++
		}
		if made(text, false, given) {
			characters++
		}
	}
	return names >= characters
}

// made reports whether a word is made of given symbols.
func made(text string, spaced bool, given map[string]bool) bool {
	return split(text, spaced, func(name string) error {
		if !given[name] {
			return errUnknown
		}
		return nil
	}) == nil
}

var errUnknown = errors.New("an unknown symbol")

// blanks are the words that have a blank between their symbols: how many, and where the first is.
type blanks struct {
	words, line int
	without     int // how many others have several characters
}

func (b *blanks) add(line int) {
	if b.words++; b.words == 1 {
		b.line = line
	}
}

// remarkBlanks says what becomes of the words that do not go with the others: of those with blanks where every
// character is a symbol, and of those without where symbols have blanks between them.
func (b *builder) remarkBlanks(spaced bool, symbols []string) {
	switch n := b.blanks.words; {
	case spaced && b.blanks.without > 0:
		b.remarkNames(symbols)
	case spaced:
	case n == 1:
		b.note("blanks in 1 word are passed over, in line %d", b.blanks.line)
	case n > 1:
		b.note("blanks in %d words are passed over, the first in line %d", n, b.blanks.line)
	}
}

// remarkNames notes words that became a single symbol though no other word has that symbol: a blank
// may be missing in them.
func (b *builder) remarkNames(symbols []string) {
	known := map[string]bool{}
	learn := func(name string) error { known[name] = true; return nil }
	for _, name := range symbols {
		learn(name)
	}
	for _, list := range b.lists {
		for _, name := range list {
			learn(name)
		}
	}
	for _, text := range b.texts {
		if isSpaced(text) {
			split(text, true, learn) // set says what is wrong
		}
	}
	n, first := 0, 0
	for i, text := range b.texts {
		if !isSpaced(text) && isLong(text) && !isQuoted(text) && !known[strings.TrimSpace(text)] {
			if n++; n == 1 {
				first = i
			}
		}
	}
	if n > 0 {
		name := fmt.Sprintf("%.20q", strings.TrimSpace(b.texts[first]))
		if n == 1 {
			b.note("1 word without a blank is one symbol, %s in line %d", name, b.lines[first])
		} else {
			b.note("%d words without a blank are one symbol each, the first is %s in line %d", n, name, b.lines[first])
		}
	}
}

// isSpaced reports whether there is a space between symbols.
func isSpaced(text string) bool {
	text = strings.TrimSpace(text)
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		if unicode.IsSpace(r) {
			return true
		}
		if r == '"' {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return false // split says what is wrong
			}
			n = len(quoted)
		}
		text = text[n:]
	}
	return false
}

// isLong reports whether a word has several characters.
func isLong(text string) bool { return utf8.RuneCountInString(strings.TrimSpace(text)) > 1 }

// isQuoted reports whether a word is, or begins with, a name in quotes: whoever writes these means it.
func isQuoted(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), `"`) }
