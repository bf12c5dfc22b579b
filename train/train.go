package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"time"

	"quotient/internal/lock"
	"quotient/internal/regular"
	"quotient/rnn"
	"quotient/rnn/backprop"
	"quotient/word"
)

// Options are what a run's result does not depend on.
type Options struct {
	Threads  int            // 0: one for every core
	Progress func(Progress) // called after every step, if not nil
	Epoch    func(Record)   // called after every epoch, if not nil
}

// Progress is how far a run is.
type Progress struct {
	Epoch           int           // the current one, from 1
	Step, Steps     int           // done, and to do, in this epoch
	Loss            float64       // mean over this epoch so far
	TokensPerSecond float64       // in this epoch
	Left            time.Duration // until the last epoch is done
}

// An Interrupted error says that training was stopped, and that all is saved.
type Interrupted struct {
	Folder             string
	Epoch, Step, Steps int
}

func (e *Interrupted) Error() string {
	return fmt.Sprintf("stopped in epoch %d after %d of %d steps; everything is saved in %s", e.Epoch, e.Step, e.Steps, e.Folder)
}

// A DivergedError says that the loss or a parameter is no longer a number.
type DivergedError struct {
	Epoch, Step int
	What        string
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("training diverged in epoch %d, step %d: %s; what was saved before is intact; a smaller rate may help", e.Epoch, e.Step, e.What)
}

// A SaveError says that something could not be written.
type SaveError struct{ Err error }

func (e *SaveError) Error() string { return fmt.Sprintf("%v; what was saved before is intact", e.Err) }
func (e *SaveError) Unwrap() error { return e.Err }

// saveEvery is how much work a kill may cost.
var saveEvery = 30 * time.Second

// A session is a run being trained.
type session struct {
	*Run
	Options
	train, dev, long set
	trainer          *backprop.Trainer

	epoch   int     // the current one, from 1
	batch   int     // done in it
	read    int     // tokens read in it
	all     int     // to be read in it
	loss    float64 // summed over the prefixes met in it
	seconds float64 // spent in it, evaluation not included
	saved   time.Time
}

// Train goes on with a run until it is done or ctx is, which is an *Interrupted
// error. Only runs that were opened from a folder can be trained.
func (r *Run) Train(ctx context.Context, o Options) error {
	unlock, err := lock.Folder(r.name)
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	defer unlock()
	if err := sweep(r.name); err != nil {
		return err
	}
	// Another process may have gone on since the run was opened.
	r.Records = nil
	if err := r.readRecords(); err != nil {
		return err
	}
	s := &session{Run: r, Options: o, epoch: 1}
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.inspect(); err != nil {
		return err
	}
	for !s.Done() {
		if err := s.trainEpoch(ctx); err != nil {
			return err
		}
		if err := s.finishEpoch(); err != nil {
			return err
		}
	}
	return nil
}

// prepare draws the strings and makes the trainer, as it was saved or new.
func (s *session) prepare() error {
	if err := s.words(); err != nil {
		return err
	}
	s.all = s.train.tokens()
	c := s.Settings
	n, err := rnn.New(c.shape(s.Language.Alphabet), s.Language.Alphabet)
	if err != nil {
		return err
	}
	n.Init(generator(c.Seed, streamInit))
	s.trainer = backprop.NewTrainer(n, c.adamW(0), s.Threads)
	s.saved = time.Now()
	return s.restore()
}

