package weighted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"quotient/automaton/codec"
	"quotient/word"
)

// The format is our own; docs/weights-json.md is its description.
const (
	formatName    = "quotient-weights"
	formatVersion = 1
)

// MaxSize is the size of the largest file that Read accepts, in bytes.
const MaxSize = 64 << 20

// MarshalJSON implements [json.Marshaler], for a field of a larger document.
func (a *Automaton) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, a)
	return b.Bytes(), err
}

// Write writes an automaton as JSON, every number as short as it can be and still be
// read back the same. It is an error if a number is not finite.
func Write(w io.Writer, a *Automaton) error {
	for _, list := range [][]float64{a.Initial, a.Final, a.Weights, {a.Threshold}} {
		for _, x := range list {
			if !finite(x) {
				return fmt.Errorf("a weighted automaton with the weight %g cannot be written", x)
			}
		}
	}
	names := make([]string, a.Alphabet.Len())
	for i, name := range a.Alphabet.Names() {
		names[i] = codec.QuoteJSON(name)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"format\": %q,\n  \"version\": %d,\n", formatName, formatVersion)
	fmt.Fprintf(b, "  \"alphabet\": [%s],\n", strings.Join(names, ", "))
	fmt.Fprintf(b, "  \"threshold\": %s,\n", number(a.Threshold))
	fmt.Fprintf(b, "  \"initial\": %s,\n  \"final\": %s,\n  \"matrices\": [", numbers(a.Initial), numbers(a.Final))
	for s := range names {
		fmt.Fprintf(b, "%s\n    [", comma(s))
		for i := range a.Len() {
			fmt.Fprintf(b, "%s\n      %s", comma(i), numbers(a.Row(word.Symbol(s), i)))
		}
		b.WriteString("\n    ]")
	}
	b.WriteString("\n  ]\n}\n")
	return b.Flush()
}

