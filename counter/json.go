package counter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"quotient/automaton"
	"quotient/internal/strictjson"
	"quotient/word"
)

// The format is our own; docs/counter-json.md is its description.
const (
	formatName    = "quotient-counter"
	formatVersion = 1
)

// Limits on what [Read] accepts: the size of a file, in bytes, and of the table that
// it describes, in moves. A file of a few bytes can name many states and symbols, and
// the table has room for all.
const (
	MaxSize  = 16 << 20
	MaxTable = 1 << 20
)

type document struct {
	Format   string      `json:"format"`
	Version  int         `json:"version"`
	Alphabet []string    `json:"alphabet"`
	States   []jsonState `json:"states"`
	Start    *int        `json:"start"` // null: nothing is accepted
	Moves    []jsonMove  `json:"moves"`
}

type jsonState struct {
	ID     int    `json:"id"`
	Accept []Test `json:"accept"` // the tests with which it accepts
}

type jsonMove struct {
	From int    `json:"from"`
	On   string `json:"on"`
	If   *Test  `json:"if,omitempty"` // nothing: whatever the counter is
	To   int    `json:"to"`
	Add  int    `json:"add"`
}

var testNames = [...]string{"zero", "nonzero"}

// MarshalText implements [encoding.TextMarshaler].
func (t Test) MarshalText() ([]byte, error) { return []byte(testNames[t]), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Test) UnmarshalText(text []byte) error {
	for i, name := range testNames {
		if string(text) == name {
			*t = Test(i)
			return nil
		}
	}
	return fmt.Errorf("a counter is zero or nonzero, not %q", text)
}

// MarshalJSON implements [json.Marshaler], for a field of a larger document.
func (a *Automaton) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, a)
	return b.Bytes(), err
}

// Write writes an automaton as JSON, a line for each state and move. Moves that are
// the same for either test are written once, and those to Dead not at all.
func Write(w io.Writer, a *Automaton) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"format\": %q,\n  \"version\": %d,\n  \"alphabet\": [", formatName, formatVersion)
	for i, name := range a.Alphabet.Names() {
		fmt.Fprintf(b, "%s%s", [...]string{"", ", "}[min(i, 1)], line(name))
	}
	b.WriteString("],\n  \"states\": [")
	for q := 1; q <= a.Len(); q++ {
		s := jsonState{ID: q, Accept: []Test{}}
		for _, t := range Tests {
			if a.Accept[q][t] {
				s.Accept = append(s.Accept, t)
			}
		}
		fmt.Fprintf(b, "%s\n    %s", [...]string{"", ","}[min(q-1, 1)], line(s))
	}
	b.WriteString(end(a.Len()))
	start := "null"
	if a.Start != automaton.Dead {
		start = fmt.Sprint(a.Start)
	}
	fmt.Fprintf(b, ",\n  \"start\": %s,\n  \"moves\": [", start)
	moves := a.moves()
	for i, m := range moves {
		fmt.Fprintf(b, "%s\n    %s", [...]string{"", ","}[min(i, 1)], line(m))
	}
	b.WriteString(end(len(moves)) + "\n}\n")
	return b.Flush()
}

// end closes a list of n lines.
func end(n int) string {
	if n == 0 {
		return "]"
	}
	return "\n  ]"
}

// line returns a value as JSON on one line, < and > as they are.
func line(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("counter: " + err.Error()) // strings and numbers in memory cannot fail
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// moves lists the moves that do not lead to Dead.
func (a *Automaton) moves() []jsonMove {
	var list []jsonMove
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		for s := range a.Alphabet.Len() {
			zero, other := a.Move(q, word.Symbol(s), Zero), a.Move(q, word.Symbol(s), Nonzero)
			for _, t := range Tests {
				m := a.Move(q, word.Symbol(s), t)
				if m.To == automaton.Dead || t == Nonzero && zero == other {
					continue
				}
				j := jsonMove{From: int(q), On: a.Alphabet.Name(word.Symbol(s)), To: int(m.To), Add: m.Add}
				if zero != other {
					j.If = &t
				}
				list = append(list, j)
			}
		}
	}
	return list
}

// Read reads an automaton. The name of the file is only used in errors.
func Read(r io.Reader, file string) (*Automaton, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		err = fmt.Errorf("the file is larger than the %d bytes allowed", MaxSize)
	}
	var a *Automaton
	if err == nil {
		a, err = decode(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return a, nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (a *Automaton) UnmarshalJSON(data []byte) error {
	b, err := decode(data)
	if err == nil {
		*a = *b
	}
	return err
}

func decode(data []byte) (*Automaton, error) {
	var doc document
	if err := strictjson.Decode(data, &doc); err != nil {
		return nil, err
	}
	if doc.Format != formatName || doc.Version != formatVersion {
		return nil, fmt.Errorf("the format is %q, version %d, and not %q, version %d", doc.Format, doc.Version, formatName, formatVersion)
	}
	return doc.automaton()
}

func (d *document) automaton() (*Automaton, error) {
	alphabet, err := word.NewAlphabet(d.Alphabet...)
	if err != nil {
		return nil, err
	}
	if (len(d.States)+1)*2*max(1, alphabet.Len()) > MaxTable {
		return nil, &automaton.LimitError{Op: "reading a counter automaton", What: "moves", Limit: MaxTable}
	}
	a := New(alphabet, len(d.States))
	number := map[int]automaton.State{}
	for i, s := range d.States {
		if _, twice := number[s.ID]; twice {
			return nil, fmt.Errorf("two states have the id %d", s.ID)
		}
		number[s.ID] = automaton.State(i + 1)
		for _, t := range s.Accept {
			a.Accept[i+1][t] = true
		}
	}
	if a.Start = automaton.Dead; d.Start != nil {
		if a.Start = number[*d.Start]; a.Start == automaton.Dead {
			return nil, fmt.Errorf("no state has the id %d of the start", *d.Start)
		}
	}
	set := make([]bool, len(a.Table))
	for i, m := range d.Moves {
		if err := a.add(m, number, set); err != nil {
			return nil, fmt.Errorf("in field \"moves\", entry %d: %w", i+1, err)
		}
	}
	return a, nil
}

func (a *Automaton) add(m jsonMove, number map[int]automaton.State, set []bool) error {
	from, to := number[m.From], number[m.To]
	s, ok := a.Alphabet.Symbol(m.On)
	switch {
	case from == automaton.Dead:
		return fmt.Errorf("no state has the id %d", m.From)
	case to == automaton.Dead:
		return fmt.Errorf("no state has the id %d", m.To)
	case !ok:
		return fmt.Errorf("symbol %q is not in the declared alphabet", m.On)
	case m.Add < -MaxAdd || m.Add > MaxAdd:
		return fmt.Errorf("it adds %d, and %d to %d are possible", m.Add, -MaxAdd, MaxAdd)
	}
	for _, t := range Tests {
		if m.If != nil && *m.If != t {
			continue
		}
		i := a.index(from, s, t)
		if set[i] {
			return fmt.Errorf("another move leads from %d on %q if the counter is %s", m.From, m.On, testNames[t])
		}
		set[i] = true
		a.SetMove(from, s, t, Move{to, m.Add})
	}
	return nil
}
