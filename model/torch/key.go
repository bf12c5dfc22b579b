package torch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Usual reports whether training programs keep the model's own weights under a key.
func Usual(key string) bool { return slices.Contains(usual, key) }

// numbered gives the items of a list, and what stands under numbers, names: 0, 1, ….
func (w *walk) numbered(root any) (any, error) {
	if d, ok := root.(*dict); ok {
		if !slices.ContainsFunc(d.keys, func(k any) bool { _, ok := k.(int64); return ok }) {
			return root, nil
		}
		named := &dict{values: d.values}
		for _, k := range d.keys {
			if n, ok := k.(int64); ok {
				k = fmt.Sprint(n)
			}
			named.keys = append(named.keys, k)
		}
		return named, w.budget.spend(perOperation * len(d.keys))
	}
	items := sequence(root)
	if items == nil {
		return root, nil
	}
	d := &dict{values: items}
	for i := range items {
		d.keys = append(d.keys, fmt.Sprint(i))
	}
	return d, w.budget.spend(perOperation * len(items))
}

// under follows a key into dictionaries, and returns what it leads to and what is left of it.
func under(value any, key string) (any, string) {
	for key != "" && !isModule(value) {
		d, ok := value.(*dict)
		if r, is := value.(*record); is {
			d, ok = r.attributes(), true
		}
		if !ok {
			return value, key
		}
		if inner, ok := d.get(key); ok {
			return inner, ""
		}
		first, rest, _ := strings.Cut(key, ".")
		inner, ok := d.get(first)
		if !ok {
			return value, key
		}
		value, key = inner, rest
	}
	return value, key
}

// training matches the keys of what is no model.
var training = regexp.MustCompile(`(?i)optim|sched|loss|criteri|scaler|rng|metric|callback|hparam|hyper_param|config|args|history`)

// others notes what else than the model there is in a dictionary that looks like one.
func (w *walk) others(d *dict, model, name string, depth int) error {
	for i, key := range d.keys {
		text, ok := key.(string)
		if !ok || text == model || training.MatchString(text) {
			continue
		}
		_, models, err := w.candidates(d.values[i], join(name, text), depth-1)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(models, hasMatrix) && !slices.Contains(w.model.Beside, join(name, text)) {
			w.model.Beside = append(w.model.Beside, join(name, text))
		}
	}
	return nil
}

// hasMatrix reports whether a model, of those that candidates returns, may have weights.
func hasMatrix(model any) bool {
	d, ok := model.(*dict)
	return !ok || slices.ContainsFunc(d.values, func(v any) bool { return dimensions(v) > 1 })
}