func comma(i int) string {
	if i > 0 {
		return ","
	}
	return ""
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func numbers(list []float64) string {
	text := make([]string, len(list))
	for i, x := range list {
		text[i] = number(x)
	}
	return "[" + strings.Join(text, ", ") + "]"
}

// Read reads an automaton. The name of the file is only used in errors, which are a
// [*codec.SyntaxError] or a [*codec.SizeError] unless r itself fails.
func Read(r io.Reader, file string) (*Automaton, error) {
	var text strings.Builder
	n, err := io.Copy(&text, io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if n > MaxSize {
		return nil, &codec.SizeError{File: file, Limit: MaxSize}
	}
	d := &reader{text: text.String(), file: file, lines: map[string]int{}}
	if !utf8.ValidString(d.text) {
		return nil, d.errorf("this is not UTF-8")
	}
	d.dec = json.NewDecoder(strings.NewReader(d.text))
	if err := d.document(); err != nil {
		return nil, d.placed(err)
	}
	return d.automaton()
}

// A reader takes a document apart token by token, so that every error has its line.
type reader struct {
	text, file string
	dec        *json.Decoder
	lines      map[string]int // at which each field ends

	names           []string
	threshold       float64
	initial, final  []float64
	weights         []float64
	matrices, width int // how many matrices there are; numbers in a row of them
}

// line returns the line that is being read.
func (d *reader) line() int {
	if d.dec == nil {
		return 1
	}
	return 1 + strings.Count(d.text[:min(int(d.dec.InputOffset()), len(d.text))], "\n")
}

func (d *reader) errorf(format string, args ...any) error {
	return &codec.SyntaxError{File: d.file, Line: d.line(), Reason: fmt.Sprintf(format, args...)}
}

// placed gives an error of the decoder a place.
func (d *reader) placed(err error) error {
	var syntax *codec.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return err
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return d.errorf("the document ends too early")
	}
	return d.errorf("invalid JSON: %v", err)
}

// fields are all that a document has; each is required.
var fields = []string{"format", "version", "alphabet", "threshold", "initial", "final", "matrices"}

func (d *reader) document() error {
	if err := d.expect('{', "a JSON object"); err != nil {
		return err
	}
	for d.dec.More() {
		name, err := value[string](d, "the name of a field")
		if err != nil {
			return err
		}
		if _, seen := d.lines[name]; seen {
			return d.errorf("field %q is there twice", name)
		}
		if err := d.field(name); err != nil {
			return err
		}
		d.lines[name] = d.line()
	}
	if _, err := d.dec.Token(); err != nil { // the closing brace
		return err
	}
	if _, err := d.dec.Token(); err != io.EOF {
		return d.errorf("something follows the document")
	}
	for _, name := range fields {
		if _, seen := d.lines[name]; !seen {
			return d.errorf("field %q is missing", name)
		}
	}
	return nil
}

// field reads the value of a field.
func (d *reader) field(name string) (err error) {
	switch name {
	case "format":
		format, err := value[string](d, "a string")
		if err == nil && format != formatName {
			err = d.errorf("format is %.40q, not %q", format, formatName)
		}
		return err
	case "version":
		version, err := value[float64](d, "a number")
		if err == nil && version != formatVersion {
			err = d.errorf("version is %g; only version %d can be read", version, formatVersion)
		}
		return err
	case "alphabet":
		return d.list(func() error {
			symbol, err := value[string](d, "a string")
			d.names = append(d.names, symbol)
			return err
		})
	case "threshold":
		d.threshold, err = value[float64](d, "a number")
	case "initial":
		d.initial, err = d.numbers(nil)
	case "final":
		d.final, err = d.numbers(nil)
	case "matrices":
		return d.list(d.matrix)
	default:
		return d.errorf("unknown field %.40q", name)
	}
	return err
}

// matrix reads a square matrix, as large as those before it.
func (d *reader) matrix() error {
	d.matrices++
	rows := 0
	err := d.list(func() (err error) {
		before := len(d.weights)
		if d.weights, err = d.numbers(d.weights); err != nil {
			return err
		}
		if before == 0 && d.matrices == 1 {
			d.width = len(d.weights)
		}
		if got := len(d.weights) - before; got != d.width || got == 0 {
			return d.errorf("a row of %d numbers; the first has %d", got, d.width)
		}
		rows++
		return nil
	})
	if err == nil && rows != d.width {
		err = d.errorf("matrix %d has %d rows of %d numbers; it must be square, and as large as the others", d.matrices, rows, d.width)
	}
	return err
}

// automaton puts together what was read.
func (d *reader) automaton() (*Automaton, error) {
	at := func(field, format string, args ...any) error {
		return &codec.SyntaxError{File: d.file, Line: d.lines[field], Reason: fmt.Sprintf(format, args...)}
	}
	alphabet, err := word.NewAlphabet(d.names...)
	n := len(d.initial)
	switch {
	case err != nil:
		return nil, at("alphabet", "%v", err)
	case len(d.final) != n:
		return nil, at("final", "%d initial weights, but %d final ones", n, len(d.final))
	case d.matrices != len(d.names):
		return nil, at("matrices", "%d matrices for %d symbols", d.matrices, len(d.names))
	case d.matrices > 0 && d.width != n:
		return nil, at("matrices", "%d initial weights, but matrices of %d × %d", n, d.width, d.width)
	}
	return &Automaton{Alphabet: alphabet, Initial: d.initial, Weights: d.weights, Final: d.final, Threshold: d.threshold}, nil
}

// expect reads one delimiter.
func (d *reader) expect(delimiter json.Delim, what string) error {
	t, err := d.dec.Token()
	if err == nil && t != delimiter {
		err = d.errorf("expected %s", what)
	}
	return err
}

// list calls element before each element of a list.
func (d *reader) list(element func() error) error {
	if err := d.expect('[', "a list"); err != nil {
		return err
	}
	for d.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := d.dec.Token()
	return err
}

// numbers appends a list of numbers to dst.
func (d *reader) numbers(dst []float64) ([]float64, error) {
	err := d.list(func() error {
		x, err := value[float64](d, "a number")
		dst = append(dst, x)
		return err
	})
	return dst, err
}

// value reads a string or a number.
func value[T string | float64](d *reader, what string) (T, error) {
	t, err := d.dec.Token()
	x, ok := t.(T)
	if err == nil && !ok {
		err = d.errorf("expected %s", what)
	}
	return x, err
}
