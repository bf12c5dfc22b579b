package results

import (
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/sweep/plan"
	"quotient/sweep/queue"
)

var (
	exampleColumns = []Column{{"name", reflect.String, true}, {"n", reflect.Int64, true}, {"x", reflect.Float64, false}, {"yes", reflect.Bool, false}}
	exampleRows    = []Row{
		{"a", int64(1), 0.5, true},
		{"b", int64(-2), nil, nil},
		{nil, nil, 1e300, false},
		{"ÿ, \"", int64(math.MaxInt64), -0.25, true},
		{"a", int64(1), 1.5, false},
	}
)

func example(rows []Row) Table {
	return Table{Columns: exampleColumns, Rows: func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}}
}

const tiny = `
train: {language: %s, hidden: 4, embedding: 2, epochs: 3, patience: 0, strings: 20, length: 6,
  dev-strings: 5, dev-length: 6, long-strings: 5, long-length: 6, seed: 1}
extract: {strings: 10, length: 5, held-out: 20, held-out-length: 8, epoch: [best, 2], seed: [1, 2]}
`

// run runs a sweep and returns its file and its results.
func run(t testing.TB, text string) (*plan.File, iter.Seq2[*plan.Result, error]) {
	t.Helper()
	file, err := plan.Read("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := queue.Embedded(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if _, err := s.Run(t.Context(), file, queue.Options{Worker: &queue.Worker{Slots: 2, Scratch: t.TempDir()}}); err != nil {
		t.Fatal(err)
	}
	return file, s.Results(t.Context(), file)
}

// No two columns have one name.
func TestColumnsAreDifferent(t *testing.T) {
	for _, list := range [][]Column{extractionColumns, trainingColumns} {
		seen := map[string]bool{}
		for _, c := range list {
			if seen[c.Name] {
				t.Errorf("two columns are called %s", c.Name)
			}
			seen[c.Name] = true
		}
	}
}

func TestGroupBy(t *testing.T) {
	groups, err := example(exampleRows).GroupBy([]string{"name", "n"}, []string{"x", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range groups {
		got = append(got, fmt.Sprintf("%v %d: %d %v %v %v; %d %v", g.By, g.Rows, g.Metrics[0].N, g.Metrics[0].Low, g.Metrics[0].Median, g.Metrics[0].High, g.Metrics[1].N, g.Metrics[1].Mean))
	}
	want := []string{
		"[<nil> <nil>] 1: 1 1e+300 1e+300 1e+300; 1 0",
		"[a 1] 2: 2 0.75 1 1.25; 2 0.5",
		"[b -2] 1: 0 NaN NaN NaN; 0 NaN",
		"[ÿ, \" 9223372036854775807] 1: 1 -0.25 -0.25 -0.25; 1 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, names := range [][2]string{{"nothing", "x"}, {"n", "nothing"}, {"n", "name"}} {
		if _, err := example(exampleRows).GroupBy(names[:1], names[1:]); err == nil {
			t.Errorf("%q: no error", names)
		}
	}
}

func TestSummary(t *testing.T) {
	by, metrics := []string{"name"}, []string{"x", "yes"}
	summary, err := example(exampleRows).Summary(by, metrics)
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range summary.Rows {
		if err != nil || len(row) != len(summary.Columns) {
			t.Fatalf("%v for %v, %v", row, summary.Columns, err)
		}
	}
	var text strings.Builder
	if err := summary.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(text.String(), "\n")
	want := `{"name":"a","n":2,"x_mean":1,"x_low":0.75,"x_median":1,"x_high":1.25,"yes_mean":0.5,"yes_low":0.25,"yes_median":0.5,"yes_high":0.75}
{"name":"b","n":1,"x_mean":null,"x_low":null,"x_median":null,"x_high":null,"yes_mean":null,"yes_low":null,"yes_median":null,"yes_high":null}`
	if text := strings.Join(got[1:3], "\n"); text != want {
		t.Errorf("\n%s\nwant\n%s", text, want)
	}
}

// Languages that differ in signs alone have folders of their own.
func TestTensorBoardFolders(t *testing.T) {
	file, found := run(t, fmt.Sprintf(tiny, "['regex:(ab)*', 'regex:(ab)+']"))
	folder := t.TempDir()
	n, err := WriteTensorBoard(folder, file, found)
	if err != nil {
		t.Fatal(err)
	}
	written, err := filepath.Glob(filepath.Join(folder, "*", "*", "events.*"))
	if err != nil || n != 4 || len(written) != n {
		t.Errorf("%d, %q, %v", n, written, err)
	}
}

// Where there is no automaton there are no numbers about it, and none that count as 0.
func TestFailedRows(t *testing.T) {
	row := extractionRow(&plan.Result{Task: plan.Task{Extract: &plan.Extraction{}}, Outcome: &plan.Outcome{Failed: "too many states", Network: 0.5}})
	for name, want := range map[string]any{"accuracy": nil, "states": nil, "failed": "too many states", "network": 0.5} {
		at, err := Table{Columns: extractionColumns}.Places([]string{name})
		if err != nil || row[at[0]] != want {
			t.Errorf("%s: %v, %v", name, row, err)
		}
	}
}

// Groups do not depend on the order of rows.
func TestGroupsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.Permutation(exampleRows).Draw(t, "rows")
		got, err := example(rows).GroupBy([]string{"name"}, []string{"x"})
		want, _ := example(exampleRows).GroupBy([]string{"name"}, []string{"x"})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v\nwant %v", got, want)
		}
	})
}

func TestPlot(t *testing.T) {
	p, err := example(exampleRows).Plot("n", "x", []string{"name"})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Series) != 3 || p.Series[0].Name != "name a" || p.Series[0].Y[0] != 1 || p.Series[0].Low[0] != 0.75 || p.Series[0].High[0] != 1.25 {
		t.Errorf("%+v", p.Series)
	}
	if _, err := example(nil).Plot("n", "x", nil); err == nil {
		t.Error("a plot of nothing")
	}
}

// Rows have a value for every column, of its type or none.
func TestRowsFitTheirColumns(t *testing.T) {
	file, found := run(t, fmt.Sprintf(tiny, "tomita1"))
	models, ofModels := run(t, "model: zoo:tomita1\nextract: {method: [fold, ttt], strings: 20}")
	for _, c := range []struct {
		Table
		n int
	}{
		{Extractions(file, found), 4},
		{Trainings(file, found), 3},
		{Extractions(models, ofModels), 2},
	} {
		n := 0
		for row, err := range c.Rows {
			if err != nil {
				t.Fatal(err)
			}
			if n++; len(row) != len(c.Columns) {
				t.Fatalf("%d values for %d columns", len(row), len(c.Columns))
			}
			for i, v := range row {
				if v != nil && reflect.TypeOf(v).Kind() != c.Columns[i].Type {
					t.Errorf("%s is a %T", c.Columns[i].Name, v)
				}
			}
			if row[0] != "tomita1" {
				t.Errorf("language %v", row[0])
			}
		}
		if n != c.n {
			t.Errorf("%d rows, want %d", n, c.n)
		}
	}
	if got := Extractions(file, found).Varying; !slices.Equal(got, []string{"epoch", "seed"}) {
		t.Errorf("%q", got)
	}
}
