package probabilistic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/internal/strictjson"
	"quotient/word"
)

// The format is our own; docs/probabilistic-json.md is its description.
const (
	formatName    = "quotient-probabilistic"
	formatVersion = 1
)

// Limits on what readers accept: the size of a file, in bytes, and of the table that it
// describes, states times symbols. A file of a few bytes can name many states and symbols,
// and the table has room for all.
const (
	MaxSize  = 64 << 20
	MaxTable = 1 << 22
)

type document struct {
	Format      string           `json:"format"`
	Version     int              `json:"version"`
	Alphabet    []string         `json:"alphabet"`
	States      []jsonState      `json:"states"`
	Start       *int             `json:"start"` // null: there are no words
	Transitions []jsonTransition `json:"transitions"`
}

type jsonState struct {
	ID  int     `json:"id"`
	End float64 `json:"end"`
}

type jsonTransition struct {
	From        int     `json:"from"`
	On          string  `json:"on"`
	To          int     `json:"to"`
	Probability float64 `json:"probability"`
}

// MarshalJSON implements [json.Marshaler], for a field of a larger document.
func (a *Automaton) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, a)
	return b.Bytes(), err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (a *Automaton) UnmarshalJSON(data []byte) error {
	b, _, err := decode(data)
	if err == nil {
		*a = *b
	}
	return err
}

// Write writes an automaton as JSON, a line for each state and for each transition whose
// probability is not zero, and every number as short as it can be and still be read back
// the same.
func Write(w io.Writer, a *Automaton) error {
	if err := a.Check(); err != nil {
		return fmt.Errorf("a probabilistic automaton cannot be written: %w", err)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"format\": %q,\n  \"version\": %d,\n  \"alphabet\": [", formatName, formatVersion)
	for i, name := range a.Alphabet.Names() {
		fmt.Fprintf(b, "%s%s", [...]string{"", ", "}[min(i, 1)], codec.QuoteJSON(name))
	}
	b.WriteString("],\n  \"states\": [")
	for q := 1; q <= a.Len(); q++ {
		fmt.Fprintf(b, "%s\n    {\"id\":%d,\"end\":%s}", comma(q-1), q, number(a.End[q]))
	}
	start := "null"
	if a.Start != automaton.Dead {
		start = fmt.Sprint(a.Start)
	}
	fmt.Fprintf(b, "%s,\n  \"start\": %s,\n  \"transitions\": [", closing(a.Len()), start)
	written := 0
	a.each(func(q automaton.State, s word.Symbol, to automaton.State, p float64) {
		fmt.Fprintf(b, "%s\n    {\"from\":%d,\"on\":%s,\"to\":%d,\"probability\":%s}",
			comma(written), q, codec.QuoteJSON(a.Alphabet.Name(s)), to, number(p))
		written++
	})
	fmt.Fprintf(b, "%s\n}\n", closing(written))
	return b.Flush()
}

// each visits all transitions whose probability is not zero.
func (a *Automaton) each(visit func(q automaton.State, s word.Symbol, to automaton.State, p float64)) {
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if row[s] > 0 {
				visit(q, word.Symbol(s), to, row[s])
			}
		}
	}
}

func comma(i int) string {
	if i > 0 {
		return ","
	}
	return ""
}

// closing ends a list of n lines.
func closing(n int) string {
	if n == 0 {
		return "]"
	}
	return "\n  ]"
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func decode(data []byte) (*Automaton, string, error) {
	var doc document
	if err := strictjson.Decode(data, &doc); err != nil {
		return nil, "", err
	}
	if doc.Format != formatName || doc.Version != formatVersion {
		return nil, "", fmt.Errorf("the format is %.40q, version %d, and not %q, version %d", doc.Format, doc.Version, formatName, formatVersion)
	}
	return doc.automaton()
}

func (d *document) automaton() (*Automaton, string, error) {
	if d.Alphabet == nil {
		return nil, "", errors.New("field \"alphabet\" is missing")
	}
	b, err := newBuilder(d.Alphabet)
	if err != nil {
		return nil, "", err
	}
	for _, s := range d.States {
		if _, twice := b.number[strconv.Itoa(s.ID)]; twice {
			return nil, "", fmt.Errorf("two states have the id %d", s.ID)
		}
		b.ends[b.state(strconv.Itoa(s.ID))] = s.End
	}
	known := func(id int) (automaton.State, error) {
		q, ok := b.number[strconv.Itoa(id)]
		if !ok {
			return 0, fmt.Errorf("no state has the id %d", id)
		}
		return q, nil
	}
	if d.Start != nil {
		if b.start, err = known(*d.Start); err != nil {
			return nil, "", fmt.Errorf("in field \"start\": %w", err)
		}
	}
	for i, t := range d.Transitions {
		from, err := known(t.From)
		if err != nil {
			return nil, "", fmt.Errorf("in field \"transitions\", entry %d: %w", i+1, err)
		}
		to, err := known(t.To)
		if err == nil {
			err = b.add(from, t.On, to, t.Probability)
		}
		if err != nil {
			return nil, "", fmt.Errorf("in field \"transitions\", entry %d: %w", i+1, err)
		}
	}
	return b.finish()
}
