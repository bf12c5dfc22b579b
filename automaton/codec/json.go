package codec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"quotient/automaton"
	"quotient/word"
)

// The JSON format is our own; docs/automaton-json.md is its description. It
// keeps everything: the alphabet in its order, states, start states and edges.
// Fields that it does not know are errors, so that a misspelled "accpet" does
// not go unnoticed; what a later version adds will come with its number.
var jsonFormat = Format{
	Name:       "json",
	Extensions: []string{".json"},
	Doc:        "our own JSON, see docs/automaton-json.md; keeps everything",
	read:       readJSON,
	write:      writeJSON,
}

const (
	jsonName    = "quotient-automaton"
	jsonVersion = 1
)

// JSON is an automaton that encoding/json writes and reads in this format, for
// a field of a larger document:
//
//	Automaton codec.JSON `json:"automaton"` // codec.JSON{NFA: d.NFA()}
//
// Without an automaton it is null.
type JSON struct{ *automaton.NFA }

// MarshalJSON implements [json.Marshaler].
func (j JSON) MarshalJSON() ([]byte, error) {
	if j.NFA == nil {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	err := Write(&b, j.NFA, jsonFormat)
	return b.Bytes(), err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (j *JSON) UnmarshalJSON(data []byte) (err error) {
	if string(data) == "null" {
		return nil
	}
	j.NFA, err = Read(bytes.NewReader(data), "automaton", jsonFormat)
	return err
}

type jsonState struct {
	ID     *int64 `json:"id"`
	Accept bool   `json:"accept"`
}

type jsonTransition struct {
	From *int64  `json:"from"`
	On   *string `json:"on"` // null: reads nothing
	To   *int64  `json:"to"`
}

// A jsonReader takes a document apart in two steps: first its fields, which may
// come in any order, then what stands in them, element by element.
type jsonReader struct {
	*builder
	text   string
	fields map[string]jsonField
	ids    map[int64]automaton.State
}

type jsonField struct {
	value  json.RawMessage
	offset int // of value in the text
}

func readJSON(text string) (*automaton.NFA, error) {
	if n, ok := readJSONQuickly(text); ok {
		return n, nil
	}
	return readJSONPlainly(text)
}

// readJSONPlainly reads any document, or says what is wrong with it.
func readJSONPlainly(text string) (*automaton.NFA, error) {
	r := &jsonReader{
		builder: newBuilder(len(text)),
		text:    text,
		fields:  make(map[string]jsonField),
		ids:     make(map[int64]automaton.State),
	}
	if bad := strings.IndexFunc(text, func(c rune) bool { return c == utf8.RuneError }); bad >= 0 && !utf8.ValidString(text) {
		// encoding/json would make one symbol of all names that are not UTF-8.
		return nil, r.errorAt(bad, "this is not UTF-8")
	}
	if err := r.split(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{r.version, r.alphabet, r.stateList, r.start, r.transitions} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// errorAt returns an error at a place in the text.
func (r *jsonReader) errorAt(offset int, format string, args ...any) error {
	return errorAt(1+strings.Count(r.text[:min(offset, len(r.text))], "\n"), format, args...)
}

// invalid returns what is wrong with a text that is not JSON.
func (r *jsonReader) invalid(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		return r.errorAt(int(syntax.Offset)-1, "invalid JSON: %v", err)
	}
	return r.errorAt(len(r.text), "the document ends too early")
}

// jsonReason says in terms of JSON what did not fit an element of a list.
func jsonReason(err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return err
	}
	expected := map[reflect.Kind]string{
		reflect.Int64: "an integer", reflect.String: "a string", reflect.Bool: "true or false", reflect.Struct: "an object",
	}[mismatch.Type.Kind()]
	if mismatch.Field != "" {
		return fmt.Errorf("%q is %s, expected %s", mismatch.Field, mismatch.Value, expected)
	}
	return fmt.Errorf("found %s, expected %s", mismatch.Value, expected)
}

// split finds the fields of the document.
func (r *jsonReader) split() error {
	dec := json.NewDecoder(strings.NewReader(r.text))
	t, err := dec.Token()
	if err != nil {
		return r.invalid(err)
	}
	if t != json.Delim('{') {
		return r.errorAt(0, "expected a JSON object")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return r.invalid(err)
		}
		name := key.(string)
		switch name {
		case "format", "version", "alphabet", "states", "start", "transitions":
		default:
			return r.errorAt(int(dec.InputOffset()), "unknown field %s", shorten(name))
		}
		if _, seen := r.fields[name]; seen {
			return r.errorAt(int(dec.InputOffset()), "field %q is there twice", name)
		}
		var f jsonField
		if err := dec.Decode(&f.value); err != nil {
			return r.invalid(err)
		}
		f.offset = int(dec.InputOffset()) - len(f.value)
		r.fields[name] = f
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		return r.invalid(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return r.errorAt(int(dec.InputOffset()), "something follows the document")
	}
	for _, name := range []string{"format", "version", "alphabet", "states", "start", "transitions"} {
		if _, ok := r.fields[name]; !ok {
			return r.errorAt(len(r.text), "field %q is missing", name)
		}
	}
	return nil
}

func (r *jsonReader) version() error {
	format, version := r.fields["format"], r.fields["version"]
	if string(format.value) != strconv.Quote(jsonName) {
		return r.errorAt(format.offset, "format is %s, expected %q", shorten(string(format.value)), jsonName)
	}
	if string(version.value) != strconv.Itoa(jsonVersion) {
		return r.errorAt(version.offset, "version is %s; only version %d can be read", shorten(string(version.value)), jsonVersion)
	}
	return nil
}

// each calls visit for the elements of a list.
func each[T any](r *jsonReader, field string, visit func(element T) error) error {
	f := r.fields[field]
	dec := json.NewDecoder(bytes.NewReader(f.value))
	dec.DisallowUnknownFields()
	if t, _ := dec.Token(); t != json.Delim('[') {
		return r.errorAt(f.offset, "field %q must be a list", field)
	}
	for dec.More() {
		var element T
		err := dec.Decode(&element)
		if err != nil {
			err = jsonReason(err)
		} else {
			err = visit(element)
		}
		if err != nil {
			return r.errorAt(f.offset+int(dec.InputOffset()), "in field %q: %v", field, err)
		}
	}
	return nil
}

func (r *jsonReader) alphabet() error {
	err := each(r, "alphabet", func(name *string) error {
		if name == nil {
			return errors.New("null is not a symbol")
		}
		return r.declare(*name)
	})
	r.declared = true
	return err
}

func (r *jsonReader) stateList() error {
	return each(r, "states", func(s jsonState) error {
		if s.ID == nil {
			return errors.New("a state has no id")
		}
		if _, seen := r.ids[*s.ID]; seen {
			return fmt.Errorf("state %d is there twice", *s.ID)
		}
		r.ids[*s.ID] = r.nfa.AddState(s.Accept)
		return nil
	})
}

// known returns the state with the given id.
func (r *jsonReader) known(role string, id *int64) (automaton.State, error) {
	if id == nil {
		return 0, fmt.Errorf("no state is given as %q", role)
	}
	q, ok := r.ids[*id]
	if !ok {
		return 0, fmt.Errorf("state %d is not among the states", *id)
	}
	return q, nil
}

func (r *jsonReader) start() error {
	return each(r, "start", func(id *int64) error {
		q, err := r.known("start", id)
		r.nfa.Start = append(r.nfa.Start, q)
		return err
	})
}

func (r *jsonReader) transitions() error {
	return each(r, "transitions", func(t jsonTransition) error {
		from, err := r.known("from", t.From)
		if err != nil {
			return err
		}
		to, err := r.known("to", t.To)
		if err != nil {
			return err
		}
		on := automaton.Epsilon
		if t.On != nil {
			if on, err = r.symbol(*t.On); err != nil {
				return err
			}
		}
		r.nfa.AddEdge(from, on, to)
		return nil
	})
}

// writeJSON writes one state and one transition a line.
func writeJSON(w *bufio.Writer, n *automaton.NFA) error {
	names := make([]string, n.Alphabet.Len())
	for i := range names {
		names[i] = QuoteJSON(n.Alphabet.Name(word.Symbol(i)))
	}
	fmt.Fprintf(w, "{\n  \"format\": %q,\n  \"version\": %d,\n", jsonName, jsonVersion)
	fmt.Fprintf(w, "  \"alphabet\": [%s],\n", strings.Join(names, ", "))

	w.WriteString("  \"states\": [")
	for q := 1; q < len(n.Accept); q++ {
		line := append(w.AvailableBuffer(), comma(q > 1)...)
		line = strconv.AppendInt(append(line, "\n    {\"id\": "...), int64(q), 10)
		line = strconv.AppendBool(append(line, ", \"accept\": "...), n.Accept[q])
		w.Write(append(line, '}'))
	}
	w.WriteString("\n  ],\n  \"start\": [")
	for i, q := range n.Start {
		if i > 0 {
			w.WriteString(", ")
		}
		fmt.Fprintf(w, "%d", q)
	}
	w.WriteString("],\n  \"transitions\": [")
	for i, e := range n.Edges {
		on := "null"
		if e.On != automaton.Epsilon {
			on = names[e.On]
		}
		line := append(w.AvailableBuffer(), comma(i > 0)...)
		line = strconv.AppendInt(append(line, "\n    {\"from\": "...), int64(e.From), 10)
		line = append(append(line, ", \"on\": "...), on...)
		line = strconv.AppendInt(append(line, ", \"to\": "...), int64(e.To), 10)
		w.Write(append(line, '}'))
	}
	_, err := w.WriteString("\n  ]\n}\n")
	return err
}

func comma(needed bool) string {
	if needed {
		return ","
	}
	return ""
}

// QuoteJSON returns a name as a JSON string, < and > as they are.
func QuoteJSON(name string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(name) // a string in memory cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}
