// Package train trains a network on a language, as a folder that grows:
//
//	settings.json         the figures of the run
//	language.json         the automaton of the language
//	epoch-001.safetensors the network after an epoch, with PyTorch's names
//	epochs.jsonl          a record for each epoch
//	best.json             the record of the best epoch so far
//	words.json            the words, if they come from a file
//	trainer.safetensors   all that is needed to go on
//
// What it promises:
//
//   - The settings fix every byte of the networks, whatever the number of threads
//     and however often the run was interrupted and resumed; only the seconds in
//     the records differ. (Kernels for different instruction sets may round
//     differently; see package f32.)
//   - A process may be killed at any moment. Every file is written aside, synced
//     and renamed, so none is ever seen half written, and trainer.safetensors,
//     which is written last, decides where to go on: whatever is there of later
//     epochs is made again, to the same bytes.
//   - If something goes wrong (a full disk, a loss that is not a number), what
//     was saved before stays.
package train

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/internal/lock"
	"quotient/internal/regular"
	"quotient/rnn"
	"quotient/rnn/backprop"
)

const (
	settingsFile = "settings.json"
	languageFile = "language.json"
	epochsFile   = "epochs.jsonl"
	bestFile     = "best.json"
	wordsFile    = "words.json"
	trainerFile  = "trainer.safetensors"
)

var canonical = codec.Formats()[0] // JSON

// CheckpointFile returns the name of the file that holds the network after an
// epoch, counted from 1.
func CheckpointFile(epoch int) string { return fmt.Sprintf("epoch-%03d.safetensors", epoch) }

// A Record is what is known of a network after an epoch. Accuracies are shares
// from 0 to 1; a string is right if all its prefixes are.
type Record struct {
	Epoch int     `json:"epoch"` // from 1
	Steps int     `json:"steps"` // since the run began
	Loss  float64 `json:"loss"`  // mean over the epoch's prefixes, as they were met

	DevLoss            float64 `json:"dev_loss"`
	DevPrefixAccuracy  float64 `json:"dev_prefix_accuracy"`
	DevStringAccuracy  float64 `json:"dev_string_accuracy"`
	LongPrefixAccuracy float64 `json:"long_prefix_accuracy"` // on the generalization set
	LongStringAccuracy float64 `json:"long_string_accuracy"`
	DevPerplexity      float64 `json:"dev_perplexity,omitempty" sweep:"-"` // of a language model, for a symbol or the end of a held-out word; only the loss and the share of prefixes after which it finds likeliest what comes next are known of it beside

	Norm          float64 `json:"norm"`           // of all parameters
	Saturation    float64 `json:"saturation"`     // mean over the dev set's prefixes; see [rnn.Saturation]
	MaxSaturation float64 `json:"max_saturation"` // and the greatest

	Seconds         float64 `json:"seconds"` // evaluation included
	TokensPerSecond float64 `json:"tokens_per_second"`
}

// perfect reports whether every string of both sets is right.
func (r Record) perfect() bool { return r.DevStringAccuracy == 1 && r.LongStringAccuracy == 1 }

// Best returns the best of some records: by accuracy on whole dev strings, then on
// their prefixes, and the latest where several tie; of a language model, by perplexity. There
// must be one.
func Best(records []Record) Record {
	best := records[0]
	for _, r := range records[1:] {
		if r.DevPerplexity > 0 {
			if r.DevPerplexity < best.DevPerplexity {
				best = r
			}
			continue
		}
		if cmp.Or(cmp.Compare(r.DevStringAccuracy, best.DevStringAccuracy),
			cmp.Compare(r.DevPrefixAccuracy, best.DevPrefixAccuracy)) >= 0 {
			best = r
		}
	}
	return best
}

// A Run is a folder with the settings of a training run and what has come of it.
type Run struct {
	Settings Settings
	Language *automaton.DFA // minimal
	Records  []Record       // one for each epoch that is complete

	name   string // of the folder, for messages
	folder fs.FS
	sealed map[string]string // digests of files that hold none; nil: the run is of a version without seals
}

// Name returns the folder, as it was given.
func (r *Run) Name() string { return r.name }

// ErrNoRun says that a folder holds no run.
var ErrNoRun = errors.New("there is no run in this folder")

// ErrExists says that a folder is not free for a new run.
var ErrExists = errors.New("holds a run already")

// Create makes the folder of a new run. It must not exist or be empty.
func Create(folder string, s Settings, d *automaton.DFA) (*Run, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if _, err := s.Missing(d); err != nil {
		return nil, err
	}
	return begin(folder, s, d, nil)
}

