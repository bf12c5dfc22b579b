package sweep

import (
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strings"

	"quotient/train"
)

// A grid is the product of its axes, the last of which runs fastest. There is an axis
// for every field of a struct, in the struct's order, so that a point is a struct.
type grid []axis

// An axis holds the values of a field, all different, as JSON.
type axis struct {
	name   string // of the field, as JSON has it
	values []json.RawMessage
	known  map[string]bool // the same as a set
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

// find returns the axis of a name, or nil.
func (g grid) find(name string) *axis {
	for i := range g {
		if g[i].name == name {
			return &g[i]
		}
	}
	return nil
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
		at := make([]int, len(g))
		p := point[T](g, at)
		for {
			if !yield(p) {
				return
			}
			i := len(g) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < len(g[i].values) {
					break
				}
				at[i] = 0
				g.set(&p, i, 0)
			}
			if i < 0 {
				return
			}
			g.set(&p, i, at[i])
		}
	}
}

// point returns the struct at some indices.
func point[T any](g grid, at []int) (p T) {
	for i := range g {
		g.set(&p, i, at[i])
	}
	return p
}

// set gives the i-th field of a struct the value at an index of its axis.
func (g grid) set(point any, i, at int) {
	field := reflect.ValueOf(point).Elem().Field(i)
	if err := json.Unmarshal(g[i].values[at], field.Addr().Interface()); err != nil {
		panic("sweep: " + err.Error()) // the file was checked
	}
}

// A block is networks and what is extracted from each of them.
type block struct {
	train    grid     // of train.Settings; nil if there are models
	models   []string // names
	extracts []grid   // of Extraction
	epochs   []bool   // for each of them: all epochs are meant, whatever the axis says
	line     int      // where it begins in the file
}

// A subject is a network of a sweep.
type subject struct {
	block    *block
	settings *train.Settings // of one to be trained
	model    string          // name of one that is there
}

// subjects yields the networks of the sweep, each once.
func (f *File) subjects() iter.Seq[subject] {
	return func(yield func(subject) bool) {
		for i := range f.blocks {
			b := &f.blocks[i]
			for _, m := range b.models {
				if !yield(subject{block: b, model: m}) {
					return
				}
			}
			if b.train == nil {
				continue
			}
			for s := range points[train.Settings](b.train) {
				if !yield(subject{block: b, settings: &s}) {
					return
				}
			}
		}
	}
}

// meets reports whether the network belongs to a block.
func (s subject) meets(b *block) bool {
	if s.settings != nil {
		return b.train != nil && b.train.has(*s.settings)
	}
	return slices.Contains(b.models, s.model)
}

// first reports whether no earlier block has the same network.
func (f *File) first(s subject) bool {
	for i := range f.blocks {
		if b := &f.blocks[i]; b == s.block {
			return true
		} else if s.meets(b) {
			return false
		}
	}
	return true
}

// extractions yields what is extracted from a network, for those of the epochs that
// are asked for. What an earlier grid of the file asked for already is left out.
func (f *File) extractions(s subject, epochs []int) iter.Seq[Extraction] {
	return func(yield func(Extraction) bool) {
		var earlier []grid
		for i := range f.blocks {
			b := &f.blocks[i]
			if b != s.block && !s.meets(b) {
				continue
			}
			for k := range b.extracts {
				g := b.grid(k, epochs)
				if b == s.block && !yieldNew(g, earlier, epochs, yield) {
					return
				}
				earlier = append(earlier, g)
			}
			if b == s.block {
				return
			}
		}
	}
}

// yieldNew yields the points of a grid that no earlier one has, and reports whether
// more are wanted.
func yieldNew(g grid, earlier []grid, epochs []int, yield func(Extraction) bool) bool {
	for x := range points[Extraction](g) {
		if x.Epoch != 0 && !slices.Contains(epochs, x.Epoch) ||
			slices.ContainsFunc(earlier, func(e grid) bool { return e.has(x) }) {
			continue
		}
		if !yield(x) {
			return false
		}
	}
	return true
}

// grid returns the i-th grid of extractions for a network of which there are epochs. All
// of them are the only one where a name stands for one network.
func (b *block) grid(i int, epochs []int) grid {
	if !b.epochs[i] || len(epochs) == 0 {
		return b.extracts[i]
	}
	g := slices.Clone(b.extracts[i])
	a := g.find("epoch")
	*a = axis{name: a.name}
	for _, e := range epochs {
		a.add(encode(e))
	}
	return g
}
