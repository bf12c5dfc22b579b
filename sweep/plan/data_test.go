package plan

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// write makes files in the working folder.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// What is wrong with a file of words is told with the line that names it, before there is any task: no network is
// trained for an extraction that cannot be done.
func TestDataIsLookedAtFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"good.csv": "a,1\n", "empty.csv": "", "blank.csv": "\n\n", "label.csv": "a,1\nb,7\n"})
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"missing.csv": "x.yaml:5: data: there is no file missing.csv",
		"empty.csv":   "x.yaml:5: data: empty.csv: there is no word in it",
		"blank.csv":   "x.yaml:5: data: blank.csv: there is no word in it",
		"label.csv":   "x.yaml:5: data: label.csv:2: column 2: the label \"7\" is none of",
		"folder":      "x.yaml:5: data: folder is no file",
	} {
		f, err := Read("x.yaml", []byte("train: {language: tomita1}\nextract:\n  - data: good.csv\n  - method: fold\n    data: [good.csv, "+name+"]\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		for task, err := range f.Tasks(t.Context(), nil) {
			if err == nil {
				t.Errorf("%s: %s", name, task)
			}
		}
	}
}

// Without a file of words its results are found by what is known to have stood in it.
func TestRecall(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"a.csv": "a,1\n", "b.csv": "b,0\n"})
	f, err := Read("x.yaml", []byte("model: zoo:tomita1\nextract: {data: [a.csv, b.csv, '']}"))
	if err != nil {
		t.Fatal(err)
	}
	keys := func() (list []string) {
		for task, err := range f.Tasks(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, task.Key())
		}
		return list
	}
	var digests map[string]string
	for n, err := range f.Networks(nil) {
		if err != nil {
			t.Fatal(err)
		}
		digests = n.Data()
	}
	want := keys()
	if len(digests) != 2 || len(f.Changed(digests)) > 0 {
		t.Errorf("%v, changed: %v", digests, f.Changed(digests))
	}
	if err := os.Remove("a.csv"); err != nil {
		t.Fatal(err)
	}
	if gone, other, err := f.Recall(digests); err != nil || len(other) > 0 || !slices.Equal(gone, []string{"a.csv"}) {
		t.Errorf("gone: %v, %v", gone, err)
	}
	if got := keys(); len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, _, err := f.Recall(nil); err == nil || !strings.Contains(err.Error(), "x.yaml:2: data: there is no file a.csv, and no run has noted") {
		t.Errorf("nothing is known: %v", err)
	}
	write(t, map[string]string{"b.csv": ""})
	if changed := f.Changed(digests); !slices.Equal(changed, []string{"b.csv"}) {
		t.Errorf("changed: %v", changed)
	}
	gone, other, err := f.Recall(digests)
	if err != nil || !slices.Equal(gone, []string{"a.csv"}) || !slices.Equal(other, []string{"b.csv"}) {
		t.Errorf("gone: %v, changed: %v, %v", gone, other, err)
	}
	if got := keys(); len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("of a file that has changed %v, want %v", got, want)
	}
}