// begin makes the folder, with words of a file if there are some.
func begin(folder string, s Settings, d *automaton.DFA, words *dataWords) (*Run, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := backprop.Trainable(s.shape(d.Alphabet), min(s.Batch, s.Strings), s.Length, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	// Locked before its first byte: of two processes that begin here at the same moment, one
	// finds the folder taken, or the run of the other.
	unlock, err := lock.Folder(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	defer unlock()
	if err := vacant(folder); err != nil {
		return nil, err
	}
	r := &Run{Settings: s, Language: automaton.Minimize(d), name: folder, folder: os.DirFS(folder), sealed: map[string]string{}}
	if words != nil {
		if err := r.writeSealed(wordsFile, func(w io.Writer) error { return encodeJSON(w, words, "") }); err != nil {
			return nil, err
		}
	}
	if err := r.writeSealed(languageFile, func(w io.Writer) error { return codec.Write(w, r.Language.NFA(), canonical) }); err != nil {
		return nil, err
	}
	// The settings come last: with them the run exists.
	var b bytes.Buffer
	if err := encodeJSON(&b, struct {
		Settings
		seals
	}{s, seals{r.sealed, blank}}, "  "); err != nil {
		return nil, err
	}
	return r, write(folder, settingsFile, func(w io.Writer) error { _, err := w.Write(seal(b.Bytes())); return err })
}

// writeSealed writes a file and remembers its digest for the settings.
func (r *Run) writeSealed(file string, f func(io.Writer) error) error {
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	r.sealed[file] = digest(b.Bytes())
	return write(r.name, file, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}

// vacant reports what there is in a folder that a new run must not touch. What a
// killed process left before its run existed is no obstacle.
func vacant(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.Name() == settingsFile {
			return fmt.Errorf("%s %w", folder, ErrExists)
		}
	}
	for _, e := range entries {
		if name := e.Name(); name != languageFile && name != wordsFile && !strings.HasSuffix(name, aside) {
			return fmt.Errorf("%s holds other files, %s for one: choose a folder that is new or empty", folder, name)
		}
	}
	return nil
}

func encodeJSON(w io.Writer, v any, indent string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e.Encode(v)
}

// OpenOrCreate opens the run in a folder, or creates it if there is none. One with
// other settings is an error.
func OpenOrCreate(folder string, s Settings, d *automaton.DFA) (*Run, error) {
	r, err := Open(folder)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNoRun) {
		return Create(folder, s, d)
	}
	if err != nil {
		return nil, err
	}
	if list := s.Differences(r.Settings); len(list) > 0 {
		return nil, fmt.Errorf("the run in %s has other settings (%s); remove it, or choose another folder", folder, strings.Join(list, "; "))
	}
	return r, nil
}

// Open reads a run.
func Open(folder string) (*Run, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: %w: it is a file", folder, ErrNoRun)
	}
	return OpenFS(folder, os.DirFS(folder))
}

// OpenFS reads a run from any file system. The name stands in messages.
func OpenFS(name string, folder fs.FS) (*Run, error) {
	r := &Run{name: name, folder: folder}
	data, err := regular.ReadFile(r.folder, settingsFile, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: it has no %s", name, ErrNoRun, settingsFile)
	}
	if err != nil {
		return nil, r.errorf(settingsFile, err)
	}
	if err := r.readSettings(data); err != nil {
		return nil, r.errorf(settingsFile, err)
	}
	if err := r.Settings.Check(); err != nil {
		return nil, r.errorf(settingsFile, err)
	}
	if err := r.readLanguage(); err != nil {
		return nil, err
	}
	return r, r.readRecords()
}

// Limits on the sizes of files, which may be anybody's.
const (
	maxSettings = 1 << 20
	maxData     = 1 << 28
	maxNetwork  = 1 << 30
)

// errorf says which file of the run an error is about.
func (r *Run) errorf(file string, err error) error {
	var at *fs.PathError // it names the file without the folder
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; the run is not complete without it: restore it, or train anew in another folder", err)
	}
	return fmt.Errorf("%s: %w", filepath.Join(r.name, file), err)
}

// decodeJSON is strict: a figure that is not known was written by another
// version, whose run would come out differently here.
func decodeJSON(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON")
	}
	return nil
}

