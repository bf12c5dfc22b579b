package sweep

import (
	"cmp"
	"fmt"
	"iter"
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

// Quartiles say how the numbers of a column spread over a group. Of yes and no they are
// those of 1 and 0.
type Quartiles struct {
	N                       int // rows that have a number
	Mean, Low, Median, High float64
	values                  []float64
}

// find returns the place of a column.
func find(columns []Column, name string) (int, error) {
	i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		var names []string
		for _, c := range columns {
			names = append(names, c.Name)
		}
		return 0, fmt.Errorf("there is no column %q; there are %s", name, strings.Join(names, ", "))
	}
	return i, nil
}

// Places returns the places of columns by their names.
func Places(columns []Column, names []string) ([]int, error) {
	var list []int
	for _, name := range names {
		i, err := find(columns, name)
		if err != nil {
			return nil, err
		}
		list = append(list, i)
	}
	return list, nil
}

// IsBool reports whether a column holds yes and no.
func IsBool(columns []Column, name string) bool {
	i, err := find(columns, name)
	return err == nil && columns[i].Type == reflect.Bool
}

// GroupBy puts rows with the same values in some columns together and summarizes others.
// Groups are in the order of their values.
func GroupBy(rows iter.Seq2[Row, error], columns []Column, by, metrics []string) ([]Group, error) {
	byAt, err := Places(columns, by)
	if err != nil {
		return nil, err
	}
	metricAt, err := Places(columns, metrics)
	if err != nil {
		return nil, err
	}
	for _, i := range metricAt {
		if columns[i].Type == reflect.String {
			return nil, fmt.Errorf("column %s holds no numbers", columns[i].Name)
		}
	}
	groups := map[string]*Group{}
	for row, err := range rows {
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
			g = &Group{By: values, Metrics: make([]Quartiles, len(metricAt))}
			groups[key] = g
		}
		g.Rows++
		for k, i := range metricAt {
			if x, ok := number(row[i]); ok {
				g.Metrics[k].values = append(g.Metrics[k].values, x)
			}
		}
	}
	list := make([]Group, 0, len(groups))
	for _, g := range groups {
		for k := range g.Metrics {
			g.Metrics[k].summarize()
		}
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b Group) int { return slices.CompareFunc(a.By, b.By, compare) })
	return list, nil
}

// summarize computes the quartiles as package paper does, between two values where they
// fall there.
func (q *Quartiles) summarize() {
	q.N = len(q.values)
	if q.N == 0 {
		q.Mean, q.Low, q.Median, q.High = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return
	}
	slices.Sort(q.values)
	q.Mean = stat.Mean(q.values, nil)
	at := func(p float64) float64 {
		x := p * float64(q.N-1)
		i := min(int(x), q.N-1)
		j := min(i+1, q.N-1)
		return q.values[i] + (x-float64(i))*(q.values[j]-q.values[i])
	}
	q.Low, q.Median, q.High = at(0.25), at(0.5), at(0.75)
	q.values = nil
}

// Summary returns groups as rows under columns of their own: what they have in common, how
// many rows they are, and of each metric the mean, the quartiles and the median.
func Summary(groups []Group, columns []Column, by, metrics []string) ([]Column, iter.Seq2[Row, error], error) {
	at, err := Places(columns, by)
	if err != nil {
		return nil, nil, err
	}
	var heads []Column
	for _, i := range at {
		heads = append(heads, columns[i])
	}
	heads = append(heads, Column{Name: "n", Type: reflect.Int64})
	for _, m := range metrics {
		for _, of := range []string{"mean", "low", "median", "high"} {
			heads = append(heads, Column{Name: m + "_" + of, Type: reflect.Float64})
		}
	}
	return heads, func(yield func(Row, error) bool) {
		for _, g := range groups {
			row := append(slices.Clone(Row(g.By)), int64(g.Rows))
			for _, q := range g.Metrics {
				for _, x := range []float64{q.Mean, q.Low, q.Median, q.High} {
					if q.N == 0 {
						row = append(row, nil)
					} else {
						row = append(row, x)
					}
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}, nil
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
	x, isX := number(a)
	y, isY := number(b)
	if isX && isY {
		return cmp.Compare(x, y)
	}
	rank := func(v any, isNumber bool) int {
		switch {
		case v == nil:
			return 0
		case isNumber:
			return 1
		}
		return 2
	}
	s, _ := a.(string)
	t, _ := b.(string)
	return cmp.Or(cmp.Compare(rank(a, isX), rank(b, isY)), strings.Compare(s, t))
}

// Plot returns a plot of the median of one column over another, with the quartiles as a
// band, and a line for each combination of values of some further columns.
func Plot(rows iter.Seq2[Row, error], columns []Column, x, y string, by []string) (draw.Plot, error) {
	p := draw.Plot{Title: y + " over " + x, X: draw.Axis{Label: x}, Y: draw.Axis{Label: y}}
	groups, err := GroupBy(rows, columns, append(slices.Clone(by), x), []string{y})
	if err != nil {
		return p, err
	}
	for _, g := range groups {
		at, ok := number(g.By[len(by)])
		if !ok {
			continue
		}
		name := Label(by, g.By[:len(by)])
		if n := len(p.Series); n == 0 || p.Series[n-1].Name != name {
			p.Series = append(p.Series, draw.Series{Name: name})
		}
		s, q := &p.Series[len(p.Series)-1], g.Metrics[0]
		s.X, s.Y = append(s.X, at), append(s.Y, q.Median)
		s.Low, s.High = append(s.Low, q.Low), append(s.High, q.High)
	}
	if len(p.Series) == 0 {
		return p, fmt.Errorf("there are no results with numbers for %s and %s", x, y)
	}
	return p, nil
}

// Label writes some values of columns as a name.
func Label(names []string, values []any) string {
	var parts []string
	for i, v := range values {
		parts = append(parts, names[i]+" "+Show(names[i], v))
	}
	if len(parts) == 0 {
		return "all"
	}
	return strings.Join(parts, ", ")
}

// Show writes a value of a column for people.
func Show(column string, v any) string {
	switch v := v.(type) {
	case nil:
		return "·"
	case float64:
		if column == "kappa" && v == 0 {
			return "auto"
		}
		return fmt.Sprintf("%.6g", v)
	case int64:
		if column == "epoch" && v == 0 {
			return "best"
		}
		return fmt.Sprint(v)
	}
	return fmt.Sprint(v)
}
