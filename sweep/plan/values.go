package plan

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// readValues reads a value, a list of values or a range.
func readValues(n *yaml.Node) ([]json.RawMessage, error) {
	switch n.Kind {
	case yaml.SequenceNode:
		var list []json.RawMessage
		for _, c := range n.Content {
			v, err := readScalar(c)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		if len(list) == 0 {
			return nil, errorAt(n, "the list is empty")
		}
		return list, nil
	case yaml.MappingNode:
		return readRange(n)
	}
	v, err := readScalar(n)
	return []json.RawMessage{v}, err
}

func readScalar(n *yaml.Node) (json.RawMessage, error) {
	if n.Kind != yaml.ScalarNode {
		return nil, errorAt(n, "a value is expected here, not a list or a mapping")
	}
	var v any
	err := n.Decode(&v)
	x, _ := v.(float64)
	if err != nil || !slices.Contains([]string{"!!str", "!!int", "!!float", "!!bool"}, n.Tag) || math.IsInf(x, 0) || math.IsNaN(x) {
		return nil, errorAt(n, "%q is no number, no text, and neither true nor false", n.Value)
	}
	return encode(v), nil
}

// readRange reads {from: 1, to: 9, step: 2} or {from: 0.001, to: 1, factor: 10}.
func readRange(n *yaml.Node) ([]json.RawMessage, error) {
	m, err := entries(n, "a range", "from", "to", "step", "factor")
	if err != nil {
		return nil, err
	}
	number := map[string]float64{"step": 1}
	for _, name := range []string{"from", "to", "step", "factor"} {
		v := m[name]
		if v == nil {
			continue
		}
		x, err := strconv.ParseFloat(v.Value, 64)
		if v.Kind != yaml.ScalarNode || err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, errorAt(v, "%s: it must be a number", name)
		}
		number[name] = x
	}
	from, to, step, factor := number["from"], number["to"], number["step"], number["factor"]
	switch {
	case m["from"] == nil || m["to"] == nil:
		return nil, errorAt(n, "a range has from and to")
	case m["step"] != nil && m["factor"] != nil:
		return nil, errorAt(n, "a range has step or factor, not both")
	case from > to:
		return nil, errorAt(n, "a range from %g to %g has no values", from, to)
	case m["factor"] != nil && (factor <= 1 || from <= 0):
		return nil, errorAt(n, "a range with a factor begins over 0, and the factor is over 1")
	case step <= 0:
		return nil, errorAt(n, "step %g: it must be over 0", step)
	}
	var list []json.RawMessage
	for i := 0; ; i++ {
		x := from + float64(i)*step
		if m["factor"] != nil {
			x = from * math.Pow(factor, float64(i))
		}
		// Twelve digits, so that 0.1 + 2·0.1 is 0.3.
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
		if x > to {
			return list, nil
		}
		if len(list) == maxValues {
			return nil, errorAt(n, "the range has over %d values", maxValues)
		}
		list = append(list, encode(x))
	}
}
