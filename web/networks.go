package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/rnn"
	"quotient/train"
	"quotient/zoo"
)

// Names of networks begin with where they are from.
const (
	fromZoo    = zoo.Prefix
	fromRuns   = "run:"    // a path under the folder that the server was given
	fromUpload = "upload:" // a file that was dropped on the page
)

// A network is what the page knows of one: the badge.
type network struct {
	Name      string         `json:"name"`
	Title     string         `json:"title"` // for people
	Format    string         `json:"format"`
	Cell      string         `json:"cell,omitempty"`
	Layers    int            `json:"layers,omitempty"`
	Hidden    int            `json:"hidden,omitempty"`
	Dim       int            `json:"dim,omitempty"` // numbers of a state
	Symbols   []string       `json:"symbols"`
	Language  string         `json:"language,omitempty"`  // that it was trained on, if it is known
	Stateless string         `json:"stateless,omitempty"` // why it shows no states, if it does not
	Notes     []string       `json:"notes,omitempty"`     // guesses about what the file does not say
	Record    *train.Record  `json:"record,omitempty"`
	Epochs    []int          `json:"epochs,omitempty"` // after which it can be had
	Records   []train.Record `json:"records,omitempty"`

	net      prefix.Oracle
	states   prefix.Recognizer // the same; nil if it shows no states
	language *automaton.DFA    // nil if it is not known
	size     int64             // bytes of its parameters
	argument string            // what the command line calls it
	flags    []string          // and what it must be told, quoted
}

// describe fills in what a network itself says.
func (n *network) describe(r *rnn.Network) {
	runner := rnn.NewRunner(r, 0)
	n.net, n.states = runner, runner
	n.Cell, n.Layers, n.Hidden = r.Cell.String(), r.Layers, r.Hidden
	n.Dim, n.Symbols = runner.Dim(), r.Alphabet.Names()
	n.size = 8 * int64(r.Tokens*r.Embedding+r.Layers*16*r.Hidden*r.Hidden)
}

// A catalog finds networks by name.
type catalog struct {
	dir     string
	root    *os.Root // of dir; nil if there is none
	uploads *cache[*network]
	zoo     func() ([]zoo.Info, error)
}

func newCatalog(dir string, uploads *cache[*network]) (*catalog, error) {
	c := &catalog{dir: dir, uploads: uploads, zoo: sync.OnceValues(zoo.List)}
	if dir == "" {
		return c, nil
	}
	var err error
	c.root, err = os.OpenRoot(dir)
	return c, err
}

// open opens a network.
func (c *catalog) open(ctx context.Context, name string) (*network, error) {
	switch {
	case strings.HasPrefix(name, fromZoo):
		n, info, err := zoo.Open(name)
		if err != nil {
			return nil, badRequest{err}
		}
		return trained(name, name, info.Run, info.Record, n), nil
	case strings.HasPrefix(name, fromRuns):
		return c.openRun(name)
	case strings.HasPrefix(name, fromUpload):
		return c.uploads.get(ctx, name, func(context.Context) (*network, error) {
			return nil, badf("%s is not known (any longer): drop the file on the page again", name)
		})
	}
	return nil, badf("%q is no network; names begin with %s, %s or %s", name, fromZoo, fromRuns, fromUpload)
}

// trained describes a network that comes from a training run.
func trained(name, argument string, run *train.Run, record train.Record, r *rnn.Network) *network {
	n := &network{
		Name: name, Title: strings.TrimPrefix(strings.TrimPrefix(name, fromZoo), fromRuns), Format: "training run",
		Language: run.Settings.Language, Record: &record, Epochs: run.Kept(), Records: run.Records,
		language: run.Language, argument: argument,
	}
	n.describe(r)
	return n
}

func (c *catalog) openRun(name string) (*network, error) {
	if c.root == nil {
		return nil, badf("%s: the server was given no folder of runs; start it with --dir FOLDER", name)
	}
	folder, epoch := strings.TrimPrefix(name, fromRuns), 0
	if at := strings.LastIndexByte(folder, '@'); at >= 0 {
		var err error
		if epoch, err = strconv.Atoi(folder[at+1:]); err != nil || epoch < 1 {
			return nil, badf("%s: %q is not an epoch; they are counted from 1", name, folder[at+1:])
		}
		folder = folder[:at]
	}
	run, err := c.run(folder)
	if err != nil {
		return nil, badRequest{err}
	}
	n, record, err := run.Network(epoch)
	if err != nil {
		return nil, badRequest{err}
	}
	argument := filepath.Join(c.dir, filepath.FromSlash(folder))
	if epoch > 0 {
		argument += "@" + strconv.Itoa(epoch)
	}
	return trained(name, argument, run, record, n), nil
}

// run opens a run under the folder. An os.Root follows no path and no symbolic
// link that leads out of it.
func (c *catalog) run(folder string) (*train.Run, error) {
	if !fs.ValidPath(folder) {
		return nil, fmt.Errorf("%q is no path under the server's folder", folder)
	}
	sub, err := fs.Sub(c.root.FS(), folder)
	if err != nil {
		return nil, err
	}
	run, err := train.OpenFS(fromRuns+folder, sub)
	if err == nil && len(run.Records) == 0 {
		err = errors.New(fromRuns + folder + ": no epoch of it is complete yet")
	}
	return run, err
}

// Bounds on looking for runs.
const (
	maxDepth   = 4
	maxFolders = 10_000
)

// runs lists the runs under the folder.
func (c *catalog) runs(ctx context.Context) ([]*network, error) {
	list := []*network{}
	if c.root == nil {
		return list, nil
	}
	looked := 0
	err := fs.WalkDir(c.root.FS(), ".", func(at string, d fs.DirEntry, err error) error {
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
		run, err := c.run(at)
		if err == nil {
			list = append(list, listed(fromRuns+at, run))
			return fs.SkipDir
		}
		if strings.Count(at, "/")+1 >= maxDepth {
			return fs.SkipDir
		}
		return nil
	})
	return list, err
}

// listed describes a run without opening its networks.
func listed(name string, run *train.Run) *network {
	best := train.Best(run.Records)
	return &network{
		Name: name, Title: strings.TrimPrefix(strings.TrimPrefix(name, fromZoo), fromRuns), Format: "training run",
		Cell: run.Settings.Cell, Layers: run.Settings.Layers, Hidden: run.Settings.Hidden,
		Symbols: run.Language.Alphabet.Names(), Language: run.Settings.Language, Record: &best, Epochs: run.Kept(),
	}
}

// list describes all networks that can be picked.
func (c *catalog) list(ctx context.Context) (bundled, runs []*network, err error) {
	all, err := c.zoo()
	if err != nil {
		return nil, nil, err
	}
	for _, info := range all {
		bundled = append(bundled, listed(info.Name, info.Run))
	}
	slices.SortStableFunc(bundled, func(a, b *network) int { return strings.Compare(a.Cell, b.Cell) })
	runs, err = c.runs(ctx)
	return bundled, runs, err
}

// withoutEpoch returns the name of a run without the epoch behind it.
func withoutEpoch(name string) string {
	if at := strings.LastIndexByte(name, '@'); at >= 0 {
		if _, err := strconv.Atoi(name[at+1:]); err == nil {
			return name[:at]
		}
	}
	return name
}

func atEpoch(name string, epoch int) string { return name + "@" + strconv.Itoa(epoch) }
