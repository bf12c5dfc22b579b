package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quotient/report"
	"quotient/study"
)

// writeSteps writes the merging of a study into a folder: a numbered SVG for every step, and
// one of all that moves.
func writeSteps(folder string, s *study.Study) error {
	film, err := report.Merging(s.Result, s.Model+": merging")
	if err != nil {
		return err
	}
	frames, err := film.Frames()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for k := range frames.Len() {
		name := filepath.Join(folder, fmt.Sprintf("step-%03d.svg", k))
		if err := writeFile(name, nil, func(w io.Writer) error { return frames.Write(w, k) }); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(folder, "merging.svg"), nil, frames.Animate)
}
