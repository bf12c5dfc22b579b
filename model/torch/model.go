package torch

import (
	"fmt"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/model/frugal"
	"quotient/rnn"
)

// A Model is what a file holds.
type Model struct {
	Format  string       // of the file
	Class   string       // of the module that was saved; empty: only tensors were
	Tensors []rnn.Tensor // parameters and buffers, named and ordered as in a state_dict
	Parts   []Part       // the modules, each before its children, in the order of their making
	Notes   []string     // what a reader of the file should know
	Again   []Again      // tensors that have more names
	Beside  []string     // the keys of what may be other models
	Rest    string       // of the key that was asked for, what no dictionary has: the names of tensors begin with it
}

// An Again is another name of a tensor.
type Again struct {
	At           int // before which of the tensors it would stand
	Name, Before string
}

// A Part is a module of a saved model.
type Part struct {
	Path  string         // as "dense.0"; empty for the whole
	Class Name           // as "torch.nn.modules.linear.Linear"
	Facts map[string]any // its attributes that are text, numbers (int64, float64), bool or a Name, or one such in a tuple
}

// What a model may have at most. Larger ones are no recurrent networks.
const (
	maxParts = 10_000 // tensors and modules
	maxDepth = 64     // of modules in modules
)

// Read reads a file of torch.save.
func Read(data []byte) (*Model, error) { return ReadKey(data, "") }

// ReadKey reads what a file of torch.save has under a key: the keys of dictionaries in one
// another, with dots between.
func ReadKey(data []byte, key string) (*Model, error) {
	if files, err := frugal.OpenArchive(data); err == nil {
		if folder, ok := exported(files); ok {
			m, err := readExport(data, files, folder)
			if err != nil {
				return nil, fmt.Errorf("torch: %w", err)
			}
			m.Rest = key
			return m, nil
		}
	}
	c, err := open(data)
	if err != nil {
		return nil, fmt.Errorf("torch: %w", err)
	}
	w := &walk{container: c, seen: make(map[string]string), model: &Model{Format: c.format}}
	if err := w.file(c.root, key); err != nil {
		return nil, fmt.Errorf("torch: %w", err)
	}
	return w.model, nil
}

// A walk collects the tensors and the parts of a model.
type walk struct {
	*container
	model  *Model
	visits int
	other  string            // what tensors have for names that are no text
	aside  bool              // looking at what stands beside the model
	seen   map[string]string // the name of each view of a storage
}

// file finds the model in what a file holds. Where there are several parts, as after
// torch.save({"encoder": ..., "head": ...}), the model has them all.
func (w *walk) file(root any, key string) error {
	w.model.Rest = key
	if w.code != nil {
		r, ok := root.(*record)
		if !ok || !isScript(r) {
			return fmt.Errorf("a TorchScript program that is no module, but %s; save the model's state_dict", describe(root))
		}
		w.model.Class = string(demangled(r.class))
		return w.script(r, "", 0)
	}
	root, err := w.numbered(root)
	if err != nil {
		return err
	}
	root, w.model.Rest = under(root, key)
	if root, err = w.numbered(root); err != nil {
		return err
	}
	names, models, err := w.candidates(root, "", levels)
	switch {
	case err != nil:
		return err
	case len(models) == 0:
		return nothing(root)
	case len(models) == 1:
		names[0] = "" // it is all there is
	}
	for i, m := range models {
		switch m := m.(type) {
		case *record:
			w.model.Class = string(m.class)
			err = w.module(m, names[i], 0)
		case *dict:
			err = w.dictionary(m, names[i], nil)
		}
		if err != nil {
			return err
		}
	}
	if len(w.model.Tensors) == 0 && w.other != "" {
		return fmt.Errorf("the keys of its tensors are %s, and names of tensors are text, as rnn.weight_ih_l0; make them text before saving, as torch.save(model.state_dict(), FILE) has them", w.other)
	}
	if w.other != "" {
		w.model.Notes = append(w.model.Notes, fmt.Sprintf("tensors whose keys are %s are left out; names of tensors are text", w.other))
	}
	return nil
}

// levels is how deep dictionaries lie in one another that are searched for a model.
const levels = 5

// usual are the keys under which training programs keep the model's own weights.
var usual = []string{"state_dict", "model_state_dict", "model_state", "model", "net", "network", "module", "weights", "params"}

