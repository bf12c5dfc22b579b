package text

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// A Screen is where people read: its lines are broken between words, and what matters most
// has a color, if it can have one. What programs read goes to [Raw].
type Screen struct {
	w     io.Writer
	width int // columns; 0 if lines may be of any length
	color bool
	line  []byte // what was written of a line that has not ended
}

// NewScreen returns a screen for a writer: a terminal's is as wide as it is, unless the
// variable COLUMNS says otherwise, and colored unless NO_COLOR does. Other writers
// take lines as they are, without COLUMNS, and no color.
func NewScreen(w io.Writer) *Screen {
	s := &Screen{w: w}
	width, terminal := columns(w)
	if terminal {
		s.width = max(width, narrowest)
		s.color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		s.width = max(n, narrowest)
	}
	return s
}

const narrowest = 20

// Over makes the screen write to w, which passes on what it gets to where the screen wrote
// before.
func (s *Screen) Over(w io.Writer) { s.w = w }

// SetColor says whether there are colors, whatever is written to.
func (s *Screen) SetColor(on bool) { s.color = on }

// Width returns how many columns a writer has; 0 if it takes any.
func Width(w io.Writer) int {
	if s, ok := w.(*Screen); ok {
		return s.width
	}
	return 0
}

// Raw returns the writer below a screen, for what programs read.
func Raw(w io.Writer) io.Writer {
	if s, ok := w.(*Screen); ok {
		return s.w
	}
	return w
}

// Write takes text as it comes; a line is shown once it has ended.
func (s *Screen) Write(p []byte) (int, error) {
	s.line = append(s.line, p...)
	for {
		end := bytes.IndexByte(s.line, '\n')
		if end < 0 {
			return len(p), nil
		}
		_, err := io.WriteString(s.w, s.fold(string(s.line[:end]))+"\n")
		s.line = s.line[end+1:]
		if err != nil {
			return 0, err
		}
	}
}

// Flush shows the rest of a line that has no end.
func (s *Screen) Flush() error {
	_, err := io.WriteString(s.w, s.fold(string(s.line)))
	s.line = nil
	return err
}

// fold breaks a line where it is too long. What follows is indented like the text after the
// first gap of two spaces, as in lists with a name and what it means, or else a little more than
// the line.
func (s *Screen) fold(line string) string {
	if s.width > 0 && columnsOf(line) > s.width {
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest) + 2
		if name, about, found := strings.Cut(rest, "  "); found {
			if at := columnsOf(line[:len(line)-len(rest)]+name+"  ") + len(about) - len(strings.TrimLeft(about, " ")); at <= s.width/2 {
				indent = at
			}
		}
		line = wrapLine(line, s.width, min(indent, s.width/2))
	}
	return s.label(line)
}

// label colors the word at the beginning of a line that says what kind of remark it is.
func (s *Screen) label(line string) string {
	for label, style := range map[string]string{"warning:": alarm, "note:": alarm, "error:": wrong, "interrupted:": wrong} {
		if rest, found := strings.CutPrefix(strings.TrimLeft(line, " "), label); found && s.color {
			return line[:len(line)-len(label)-len(rest)] + style + label + plain + rest
		}
	}
	return line
}

// Sequences that color a terminal.
const (
	strong = "\x1b[1m"
	right  = "\x1b[1;32m"
	alarm  = "\x1b[33m"
	wrong  = "\x1b[1;31m"
	faint  = "\x1b[2m"
	plain  = "\x1b[0m"
)

// Strong returns text that is to be seen first on w.
func Strong(w io.Writer, text string) string { return styled(w, strong, text) }

// Faint returns text that is to be seen last on w.
func Faint(w io.Writer, text string) string { return styled(w, faint, text) }

// Verdict returns text that says that something is right, or that it is not.
func Verdict(w io.Writer, ok bool, text string) string {
	if ok {
		return styled(w, right, text)
	}
	return styled(w, wrong, text)
}

func styled(w io.Writer, style, text string) string {
	if s, ok := w.(*Screen); ok && s.color {
		return style + text + plain
	}
	return text
}

// columnsOf returns how many columns of a terminal text takes.
func columnsOf(line string) int { return text.StringWidthWithoutEscSequences(line) }

// wrapLine breaks a line between words; gaps within it stay. A word that is longer than a
// line stays whole, so that it can be copied.
func wrapLine(line string, width, indent int) string {
	var b strings.Builder
	column, first := 0, true
	for rest := line; rest != ""; {
		gap := len(rest) - len(strings.TrimLeft(rest, " "))
		end := strings.IndexByte(rest[gap:], ' ')
		if end < 0 {
			end = len(rest) - gap
		}
		word := rest[gap : gap+end]
		n := columnsOf(word)
		if !first && column+gap+n > width {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column, gap = indent, 0
		}
		b.WriteString(strings.Repeat(" ", gap) + word)
		column += gap + n
		first = first && n == 0
		rest = strings.TrimPrefix(rest[len(rest)-len(strings.TrimLeft(rest, " ")):], word)
	}
	return b.String()
}

// Reflow makes paragraphs of text as wide as there is room; indented lines, which are lists
// and examples, stay as they are.
func Reflow(text string, width int) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, Wrap(strings.Join(paragraph, " "), width, 0))
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' {
			end()
			out = append(out, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return strings.Join(out, "\n")
}
