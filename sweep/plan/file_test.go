package plan

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/train"
)

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"a: [", "line 1"},
		{"train: {language: tomita1}\nextrct: {}\n", ":2: a sweep knows no \"extrct\"; there are name, train, model, extract, runs"},
		{"train:\n  language: tomita1\n  hiden: 3\n", ":3: train knows no \"hiden\""},
		{"train:\n  hidden: 3\n", ":2: train: language is missing"},
		{"train:\n  language: tomita1\n  hidden: many\n", ":3: hidden \"many\": a value of type int is expected"},
		{"train:\n  language: tomita1\n  hidden: [1, 0]\n", "train: hidden 0: it must be at least 1"},
		{"train:\n  language: lang.att\n", ":2: language \"lang.att\": \"lang.att\" is no language that has a name"},
		{"train: {language: tomita1}\nmodel: zoo:tomita1\n", ":1: either train or model"},
		{"extract: {}\n", ":1: either train or model"},
		{"model: zoo:tomita1\n", "there is nothing to do"},
		{"model: 3\nextract: {}\n", ":1: model 3: it must be the name of a network"},
		{"name: a b\nmodel: zoo:tomita1\nextract: {}\n", ":1: name \"a b\""},
		{"model: zoo:tomita1\nextract:\n  method: [fold, fould]\n", ":3: method \"fould\": no method is called"},
		{"model: zoo:tomita1\nextract:\n  kappa: 3\n", ":3: kappa 3"},
		{"model: zoo:tomita1\nextract:\n  kappa: [0.1, best]\n", ":3: kappa \"best\": a value of type float64"},
		{"model: zoo:tomita1\nextract:\n  seed: {from: 3, to: 1}\n", ":3: a range from 3 to 1 has no values"},
		{"model: zoo:tomita1\nextract:\n  seed: {from: 3, two: 1}\n", ":3: a range knows no \"two\""},
		{"model: zoo:tomita1\nextract:\n  seed: {from: 1, to: 9, step: 0}\n", "step 0"},
		{"model: zoo:tomita1\nextract:\n  seed: {from: 1, to: 100000000}\n", "has over"},
		{"model: zoo:tomita1\nextract:\n  seed: []\n", "the list is empty"},
		{"model: zoo:tomita1\nextract:\n  seed: 1\n  seed: 2\n", "seed"},
		{"model: zoo:tomita1\nextract:\n  seed: -1\n", ":3: seed -1"},
		{"model: zoo:tomita1\nextract:\n  words-from: there\n", ":3: words-from \"there\": there are language and network"},
		{"train:\n  language: 'regex:(ab'\n", ":2: language \"regex:(ab\""},
		{"train: {language: tomita1}\nextract: []\n", ":2: extract: the list is empty"},
		{"train: {language: tomita1, preset: [quick]}\n", ":1: preset: it is one of quick"},
		{"train: {language: tomita1, epochs: [3, 4]}\nextract: {epoch: [2, 5]}\n", ":2: epoch 5: training ends after 4"},
		{"model: zoo:tomita1\nextract:\n  held-out-length: 100000000\n", ":3: held-out-length 100000000: it must be from 0"},
		{"model: zoo:tomita1\nextract: {strings: {from: 1, to: 100000}, length: {from: 1, to: 100000}}\n", ":2: the grid has 1e+10 points"},
		{"runs: 3\n", ":1: runs: it must be a list"},
		{"runs: [{model: zoo:tomita1, extract: {}}]\nmodel: x\n", ":2: model stands beside runs"},
		{"model: &m zoo:tomita1\nextract: {}\n", "anchors"},
	} {
		f, err := Read("x.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.yaml:") {
			t.Errorf("%q: %v, %v; want %s", c.text, f, err, c.want)
		}
	}
}

// tasks lists the tasks of a file in their order.
func tasks(t testing.TB, text string) []string {
	t.Helper()
	f, err := Read("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for task, err := range f.Tasks(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, task.String())
	}
	return list
}

func TestGridInOrder(t *testing.T) {
	got := tasks(t, `
train:
  seed: {from: 1, to: 2}
  language: [tomita2, tomita1]
  epochs: [2, 3]
extract:
  kappa: [0.5, auto]
  epoch: [best, 2, 3]
`)
	want := `train tomita2 elman hidden 100 seed 1
extract tomita2 elman hidden 100 seed 1: fold kappa 0.5 seed 1
extract tomita2 elman hidden 100 seed 1: fold kappa auto seed 1
extract tomita2 elman hidden 100 seed 1 epoch 2: fold kappa 0.5 seed 1
extract tomita2 elman hidden 100 seed 1 epoch 2: fold kappa auto seed 1
train tomita2 elman hidden 100 seed 2`
	if len(got) != 4*5+4*7 || strings.Join(got[:6], "\n") != want {
		t.Errorf("%d tasks:\n%s", len(got), strings.Join(got, "\n"))
	}
}

// What several parts of a file ask for is planned once.
func TestNothingIsPlannedTwice(t *testing.T) {
	got := tasks(t, `
runs:
  - train: {language: [tomita1, tomita2], epochs: 3}
    extract:
      - {epoch: [1, best], seed: [1, 2]}
      - {epoch: all, seed: [2, 3]}
  - train: {language: [tomita2, tomita3], epochs: 3, seed: 1}
    extract: {epoch: all, seed: [3, 4]}
`)
	seen := map[string]bool{}
	for _, task := range got {
		if seen[task] {
			t.Errorf("twice: %s", task)
		}
		seen[task] = true
	}
	// Two networks with 4 + 6 - 1 extractions each; then 3 new ones of tomita2, and
	// tomita3 with 6.
	if want := 2*(1+9) + 3 + 1 + 6; len(got) != want {
		t.Errorf("%d tasks, want %d:\n%s", len(got), want, strings.Join(got, "\n"))
	}
}

