package model

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quotient/model/frugal"
	"quotient/model/hdf5"
	"quotient/model/keras"
	"quotient/model/numpy"
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
	name := path
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		name = strings.TrimSuffix(path, filepath.Ext(path))
		if data, err = frugal.Gunzip(data); err != nil {
			return nil, err
		}
	}
	extension := strings.ToLower(filepath.Ext(name))
	for _, k := range kinds {
		if slices.Contains(k.extensions, extension) || k.shown(data) {
			m, err := k.open(data, filepath.Dir(path), o)
			if err == nil {
				m.size = len(data)
			}
			return m, err
		}
	}
	return nil, errors.New("networks are read from .safetensors files, from .pt and .pth files of PyTorch, from .onnx files, from .keras and .h5 files of Keras, from .npz and .msgpack files and from the folders of training runs; this is none of them")
}

// A kind of files is known by its extension or by what its content shows.
type kind struct {
	extensions []string
	shown      func(data []byte) bool
	open       func(data []byte, folder string, o Options) (*Model, error)
}

// kinds lists the files that are read; the first that fits is taken.
var kinds = []kind{
	{[]string{".onnx"}, never, openONNX},
	{[]string{".safetensors"}, func(data []byte) bool { return len(data) > 8 && data[8] == '{' }, openSafetensors},
	{[]string{".h5", ".hdf5"}, beginning(hdf5.Signature), openHDF5},
	{[]string{".keras"}, keras.IsArchive, openKeras},
	{[]string{".npz"}, numpy.IsArchive, openNumpy},
	{[]string{".msgpack"}, never, openFlax},
	{[]string{".pt", ".pth", ".pt2"}, beginning("PK\x03\x04", "\x80"), openTorch},
}

func never([]byte) bool { return false }

// beginning reports whether a file begins as one of several do.
func beginning(with ...string) func(data []byte) bool {
	return func(data []byte) bool {
		return slices.ContainsFunc(with, func(w string) bool { return bytes.HasPrefix(data, []byte(w)) })
	}
}

// openSafetensors reads a network of our own, or anybody's weights.
func openSafetensors(data []byte, _ string, o Options) (*Model, error) {
	n, metadata, err := rnn.Decode(data)
	if (err == nil || errors.Is(err, rnn.ErrNoSymbols)) && !o.rereads() {
		m := &Model{codeless: err != nil, Format: "safetensors", Network: n, Stack: n.Stack(), Tensors: n.Tensors()}
		if err == nil && !o.told() && !o.decides() && o.Pool == "" && o.As == "" {
			return m, m.run(o.Threads)
		}
		return m, m.speak(o, metadata)
	}
	f, err := rnn.DecodeTensors(data)
	if err != nil {
		return nil, err
	}
	return recognized("safetensors", f.Metadata, source{tensors: f.Tensors, options: o})
}

// openTorch reads what torch.save wrote.
func openTorch(data []byte, _ string, o Options) (*Model, error) {
	f, err := torch.ReadKey(data, o.Key)
	if err != nil {
		return nil, err
	}
	format := f.Format + ", a state_dict"
	if f.Class != "" {
		format = f.Format + ", a whole module of class " + f.Class
	}
	s := source{tensors: f.Tensors, parts: f.Parts, ordered: true, options: o, notes: f.Notes}
	s.options.Key = f.Rest
	m, err := tied(format, s, f.Again)
	if err != nil && len(f.Beside) > 0 {
		return nil, fmt.Errorf("%w; there are other weights in the file, which the option key names: %s", err, few(f.Beside))
	}
	if err == nil && len(f.Beside) > 0 {
		m.beside = f.Beside
		m.Notes = append(m.Notes, fmt.Sprintf("there are other weights in the file, which the option key names: %s", few(f.Beside)))
	}
	return m, err
}

// tied makes a model where one tensor may stand in several places, as an embedding that is
// the head's matrix, too, or may only have several names, as a module that is registered
// twice.
func tied(format string, s source, again []torch.Again) (*Model, error) {
	twice := s
	twice.tensors = nil
	at := make(map[string]rnn.Tensor)
	named := make(map[int][]torch.Again)
	for _, a := range again {
		named[a.At] = append(named[a.At], a)
	}
	for i, t := range append(s.tensors, rnn.Tensor{}) {
		for _, a := range named[i] {
			if len(at[a.Before].Dims) == 2 && !recurrent.MatchString(a.Name) {
				other := at[a.Before]
				other.Name = a.Name
				twice.tensors = append(twice.tensors, other)
			}
		}
		if i < len(s.tensors) {
			twice.tensors = append(twice.tensors, t)
			at[t.Name] = t
		}
	}
	if len(twice.tensors) > len(s.tensors) {
		twice.notes = slices.Clone(s.notes)
		if m, err := recognized(format, nil, twice); err == nil {
			return m, nil
		}
	}
	for i, a := range again {
		name, before := parent(a.Name), parent(a.Before)
		if i == 0 || parent(again[i-1].Name) != name || name == "" {
			s.note("%s is another name of %s", cmp.Or(name, a.Name), cmp.Or(before, a.Before))
		}
	}
	return recognized(format, nil, s)
}

