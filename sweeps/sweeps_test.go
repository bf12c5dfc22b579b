package sweeps_test

import (
	"slices"
	"testing"

	"quotient/sweep"
	"quotient/sweeps"
)

func TestFilesAreSweeps(t *testing.T) {
	names := sweeps.Names()
	if !slices.Equal(names, []string{"paper", "paper-study", "small"}) {
		t.Errorf("%q", names)
	}
	for _, name := range names {
		data, ok := sweeps.Read(name)
		if !ok {
			t.Fatal(name)
		}
		file, err := sweep.Read(name+".yaml", data)
		if err != nil || file.Name != name {
			t.Errorf("%v, %v", file, err)
		}
	}
	if _, ok := sweeps.Read("none"); ok {
		t.Error("there is a file of any name")
	}
}
