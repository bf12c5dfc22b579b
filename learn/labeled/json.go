package labeled

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const jsonHelp = `an entry is an object such as {"word":"abab","label":1}, a list such as ["abab",1], or a word alone`

// An entry is a value of JSON in a file: a word, with a label or without.
type entry struct {
	text string
	line int
}

// readJSONL reads an entry a line, as 'quotient sample --json' writes them.
func (b *builder) readJSONL(text string) error {
	var entries []entry
	line := 0
	for row := range strings.Lines(text) {
		line++
		if strings.TrimSpace(row) != "" {
			entries = append(entries, entry{row, line})
		}
	}
	return b.entries(entries)
}

// readJSON reads one list of entries.
func (b *builder) readJSON(text string) error {
	dec := json.NewDecoder(strings.NewReader(text))
	line, at := 1, 0
	upTo := func(end int) int { // counts lines, going on where it ended before
		end = max(min(end, len(text)), at)
		line, at = line+strings.Count(text[at:end], "\n"), end
		return line
	}
	broken := func(err error) error {
		end := int(dec.InputOffset())
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			err, end = errors.New("the list does not end"), len(strings.TrimRight(text, " \t\r\n"))
		}
		before := text[strings.LastIndexByte(text[:end], '\n')+1 : end]
		return errorAt(upTo(end), "broken JSON behind character %d of the line: %v; the file is a list, and %s", utf8.RuneCountInString(before), err, jsonHelp)
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return errorAt(1, "this is no list; %s", jsonHelp)
	}
	var entries []entry
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return broken(err)
		}
		end := int(dec.InputOffset())
		entries = append(entries, entry{text[end-len(raw) : end], upTo(end - len(raw))})
	}
	if _, err := dec.Token(); err != nil {
		return broken(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errorAt(upTo(int(dec.InputOffset())), "something follows the list; the file is one list, and %s", jsonHelp)
	}
	return b.entries(entries)
}

// entries adds the words of all entries.
func (b *builder) entries(entries []entry) error {
	b.lists = map[int][]string{}
	pairs := b.pairs(entries)
	b.guessKeys(entries)
	for _, e := range entries {
		if err := b.entry(e, pairs); err != nil {
			return err
		}
	}
	return nil
}

// entry adds a word. A list of two is a pair of a word and its label, or a word of two symbols.
func (b *builder) entry(e entry, pairs bool) error {
	if e.tooLong() {
		return tooLong(e.line)
	}
	b.rejects = false
	raw := []byte(e.text)
	if e.begin() == '{' {
		return b.object(raw, e.line)
	}
	var word any
	if err := json.Unmarshal(raw, &word); err != nil {
		return brokenEntry(err, e.line)
	}
	if list, ok := word.([]any); ok && len(list) == 2 && pairs {
		return b.value(list[0], list[1], e.line)
	}
	return b.value(word, nil, e.line)
}

// tooLong reports whether a list is too long for a word. Values take many times their text, so
// that this is told by the text.
func (e entry) tooLong() bool { return strings.Count(e.text, ",") > MaxLength+maxColumns }

func (e entry) begin() byte { return strings.TrimLeft(e.text, " \t\r\n")[0] }

func brokenEntry(err error, line int) error {
	return errorAt(line, "broken JSON: %v; %s", err, jsonHelp)
}

// object adds the word of an object. Most are as 'quotient sample' writes them, and are
// read without a map.
func (b *builder) object(raw []byte, line int) error {
	var known struct {
		Word    *string
		Symbols []string
		Accept  *bool
		Label   any
	}
	if err := json.Unmarshal(raw, &known); err == nil && (known.Symbols != nil || known.Word != nil) && (known.Accept != nil || known.Label != nil) {
		b.ignore(raw, "word", "symbols", "label", "accept")
		label := known.Label
		if known.Accept != nil {
			label = *known.Accept
			b.keys("", "accept")
		}
		b.keys("", "label")
		if known.Symbols != nil {
			b.keys("symbols", "")
			return b.symbols(known.Symbols, label, line)
		}
		b.keys("word", "")
		return b.value(*known.Word, label, line)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return brokenEntry(err, line)
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	w, l := named(names, wordNames), namedLabel(names)
	if w < 0 {
		w = slices.Index(names, b.wordKey)
	}
	if l < 0 {
		l = slices.Index(names, b.labelKey)
	}
	if w < 0 {
		return errorAt(line, `there is neither "symbols" nor "word", as in {"word":"abab","label":1}`)
	}
	used := []string{names[w]}
	var label any
	if b.keys(names[w], ""); l >= 0 {
		label = fields[names[l]]
		b.keys("", names[l])
		b.rejects = named(names[l:l+1], rejectNames) >= 0
		used = append(used, names[l])
	}
	b.ignore(raw, used...)
	return b.value(fields[names[w]], label, line)
}

// rank puts the names that are most likely meant first, and "symbols" before "word".
func rank(name string) int {
	name = strings.ToLower(name)
	if name == "symbols" || name == "accept" {
		return -1
	}
	if i := slices.Index(wordNames, name); i >= 0 {
		return i
	}
	if i := slices.Index(classNames, name); i >= 0 {
		return i
	}
	return len(wordNames) + len(classNames)
}

// keys notes under which keys words and labels were found first.
func (b *builder) keys(word, label string) {
	if b.reading.Word == "" && word != "" {
		b.reading.Word = strconv.Quote(word)
	}
	if b.reading.Label == "" && label != "" {
		b.reading.Label = strconv.Quote(label)
	}
}

// ignore notes the keys of an object that are not used. It looks at the first objects alone, as most
// are read without a list of their keys.
func (b *builder) ignore(raw []byte, used ...string) {
	if b.objects++; b.objects > looked {
		return
	}
	if slices.Contains(used, "symbols") {
		used = append(used, "word") // the same, as people write it
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.ContainsFunc(used, func(u string) bool { return strings.EqualFold(u, name) }) {
			b.ignored(fmt.Sprintf("%.40q", name))
		}
	}
}

// value adds a word that is a text, or a list of names and numbers.
func (b *builder) value(word, label any, line int) error {
	switch word := word.(type) {
	case string:
		l, err := b.labelValue(label, line)
		if err != nil {
			return err
		}
		b.add(word, l, line)
		return nil
	case []any:
		names := make([]string, len(word))
		for i, x := range word {
			name, ok := scalar(x)
			if !ok {
				return errorAt(line, "symbol %d of the word is neither a text nor a number; %s", i+1, jsonHelp)
			}
			names[i] = name
		}
		return b.symbols(names, label, line)
	}
	return errorAt(line, "the word is neither a text nor a list of symbols; %s", jsonHelp)
}

// symbols adds a word that is a list of names.
func (b *builder) symbols(names []string, label any, line int) error {
	l, err := b.labelValue(label, line)
	if err != nil {
		return err
	}
	b.lists[len(b.texts)] = names
	b.add("", l, line)
	return nil
}

// labelValue reads a label.
func (b *builder) labelValue(v any, line int) (Label, error) {
	text, ok := scalar(v)
	if !ok {
		return Unknown, errorAt(line, "the label is a list or an object, and not one of: %s", labelHelp)
	}
	l, ok := parseLabel(text)
	if !ok {
		return l, errorAt(line, "the label %.20q is none of: %s", text, labelHelp)
	}
	if b.rejects {
		if l, ok = b.turned(text, l, b.reading.Label); !ok {
			return l, errorAt(line, "the label %.20q may mean either under the key %s; call it label", text, b.reading.Label)
		}
	}
	return l, b.mean(text, l, line)
}

// scalar writes a value that is no list or object.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	return "", false
}
