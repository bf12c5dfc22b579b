package results

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"

	"quotient/automaton/codec"
	"quotient/sweep/plan"
)

// SheetSuffix follows a sweep's name in the name of its sheet.
const SheetSuffix = ".sheet.jsonl"

// A Sheet is the head of a file with the extractions of a sweep and their automata, which the
// page shows without the store: a line for the sheet, then one for each [Entry].
type Sheet struct {
	Name    string        `json:"name"`
	Columns []SheetColumn `json:"columns"`
	Varying []string      `json:"varying"` // the columns that tell the rows apart
}

// A SheetColumn is a [Column] as a page knows it.
type SheetColumn struct {
	Name string `json:"name"`
	Type string `json:"type"` // number, text or bool
	Sets bool   `json:"sets"` // it is a setting, not a result
}

// An Entry is an extraction: its row, and the automaton unless that is large.
type Entry struct {
	Row       json.RawMessage `json:"row"`
	Automaton *codec.JSON     `json:"automaton,omitempty"`
}

// WriteSheet writes the extractions among results.
func WriteSheet(w io.Writer, f *plan.File, found iter.Seq2[*plan.Result, error]) error {
	table := Extractions(f, found)
	head := Sheet{Name: f.Name, Varying: table.Varying}
	for _, c := range table.Columns {
		kind := map[reflect.Kind]string{reflect.String: "text", reflect.Bool: "bool"}[c.Type]
		if kind == "" {
			kind = "number"
		}
		head.Columns = append(head.Columns, SheetColumn{c.Name, kind, c.Sets})
	}
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	if err := e.Encode(head); err != nil {
		return err
	}
	for r, err := range found {
		if err != nil {
			return err
		}
		if r.Outcome == nil {
			continue
		}
		row, err := json.Marshal(extractionRow(r))
		if err != nil {
			return err
		}
		if err := e.Encode(Entry{row, r.Outcome.Automaton}); err != nil {
			return err
		}
	}
	return b.Flush()
}

// maxLine bounds a line of a sheet.
const maxLine = 8 << 20

// ReadSheet returns the head of a sheet and its entries, which are read as they are asked for.
func ReadSheet(r io.Reader) (head Sheet, entries iter.Seq2[Entry, error], err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	if !lines.Scan() {
		return head, nil, fmt.Errorf("the sheet has no first line: %w", lines.Err())
	}
	if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
		return head, nil, fmt.Errorf("the sheet's first line: %w", err)
	}
	return head, func(yield func(Entry, error) bool) {
		for lines.Scan() {
			var e Entry
			err := json.Unmarshal(lines.Bytes(), &e)
			if !yield(e, err) || err != nil {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Entry{}, err)
		}
	}, nil
}
