package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quotient/train"
)

// A Column of results has values of one type, or nil.
type Column struct {
	Name string
	Type reflect.Kind // String, Int64, Float64 or Bool
	Sets bool         // it is a setting, not a result
}

// A Row holds string, int64, float64, bool or nil for each column.
type Row []any

// Columns are those of extractions: settings of training and extraction, then what came
// of it. Training's own strings, length and seed have train_ before their names.
var Columns = columns(
	part{train.Settings{}, true, "train_", []string{"strings", "length", "seed"}},
	part{struct {
		Model string `json:"model"`
	}{}, true, "", nil},
	part{Extraction{}, true, "", nil},
	part{Outcome{}, false, "used_", []string{"kappa"}},
	part{struct {
		Seconds float64 `json:"seconds"`
	}{}, false, "", nil},
)

// TrainColumns are those of training: the settings, and the record of an epoch without its
// times, which come last and which no result holds.
var TrainColumns = func() []Column {
	all := columns(part{train.Settings{}, true, "", nil}, part{train.Record{}, false, "", nil})
	return all[:len(all)-len([]string{"seconds", "tokens_per_second"})]
}()

// trainingRow returns the row of an epoch.
func trainingRow(s *train.Settings, r train.Record) Row {
	return appendFields(appendFields(nil, s), &r)[:len(TrainColumns)]
}

// A part is a struct whose fields are columns. Some names have something before them.
type part struct {
	of     any
	sets   bool
	before string
	names  []string
}

func columns(parts ...part) (list []Column) {
	for _, p := range parts {
		t := reflect.TypeOf(p.of)
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if kind, ok := columnType(t.Field(i).Type); ok {
				if slices.Contains(p.names, name) {
					name = p.before + name
				}
				list = append(list, Column{name, kind, p.sets})
			}
		}
	}
	return list
}

// columnType returns how values of a type are shown, and reports whether they are.
func columnType(t reflect.Type) (reflect.Kind, bool) {
	switch t.Kind() {
	case reflect.Pointer:
		return columnType(t.Elem())
	case reflect.Int, reflect.Uint64:
		return reflect.Int64, true
	case reflect.String, reflect.Float64, reflect.Bool:
		return t.Kind(), true
	}
	return 0, false
}

// appendFields appends the fields of a struct, or as many nils if there is none.
func appendFields[T any](row Row, p *T) Row {
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		kind, ok := columnType(t.Field(i).Type)
		if !ok {
			continue
		}
		if p == nil {
			row = append(row, nil)
			continue
		}
		v := reflect.ValueOf(p).Elem().Field(i)
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				row = append(row, nil)
				continue
			}
			v = v.Elem()
		}
		switch kind {
		case reflect.String:
			row = append(row, v.String())
		case reflect.Float64:
			row = append(row, v.Float())
		case reflect.Bool:
			row = append(row, v.Bool())
		case reflect.Int64:
			if v.CanUint() {
				row = append(row, int64(v.Uint()))
			} else {
				row = append(row, v.Int())
			}
		}
	}
	return row
}

// missing are the columns of an outcome that an extraction does not have if there is no
// automaton: a 0 would be taken for a number that was measured.
var missing, _ = Places(Columns, []string{
	"accuracy", "nodes", "tree", "merged", "states", "exact", "used_kappa", "membership", "equivalence", "saturation",
})

// extractionRow returns the row of an extraction. Of a model its language is known.
func extractionRow(r *Result) Row {
	t := r.Task
	row := appendFields(nil, t.Train)
	if t.Model != nil {
		if t.Model.Language != "" {
			row[0] = t.Model.Language
		}
		row = append(row, t.Model.Name)
	} else {
		row = append(row, nil)
	}
	row = appendFields(row, t.Extract)
	row = append(appendFields(row, r.Outcome), r.Cost.Seconds)
	if r.Outcome.Failed != "" {
		for _, i := range missing {
			row[i] = nil
		}
	}
	return row
}