// candidates returns the modules and dictionaries of tensors that are in a value, with
// the names of the ways to them: the value itself, what stands under a usual key, or all
// that there is, some levels deep.
func (w *walk) candidates(value any, name string, depth int) (names []string, models []any, err error) {
	if isModule(value) {
		return []string{name}, []any{value}, nil
	}
	var d *dict
	switch v := value.(type) {
	case *dict:
		d = v
	case *record:
		d = v.attributes()
	case *list: // of parameters
		if !slices.ContainsFunc(v.items, func(x any) bool { return dimensions(x) > 1 }) {
			return nil, nil, nil
		}
		numbered, err := w.numbered(v)
		return []string{name}, []any{numbered}, err
	default:
		return nil, nil, nil
	}
	if err := w.visit(name, 0, len(d.keys)); err != nil || depth == 0 {
		return nil, nil, err
	}
	for _, key := range usual {
		if inner, ok := d.get(key); ok {
			names, models, err := w.candidates(inner, join(name, key), depth-1)
			if err != nil {
				return nil, nil, err
			}
			if len(models) > 0 {
				return names, models, w.others(d, key, name, depth)
			}
		}
	}
	if slices.ContainsFunc(d.values, func(v any) bool { return dimensions(v) > 1 }) {
		return []string{name}, []any{d}, nil
	}
	for i, key := range d.keys {
		if text, ok := key.(string); ok {
			n, m, err := w.candidates(d.values[i], join(name, text), depth-1)
			if err != nil {
				return nil, nil, err
			}
			names, models = append(names, n...), append(models, m...)
		}
	}
	if len(models) == 0 && slices.ContainsFunc(d.values, func(v any) bool { return dimensions(v) >= 0 }) {
		return []string{name}, []any{d}, nil
	}
	return names, models, nil
}

// dimensions returns how many a tensor has, or -1 if the value is none. Where weights
// are, there are matrices: numbers and vectors alone are a loss or a random generator.
func dimensions(value any) int {
	if t := tensorOf(value); t != nil {
		return len(t.dims)
	}
	return -1
}