// A name that stands for one network has no epochs: all of them are that one.
func TestOneNetwork(t *testing.T) {
	for _, text := range []string{
		"model: [zoo:tomita1@5, zoo:tomita1@5]\nextract: {epoch: all}",
		"model: zoo:tomita1@5\nextract: [{epoch: all}, {epoch: best}]",
	} {
		if got := tasks(t, text); len(got) != 1 {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestCountIsTheNumberOfTasks(t *testing.T) {
	for _, text := range []string{
		"train: {language: [tomita1, tomita2], epochs: [3, 5]}\nextract: {epoch: [best, 2, 5], seed: {from: 1, to: 3}}",
		"train: {language: tomita1, epochs: 5}\nextract: {epoch: all, seed: {from: 1, to: 3}}",
		"train: {language: tomita1, epochs: 5}",
		"train: {language: tomita1, epochs: 5}\nextract: [{epoch: all}, {epoch: best}, {epoch: 3}]",
		"model: [zoo:tomita1@5, zoo:tomita1@5]\nextract: {epoch: all}",
		"model: zoo:tomita1@5\nextract: [{epoch: all}, {epoch: best}]",
		"model: zoo:tomita1\nextract: {epoch: [best, 2]}",
	} {
		f, err := Read("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for net, err := range f.Networks(nil) {
			if err != nil {
				t.Fatal(err)
			}
			if n += net.Count(); net.Training != nil {
				n++
			}
		}
		if want := len(tasks(t, text)); n != want {
			t.Errorf("%q: counted %d, planned %d", text, n, want)
		}
	}
}

func TestRanges(t *testing.T) {
	f, err := Read("x.yaml", []byte("model: zoo:tomita1\nextract: {kappa: {from: 0.1, to: 0.5, step: 0.1}, seed: {from: 1, to: 100, factor: 10}}"))
	if err != nil {
		t.Fatal(err)
	}
	g := f.blocks[0].extracts[0]
	for name, want := range map[string]string{"kappa": "[0.1 0.2 0.3 0.4 0.5]", "seed": "[1 10 100]"} {
		var got []string
		for _, v := range g.find(name).values {
			got = append(got, string(v))
		}
		if text := "[" + strings.Join(got, " ") + "]"; text != want {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
	}
}

// Every byte of a key's text counts, and what does not determine the result does not.
func TestKey(t *testing.T) {
	s := train.Quick
	base := Task{Version: "v", Train: &s, Extract: &Extraction{Method: "fold", Kappa: 0.1}}
	key := base.Key()
	change := func(f func(*Task)) string {
		s, x := *base.Train, *base.Extract
		c := Task{Version: "v", Train: &s, Extract: &x}
		f(&c)
		return c.Key()
	}
	for name, f := range map[string]func(*Task){
		"version": func(t *Task) { t.Version = "w" },
		"seed":    func(t *Task) { t.Train.Seed++ },
		"kappa":   func(t *Task) { t.Extract.Kappa = 0.2 },
		"epoch":   func(t *Task) { t.Extract.Epoch = 2 },
		"kind":    func(t *Task) { t.Extract = nil },
	} {
		if change(f) == key {
			t.Errorf("%s makes no difference", name)
		}
	}
	if change(func(*Task) {}) != key {
		t.Error("the key of equal tasks differs")
	}
	kmeans := func(kappa float64) string {
		return change(func(t *Task) { t.Extract.Method, t.Extract.Kappa = "kmeans", kappa })
	}
	if kmeans(0.1) != kmeans(0.2) {
		t.Error("kappa makes a difference to k-means")
	}
	named := func(name string, epoch int) string {
		return change(func(t *Task) { t.Train, t.Model, t.Extract.Epoch = nil, &Model{Name: name, Digest: "d"}, epoch })
	}
	if named("a", 0) != named("b", 3) {
		t.Error("a model counts by more than its parameters")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("train: {language: tomita1, seed: {from: 1, to: 3}}\nextract: {kappa: [0.1, auto]}"))
	f.Add([]byte("runs: [{model: zoo:tomita1, extract: {epoch: all}}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read("x.yaml", data)
		if err != nil {
			return
		}
		n := 0
		try := func(net *Network) bool { // of more than a hundred points no more are tried
			net.plan = &planner{File: file}
			net.End(2)
			for range net.points() {
				if n++; n > 100 {
					return false
				}
			}
			n++
			return n <= 100
		}
		for i, b := range file.blocks {
			for _, name := range b.models {
				if !try(&Network{part: i, model: name}) {
					return
				}
			}
			if b.train == nil {
				continue
			}
			for s := range points[train.Settings](b.train) {
				if !try(&Network{part: i, Training: &Task{Train: &s}}) {
					return
				}
			}
		}
	})
}

// A grid has as many different points as its size says, all of which belong to it.
func TestGridPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGrid(Extraction{})
		for _, name := range []string{"epoch", "strings", "seed"} {
			a := g.find(name)
			*a = axis{name: name}
			for _, v := range rapid.SliceOfN(rapid.IntRange(0, 20), 1, 4).Draw(t, name) {
				a.add(encode(v))
			}
		}
		seen := map[Extraction]bool{}
		for x := range points[Extraction](g) {
			if !g.has(x) || seen[x] {
				t.Fatalf("%+v: %v, %v", x, g.has(x), seen[x])
			}
			seen[x] = true
			x.Length = 7
			if g.has(x) {
				t.Fatalf("%+v belongs to the grid", x)
			}
		}
		if float64(len(seen)) != g.size() {
			t.Fatalf("%d points, want %g", len(seen), g.size())
		}
	})
}
