// Package sweeps holds the sweep files that come with the program.
package sweeps

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.yaml
var files embed.FS

const extension = ".yaml"

// Names returns the names of all files, without their extension, sorted.
func Names() []string {
	found, err := fs.Glob(files, "*"+extension)
	if err != nil {
		panic("sweeps: " + err.Error()) // the pattern is sound
	}
	for i := range found {
		found[i] = strings.TrimSuffix(found[i], extension)
	}
	slices.Sort(found)
	return found
}

// Read returns a file, and reports whether there is one of that name.
func Read(name string) ([]byte, bool) {
	data, err := files.ReadFile(name + extension)
	return data, err == nil
}
