package queue

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"quotient/extract"
	"quotient/language"
	"quotient/sweep/plan"
	"quotient/train"
)

// An Estimate says what a sweep asks for, what of it is there, and what the rest will cost.
type Estimate struct {
	Train    Progress `json:"train"`
	Extract  Progress `json:"extract"`
	Seconds  float64  `json:"seconds"`  // of one core, for what is left
	Longest  float64  `json:"longest"`  // of these, those that must be spent one after the other
	Measured int      `json:"measured"` // results that the estimate rests on
	Supplied []string `json:"supplied"` // kinds of tasks that were never measured here, for which figures of another machine stand in
	Speed    float64  `json:"speed"`    // of this machine as a multiple of that other one's; 0 if no figures are used
	Unknown  []string `json:"unknown"`  // kinds of tasks that nothing is known of, so that they are left out
}

// On returns how many seconds the rest takes on a number of cores, at least.
func (e Estimate) On(cores int) float64 { return max(e.Seconds/float64(cores), e.Longest) }

// A pace is what work of one kind costs.
type pace struct {
	seconds, work float64
	n             int
}

// Estimate looks at all tasks of a sweep. Times are estimated from all results in the store,
// whatever sweep they belong to. If measure is true, and no training of a size was ever
// measured, a fiftieth of an epoch is trained for it. Of what was never done here, figures that come with the
// program say how long it takes on some machine, and a short training how fast this one is.
func (s *Store) Estimate(ctx context.Context, f *plan.File, measure bool) (Estimate, error) {
	have, err := s.survey(ctx)
	if err != nil {
		return Estimate{}, err
	}
	return have.estimate(ctx, f, measure)
}

// EstimateFirst looks at the tasks of a sweep for which there is no store yet.
func EstimateFirst(ctx context.Context, f *plan.File, measure bool) (Estimate, error) {
	return newSurvey().estimate(ctx, f, measure)
}

func (have *survey) estimate(ctx context.Context, f *plan.File, measure bool) (Estimate, error) {
	var e Estimate
	for _, p := range have.paces {
		e.Measured += p.n
	}
	longest := [2]float64{} // of one training and of one extraction
	for t, err := range f.Tasks(ctx, have.epochs) {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return e, err
		}
		kind, p := 0, &e.Train
		if t.Extract != nil {
			kind, p = 1, &e.Extract
		}
		p.Total++
		switch done, aside := have.find(t); {
		case done:
			p.Done++
		case aside:
			p.Failed++
		default:
			seconds, err := e.price(ctx, t, have.paces, measure)
			if err != nil {
				return e, err
			}
			e.Seconds += seconds
			longest[kind] = max(longest[kind], seconds)
		}
	}
	e.Longest = longest[0] + longest[1]
	return e, nil
}

// price estimates what a task costs, and notes where nothing is known.
func (e *Estimate) price(ctx context.Context, t plan.Task, paces map[string]pace, measure bool) (float64, error) {
	name := kindOf(t)
	known, ok := paces[name]
	if !ok {
		var err error
		switch each, supplied := figures.Seconds[name]; {
		case measure && t.Extract == nil:
			if known, err = timeTraining(ctx, *t.Train); err == nil {
				e.Measured++
			}
		case supplied:
			e.Supplied = append(e.Supplied, name)
			if e.Speed == 0 {
				e.Speed, err = speed(ctx)
			}
			known = pace{each / e.Speed, 1, 0}
		default:
			e.Unknown = append(e.Unknown, name)
			known = pace{0, 1, 0}
		}
		if err != nil {
			return 0, err
		}
		paces[name] = known
	}
	return known.seconds / known.work * workOf(t, 0), nil
}

// A survey is what a store holds. To ask it for every task of a plan takes a hundredth of
// the time that asking the store would: a million of them are planned in seconds.
type survey struct {
	paces map[string]pace // by kind, what results cost
	done  map[string]int  // by key, the epochs of what was trained; 0 for extractions
	aside map[string]bool // keys of tasks that were set aside
}

func newSurvey() *survey {
	return &survey{paces: map[string]pace{}, done: map[string]int{}, aside: map[string]bool{}}
}

// survey reads the whole store.
func (s *Store) survey(ctx context.Context) (*survey, error) {
	v := newSurvey()
	err := s.scan(ctx, s.results, func() { clear(v.paces); clear(v.done) }, func(key string, value []byte) error {
		r, err := s.decodeResult(ctx, key, value)
		if err != nil {
			return err
		}
		v.done[key] = len(r.Records)
		p := v.paces[kindOf(r.Task)]
		p.seconds += r.Cost.Seconds
		p.work += workOf(r.Task, len(r.Records))
		p.n++
		v.paces[kindOf(r.Task)] = p
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = s.scan(ctx, s.failures, func() { clear(v.aside) }, func(key string, value []byte) error {
		var f Failure
		if err := json.Unmarshal(value, &f); err != nil {
			return err
		}
		if f.Aside {
			v.aside[key] = true
		}
		return nil
	})
	return v, err
}

// find reports whether a task is done, or set aside.
func (v *survey) find(t plan.Task) (done, aside bool) {
	if len(v.done)+len(v.aside) == 0 {
		return false, false
	}
	key := t.Key()
	_, done = v.done[key]
	return done, v.aside[key]
}

// epochs returns how many a training came to have, or 0 if it is not done.
func (v *survey) epochs(t plan.Task) (int, error) { return v.done[t.Key()], nil }

// kindOf names tasks whose costs can be compared.
func kindOf(t plan.Task) string {
	if t.Extract != nil {
		method := string(t.Extract.Method)
		if o := t.Extract.Options(""); o.Normal().Limit > 0 && o.Kappa == extract.ChosenKappa { // it merges by a kappa
			method += " with kappa auto"
		}
		return "extract by " + method
	}
	return "train " + t.Train.Cell
}

// workOf returns how much there is to do, in units that are alike within a kind: the
// multiplications of training, and the symbols of an extraction's sample. Training that
// is done took some number of epochs; 0 stands for all.
func workOf(t plan.Task, epochs int) float64 {
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
	return pace{time.Since(begin).Seconds(), workOf(plan.Task{Train: &s}, 0), 1}, nil
}
