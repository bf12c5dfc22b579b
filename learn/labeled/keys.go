package labeled

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// guessKeys finds out under which keys words and labels are where no key has a name that is known, by what stands there in
// the first objects.
func (b *builder) guessKeys(entries []entry) {
	o := objectsOf(entries)
	if len(o.rows) == 0 {
		return
	}
	if namedLabel(o.keys) < 0 {
		if b.labelKey = o.labels(); b.labelKey != "" {
			b.note("no key is called as labels are")
		}
	}
	if named(o.keys, wordNames) < 0 {
		if b.wordKey = o.words(b.labelKey); b.wordKey != "" {
			b.note("no key is called as words are")
		}
	}
}

// objects are the first of a file, and their keys in order.
type objects struct {
	rows []map[string]any
	keys []string
}

func objectsOf(entries []entry) (o objects) {
	all := map[string]bool{}
	for _, e := range entries {
		var row map[string]any
		if len(o.rows) == looked {
			break
		}
		if e.begin() != '{' || e.tooLong() || json.Unmarshal([]byte(e.text), &row) != nil {
			continue
		}
		o.rows = append(o.rows, row)
		for key := range row {
			all[key] = true
		}
	}
	o.keys = slices.Sorted(maps.Keys(all))
	return o
}

// labels returns the key under which labels are and nothing else, if there is one: rather one of whose name a part is as
// labels are called, as in gold_label.
func (o objects) labels() string {
	var found []string
	for _, key := range o.keys {
		if named([]string{key}, wordNames) < 0 && !isID(key) && o.holdLabels(key) {
			found = append(found, key)
		}
	}
	for _, key := range found {
		if namedLabel(strings.FieldsFunc(key, func(r rune) bool { return strings.ContainsRune("_- .", r) })) >= 0 {
			return key
		}
	}
	return append(found, "")[0]
}

func (o objects) holdLabels(key string) bool {
	some := false
	for _, row := range o.rows {
		text, ok := scalar(row[key])
		if !ok {
			return false
		}
		if _, ok = parseLabel(text); !ok {
			return false
		}
		some = some || labelKind(text) != noKind
	}
	return some
}

// words returns the only key under which all objects have a list, or a text if none has lists.
func (o objects) words(label string) string {
	for _, fits := range []func(any) bool{isList, isText} {
		var found []string
		for _, key := range o.keys {
			misfit := func(row map[string]any) bool { return !fits(row[key]) }
			if key != label && namedLabel([]string{key}) < 0 && !isID(key) && !slices.ContainsFunc(o.rows, misfit) {
				found = append(found, key)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		if len(found) > 1 {
			return ""
		}
	}
	return ""
}

func isList(v any) bool { _, ok := v.([]any); return ok }

func isText(v any) bool { _, ok := v.(string); return ok }
