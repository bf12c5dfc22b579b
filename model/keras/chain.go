package keras

import (
	"encoding/json"
	"fmt"
	"slices"
)

// chain puts the layers of a functional model in the order in which they run, if they are a
// chain from one input to one output. What computes a mask stands beside it.
func chain(layers []*configuration, output json.RawMessage) ([]*configuration, error) {
	byName := make(map[string]*configuration)
	for _, y := range layers {
		byName[y.name()] = y
	}
	name, err := outputOf(output)
	if err != nil {
		return nil, err
	}
	var order []*configuration
	for name != "" {
		y := byName[name]
		if y == nil {
			return nil, fmt.Errorf("layer %q is missing, or its inputs lead in a circle", name)
		}
		delete(byName, name)
		order = append([]*configuration{y}, order...)
		inputs, err := inputsOf(y.Nodes)
		if err != nil {
			return nil, fmt.Errorf("layer %q: %w", name, err)
		}
		switch {
		case len(inputs) == 0 && y.Class == "InputLayer":
			name = ""
		case len(inputs) == 1:
			name = inputs[0]
		default:
			return nil, fmt.Errorf("layer %q, a %s, has %d inputs, and only chains of layers are supported; %s", name, y.Class, len(inputs), instead)
		}
	}
	for _, y := range layers {
		if byName[y.name()] != nil && !y.masksZero(order) {
			return nil, fmt.Errorf("layer %q, a %s, is not part of the chain from the input to the output; %s", y.name(), y.Class, instead)
		}
	}
	return order, nil
}

// masksZero reports whether a layer computes the mask of an Embedding with mask_zero: which
// tokens are not 0.
func (c *configuration) masksZero(order []*configuration) bool {
	var nodes []struct {
		Args []any `json:"args"`
	}
	if err := json.Unmarshal(c.Nodes, &nodes); c.Class != "NotEqual" || err != nil || len(nodes) != 1 || len(nodes[0].Args) != 2 {
		return false
	}
	return nodes[0].Args[1] == 0.0 && slices.ContainsFunc(order, func(y *configuration) bool { return y.MaskZero })
}

// outputOf returns the layer that a model ends with.
func outputOf(data json.RawMessage) (string, error) {
	var list []any
	if err := json.Unmarshal(data, &list); err != nil {
		return "", fmt.Errorf("configuration: output_layers: %w", err)
	}
	if len(list) == 1 {
		list, _ = list[0].([]any)
	}
	name, ok := reference(list)
	if !ok {
		return "", fmt.Errorf("the model has several outputs; %s", instead)
	}
	return name, nil
}

// reference returns the layer whose only output [name, 0, 0] stands for.
func reference(list []any) (string, bool) {
	if len(list) < 3 {
		return "", false
	}
	name, ok := list[0].(string)
	return name, ok && name != "" && list[1] == 0.0 && list[2] == 0.0
}

// inputsOf returns the layers that a layer reads, in the form of Keras 3 or in that of Keras 2:
//
//	[{"args": [{"config": {"keras_history": ["embedding", 0, 0]}}], "kwargs": {...}}]
//	[[["embedding", 0, 0, {}]]]
func inputsOf(data json.RawMessage) (names []string, err error) {
	if len(data) == 0 {
		return nil, nil
	}
	var nodes []any
	if err := json.Unmarshal(data, &nodes); err != nil {
		return nil, fmt.Errorf("inbound_nodes: %w", err)
	}
	if len(nodes) > 1 {
		return nil, fmt.Errorf("it is used %d times; %s", len(nodes), instead)
	}
	for _, node := range nodes {
		var lists [][]any
		switch n := node.(type) {
		case map[string]any:
			err = onlyMasks(n["kwargs"])
			lists = histories(n["args"], nil)
		case []any:
			for _, a := range n {
				list, _ := a.([]any)
				if len(list) > 3 && err == nil {
					err = onlyMasks(list[3])
				}
				lists = append(lists, list)
			}
		}
		if err != nil {
			return nil, err
		}
		for _, list := range lists {
			name, ok := reference(list)
			if !ok {
				return nil, fmt.Errorf("one of its inputs is not the only output of a layer; %s", instead)
			}
			names = append(names, name)
		}
	}
	return names, nil
}

// histories appends where the tensors come from that are among the arguments of a layer.
func histories(arguments any, found [][]any) [][]any {
	switch a := arguments.(type) {
	case []any:
		for _, inner := range a {
			found = histories(inner, found)
		}
	case map[string]any:
		config, _ := a["config"].(map[string]any)
		history, _ := config["keras_history"].([]any)
		found = append(found, history)
	}
	return found
}

// onlyMasks refuses values that are given to a layer by name, unless they are plain ones, or
// the mask that mask_zero makes.
func onlyMasks(arguments any) error {
	named, _ := arguments.(map[string]any)
	for name, value := range named {
		switch value.(type) {
		case map[string]any, []any:
			if name != "mask" {
				return fmt.Errorf("it is given %s, which is not supported; %s", name, instead)
			}
		}
	}
	return nil
}