func (r *Run) readLanguage() error {
	data, err := r.intact(languageFile, maxData)
	if err != nil {
		return r.errorf(languageFile, err)
	}
	n, err := codec.Read(bytes.NewReader(data), filepath.Join(r.name, languageFile), canonical)
	if err != nil {
		return err
	}
	d, err := automaton.Determinize(n, max(n.Len(), automaton.DefaultLimit))
	if err != nil {
		return r.errorf(languageFile, err)
	}
	r.Language = automaton.Minimize(d)
	return nil
}

func (r *Run) readRecords() error {
	data, err := regular.ReadFile(r.folder, epochsFile, maxData)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r.errorf(epochsFile, err)
	}
	for line := range bytes.Lines(data) {
		var rec sealedRecord
		err := decodeJSON(line, &rec)
		if err == nil && r.sealed != nil {
			err = checkSeal(line)
		}
		if err != nil {
			return r.errorf(epochsFile, fmt.Errorf("line %d: %w", len(r.Records)+1, err))
		}
		if rec.Epoch != len(r.Records)+1 {
			return r.errorf(epochsFile, fmt.Errorf("line %d is about epoch %d", len(r.Records)+1, rec.Epoch))
		}
		r.Records = append(r.Records, rec.Record)
	}
	return nil
}

// writeRecords writes records one a line.
func writeRecords(w io.Writer, records []Record) error {
	for _, rec := range records {
		if err := writeRecord(w, rec, ""); err != nil {
			return err
		}
	}
	return nil
}

// writeRecord writes a record with its seal.
func writeRecord(w io.Writer, rec Record, indent string) error {
	var b bytes.Buffer
	if err := encodeJSON(&b, sealedRecord{rec, blank}, indent); err != nil {
		return err
	}
	_, err := w.Write(seal(b.Bytes()))
	return err
}

// Done reports whether training is over: all epochs are done, or every string has
// been right for as many epochs as patience says; of a language model, it has been no better
// for as many.
func (r *Run) Done() bool {
	n, p := len(r.Records), r.Settings.Patience
	if r.Settings.predicts() && p > 0 && n > 0 && n < r.Settings.Epochs {
		return Best(r.Records).Epoch <= n-p
	}
	return n >= r.Settings.Epochs ||
		p > 0 && n >= p && !slices.ContainsFunc(r.Records[n-p:], func(rec Record) bool { return !rec.perfect() })
}

// Kept returns the epochs whose networks are there, all of them in a folder and
// perhaps fewer in a copy.
func (r *Run) Kept() []int {
	var kept []int
	for _, rec := range r.Records {
		if _, err := fs.Stat(r.folder, CheckpointFile(rec.Epoch)); err == nil {
			kept = append(kept, rec.Epoch)
		}
	}
	return kept
}

// Files returns the names of the files that a copy of the run needs to be opened,
// with the networks after the given epochs.
func Files(epochs []int) []string {
	files := []string{settingsFile, languageFile, epochsFile}
	for _, e := range epochs {
		files = append(files, CheckpointFile(e))
	}
	return files
}

// Resumable returns the names of the files that a copy of an unfinished run needs to
// go on, as far as they are there. It makes no difference which epochs' networks are.
func Resumable() []string { return append(Files(nil), wordsFile, trainerFile) }

// Folder returns the run's files.
func (r *Run) Folder() fs.FS { return r.folder }

// Network reads the network after an epoch, counted from 1, or after the best one
// if epoch is 0.
func (r *Run) Network(epoch int) (*rnn.Network, Record, error) {
	if len(r.Records) == 0 {
		return nil, Record{}, fmt.Errorf("%s: no epoch is complete yet", r.name)
	}
	if epoch < 0 || epoch > len(r.Records) {
		return nil, Record{}, fmt.Errorf("%s: there is no epoch %d: it has 1 to %d", r.name, epoch, len(r.Records))
	}
	rec := Best(r.Records)
	if epoch > 0 {
		rec = r.Records[epoch-1]
	}
	file := CheckpointFile(rec.Epoch)
	data, err := r.intact(file, maxNetwork)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, rec, fmt.Errorf("%s: the network after epoch %d is not there, only those after %v", r.name, rec.Epoch, r.Kept())
	}
	if err != nil {
		return nil, rec, r.errorf(file, err)
	}
	n, _, err := rnn.Decode(data)
	if err != nil {
		return nil, rec, r.errorf(file, err)
	}
	if want := r.Settings.shape(r.Language.Alphabet); n.Shape != want {
		return nil, rec, r.errorf(file, fmt.Errorf("the network is %+v, but by %s and %s it should be %+v", n.Shape, settingsFile, languageFile, want))
	}
	return n, rec, nil
}
