package paper

import (
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"quotient/draw/paint"
	"quotient/extract"
	"quotient/internal/oracletest"
	"quotient/language"
	"quotient/model"
	"quotient/oracle"
	"quotient/sweep/plan"
	"quotient/sweep/queue"
)

// synthetic returns recognizers of the languages that are noisier in early epochs.
func synthetic(t testing.TB) Networks {
	t.Helper()
	return Networks{Source: "synthetic networks", Epochs: []int{1, 3}, Open: func(name string, epoch int) (oracle.Stepper, error) {
		d, err := language.Load(language.Options{}, name)
		if err != nil {
			return nil, err
		}
		noise := float32(0.02)
		if epoch == 1 {
			noise = 0.2
		}
		return oracletest.Noisy{DFA: d[0], Dims: 8, Noise: noise}, nil
	}}
}

// here runs extractions in this process, some at a time. The norm of a network is its epoch.
func here(nets Networks, threads int) Runner {
	return func(ctx context.Context, list []plan.Want) ([]*plan.Outcome, error) {
		outcomes, errs := make([]*plan.Outcome, len(list)), make([]error, len(list))
		var wg sync.WaitGroup
		for thread := range threads {
			wg.Go(func() {
				for i := thread; i < len(list); i += threads {
					x := list[i].Extract
					net, err := nets.Open(list[i].Model, x.Epoch)
					var s *queue.Specimen
					if err == nil {
						m := &model.Model{Name: list[i].Model, Language: list[i].Model, Net: net}
						s, err = queue.NewSpecimen(ctx, m, float64(x.Epoch), x)
					}
					if err == nil {
						r := &plan.Result{Task: plan.Task{Extract: &x}}
						err = s.Measure(ctx, r, nil)
						outcomes[i] = r.Outcome
					}
					if err != nil {
						errs[i] = fmt.Errorf("%s: %w", list[i].Model, err)
					}
				}
			})
		}
		wg.Wait()
		return outcomes, errors.Join(errs...)
	}
}

// tiny makes the experiments small for the time of a test.
func tiny(t *testing.T) {
	table, curves, amounts := tableStrings, curve.strings, data.strings
	tableStrings, curve.strings, data.strings = 60, []int{5, 60}, []int{10, 40}
	t.Cleanup(func() { tableStrings, curve.strings, data.strings = table, curves, amounts })
}

func files(t *testing.T, threads int) map[string]string {
	t.Helper()
	r, err := Reproduce(context.Background(), All, synthetic(t), 1, here(synthetic(t), threads))
	if err != nil {
		t.Fatal(err)
	}
	content := map[string]string{}
	for name, write := range r.Files() {
		var text strings.Builder
		if err := write(&text); err != nil {
			t.Fatal(err)
		}
		content[name] = text.String()
	}
	return content
}

func TestReproduceAll(t *testing.T) {
	if testing.Short() {
		t.Skip("two thousand extractions; TestMeasure runs a few")
	}
	tiny(t)
	one := files(t, 1)
	checkReport(t, one["report.html"])
	for name, data := range files(t, 3) {
		if one[name] != data {
			t.Errorf("%s depends on the number of threads", name)
		}
	}
	for _, name := range []string{
		"report.html", "table1.csv", "kappa.csv", "kappa-tree.svg", "kappa-0.5.svg", "kappa-0.4.svg", "kappa-0.01.svg",
		"faithfulness.svg", "faithfulness.csv", "data-accuracy.svg", "data-states.svg", "data.csv", "tomita6.svg", "tomita6.csv",
		"appendix.svg", "appendix.csv", "epochs-merged.svg", "epochs-minimized.svg", "epochs.csv", "norm.svg", "norm.csv",
	} {
		data, ok := one[name]
		if !ok {
			t.Errorf("there is no %s", name)
			continue
		}
		delete(one, name)
		switch filepath.Ext(name) {
		case ".svg":
			checkXML(t, name, data)
			for _, format := range []string{"pdf", "png"} { // each can be painted, too
				if err := paint.As(format, io.Discard, func(w io.Writer) error { _, err := io.WriteString(w, data); return err }); err != nil {
					t.Errorf("%s as %s: %v", name, format, err)
				}
			}
		case ".csv":
			if list, err := csv.NewReader(strings.NewReader(data)).ReadAll(); err != nil || len(list) < 2 {
				t.Errorf("%s: %d records, %v", name, len(list), err)
			}
		}
	}
	for name := range one {
		t.Errorf("%s was not expected", name)
	}
}

