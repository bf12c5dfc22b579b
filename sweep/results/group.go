package results

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"quotient/draw"
)

// A Group is the rows that have the same values in some columns.
type Group struct {
	By      []any
	Rows    int
	Metrics []Quartiles // of the columns that were asked for
}

// GroupBy puts rows with the same values in some columns together and summarizes others.
// Groups are in the order of their values.
func (t Table) GroupBy(by, metrics []string) ([]Group, error) {
	at, err := t.Places(slices.Concat(by, metrics))
	if err != nil {
		return nil, err
	}
	byAt, metricAt := at[:len(by)], at[len(by):]
	for _, i := range metricAt {
		if t.Columns[i].Type == reflect.String {
			return nil, fmt.Errorf("column %s holds no numbers", t.Columns[i].Name)
		}
	}
	type group struct {
		Group
		values [][]float64 // of each metric
	}
	groups := map[string]*group{}
	for row, err := range t.Rows {
		if err != nil {
			return nil, err
		}
		values := make([]any, len(byAt))
		for k, i := range byAt {
			values[k] = row[i]
		}
		key := fmt.Sprintf("%#v", values)
		g := groups[key]
		if g == nil {
			g = &group{Group{By: values}, make([][]float64, len(metricAt))}
			groups[key] = g
		}
		g.Rows++
		for k, i := range metricAt {
			if x, ok := number(row[i]); ok {
				g.values[k] = append(g.values[k], x)
			}
		}
	}
	list := make([]Group, 0, len(groups))
	for _, g := range groups {
		for k, i := range metricAt {
			q := Summarize(g.values[k])
			q.yes = t.Columns[i].Type == reflect.Bool
			g.Metrics = append(g.Metrics, q)
		}
		list = append(list, g.Group)
	}
	slices.SortFunc(list, func(a, b Group) int { return slices.CompareFunc(a.By, b.By, compare) })
	return list, nil
}

// Quartiles say how some numbers spread. Of yes and no they are those of 1 and 0.
type Quartiles struct {
	N                       int // numbers that there are; without any the rest is NaN
	Mean, Low, Median, High float64

	yes bool // they are of yes and no
}

// Summarize computes the quartiles of some numbers, between two of them where they fall
// there.
func Summarize(values []float64) Quartiles {
	n := len(values)
	if n == 0 {
		nan := math.NaN()
		return Quartiles{Mean: nan, Low: nan, Median: nan, High: nan}
	}
	sorted := slices.Sorted(slices.Values(values))
	at := func(p float64) float64 {
		x := p * float64(n-1)
		i := int(x)
		return sorted[i] + (x-float64(i))*(sorted[min(i+1, n-1)]-sorted[i])
	}
	return Quartiles{N: n, Mean: stat.Mean(sorted, nil), Low: at(0.25), Median: at(0.5), High: at(0.75)}
}

// String writes the median with the quartiles, and of yes and no how many are yes.
func (q Quartiles) String() string {
	switch {
	case q.N == 0:
		return nothing
	case q.yes:
		return fmt.Sprintf("%.0f/%d", q.Mean*float64(q.N), q.N)
	case q.Low == q.High:
		return fmt.Sprintf("%.6g", q.Median)
	}
	return fmt.Sprintf("%.6g (%.6g to %.6g)", q.Median, q.Low, q.High)
}

// Summary returns a table of groups: what their rows have in common, how many there are,
// and of each metric the mean, the quartiles and the median.
func (t Table) Summary(by, metrics []string) (Table, error) {
	groups, err := t.GroupBy(by, metrics)
	if err != nil {
		return t, err
	}
	at, _ := t.Places(by) // they are there
	var heads []Column
	for _, i := range at {
		heads = append(heads, t.Columns[i])
	}
	heads = append(heads, Column{Name: "n", Type: reflect.Int64})
	for _, m := range metrics {
		for _, of := range []string{"mean", "low", "median", "high"} {
			heads = append(heads, Column{Name: m + "_" + of, Type: reflect.Float64})
		}
	}
	return Table{Columns: heads, Varying: by, Rows: func(yield func(Row, error) bool) {
		for _, g := range groups {
			row := append(slices.Clone(g.By), int64(g.Rows))
			for _, q := range g.Metrics {
				values := []any{q.Mean, q.Low, q.Median, q.High}
				if q.N == 0 {
					clear(values)
				}
				row = append(row, values...)
			}
			if !yield(row, nil) {
				return
			}
		}
	}}, nil
}

