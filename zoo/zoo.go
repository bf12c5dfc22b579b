// Package zoo holds the networks that come with the program: for each Tomita
// language an Elman network after every epoch of the paper's recipe, and a GRU
// and an LSTM.
//
// A network is a training run, see package train, put into one zip file; so it
// comes with its settings, its language and its records. They are trained by this
// program alone, with
//
//	go generate ./zoo
package zoo

import (
	"archive/zip"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"quotient/rnn"
	"quotient/train"
)

//go:generate go run ./retrain

//go:embed networks
var embedded embed.FS

// Prefix is how the name of a bundled network begins, where others are possible.
const Prefix = "zoo:"

// An Info says what a network is.
type Info struct {
	Name   string       // as in zoo:tomita5, with the epoch if one was asked for
	Run    *train.Run   // its settings, its language and all its records
	Record train.Record // of the epoch after which it is
}

// List describes all networks, after their best epochs, in the order of their
// names.
func List() ([]Info, error) { return shelf().list() }

// Open returns a network by name: zoo:tomita5 is that after the best epoch,
// zoo:tomita5@3 that after the third. The prefix may be left out.
func Open(name string) (*rnn.Network, Info, error) { return shelf().open(name) }

// Pack writes a run, with the networks after the given epochs, as a file of this
// package. The same run gives the same bytes.
func Pack(w io.Writer, r *train.Run, epochs []int) error {
	z := zip.NewWriter(w)
	for _, name := range train.Files(epochs) {
		data, err := fs.ReadFile(r.Folder(), name)
		if err != nil {
			return err
		}
		// Weights do not compress, so they are stored.
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := f.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// Extension is that of the files.
const Extension = ".zip"

// A collection is a folder of files.
type collection struct{ fs.FS }

func shelf() collection {
	sub, err := fs.Sub(embedded, "networks")
	if err != nil {
		panic("zoo: " + err.Error())
	}
	return collection{sub}
}

func (c collection) names() ([]string, error) {
	names, err := fs.Glob(c, "*"+Extension)
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], Extension)
	}
	slices.Sort(names)
	return names, err
}

func (c collection) list() ([]Info, error) {
	names, err := c.names()
	if err != nil {
		return nil, err
	}
	var list []Info
	for _, name := range names {
		run, err := c.run(name)
		if err != nil {
			return nil, err
		}
		list = append(list, Info{Prefix + name, run, train.Best(run.Records)})
	}
	return list, nil
}

func (c collection) open(name string) (*rnn.Network, Info, error) {
	name = strings.TrimPrefix(name, Prefix)
	base, text, chosen := strings.Cut(name, "@")
	epoch := 0
	if chosen {
		var err error
		if epoch, err = strconv.Atoi(text); err != nil || epoch < 1 {
			return nil, Info{}, fmt.Errorf("%s%s: %q is not an epoch; they are counted from 1", Prefix, name, text)
		}
	}
	run, err := c.run(base)
	if err != nil {
		return nil, Info{}, err
	}
	n, rec, err := run.Network(epoch)
	return n, Info{Prefix + name, run, rec}, err
}

// run opens a file.
func (c collection) run(name string) (*train.Run, error) {
	data, err := fs.ReadFile(c, name+Extension)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			names, _ := c.names()
			return nil, fmt.Errorf("no bundled network is called %q; there are %s", name, strings.Join(names, ", "))
		}
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", Prefix, name, err)
	}
	run, err := train.OpenFS(Prefix+name, z)
	if err == nil && len(run.Records) == 0 {
		err = fmt.Errorf("%s%s: it has no records", Prefix, name)
	}
	return run, err
}
