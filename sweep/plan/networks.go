package plan

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"quotient/model"
	"quotient/train"
)

// A Network of a sweep is to be trained, or is there already.
type Network struct {
	Training *Task // that trains it; nil if it is there
	Repeated bool  // an earlier part of the file trains it, too

	plan   *planner
	part   int    // of the file, to which it belongs
	model  string // its name, if it is there
	epochs []int  // after which it can be had
}

// A planner opens the models and the files of words that a file names, each once.
type planner struct {
	*File
	put    func(object string, file []byte) error
	models map[string]Model  // by name and epoch
	data   map[string]string // digests, by name
}

// Networks yields the networks of the sweep in order. Whoever makes tasks of them gets the
// files of those that are there by put, if it is not nil, to keep them under the names of
// objects, and files of words as well. These are read first.
func (f *File) Networks(put func(object string, file []byte) error) iter.Seq2[*Network, error] {
	return func(yield func(*Network, error) bool) {
		p := &planner{f, put, map[string]Model{}, map[string]string{}}
		maps.Copy(p.data, f.recalled)
		if err := p.readAllData(); err != nil {
			yield(nil, err)
			return
		}
		if f.list != nil {
			yield(&Network{plan: p}, nil)
			return
		}
		for i, b := range f.blocks {
			for _, name := range b.models {
				n := &Network{plan: p, part: i, model: name}
				err := n.findEpochs()
				if !yield(n, err) || err != nil {
					return
				}
			}
			if b.train == nil {
				continue
			}
			for s := range points[train.Settings](b.train) {
				n := &Network{plan: p, part: i, Training: &Task{Version: Version(), Train: &s}}
				n.End(s.Epochs)
				n.Repeated = slices.ContainsFunc(f.blocks[:i], n.belongs)
				if !yield(n, nil) {
					return
				}
			}
		}
	}
}

// Check returns an error if a network or a file of words that the sweep names cannot be had, or if the first
// extraction from a network makes no sense.
func (f *File) Check(ctx context.Context) error {
	for n, err := range f.Networks(nil) {
		if err == nil {
			err = n.checkFirst(ctx)
		}
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return err
		}
	}
	return nil
}

func (n *Network) checkFirst(ctx context.Context) error {
	for _, err := range n.Extractions(ctx) {
		return err
	}
	return nil
}

// Data returns the digests of the files of words that the sweep of the network names, by their names.
func (n *Network) Data() map[string]string { return n.plan.data }

// belongs reports whether a block has the network.
func (n *Network) belongs(b block) bool {
	if n.Training != nil {
		return b.train != nil && b.train.has(*n.Training.Train)
	}
	return slices.Contains(b.models, n.model)
}

// End says after how many epochs training ends, if that is before all that are planned.
func (n *Network) End(epochs int) {
	n.epochs = make([]int, epochs)
	for i := range n.epochs {
		n.epochs[i] = i + 1
	}
}

// errorf returns an error about the network with its place in the file.
func (n *Network) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if n.plan.path == "" {
		return err
	}
	return fmt.Errorf("%s:%d: %w", n.plan.path, n.plan.blocks[n.part].line, err)
}

// findEpochs finds the epochs of a model, among which those must be that the file names.
func (n *Network) findEpochs() (err error) {
	if n.epochs, err = model.Epochs(context.Background(), n.model); err != nil {
		return n.errorf("model %s: %w", n.model, err)
	}
	for _, g := range n.plan.blocks[n.part].extracts {
		a := g.find("epoch")
		for _, v := range a.values {
			if e := integer(v); e > 0 && !a.all && !slices.Contains(n.epochs, e) {
				return n.errorf("model %s: there is no network after epoch %d of it", n.model, e)
			}
		}
	}
	return nil
}

// Count returns how many extractions there are from the network.
func (n *Network) Count() (count int) {
	if len(n.plan.blocks) == 1 && len(n.plan.blocks[0].extracts) == 1 { // nothing is asked for twice
		g := n.plan.blocks[0].extracts[0].after(n.epochs)
		values := g.find("epoch").values
		for _, v := range values {
			if e := integer(v); e == 0 || slices.Contains(n.epochs, e) {
				count++
			}
		}
		return count * (int(g.size()) / len(values))
	}
	for range n.points() {
		count++
	}
	return count
}