// resultsOf yields the results of a sweep that are there, in the order of the tasks.
func (s *Store) resultsOf(ctx context.Context, f *File) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		p := newPlanner(f)
		var list []Task
		flush := func() bool {
			found := make([]*Result, len(list))
			err := each(ctx, len(list), func(ctx context.Context, i int) (err error) {
				found[i], err = s.Result(ctx, list[i].Key())
				return err
			})
			for i, r := range found {
				if r != nil && err == nil {
					r.Task = list[i] // with the name and the epoch that this sweep has for it
					if !yield(r, nil) {
						return false
					}
				}
			}
			list = list[:0]
			return err == nil || yield(nil, err)
		}
		for t, err := range p.tasks(ctx, s.known(ctx)) {
			if err != nil {
				yield(nil, err)
				return
			}
			if list = append(list, t); len(list) == batch && !flush() {
				return
			}
		}
		flush()
	}
}

// known returns a function that returns the epochs that a training came to have: all
// that it may have, if it is not done.
func (s *Store) known(ctx context.Context) func(Task) ([]int, error) {
	return func(t Task) ([]int, error) {
		r, err := s.Result(ctx, t.Key())
		if r == nil {
			return upTo(t.Train.Epochs), err
		}
		return upTo(len(r.Records)), nil
	}
}

// Rows yields the extractions of a sweep that are done, under [Columns].
func (s *Store) Rows(ctx context.Context, f *File) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for r, err := range s.resultsOf(ctx, f) {
			if err != nil {
				yield(nil, err)
				return
			}
			if r.Outcome != nil && !yield(extractionRow(r), nil) {
				return
			}
		}
	}
}

// TrainRows yields a row for each epoch of the networks that are trained, under
// [TrainColumns].
func (s *Store) TrainRows(ctx context.Context, f *File) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for r, err := range s.resultsOf(ctx, f) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, rec := range r.Records {
				if !yield(trainingRow(r.Task.Train, rec), nil) {
					return
				}
			}
		}
	}
}

// String describes a task in a line.
func (t Task) String() string {
	var b strings.Builder
	b.WriteString(t.Kind())
	if t.Model != nil {
		fmt.Fprintf(&b, " %s", t.Model.Name)
	}
	if s := t.Train; s != nil {
		fmt.Fprintf(&b, " %s %s hidden %d seed %d", s.Language, s.Cell, s.Hidden, s.Seed)
	}
	x := t.Extract
	if x == nil {
		return b.String()
	}
	if x.Epoch > 0 {
		fmt.Fprintf(&b, " epoch %d", x.Epoch)
	}
	kappa := "auto"
	if x.Kappa > 0 {
		kappa = strconv.FormatFloat(x.Kappa, 'g', -1, 64)
	}
	fmt.Fprintf(&b, ": %s kappa %s", x.Method, kappa)
	if x.Strings > 0 {
		fmt.Fprintf(&b, " strings %d", x.Strings)
	}
	if x.Length > 0 {
		fmt.Fprintf(&b, " length %d", x.Length)
	}
	fmt.Fprintf(&b, " seed %d", x.Seed)
	return b.String()
}

// Varying returns the names of those of the [Columns] that the file gives several values,
// in their order.
func (f *File) Varying() []string { return f.varying(Columns, true) }

// VaryingTraining does so for the [TrainColumns].
func (f *File) VaryingTraining() []string { return f.varying(TrainColumns, false) }

func (f *File) varying(columns []Column, extractions bool) []string {
	var list []string
	for i, c := range columns {
		if c.Sets && f.values(c.Name, i < len(TrainColumns) && TrainColumns[i].Sets, extractions) > 1 {
			list = append(list, c.Name)
		}
	}
	return list
}

// values returns how many values a setting of training, or another, has in the file.
func (f *File) values(column string, training, extractions bool) int {
	var values axis
	add := func(more []json.RawMessage) {
		for _, v := range more {
			values.add(v)
		}
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		switch {
		case training:
			if a := b.train.find(strings.TrimPrefix(column, "train_")); a != nil {
				add(a.values)
			}
		case column == "model":
			for _, m := range b.models {
				add([]json.RawMessage{encode(m)})
			}
		case extractions:
			for k, g := range b.extracts {
				add(g.find(column).values)
				if column == "epoch" && b.epochs[k] {
					return 2 // or more
				}
			}
		}
	}
	return len(values.values)
}

// EncodeRow writes a row as a JSON object, its fields in the order of the columns.
func EncodeRow(columns []Column, row Row) []byte {
	out := []byte{'{'}
	for i, v := range row {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%s", columns[i].Name, encode(v))
	}
	return append(out, '}')
}
