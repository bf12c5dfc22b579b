// Package results makes tables of what came of a sweep: rows, groups of them, plots, and
// files that other programs read.
package results

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quotient/internal/parquet"
	"quotient/sweep/plan"
	"quotient/train"
)

// A Table is rows under columns. The rows can be read several times.
type Table struct {
	Columns []Column
	Rows    iter.Seq2[Row, error]
	Varying []string // the columns that tell the rows apart: settings with several values
}

// A Column has values of one type, or nil.
type Column struct {
	Name string
	Type reflect.Kind // String, Int64, Float64 or Bool
	Sets bool         // it is a setting, not a result
}

// A Row holds string, int64, float64, bool or nil for each column.
type Row = []any

// ambiguous are settings of training that extractions have, too. In a table of these
// their names have something before them.
var ambiguous = []string{"strings", "length", "seed"}

const (
	ofTraining = "train_"
	ofSearch   = "search_"
)

// extractionColumns are settings of training and extraction, then what came of it.
var extractionColumns = slices.Concat(
	columns(train.Settings{}, true, ofTraining, ambiguous...),
	[]Column{{"model", reflect.String, true}},
	columns(plan.Extraction{}, true, ofSearch, "equivalence"), // which is the number of such queries, too
	columns(plan.Outcome{}, false, "used_", "kappa"),
	[]Column{{"seconds", reflect.Float64, false}},
)

// trainingColumns are the settings, and the record of an epoch without its times, which
// come last and which no result holds.
var trainingColumns = func() []Column {
	all := slices.Concat(columns(train.Settings{}, true, ""), columns(train.Record{}, false, ""))
	return all[:len(all)-len([]string{"seconds", "tokens_per_second"})]
}()

// columns returns those of a struct's fields. Some names have something before them.
func columns(of any, sets bool, before string, names ...string) (list []Column) {
	t := reflect.TypeOf(of)
	for i := range t.NumField() {
		as := shownAs(t.Field(i))
		if as == nil {
			continue
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if slices.Contains(names, name) {
			name = before + name
		}
		list = append(list, Column{name, as.Kind(), sets})
	}
	return list
}

// shownAs returns the type that a field's values have in a table, or nil if it has none: those of
// language models, which no sweep trains, say so themselves.
func shownAs(f reflect.StructField) reflect.Type {
	field := f.Type
	if f.Tag.Get("sweep") == "-" {
		return nil
	}
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.Int, reflect.Uint64:
		return reflect.TypeFor[int64]()
	case reflect.String:
		return reflect.TypeFor[string]()
	case reflect.Float64:
		return reflect.TypeFor[float64]()
	case reflect.Bool:
		return reflect.TypeFor[bool]()
	}
	return nil
}

// appendFields appends the fields of a struct, or as many nils if there is none.
func appendFields[T any](row Row, p *T) Row {
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		as := shownAs(t.Field(i))
		if as == nil {
			continue
		}
		var value any
		if p != nil {
			if v := reflect.Indirect(reflect.ValueOf(p).Elem().Field(i)); v.IsValid() {
				value = v.Convert(as).Interface()
			}
		}
		row = append(row, value)
	}
	return row
}

// Extractions returns a table of those of a sweep that are done. Training's own strings,
// length and seed have train_ before their names.
func Extractions(f *plan.File, results iter.Seq2[*plan.Result, error]) Table {
	training, varying := f.Varying()
	for i, name := range training {
		if slices.Contains(ambiguous, name) {
			training[i] = ofTraining + name
		}
	}
	if i := slices.Index(varying, "equivalence"); i >= 0 {
		varying[i] = ofSearch + "equivalence"
	}
	return Table{extractionColumns, rows(results, func(r *plan.Result) []Row {
		if r.Outcome == nil {
			return nil
		}
		return []Row{extractionRow(r)}
	}), append(training, varying...)}
}

// Trainings returns a table of the epochs of networks that are trained.
func Trainings(f *plan.File, results iter.Seq2[*plan.Result, error]) Table {
	varying, _ := f.Varying()
	return Table{trainingColumns, rows(results, func(r *plan.Result) (list []Row) {
		for _, rec := range r.Records {
			list = append(list, appendFields(appendFields(nil, r.Task.Train), &rec)[:len(trainingColumns)])
		}
		return list
	}), append(varying, "epoch")}
}

// rows yields the rows that each result is.
func rows(results iter.Seq2[*plan.Result, error], of func(*plan.Result) []Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for r, err := range results {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, row := range of(r) {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// missing are the columns of an outcome that an extraction does not have if there is no
// automaton: a 0 would be taken for a number that was measured.
var missing, _ = Table{Columns: extractionColumns}.Places([]string{
	"accuracy", "nodes", "tree", "merged", "states", "exact", "used_kappa", "membership", "equivalence", "saturation",
})

// extractionRow returns the row of an extraction. Of a model its language is known.
func extractionRow(r *plan.Result) Row {
	t := r.Task
	row := append(appendFields(nil, t.Train), nil)
	if t.Model != nil {
		if t.Model.Language != "" {
			row[0] = t.Model.Language
		}
		row[len(row)-1] = t.Model.Name
	}
	row = append(appendFields(appendFields(row, t.Extract), r.Outcome), r.Cost.Seconds)
	if r.Outcome.Failed != "" {
		for _, i := range missing {
			row[i] = nil
		}
	}
	return row
}

// Places returns the places of columns by their names.
func (t Table) Places(names []string) ([]int, error) {
	var list []int
	for _, name := range names {
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			var known []string
			for _, c := range t.Columns {
				known = append(known, c.Name)
			}
			return nil, fmt.Errorf("there is no column %q; there are %s", name, strings.Join(known, ", "))
		}
		list = append(list, i)
	}
	return list, nil
}

// WriteCSV writes a line of names and one for each row.
func (t Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = c.Name
	}
	out.Write(record)
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		for i, v := range row {
			switch v := v.(type) {
			case nil:
				record[i] = ""
			case float64:
				record[i] = strconv.FormatFloat(v, 'g', -1, 64)
			default:
				record[i] = fmt.Sprint(v)
			}
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}

// WriteJSON writes an object a line, its fields in the order of the columns.
func (t Table) WriteJSON(w io.Writer) error {
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		line := []byte{'{'}
		for i, v := range row {
			value, err := json.Marshal(v)
			if err != nil {
				return err
			}
			line = fmt.Appendf(line, "%q:%s,", t.Columns[i].Name, value)
		}
		line[len(line)-1] = '}'
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// WriteParquet writes a Parquet file.
func (t Table) WriteParquet(w io.Writer) error {
	var heads []parquet.Column
	for _, c := range t.Columns {
		heads = append(heads, parquet.Column{Name: c.Name, Type: c.Type})
	}
	return parquet.Write(w, heads, t.Rows)
}

// WriteStudies writes the whole studies that were kept, a line each.
func WriteStudies(w io.Writer, found iter.Seq2[*plan.Result, error]) error {
	for r, err := range found {
		if err != nil {
			return err
		}
		if r.Study != nil {
			if _, err := fmt.Fprintf(w, "%s\n", r.Study); err != nil {
				return err
			}
		}
	}
	return nil
}