func checkXML(t *testing.T, name, data string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
}

// checkReport checks that the page needs nothing else and that the pictures in it
// do not disturb each other.
func checkReport(t *testing.T, page string) {
	t.Helper()
	if found := regexp.MustCompile(`(src|href)=|url\(|@import`).FindString(page); found != "" {
		t.Errorf("the page refers to something: %s", found)
	}
	if n := strings.Count(page, "<svg"); n != 4+1+2+1+1+2+1 {
		t.Errorf("the page has %d pictures", n)
	}
	if found := regexp.MustCompile(`NaN|%!|<no value>`).FindString(page); found != "" {
		t.Errorf("the page has %q", found)
	}
	for _, match := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if strings.Count(page, match[0]) != 1 {
			t.Errorf("%s is not unique", match[0])
		}
	}
}

// On recognizers whose states are clean, every method but k-means finds every
// language, and the table says so.
func TestTableOfCleanNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred extractions; TestMeasure runs a few")
	}
	tiny(t)
	r, err := Reproduce(context.Background(), Table1, synthetic(t), 1, here(synthetic(t), 2))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Table.Rows) != 4*7 || len(r.Table.SameKappa) != 7 {
		t.Fatalf("%d and %d rows", len(r.Table.Rows), len(r.Table.SameKappa))
	}
	for _, row := range append(r.Table.Rows, r.Table.SameKappa...) {
		if row.Method == extract.KMeans {
			continue
		}
		if row.Accuracy == nil || *row.Accuracy != 1 || *row.Std != 0 || row.Exact != 5 || row.Samples != 5 || row.Failed != 0 ||
			*row.SmallestStates != row.TargetStates {
			t.Errorf("%+v", row)
		}
	}
	text := r.Table.Text()
	for _, want := range []string{"fold, κ auto: exactly the language for 35 of 35 samples.", "57.35 ± 0.25", "99.62 ± 0.55"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing from\n%s", want, text)
		}
	}
}

