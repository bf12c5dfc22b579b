package plan

import (
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A grid is the product of its axes, the last of which runs fastest. There is an axis
// for every field of a struct, in the struct's order, so that a point is a struct.
type grid []axis

// An axis holds the values of a field, all different, as JSON.
type axis struct {
	name   string // of the field, as JSON has it
	values []json.RawMessage
	known  map[string]bool // the same as a set
	line   int             // of the file where they stand; 0 if it says nothing of them
	all    bool            // of epochs: all that there are are meant, whatever the values
}

// newGrid returns the grid of one point, a struct.
func newGrid(point any) grid {
	var g grid
	for name, value := range fields(point) {
		a := axis{name: name}
		a.add(value)
		g = append(g, a)
	}
	return g
}

// fields yields the fields of a struct under their names in JSON.
func fields(point any) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		v := reflect.ValueOf(point)
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if !yield(name, encode(v.Field(i).Interface())) {
				return
			}
		}
	}
}

// find returns the axis of a field.
func (g grid) find(name string) *axis {
	return &g[slices.IndexFunc(g, func(a axis) bool { return a.name == name })]
}

// size returns the number of points, which is a float64 because it may be any.
func (g grid) size() float64 {
	n := 1.0
	for _, a := range g {
		n *= float64(len(a.values))
	}
	return n
}

// has reports whether a struct is a point of the grid.
func (g grid) has(point any) bool {
	i := 0
	for _, value := range fields(point) {
		if !g[i].has(value) {
			return false
		}
		i++
	}
	return true
}

func (a *axis) has(value json.RawMessage) bool { return a.known[string(value)] }

// add puts a value on the axis, unless it is there.
func (a *axis) add(value json.RawMessage) {
	if a.has(value) {
		return
	}
	if a.known == nil {
		a.known = map[string]bool{}
	}
	a.values = append(a.values, value)
	a.known[string(value)] = true
}

// points yields all points of a grid. They are made one at a time, from the one before:
// mostly a single field changes.
func points[T any](g grid) iter.Seq[T] {
	return func(yield func(T) bool) {
		var p T
		var walk func(i int) bool // along all axes from the i-th on
		walk = func(i int) bool {
			if i == len(g) {
				return yield(p)
			}
			for at := range g[i].values {
				if g.set(&p, i, at); !walk(i + 1) {
					return false
				}
			}
			return true
		}
		walk(0)
	}
}

// set gives the i-th field of a struct the value at an index of its axis.
func (g grid) set(point any, i, at int) {
	field := reflect.ValueOf(point).Elem().Field(i)
	if err := json.Unmarshal(g[i].values[at], field.Addr().Interface()); err != nil {
		panic("plan: " + err.Error()) // the file was checked
	}
}

// after returns a grid of extractions from a network of which there are epochs. All of
// them are the only one where a name stands for one network.
func (g grid) after(epochs []int) grid {
	i := slices.IndexFunc(g, func(a axis) bool { return a.all })
	if i < 0 || len(epochs) == 0 {
		return g
	}
	g = slices.Clone(g)
	g[i] = axis{name: g[i].name}
	for _, e := range epochs {
		g[i].add(encode(e))
	}
	return g
}

// integer returns a value of an axis that holds whole numbers.
func integer(value json.RawMessage) int {
	n, _ := strconv.Atoi(string(value)) // it was checked
	return n
}

// varying returns the names of those axes to which some grids together give several values.
func varying(grids []grid) (names []string) {
	if len(grids) == 0 {
		return nil
	}
	for i, a := range grids[0] {
		other := func(v json.RawMessage) bool { return !a.has(v) }
		if len(a.values) > 1 || slices.ContainsFunc(grids, func(g grid) bool { return g[i].all || slices.ContainsFunc(g[i].values, other) }) {
			names = append(names, a.name)
		}
	}
	return names
}
