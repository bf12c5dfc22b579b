package results

import (
	"iter"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quotient/internal/tfevents"
	"quotient/sweep/plan"
)

// WriteTensorBoard writes what came of a sweep as event files: a folder for each network
// that was trained, with its records over the epochs, and one for each way to extract,
// with medians over the seeds. It returns how many there are. The same results give the
// same bytes.
func WriteTensorBoard(folder string, f *plan.File, results iter.Seq2[*plan.Result, error]) (int, error) {
	b := board{folder: folder, used: map[string]int{}}
	training, extraction := Trainings(f, results), Extractions(f, results)
	var metrics []string
	for _, c := range training.Columns {
		if !c.Sets && c.Type != reflect.String && c.Name != "epoch" {
			metrics = append(metrics, c.Name)
		}
	}
	err := b.write("train", training, metrics, "epoch")
	if err == nil {
		err = b.write("extract", extraction, []string{"accuracy", "states", "merged", "exact", "network", "norm", "saturation"}, "epoch", "seed")
	}
	return b.files, err
}

// A board is a folder of event files.
type board struct {
	folder string
	used   map[string]int // how many have a name: in that of a folder, languages may look alike
	files  int
}

// write writes a file for all rows that differ only in some columns, with the medians of
// some metrics over the epochs.
func (b *board) write(kind string, t Table, metrics []string, over ...string) error {
	by := slices.DeleteFunc(slices.Clone(t.Varying), func(name string) bool { return slices.Contains(over, name) })
	groups, err := t.GroupBy(append(slices.Clone(by), "epoch"), metrics)
	if err != nil {
		return err
	}
	for len(groups) > 0 {
		first := groups[0].By[:len(by)]
		var list []tfevents.Scalar
		for len(groups) > 0 && slices.Equal(first, groups[0].By[:len(by)]) {
			step, _ := groups[0].By[len(by)].(int64)
			for i, q := range groups[0].Metrics {
				if q.N > 0 {
					list = append(list, tfevents.Scalar{Tag: kind + "/" + metrics[i], Step: step, Value: q.Median})
				}
			}
			groups = groups[1:]
		}
		name := filepath.Join(b.folder, kind, fileLabel(label(by, first)))
		if b.used[name]++; b.used[name] > 1 {
			name += "-" + strconv.Itoa(b.used[name])
		}
		b.files++
		if err := tfevents.Write(name, list); err != nil {
			return err
		}
	}
	return nil
}

// noFile are characters that the name of a folder does not have.
var noFile = regexp.MustCompile(`[^A-Za-z0-9_.-]`)

// fileLabel returns a label as the name of a folder, which must not be long.
func fileLabel(label string) string {
	label = noFile.ReplaceAllString(strings.ReplaceAll(label, ", ", "-"), "_")
	return label[:min(len(label), 200)]
}
