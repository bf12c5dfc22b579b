package zoo

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"quotient/language"
	"quotient/rnn/backprop"
	"quotient/sample"
	"quotient/train"
	"quotient/word"
)

// tiny trains a run of three epochs.
func tiny(t *testing.T) *train.Run {
	t.Helper()
	s := train.Quick
	s.Language, s.Hidden, s.Epochs, s.Patience = "tomita1", 8, 3, 0
	s.Strings, s.Length, s.DevStrings, s.DevLength, s.LongStrings, s.LongLength = 64, 8, 10, 10, 10, 12
	d, err := language.Load(language.Options{}, s.Language)
	if err != nil {
		t.Fatal(err)
	}
	run, err := train.Create(t.TempDir(), s, d[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Train(context.Background(), train.Options{}); err != nil {
		t.Fatal(err)
	}
	return run
}

func TestPackAndOpen(t *testing.T) {
	run := tiny(t)
	pack := func(epochs ...int) *fstest.MapFile {
		var buf, again bytes.Buffer
		if err := Pack(&buf, run, epochs); err != nil {
			t.Fatal(err)
		}
		if err := Pack(&again, run, epochs); err != nil || !bytes.Equal(buf.Bytes(), again.Bytes()) {
			t.Errorf("packed twice, not the same: %v", err)
		}
		return &fstest.MapFile{Data: buf.Bytes()}
	}
	best := train.Best(run.Records)
	c := collection{fstest.MapFS{
		"tomita1.zip":     pack(1, 2, 3),
		"tomita1-gru.zip": pack(best.Epoch),
		"README.md":       {},
	}}
	list, err := c.list()
	if err != nil || len(list) != 2 || list[0].Name != "zoo:tomita1" || list[1].Name != "zoo:tomita1-gru" {
		t.Fatalf("%v, %v", list, err)
	}
	for _, epoch := range []int{0, 1, 2, 3} {
		name := "zoo:tomita1"
		if epoch > 0 {
			name += "@" + string(rune('0'+epoch))
		}
		want, rec, err := run.Network(epoch)
		if err != nil {
			t.Fatal(err)
		}
		got, info, err := c.open(name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Params, want.Params) || info.Record != rec || info.Name != name || info.Run.Settings != run.Settings {
			t.Errorf("%s is not the network that was packed", name)
		}
	}
	other := best.Epoch%3 + 1
	for name, want := range map[string]string{
		"tomita9":                                "tomita1-gru",
		"zoo:tomita1@0":                          "not an epoch",
		"zoo:tomita1@x":                          "not an epoch",
		"zoo:tomita1@4":                          "it has 1 to 3",
		"../tomita1":                             "no bundled network",
		"tomita1-gru@" + string(rune('0'+other)): "not there, only",
	} {
		if _, _, err := c.open(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
	if _, _, err := (collection{fstest.MapFS{"x.zip": {Data: []byte("no zip")}}}).open("x"); err == nil {
		t.Error("a damaged file was opened")
	}
}

// Every network that is bundled can be opened after every epoch that it has, and
// is as good as its record says.
func TestBundled(t *testing.T) {
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("no networks are bundled; go generate ./zoo trains them")
	}
	for _, info := range list {
		s := info.Run.Settings
		sampler, err := sample.NewMixed(info.Run.Language, sample.Half, s.DevLength, s.DevLength)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(99, 0))
		var words []word.Word
		var labels [][]bool
		for i := range 100 {
			w := sampler.Draw(i, r)
			l := make([]bool, len(w)+1)
			info.Run.Language.Labels(l, w)
			words, labels = append(words, w), append(labels, l)
		}
		kept := info.Run.Kept()
		if !slices.Contains(kept, info.Record.Epoch) {
			t.Errorf("%s: the best epoch %d is not among %v", info.Name, info.Record.Epoch, kept)
		}
		for _, epoch := range kept {
			n, rec, err := info.Run.Network(epoch)
			if err != nil {
				t.Fatal(err)
			}
			if n.Cell.String() != s.Cell || n.Hidden != s.Hidden {
				t.Errorf("%s: %v", info.Name, n.Shape)
			}
			if e := backprop.Evaluate(n, 0, words, labels); rec.DevStringAccuracy == 1 && e.WordAccuracy() < 0.97 {
				t.Errorf("%s after epoch %d: %.2f of fresh strings are right", info.Name, epoch, e.WordAccuracy())
			}
		}
	}
}
