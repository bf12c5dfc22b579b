package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// Whichever way the program was built, it knows its version, its revision and its date.
func TestDescribe(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-11-16T04:00:00Z"}}
	for name, c := range map[string]struct {
		version                 string
		main                    string
		settings                []debug.BuildSetting
		want, revision, written string
	}{
		"a release":              {"1.2.3", "v1.2.3", vcs, "1.2.3", "0123456789ab", "2026-11-16"},
		"go build at a tag":      {"development", "v1.2.3", vcs, "1.2.3", "0123456789ab", "2026-11-16"},
		"go build":               {"development", "v0.0.0-20261116040000-0123456789ab+dirty", vcs, "development", "0123456789ab", "2026-11-16"},
		"go install of a tag":    {"development", "v1.2.3", nil, "1.2.3", "", ""},
		"go install of a commit": {"development", "v0.0.0-20261116040000-0123456789ab", nil, "development", "0123456789ab", "2026-11-16"},
		"go run":                 {"development", "(devel)", nil, "development", "", ""},
	} {
		b := describe(c.version, &debug.BuildInfo{Main: debug.Module{Version: c.main}, Settings: c.settings})
		if b.Version != c.want || b.Revision != c.revision || b.Date != c.written {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// There is a page for the program and for each command, with its flags.
func TestManPages(t *testing.T) {
	folder := t.TempDir()
	root := newRoot()
	root.SetArgs([]string{"man", folder})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"quotient.1": "quotient-extract(1)", "quotient-extract.1": "\\-\\-kappa", "quotient-sweep-run.1": ".SH EXAMPLES"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v, want %q in it", name, err, want)
		}
	}
}