// openONNX reads a graph of operators, whose numbers may lie in other files of its folder.
// One that this program wrote says what its tokens mean.
func openONNX(data []byte, folder string, o Options) (*Model, error) {
	head := o.Head
	o.Head = "" // which a graph has, too
	if err := o.unguessed("an ONNX graph"); err != nil {
		return nil, err
	}
	o.Head = head
	room := int64(maxFile)
	open := func(name string) ([]byte, error) { return readWithin(folder, name, &room) }
	stack, metadata, outputs, err := onnx.ReadOutput(data, open, head)
	for i := 0; err == nil && head == "" && o.As == asLanguage && stack.Outputs() <= 2 && i < len(outputs); i++ {
		room = maxFile
		stack, _, _, err = onnx.ReadOutput(data, open, outputs[i])
	}
	if err != nil && strings.Contains(err.Error(), ": node ") { // which no stack has, while the file is whole
		return nil, fmt.Errorf("%w; of the state_dict in its place the options reverse, summary, layer and pool say what the code does, and the option exec asks any model as a black box", err)
	}
	if err != nil {
		return nil, err
	}
	m := &Model{Format: "ONNX", Stack: stack}
	if len(outputs) > 1 && head == "" {
		m.Notes = append(m.Notes, fmt.Sprintf("the graph has several outputs that decide: %s; the first is taken, and the option head names another", strings.Join(outputs, ", ")))
	} else if head != "" {
		m.head = "the output is " + head
	}
	return m, m.speak(o, metadata)
}

// openKeras reads a .keras file.
func openKeras(data []byte, _ string, o Options) (*Model, error) {
	m, err := keras.ReadArchive(data)
	if err != nil {
		return nil, err
	}
	return fromKeras(m, o)
}

// openHDF5 reads a .h5 file of Keras.
func openHDF5(data []byte, _ string, o Options) (*Model, error) {
	m, err := keras.ReadHDF5(data)
	if err != nil {
		return nil, err
	}
	return fromKeras(m, o)
}

// fromKeras makes a model of what Keras wrote: as it says or, if there are only weights, as
// their sizes show.
func fromKeras(k *keras.Model, o Options) (*Model, error) {
	if k.Stack == nil {
		s := source{tensors: k.Tensors, options: o, notes: k.Notes}
		for _, path := range k.Resets {
			s.parts = append(s.parts, torch.Part{Path: path, Facts: map[string]any{resetBefore: true}})
		}
		return recognized(k.Format, nil, s)
	}
	if err := o.unguessed("a Keras model"); err != nil {
		return nil, err
	}
	end := &k.Stack.Head[len(k.Stack.Head)-1]
	m := &Model{Format: k.Format, Stack: k.Stack, Tensors: k.Tensors, Notes: k.Notes}
	end.Then, m.probable = undo(*end)
	if k.Masked {
		m.skipped = []int32{0}
	}
	return m, m.speak(o, nil)
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
	stack, err := s.network()
	if err != nil {
		return nil, err
	}
	m := &Model{codeless: true, Format: format, Stack: stack, Tensors: s.all, Notes: s.notes, probable: s.probable, hand: s.hand, norms: s.norms, heads: s.heads, head: s.head, order: s.order, orders: s.orders}
	return m, m.speak(s.options, metadata)
}

// speak gives the tokens the meaning that the user tells or, if there is none, the file,
// and makes the network ready to run.
func (m *Model) speak(o Options, metadata map[string]string) error {
	if o.As == asLanguage || o.As == "" && (m.Stack.Outputs() > 2 || rnn.Predicts(metadata)) {
		return m.speakNext(o, metadata)
	}
	a, token, bos, err := rnn.Meaning(metadata)
	eos := int32(rnn.None)
	if err != nil && !errors.Is(err, rnn.ErrNoSymbols) && !o.told() {
		return err
	}
	if o.told() || err != nil {
		v, err := o.vocabulary(m.Stack.Tokens, m.padding(o))
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
	if o.As == "" && m.classes == 2 && a.Len() == 1 && eos != rnn.None {
		m.Notes = append(m.Notes, "the two outputs are taken for no and yes; if they are the symbol and the end, which a language model predicts, the option as lm says so")
	}
	m.look(o)
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
	if !errors.Is(err, rnn.ErrBidirectional) && !errors.Is(err, rnn.ErrWholeWords) {
		return err
	}
	m.Stateless = err.Error()
	m.Net, err = m.Stack.Reader(threads)
	return err
}
