package labeled

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// looked is how many lines are looked at to tell which column holds what.
const looked = 200

// comments blanks out comments at the beginning of a file, so that all other lines keep their numbers: lines that
// begin with #. It may be a symbol as well, so of csv the lines below must have several columns, and a line
// that has a label or names columns is none.
func comments(text string) (rest string, notes []string) {
	end := 0
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); s != "" && s[0] != '#' {
			break
		}
		end += len(line)
	}
	below := text[end:]
	if below == "" || !strings.Contains(text[:end], "#") {
		return text, nil
	}
	comma := string(separator(below))
	first, _, _ := strings.Cut(below, "\n")
	inColumns := detect(below) == CSV
	if inColumns && !strings.Contains(first, comma) {
		return text, nil
	}
	n, at, lines := 0, 0, 0
	for line := range strings.Lines(text[:end]) {
		fields := strings.Split(strings.TrimSpace(line), comma)
		if inColumns && (slices.ContainsFunc(fields, isLabel) || named(fields, wordNames) >= 0 || named(fields, classNames) >= 0) {
			break
		}
		at, lines = at+len(line), lines+1
		if strings.Contains(line, "#") {
			n++
		}
	}
	switch {
	case n == 1:
		notes = []string{"the first line, which begins with #, is a comment"}
	case n > 1:
		notes = []string{fmt.Sprintf("the first %d lines, which begin with #, are comments", n)}
	}
	return strings.Repeat("\n", lines) + text[at:], notes
}

// look finds out which columns there are from the beginning of the file.
func (t *table) look(text string) error {
	r := t.reader(text)
	var rows [][]string
	for len(rows) < looked {
		fields, line, err := r.next()
		if fields == nil || err != nil {
			break // whoever reads on says what is wrong
		}
		if len(rows) == 0 {
			t.first = line
		}
		rows = append(rows, slices.Clone(fields[:min(len(fields), 100)]))
	}
	t.label = -1
	if len(rows) == 0 {
		return nil
	}
	first := rows[0]
	t.columns = len(first)
	if w, l := named(first, wordNames), namedLabel(first); isHeaderLine(rows, w, l) {
		t.header = first
		t.byName(w, l, rows[1:])
	} else if err := t.byContent(rows); err != nil {
		return err
	}
	t.remark(rows)
	return nil
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
		if !isLabel(first[label]) {
			return true
		}
		rejects := named(first[label:label+1], rejectNames) >= 0
		return word >= 0 && (isOdd(rows, label) || !rejects && !slices.ContainsFunc(rows[1:], again))
	case word < 0:
		return false
	case len(first) == 1:
		return len(strings.TrimSpace(first[0])) > 1
	}
	l := labelColumn(rows[:1], word)
	return l < 0 || len(strings.TrimSpace(first[word])) > 1 && isOdd(rows, l)
}

// isOdd reports whether what stands first in a column is a label of another kind than all others are: it is the name of the
// column, as true is where the others are 1 and 0.
func isOdd(rows [][]string, i int) bool {
	known := false
	for _, row := range rows[1:] {
		if i >= len(row) {
			continue
		}
		kind := labelKind(row[i])
		if kind == labelKind(rows[0][i]) {
			return false
		}
		known = known || kind != noKind
	}
	return known
}

// byName settles the columns by a header in which at least one of the two has a name that
// is known.
func (t *table) byName(word, label int, rows [][]string) {
	if label < 0 {
		label = labelColumn(rows, word)
	}
	t.label = label
	t.word = t.wordColumn(rows)
	if t.word == label {
		t.label = -1
	}
}

// wordColumn returns the column of words: the first that is called so, or the first of all. One that
// only numbers the lines is passed over, whatever it is called, as long as there is another.
func (t *table) wordColumn(rows [][]string) int {
	var order []int
	for i := range t.header {
		if i != t.label && named(t.header[i:i+1], wordNames) >= 0 {
			order = append(order, i)
		}
	}
	for i := range t.columns {
		if i != t.label {
			order = append(order, i)
		}
	}
	for _, i := range order {
		if !t.numbersLines(rows, i) {
			return i
		}
	}
	return append(order, 0)[0]
}

// numbersLines reports whether a column only tells lines apart: it is called as such columns are, or it has whole numbers, each greater by
// one than that above. Three of them are asked for, as two words of digits may be so by chance.
func (t *table) numbersLines(rows [][]string, i int) bool {
	if i < len(t.header) && isID(t.header[i]) {
		return true
	}
	last := 0
	for n, row := range rows {
		if i >= len(row) {
			return false
		}
		x, err := strconv.Atoi(strings.TrimSpace(row[i]))
		if err != nil || n > 0 && x != last+1 {
			return false
		}
		last = x
	}
	return len(rows) >= 3
}

// isID reports whether a column is called as those are that number the lines, as in seq_id, or, as pandas
// writes them, by nothing.
func isID(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_- .", r) })
	return len(parts) == 0 || parts[len(parts)-1] == "id" || slices.Contains([]string{"index", "idx", "nr", "number", "row", "#", "unnamed: 0"}, name)
}

// remark notes which columns are not used, and whether their names were of help.
func (t *table) remark(rows [][]string) {
	for i := range t.columns {
		used := i == t.word || i == t.label
		if !used && slices.ContainsFunc(rows, func(row []string) bool { return i < len(row) && strings.TrimSpace(row[i]) != "" }) {
			t.ignored(column(t.header, i))
		}
	}
	if t.header == nil {
		return
	}
	switch word, label := named(t.header, wordNames) >= 0, namedLabel(t.header) >= 0; {
	case !word && !label:
		t.note("no column has a name that is known, so what stands in them decided")
	case !word && t.columns > 1:
		t.note("no column is called as words are")
	case !label && t.label >= 0:
		t.note("no column is called as labels are")
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
		return errorAt(t.first, "%s: the label %.20q is none of: %s; a first line that names the columns calls them word and label",
			column(nil, at), rows[0][at], labelHelp)
	}
	if t.header != nil {
		rows = rows[1:]
	}
	t.word = t.wordColumn(rows)
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
