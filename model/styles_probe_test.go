package model

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestProbe(t *testing.T) {
	files, _ := filepath.Glob("testdata/styles/*")
	for _, f := range files {
		if strings.HasSuffix(f, ".json") { continue }
		stem, _, _ := strings.Cut(filepath.Base(f), ".")
		c, err := Compare(t.Context(), f, Options{}, "testdata/styles/"+stem+".json")
		switch {
		case err != nil:
			fmt.Println("ERR ", f, err)
		case c.Right:
			m, _ := Open(t.Context(), f, Options{Vocab: "testdata/styles/"+stem+".json"})
			fmt.Println("ok  ", f, m.Notes)
		default:
			m, _ := Open(t.Context(), f, Options{Vocab: "testdata/styles/"+stem+".json"})
			fmt.Println("DIFF", f, c.Readings, c.Tried, m.Notes)
		}
	}
}
