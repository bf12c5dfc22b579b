package parquet

import (
	"bytes"
	"encoding/binary"
	"flag"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with a file. Those here were read with pyarrow when they were made.
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
	exampleColumns = []Column{{"name", reflect.String}, {"n", reflect.Int64}, {"x", reflect.Float64}, {"yes", reflect.Bool}}
	exampleRows    = [][]any{
		{"a", int64(1), 0.5, true},
		{"b", int64(-2), nil, nil},
		{nil, nil, 1e300, false},
		{"ÿ, \"", int64(math.MaxInt64), -0.25, true},
		{"a", int64(1), 1.5, false},
	}
)

func seq(rows [][]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestParquet(t *testing.T) {
	var buf bytes.Buffer
	if err := Write(&buf, exampleColumns, seq(exampleRows)); err != nil {
		t.Fatal(err)
	}
	golden(t, "rows.parquet", buf.Bytes())
	buf.Reset()
	if err := Write(&buf, exampleColumns, seq(nil)); err != nil {
		t.Fatal(err)
	}
	golden(t, "empty.parquet", buf.Bytes())
}

// A page says which values are there, and those that are come back.
func TestPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows [][]any
		for range rapid.IntRange(0, 40).Draw(t, "rows") {
			row := []any{nil}
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
