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
	d := &dict{}
	for i, item := range items {
		var name any = fmt.Sprint(i)
		if pair := sequence(item); len(pair) == 2 && tensorOf(pair[1]) != nil { // of a dictionary's items
			name, item = pair[0], pair[1]
		}
		d.keys, d.values = append(d.keys, name), append(d.values, item)
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

// others notes what else than the model there is in a dictionary that looks like one. Large
// tables of other things may stand there: the search ends early, and costs the model nothing
// of what it may have.
func (w *walk) others(d *dict, model, name string, depth int) error {
	if w.aside {
		return nil
	}
	visits := w.visits
	w.aside = true
	defer func() { w.visits, w.aside = visits, false }()
	for i, key := range d.keys {
		text, ok := key.(string)
		if !ok || text == model || training.MatchString(text) {
			continue
		}
		_, models, err := w.candidates(d.values[i], join(name, text), depth-1)
		if w.visits > maxParts {
			return nil
		}
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

// nothing says why there is no model in a file.
func nothing(root any) error {
	const way = "torch.save(model.state_dict(), FILE) writes what is read"
	d, ok := root.(*dict)
	switch {
	case !ok:
		return fmt.Errorf("there is neither a module nor a dictionary of tensors in it, but %s; %s", describe(root), way)
	case len(d.keys) == 0:
		return fmt.Errorf("the dictionary in it is empty; %s", way)
	}
	if _, ok := d.get("param_groups"); ok {
		return fmt.Errorf("it has the state of an optimizer, and no model; %s", way)
	}
	var keys []string
	for i, k := range d.keys {
		if i == 8 {
			keys = append(keys, "…")
			break
		}
		if text, ok := k.(string); ok {
			keys = append(keys, fmt.Sprintf("%.40s (%s)", text, describe(d.values[i])))
		}
	}
	return fmt.Errorf("there is neither a module nor a dictionary of tensors in it, but a dictionary with %s; %s", strings.Join(keys, ", "), way)
}

// kindOfKey says what a key is that is no text.
func kindOfKey(key any) string {
	switch key.(type) {
	case raw:
		return "bytes"
	case tuple:
		return "tuples"
	case int64, float64, bool:
		return "numbers"
	}
	return "no text"
}
