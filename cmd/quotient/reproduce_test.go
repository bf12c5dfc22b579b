package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quotient/extract"
	"quotient/language"
	"quotient/paper"
	"quotient/rnn"
	"quotient/train"
)

// writeRuns makes a run for each language, with tiny networks that have not been
// trained.
func writeRuns(t *testing.T, folder string, epochs int) {
	t.Helper()
	s := train.Quick
	s.Hidden, s.Embedding, s.Epochs = 6, 2, epochs
	for i, l := range paper.Languages {
		d, err := language.Load(language.Options{}, l)
		if err != nil {
			t.Fatal(err)
		}
		s.Language = l
		if _, err := train.Create(filepath.Join(folder, l), s, d[0]); err != nil {
			t.Fatal(err)
		}
		var records bytes.Buffer
		for e := 1; e <= epochs; e++ {
			n, err := rnn.New(rnn.Shape{Cell: rnn.Elman, Layers: 1, Embedding: s.Embedding, Hidden: s.Hidden}, d[0].Alphabet)
			if err != nil {
				t.Fatal(err)
			}
			n.Init(rand.New(rand.NewPCG(uint64(i), uint64(e))))
			var file bytes.Buffer
			if err := n.Encode(&file, nil); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(folder, l, train.CheckpointFile(e)), file.Bytes())
			if err := json.NewEncoder(&records).Encode(train.Record{Epoch: e}); err != nil {
				t.Fatal(err)
			}
		}
		write(t, filepath.Join(folder, l, "epochs.jsonl"), records.Bytes())
		unseal(t, filepath.Join(folder, l, "settings.json"))
	}
}

// unseal makes a run one of a version that sealed nothing, so that its files can be made by hand.
func unseal(t *testing.T, settings string) {
	t.Helper()
	data, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	delete(all, "sealed")
	delete(all, "sha256")
	if data, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	write(t, settings, data)
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReproduceFromRuns(t *testing.T) {
	folder := t.TempDir()
	writeRuns(t, filepath.Join(folder, "runs"), 1)
	out := filepath.Join(folder, "out")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"reproduce", "table1", "--models", filepath.Join(folder, "runs"), "--json", "-o", out}, nil, &stdout, &stderr); code != exitOK {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	var got struct {
		Rows    []map[string]any
		Seconds float64
		Files   []string
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 4*len(paper.Languages) || got.Seconds <= 0 {
		t.Errorf("%d rows in %g seconds", len(got.Rows), got.Seconds)
	}
	for _, row := range got.Rows {
		for _, name := range []string{"language", "method", "kappa", "accuracy_mean", "accuracy_std", "smallest_states", "exact", "samples"} {
			if _, ok := row[name]; !ok {
				t.Errorf("%v has no %s", row, name)
			}
		}
		if share, ok := row["accuracy_mean"].(float64); ok && (share < 0 || share > 1) {
			t.Errorf("%v: the accuracy is no share", row)
		}
	}
	for _, name := range got.Files {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if list := strings.Join(got.Files, " "); list != "report.html table1.csv" {
		t.Errorf("files: %s", list)
	}
}

func TestReproduceNeedsCommonEpochs(t *testing.T) {
	folder := t.TempDir()
	writeRuns(t, folder, 2)
	for i, l := range paper.Languages { // some have the first epoch, some the second
		if err := os.Remove(filepath.Join(folder, l, train.CheckpointFile(1+i%2))); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"reproduce", "figures", "--models", folder}, nil, &stdout, &stderr); code != exitError {
		t.Errorf("status %d", code)
	}
	if !strings.Contains(stderr.String(), "no epoch after which all languages have a network") {
		t.Error(stderr.String())
	}
}

// Folding finds every language in every sample from the networks that come with
// the program.
func TestReproduceBundled(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred extractions")
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"reproduce", "table1", "--json"}, nil, &stdout, &stderr); code != exitOK {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	var got struct{ Rows []paper.Row }
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	folded := 0
	for _, row := range got.Rows {
		if row.Method == extract.Fold {
			folded++
			if row.Exact != 5 || row.Samples != 5 {
				t.Errorf("%s: %d of %d samples are exact", row.Language, row.Exact, row.Samples)
			}
		}
	}
	if folded != len(paper.Languages) {
		t.Errorf("%d rows of fold", folded)
	}
}
