// Package tfevents writes the event files that TensorBoard reads.
package tfevents

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Scalar is a number at a step, under a name.
type Scalar struct {
	Tag   string
	Step  int64
	Value float64
}

// Write writes scalars as an event file into a folder, which it makes. The same scalars
// give the same bytes.
func Write(folder string, list []Scalar) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	out := appendRecord(nil, protowire.AppendString(protowire.AppendTag(nil, 3, protowire.BytesType), "brain.Event:2"))
	for _, s := range list {
		out = appendRecord(out, event(s))
	}
	return os.WriteFile(filepath.Join(folder, "events.out.tfevents.0000000000.quotient"), out, 0o666)
}

// event returns TensorFlow's message Event: the step also stands in for the time (1), so
// that nothing depends on a clock; then the step (2) and a Summary (5) of one Value.
func event(s Scalar) []byte {
	var value []byte
	value = protowire.AppendString(protowire.AppendTag(value, 1, protowire.BytesType), s.Tag)
	value = protowire.AppendFixed32(protowire.AppendTag(value, 2, protowire.Fixed32Type), math.Float32bits(float32(s.Value)))
	summary := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), value)
	var e []byte
	e = protowire.AppendFixed64(protowire.AppendTag(e, 1, protowire.Fixed64Type), math.Float64bits(float64(s.Step)))
	e = protowire.AppendVarint(protowire.AppendTag(e, 2, protowire.VarintType), uint64(s.Step))
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
