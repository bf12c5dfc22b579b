// Package model opens networks under one scheme of names:
//
//	zoo:tomita5        a network that comes with the program
//	runs/tomita5       a training run's folder: its best epoch
//	runs/tomita5@3     the network after an epoch of it; zoo:tomita5@3 likewise
//	file.safetensors   weights with PyTorch's parameter names
package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"quotient/prefix"
	"quotient/rnn"
	"quotient/train"
	"quotient/word"
	"quotient/zoo"
)

// Options say what a file's tokens mean where the file itself does not.
type Options struct {
	Symbols []string // of the tokens 0, 1, ..., that of <bos> left out
	Bos     int32    // the token of <bos>; negative: the one after the symbols
	Threads int      // that the network may use; 0: one for every core
}

// A Model is a network, opened.
type Model struct {
	Name      string
	Format    string        // what it was read from, in words
	Net       prefix.Oracle // also a prefix.Recognizer unless Stateless says why not
	Stateless string
	Network   *rnn.Network  // if it is of the kind that this program trains; nil for others
	Stack     *rnn.Stack    // the network as it runs; nil if it runs elsewhere
	Language  string        // its name; empty if it is not known
	Record    *train.Record // of the epoch after which it is; nil if it is not known
}

// Open opens a network.
func Open(ctx context.Context, name string, o Options) (*Model, error) {
	if name == "" {
		return nil, errors.New("the name of the network is empty")
	}
	if strings.HasPrefix(name, zoo.Prefix) {
		if err := o.unused(name); err != nil {
			return nil, err
		}
		n, found, err := zoo.Open(name)
		if err != nil {
			return nil, err
		}
		return ours(name, "a network that comes with the program", o.Threads, n, found.Run, found.Record), nil
	}
	folder, epoch, err := cutEpoch(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(folder)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if epoch > 0 {
			return nil, fmt.Errorf("%s: %s is a file, and only runs have epochs", name, folder)
		}
		n, err := openFile(folder, info, o)
		if err != nil {
			return nil, err
		}
		return &Model{Name: name, Format: "safetensors", Net: rnn.NewRunner(n, o.Threads), Network: n, Stack: n.Stack()}, nil
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
	return ours(name, "a training run", o.Threads, n, run, rec), nil
}

// ours describes a network that this program trained.
func ours(name, format string, threads int, n *rnn.Network, run *train.Run, rec train.Record) *Model {
	return &Model{
		Name: name, Format: format, Net: rnn.NewRunner(n, threads), Network: n, Stack: n.Stack(),
		Language: run.Settings.Language, Record: &rec,
	}
}

// String describes the network in a line.
func (m *Model) String() string {
	if m.Stack == nil {
		return m.Format
	}
	var layers []string
	for i := range m.Stack.Layers {
		y := &m.Stack.Layers[i]
		text := fmt.Sprintf("%s %d", y.Cell, y.Hidden())
		if y.Reverse != nil {
			text += " both ways"
		}
		layers = append(layers, text)
	}
	plural := "s"
	if m.Net.Alphabet().Len() == 1 {
		plural = ""
	}
	return fmt.Sprintf("%s, %d symbol%s", strings.Join(layers, " + "), m.Net.Alphabet().Len(), plural)
}

// unused reports options that a network which knows its symbols has no use for.
func (o Options) unused(name string) error {
	if len(o.Symbols) > 0 {
		return fmt.Errorf("%s knows its symbols already; --symbols and --bos are for .safetensors files", name)
	}
	return nil
}

// cutEpoch splits RUN@3 unless there is a file of that name.
func cutEpoch(name string) (path string, epoch int, err error) {
	i := strings.LastIndexByte(name, '@')
	if _, err := os.Stat(name); err == nil || i < 0 {
		return name, 0, nil
	}
	epoch, err = strconv.Atoi(name[i+1:])
	if err != nil || epoch < 1 {
		return "", 0, fmt.Errorf("%s: %q is not an epoch; they are counted from 1", name, name[i+1:])
	}
	return name[:i], epoch, nil
}

// maxFile bounds what is read: weights of the largest network there can be.
const maxFile = 4*rnn.MaxParams + 1<<20

func openFile(path string, info os.FileInfo, o Options) (*rnn.Network, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is neither a file nor a folder, so there is no network in it", path)
	}
	if ext := filepath.Ext(path); !strings.EqualFold(ext, ".safetensors") {
		return nil, fmt.Errorf("%s: networks are read from .safetensors files and run folders, not from %q", path, ext)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: %d bytes are more than any network has", path, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n, _, err := rnn.Decode(data)
	switch {
	case len(o.Symbols) > 0 && (err == nil || errors.Is(err, rnn.ErrNoSymbols)):
		err = speak(n, o)
	case errors.Is(err, rnn.ErrNoSymbols):
		err = fmt.Errorf("%w; say so with --symbols and --bos, as in --symbols a,b --bos 2", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// speak gives the tokens their meaning.
func speak(n *rnn.Network, o Options) error {
	a, err := word.NewAlphabet(o.Symbols...)
	if err != nil {
		return err
	}
	bos := o.Bos
	if bos < 0 {
		bos = int32(a.Len())
		if a.Len()+1 != n.Tokens {
			return fmt.Errorf("the network has %d tokens, but %d symbols and <bos> are %d: name all symbols, or say with --bos which token <bos> is",
				n.Tokens, a.Len(), a.Len()+1)
		}
	}
	token := make([]int32, a.Len())
	for i := range token {
		token[i] = int32(i)
		if token[i] >= bos {
			token[i]++ // <bos> stands between the symbols
		}
	}
	return n.Speak(a, token, bos)
}
