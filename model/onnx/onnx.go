// Package onnx reads recurrent networks from ONNX files, as torch.onnx.export writes
// them, with its older exporter and its newer one, and as rnn.EncodeONNX does.
//
// A graph of operators is read by following values through it in the order of its
// nodes. A value is a constant, which is computed, or part of the flow: what has
// become of the tokens, with a name for every axis. Operators that only move axes
// about change the names; those that compute add a link to a chain, which is the
// network in the end: a table of embeddings, recurrent layers, dense layers. So what
// is accepted is what means such a chain, however it is written, and what is refused
// is refused with the name of the node. Sizes that a file leaves open are given
// large prime numbers, which lets the arithmetic on shapes run as it stands.
//
// Files may come from strangers: nothing is executed, there are limits on what a
// file may hold, and constants computed from constants are counted, so that memory
// stays within a small multiple of the file's size.
package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// Read returns the network in the content of an ONNX file, and the file's metadata.
// What the tokens mean is left to the caller: see [rnn.Stack.Speak]. The numbers of
// tensors may lie in other files, which open returns by their names relative to the
// folder of this one; if it is nil, that is an error.
func Read(data []byte, open func(name string) ([]byte, error)) (*rnn.Stack, map[string]string, error) {
	s, metadata, _, err := ReadOutput(data, open, "")
	return s, metadata, err
}

// ReadOutput does so for the output of the given name or, if that is empty, for the first that
// is a decision or, if there is none, a prediction of more than two numbers. It returns the names of
// all that are one of these.
func ReadOutput(data []byte, open func(name string) ([]byte, error), output string) (s *rnn.Stack, metadata map[string]string, outputs []string, err error) {
	e := &external{open: open, files: make(map[string]*content)}
	g, err := parse(data, e)
	if err == nil {
		s, outputs, err = g.stack(2*(len(data)+e.size)+1<<16, output)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("onnx: %w", err)
	}
	return s, g.metadata, outputs, nil
}

// stack returns the network that computes an output, or the first that one can compute.
func (g *graph) stack(room int, output string) (found *rnn.Stack, outputs []string, err error) {
	r := &reader{graph: g, values: make(map[string]value), budget: budget{room}, time: unknown}
	if err := r.start(); err != nil {
		return nil, nil, err
	}
	for i := range g.nodes {
		r.evaluate(&g.nodes[i])
	}
	var first error
	for _, name := range g.outputs {
		s, err := r.network(name)
		if err == nil {
			outputs = append(outputs, name)
			better := found == nil || found.Outputs() > 2 && s.Outputs() <= 2
			if better && (output == "" || output == name) {
				found = s
			}
		} else if first == nil && (output == "" || output == name) {
			first = fmt.Errorf("output %q: %w", name, err)
		}
	}
	switch {
	case found != nil:
		return found, outputs, nil
	case output != "" && !slices.Contains(g.outputs, output):
		return nil, nil, fmt.Errorf("there is no output %q; there is %s", output, strings.Join(g.outputs, ", "))
	case first == nil:
		return nil, nil, errors.New("the graph has no output")
	case !slices.ContainsFunc(g.nodes, func(n node) bool { return n.cell() != nil }):
		return nil, nil, fmt.Errorf("%w; there is no node RNN, GRU or LSTM: a loop over time may have been unrolled, which torch.onnx.export(..., dynamo=False) does not do", first)
	}
	return nil, nil, first
}

// A link is one step of the chain from the tokens to a value.
type link struct {
	from    *link
	tokens  int         // the first link: how many tokens there are
	table   f32.Matrix  // and what each becomes, tokens × size; no rows: one-hot
	layer   *rnn.Layer  // a recurrent layer,
	dense   *rnn.Dense  // or a dense one
	summary rnn.Summary // what the dense one reads of a bidirectional layer

	plain bool // a dense layer that only carries a norm of a recurrent one's outputs

	eps float32 // of a piece of a norm
	of  *link   // a piece of an activation: what the whole is a function of,
	is  string  // and which piece it is
}

// network follows the chain back from an output.
func (r *reader) network(output string) (*rnn.Stack, error) {
	v, ok := r.values[output]
	switch {
	case !ok:
		return nil, errors.New("no node makes it")
	case v.bad != nil:
		return nil, v.bad
	case !v.isFlow():
		return nil, errors.New("it does not depend on the tokens")
	case len(v.parts) > 1 || v.parts[0].made == nil || v.parts[0].made.dense == nil:
		return nil, errors.New("no dense layer makes it, so it is neither a decision nor a prediction")
	}
	s := &rnn.Stack{Bos: rnn.None, Eos: rnn.None}
	for at := v.parts[0].made; at != nil; at = at.from {
		switch {
		case at.layer != nil:
			s.Layers = append(s.Layers, *at.layer)
		case at.dense != nil:
			s.Head = append(s.Head, *at.dense)
			s.Summary = at.summary
		default:
			s.Tokens, s.Embedding = at.tokens, at.table
		}
	}
	slices.Reverse(s.Layers)
	slices.Reverse(s.Head)
	return s, s.Check()
}
