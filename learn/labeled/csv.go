package labeled

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
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
	comma   rune
	columns int // of the first line
}

// looked is how many lines are looked at to tell which column holds labels.
const looked = 200

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
		t.add(fields[t.word], Unknown, line)
		return nil
	}
	l, ok := parseLabel(fields[t.label])
	if !ok {
		return errorAt(line, "%s: the label %.20q is none of: %s", column(t.header, t.label), fields[t.label], labelHelp)
	}
	if err := t.mean(fields[t.label], l, line); err != nil {
		return err
	}
	t.add(fields[t.word], l, line)
	return nil
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

// look finds out which columns there are from the beginning of the file.
func (t *table) look(text string) error {
	r := t.reader(text)
	var rows [][]string
	for len(rows) < looked {
		fields, _, err := r.next()
		if fields == nil || err != nil {
			break // whoever reads on says what is wrong
		}
		rows = append(rows, slices.Clone(fields[:min(len(fields), 100)]))
	}
	t.label = -1
	if len(rows) == 0 {
		return nil
	}
	first := rows[0]
	t.columns = len(first)
	if w, l := named(first, wordNames), named(first, classNames); isHeaderLine(rows, w, l) {
		t.header = first
		t.byName(w, l, rows[1:])
		return nil
	}
	return t.byContent(rows)
}

// isHeaderLine reports whether the first line names columns: word is the one that is called
// as words are, label the one that is called as labels are, -1 if none is. Both may be data
// as well: x is a word, and y is a label.
func isHeaderLine(rows [][]string, word, label int) bool {
	first := rows[0]
	switch {
	case label >= 0:
		again := func(row []string) bool {
			return label < len(row) && strings.TrimSpace(row[label]) == strings.TrimSpace(first[label])
		}
		return !isLabel(first[label]) || word >= 0 && !slices.ContainsFunc(rows[1:], again)
	case word < 0:
		return false
	case len(first) == 1:
		return len(strings.TrimSpace(first[0])) > 1
	}
	return labelColumn(rows[:1], word) < 0
}

// byName settles the columns by a header in which at least one of the two has a name that
// is known.
func (t *table) byName(word, label int, rows [][]string) {
	if label < 0 {
		label = labelColumn(rows, word)
	}
	if word < 0 {
		word = 0
		if label == 0 {
			word = min(1, t.columns-1)
		}
	}
	t.word, t.label = word, label
	if word == label {
		t.label = -1
	}
}

// byContent settles the columns of a file without a header, or with one that has other
// names.
func (t *table) byContent(rows [][]string) error {
	if t.columns == 1 {
		return nil // words alone
	}
	t.label = labelColumn(rows[:1], -1)
	if t.label >= 0 { // the first line has a label
		if l := labelColumn(rows, -1); l >= 0 {
			t.label = l
		}
	} else if t.label = labelColumn(rows[1:], -1); t.label >= 0 {
		t.header = rows[0]
	} else {
		at := min(1, t.columns-1)
		return errorAt(1, "%s: the label %.20q is none of: %s; a first line that names the columns calls them word and label",
			column(nil, at), rows[0][at], labelHelp)
	}
	if t.label == 0 {
		t.word = 1
	}
	return nil
}

// labelColumn returns the column that holds labels: the second, if it does, or the last,
// or the first of any; -1 if there is none, or no row. The column of words is not meant.
func labelColumn(rows [][]string, words int) int {
	if len(rows) == 0 {
		return -1
	}
	n := len(rows[0])
	order := []int{1, n - 1}
	for i := range n {
		order = append(order, i)
	}
	for _, i := range order {
		if i != words && i < n && holdsLabels(rows, i) {
			return i
		}
	}
	return -1
}

// holdsLabels reports whether a column of the rows has labels and nothing else. The last
// row may be short: it may be the mistake that will be told.
func holdsLabels(rows [][]string, i int) bool {
	some := false
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		if _, ok := parseLabel(row[i]); !ok {
			return false
		}
		some = some || isLabel(row[i])
	}
	return some
}

// isLabel reports whether the text is a label, which is known or said not to be.
func isLabel(text string) bool {
	_, ok := parseLabel(text)
	return ok && strings.TrimSpace(text) != "" && !slices.Contains(wordNames, strings.ToLower(text))
}
