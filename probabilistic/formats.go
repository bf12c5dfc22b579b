package probabilistic

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// A Format is one way to write probabilistic automata.
type Format struct {
	Name       string
	Extensions []string // with the dot; none if the format is only asked for by name
	Doc        string   // what it is and what it keeps, in one line

	write func(w io.Writer, a *Automaton) error
	read  func(data []byte) (*Automaton, string, error) // nil: write-only
}

// Formats returns all formats, the canonical one first.
func Formats() []Format {
	return []Format{
		{"json", []string{".json"}, "docs/probabilistic-json.md; keeps everything", Write, decode},
		{"dot", []string{".dot", ".gv"}, "Graphviz DOT, probabilities as labels and as widths; keeps everything", writeDOT, readDOT},
		{"att", []string{".att"}, "AT&T text as used by OpenFst, negative logarithms as weights; keeps states and the symbols that occur", writeATT, readATT},
		{"aalpy", nil, "DOT as AALpy reads and writes a Markov chain ('mc'); keeps the probabilities of words", writeAALpy, readAALpy},
		{"aalpy-smm", nil, "the same for a stochastic Mealy machine of one input ('smm'), which has the same states", writeAALpySMM, readAALpy},
	}
}

// FormatOf returns the format of a name or, if that is empty, of a path's extension.
func FormatOf(name, path string) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	var known []string
	for _, f := range Formats() {
		if f.Name == name || name == "" && slices.Contains(f.Extensions, ext) {
			return f, nil
		}
		known = append(known, f.Name)
	}
	what := fmt.Sprintf("%q", name)
	if name == "" {
		what = fmt.Sprintf("the extension %q", ext)
	}
	return Format{}, fmt.Errorf("no format of probabilistic automata has %s; there are %s", what, strings.Join(known, ", "))
}

// Write writes an automaton.
func (f Format) Write(w io.Writer, a *Automaton) error { return f.write(w, a) }

// Read reads an automaton. It also returns a note for people if the probabilities had to
// be scaled to sum to one. The name of the file is only used in errors.
func (f Format) Read(r io.Reader, file string) (a *Automaton, note string, err error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		err = fmt.Errorf("the file is larger than the %d bytes allowed", MaxSize)
	}
	if err == nil {
		a, note, err = f.read(bytes.TrimPrefix(data, []byte("\uFEFF")))
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	return a, note, nil
}

// Read reads an automaton in JSON, as [Format.Read] does.
func Read(r io.Reader, file string) (*Automaton, string, error) { return Formats()[0].Read(r, file) }

// Recognize reports whether a file looks like a probabilistic automaton of ours, in JSON or
// in DOT, given its beginning.
func Recognize(data []byte) bool {
	return bytes.Contains(data, []byte(`"`+formatName+`"`)) || bytes.HasPrefix(data, []byte(dotHeader))
}
