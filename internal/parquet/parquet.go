// Package parquet writes Parquet files: plain and uncompressed values, all of which may
// be missing, with one page for a column in each group of rows. See the format's
// specification, parquet-format 2.11, and Thrift's compact protocol.
package parquet

import (
	"encoding/binary"
	"io"
	"iter"
	"math"
	"reflect"
)

// rowGroup is how many rows are in memory at a time.
const rowGroup = 1 << 16

// A Column has values of one type, or nil.
type Column struct {
	Name string
	Type reflect.Kind // String, Int64, Float64 or Bool
}

// Write writes rows, which hold string, int64, float64, bool or nil for each column. An
// error among the rows is returned, and ends the file in the middle.
func Write(w io.Writer, columns []Column, rows iter.Seq2[[]any, error]) error {
	out := &counted{Writer: w}
	if _, err := io.WriteString(out, magic); err != nil {
		return err
	}
	var groups []thrift // of RowGroup
	var total int64
	block := make([][]any, 0, 1024)
	flush := func() error {
		g, err := writeRowGroup(out, columns, block)
		groups = append(groups, g)
		total += int64(len(block))
		block = block[:0]
		return err
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if block = append(block, row); len(block) == rowGroup {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if len(block) > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	footer := fileMetadata(columns, groups, total)
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	_, err := out.Write(append(footer, magic...))
	return err
}

const magic = "PAR1"

// Numbers of the format.
const (
	typeBool, typeInt64, typeDouble, typeBytes = 0, 2, 5, 6

	optional = 1
	utf8     = 0
	plain    = 0
	rle      = 3
)

func (c Column) number() int64 {
	switch c.Type {
	case reflect.Bool:
		return typeBool
	case reflect.Int64:
		return typeInt64
	case reflect.Float64:
		return typeDouble
	}
	return typeBytes
}

// counted knows how much was written.
type counted struct {
	io.Writer
	n int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.n += int64(n)
	return n, err
}

// writeRowGroup writes some rows, column after column, and returns what the footer says
// of them.
func writeRowGroup(out *counted, columns []Column, rows [][]any) (thrift, error) {
	var chunks []thrift
	begin := out.n
	for i, c := range columns {
		page := pageOf(c, rows, i)
		header := thriftStruct(
			field{1, int64(0)}, field{2, int64(len(page))}, field{3, int64(len(page))},
			field{5, thriftStruct(field{1, int64(len(rows))}, field{2, int64(plain)}, field{3, int64(rle)}, field{4, int64(rle)})},
		)
		at := out.n
		if _, err := out.Write(append(header, page...)); err != nil {
			return nil, err
		}
		size := wide(out.n - at)
		chunks = append(chunks, thriftStruct(
			field{2, wide(at)},
			field{3, thriftStruct(
				field{1, c.number()}, field{2, []int64{plain, rle}}, field{3, []string{c.Name}}, field{4, int64(0)},
				field{5, wide(len(rows))}, field{6, size}, field{7, size}, field{9, wide(at)},
			)},
		))
	}
	return thriftStruct(field{1, chunks}, field{2, wide(out.n - begin)}, field{3, wide(len(rows))}), nil
}

// pageOf returns the values of a column: which are there, as runs, and these.
func pageOf(c Column, rows [][]any, i int) []byte {
	var levels, values []byte
	bits := 0
	for at := 0; at < len(rows); {
		there, end := rows[at][i] != nil, at
		for end < len(rows) && (rows[end][i] != nil) == there {
			end++
		}
		levels = binary.AppendUvarint(levels, uint64(end-at)<<1)
		level := byte(0)
		if there {
			level = 1
		}
		levels = append(levels, level)
		at = end
	}
	for _, row := range rows {
		switch v := row[i].(type) {
		case bool:
			if bits%8 == 0 {
				values = append(values, 0)
			}
			if v {
				values[len(values)-1] |= 1 << (bits % 8)
			}
			bits++
		case int64:
			values = binary.LittleEndian.AppendUint64(values, uint64(v))
		case float64:
			values = binary.LittleEndian.AppendUint64(values, math.Float64bits(v))
		case string:
			values = binary.LittleEndian.AppendUint32(values, uint32(len(v)))
			values = append(values, v...)
		}
	}
	page := binary.LittleEndian.AppendUint32(nil, uint32(len(levels)))
	return append(append(page, levels...), values...)
}

func fileMetadata(columns []Column, groups []thrift, rows int64) thrift {
	schema := []thrift{thriftStruct(field{4, "results"}, field{5, int64(len(columns))})}
	for _, c := range columns {
		fields := []field{{1, c.number()}, {3, int64(optional)}, {4, c.Name}}
		if c.Type == reflect.String {
			fields = append(fields, field{6, int64(utf8)})
		}
		schema = append(schema, thriftStruct(fields...))
	}
	return thriftStruct(field{1, int64(1)}, field{2, schema}, field{3, wide(rows)}, field{4, groups}, field{6, "quotient"})
}

// thrift is a struct in Thrift's compact protocol.
type thrift []byte

// A field of a struct is an int64 for i32, a wide for i64, a string, a thrift, or a list
// of these.
type field struct {
	id    int
	value any
}

type wide int64

// Types of the compact protocol.
const (
	thriftI32, thriftI64, thriftBinary, thriftList, thriftStructType = 5, 6, 8, 9, 12
)

func thriftStruct(fields ...field) thrift {
	var out thrift
	last := 0
	for _, f := range fields {
		begin := func(kind int) { out = append(out, byte((f.id-last)<<4|kind)) }
		switch v := f.value.(type) {
		case int64:
			begin(thriftI32)
			out = binary.AppendVarint(out, v)
		case wide:
			begin(thriftI64)
			out = binary.AppendVarint(out, int64(v))
		case string:
			begin(thriftBinary)
			out = appendText(out, v)
		case thrift:
			begin(thriftStructType)
			out = append(out, v...)
		case []int64:
			begin(thriftList)
			out = appendListHead(out, len(v), thriftI32)
			for _, x := range v {
				out = binary.AppendVarint(out, x)
			}
		case []string:
			begin(thriftList)
			out = appendListHead(out, len(v), thriftBinary)
			for _, x := range v {
				out = appendText(out, x)
			}
		case []thrift:
			begin(thriftList)
			out = appendListHead(out, len(v), thriftStructType)
			for _, x := range v {
				out = append(out, x...)
			}
		}
		last = f.id
	}
	return append(out, 0)
}

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

func appendListHead(out []byte, n, kind int) []byte {
	if n < 15 {
		return append(out, byte(n<<4|kind))
	}
	return binary.AppendUvarint(append(out, byte(0xf0|kind)), uint64(n))
}
