package labeled

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

// maxColumns is how many columns a line may have. A line of 20 million commas takes a
// gigabyte to take apart, and nobody has that many.
const maxColumns = 10_000

// A table is a file of columns that is being read.
type table struct {
	*builder
	header  []string // nil: none
	word    int      // the column that holds words
	label   int      // and labels; -1: none
	rejects bool     // whether its name says that 1 is for words that are rejected
	comma   rune
	first   int // number of the first line that is not empty
	columns int // of that line
}

// readCSV reads columns. Which they are is told by the first line, or by what stands in
// them.
func (b *builder) readCSV(text string) error {
	t := &table{builder: b, comma: separator(text)}
	if err := checkColumns(text, t.comma); err != nil {
		return err
	}
	if err := t.look(text); err != nil {
		return err
	}
	b.reading.Header, b.reading.Word, b.reading.Label = t.header != nil, column(t.header, t.word), column(t.header, t.label)
	t.rejects = t.label >= 0 && t.label < len(t.header) && named(t.header[t.label:t.label+1], rejectNames) >= 0
	if t.columns > 1 {
		b.reading.Separator = map[rune]string{',': "comma", '\t': "tab", ';': "semicolon"}[t.comma]
	}
	r := t.reader(text)
	b.expect(strings.Count(text, "\n") + 1)
	for first := true; ; first = false {
		fields, line, err := r.next()
		if err != nil || fields == nil {
			return err
		}
		if first && t.header != nil {
			continue
		}
		if err := t.row(fields, line); err != nil {
			return err
		}
	}
}

// row adds the word of a line.
func (t *table) row(fields []string, line int) error {
	if len(fields) <= t.label {
		return errorAt(line, "the line %.20q has no column for the label; a word and its label are needed, as in abab,1", strings.Join(fields, string(t.comma)))
	}
	if len(fields) <= t.word {
		return errorAt(line, "the line %.20q has no %s, where the words are", strings.Join(fields, string(t.comma)), column(t.header, t.word))
	}
	if t.label < 0 {
		if len(fields) > t.columns && strings.TrimSpace(strings.Join(fields[t.columns:], "")) != "" {
			return errorAt(line, "the line %.20q has %d columns, and the first line has %d; a comma in a word stands in quotes, with the word",
				strings.Join(fields, string(t.comma)), len(fields), t.columns)
		}
		t.add(fields[t.word], Unknown, line)
		return nil
	}
	l, err := t.labelOf(fields[t.label], line)
	if err != nil {
		return err
	}
	t.add(fields[t.word], l, line)
	return nil
}

// labelOf returns what a label of the table means.
func (t *table) labelOf(text string, line int) (Label, error) {
	at := column(t.header, t.label)
	l, ok := parseLabel(text)
	if !ok {
		return l, errorAt(line, "%s: the label %.20q is none of: %s", at, text, labelHelp)
	}
	if t.rejects {
		if l, ok = t.turned(text, l, at); !ok {
			return l, errorAt(line, "%s: the label %.20q may mean either in a column of this name; call it label", at, text)
		}
	}
	return l, t.mean(text, l, line)
}

// records are the lines of a table. Where there is no quote in the text, they are cut out of it as
// package csv would do, which takes a third of its time and no memory.
type records struct {
	quoted *csv.Reader // nil: there is no quote
	text   string
	comma  string
	line   int
	fields []string
}

func (t *table) reader(text string) *records {
	if !strings.Contains(text, `"`) {
		return &records{text: text, comma: string(t.comma)}
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = t.comma, -1, true
	return &records{quoted: r}
}

// next returns the fields of a line and its number, nil at the end. The next call overwrites them.
func (r *records) next() (fields []string, line int, err error) {
	if r.quoted != nil {
		return nextQuoted(r.quoted)
	}
	for r.text != "" {
		var now string
		now, r.text, _ = strings.Cut(r.text, "\n")
		r.line++
		if now = strings.TrimSuffix(now, "\r"); now == "" {
			continue
		}
		r.fields = r.fields[:0]
		for more := true; more; {
			var field string
			field, now, more = strings.Cut(now, r.comma)
			r.fields = append(r.fields, field)
		}
		return r.fields, r.line, nil
	}
	return nil, 0, nil
}

func nextQuoted(r *csv.Reader) (fields []string, line int, err error) {
	fields, err = r.Read()
	if err == io.EOF {
		return nil, 0, nil
	}
	if wrong := (*csv.ParseError)(nil); errors.As(err, &wrong) {
		return nil, 0, errorAt(wrong.StartLine, "%v; a field with a quote in it stands in quotes, and the quote twice", wrong.Err)
	}
	if err != nil {
		return nil, 0, err
	}
	line, _ = r.FieldPos(0)
	return fields, line, nil
}

// separator returns what stands between the columns in the first line.
func separator(text string) rune {
	first, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	for _, c := range []rune{'\t', ',', ';'} {
		if strings.ContainsRune(first, c) {
			return c
		}
	}
	return ','
}

// checkColumns returns an error if a line has too many columns.
func checkColumns(text string, comma rune) error {
	n, line, quoted := 0, 1, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\n':
			line++
			if !quoted {
				n = 0
			}
		case c == byte(comma) && !quoted:
			if n++; n >= maxColumns {
				return errorAt(line, "more than %d columns; two are needed, for words and labels", maxColumns)
			}
		}
	}
	return nil
}
