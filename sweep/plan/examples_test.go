package plan

import (
	"slices"
	"testing"
)

func TestFilesAreSweeps(t *testing.T) {
	names := Examples()
	if !slices.Equal(names, []string{"paper", "paper-study", "small"}) {
		t.Errorf("%q", names)
	}
	for _, name := range names {
		data, ok := Example(name)
		if !ok {
			t.Fatal(name)
		}
		file, err := Read(name+".yaml", data)
		if err != nil || file.Name != name {
			t.Errorf("%v, %v", file, err)
		}
	}
	if _, ok := Example("none"); ok {
		t.Error("there is a file of any name")
	}
}
