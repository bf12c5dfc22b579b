package sweep

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with a file. Those here were read with pyarrow and with TensorBoard's
// own reader when they were made.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes that are not those of the golden file; look at them and run with -update", name, len(got))
	}
}

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

func seq(rows []Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestParquet(t *testing.T) {
	var buf bytes.Buffer
	if err := WriteParquet(&buf, exampleColumns, seq(exampleRows)); err != nil {
		t.Fatal(err)
	}
	golden(t, "rows.parquet", buf.Bytes())
	buf.Reset()
	if err := WriteParquet(&buf, exampleColumns, seq(nil)); err != nil {
		t.Fatal(err)
	}
	golden(t, "empty.parquet", buf.Bytes())
}

// A page says which values are there, and those that are come back.
func TestPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []Row
		for range rapid.IntRange(0, 40).Draw(t, "rows") {
			row := Row{nil}
			if rapid.Bool().Draw(t, "there") {
				row[0] = rapid.Int64().Draw(t, "value")
			}
			rows = append(rows, row)
		}
		page := pageOf(exampleColumns[1], rows, 0)
		n := binary.LittleEndian.Uint32(page)
		levels, values := page[4:4+n], page[4+n:]
		var there []bool
		for len(levels) > 0 {
			run, k := binary.Uvarint(levels)
			for range run >> 1 {
				there = append(there, levels[k] == 1)
			}
			levels = levels[k+1:]
		}
		if len(there) != len(rows) {
			t.Fatalf("%d levels for %d rows", len(there), len(rows))
		}
		for i, row := range rows {
			if there[i] != (row[0] != nil) {
				t.Fatalf("row %d is there: %v", i, there[i])
			}
			if there[i] {
				if got := int64(binary.LittleEndian.Uint64(values)); got != row[0] {
					t.Fatalf("row %d: %d, want %d", i, got, row[0])
				}
				values = values[8:]
			}
		}
		if len(values) > 0 {
			t.Fatalf("%d bytes are left", len(values))
		}
	})
}

func TestEvents(t *testing.T) {
	folder := t.TempDir()
	if err := writeEvents(folder, []scalar{{"train/loss", 1, 0.5}, {"train/loss", 2, 0.25}, {"train/norm", 2, -3}}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, "events.out.tfevents.0000000000.quotient"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "events", data)
}

// Event files begin with a record of 24 bytes, so that all of them have the same first
// twelve: 18 00 00 00 00 00 00 00 a3 7f 4b 22.
func TestMaskedChecksum(t *testing.T) {
	if got := masked([]byte{24, 0, 0, 0, 0, 0, 0, 0}); got != 0x224b7fa3 {
		t.Errorf("%#x", got)
	}
}

func TestGroupBy(t *testing.T) {
	groups, err := GroupBy(seq(exampleRows), exampleColumns, []string{"name", "n"}, []string{"x", "yes"})
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
		if _, err := GroupBy(seq(exampleRows), exampleColumns, names[:1], names[1:]); err == nil {
			t.Errorf("%q: no error", names)
		}
	}
}

func TestSummary(t *testing.T) {
	by, metrics := []string{"name"}, []string{"x", "yes"}
	groups, err := GroupBy(seq(exampleRows), exampleColumns, by, metrics)
	if err != nil {
		t.Fatal(err)
	}
	columns, rows, err := Summary(groups, exampleColumns, by, metrics)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for row, err := range rows {
		if err != nil || len(row) != len(columns) {
			t.Fatalf("%v for %v, %v", row, columns, err)
		}
		got = append(got, string(EncodeRow(columns, row)))
	}
	want := `{"name":"a","n":2,"x_mean":1,"x_low":0.75,"x_median":1,"x_high":1.25,"yes_mean":0.5,"yes_low":0.25,"yes_median":0.5,"yes_high":0.75}
{"name":"b","n":1,"x_mean":null,"x_low":null,"x_median":null,"x_high":null,"yes_mean":null,"yes_low":null,"yes_median":null,"yes_high":null}`
	if text := strings.Join(got[1:3], "\n"); text != want {
		t.Errorf("\n%s\nwant\n%s", text, want)
	}
}

// Languages that differ in signs alone have folders of their own.
func TestTensorBoardFolders(t *testing.T) {
	s := embedded(t)
	file := read(t, strings.ReplaceAll(fmt.Sprintf(tiny, "[1]"), "tomita1", "['regex:(ab)*', 'regex:(ab)+']"))
	runHere(t, s, file, Options{}, &Worker{Slots: 2})
	folder := t.TempDir()
	n, err := s.WriteTensorBoard(t.Context(), file, folder)
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(folder, "*", "*", "events.*"))
	if err != nil || n != 4 || len(found) != n {
		t.Errorf("%d, %q, %v", n, found, err)
	}
}

// Where there is no automaton there are no numbers about it, and none that count as 0.
func TestFailedRows(t *testing.T) {
	x := defaultExtraction
	row := extractionRow(&Result{Task: Task{Extract: &x}, Outcome: &Outcome{Failed: "too many states", Network: 0.5}})
	for name, want := range map[string]any{"accuracy": nil, "states": nil, "failed": "too many states", "network": 0.5} {
		i, err := find(Columns, name)
		if err != nil || row[i] != want {
			t.Errorf("%s: %v, %v", name, row[i], err)
		}
	}
}

// Groups do not depend on the order of rows.
func TestGroupsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.Permutation(exampleRows).Draw(t, "rows")
		got, err := GroupBy(seq(rows), exampleColumns, []string{"name"}, []string{"x"})
		want, _ := GroupBy(seq(exampleRows), exampleColumns, []string{"name"}, []string{"x"})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v\nwant %v", got, want)
		}
	})
}

func TestPlot(t *testing.T) {
	p, err := Plot(seq(exampleRows), exampleColumns, "n", "x", []string{"name"})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Series) != 3 || p.Series[0].Name != "name a" || p.Series[0].Y[0] != 1 || p.Series[0].Low[0] != 0.75 || p.Series[0].High[0] != 1.25 {
		t.Errorf("%+v", p.Series)
	}
	if _, err := Plot(seq(nil), exampleColumns, "n", "x", nil); err == nil {
		t.Error("a plot of nothing")
	}
}

// Rows have a value for every column, of its type or none.
func TestRowsFitTheirColumns(t *testing.T) {
	s := embedded(t)
	file := read(t, fmt.Sprintf(tiny, "[1]"))
	runHere(t, s, file, Options{}, &Worker{Slots: 2})
	models := read(t, "model: zoo:tomita1\nextract: {method: [fold, ttt], strings: 20}")
	runHere(t, s, models, Options{}, &Worker{Slots: 2})
	for _, c := range []struct {
		rows    iter.Seq2[Row, error]
		columns []Column
		n       int
	}{
		{s.Rows(t.Context(), file), Columns, 4},
		{s.TrainRows(t.Context(), file), TrainColumns, 3},
		{s.Rows(t.Context(), models), Columns, 2},
	} {
		n := 0
		for row, err := range c.rows {
			if err != nil {
				t.Fatal(err)
			}
			if n++; len(row) != len(c.columns) {
				t.Fatalf("%d values for %d columns", len(row), len(c.columns))
			}
			for i, v := range row {
				if v != nil && reflect.TypeOf(v).Kind() != c.columns[i].Type {
					t.Errorf("%s is a %T", c.columns[i].Name, v)
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
	if got := file.Varying(); !slices.Equal(got, []string{"epoch", "seed"}) {
		t.Errorf("%q", got)
	}
}