// number returns a value as a number, and reports whether it is one.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// compare orders values: none, then numbers, then texts.
func compare(a, b any) int {
	rank := func(v any) (kind int, x float64, text string) {
		if text, ok := v.(string); ok {
			return 2, 0, text
		}
		if x, ok := number(v); ok {
			return 1, x, ""
		}
		return 0, 0, ""
	}
	i, x, s := rank(a)
	j, y, t := rank(b)
	return cmp.Or(cmp.Compare(i, j), cmp.Compare(x, y), cmp.Compare(s, t))
}

// Plot returns a plot of the median of one column over another, with the quartiles as a
// band, and a line for each combination of values of some further columns. Kappa has a
// logarithmic axis; where it was chosen by evidence, there is no one kappa, and the result is a
// dashed line all across.
func (t Table) Plot(x, y string, by []string) (draw.Plot, error) {
	p := draw.Plot{Title: y + " over " + x, X: draw.Axis{Label: x, Log: x == "kappa"}, Y: draw.Axis{Label: y}}
	var chosen []draw.Series // by evidence
	groups, err := t.GroupBy(append(slices.Clone(by), x), []string{y})
	if err != nil {
		return p, err
	}
	for _, g := range groups {
		at, ok := number(g.By[len(by)])
		if !ok {
			continue
		}
		name := label(by, g.By[:len(by)])
		if x == "kappa" && at == 0 {
			chosen = append(chosen, draw.Series{Name: name + ", kappa auto", Y: []float64{g.Metrics[0].Median}, Reference: true})
			continue
		}
		if n := len(p.Series); n == 0 || p.Series[n-1].Name != name {
			p.Series = append(p.Series, draw.Series{Name: name})
		}
		s, q := &p.Series[len(p.Series)-1], g.Metrics[0]
		s.X, s.Y = append(s.X, at), append(s.Y, q.Median)
		s.Low, s.High = append(s.Low, q.Low), append(s.High, q.High)
	}
	p.Series = append(p.Series, across(chosen, p.Series)...)
	if len(p.Series) == 0 {
		return p, fmt.Errorf("there are no results with numbers for %s and %s", x, y)
	}
	return p, nil
}

// across makes lines of single values, from the least to the greatest x of the others.
func across(values, others []draw.Series) []draw.Series {
	low, high := 0.001, 1.0 // of kappa, if there is nothing else
	for i, s := range others {
		if i == 0 {
			low, high = s.X[0], s.X[len(s.X)-1]
		}
		low, high = min(low, s.X[0]), max(high, s.X[len(s.X)-1])
	}
	for i, s := range values {
		values[i].X, values[i].Y = []float64{low, high}, []float64{s.Y[0], s.Y[0]}
	}
	return values
}

// label writes some values of columns as a name.
func label(names []string, values []any) string {
	var parts []string
	for i, v := range values {
		parts = append(parts, names[i]+" "+Show(names[i], v))
	}
	if len(parts) == 0 {
		return "all"
	}
	return strings.Join(parts, ", ")
}

// nothing stands for a value that is not there.
const nothing = "·"

// Show writes a value of a column for people.
func Show(column string, v any) string {
	switch v := v.(type) {
	case nil:
		return nothing
	case float64:
		if column == "kappa" && v == 0 {
			return "auto"
		}
		return fmt.Sprintf("%.6g", v)
	case int64:
		if column == "epoch" && v == 0 {
			return "best"
		}
	}
	return fmt.Sprint(v)
}
