package labeled

import (
	"strconv"
	"strings"

	"quotient/word"
)

// readPlain reads lines such as "+ abab" and "- ε".
func (b *builder) readPlain(text string) error {
	line := 0
	for row := range strings.Lines(text) {
		line++
		row = strings.TrimSpace(row)
		if row == "" {
			continue
		}
		l, ok := parseLabel(row[:1])
		if !ok || !strings.Contains("+-?", row[:1]) {
			return errorAt(line, "a line begins with + or -, or with ? if the label is unknown, not with %.20q", row)
		}
		b.mean(row[:1], l, line)
		b.add(row[1:], l, line)
	}
	return nil
}

// readAbbadingo reads the format of the competition.
func readAbbadingo(text string, names []string) (*Set, error) {
	s := &Set{Reading: Reading{Symbols: "numbers"}}
	var all word.Word // the words, one behind the other
	var ends []int
	line, promised, symbols := 0, -1, 0
	for row := range strings.Lines(text) {
		line++
		fields := strings.Fields(row)
		switch {
		case len(fields) == 0:
			continue
		case promised < 0:
			var err error
			if promised, symbols, err = readHeader(fields, line); err != nil {
				return nil, err
			}
			continue
		}
		l, err := readAbbadingoLabel(fields, line)
		if err != nil {
			return nil, err
		}
		if len(fields)-2 > MaxLength {
			return nil, tooLong(line)
		}
		for _, field := range fields[2:] {
			x, err := strconv.Atoi(field)
			if err != nil || x < 0 || x >= symbols {
				return nil, errorAt(line, "the symbol %.20q is not a number from 0 to %d, as the first line promises", field, symbols-1)
			}
			all = append(all, word.Symbol(x))
		}
		ends = append(ends, len(all))
		s.Labels, s.Lines = append(s.Labels, l), append(s.Lines, line)
	}
	if promised < 0 {
		return nil, errorAt(1, "the first line, with the numbers of words and symbols, is missing")
	}
	if promised != len(ends) {
		return nil, errorAt(line, "the number of words is %d, and the first line says %d", len(ends), promised)
	}
	begin := 0
	for _, end := range ends {
		s.Words = append(s.Words, all[begin:end:end])
		begin = end
	}
	var err error
	s.Alphabet, err = numbered(symbols, names)
	return s, err
}

func readHeader(fields []string, line int) (words, symbols int, err error) {
	if len(fields) != 2 {
		return 0, 0, errorAt(line, "the first line has the number of words and the number of symbols, not %d fields", len(fields))
	}
	words, errWords := strconv.Atoi(fields[0])
	symbols, errSymbols := strconv.Atoi(fields[1])
	if errWords != nil || errSymbols != nil || words < 0 || symbols < 0 || symbols > word.MaxSymbols {
		return 0, 0, errorAt(line, "%.20s words and %.20s symbols: two numbers are needed, the second up to %d",
			fields[0], fields[1], word.MaxSymbols)
	}
	return words, symbols, nil
}

// readAbbadingoLabel reads the label and checks the length.
func readAbbadingoLabel(fields []string, line int) (Label, error) {
	if len(fields) < 2 {
		return 0, errorAt(line, "a line has a label, a length and the symbols")
	}
	if n, err := strconv.Atoi(fields[1]); err != nil || n != len(fields)-2 {
		return 0, errorAt(line, "the length is given as %.20s, but there are %d symbols", fields[1], len(fields)-2)
	}
	switch fields[0] {
	case "1":
		return Accept, nil
	case "0":
		return Reject, nil
	case "-1":
		return Unknown, nil
	}
	return 0, errorAt(line, "the label %.20q is none of 1, 0 and, for unknown, -1", fields[0])
}

// numbered returns an alphabet of n symbols, called by the names or, without any,
// by their numbers.
func numbered(n int, names []string) (*word.Alphabet, error) {
	if len(names) > 0 && len(names) < n {
		return nil, errorAt(1, "%d symbols, but there are names for %d only", n, len(names))
	}
	if len(names) == 0 {
		for i := range n {
			names = append(names, strconv.Itoa(i))
		}
	}
	return word.NewAlphabet(names...)
}
