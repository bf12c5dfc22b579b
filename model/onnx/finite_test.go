package onnx

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// initializers returns where the numbers of each float32 initializer of a file lie in it.
func initializers(t *testing.T, data []byte) (list [][]byte) {
	t.Helper()
	err := fields(data, func(v field) error {
		if v.id != 7 {
			return nil
		}
		return fields(v.bytes, func(v field) error {
			if v.id != 5 {
				return nil
			}
			kind, raw := int64(0), []byte(nil)
			err := fields(v.bytes, func(v field) error {
				switch v.id {
				case 2:
					kind = int64(v.num)
				case 9:
					raw = v.bytes
				}
				return nil
			})
			if kind == kindFloat && len(raw) >= 4 {
				list = append(list, raw)
			}
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A weight that is no number is refused, wherever it stands.
func TestWeightsAreNumbers(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.onnx")
	if err != nil || len(paths) == 0 {
		t.Fatal("no networks in testdata")
	}
	tried := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read(data, nil); err != nil {
			continue // refused for another reason
		}
		for i := range initializers(t, data) {
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				damaged := slices.Clone(data)
				raw := initializers(t, damaged)[i]
				binary.LittleEndian.PutUint32(raw[len(raw)-4:], math.Float32bits(float32(bad)))
				_, _, err := Read(damaged, nil)
				if err == nil || !strings.Contains(err.Error(), "it holds NaN at") && !strings.Contains(err.Error(), "Inf at") {
					t.Errorf("%s: %v at the end of initializer %d: %v", path, bad, i, err)
				}
				tried++
			}
		}
	}
	if tried == 0 {
		t.Error("no initializer was found")
	}
}
