package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Grid is a table without lines; its first row is the heading.
type Grid struct{ rows [][]string }

// A Row of a table.
type Row []any

// Table returns a table with a heading.
func Table(header ...string) *Grid { return &Grid{[][]string{header}} }

// AppendRow adds a row.
func (t *Grid) AppendRow(row Row) {
	cells := make([]string, len(row))
	for i, cell := range row {
		cells[i] = fmt.Sprint(cell)
	}
	t.rows = append(t.rows, cells)
}

// Length returns the number of rows, the heading included.
func (t *Grid) Length() int { return len(t.rows) }

// Render returns the table as wide as it is.
func (t *Grid) Render() string { return strings.Join(t.lines(t.widths(), t.all()), "\n") }

// Print writes a table. Where it is too wide, long cells are broken into lines; where that is
// not enough, the last columns stand below the first, under the same names of rows.
func Print(w io.Writer, t *Grid) error {
	for i, block := range t.blocks(Width(w)) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		for k, line := range block {
			if k == 0 {
				line = Strong(w, line)
			}
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	margins     = 2  // columns around the text of a cell
	longestWord = 24 // that a cell is not broken within
)

// blocks returns the lines of a table that fits into a width, cut into parts if need be.
func (t *Grid) blocks(width int) [][]string {
	widths, columns := t.widths(), t.all()
	if width == 0 || total(widths, columns) <= width {
		return [][]string{t.lines(widths, columns)}
	}
	least := t.least()
	keys := columns[:1+max(0, slices.IndexFunc(t.rows[0], func(name string) bool { return name != "" }))]
	var all [][]string
	for rest := columns[len(keys):]; len(rest) > 0 || all == nil; {
		n := 0
		for n < len(rest) && (n == 0 || total(least, slices.Concat(keys, rest[:n+1])) <= width) {
			n++
		}
		block := slices.Concat(keys, rest[:n])
		all = append(all, t.lines(shrink(widths, least, block, width), block))
		rest = rest[n:]
	}
	return all
}

// shrink makes the widest of some columns narrower until they fit, but none narrower than
// the least width.
func shrink(widths, least, columns []int, width int) []int {
	widths = slices.Clone(widths)
	for total(widths, columns) > width {
		widest := -1
		for _, k := range columns {
			if widths[k] > least[k] && (widest < 0 || widths[k] > widths[widest]) {
				widest = k
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

func total(widths, columns []int) int {
	n := 0
	for _, k := range columns {
		n += widths[k] + margins
	}
	return n
}

func (t *Grid) all() []int {
	columns := make([]int, len(t.rows[0]))
	for k := range columns {
		columns[k] = k
	}
	return columns
}

// widths returns how wide each column is.
func (t *Grid) widths() []int { return t.measure(columnsOf) }

// least returns how wide each column must be.
func (t *Grid) least() []int {
	return t.measure(func(cell string) int {
		n := 0
		for _, word := range strings.Fields(cell) {
			n = max(n, columnsOf(word))
		}
		return min(n, longestWord)
	})
}

func (t *Grid) measure(of func(cell string) int) []int {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for k := range min(len(row), len(widths)) {
			widths[k] = max(widths[k], of(row[k]))
		}
	}
	return widths
}

// lines returns some columns as lines of text.
func (t *Grid) lines(widths, columns []int) []string {
	var all []string
	for _, row := range t.rows {
		cells := make([][]string, len(columns))
		height := 1
		for i, k := range columns {
			if k < len(row) {
				cells[i] = cut(row[k], widths[k])
				height = max(height, len(cells[i]))
			}
		}
		for h := range height {
			var b strings.Builder
			for i, k := range columns {
				text := ""
				if h < len(cells[i]) {
					text = cells[i][h]
				}
				b.WriteString(" " + text + strings.Repeat(" ", max(0, widths[k]-columnsOf(text))+1))
			}
			all = append(all, b.String())
		}
	}
	return all
}

// cut breaks the text of a cell into lines, between words where it can.
func cut(cell string, width int) []string {
	if columnsOf(cell) <= width {
		return []string{cell}
	}
	var lines []string
	for line := range strings.SplitSeq(wrapLine(cell, width, 0), "\n") {
		for runes := []rune(line); columnsOf(string(runes)) > width; {
			n := len(runes)
			for n > 1 && columnsOf(string(runes[:n])) > width {
				n--
			}
			lines, runes = append(lines, string(runes[:n])), runes[n:]
			line = string(runes)
		}
		lines = append(lines, line)
	}
	return lines
}
