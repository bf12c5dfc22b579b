package model

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"quotient/internal/secret"
	"quotient/train"
	"quotient/zoo"
)

// An Opener is a way to open networks by name.
type Opener struct {
	Prefix string // with which the names begin that it opens; empty: any other
	Open   func(ctx context.Context, name string, o Options) (*Model, error)
	List   func(ctx context.Context) ([]Listing, error) // what it can open; nil: that is not known
}

// A Listing is a network that can be opened.
type Listing struct {
	Name string
	Run  *train.Run // that it comes from
}

// openers are the ways to open a network on this machine.
var openers = []Opener{Zoo, {Open: openPath}}

// Find returns the opener of a name.
func Find(openers []Opener, name string) (Opener, error) {
	var prefixes []string
	for _, p := range openers {
		if strings.HasPrefix(name, p.Prefix) {
			return p, nil
		}
		prefixes = append(prefixes, p.Prefix)
	}
	return Opener{}, fmt.Errorf("%q is no network; names begin with %s", name, strings.Join(prefixes, ", "))
}

// Zoo opens the networks that come with the program.
var Zoo = Opener{
	Prefix: zoo.Prefix,
	Open: func(_ context.Context, name string, o Options) (*Model, error) {
		if err := o.unused(name); err != nil {
			return nil, err
		}
		n, found, err := zoo.Open(name)
		if err != nil {
			return nil, err
		}
		return trained(name, "a network that comes with the program", o, found.Run, found.Record, n), nil
	},
	List: func(context.Context) ([]Listing, error) {
		all, err := zoo.List()
		var list []Listing
		for _, info := range all {
			list = append(list, Listing{info.Name, info.Run})
		}
		return list, err
	},
}

// Runs opens the training runs below a folder, and nothing else there: names are paths
// below it, behind a prefix. What can be reached from the folder is up to the file system;
// that of an [os.Root] follows no path and no symbolic link that leads out of it. On the
// command line, the folder is called dir.
func Runs(prefix string, root fs.FS, dir string) Opener {
	return Opener{
		Prefix: prefix,
		Open: func(_ context.Context, name string, o Options) (*Model, error) {
			folder, epoch, err := cutEpoch(strings.TrimPrefix(name, prefix))
			if err != nil {
				return nil, err
			}
			run, err := runBelow(root, prefix, folder)
			if err != nil {
				return nil, err
			}
			n, record, err := run.Network(epoch)
			if err != nil {
				return nil, err
			}
			return trained(path.Join(dir, strings.TrimPrefix(name, prefix)), "a training run", o, run, record, n), nil
		},
		List: func(ctx context.Context) ([]Listing, error) { return listRuns(ctx, prefix, root) },
	}
}

func runBelow(root fs.FS, prefix, folder string) (*train.Run, error) {
	if !fs.ValidPath(folder) {
		return nil, fmt.Errorf("%q is no path below the folder", folder)
	}
	sub, err := fs.Sub(root, folder)
	if err != nil {
		return nil, err
	}
	run, err := train.OpenFS(prefix+folder, sub)
	if err == nil && len(run.Records) == 0 {
		err = errors.New(prefix + folder + ": no epoch of it is complete yet")
	}
	return run, err
}

// Bounds on looking for runs.
const (
	maxDepth   = 4
	maxFolders = 10_000
)

func listRuns(ctx context.Context, prefix string, root fs.FS) ([]Listing, error) {
	var list []Listing
	looked := 0
	err := fs.WalkDir(root, ".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil || !d.IsDir():
			return nil // what cannot be read is not offered
		case at != "." && strings.HasPrefix(path.Base(at), "."):
			return fs.SkipDir
		}
		if looked++; looked > maxFolders {
			return fs.SkipAll
		}
		if run, err := runBelow(root, prefix, at); err == nil {
			list = append(list, Listing{prefix + at, run})
			return fs.SkipDir
		}
		if strings.Count(at, "/")+1 >= maxDepth {
			return fs.SkipDir
		}
		return nil
	})
	return list, err
}

