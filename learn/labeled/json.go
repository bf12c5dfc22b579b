package labeled

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

const jsonHelp = `an entry is an object such as {"word":"abab","label":1}, a list such as ["abab",1], or a word alone`

// readJSONL reads an entry a line, as 'quotient sample --json' writes them.
func (b *builder) readJSONL(text string) error {
	b.lists = map[int][]string{}
	line := 0
	for row := range strings.Lines(text) {
		line++
		if strings.TrimSpace(row) == "" {
			continue
		}
		if err := b.entry([]byte(row), line); err != nil {
			return err
		}
	}
	return nil
}

// readJSON reads one list of entries.
func (b *builder) readJSON(text string) error {
	b.lists = map[int][]string{}
	dec := json.NewDecoder(strings.NewReader(text))
	line, at := 1, 0
	upTo := func(end int) int { // counts lines, going on where it ended before
		end = max(min(end, len(text)), at)
		line, at = line+strings.Count(text[at:end], "\n"), end
		return line
	}
	wrong := func(err error) error {
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the list does not end")
		}
		return errorAt(upTo(int(dec.InputOffset())), "%v; the file is a list, and %s", err, jsonHelp)
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return errorAt(1, "this is no list; %s", jsonHelp)
	}
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return wrong(err)
		}
		if err := b.entry(raw, upTo(int(dec.InputOffset())-len(raw))); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return wrong(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errorAt(upTo(int(dec.InputOffset())), "something follows the list; the file is one list, and %s", jsonHelp)
	}
	return nil
}

// entry adds a word.
func (b *builder) entry(raw []byte, line int) error {
	// Values take many times their text, so that a list that is too long for a word is refused as text.
	if bytes.Count(raw, []byte(",")) > MaxLength+maxColumns {
		return tooLong(line)
	}
	switch bytes.TrimLeft(raw, " \t\r\n")[0] {
	case '{':
		return b.object(raw, line)
	case '[':
		var list []any
		if err := json.Unmarshal(raw, &list); err != nil {
			return errorAt(line, "%v; %s", err, jsonHelp)
		}
		if len(list) == 2 && isPair(list[0], list[1]) {
			return b.value(list[0], list[1], line)
		}
		return b.value(list, nil, line)
	}
	var word any
	if err := json.Unmarshal(raw, &word); err != nil {
		return errorAt(line, "%v; %s", err, jsonHelp)
	}
	return b.value(word, nil, line)
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
		label := known.Label
		b.keys("word", "label")
		if known.Accept != nil {
			label = *known.Accept
			b.keys("", "accept")
		}
		if known.Symbols != nil {
			b.keys("symbols", "")
			return b.symbols(known.Symbols, label, line)
		}
		return b.value(*known.Word, label, line)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return errorAt(line, "%v; %s", err, jsonHelp)
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	w, l := named(names, wordNames), named(names, classNames)
	if w < 0 {
		return errorAt(line, `there is neither "symbols" nor "word", as in {"word":"abab","label":1}`)
	}
	var label any
	if b.keys(names[w], ""); l >= 0 {
		label = fields[names[l]]
		b.keys("", names[l])
	}
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
		text = "list"
	}
	l, ok := parseLabel(text)
	if !ok {
		return l, errorAt(line, "the label %.20q is none of: %s", text, labelHelp)
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

// isPair reports whether a list of two is a word and its label, and not a word of two
// symbols.
func isPair(word, label any) bool {
	text, isText := label.(string)
	switch word := word.(type) {
	case []any:
		return true
	case string:
		_, ok := parseLabel(text)
		return !isText || ok && len(word) != 1
	}
	return false
}