// points yields what is extracted from the network, after those of the epochs that are
// asked for, with its name. What an earlier grid of the file asked for already is left out.
func (n *Network) points() iter.Seq2[string, Extraction] {
	return func(yield func(string, Extraction) bool) {
		for _, want := range n.plan.list {
			if !yield(want.Model, want.Extract) {
				return
			}
		}
		var earlier []grid
		for _, b := range n.plan.blocks[:n.part] {
			for _, g := range b.extracts {
				if n.belongs(b) {
					earlier = append(earlier, g.after(n.epochs))
				}
			}
		}
		for _, g := range n.plan.blocks[n.part].extracts {
			g = g.after(n.epochs)
			for x := range points[Extraction](g) {
				if x.Epoch != 0 && !slices.Contains(n.epochs, x.Epoch) ||
					slices.ContainsFunc(earlier, func(e grid) bool { return e.has(x) }) {
					continue
				}
				if !yield(n.model, x) {
					return
				}
			}
			earlier = append(earlier, g)
		}
	}
}

// Extractions yields the tasks that extract from the network.
func (n *Network) Extractions(ctx context.Context) iter.Seq2[Task, error] {
	return func(yield func(Task, error) bool) {
		for name, x := range n.points() {
			t, err := n.task(ctx, name, x)
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// task returns the task of an extraction.
func (n *Network) task(ctx context.Context, name string, x Extraction) (Task, error) {
	t := Task{Version: Version(), Extract: &x}
	if x.Data != "" {
		t.Data = n.plan.data[x.Data]
	}
	if n.Training != nil {
		t.Train = n.Training.Train
		return t, n.fits(t)
	}
	full := name
	if x.Epoch > 0 {
		full = fmt.Sprintf("%s@%d", name, x.Epoch)
	}
	m, ok := n.plan.models[full]
	if !ok {
		var err error
		if m, err = n.plan.open(ctx, full); err != nil {
			return t, n.errorf("%w", err)
		}
		n.plan.models[full] = m
	}
	m.Name = name
	t.Model = &m
	return t, n.fits(t)
}

// fits returns an error if the method of a task is not for the network.
func (n *Network) fits(t Task) error {
	if err := t.suits(); err != nil {
		return n.errorf("%w", err)
	}
	return nil
}

// open opens a model and hands its file on.
func (p *planner) open(ctx context.Context, name string) (Model, error) {
	m, err := model.Open(ctx, name, model.Options{Threads: 1})
	if err != nil {
		return Model{}, err
	}
	defer m.Close()
	if m.Network == nil {
		return Model{}, fmt.Errorf("model %s: sweeps take networks of the kind that this program trains, and this is %s", name, m)
	}
	var file bytes.Buffer
	if err := m.Network.Encode(&file, nil); err != nil {
		return Model{}, err
	}
	out := Model{Digest: digest(file.Bytes()), Language: m.Language, Predicts: m.Predicts()}
	if p.put == nil {
		return out, nil
	}
	return out, p.put(ModelObject(out.Digest), file.Bytes())
}

// Tasks yields all tasks of the sweep in order: each network that is trained, then what is
// extracted from it. Training may end early, which only those know who have its result:
// known, if it is not nil, returns after how many epochs it did, or 0.
func (f *File) Tasks(ctx context.Context, known func(training Task) (epochs int, err error)) iter.Seq2[Task, error] {
	return func(yield func(Task, error) bool) {
		for n, err := range f.Networks(nil) {
			if err == nil && n.Training != nil {
				if !n.Repeated && !yield(*n.Training, nil) {
					return
				}
				if known != nil {
					var epochs int
					if epochs, err = known(*n.Training); epochs > 0 {
						n.End(epochs)
					}
				}
			}
			if err != nil {
				yield(Task{}, err)
				return
			}
			for t, err := range n.Extractions(ctx) {
				if !yield(t, err) || err != nil {
					return
				}
			}
		}
	}
}

// Varying returns the names of the settings that the file gives several values: those of
// training, and those of extraction, before which the model may stand.
func (f *File) Varying() (training, extraction []string) {
	var trains, extracts []grid
	var models axis
	for _, b := range f.blocks {
		if b.train != nil {
			trains = append(trains, b.train)
		}
		extracts = append(extracts, b.extracts...)
		for _, name := range b.models {
			models.add(encode(name))
		}
	}
	if len(models.values) > 1 {
		extraction = append(extraction, "model")
	}
	return varying(trains), append(extraction, varying(extracts)...)
}
