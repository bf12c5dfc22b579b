package plan

import (
	"embed"
	"path"
	"slices"
	"strings"
)

//go:embed examples
var examples embed.FS

// Examples returns the names of the sweep files that come with the program, sorted.
func Examples() (names []string) {
	files, _ := examples.ReadDir("examples") // it is in the program
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}

// Example returns one of these files, and reports whether there is one of that name.
func Example(name string) ([]byte, bool) {
	data, err := examples.ReadFile(path.Join("examples", name+".yaml"))
	return data, err == nil
}
