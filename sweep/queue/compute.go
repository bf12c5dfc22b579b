package queue

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"quotient/language"
	"quotient/model"
	"quotient/rnn"
	"quotient/sweep/plan"
	"quotient/train"
)

// checkpointEvery is how much training may be lost when a worker is.
var checkpointEvery = 10 * time.Second

// do does a task.
func (w *Worker) do(ctx context.Context, t plan.Task, saved func()) (*plan.Result, error) {
	begin := time.Now()
	r := &plan.Result{Task: t}
	var err error
	if t.Extract == nil {
		err = w.train(ctx, r, saved)
	} else if s, missing := w.specimen(ctx, t); missing != nil {
		err = missing
	} else {
		err = w.measure(ctx, s, r)
	}
	if r.Cost.Seconds == 0 {
		r.Cost.Seconds = time.Since(begin).Seconds()
	}
	return r, err
}

// A training is a run whose files are copied to the store as it grows:
//
//	KEY/epoch-001.safetensors  the network after an epoch; written once
//	KEY/state                  all that is needed to go on, as one file; the point of commitment
type training struct {
	*Worker
	key     string
	folder  string
	run     *train.Run
	digests []string // of the networks that are in the store
	saved   time.Time
}

// runPattern is the name of a folder in which a network is trained.
const runPattern = "run-*"

// digestsFile is kept with the state of an unfinished run.
const digestsFile = "networks.json"

func epochName(key string, epoch int) string { return key + "/" + train.CheckpointFile(epoch) }
func stateName(key string) string            { return key + "/state" }

// train trains a network, from the last checkpoint if there is one.
func (w *Worker) train(ctx context.Context, r *plan.Result, saved func()) error {
	s := *r.Task.Train
	d, err := language.LoadUpTo(language.Options{}, s.Longest(), s.Language)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(w.folder, runPattern)
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	g := &training{Worker: w, key: r.Task.Key(), folder: folder, saved: time.Now()}
	if err := g.restore(ctx); err != nil {
		return err
	}
	if g.run, err = train.OpenOrCreate(folder, s, d); err != nil {
		return err
	}
	work, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err = g.run.Train(work, train.Options{
		Threads:  1,
		Progress: func(train.Progress) { w.tokens.Add(int64(min(s.Batch, s.Strings) * (s.Length + 1))) },
		Epoch: func(train.Record) {
			if time.Since(g.saved) < checkpointEvery {
				return
			}
			if err := g.checkpoint(ctx); err != nil {
				cancel(err)
				return
			}
			saved()
		},
	})
	var stopped *train.Interrupted
	if errors.As(err, &stopped) {
		err = context.Cause(work)
		if ctx.Err() != nil { // whoever takes over need not begin anew
			last, done := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
			defer done()
			err = errors.Join(context.Cause(ctx), g.checkpoint(last))
		}
	}
	if err != nil {
		return err
	}
	if err := g.copyNetworks(ctx); err != nil {
		return err
	}
	r.Networks = g.digests
	for _, rec := range g.run.Records {
		r.Cost.Seconds += rec.Seconds
		rec.Seconds, rec.TokensPerSecond = 0, 0
		r.Records = append(r.Records, rec)
	}
	r.Cost.Tokens = len(r.Records) * s.Strings * (s.Length + 1)
	return nil
}

// copyNetworks copies the networks of new epochs to the store.
func (g *training) copyNetworks(ctx context.Context) error {
	for e := len(g.digests) + 1; e <= len(g.run.Records); e++ {
		data, err := os.ReadFile(filepath.Join(g.folder, train.CheckpointFile(e)))
		if err != nil {
			return err
		}
		if err := g.store.putObject(ctx, epochName(g.key, e), data); err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		g.digests = append(g.digests, hex.EncodeToString(sum[:]))
	}
	return nil
}

