package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/automaton/regex"
	"quotient/draw"
	"quotient/word"
)

// A destination is where an automaton is written to, and how.
type destination struct {
	path   string // "-" or empty: standard output
	format string // empty: by the extension of path
	limit  int    // states, where the picture needs a deterministic automaton
}

// outputFlags adds -o and --to.
func outputFlags(cmd *cobra.Command) *destination {
	d := &destination{limit: automaton.DefaultLimit}
	cmd.Flags().StringVarP(&d.path, "output", "o", "", "file to write the automaton to, in the format of its extension")
	formatFlag(cmd, d)
	return d
}

func formatFlag(cmd *cobra.Command, d *destination) {
	cmd.Flags().StringVar(&d.format, "to", "", "format to write: "+strings.Join(formatNames(), ", "))
	cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
}

func formatNames() []string {
	var names []string
	for _, f := range codec.Formats() {
		names = append(names, f.Name)
	}
	return append(names, "svg")
}

// asked reports whether the user wants the automaton written at all.
func (d *destination) asked() bool { return d.path != "" || d.format != "" }

// stdout reports whether the automaton goes to standard output.
func (d *destination) stdout() bool { return d.path == "" || d.path == "-" }

// encoder settles the format.
func (d *destination) encoder() (func(io.Writer, *automaton.NFA) error, error) {
	if d.format == "svg" || d.format == "" && strings.EqualFold(filepath.Ext(d.path), ".svg") {
		return func(w io.Writer, n *automaton.NFA) error {
			dfa, err := automaton.Determinize(n, d.limit)
			if err != nil {
				return err
			}
			return draw.Automaton(w, dfa, draw.Options{})
		}, nil
	}
	var format codec.Format
	var err error
	switch {
	case d.format != "":
		format, err = codec.ByName(d.format)
	case d.stdout():
		format, err = codec.ByName("json")
	default:
		format, err = codec.ByExtension(d.path)
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("%w; and svg (.svg), a picture", err)}
	}
	return func(w io.Writer, n *automaton.NFA) error {
		if format.Deterministic && !n.IsDeterministic() {
			dfa, err := automaton.Determinize(n, d.limit)
			if err != nil {
				return err
			}
			n = dfa.NFA()
		}
		return codec.Write(w, n, format)
	}, nil
}

// write writes the automaton.
func (d *destination) write(stdout io.Writer, n *automaton.NFA) error {
	encode, err := d.encoder()
	if err != nil {
		return err
	}
	return writeFile(d.path, stdout, func(w io.Writer) error { return encode(w, n) })
}

// writeFile lets f write to the file, or to stdout if path is empty or "-". A
// regular file is written aside and renamed, so that it is never seen half
// written; devices, pipes and the like are written to as they are.
func writeFile(path string, stdout io.Writer, f func(io.Writer) error) error {
	if path == "" || path == "-" {
		return f(stdout)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := os.FileMode(0o666) // less the umask
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("cannot write %s: it is a folder", path)
		}
		if !info.Mode().IsRegular() {
			return writeTo(path, path, os.O_WRONLY, mode, f)
		}
		mode = info.Mode().Perm()
	}
	aside := fmt.Sprintf("%s.%d.part", path, os.Getpid())
	if err := writeTo(path, aside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode, f); err != nil {
		os.Remove(aside)
		return err
	}
	return os.Rename(aside, path)
}

// writeTo writes a file; errors name what the user asked for.
func writeTo(asked, path string, flags int, mode os.FileMode, f func(io.Writer) error) error {
	file, err := os.OpenFile(path, flags, mode)
	if err == nil {
		err = errors.Join(f(file), file.Close())
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("cannot write %s: %w", asked, at.Err)
	}
	return err
}

const (
	shownStates = 40 // rows that a printed table has at most
	shownExpr   = 80 // characters that a printed expression has at most
)

// show prints an automaton for people: its size, a table, and a regular
// expression if that is short. The start must be state 1, as after Minimize.
func show(w io.Writer, d *automaton.DFA) {
	fmt.Fprintf(w, "%s over %s\n", plural(d.Len(), "state"), d.Alphabet)
	if d.Len() > 0 && d.Alphabet.Len() <= 20 {
		fmt.Fprintln(w, stateTable(d))
	}
	if e, err := regex.FromDFA(d, shownExpr); err == nil {
		fmt.Fprintf(w, "expression: %s\n", e)
	}
}

// plainTable returns a table without lines.
func plainTable(header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.AppendRow(header)
	return t
}

func stateTable(d *automaton.DFA) string {
	header := []any{"", "state", "accepts"}
	for _, name := range d.Alphabet.Names() {
		header = append(header, word.QuoteName(name))
	}
	t := plainTable(header...)
	for q := automaton.State(1); int(q) <= min(d.Len(), shownStates); q++ {
		row := table.Row{"", stateName(q), ""}
		if q == d.Start {
			row[0] = "→"
		}
		if d.Accept[q] {
			row[2] = "yes"
		}
		for _, to := range d.Row(q) {
			row = append(row, stateName(to))
		}
		t.AppendRow(row)
	}
	text := t.Render()
	if d.Len() > shownStates {
		text += fmt.Sprintf("\n   and %d more; -o FILE writes them all", d.Len()-shownStates)
	}
	return text
}

// stateName numbers states from q0, as the pictures do; a dot is the dead state.
func stateName(q automaton.State) string {
	if q == automaton.Dead {
		return "·"
	}
	return fmt.Sprintf("q%d", q-1)
}

// plural counts things; many is their name if it is not one with an s.
func plural(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}
