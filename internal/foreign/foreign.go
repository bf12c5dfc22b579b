// Package foreign finds files made elsewhere that some tests use: networks and
// languages that are too large or not ours to be part of the repository.
package foreign

import (
	"os"
	"path/filepath"
	"testing"
)

// Files returns the files that a pattern matches, given as elements of a path: under
// the folder that the environment variable QUOTIENT_TESTDATA names or, if it is not
// set, in the folder "shared" beside the repository. Where there are none it skips
// the test and says so.
func Files(t testing.TB, pattern ...string) []string {
	t.Helper()
	root := os.Getenv("QUOTIENT_TESTDATA")
	if root == "" {
		root = filepath.Join(repository(t), "..", "shared")
	}
	path := filepath.Join(append([]string{root}, pattern...)...)
	files, err := filepath.Glob(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("not tested: there is no %s; set QUOTIENT_TESTDATA to a folder that has %s", path, filepath.Join(pattern...))
	}
	return files
}

// repository returns the folder of go.mod, above the package that is tested.
func repository(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			t.Fatal("no go.mod above the test")
		}
		folder = above
	}
}
