package sweep

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"quotient/model"
	"quotient/rnn"
	"quotient/train"
	"quotient/zoo"
)

// A planner turns the points of a file into tasks. It opens the models that the file
// names, each network once.
type planner struct {
	file    *File
	version string
	epochs  map[string][]int // of models
	models  map[string]Model // by name and epoch
	bytes   func(digest string, data []byte) error
}

func newPlanner(f *File) *planner {
	return &planner{file: f, version: Version(), epochs: map[string][]int{}, models: map[string]Model{}}
}

// training returns the task that trains a network, which must not be a model.
func (p *planner) training(s subject) Task { return Task{Version: p.version, Train: s.settings} }

// epochsOf returns the epochs of a network that can be asked for: of one that is
// trained all that it may come to have, of a model those that are there.
func (p *planner) epochsOf(s subject) ([]int, error) {
	if s.settings != nil {
		return upTo(s.settings.Epochs), nil
	}
	list, ok := p.epochs[s.model]
	if !ok {
		var err error
		if list, err = modelEpochs(s.model); err != nil {
			return nil, fmt.Errorf("%s:%d: model %s: %w", p.file.path, s.block.line, s.model, err)
		}
		p.epochs[s.model] = list
	}
	for i, g := range s.block.extracts {
		for _, v := range g.find("epoch").values {
			e, _ := strconv.Atoi(string(v)) // it was checked
			if e > 0 && !s.block.epochs[i] && !slices.Contains(list, e) {
				return nil, fmt.Errorf("%s:%d: model %s: there is no network after epoch %d of it", p.file.path, s.block.line, s.model, e)
			}
		}
	}
	return list, nil
}

// upTo returns 1 to n.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// modelEpochs returns the epochs after which a network is there; none if the name
// stands for one alone.
func modelEpochs(name string) ([]int, error) {
	if strings.Contains(name, "@") {
		return nil, nil
	}
	if strings.HasPrefix(name, zoo.Prefix) {
		_, info, err := zoo.Open(name)
		if err != nil {
			return nil, err
		}
		return info.Run.Kept(), nil
	}
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return nil, err
	}
	run, err := train.Open(name)
	if err != nil {
		return nil, err
	}
	return run.Kept(), nil
}

// task returns the task of an extraction.
func (p *planner) task(ctx context.Context, s subject, x Extraction) (Task, error) {
	if s.settings != nil {
		return Task{Version: p.version, Train: s.settings, Extract: &x}, nil
	}
	name := s.model
	if x.Epoch > 0 {
		name = fmt.Sprintf("%s@%d", name, x.Epoch)
	}
	m, ok := p.models[name]
	if !ok {
		var err error
		if m, err = p.open(ctx, name); err != nil {
			return Task{}, fmt.Errorf("%s:%d: %w", p.file.path, s.block.line, err)
		}
		p.models[name] = m
	}
	m.Name = s.model
	return Task{Version: p.version, Model: &m, Extract: &x}, nil
}

// open opens a model and hands its parameters on.
func (p *planner) open(ctx context.Context, name string) (Model, error) {
	m, err := model.Open(ctx, name, model.Options{Threads: 1})
	if err != nil {
		return Model{}, err
	}
	defer m.Close()
	if m.Network == nil {
		return Model{}, fmt.Errorf("model %s: sweeps take networks of the kind that this program trains, and this is %s", name, m)
	}
	out, data, err := NewModel(name, m.Language, m.Network)
	if err == nil && p.bytes != nil {
		err = p.bytes(out.Digest, data)
	}
	return out, err
}

// NewModel returns how tasks refer to a network, and the file that [Store.PutModel] puts
// where they find it.
func NewModel(name, language string, n *rnn.Network) (Model, []byte, error) {
	var buf bytes.Buffer
	err := n.Encode(&buf, nil)
	return Model{Name: name, Digest: digest(buf.Bytes()), Language: language}, buf.Bytes(), err
}

// Tasks yields all tasks of the sweep in order: each network that is trained, then what is
// extracted from it. Training may end early, so that there are fewer in the end.
func (f *File) Tasks(ctx context.Context) iter.Seq2[Task, error] {
	return newPlanner(f).tasks(ctx, nil)
}

// tasks yields all tasks of the sweep in order: each network, then what is extracted
// from it. Epochs that training will not reach are only known to whoever has its
// result; known, if it is not nil, is asked for them.
func (p *planner) tasks(ctx context.Context, known func(training Task) ([]int, error)) iter.Seq2[Task, error] {
	return func(yield func(Task, error) bool) {
		for s := range p.file.subjects() {
			epochs, err := p.epochsOf(s)
			if err == nil && s.settings != nil {
				t := p.training(s)
				if p.file.first(s) && !yield(t, nil) {
					return
				}
				if known != nil {
					epochs, err = known(t)
				}
			}
			if err != nil {
				yield(Task{}, err)
				return
			}
			for x := range p.file.extractions(s, epochs) {
				t, err := p.task(ctx, s, x)
				if !yield(t, err) || err != nil {
					return
				}
			}
		}
	}
}

// count returns how many extractions there are from a network.
func (f *File) count(s subject, epochs []int) int {
	if len(f.blocks) == 1 && len(s.block.extracts) == 1 { // nothing is asked for twice
		g := s.block.grid(0, epochs)
		axis := g.find("epoch")
		there := 0
		for _, v := range axis.values {
			if string(v) == "0" || slices.ContainsFunc(epochs, func(e int) bool { return strconv.Itoa(e) == string(v) }) {
				there++
			}
		}
		return there * (int(g.size()) / len(axis.values))
	}
	n := 0
	for range f.extractions(s, epochs) {
		n++
	}
	return n
}