// openPath opens a file or a folder.
func openPath(ctx context.Context, name string, o Options) (*Model, error) {
	folder, epoch := name, 0
	if _, err := os.Stat(name); err != nil {
		if folder, epoch, err = cutEpoch(name); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(folder)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if epoch > 0 {
			return nil, fmt.Errorf("%s: %s is a file, and only runs have epochs", name, folder)
		}
		m, err := openFile(folder, info, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		m.Name, m.options = name, o
		return m, nil
	}
	if file := mlflow(folder); file != "" && epoch == 0 {
		return openPath(ctx, file, o)
	}
	if err := o.unused(name); err != nil {
		return nil, err
	}
	run, err := train.Open(folder)
	if err != nil {
		return nil, err
	}
	n, rec, err := run.Network(epoch)
	if err != nil {
		return nil, err
	}
	return trained(name, "a training run", o, run, rec, n), nil
}

// cutEpoch splits RUN@3.
func cutEpoch(name string) (path string, epoch int, err error) {
	i := strings.LastIndexByte(name, '@')
	if i < 0 {
		return name, 0, nil
	}
	epoch, err = strconv.Atoi(name[i+1:])
	if err != nil || epoch < 1 {
		return "", 0, fmt.Errorf("%s: %q is not an epoch; they are counted from 1", name, name[i+1:])
	}
	return name[:i], epoch, nil
}

// WithoutEpoch returns the name of a run without the epoch behind it.
func WithoutEpoch(name string) string {
	if path, epoch, err := cutEpoch(name); err == nil && epoch > 0 {
		return path
	}
	return name
}

// AtEpoch returns the name of the network after an epoch of a run.
func AtEpoch(name string, epoch int) string { return name + "@" + strconv.Itoa(epoch) }

// Epochs returns the epochs after which there are networks of a name; none if it is no run's,
// or about one epoch alone.
func Epochs(ctx context.Context, name string) ([]int, error) {
	m, err := Open(ctx, name, Options{Threads: 1})
	if err != nil || m.Run == nil || WithoutEpoch(name) != name {
		return nil, err
	}
	return m.Run.Kept(), nil
}

// Rename says what the command line calls the network, and its vocabulary if it has one.
func (m *Model) Rename(name, vocab string) {
	m.Name = name
	if m.options.Vocab != "" {
		m.options.Vocab = vocab
	}
}

// Arguments returns what the command line is told to open the network: its name, and what
// its file does not say.
func (m *Model) Arguments() []string {
	o := m.options
	padTo := ""
	if o.PadTo > 0 {
		padTo = strconv.Itoa(o.PadTo)
	}
	layer := ""
	if o.Layer > 0 {
		layer = strconv.Itoa(o.Layer)
	}
	var words []string
	if !o.elsewhere() {
		words = append(words, m.Name)
	}
	for _, flag := range [][2]string{
		{"exec", o.Exec},
		{"http", secret.Redact(o.HTTP, o.HTTP)},
		{"weights", o.Weights},
		{"vocab", o.Vocab},
		{"key", o.Key},
		{"symbols", strings.Join(o.Symbols, ",")},
		{"bos", o.Bos},
		{"eos", o.Eos},
		{"activation", o.Activation},
		{"nonlinearity", o.Nonlinearity},
		{"gates", o.Gates},
		{"layer-order", o.Order},
		{"summary", o.Summary},
		{"layer", layer},
		{"embedding-scale", o.Scale},
		{"pool", o.Pool},
		{"norm", o.Norm},
		{"head", o.Head},
		{"pad", o.Pad},
		{"pad-to", padTo},
		{"pad-side", o.PadSide},
		{"as", o.As},
		{"yes", o.Yes},
		{"threshold", o.Threshold},
	} {
		if flag[1] != "" {
			words = append(words, "--"+flag[0], flag[1])
		}
	}
	if o.Reverse {
		words = append(words, "--reverse")
	}
	return words
}
