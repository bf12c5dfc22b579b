package train

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/internal/lock"
	"quotient/language"
	"quotient/rnn"
)

// small is a run of a fraction of a second.
func small() Settings {
	s := Quick
	s.Language = "tomita5"
	s.Hidden, s.Embedding = 12, 4
	s.Epochs, s.Patience, s.Batch = 4, 0, 16
	s.Strings, s.Length = 200, 12
	s.DevStrings, s.DevLength, s.LongStrings, s.LongLength = 40, 20, 40, 30
	return s
}

func load(t testing.TB, name string) *automaton.DFA {
	t.Helper()
	d, err := language.Load(language.Options{}, name)
	if err != nil {
		t.Fatal(err)
	}
	return d[0]
}

func create(t testing.TB, folder string, s Settings) *Run {
	t.Helper()
	r, err := Create(folder, s, load(t, s.Language))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func reopen(t testing.TB, folder string) *Run {
	t.Helper()
	r, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// content reads a folder, with the times in its records taken out.
func content(t testing.TB, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if name := e.Name(); name == epochsFile || name == bestFile {
			text = timeless(t, text)
		}
		files[e.Name()] = text
	}
	return files
}

func timeless(t testing.TB, records string) string {
	t.Helper()
	var b strings.Builder
	for d := json.NewDecoder(strings.NewReader(records)); d.More(); {
		var r Record
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		r.Seconds, r.TokensPerSecond = 0, 0
		if err := writeRecord(&b, r, ""); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func same(t testing.TB, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is not the same", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

// whole is a run that nothing interrupts.
func whole(t testing.TB, s Settings, threads int) map[string]string {
	t.Helper()
	folder := t.TempDir()
	if err := create(t, folder, s).Train(context.Background(), Options{Threads: threads}); err != nil {
		t.Fatal(err)
	}
	return content(t, folder)
}

func TestSameBytesForAnyNumberOfThreads(t *testing.T) {
	for _, cell := range rnn.Cells {
		s := small()
		s.Cell, s.Batch, s.Epochs = cell.String(), 50, 2
		one := whole(t, s, 1)
		if len(one) != 5+s.Epochs {
			t.Errorf("%d files", len(one))
		}
		for _, threads := range []int{2, 3} {
			same(t, whole(t, s, threads), one)
		}
		s.Seed++
		if whole(t, s, 1)[CheckpointFile(1)] == one[CheckpointFile(1)] {
			t.Error("another seed gives the same network")
		}
	}
}

// Stop after every step; each time another process goes on.
func TestInterruptedAndResumed(t *testing.T) {
	s := small()
	s.Epochs = 3
	folder := t.TempDir()
	create(t, folder, s)
	stops := 0
	for {
		ctx, cancel := context.WithCancel(context.Background())
		r := reopen(t, folder)
		err := r.Train(ctx, Options{Progress: func(Progress) { cancel() }})
		cancel()
		if err == nil {
			break
		}
		var stopped *Interrupted
		if !errors.As(err, &stopped) {
			t.Fatal(err)
		}
		if want := stops + 1; (stopped.Epoch-1)*s.batches()+stopped.Step != want {
			t.Fatalf("stop %d: %v", want, err)
		}
		stops++
	}
	if want := s.Epochs*s.batches() - 1; stops < want-s.Epochs || stops > want {
		t.Errorf("stopped %d times in %d steps", stops, want+1)
	}
	same(t, content(t, folder), whole(t, s, 0))

	// A run that is complete is left as it is.
	before := content(t, folder)
	if err := reopen(t, folder).Train(context.Background(), Options{Epoch: func(Record) { t.Error("it trains") }}); err != nil {
		t.Fatal(err)
	}
	same(t, content(t, folder), before)
}

// Whatever a kill between any two renames leaves is made again.
func TestResumesAfterAKillBetweenAnyTwoFiles(t *testing.T) {
	s := small()
	s.Anneal = 1 // so that a run of fewer epochs is the beginning of one of more
	want := whole(t, s, 0)
	shorter := s
	shorter.Epochs--
	files := whole(t, shorter, 0)
	files[settingsFile] = want[settingsFile]
	for _, next := range []string{CheckpointFile(s.Epochs), epochsFile, bestFile, trainerFile} {
		folder := t.TempDir()
		put := func(name, text string) {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range files {
			put(name, text)
		}
		put(next+aside, want[next][:len(want[next])/2])
		if err := reopen(t, folder).Train(context.Background(), Options{}); err != nil {
			t.Fatalf("killed before %s: %v", next, err)
		}
		same(t, content(t, folder), want)
		files[next] = want[next]
	}
}

func TestStopsOncePatienceIsOver(t *testing.T) {
	r := &Run{Settings: Settings{Epochs: 9, Patience: 2}}
	add := func(dev, long float64) {
		r.Records = append(r.Records, Record{Epoch: len(r.Records) + 1, DevStringAccuracy: dev, LongStringAccuracy: long})
	}
	for _, step := range []struct {
		dev, long float64
		done      bool
	}{{1, 1, false}, {1, 0.9, false}, {1, 1, false}, {0.9, 1, false}, {1, 1, false}, {1, 1, true}} {
		add(step.dev, step.long)
		if r.Done() != step.done {
			t.Errorf("after %d epochs Done() = %v", len(r.Records), r.Done())
		}
	}
	r.Settings.Patience = 0
	if r.Done() {
		t.Error("done although patience is endless")
	}
	r.Settings.Epochs = 6
	if !r.Done() {
		t.Error("not done after all epochs")
	}
}

func TestBest(t *testing.T) {
	r := func(epoch int, strings, prefixes float64) Record {
		return Record{Epoch: epoch, DevStringAccuracy: strings, DevPrefixAccuracy: prefixes}
	}
	for _, c := range []struct {
		records []Record
		want    int
	}{
		{[]Record{r(1, 0, 0)}, 1},
		{[]Record{r(1, 0.5, 0.9), r(2, 0.6, 0.8), r(3, 0.1, 0.99)}, 2},
		{[]Record{r(1, 1, 1), r(2, 1, 1), r(3, 0.9, 0.9)}, 2},
		{[]Record{r(1, 0.5, 0.9), r(2, 0.5, 0.8)}, 1},
	} {
		if got := Best(c.records).Epoch; got != c.want {
			t.Errorf("Best(%v) is epoch %d, want %d", c.records, got, c.want)
		}
	}
}

// A network that learns, and what is recorded of it.
func TestLearns(t *testing.T) {
	s := small()
	s.Language, s.Strings, s.Hidden, s.Epochs, s.Patience = "tomita1", 1000, 20, 30, 1
	folder := filepath.Join(t.TempDir(), "a", "run")
	r := create(t, folder, s)
	var seen []Record
	steps := 0
	err := r.Train(context.Background(), Options{
		Epoch: func(r Record) { seen = append(seen, r) },
		Progress: func(p Progress) {
			steps++
			if p.Steps != s.batches() || p.Step != (steps-1)%p.Steps+1 || p.Epoch != (steps-1)/p.Steps+1 || !(p.Loss > 0) || p.TokensPerSecond <= 0 || p.Left < 0 {
				t.Fatalf("step %d: %+v", steps, p)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r = reopen(t, folder)
	if !slices.Equal(seen, r.Records) || !r.Done() || steps != s.batches()*len(seen) {
		t.Errorf("%d records told, %d written, %d steps", len(seen), len(r.Records), steps)
	}
	last := r.Records[len(r.Records)-1]
	if !last.perfect() || !(last.Loss < seen[0].Loss) || last.Steps != steps {
		t.Errorf("the last record is %+v", last)
	}
	n, rec, err := r.Network(0)
	if err != nil || rec != Best(r.Records) {
		t.Fatal(rec, err)
	}
	if math.Abs(n.Norm()-rec.Norm) > 1e-9 || !n.Alphabet.Equal(r.Language.Alphabet) {
		t.Errorf("norm %v, recorded as %v", n.Norm(), rec.Norm)
	}
	first, rec, err := r.Network(1)
	if err != nil || rec.Epoch != 1 || slices.Equal(first.Params, n.Params) {
		t.Error(rec, err)
	}
	if _, _, err := r.Network(len(r.Records) + 1); err == nil || !strings.Contains(err.Error(), "there is no epoch") {
		t.Error(err)
	}
}

func TestDivergence(t *testing.T) {
	s := small()
	s.Rate = 1e37
	folder := t.TempDir()
	err := create(t, folder, s).Train(context.Background(), Options{})
	var diverged *DivergedError
	if !errors.As(err, &diverged) || diverged.Epoch != 1 || diverged.Step < 1 {
		t.Fatalf("got %v", err)
	}
	for name := range content(t, folder) {
		if name != settingsFile && name != languageFile {
			t.Errorf("%s was written", name)
		}
	}
}

// A run that diverges late keeps what it had.
func TestDivergenceKeepsTheLastGoodNetwork(t *testing.T) {
	s := small()
	folder := t.TempDir()
	r := create(t, folder, s)
	ctx, cancel := context.WithCancel(context.Background())
	r.Train(ctx, Options{Epoch: func(r Record) {
		if r.Epoch == 2 {
			cancel()
		}
	}})
	before := content(t, folder)
	r = reopen(t, folder)
	r.Settings.Rate = 1e37
	var diverged *DivergedError
	if err := r.Train(context.Background(), Options{}); !errors.As(err, &diverged) || diverged.Epoch != 3 {
		t.Fatal(err)
	}
	same(t, content(t, folder), before)
}

func TestFolders(t *testing.T) {
	s := small()
	folder := t.TempDir()
	create(t, folder, s)
	fails := func(err error, part string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one with %q", err, part)
		}
	}
	d := load(t, "tomita5")
	_, err := Create(folder, s, d)
	fails(err, "holds a run already")
	os.WriteFile(filepath.Join(folder, "a.txt"), nil, 0o666)
	_, err = Create(folder, s, d)
	fails(err, "holds a run already")

	other := t.TempDir()
	os.WriteFile(filepath.Join(other, "thesis.tex"), nil, 0o666)
	_, err = Create(other, s, d)
	fails(err, "thesis.tex")
	_, err = Open(other)
	fails(err, "no run")
	if !errors.Is(err, ErrNoRun) {
		t.Error(err)
	}
	_, err = Open(filepath.Join(other, "thesis.tex"))
	fails(err, "it is a file")
	_, err = Open(filepath.Join(other, "none"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}

	// What a kill leaves before the run exists is no obstacle.
	killed := t.TempDir()
	for _, name := range []string{languageFile, settingsFile + aside} {
		os.WriteFile(filepath.Join(killed, name), []byte("{"), 0o666)
	}
	if _, err := Create(killed, s, d); err != nil {
		t.Error(err)
	}

	// Two processes at a time would be one too many.
	unlock, err := lock.Folder(folder)
	if err != nil {
		t.Fatal(err)
	}
	r := reopen(t, folder)
	fails(r.Train(context.Background(), Options{}), "another process")
	unlock()
	_, _, err = r.Network(0)
	fails(err, "no epoch is complete")
}

// A clock that has not moved yet gives a figure that can be written down.
func TestPaceOfAMoment(t *testing.T) {
	if p := (&session{}).pace(5); p != 5000 {
		t.Errorf("%v tokens a second", p)
	}
	if p := (&session{seconds: 2}).pace(5); p != 2.5 {
		t.Errorf("%v tokens a second", p)
	}
}

func TestDamagedFiles(t *testing.T) {
	s := small()
	s.Epochs = 2
	const missing = "missing"
	for _, c := range []struct{ file, text, want string }{
		{settingsFile, "{", "settings.json"},
		{settingsFile, `{"no_such_figure": 1}`, "no_such_figure"},
		{settingsFile, `{"language": "tomita5"}}`, "something follows"},
		{settingsFile, `{"language": "tomita5"}`, "cell"},
		{languageFile, "[]", "language.json"},
		{epochsFile, "{}\n", "line 1"},
		{epochsFile, "", "0 records, but 2 epochs"},
		{trainerFile, "half", "trainer.safetensors"},
		{languageFile, missing, "; the run is not complete without it"},
	} {
		folder := t.TempDir()
		r := create(t, folder, s)
		if err := r.Train(context.Background(), Options{}); err != nil {
			t.Fatal(err)
		}
		os.WriteFile(filepath.Join(folder, c.file), []byte(c.text), 0o666)
		if c.text == missing {
			os.Remove(filepath.Join(folder, c.file))
		}
		r, err := Open(folder)
		if err == nil {
			err = r.Train(context.Background(), Options{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.file, err, c.want)
		}
	}
}

// Whatever takes too much memory is refused before there is a folder.
func TestTooLarge(t *testing.T) {
	d, err := language.Load(language.Options{}, small().Language)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*Settings){
		func(s *Settings) { s.Hidden = 16000 },
		func(s *Settings) { s.Hidden, s.Layers = 4000, 16 },
		func(s *Settings) { s.Batch, s.Strings, s.Length = 1<<20, 1<<20, 1000 },
		func(s *Settings) { s.Hidden = maxFigure },
	} {
		s := small()
		change(&s)
		folder := filepath.Join(t.TempDir(), "run")
		if _, err := Create(folder, s, d[0]); err == nil {
			t.Errorf("%+v was created", s)
		}
		if _, err := os.Stat(folder); err == nil {
			t.Errorf("the folder of %+v is there", s)
		}
	}
}

// A batch larger than the set is the whole set.
func TestLargeBatch(t *testing.T) {
	s := small()
	s.Epochs, s.Batch = 1, maxFigure
	r := create(t, t.TempDir(), s)
	if err := r.Train(context.Background(), Options{}); err != nil || r.Records[0].Steps != 1 {
		t.Errorf("%+v, %v", r.Records, err)
	}
}

// A network that the settings do not describe was not made by the run.
func TestForeignNetwork(t *testing.T) {
	s := small()
	s.Epochs = 1
	r := create(t, t.TempDir(), s)
	if err := r.Train(context.Background(), Options{}); err != nil {
		t.Fatal(err)
	}
	r.Settings.Hidden++
	if _, _, err := r.Network(0); err == nil || !strings.Contains(err.Error(), "settings.json") {
		t.Error(err)
	}
}
