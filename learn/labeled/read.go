package labeled

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quotient/word"
)

// A Format is a way to write labeled words.
type Format string

const (
	// Abbadingo is the format of the competition: a line with the number of words
	// and of symbols, then a line for each word with its label (1, 0, or -1 for
	// unknown), its length and its symbols, which are numbers from 0.
	Abbadingo Format = "abbadingo"
	// CSV has a column with words and one with labels, separated by commas, tabs
	// or semicolons. A first line that names the columns (word, label, and what else
	// people call them) may say which is which; without one, it is told by what
	// stands in them. A single column is words without labels.
	CSV Format = "csv"
	// JSONL has a JSON value on every line, an object for most: the word as "symbols",
	// a list, or as "word", and whether it is accepted as "accept" or "label". Other
	// names that people use do, too.
	JSONL Format = "jsonl"
	// JSON is one list of such objects, of pairs of a word and its label, or of words.
	JSON Format = "json"
	// Plain has a word on every line behind +, - or ?, as the StaMinA competition
	// and 'quotient sample' write them.
	Plain Format = "plain"
)

// Formats are all there are.
var Formats = []Format{CSV, Abbadingo, JSONL, JSON, Plain}

// Example shows two words with labels.
func (f Format) Example() string {
	switch f {
	case Abbadingo:
		return "1 3 0 1 1 for the word 0 1 1, or 0 3 0 1 1 if it is not in the language"
	case JSONL:
		return `{"word":"abb","label":1} and {"word":"ba","label":0}`
	case JSON:
		return `[{"word":"abb","label":1},{"word":"ba","label":0}]`
	case Plain:
		return "+ abb and - ba"
	}
	return "abb,1 and ba,0"
}

const (
	// MaxSize is the size of the largest input that Read accepts, in bytes, and of what
	// comes out of one that is compressed.
	MaxSize = 256 << 20
	// MaxLength is the length of the longest word.
	MaxLength = 1 << 20
)

