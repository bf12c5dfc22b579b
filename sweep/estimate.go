package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quotient/extract"
	"quotient/language"
	"quotient/train"
)

// A Plan says what a sweep asks for, what of it is there, and what the rest will cost.
type Plan struct {
	Train    Progress `json:"train"`
	Extract  Progress `json:"extract"`
	Seconds  float64  `json:"seconds"`  // of one core, for what is left
	Longest  float64  `json:"longest"`  // of these, those that must be spent one after the other
	Measured int      `json:"measured"` // results that the estimate rests on
	Unknown  []string `json:"unknown"`  // kinds of tasks that were never measured, so that they are left out
}

// On returns how many seconds the rest takes on a number of cores, at least.
func (p Plan) On(cores int) float64 { return max(p.Seconds/float64(cores), p.Longest) }

// A pace is what work of one kind costs.
type pace struct {
	seconds, work float64
	n             int
}

// Plan looks at all tasks of a sweep. Times are estimated from all results in the store,
// whatever sweep they belong to. If measure is true, and no training of a size was ever
// measured, a fiftieth of an epoch is trained for it.
func (s *Store) Plan(ctx context.Context, f *File, measure bool) (Plan, error) {
	var plan Plan
	paces, err := s.paces(ctx)
	if err != nil {
		return plan, err
	}
	for _, p := range paces {
		plan.Measured += p.n
	}
	chain := [2]float64{}
	unknown := map[string]bool{}
	price := func(t Task) error {
		name := kindOf(t)
		if paces[name].n == 0 && measure && t.Extract == nil {
			p, err := timeTraining(ctx, *t.Train)
			if err != nil {
				return err
			}
			paces[name] = p
			plan.Measured++
		}
		p := paces[name]
		if p.n == 0 {
			if !unknown[name] {
				unknown[name] = true
				plan.Unknown = append(plan.Unknown, name)
			}
			return nil
		}
		seconds := p.seconds / p.work * workOf(t, 0)
		plan.Seconds += seconds
		kind := 0
		if t.Extract != nil {
			kind = 1
		}
		chain[kind] = max(chain[kind], seconds)
		return nil
	}
	var list []Task
	flush := func() error {
		done, aside := make([]bool, len(list)), make([]bool, len(list))
		err := each(ctx, len(list), func(ctx context.Context, i int) error {
			key := list[i].Key()
			r, err := s.Result(ctx, key)
			if done[i] = r != nil; done[i] || err != nil {
				return err
			}
			var f Failure
			_, _, err = s.get(ctx, s.failures, key, &f)
			aside[i] = f.Aside
			return err
		})
		if err != nil {
			return err
		}
		for i, t := range list {
			p := &plan.Train
			if t.Extract != nil {
				p = &plan.Extract
			}
			p.Total++
			switch {
			case done[i]:
				p.Done++
			case aside[i]:
				p.Failed++
			default:
				if err := price(t); err != nil {
					return err
				}
			}
		}
		list = list[:0]
		return nil
	}
	for t, err := range newPlanner(f).tasks(ctx, s.known(ctx)) {
		if err != nil {
			return plan, err
		}
		if list = append(list, t); len(list) == batch {
			if err := flush(); err != nil {
				return plan, err
			}
		}
	}
	err = flush()
	plan.Longest = chain[0] + chain[1]
	return plan, err
}

// kindOf names tasks whose costs can be compared.
func kindOf(t Task) string {
	if t.Extract != nil {
		method := string(t.Extract.Method)
		if m := t.Extract.Method; m.Samples() && m != extract.KMeans && t.Extract.Kappa == extract.Auto {
			method += " with kappa auto"
		}
		return "extract by " + method
	}
	return "train " + t.Train.Cell
}

// workOf returns how much there is to do, in units that are alike within a kind: the
// multiplications of training, and the symbols of an extraction's sample. Training that
// is done took some number of epochs; 0 stands for all.
func workOf(t Task, epochs int) float64 {
	if x := t.Extract; x != nil {
		if x.Strings > 0 && x.Length > 0 {
			return float64(x.Strings * x.Length)
		}
		return 300 * 10
	}
	s := *t.Train
	if epochs == 0 {
		epochs = s.Epochs
	}
	tokens := float64(s.Strings*(s.Length+1)) + (float64(s.DevStrings*s.DevLength)+float64(s.LongStrings*s.LongLength))/3 // which are only read
	cell := float64(s.Hidden*(s.Hidden+s.Embedding) + (s.Layers-1)*2*s.Hidden*s.Hidden)
	return float64(epochs) * tokens * cell
}

// paces returns what all results in the store cost, by kind.
func (s *Store) paces(ctx context.Context) (map[string]pace, error) {
	paces := map[string]pace{}
	err := s.persist(ctx, "reading results", func(context.Context) error {
		clear(paces)
		watch, err := s.results.WatchAll(ctx, jetstream.IgnoreDeletes())
		if err != nil {
			return err
		}
		defer watch.Stop()
		for {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case e, ok := <-watch.Updates():
				if !ok {
					return errors.New("the connection broke")
				}
				if e == nil {
					return nil
				}
				var r Result
				if json.Unmarshal(e.Value(), &r) != nil || r.Task.Train == nil && r.Task.Extract == nil {
					continue
				}
				p := paces[kindOf(r.Task)]
				p.seconds += r.Cost.Seconds
				p.work += workOf(r.Task, len(r.Records))
				p.n++
				paces[kindOf(r.Task)] = p
			}
		}
	})
	return paces, err
}

// timeTraining trains for a fiftieth of an epoch, on one core.
func timeTraining(ctx context.Context, s train.Settings) (pace, error) {
	const part = 50
	s.Epochs, s.Patience = 1, 0
	s.Strings, s.DevStrings, s.LongStrings = max(s.Strings/part, s.Batch), max(s.DevStrings/part, 1), max(s.LongStrings/part, 1)
	d, err := language.LoadUpTo(language.Options{}, s.Longest(), s.Language)
	if err != nil {
		return pace{}, err
	}
	folder, err := os.MkdirTemp("", "quotient-")
	if err != nil {
		return pace{}, err
	}
	defer os.RemoveAll(folder)
	run, err := train.OpenOrCreate(folder, s, d)
	if err != nil {
		return pace{}, err
	}
	begin := time.Now()
	if err := run.Train(ctx, train.Options{Threads: 1}); err != nil {
		return pace{}, err
	}
	return pace{time.Since(begin).Seconds(), workOf(Task{Train: &s}, 0), 1}, nil
}
