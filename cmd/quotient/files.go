package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Flags of all commands that name files: a flag means the same wherever it is. What is read and written, as --answers is, counts as written.
var (
	writingFlags  = []string{"output", "automaton", "plot", "report", "svg", "parquet", "sheet", "answers"}
	readingFlags  = []string{"vocab", "data", "weights", "test", "target", "teacher", "compare", "network", "check", "words-from", "creds", "tls-ca", "tls-cert", "tls-key"}
	printingFlags = []string{"json", "csv", "jsonl", "studies"} // of which no two go together anyway
)

// A fileName is a file that a command reads or writes, and what names it.
type fileName struct{ flag, path string }

// checkFiles refuses to write over a file that is read, or written as well, and to write two things to standard output.
func checkFiles(cmd *cobra.Command, args []string) error {
	if wants := wantStdout(cmd, args); len(wants) > 1 {
		advice := "give one of them a file"
		if slices.Contains(wants, "-o") {
			advice = "add -o FILE"
		}
		return usagef("%s and %s both want standard output; %s", wants[0], wants[1], advice)
	}
	writes, reads := filesOf(cmd, args)
	for i, w := range writes {
		for _, other := range writes[:i] {
			if sameFile(w.path, other.path) {
				return usagef("%s and %s both write %s: give one of them another name", other.flag, w.flag, w.path)
			}
		}
		for _, r := range reads {
			if isThere(r.path) && sameFile(w.path, r.path) { // otherwise it is the name of a language
				return usagef("%s %s: %s reads this file, and it would be overwritten; give it another name", w.flag, w.path, r.flag)
			}
		}
	}
	return nil
}

// wantStdout returns what of a command's output is to go to standard output, other than what it tells people.
func wantStdout(cmd *cobra.Command, args []string) []string {
	var list []string
	writes, _ := filesOf(cmd, args)
	for _, w := range writes {
		if w.path == "-" {
			list = append(list, w.flag)
		}
	}
	f := cmd.Flags()
	if to, o := f.Lookup("to"), f.Lookup("output"); to != nil && o != nil && to.Changed && o.Value.String() == "" {
		list = append(list, "-o")
	}
	for _, name := range printingFlags {
		if on, err := f.GetBool(name); err == nil && on {
			return append(list, "--"+name)
		}
	}
	return list
}

// filesOf returns the files that flags and arguments name. Of the arguments, OUT is written, all others are read.
func filesOf(cmd *cobra.Command, args []string) (writes, reads []fileName) {
	add := func(to *[]fileName, names []string) {
		for _, name := range names {
			flag := cmd.Flags().Lookup(name)
			if flag == nil || !flag.Changed || flag.Value.String() == "" {
				continue
			}
			shown := "--" + name
			if name == "output" {
				shown = "-o"
			}
			*to = append(*to, fileName{shown, flag.Value.String()})
		}
	}
	add(&writes, writingFlags)
	add(&reads, readingFlags)
	for i, name := range strings.Fields(cmd.Use)[1:] {
		switch {
		case i >= len(args) || strings.HasPrefix(name, "["):
			return writes, reads
		case name == "OUT":
			writes = append(writes, fileName{name, args[i]})
		default:
			reads = append(reads, fileName{name, args[i]})
		}
	}
	return writes, reads
}

// sameFile reports whether two names are of one regular file, which need not be there yet. Nobody minds what is written to
// a device twice.
func sameFile(a, b string) bool {
	if a == "-" || b == "-" {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y) && x.Mode().IsRegular()
	}
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errX != nil && errY != nil && errA == nil && errB == nil && a == b
}
