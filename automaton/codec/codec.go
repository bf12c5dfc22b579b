// Package codec reads and writes automata in the formats of other programs:
// JSON, Graphviz DOT (our own and AALpy's), AT&T text as OpenFst uses it, Mata
// and JFLAP, and writes Mermaid, TikZ, Go and Python.
//
// Readers give an [automaton.NFA], whatever the file says about determinism, and
// spend memory in proportion to the size of the file, never to a number that
// stands in it. What they cannot read is a [*SyntaxError] with file, line and
// reason, or a [*SizeError]; no input makes them panic.
//
// Writers keep nondeterminism and the numbers of the states where the format
// can hold them, and every symbol name, however odd; the documentation of each
// format says what it keeps. One automaton is always written as the same bytes.
package codec

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"quotient/automaton"
)

// A Format is one way to write automata.
type Format struct {
	Name       string
	Extensions []string // with the dot; none if the format is only asked for by name
	Doc        string   // what it is and what it keeps, in one line

	// Deterministic says that only deterministic automata can be written. Others
	// are determinized, within automaton.DefaultLimit states.
	Deterministic bool

	read  func(text string) (*automaton.NFA, error) // nil: write-only
	write func(w *bufio.Writer, n *automaton.NFA) error

	// writeAt writes the automaton with places as well; nil if the format has none.
	writeAt func(w *bufio.Writer, n *automaton.NFA, l *Layout) error
}

// CanRead reports whether automata can be read in this format, not only written.
func (f Format) CanRead() bool { return f.read != nil }

// Formats returns all formats, the canonical one first.
func Formats() []Format {
	return []Format{
		jsonFormat, dotFormat, aalpyFormat, attFormat, mataFormat, jffFormat,
		mermaidFormat, tikzFormat, goFormat, pythonFormat,
	}
}

// ByName returns the format with the given name.
func ByName(name string) (Format, error) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("no format is called %q; there are %s", name, known())
}

// ByExtension returns the format that the extension of a path stands for.
func ByExtension(path string) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range Formats() {
		if slices.Contains(f.Extensions, ext) {
			return f, nil
		}
	}
	if ext == "" {
		return Format{}, fmt.Errorf("%s: no extension to tell the format by; there are %s", path, known())
	}
	return Format{}, fmt.Errorf("%s: no format has the extension %s; there are %s", path, ext, known())
}

// known lists the formats with their extensions.
func known() string {
	var list []string
	for _, f := range Formats() {
		item := f.Name
		if len(f.Extensions) > 0 {
			item += " (" + strings.Join(f.Extensions, ", ") + ")"
		}
		list = append(list, item)
	}
	return strings.Join(list, ", ")
}

// MaxSize is the size of the largest input that Read accepts, in bytes.
const MaxSize = 256 << 20

// A SizeError says that an input was not read because it is too long.
type SizeError struct {
	File  string
	Limit int // in bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s: longer than %d bytes, the most that is read", e.File, e.Limit)
}

// A SyntaxError says what is wrong with a file, and where.
type SyntaxError struct {
	File   string
	Line   int // from 1
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// errorAt returns a SyntaxError; Read adds the name of the file.
func errorAt(line int, format string, args ...any) error {
	return &SyntaxError{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// Read reads an automaton. The name of the file is only used in errors.
func Read(r io.Reader, file string, f Format) (*automaton.NFA, error) {
	return readUpTo(MaxSize, r, file, f)
}

func readUpTo(limit int, r io.Reader, file string, f Format) (*automaton.NFA, error) {
	if f.read == nil {
		return nil, fmt.Errorf("%s: %s can only be written, not read", file, f.Name)
	}
	// The text is kept as a string so that names are parts of it, not copies.
	var text strings.Builder
	n, err := io.Copy(&text, io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if n > int64(limit) {
		return nil, &SizeError{File: file, Limit: limit}
	}
	nfa, err := f.read(strings.TrimPrefix(text.String(), "\uFEFF"))
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		syntax.File = file
		return nil, syntax
	}
	return nfa, err
}

// Write writes an automaton. Besides those of w, there are errors where the
// format cannot hold a symbol name, and an [*automaton.LimitError] where the
// format needs a deterministic automaton that would be too large.
func Write(w io.Writer, n *automaton.NFA, f Format) error {
	b := bufio.NewWriter(w)
	if err := f.write(b, n); err != nil {
		return err
	}
	return b.Flush()
}
