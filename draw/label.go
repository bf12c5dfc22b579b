package draw

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quotient/word"
)

const (
	fontSize = 16.0
	maxLabel = 160.0 // the width past which a label is cut
)

// newLabel writes a set of symbols, given in the alphabet's order, as briefly as
// can be read without doubt: all of them as Σ, nearly all as Σ∖{b}, others as a
// list in which runs of consecutive characters are joined, a–f. Whichever of the
// forms is narrowest is the short one; what is still too wide is cut.
func newLabel(a *word.Alphabet, symbols []word.Symbol) (full, short string) {
	items := list(a, symbols)
	full = strings.Join(items, ", ")
	short = full
	missing := rest(a, symbols)
	switch {
	case len(symbols) <= 2:
	case len(missing) == 0:
		short = "Σ"
	default:
		if t := "Σ∖{" + strings.Join(list(a, missing), ", ") + "}"; textWidth(t) < textWidth(short) {
			short = t
		}
	}
	return full, shorten(short, items, len(symbols), maxLabel)
}

// shorten returns a text as it is if there is room for it, and cuts the list of its items
// otherwise.
func shorten(text string, items []string, symbols int, room float64) string {
	if textWidth(text) > room {
		return cut(items, symbols)
	}
	return text
}

// cut keeps as many items as there is room for and says how many symbols there are.
func cut(items []string, symbols int) string {
	end := fmt.Sprintf("… (%d symbols)", symbols)
	if symbols == 1 { // one very long name
		r := []rune(items[0])
		for n := len(r) - 1; n > 1; n-- {
			if t := string(r[:n]) + "…"; textWidth(t) <= maxLabel {
				return t
			}
		}
		return "…"
	}
	text := ""
	for _, item := range items {
		longer := text + item + ", "
		if textWidth(longer+end) > maxLabel {
			break
		}
		text = longer
	}
	return text + end
}

// rest returns the symbols of a that are not in the sorted list given.
func rest(a *word.Alphabet, symbols []word.Symbol) []word.Symbol {
	var missing []word.Symbol
	for s, i := 0, 0; s < a.Len(); s++ {
		if i < len(symbols) && int(symbols[i]) == s {
			i++
		} else {
			missing = append(missing, word.Symbol(s))
		}
	}
	return missing
}

// list returns the names of the symbols, with every run of three or more that
// are neighbors both in the alphabet and in Unicode written as first–last.
func list(a *word.Alphabet, symbols []word.Symbol) []string {
	var items []string
	for i := 0; i < len(symbols); {
		j := i + 1
		for j < len(symbols) && follows(a, symbols[j-1], symbols[j]) {
			j++
		}
		if j-i < 3 {
			j = i + 1
			items = append(items, symbolName(a.Name(symbols[i])))
		} else {
			items = append(items, symbolName(a.Name(symbols[i]))+"–"+symbolName(a.Name(symbols[j-1])))
		}
		i = j
	}
	return items
}

// follows reports whether t comes right after s in the alphabet and both are
// letters or digits that come one after the other for a reader too.
func follows(a *word.Alphabet, s, t word.Symbol) bool {
	x, n := utf8.DecodeRuneInString(a.Name(s))
	y, m := utf8.DecodeRuneInString(a.Name(t))
	return t == s+1 && y == x+1 && n == len(a.Name(s)) && m == len(a.Name(t)) &&
		(unicode.IsLetter(x) && unicode.IsLetter(y) || unicode.IsDigit(x) && unicode.IsDigit(y))
}

// symbolName returns a name as it stands in a label: quoted if it could be taken
// for part of the label's own notation.
func symbolName(name string) string {
	if strings.ContainsAny(name, ",–…∖Σ") {
		return strconv.Quote(name)
	}
	return word.QuoteName(name)
}

// textWidth estimates how wide a text is, in the units of the page, at the size
// of labels. No font is at hand, so it errs on the wide side of the common
// serif italics.
func textWidth(text string) float64 {
	em := 0.0
	for _, r := range text {
		em += runeWidth(r)
	}
	return em * fontSize
}

// runeWidth returns a generous width for r, in em.
func runeWidth(r rune) float64 {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3,
		r >= 0xF900 && r <= 0xFAFF, r >= 0xFE30 && r <= 0xFE4F, r >= 0xFF00 && r <= 0xFF60:
		return 1.02 // East Asian wide
	case r >= 0x1F000:
		return 1.35 // emoji, and ideographs outside the first plane
	case strings.ContainsRune("mwMWΣ@%…∅", r):
		return 0.95
	case strings.ContainsRune(" ijlft.,;:'|!()[]{}I/\\", r):
		return 0.36
	case unicode.IsUpper(r):
		return 0.76
	}
	return 0.56
}
