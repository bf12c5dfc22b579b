package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
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
}

// newGrid returns the grid of one point, a struct.
func newGrid(point any) grid {
	var g grid
	for name, value := range fields(point) {
		g = append(g, axis{name, []json.RawMessage{value}})
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

// size returns the number of points.
func (g grid) size() int {
	n := 1
	for _, a := range g {
		n *= len(a.values)
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

func (a axis) has(value json.RawMessage) bool {
	return slices.ContainsFunc(a.values, func(v json.RawMessage) bool { return bytes.Equal(v, value) })
}

// points yields all points of a grid. They are made one at a time.
func points[T any](g grid) iter.Seq[T] {
	return func(yield func(T) bool) {
		at := make([]int, len(g))
		for {
			if !yield(point[T](g, at)) {
				return
			}
			i := len(g) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < len(g[i].values) {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// point returns the struct at some indices.
func point[T any](g grid, at []int) (p T) {
	var text bytes.Buffer
	for i, a := range g {
		fmt.Fprintf(&text, ",%q:%s", a.name, a.values[at[i]])
	}
	text.WriteByte('}')
	text.Bytes()[0] = '{'
	if err := json.Unmarshal(text.Bytes(), &p); err != nil {
		panic("sweep: " + err.Error()) // the file was checked
	}
	return p
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
		for i := range s.block.extracts {
			for x := range points[Extraction](s.block.grid(i, epochs)) {
				if x.Epoch != 0 && !slices.Contains(epochs, x.Epoch) || f.before(s, i, x) {
					continue
				}
				if !yield(x) {
					return
				}
			}
		}
	}
}

// grid returns the i-th grid of extractions for a network of which there are epochs.
func (b *block) grid(i int, epochs []int) grid {
	if !b.epochs[i] {
		return b.extracts[i]
	}
	g := slices.Clone(b.extracts[i])
	a := g.find("epoch")
	a.values = nil
	for _, e := range epochs {
		a.values = append(a.values, encode(e))
	}
	return g
}

// before reports whether an extraction belongs to a grid before the i-th of the
// network's block.
func (f *File) before(s subject, i int, x Extraction) bool {
	for j := range f.blocks {
		b := &f.blocks[j]
		last := len(b.extracts)
		if b == s.block {
			last = i
		}
		for k := range last {
			y := x
			if b.epochs[k] && x.Epoch != 0 {
				y.Epoch = 0 // stands on the axis for all epochs
			}
			if b.extracts[k].has(y) && (x.Epoch != 0 || !b.epochs[k]) && s.meets(b) {
				return true
			}
		}
		if b == s.block {
			return false
		}
	}
	return false
}
