package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

const (
	longestLine = 700 // bytes of a line of a message
	mostLines   = 40
)

// Message returns what an error says, fit to be shown: it may quote files and programs of strangers.
// What is no character to be seen is escaped, so that nothing moves the cursor or colors the screen,
// and long lines lose their middle, for it is the end that says what is wrong.
func Message(err error) string {
	lines := strings.Split(err.Error(), "\n")
	if more := len(lines) - mostLines; more > 0 {
		lines = append(lines[:mostLines:mostLines], fmt.Sprintf("... and %s", Plural(more, "more line", "more lines")))
	}
	for i, line := range lines {
		if len(line) > longestLine {
			line = line[:longestLine/2] + fmt.Sprintf(" ...(%d bytes)... ", len(line)-longestLine) + line[len(line)-longestLine/2:]
		}
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// visible escapes what cannot be seen.
func visible(line string) string {
	var b strings.Builder
	for len(line) > 0 {
		n := 1
		for _, r := range line {
			switch {
			case r == unicode.ReplacementChar && !strings.HasPrefix(line, "\uFFFD"): // a byte that is no character
				fmt.Fprintf(&b, `\x%02x`, line[0])
			case r == '\t' || unicode.IsPrint(r) || unicode.Is(unicode.Zs, r):
				n = len(string(r))
				b.WriteRune(r)
			default:
				n = len(string(r))
				b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
			}
			break
		}
		line = line[n:]
	}
	return b.String()
}
