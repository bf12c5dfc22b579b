package labeled

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"quotient/word"
)

// Write writes labeled words so that [Read] returns the same. The Abbadingo format
// has numbers in place of the symbols' names.
func Write(w io.Writer, s *Set, f Format) error {
	b := bufio.NewWriter(w)
	var err error
	switch f {
	case Abbadingo:
		s.writeAbbadingo(b)
	case CSV:
		err = s.writeCSV(b)
	case JSONL:
		err = s.writeJSONL(b, "")
	case JSON:
		b.WriteString("[\n")
		err = s.writeJSONL(b, ",")
		b.WriteString("]\n")
	case Plain:
		for i, w := range s.Words {
			fmt.Fprintf(b, "%c %s\n", "?-+"[s.Labels[i]], s.format(w))
		}
	default:
		err = fmt.Errorf("no format of words is called %q; there are csv, abbadingo, jsonl, json and plain", f)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// format writes a word. A long name that stands alone is quoted, since without
// spaces around it, it would be read as several symbols.
func (s *Set) format(w word.Word) string {
	if len(w) == 1 && utf8.RuneCountInString(s.Alphabet.Name(w[0])) > 1 {
		return strconv.Quote(s.Alphabet.Name(w[0]))
	}
	return s.Alphabet.Format(w)
}

func (s *Set) writeAbbadingo(b *bufio.Writer) {
	fmt.Fprintln(b, len(s.Words), s.Alphabet.Len())
	for i, w := range s.Words {
		fmt.Fprintf(b, "%s %d", [...]string{"-1", "0", "1"}[s.Labels[i]], len(w))
		for _, x := range w {
			b.WriteByte(' ')
			b.WriteString(strconv.Itoa(int(x)))
		}
		b.WriteByte('\n')
	}
}

func (s *Set) writeCSV(b *bufio.Writer) error {
	c := csv.NewWriter(b)
	c.Write([]string{"word", "label"})
	for i, w := range s.Words {
		c.Write([]string{s.format(w), [...]string{"?", "0", "1"}[s.Labels[i]]})
	}
	c.Flush()
	return c.Error()
}

// writeJSONL writes an object a line, with something between them.
func (s *Set) writeJSONL(b *bufio.Writer, between string) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for i, w := range s.Words {
		record := struct {
			Symbols []string `json:"symbols"`
			Accept  *bool    `json:"accept,omitempty"`
		}{Symbols: make([]string, len(w))}
		for j, x := range w {
			record.Symbols[j] = s.Alphabet.Name(x)
		}
		if l := s.Labels[i]; l != Unknown {
			accept := l == Accept
			record.Accept = &accept
		}
		if i > 0 {
			b.WriteString(between)
		}
		if err := enc.Encode(record); err != nil {
			return err
		}
	}
	return nil
}
