package sweep

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"quotient/train"
)

// A scalar is a number at a step, under a name.
type scalar struct {
	tag   string
	step  int64
	value float64
}

// WriteTensorBoard writes what came of a sweep as event files: a folder for each network
// that was trained, with its records over the epochs, and one for each way to extract,
// with medians over the seeds. It returns how many there are. The same results give the
// same bytes.
func (s *Store) WriteTensorBoard(ctx context.Context, f *File, folder string) (int, error) {
	n := 0
	folders := map[string]int{} // how many have a name: in that of a folder, languages may look alike
	write := func(kind, name string, list []scalar) error {
		n++
		name = filepath.Join(folder, kind, fileLabel(name))
		if folders[name]++; folders[name] > 1 {
			name += "-" + strconv.Itoa(folders[name])
		}
		return writeEvents(name, list)
	}
	names := f.VaryingTraining()
	at, err := Places(TrainColumns, names)
	if err != nil {
		return 0, err
	}
	for r, err := range s.resultsOf(ctx, f) {
		if err != nil {
			return n, err
		}
		if r.Records == nil {
			continue
		}
		var values []any
		for _, i := range at {
			values = append(values, trainingRow(r.Task.Train, train.Record{})[i])
		}
		var list []scalar
		for _, rec := range r.Records {
			for i, v := range trainingRow(r.Task.Train, rec) {
				c := TrainColumns[i]
				if x, ok := number(v); ok && !c.Sets && c.Name != "epoch" {
					list = append(list, scalar{"train/" + c.Name, int64(rec.Epoch), x})
				}
			}
		}
		if err := write("train", Label(names, values), list); err != nil {
			return n, err
		}
	}
	by := slices.DeleteFunc(f.Varying(), func(name string) bool { return name == "epoch" || name == "seed" })
	metrics := []string{"accuracy", "states", "merged", "exact", "network", "norm", "saturation"}
	groups, err := GroupBy(s.Rows(ctx, f), Columns, append(slices.Clone(by), "epoch"), metrics)
	if err != nil {
		return n, err
	}
	for len(groups) > 0 {
		first := groups[0].By[:len(by)]
		var list []scalar
		for len(groups) > 0 && slices.EqualFunc(first, groups[0].By[:len(by)], func(a, b any) bool { return a == b }) {
			step, _ := groups[0].By[len(by)].(int64)
			for i, q := range groups[0].Metrics {
				if q.N > 0 {
					list = append(list, scalar{"extract/" + metrics[i], step, q.Median})
				}
			}
			groups = groups[1:]
		}
		if err := write("extract", Label(by, first), list); err != nil {
			return n, err
		}
	}
	return n, nil
}

// fileLabel returns a label as the name of a folder, which must not be long.
func fileLabel(label string) string {
	label = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, strings.ReplaceAll(label, ", ", "-"))
	return label[:min(len(label), 200)]
}

// writeEvents writes scalars as an event file into a folder, which it makes.
func writeEvents(folder string, list []scalar) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(folder, "events.out.tfevents.0000000000.quotient"))
	if err != nil {
		return err
	}
	var out []byte
	out = appendRecord(out, protowire.AppendString(protowire.AppendTag(nil, 3, protowire.BytesType), "brain.Event:2"))
	for _, s := range list {
		out = appendRecord(out, event(s))
	}
	_, err = f.Write(out)
	if err := closeAfter(f, err); err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	return nil
}

func closeAfter(c io.Closer, err error) error {
	if closed := c.Close(); err == nil {
		err = closed
	}
	return err
}

// event returns TensorFlow's message Event: the step also stands in for the time (1), so
// that nothing depends on a clock; then the step (2) and a Summary (5) of one Value.
func event(s scalar) []byte {
	var value []byte
	value = protowire.AppendString(protowire.AppendTag(value, 1, protowire.BytesType), s.tag)
	value = protowire.AppendFixed32(protowire.AppendTag(value, 2, protowire.Fixed32Type), math.Float32bits(float32(s.value)))
	summary := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), value)
	var e []byte
	e = protowire.AppendFixed64(protowire.AppendTag(e, 1, protowire.Fixed64Type), math.Float64bits(float64(s.step)))
	e = protowire.AppendVarint(protowire.AppendTag(e, 2, protowire.VarintType), uint64(s.step))
	return protowire.AppendBytes(protowire.AppendTag(e, 5, protowire.BytesType), summary)
}

// appendRecord appends a TFRecord: the length, its checksum, the data, their checksum.
func appendRecord(out, data []byte) []byte {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	out = append(out, length...)
	out = binary.LittleEndian.AppendUint32(out, masked(length))
	out = append(out, data...)
	return binary.LittleEndian.AppendUint32(out, masked(data))
}

// masked is TensorFlow's checksum: CRC-32C, rotated and moved so that the checksum of
// data that hold checksums is sound.
func masked(data []byte) uint32 {
	crc := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return (crc>>15 | crc<<17) + 0xa282ead8
}
