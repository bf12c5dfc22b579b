package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/draw"
	"quotient/draw/paint"
	"quotient/internal/text"
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
	return append(names, paint.Formats...)
}

// readableNames lists the formats in which automata are read.
func readableNames() []string {
	var names []string
	for _, f := range codec.Formats() {
		if f.CanRead() {
			names = append(names, f.Name)
		}
	}
	return names
}

// asked reports whether the user wants the automaton written at all.
func (d *destination) asked() bool { return d.path != "" || d.format != "" }

// stdout reports whether the automaton goes to standard output.
func (d *destination) stdout() bool { return d.path == "" || d.path == "-" }

// encoder settles the format.
func (d *destination) encoder() (func(io.Writer, *automaton.NFA) error, error) {
	if picture := paint.FormatOf(d.format, d.path); picture != "" {
		return func(w io.Writer, n *automaton.NFA) error {
			dfa, err := automaton.Determinize(n, d.limit)
			if err != nil {
				return err
			}
			return paint.As(picture, w, func(w io.Writer) error { return draw.Automaton(w, dfa, draw.Options{}) })
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
		return nil, usageError{fmt.Errorf("%w; and pictures: svg (.svg), pdf (.pdf), png (.png)", err)}
	}
	return func(w io.Writer, n *automaton.NFA) error {
		if format.Deterministic && !n.IsDeterministic() {
			dfa, err := automaton.Determinize(n, d.limit)
			if err != nil {
				return err
			}
			n = dfa.NFA()
		}
		if !format.HasPlaces() {
			return codec.Write(w, n, format)
		}
		layout, err := draw.Layout(n, draw.Places{})
		if err != nil {
			return err
		}
		return codec.WriteAt(w, n, format, layout)
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
		return f(text.Raw(stdout))
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

// writePicture writes what f draws as SVG to the file, in the format of its extension: SVG,
// PDF or PNG.
func writePicture(path string, stdout io.Writer, f func(io.Writer) error) error {
	return writeFile(path, stdout, func(w io.Writer) error { return paint.As(paint.FormatOf("", path), w, f) })
}

// checkPicture refuses names that promise something else than a picture.
func checkPicture(path string) error {
	if ext := filepath.Ext(path); ext != "" && paint.FormatOf("", path) == "" {
		return usagef("%s: pictures are SVG, PDF or PNG; call it %s.svg", path, strings.TrimSuffix(path, ext))
	}
	return nil
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

// A page is where a report goes, and what it says of how it is made again.
type page struct {
	path string
	bare bool
}

// flags adds --report. The Python package asks for a report without a command: its models and words are in no file
// when the program has ended.
func (p *page) flags(cmd *cobra.Command, about string) {
	f := cmd.Flags()
	f.StringVar(&p.path, "report", "", about)
	f.BoolVar(&p.bare, "no-command", false, "leave out of the report the command that makes it again")
	f.MarkHidden("no-command")
}

// command returns the command that a report shows.
func (p *page) command(line string) string {
	if p.bare {
		return ""
	}
	return line
}

// check refuses names that promise something else than a page.
func (p *page) check() error {
	switch ext := filepath.Ext(p.path); strings.ToLower(ext) {
	case "", ".html", ".htm":
		return nil
	default:
		return usagef("%s: a report is a page in HTML; call it %s.html", p.path, strings.TrimSuffix(p.path, ext))
	}
}