// words draws the strings, or reads them.
func (s *session) words() (err error) {
	c := s.Settings
	if c.Data != "" {
		return s.readWords()
	}
	for _, x := range []struct {
		set       *set
		n, length int
		stream    uint64
	}{
		{&s.train, c.Strings, c.Length, streamStrings},
		{&s.dev, c.DevStrings, c.DevLength, streamDev},
		{&s.long, c.LongStrings, c.LongLength, streamLong},
	} {
		r := generator(c.Seed, x.stream)
		switch {
		case !c.predicts():
			*x.set, err = draw(s.Language, c.Words, x.n, x.length, r)
		case x.set != &s.long: // words of all lengths say more
			*x.set, err = drawWords(s.Language, x.n, x.length, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Metadata of trainer.safetensors.
const (
	epochKey   = "epoch"
	batchKey   = "batch"
	lossKey    = "loss_sum"
	secondsKey = "seconds"
)

// restore takes over the saved state, if there is one, and forgets records of
// epochs that it does not know to be complete.
func (s *session) restore() error {
	data, err := s.intact(trainerFile, maxNetwork)
	if errors.Is(err, fs.ErrNotExist) {
		s.Records = nil
		return nil
	}
	if err != nil {
		return s.errorf(trainerFile, err)
	}
	m, err := s.trainer.Decode(data)
	if err != nil {
		return s.errorf(trainerFile, err)
	}
	var problem error
	number := func(key string) float64 {
		x, err := strconv.ParseFloat(m[key], 64)
		problem = errors.Join(problem, err)
		return x
	}
	s.epoch, s.batch = int(number(epochKey)), int(number(batchKey))
	s.loss, s.seconds = number(lossKey), number(secondsKey)
	if problem != nil {
		return s.errorf(trainerFile, problem)
	}
	steps := (s.epoch-1)*s.Settings.batches() + s.batch
	if s.epoch < 1 || s.batch < 0 || s.batch > s.Settings.batches() || s.trainer.Steps() != steps {
		return s.errorf(trainerFile, fmt.Errorf("epoch %d, batch %d, after %d steps", s.epoch, s.batch, s.trainer.Steps()))
	}
	if len(s.Records) < s.epoch-1 {
		return s.errorf(epochsFile, fmt.Errorf("%d records, but %d epochs are complete", len(s.Records), s.epoch-1))
	}
	s.Records = s.Records[:s.epoch-1]
	return nil
}

// inspect looks at the files that training itself does not need: a run that goes on with a network of which bits have
// changed would be done as if all were well. Networks that somebody has removed are not missed. Nobody reads the best record but
// people, so it is written anew if it is another.
func (s *session) inspect() error {
	for _, r := range s.Records {
		if _, err := s.intact(CheckpointFile(r.Epoch), maxNetwork); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.errorf(CheckpointFile(r.Epoch), err)
		}
	}
	return s.saveBest(s.Records)
}

// saveBest writes the best of some records, if there is one and the file has another.
func (s *session) saveBest(records []Record) error {
	if len(records) == 0 {
		return nil
	}
	var b bytes.Buffer
	if err := writeRecord(&b, Best(records), "  "); err != nil {
		return err
	}
	if old, err := regular.ReadFile(s.folder, bestFile, 1<<20); err == nil && bytes.Equal(old, b.Bytes()) {
		return nil
	}
	return s.write(bestFile, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}

// save writes the state.
func (s *session) save() error {
	s.saved = time.Now()
	var buf bytes.Buffer
	err := s.trainer.Encode(&buf, map[string]string{
		epochKey:   strconv.Itoa(s.epoch),
		batchKey:   strconv.Itoa(s.batch),
		lossKey:    strconv.FormatFloat(s.loss, 'g', -1, 64),
		secondsKey: strconv.FormatFloat(s.seconds, 'g', -1, 64),
		sealKey:    blank,
	})
	if err == nil {
		// AdamW's means may have become infinite before the parameters do. What
		// could not be read back must not replace what can.
		_, err = rnn.DecodeTensors(buf.Bytes())
	}
	if err != nil {
		return &DivergedError{s.epoch, s.batch, err.Error()}
	}
	return s.write(trainerFile, func(w io.Writer) error { _, err := w.Write(seal(buf.Bytes())); return err })
}

func (s *session) write(file string, f func(io.Writer) error) error {
	if err := write(s.name, file, f); err != nil {
		return &SaveError{err}
	}
	return nil
}

// trainEpoch does the steps of the current epoch that are left.
func (s *session) trainEpoch(ctx context.Context) error {
	c := s.Settings
	order := c.order(s.epoch)
	room := min(c.Batch, c.Strings)
	words, labels := make([]word.Word, 0, room), make([][]bool, 0, room)
	begin, before := time.Now(), s.seconds
	s.read = 0
	for _, i := range order[:min(s.batch*c.Batch, c.Strings)] {
		s.read += len(s.train.words[i]) + 1
	}
	for s.batch < c.batches() {
		if ctx.Err() != nil {
			if err := s.save(); err != nil {
				return err
			}
			return &Interrupted{s.name, s.epoch, s.batch, c.batches()}
		}
		words, labels = words[:0], labels[:0]
		tokens := 0
		for _, i := range order[s.batch*c.Batch : min((s.batch+1)*c.Batch, c.Strings)] {
			words, tokens = append(words, s.train.words[i]), tokens+len(s.train.words[i])+1
			if !c.predicts() {
				labels = append(labels, s.train.labels[i])
			}
		}
		s.trainer.AdamW = c.adamW(s.trainer.Steps())
		if c.predicts() {
			labels = nil
		}
		loss := s.trainer.Step(words, labels)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return &DivergedError{s.epoch, s.batch + 1, fmt.Sprintf("the loss is %v", loss)}
		}
		s.batch++
		s.read += tokens
		s.loss += loss * float64(tokens)
		s.seconds = before + time.Since(begin).Seconds()
		if s.Progress != nil {
			s.Progress(s.progress())
		}
		if time.Since(s.saved) > saveEvery {
			if err := s.save(); err != nil {
				return err
			}
		}
	}
	return nil
}

// pace says how many tokens were read in a second. Less than a millisecond counts as one: as long as that, the clock of
// Windows may stand still.
func (s *session) pace(tokens int) float64 {
	return float64(tokens) / max(s.seconds, 1e-3)
}

func (s *session) progress() Progress {
	c, met, all := s.Settings, s.read, s.all
	p := Progress{Epoch: s.epoch, Step: s.batch, Steps: c.batches(), Loss: s.loss / float64(met), TokensPerSecond: s.pace(met)}
	// What is left takes as long as what was done: whole epochs with their
	// evaluation if there were any.
	perEpoch := s.seconds * float64(all) / float64(met)
	left := perEpoch * (1 - float64(met)/float64(all))
	if n := len(s.Records); n > 0 {
		perEpoch = s.Records[n-1].Seconds
	}
	left += perEpoch * float64(c.Epochs-s.epoch)
	p.Left = time.Duration(left * float64(time.Second))
	return p
}

// finishEpoch evaluates the network and writes what there is to say. The state
// comes last: before, resuming does all of this again, to the same bytes.
func (s *session) finishEpoch() error {
	begin := time.Now()
	n := s.trainer.Network
	if err := n.Check(); err != nil {
		return &DivergedError{s.epoch, s.batch, err.Error()}
	}
	dev := backprop.Evaluate(n, s.Threads, s.dev.words, s.dev.labels)
	long := backprop.Evaluate(n, s.Threads, s.long.words, s.long.labels)
	tokens := s.all
	rec := Record{
		Epoch: s.epoch, Steps: s.trainer.Steps(), Loss: s.loss / float64(tokens),
		DevLoss: dev.Loss, DevPrefixAccuracy: dev.PrefixAccuracy(), DevStringAccuracy: dev.WordAccuracy(),
		LongPrefixAccuracy: long.PrefixAccuracy(), LongStringAccuracy: long.WordAccuracy(),
		Norm: n.Norm(), Saturation: dev.Saturation, MaxSaturation: dev.MaxSaturation,
		TokensPerSecond: s.pace(tokens),
		Seconds:         s.seconds + time.Since(begin).Seconds(),
	}
	if s.Settings.predicts() {
		rec.DevPerplexity = math.Exp(min(dev.Loss, 700))
	}
	err := s.write(CheckpointFile(s.epoch), func(w io.Writer) error {
		var b bytes.Buffer
		if err := n.Encode(&b, map[string]string{"language": s.Settings.Language, "epoch": strconv.Itoa(s.epoch), sealKey: blank}); err != nil {
			return err
		}
		_, err := w.Write(seal(b.Bytes()))
		return err
	})
	if err != nil {
		return err
	}
	records := append(slices.Clip(s.Records), rec)
	if err := s.write(epochsFile, func(w io.Writer) error { return writeRecords(w, records) }); err != nil {
		return err
	}
	if err := s.saveBest(records); err != nil {
		return err
	}
	s.epoch, s.batch, s.loss, s.seconds = s.epoch+1, 0, 0, 0
	if err := s.save(); err != nil {
		return err
	}
	s.Records = records
	if s.Epoch != nil {
		s.Epoch(rec)
	}
	return nil
}