// A SyntaxError says what is wrong with a file, and where.
type SyntaxError struct {
	File   string
	Line   int // from 1
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

func errorAt(line int, format string, args ...any) error {
	return &SyntaxError{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// Options say how a file is read. The zero value is ready for use.
type Options struct {
	Format Format // empty: what the first line looks like

	// Symbols come first in the alphabet, in their order; names that occur
	// beside them follow in the order of a dictionary. In the Abbadingo format
	// they are the names of the numbers, which are "0", "1" and so on otherwise.
	Symbols []string
}

// Read reads words, which may have labels: those that have none are Unknown. The name of the
// file is only used in errors. What Read found out about the file is in the Reading of the
// set. Input may be compressed with gzip.
//
// Words are written as package word writes them: the empty word is ε or nothing at
// all, symbols stand side by side, or with spaces between them if words of the
// file have spaces in them. A name in quotes is one symbol in any case. A stray space
// does not make names of all words: see spaced.
func Read(r io.Reader, file string, o Options) (*Set, error) {
	in := bufio.NewReader(r)
	zipped, err := unzip(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var text strings.Builder
	source := io.Reader(in)
	if zipped != nil {
		source = zipped
	}
	n, err := io.Copy(&text, io.LimitReader(source, MaxSize+1))
	if zipped != nil && errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s: what is compressed in it does not end: the file was cut", file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if n > MaxSize {
		return nil, fmt.Errorf("%s: longer than %d bytes, the most that is read", file, MaxSize)
	}
	s, err := parse(strings.TrimPrefix(text.String(), "\uFEFF"), o)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		syntax.File = file
		return nil, syntax
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s.File, s.Reading.Gzip, s.Reading.Words = file, zipped != nil, len(s.Words)
	for _, l := range s.Labels {
		if l != Unknown {
			s.Reading.Labeled++
		}
	}
	return s, nil
}

// unzip returns a reader of what is compressed, or nil if nothing is.
func unzip(in *bufio.Reader) (io.Reader, error) {
	if magic, err := in.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return nil, nil // what is wrong with the input, whoever reads it is told
	}
	return gzip.NewReader(in)
}

func parse(text string, o Options) (*Set, error) {
	if err := checkText(text); err != nil {
		return nil, err
	}
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // the line ends of old, and of some programs
	}
	text, remarks := comments(text)
	if o.Format == "" {
		o.Format = detect(text)
	}
	if _, err := word.NewAlphabet(o.Symbols...); err != nil {
		return nil, err
	}
	b := &builder{reading: Reading{Format: o.Format, Symbols: "characters", Notes: remarks}}
	var err error
	switch o.Format {
	case Abbadingo:
		s, err := readAbbadingo(text, o.Symbols)
		if err == nil {
			s.Reading.Format, s.Reading.Notes = Abbadingo, remarks
		}
		return s, err
	case CSV:
		err = b.readCSV(text)
	case JSONL:
		err = b.readJSONL(text)
	case JSON:
		err = b.readJSON(text)
	case Plain:
		err = b.readPlain(text)
	default:
		err = fmt.Errorf("no format of words is called %q; there are csv, abbadingo, jsonl, json and plain", o.Format)
	}
	if err != nil {
		return nil, err
	}
	return b.set(o.Symbols)
}

// checkText returns an error at the first byte that is not UTF-8: of a file in another
// encoding, or of one that is no text at all.
func checkText(text string) error {
	if utf8.ValidString(text) {
		return nil
	}
	at := 0
	for {
		r, n := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return errorAt(1+strings.Count(text[:at], "\n"), "the byte 0x%02x is not UTF-8; save the file as text in UTF-8", text[at])
}

// detect tells the format by the first line that is not empty.
func detect(text string) Format {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case line[0] == '{':
			return JSONL
		case line[0] == '[' && beginsJSON(line):
			if json.Valid([]byte(line)) && strings.TrimSpace(text[strings.Index(text, line)+len(line):]) != "" {
				return JSONL
			}
			return JSON
		case strings.Contains("+-?", line[:1]) && (len(line) == 1 || line[1] == ' '):
			return Plain
		case !strings.ContainsAny(line, ",;\t") && isHeader(strings.Fields(line)):
			return Abbadingo
		}
		break
	}
	return CSV
}

// beginsJSON reports whether a line that begins with a bracket begins a list of entries, which may be
// broken. It may also be a word with a bracket in it, behind which there is no quote.
func beginsJSON(line string) bool {
	return line == "[" || strings.HasSuffix(line, ",") || strings.HasSuffix(line, "{") ||
		strings.HasPrefix(strings.TrimLeft(line, "[{ \t"), `"`) || json.Valid([]byte(line))
}

// isHeader reports whether the fields could be the first line of an Abbadingo file.
func isHeader(fields []string) bool {
	return len(fields) == 2 && !slices.ContainsFunc(fields, func(f string) bool {
		_, err := strconv.ParseUint(f, 10, 64)
		return err != nil
	})
}

// A builder collects words whose alphabet is not known yet.
type builder struct {
	texts  []string
	lists  map[int][]string // words that are given as lists of names, by index
	labels []Label
	lines  []int

	objects           int    // how many objects of JSON there were so far
	wordKey, labelKey string // of these, where they are called by no name that is known; empty: none
	rejects           bool   // whether the label that is read is under a key that says that 1 is for words that are rejected
	blanks            blanks
	reading           Reading
}

// expect makes room for so many words.
func (b *builder) expect(words int) {
	b.texts, b.labels, b.lines = slices.Grow(b.texts, words), slices.Grow(b.labels, words), slices.Grow(b.lines, words)
}

func (b *builder) add(text string, l Label, line int) {
	b.texts = append(b.texts, text)
	b.labels = append(b.labels, l)
	b.lines = append(b.lines, line)
}