func TestMeasure(t *testing.T) {
	cases := append(foldAuto.samples("tomita5", 0, 100, 10, 2), keep.samples("tomita5", 1, 100, 10, 1)...)
	calls := 0
	r, err := measure(context.Background(), append(cases, cases...), 1, func(ctx context.Context, list []plan.Want) ([]*plan.Outcome, error) {
		calls += len(list)
		return here(synthetic(t), 3)(ctx, list)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r) != 3 || calls != 3 {
		t.Errorf("%d results, %d calls", len(r), calls)
	}
	o := r[cases[0]]
	if !*o.Exact || o.Accuracy != 1 || o.Network != 1 || o.States != 4 || o.Kappa == 0 || o.Norm != 0 || o.Nodes < 100 || o.Tree >= 1 {
		t.Errorf("%+v", o)
	}
	if early := r[cases[2]]; early.Norm != 1 || *early.Exact || early.Saturation <= 0 {
		t.Errorf("the early network: %+v", early)
	}
}

func TestMeasureStops(t *testing.T) {
	cases := keep.samples("tomita1", 0, 10, 10, 5)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := measure(ctx, cases, 0, here(synthetic(t), 2)); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	broken := errors.New("broken")
	nets := synthetic(t)
	nets.Open = func(string, int) (oracle.Stepper, error) { return nil, broken }
	if _, err := measure(context.Background(), cases, 0, here(nets, 2)); !errors.Is(err, broken) || !strings.Contains(err.Error(), "tomita1") {
		t.Errorf("a network that cannot be opened: %v", err)
	}
	if _, err := Reproduce(context.Background(), Table1, Networks{}, 0, here(nets, 2)); err == nil {
		t.Error("no networks: no error")
	}
	if _, err := Reproduce(context.Background(), "table7", synthetic(t), 0, here(nets, 2)); err == nil {
		t.Error("table7: no error")
	}
}

// A sample whose automaton has too many states is shown as that.
func TestFailedSamples(t *testing.T) {
	r := Results{}
	cases := tableExhibit().cases
	for _, c := range cases {
		o := &plan.Outcome{Accuracy: 1, States: 3, Exact: new(true), Kappa: 0.1}
		if c.Method == extract.Union && c.Language == "tomita4" && c.Sample > 0 {
			o = &plan.Outcome{Failed: "too many"}
		}
		if c.Method == extract.Union && c.Language == "tomita7" {
			o = &plan.Outcome{Failed: "too many"}
		}
		r[c] = o
	}
	table := newTable(r)
	some, all := table.Rows[3], table.Rows[6]
	if some.Failed != 4 || some.Exact != 1 || *some.Accuracy != 1 {
		t.Errorf("four of five: %+v", some)
	}
	if all.Failed != 5 || all.Accuracy != nil || all.Std != nil || all.SmallestStates != nil {
		t.Errorf("all five: %+v", all)
	}
	text := table.Text()
	if !strings.Contains(text, "determinizing passed the limit of states for Tomita 4 (4 of 5), Tomita 7 (5 of 5)") ||
		!strings.Contains(text, "4 of 5 samples passed the limit of states") {
		t.Error(text)
	}
	list := records(cases, r)
	for i, c := range cases {
		if failed := r[c].Failed != ""; failed != (list[i+1][17] != "") || failed != (list[i+1][7] == "") {
			t.Errorf("%+v: %v", c, list[i+1])
		}
	}
}

// The published numbers, as the paper prints them.
func TestPublished(t *testing.T) {
	for i, want := range []string{"100.00 ± 0.00 1", "100.00 ± 0.00 2", "100.00 ± 0.00 4", "100.00 ± 0.00 3", "100.00 ± 0.00 4", "100.00 ± 0.00 3", "99.62 ± 0.55 4"} {
		p := published.merging[i]
		if got := percents(p.accuracy/100, p.std/100) + " " + string(rune('0'+p.states)); got != want {
			t.Errorf("merging, %s: %s, want %s", Languages[i], got, want)
		}
	}
	if p := published.kmeans[6]; p != (publishedCell{57.35, 0.25, 1}) {
		t.Errorf("k-means, tomita7: %v", p)
	}
	for i, l := range language.Builtin()[:7] {
		if l.Name != Languages[i] || l.DFA().Len() != smallest[i] {
			t.Errorf("%s has %d states, the table says %d for %s", l.Name, l.DFA().Len(), smallest[i], Languages[i])
		}
	}
}

// The tree of the paper's picture has 28 nodes.
func TestKappaTree(t *testing.T) {
	net, err := synthetic(t).Open("tomita2", 3)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := kappaTree(net)
	if err != nil {
		t.Fatal(err)
	}
	if tree.Len() != kappas[0].published {
		t.Errorf("%d nodes", tree.Len())
	}
	d, err := mergedAt(tree, 2)
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() != 2 { // nothing but the answers counts
		t.Errorf("kappa 2 leaves %d states", d.Len())
	}
}

// The sweep file in the repository asks for exactly what the report shows.
func TestSweepFileIsTheReport(t *testing.T) {
	file, err := plan.Open(filepath.Join("..", "sweep", "plan", "examples", "paper.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	nets := Networks{}
	for e := range 22 {
		nets.Epochs = append(nets.Epochs, e+1)
	}
	want := map[string]bool{}
	for _, x := range []exhibit{tableExhibit(), faithfulness(), byData(), tomita6(nets), appendix(nets), sizes(nets), growth(nets)} {
		for _, c := range x.cases {
			want[fmt.Sprintf("zoo:%s %+v", c.Language, c.extraction(1))] = true
		}
	}
	got := map[string]bool{}
	for task, err := range file.Tasks(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got[fmt.Sprintf("%s %+v", task.Model.Name, *task.Extract)] = true
	}
	if len(want) < 1000 || !maps.Equal(got, want) {
		t.Errorf("the file asks for %d extractions, and the report shows %d", len(got), len(want))
	}
}
