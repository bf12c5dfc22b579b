package model

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quotient/model/onnx"
	"quotient/model/torch"
	"quotient/rnn"
	"quotient/word"
)

// maxFile bounds what is read: weights of the largest network there can be.
const maxFile = 4*rnn.MaxParams + 1<<20

// openFile reads a network from a file, in the format that its content shows.
func openFile(path string, info os.FileInfo, o Options) (*Model, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is neither a file nor a folder, so there is no network in it")
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%d bytes are more than any network has", info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch extension := strings.ToLower(filepath.Ext(path)); {
	case extension == ".onnx":
		return openONNX(data, filepath.Dir(path), o)
	case extension == ".safetensors", len(data) > 8 && data[8] == '{':
		return openSafetensors(data, o)
	case extension == ".pt", extension == ".pth", bytes.HasPrefix(data, []byte("PK\x03\x04")), len(data) > 0 && data[0] == 0x80:
		return openTorch(data, o)
	}
	return nil, errors.New("networks are read from .safetensors files, from .pt and .pth files of PyTorch, from .onnx files and from the folders of training runs; this is none of them")
}

// openSafetensors reads a network of our own, or anybody's weights.
func openSafetensors(data []byte, o Options) (*Model, error) {
	n, _, err := rnn.Decode(data)
	if err == nil || errors.Is(err, rnn.ErrNoSymbols) {
		m := &Model{Format: "safetensors", Network: n, Stack: n.Stack(), Tensors: n.Tensors()}
		if err == nil && !o.told() && !o.decides() {
			return m, m.run(o.Threads)
		}
		return m, m.speak(o, nil)
	}
	f, err := rnn.DecodeTensors(data)
	if err != nil {
		return nil, err
	}
	return recognized("safetensors", f.Metadata, source{tensors: f.Tensors, options: o})
}

// openTorch reads what torch.save wrote.
func openTorch(data []byte, o Options) (*Model, error) {
	f, err := torch.Read(data)
	if err != nil {
		return nil, err
	}
	format := f.Format + ", a state_dict"
	if f.Class != "" {
		format = f.Format + ", a whole module of class " + f.Class
	}
	return recognized(format, nil, source{tensors: f.Tensors, parts: f.Parts, ordered: true, options: o, notes: f.Notes})
}

// openONNX reads a graph of operators, whose numbers may lie in other files of its folder.
// One that this program wrote says what its tokens mean.
func openONNX(data []byte, folder string, o Options) (*Model, error) {
	if err := o.unguessed("an ONNX graph"); err != nil {
		return nil, err
	}
	room := int64(maxFile)
	stack, metadata, err := onnx.Read(data, func(name string) ([]byte, error) { return readWithin(folder, name, &room) })
	if err != nil {
		return nil, err
	}
	m := &Model{Format: "ONNX", Stack: stack}
	return m, m.speak(o, metadata)
}

// readWithin reads a file that another one names, if it lies in the folder and there is
// room for it.
func readWithin(folder, name string, room *int64) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	if *room -= info.Size(); *room < 0 {
		return nil, fmt.Errorf("%s: its %d bytes are more than any network has", name, info.Size())
	}
	return root.ReadFile(name)
}

// recognized makes a model of the tensors of a file.
func recognized(format string, metadata map[string]string, s source) (*Model, error) {
	stack, err := s.recognize()
	if err != nil {
		return nil, err
	}
	m := &Model{Format: format, Stack: stack, Tensors: s.tensors, Notes: s.notes, probable: s.probable}
	return m, m.speak(s.options, metadata)
}

// speak gives the tokens the meaning that the user tells or, if there is none, the file,
// and makes the network ready to run.
func (m *Model) speak(o Options, metadata map[string]string) error {
	a, token, bos, err := rnn.Meaning(metadata)
	eos := int32(rnn.None)
	if err != nil && !errors.Is(err, rnn.ErrNoSymbols) && !o.told() {
		return err
	}
	if o.told() || err != nil {
		v, err := o.vocabulary(m.Stack.Tokens, zeroRows(m.Stack.Embedding))
		if err != nil {
			return err
		}
		if a, err = word.NewAlphabet(v.names...); err != nil {
			return err
		}
		token, bos, eos = v.token, v.bos, v.eos
		m.Notes = append(m.Notes, v.notes...)
		if !o.told() {
			m.Notes = append(m.Notes, "the file does not say what its tokens mean: symbols are their numbers, and words begin with none; a vocabulary says more, or the options symbols, bos and eos")
		}
	}
	if err := m.decide(o); err != nil {
		return err
	}
	if err := m.Stack.Speak(a, token, bos, eos); err != nil {
		return err
	}
	if m.Network != nil {
		if err := m.Network.Speak(a, token, bos); err != nil || eos != rnn.None {
			m.Network = nil // it reads other tokens than those that this program trains
		}
	}
	return m.run(o.Threads)
}

// run makes the network answer: with states if they belong to prefixes.
func (m *Model) run(threads int) error {
	runner, err := m.Stack.Runner(threads)
	if err == nil {
		m.Net = runner
		return nil
	}
	if !errors.Is(err, rnn.ErrBidirectional) {
		return err
	}
	m.Stateless = err.Error()
	m.Net, err = m.Stack.Reader(threads)
	return err
}