// set settles the alphabet and makes words of the texts.
func (b *builder) set(symbols []string) (*Set, error) {
	spaced := b.spaced(symbols)
	b.remarkBlanks(spaced, symbols)
	known := map[string]word.Symbol{} // in the order in which they are met
	for _, name := range symbols {
		known[name] = word.Symbol(len(known))
	}
	size := 0
	for _, text := range b.texts {
		size += len(text)
	}
	all := make(word.Word, 0, size) // the words, one behind the other
	var short [128]word.Symbol      // 1 + the symbols of one byte: a map takes half of the time
	add := func(name string) error {
		if len(name) == 1 && name[0] < 128 && short[name[0]] > 0 {
			all = append(all, short[name[0]]-1)
			return nil
		}
		x, ok := known[name]
		if !ok {
			if len(known) == word.MaxSymbols {
				return fmt.Errorf("more than %d symbols, the most that an alphabet can have", word.MaxSymbols)
			}
			if name == "" || !utf8.ValidString(name) {
				return fmt.Errorf("no symbol can be called %.20q: a name has characters, in UTF-8", name)
			}
			x = word.Symbol(len(known))
			known[strings.Clone(name)] = x
		}
		if len(name) == 1 && name[0] < 128 {
			short[name[0]] = x + 1 // no overflow: MaxSymbols is the largest number
		}
		all = append(all, x)
		return nil
	}
	ends, begin := make([]int, len(b.texts)), 0
	if spaced {
		b.reading.Symbols = "names"
	} else if len(b.lists) > 0 && len(b.lists) == len(b.texts) {
		b.reading.Symbols = "lists"
	}
	for i, text := range b.texts {
		if len(text) > 4*MaxLength {
			return nil, tooLong(b.lines[i])
		}
		if err := split(text, spaced, add); err != nil {
			return nil, errorAt(b.lines[i], "%v", err)
		}
		for _, name := range b.lists[i] {
			if err := add(name); err != nil {
				return nil, errorAt(b.lines[i], "%v", err)
			}
		}
		if ends[i] = len(all); len(all)-begin > MaxLength {
			return nil, tooLong(b.lines[i])
		}
		begin = len(all)
	}
	return b.finish(symbols, known, all, ends)
}

func tooLong(line int) error {
	return errorAt(line, "a word of more than %d symbols, the most that is read; every line has one word", MaxLength)
}

// finish puts the symbols in order.
func (b *builder) finish(symbols []string, known map[string]word.Symbol, all word.Word, ends []int) (*Set, error) {
	names := make([]string, len(known))
	for name, x := range known {
		names[x] = name
	}
	slices.Sort(names[len(symbols):])
	alphabet, err := word.NewAlphabet(names...)
	if err != nil {
		return nil, err
	}
	place := make([]word.Symbol, len(names))
	for i, name := range names {
		place[known[name]] = word.Symbol(i)
	}
	for i, x := range all {
		all[i] = place[x]
	}
	s := &Set{Alphabet: alphabet, Words: make([]word.Word, len(ends)), Labels: b.labels, Lines: b.lines, Reading: b.reading}
	begin := 0
	for i, end := range ends {
		s.Words[i] = all[begin:end:end]
		begin = end
	}
	return s, nil
}

// split calls add with the names in a written word.
func split(text string, spaced bool, add func(name string) error) error {
	text = strings.TrimSpace(text)
	if text == word.Empty {
		return nil
	}
	for text != "" {
		_, length := utf8.DecodeRuneInString(text)
		if spaced {
			length = len(text) - len(strings.TrimLeftFunc(text, isNoSpace))
		}
		name := text[:length]
		if text[0] == '"' {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return fmt.Errorf("a quoted name does not end: %.40q", text)
			}
			length = len(quoted)
			if name, err = strconv.Unquote(quoted); err != nil {
				return err
			}
		}
		if err := add(name); err != nil {
			return err
		}
		text = strings.TrimSpace(text[length:])
	}
	return nil
}

func isNoSpace(r rune) bool { return !unicode.IsSpace(r) }