// checkpoint copies all that is needed to go on to the store: networks first, and then
// the state that counts on them.
func (g *training) checkpoint(ctx context.Context) error {
	if err := g.copyNetworks(ctx); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(g.folder, digestsFile), encode(g.digests), 0o666); err != nil {
		return err
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range append(train.Resumable(), digestsFile) {
		data, err := os.ReadFile(filepath.Join(g.folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var f io.Writer
		if err == nil {
			f, err = z.Create(name)
		}
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	g.saved = time.Now()
	return g.store.putObject(ctx, stateName(g.key), buf.Bytes())
}

// restore fetches the last checkpoint, if there is one.
func (g *training) restore(ctx context.Context) error {
	data, err := g.store.object(ctx, stateName(g.key))
	if data == nil {
		return err
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		err = os.CopyFS(g.folder, z)
	}
	if err == nil {
		data, err = os.ReadFile(filepath.Join(g.folder, digestsFile))
	}
	if err == nil {
		err = json.Unmarshal(data, &g.digests)
	}
	if err != nil {
		return fmt.Errorf("checkpoint %s: %w", stateName(g.key), err)
	}
	return nil
}

// keptSpecimens is how many networks a worker keeps ready. Extractions from one network
// come one after the other, so a few will do.
const keptSpecimens = 16

// A recent specimen is opened by who needs it first.
type recent struct {
	id   string
	open func() (*Specimen, error)
}

// specimen returns the network of an extraction, ready for use.
func (w *Worker) specimen(ctx context.Context, t plan.Task) (*Specimen, error) {
	x := t.Extract
	var object, called, language string
	if t.Model != nil {
		object, called, language = plan.ModelObject(t.Model.Digest), t.Model.Name, t.Model.Language
		if x.Epoch > 0 {
			called = model.AtEpoch(called, x.Epoch)
		}
	} else {
		epoch := x.Epoch
		key := plan.Task{Version: t.Version, Train: t.Train}.Key()
		if epoch == 0 {
			trained, err := w.store.result(ctx, key)
			if err != nil {
				return nil, err
			}
			if trained == nil {
				return nil, errors.New("its network has not been trained")
			}
			epoch = train.Best(trained.Records).Epoch
		}
		object, called, language = epochName(key, epoch), fmt.Sprintf("%s after epoch %d", t.Train.Language, epoch), t.Train.Language
	}
	id := fmt.Sprint(object, called, language, x.Target, x.HeldOut, x.HeldOutLength, x.HeldOutSeed)
	isIt := func(r recent) bool { return r.id == id }
	w.mu.Lock()
	i := slices.IndexFunc(w.recent, isIt)
	if i < 0 {
		w.recent = append(w.recent, recent{id, sync.OnceValues(func() (*Specimen, error) { return w.fetch(ctx, object, called, language, *x) })})
		w.recent = w.recent[max(0, len(w.recent)-keptSpecimens):]
		i = len(w.recent) - 1
	}
	open := w.recent[i].open
	w.mu.Unlock()
	s, err := open()
	if err != nil { // another try may find it
		w.mu.Lock()
		w.recent = slices.DeleteFunc(w.recent, isIt)
		w.mu.Unlock()
	}
	return s, err
}

// measure extracts with the words that the task names, if it does.
func (w *Worker) measure(ctx context.Context, s *Specimen, r *plan.Result) error {
	if r.Task.Data == "" {
		return s.Measure(ctx, r, nil)
	}
	words, err := w.store.object(ctx, plan.DataObject(r.Task.Data))
	if err == nil && words == nil {
		err = fmt.Errorf("data %s is not in the store", r.Task.Extract.Data)
	}
	if err != nil {
		return err
	}
	return s.Measure(ctx, r, words)
}

// fetch makes a specimen of a network in the store.
func (w *Worker) fetch(ctx context.Context, object, called, language string, x plan.Extraction) (*Specimen, error) {
	data, err := w.store.object(ctx, object)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fmt.Errorf("network %s is not in the store", object)
	}
	n, _, err := rnn.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("network %s: %w", object, err)
	}
	m := model.Trained(called, n, 1)
	m.Language = language
	return NewSpecimen(ctx, m, n.Norm(), x)
}