// isModule reports whether a value has what every torch.nn.Module has.
func isModule(value any) bool {
	r, ok := value.(*record)
	if !ok {
		return false
	}
	_, ok = r.attributes().get("_modules")
	return ok
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// visit counts what is visited, and how much of it there is to look at: shared parts may
// be met along many paths.
func (w *walk) visit(path string, depth, size int) error {
	if w.visits++; w.visits > maxParts {
		return fmt.Errorf("more than %d tensors and modules", maxParts)
	}
	if depth > maxDepth {
		return fmt.Errorf("%.80s: modules nested more than %d deep", path, maxDepth)
	}
	return w.budget.spend(len(path) + size + perOperation)
}

// dictionary collects the tensors of a state_dict, without some.
func (w *walk) dictionary(d *dict, path string, without []any) error {
	if err := w.budget.spend(len(d.keys)); err != nil {
		return err
	}
	for i, key := range d.keys {
		name, ok := key.(string)
		t := tensorOf(d.values[i])
		if !ok && t != nil {
			w.other = kindOfKey(key)
		}
		if !ok || t == nil {
			continue // None for what a module has not, or a note of the training program's
		}
		if last, _ := d.get(name); last != d.values[i] || slices.Contains(without, any(name)) {
			continue
		}
		if err := w.tensor(t, join(path, name)); err != nil {
			return err
		}
	}
	return nil
}

// module collects a module's facts, tensors and children.
func (w *walk) module(r *record, path string, depth int) error {
	a := r.attributes()
	if err := w.visit(path, depth, len(a.keys)); err != nil {
		return err
	}
	facts, err := w.facts(a)
	if err != nil {
		return err
	}
	w.model.Parts = append(w.model.Parts, Part{path, r.class, facts})
	for _, kind := range []string{"_parameters", "_buffers"} {
		inner, _ := a.get(kind)
		if d, ok := inner.(*dict); ok {
			if err := w.dictionary(d, path, temporary(a, kind)); err != nil {
				return err
			}
		}
	}
	inner, _ := a.get("_modules")
	children, ok := inner.(*dict)
	if !ok {
		return nil
	}
	for i, key := range children.keys {
		name, ok := key.(string)
		child, ok2 := children.values[i].(*record)
		if !ok || !ok2 {
			continue
		}
		if err := w.module(child, join(path, name), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// temporary returns the names of the buffers that a state_dict would not have. Nobody
// has many.
func temporary(a *dict, kind string) []any {
	set, _ := a.get("_non_persistent_buffers_set")
	if names := sequence(set); kind == "_buffers" && len(names) <= 16 {
		return names
	}
	return nil
}

// facts returns the attributes that are simple.
func (w *walk) facts(a *dict) (map[string]any, error) {
	facts := make(map[string]any)
	for i, key := range a.keys {
		name, ok := key.(string)
		if !ok || strings.HasPrefix(name, "_") {
			continue
		}
		value := a.values[i]
		if t, ok := value.(tuple); ok && len(t) == 1 { // as a normalized_shape
			value = t[0]
		}
		switch v := value.(type) {
		case string, int64, float64, bool, Name:
			if err := w.budget.spend(perOperation); err != nil {
				return nil, err
			}
			facts[name] = v
		}
	}
	return facts, nil
}

// tensor adds a tensor, unless it has been met under another name: modules may be
// registered twice.
func (w *walk) tensor(t *tensor, name string) error {
	if err := w.visit(name, 0, len(t.key)); err != nil {
		return err
	}
	view := fmt.Sprint(t.key, " ", t.first, t.offset, t.dims, t.strides)
	if before, ok := w.seen[view]; ok && t.count() > 0 {
		w.model.Again = append(w.model.Again, Again{len(w.model.Tensors), name, before})
		return nil
	}
	w.seen[view] = name
	numbers, err := w.numbers(t)
	if err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	w.model.Tensors = append(w.model.Tensors, rnn.Tensor{Name: name, Dims: t.dims, Data: numbers})
	return nil
}

// count returns how many numbers a tensor has, or -1 if they are too many to count.
func (t *tensor) count() int {
	n := 1
	for _, d := range t.dims {
		if d > 0 && n > (1<<40)/d {
			return -1
		}
		n *= d
	}
	return n
}

// within reports whether a view that is not empty stays within so many numbers.
func (t *tensor) within(limit int) bool {
	left := limit - 1 - t.offset
	for i, d := range t.dims {
		if t.strides[i] > 0 && d-1 > left/t.strides[i] {
			return false
		}
		left -= (d - 1) * t.strides[i]
	}
	return left >= 0
}

// contiguous reports whether the numbers of a view follow one another, row by row.
func (t *tensor) contiguous() bool {
	step := 1
	for i := len(t.dims) - 1; i >= 0; i-- {
		if t.dims[i] > 1 && t.strides[i] != step {
			return false
		}
		step *= t.dims[i]
	}
	return true
}

// numbers gathers the numbers of a view, row by row.
func (w *walk) numbers(t *tensor) ([]float32, error) {
	number, ok := numberType(t.kind)
	if !ok {
		return nil, fmt.Errorf("its numbers are of type %s, which is not supported; make them float32 before saving", t.kind)
	}
	n := t.count()
	if n < 0 {
		return nil, fmt.Errorf("shape %v is too large", t.dims)
	}
	if n == 0 {
		return nil, nil
	}
	data, err := w.content(t.storage, number.Bytes)
	if err != nil {
		return nil, err
	}
	if limit := len(data) / number.Bytes; !t.within(limit) {
		return nil, fmt.Errorf("shape %v with strides %v from number %d on does not fit into %d numbers", t.dims, t.strides, t.offset, limit)
	}
	if err := w.budget.spend(4 * n); err != nil {
		return nil, err
	}
	if t.contiguous() {
		out := number.Numbers(data[t.offset*number.Bytes:][:n*number.Bytes], w.order)
		if i := f32.Finite(out); i < n {
			return nil, fmt.Errorf("it holds %v at position %d", out[i], i)
		}
		return out, nil
	}
	out := make([]float32, 0, n)
	place := make([]int, len(t.dims))
	for at := t.offset; ; {
		x := number.At(data, at, w.order)
		if x-x != 0 {
			return nil, fmt.Errorf("it holds %v at position %d", x, len(out))
		}
		out = append(out, x)
		axis := len(place) - 1
		for ; axis >= 0; axis-- { // count like an odometer
			if place[axis]++; place[axis] < t.dims[axis] {
				at += t.strides[axis]
				break
			}
			at -= (t.dims[axis] - 1) * t.strides[axis]
			place[axis] = 0
		}
		if axis < 0 {
			return out, nil
		}
	}
}

// content returns the bytes of a storage.
func (w *walk) content(s *storage, width int) ([]byte, error) {
	if s.inline != nil {
		return s.inline.bytes(w.budget)
	}
	return w.bytes(s, width)
}

// numberType returns the type of the numbers in a class of storages.
func numberType(kind string) (rnn.NumberType, bool) {
	name, ok := map[string]string{
		"DoubleStorage": "F64", "FloatStorage": "F32", "HalfStorage": "F16", "BFloat16Storage": "BF16",
		"LongStorage": "I64", "IntStorage": "I32", "ShortStorage": "I16", "CharStorage": "I8", "ByteStorage": "U8", "BoolStorage": "BOOL",
	}[kind]
	if !ok {
		return rnn.NumberType{}, false
	}
	return rnn.NumberTypeOf(name)
}
